"""The colours that plots and the viewers share, as "#rrggbb", and which boundaries share one.

Any two of a list can be told apart without red-green vision, too: a test computes how far apart they are then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybridsim.model.table import MIN_FOLDED_NAMES, families

BOUNDARY_COLOURS = (
    "#c74754",
    "#1c4b8f",
    "#8b750a",
    "#0d4b06",
    "#5965dc",
    "#397f94",
    "#802350",
    "#28130a",
    "#000074",
    "#2e0042",
)
"""Colours of the events of boundaries; the list begins again for models with more boundaries."""

CHART_SHADES = ("#c1d9ff", "#fef5cb", "#bee1de", "#ead2a9", "#e5ffe2", "#aef4ff", "#dad9c7", "#cdfff5")
"""Shades of charts, behind curves and below the time line."""

CURVE_COLOURS = ("#310732", "#2c79b4", "#a86400", "#17826f", "#050f82", "#3a2500")
"""Colours of runs in one picture or one chart; the first run has its own colours in a picture."""


def kind_colour(number: int) -> str:
    """Return the colour of the boundary, or of the family of boundaries, of this number."""
    return BOUNDARY_COLOURS[number % len(BOUNDARY_COLOURS)]


def family_labels(boundaries: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the label of each colour, and the names of the boundaries that have it; a long family has one."""
    for pattern, family in families(boundaries).items():
        if len(family) >= MIN_FOLDED_NAMES:
            yield f"{family[0]} ... {family[-1].removeprefix(pattern.partition('{')[0])}", family
        else:
            yield from ((name, [name]) for name in family)
