"""Numbers as pictures show them: thousands as prefixes, geometric sequences on log axes, cells around values."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from hybridsim.plotting.sections import Axis, Column

PREFIXES = {-9: "n", -6: "µ", -3: "m", 3: "k", 6: "M", 9: "G"}
PREFIXED = re.compile(r"(?:N|J|W|Pa|Hz|V|A)(?![\w^])")
"""How a unit begins that may take any prefix."""
SHORTENED = re.compile(r"(?:m|s)(?![\w^])")
"""How a unit begins that may take the small ones."""
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LARGE, SMALL = 1e4, 1e-2
"""Beyond these the numbers of an axis are shown in thousands, or thousandths."""
SPAN = 5.0
"""What spans less than this factor is shown on a linear axis."""
SPREAD = 1e3
"""Values that span more than this factor are shown on a logarithmic scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """How one axis or metric is drawn.

    values : what is drawn, in the unit of the label; words are their places 0, 1, ...
    words : of the places; () for numbers.
    """

    values: NDArray[Any]
    label: str
    log: bool
    words: tuple[str, ...] = ()

    def on(self, axis: Any) -> None:
        """Give a matplotlib axis (x or y) this scale, its ticks and its label."""
        axis.set_label_text(self.label)
        if self.words:
            axis.set_ticks(range(len(self.words)), self.words)
        elif self.log:
            axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        elif self.values.dtype.kind == "i":
            axis.set_major_locator(MaxNLocator(integer=True, nbins=8, steps=[1, 2, 5, 10]))
        else:
            axis.get_major_formatter().set_useOffset(False)


def axis_scale(axis: Axis) -> Scale:
    """For an axis; `values` are those of the axis, not of the rows."""
    if axis.words:
        label = _labelled(axis.name, axis.unit)
        return Scale(np.arange(len(axis.values)), label, False, tuple(axis.values.tolist()))
    if is_geometric(axis.values):
        return Scale(axis.values, _labelled(axis.name, axis.unit), True)
    return _scaled(axis.name, axis.unit, axis.values)


def metric_scale(name: str, unit: str, values: Column) -> Scale:
    """For the values of a metric."""
    shown = values[np.isfinite(values)]
    wide = shown.size > 0 and shown.min() > 0 and shown.max() > SPREAD * shown.min()
    return Scale(values, _labelled(name, unit), True) if wide else _scaled(name, unit, values)


def is_geometric(values: Column) -> bool:
    """Whether the logarithms of sorted values are spaced more evenly than the values."""
    if len(values) < 2 or values[0] <= 0 or values[-1] < SPAN * values[0]:
        return False
    if len(values) == 2:
        return bool(values[-1] > 30.0 * values[0])
    return _unevenness(np.log(values)) < _unevenness(values)


def _unevenness(values: Column) -> float:
    """The largest distance to even spacing, as a part of the range."""
    places = (values - values[0]) / (values[-1] - values[0])
    return float(np.abs(places - np.linspace(0.0, 1.0, len(values))).max())


def _scaled(name: str, unit: str, values: Column) -> Scale:
    """Thousands and thousandths go into the unit."""
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    if SMALL <= largest < LARGE or largest == 0.0:
        return Scale(values, _labelled(name, unit), False)
    power = 3 * math.floor(math.log10(largest) / 3)
    prefix = PREFIXES.get(power)
    if prefix and (PREFIXED.match(unit) or (power < 0 and SHORTENED.match(unit))):
        unit = prefix + unit
    else:
        unit = f"10{str(power).translate(SUPERSCRIPTS)} {unit}".strip()
    return Scale(values / 10.0**power, _labelled(name, unit), False)


def _labelled(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def edges(values: Column, log: bool) -> NDArray[Any]:
    """Edges of the cells around sorted values, shape (n + 1,): midway between them, geometrically on a log axis."""
    centres = np.log(values) if log else np.asarray(values, float)
    if len(centres) == 1:
        between = np.array([centres[0] - 0.5, centres[0] + 0.5])
    else:
        middles = 0.5 * (centres[1:] + centres[:-1])
        between = np.concatenate([[2.0 * centres[0] - middles[0]], middles, [2.0 * centres[-1] - middles[-1]]])
    return np.exp(between) if log else between
