"""Colours of metrics: one for each status or, if they are few, each whole number; else a continuous map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, Colormap, ListedColormap, LogNorm, Normalize
from matplotlib.patches import Patch

from hybridsim.engine.status import Status
from hybridsim.plotting.scales import Scale, metric_scale
from hybridsim.plotting.sections import Column, is_words

COLOR_MAP = "viridis"

MAX_DISCRETE_SPAN = 32
"""Whole numbers whose range is smaller than this have a colour each."""

STATUS_COLORS = {
    "FINAL_TIME": "#0957e4",
    "STOPPED": "#65e1a7",
    "LEFT_CHART": "#94344f",
    "TOO_MANY_TRANSITIONS": "#5d639c",
    "TOO_MANY_STEPS": "#dbd2e9",
    "CASCADE": "#301634",
    "STEP_TOO_SMALL": "#bc795e",
    "NON_FINITE_STATE": "#302110",
    "NON_FINITE_DERIVATIVE": "#72999d",
    "NON_FINITE_BOUNDARY": "#4c4b02",
    "DISCONTINUOUS_BOUNDARY": "#9a8107",
    "STOP_ITERATIONS": "#cdcd00",
    "OUTSIDE_CHART": "#73b1e9",
    "UNKNOWN_CHART": "#211961",
    "OUT_OF_MEMORY": "#000089",
    "ZENO": "#50f479",
    "SLIDING_INTERSECTION": "#1998fe",
}
"""Colours of the statuses, the same in every picture."""

OTHER_STATUS_COLOUR = "#b0b0b0"

MAX_SENTENCE = 75
"""Length of a status's sentence in a legend [characters]."""


@dataclass(frozen=True, slots=True, eq=False)
class Colouring:
    """How the values of one metric become colours.

    Attributes
    ----------
    values : (n_rows,) array
        Numbers, or the indices of statuses in `words`.
    norm, cmap
        Normalisation and colour map of matplotlib.
    label : str
        Label of the colour bar or title of the legend.
    words : tuple of str
        The statuses; () for numbers.
    constant : str
        What to say in place of a colour bar if all values are equal, but for rounding; "" if not.
    """

    values: Column
    norm: Normalize
    cmap: Colormap
    label: str
    words: tuple[str, ...] = ()
    constant: str = ""

    def explain(self, figure: Any, panel: Any) -> None:
        """Add a colour bar next to the panel, for statuses a legend below it, or for a constant its value above it."""
        if self.words:
            keys = [Patch(color=status_color(word), label=sentence(word)) for word in self.words]
            panel.legend(
                handles=keys,
                title=self.label,
                loc="upper left",
                alignment="left",
                bbox_to_anchor=(-0.02, -0.13),
                frameon=False,
                fontsize="small",
                handlelength=1.2,
                borderaxespad=0.0,
            )
            return
        if self.constant:
            panel.set_title(self.constant, fontsize="medium")
            return
        bar = figure.colorbar(ScalarMappable(self.norm, self.cmap), ax=panel, pad=0.02, aspect=26)
        bar.set_label(self.label)
        bar.outline.set_visible(False)
        if isinstance(self.norm, BoundaryNorm):
            whole = self.norm.boundaries[:-1] + 0.5
            stride = max(1, -(-len(whole) // 9))
            bar.set_ticks(whole[::-1][::stride][::-1])  # the largest always has its tick
            bar.minorticks_off()
            bar.ax.tick_params(length=0)


def colouring(name: str, unit: str, values: Column) -> Colouring:
    """Return the colours for the values of a metric in all rows that are drawn."""
    if is_words(values):
        words, indices = np.unique(values, return_inverse=True)
        cmap = ListedColormap([status_color(word) for word in words.tolist()])
        return Colouring(
            indices, BoundaryNorm(np.arange(len(words) + 1) - 0.5, cmap.N), cmap, name, tuple(words.tolist())
        )
    scale = metric_scale(name, unit, values)
    value = _constant(values)
    if value is not None:
        alone = f"{name} = {value:.6g} {unit}".rstrip()
        return Colouring(scale.values, *_continuous(scale), scale.label, constant=alone)
    return _discrete(scale) if _few(scale) else Colouring(scale.values, *_continuous(scale), scale.label)


def _constant(values: Column) -> float | None:
    """Return the value that all finite ones have, but for rounding; None if they differ, or if there is none."""
    shown = values[np.isfinite(values)]
    if not shown.size or np.ptp(shown) > 1e-9 * np.abs(shown).max():
        return None
    return float(shown[0])


def _few(scale: Scale) -> bool:
    return scale.values.dtype.kind == "i" and int(np.ptp(scale.values)) < MAX_DISCRETE_SPAN


def _discrete(scale: Scale) -> Colouring:
    lowest, highest = int(scale.values.min()), int(scale.values.max())
    count = highest - lowest + 1
    cmap = mpl.colormaps[COLOR_MAP].resampled(count) if count > 1 else ListedColormap([mpl.colormaps[COLOR_MAP](0.5)])
    return Colouring(scale.values, BoundaryNorm(np.arange(lowest, highest + 2) - 0.5, count), cmap, scale.label)


def _continuous(scale: Scale) -> tuple[Normalize, Colormap]:
    shown = scale.values[np.isfinite(scale.values)]
    lowest, highest = (float(shown.min()), float(shown.max())) if shown.size else (0.0, 1.0)
    if scale.log:
        return LogNorm(lowest, highest), mpl.colormaps[COLOR_MAP]
    if highest - lowest < 1e-9 * max(abs(lowest), abs(highest)):  # show a constant, not its rounding errors
        margin = abs(lowest) or 1.0
        lowest, highest = lowest - 0.1 * margin, highest + 0.1 * margin
    return Normalize(lowest, highest), mpl.colormaps[COLOR_MAP]


def status_color(name: str) -> str:
    """Return the colour of a status."""
    return STATUS_COLORS.get(name, OTHER_STATUS_COLOUR)


def sentence(name: str) -> str:
    """Return a status and its meaning, without the advice."""
    text = f"{name}: {str(Status[name]).partition(';')[0]}" if name in Status.__members__ else name
    return text if len(text) <= MAX_SENTENCE else f"{text[:MAX_SENTENCE]}..."
