"""Marks on the curves of a run: one for each boundary and kind of event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hybridsim.results.colours import BOUNDARY_COLOURS
from hybridsim.results.trajectory import Trajectory

MARKS = ("^", "v", "o", "s", "D", "P", "h", "p")
"""Marks of crossings, one for each boundary, hollow if declined."""

KIND_MARKS = {"touch": "x", "entry": ">", "exit": "<", "zeno": "*"}
"""Marks of the other kinds of events."""

RELATIVE_MARK_SIZES = {"x": 1.4, "*": 2.0}
"""Mark -> its size in units of `MARK_SIZE`; these two would look smaller than others of one size."""

MAX_MARKS = 16
"""Most kinds of events that are marked; with more, no event is marked."""
MAX_EVENTS = 40
"""Most marks of a kind: of more events every second, third ... is marked, because all would cover the curves."""

MAX_THINNING = 25
"""If fewer than one event of a kind in so many would be marked, as of a controller's clock, none is."""


LETTERS_IN_INCH, KEY_LETTERS, MAX_LEGEND_COLUMNS = 14.5, 8, 6
"""Letters of a legend in an inch, the width of a key and its margin in letters, and most columns."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The look of some of the events.

    Attributes
    ----------
    label : str
        Entry in the legend.
    mark, color : str
        Marker and colour of matplotlib.
    filled : bool
        Whether the mark is filled.
    events : (m,) array of bool
        Which of all events it is for.
    """

    label: str
    mark: str
    color: str
    filled: bool
    events: NDArray[np.bool_]

    def style(self, size: float) -> dict[str, Any]:
        """Arguments of matplotlib for marks of this size [points]."""
        crowded = self.mark == KIND_MARKS["zeno"]
        return {
            "marker": self.mark,
            "markersize": size * RELATIVE_MARK_SIZES.get(self.mark, 1.0),
            "color": self.color,
            "markerfacecolor": self.color if self.filled else "none",
            "markeredgecolor": "white" if crowded else self.color,
            "markeredgewidth": 0.5 if crowded else 1.0,
            "linestyle": "",
        }


def event_marks(run: Trajectory, left: float = -np.inf, right: float = np.inf) -> list[Mark]:
    """Return the marks of the events between two times [s].

    Of kinds with more than MAX_EVENTS events only some are marked, as their labels say, or none; and if there are more
    than MAX_MARKS kinds, none is.
    """
    hits = run.events.crossed.T & (run.events.t >= left) & (run.events.t <= right)
    crossed = [(name, hit) for name, hit in zip(run.boundaries, hits, strict=False) if hit.any()]
    marks = [mark for i, (name, hit) in enumerate(crossed) for mark in _boundary_marks(run, i, name, hit)]
    marks = [_thin(mark) for mark in marks if 0 < np.count_nonzero(mark.events) <= MAX_THINNING * MAX_EVENTS]
    return marks if len(marks) <= MAX_MARKS else []


def _thin(mark: Mark) -> Mark:
    """Return a mark for at most MAX_EVENTS of its events, evenly chosen."""
    events = np.flatnonzero(mark.events)
    every = -(-len(events) // MAX_EVENTS)
    if every == 1:
        return mark
    chosen = np.zeros_like(mark.events)
    chosen[events[::every]] = True
    return replace(mark, label=f"{mark.label} (1 of {every})", events=chosen)


def _boundary_marks(run: Trajectory, i: int, name: str, hit: NDArray[np.bool_]) -> list[Mark]:
    """Return the marks of boundary i in its colour; `hit`, (m,), are the events in which it takes part."""
    kinds, declined = np.array(run.events.kind, dtype=str), run.events.declined
    mark, color = MARKS[i % len(MARKS)], BOUNDARY_COLOURS[i % len(BOUNDARY_COLOURS)]
    crossing = hit & (kinds == "crossing")
    return [
        Mark(name, mark, color, True, crossing & ~declined),
        Mark(f"{name}: declined", mark, color, False, crossing & declined),
        *(Mark(f"{name}: {kind}", own, color, True, hit & (kinds == kind)) for kind, own in KIND_MARKS.items()),
    ]


def draw_legend(figure: Figure, keys: Sequence[Any]) -> None:
    """Draw a legend below the panels, with as many columns as fit."""
    if not keys:
        return
    letters = int(LETTERS_IN_INCH * figure.get_figwidth())
    columns = max(1, letters // (KEY_LETTERS + max(len(key.get_label()) for key in keys)))
    figure.legend(
        handles=keys,
        loc="outside lower center",
        ncols=min(len(keys), columns, MAX_LEGEND_COLUMNS),
        frameon=False,
        fontsize="small",
    )
