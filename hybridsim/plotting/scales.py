"""Scales of axes and metrics: units with prefixes, logarithmic scales, edges of cells.

Thousands become a prefix of the unit in the label, `force [kN]`. Matplotlib's `EngFormatter` would write the prefix at
every tick, `10 k`, and would take prefixes for units that have none (10^3 kg, thousandths of m^2).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator, ScalarFormatter
from numpy.typing import NDArray

from hybridsim.plotting.names import SUPERSCRIPTS, label
from hybridsim.plotting.sections import Column, SectionAxis
from hybridsim.typing import TimeUnit

UNIT_PREFIXES = {-9: "n", -6: "µ", -3: "m", 3: "k", 6: "M", 9: "G"}
"""Prefixes of units by their power of ten."""

UNITS_WITH_PREFIXES = re.compile(r"(?:N|J|W|Pa|Hz|V|A)(?![\w^])")
"""Units that take every prefix: their beginning, before an exponent or another unit."""

UNITS_WITH_SMALL_PREFIXES = re.compile(r"(?:m|s)(?![\w^])")
"""Units that take only the prefixes of small numbers."""

MIN_SCALED, MIN_UNSCALED = 1e4, 1e-2
"""An axis whose largest number is at least the first or below the second is shown in thousands or thousandths."""

TIME_UNITS: tuple[tuple[float, tuple[float, str], tuple[float, ...]], ...] = (
    (2e-4, (1e-6, "µs"), ()),
    (0.2, (1e-3, "ms"), ()),
    (600.0, (1.0, "s"), ()),
    (4.0 * 3600.0, (60.0, "min"), (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0)),
    (4.0 * 86400.0, (3600.0, "h"), (0.5, 1.0, 2.0, 3.0, 6.0, 12.0)),
    (9000.0 * 86400.0, (86400.0, "d"), (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)),
    (math.inf, (1.0, "s"), ()),
)
"""The longest time [s] that is shown in a unit; the unit [s] and its name; the distances of ticks that are easy to read
in it, or none if all decimal ones are."""

MAX_TIME_RATIO = 1e4
"""Largest ratio of a time to the length of the axis; with a larger one, ticks count from an instant in the label."""

MAX_TIME_TICKS = 9
"""Most distances between ticks of times that are not in seconds."""

MIN_SCALED_SPAN = 1e-3
"""Large numbers that differ by less than this fraction are written in full, not in thousands."""

MIN_LOG_SPAN = 5.0
"""Axes whose values span less than this factor are linear."""

MAX_LINEAR_SPAN = 1e3
"""Metrics whose values span more than this factor have a logarithmic scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """How one axis or metric is drawn.

    Attributes
    ----------
    values : array
        The numbers, in the unit of the label; for words, their indices 0, 1, ...
    label : str
        Name and unit.
    log : bool
        Whether the scale is logarithmic.
    words : tuple of str
        The words; () for numbers.
    """

    values: NDArray[Any]
    label: str
    log: bool
    words: tuple[str, ...] = ()

    def apply_to(self, axis: Any) -> None:
        """Set the scale, ticks and label of a matplotlib axis (x or y)."""
        axis.set_label_text(self.label)
        if self.words:
            axis.set_ticks(range(len(self.words)), self.words)
        elif self.log:
            axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        elif self.values.dtype.kind == "i":
            axis.set_major_locator(MaxNLocator(integer=True, nbins=8, steps=[1, 2, 5, 10]))
        else:
            axis.set_major_formatter(_Plain(0))


class _Plain(ScalarFormatter):
    """Numbers divided by a power of ten that the label names; nothing stands at the end of the axis."""

    def __init__(self, power: int) -> None:
        super().__init__(useOffset=False)
        self.set_scientific(power != 0)
        self.set_powerlimits((power, power))

    def get_offset(self) -> str:
        """Return nothing."""
        return ""


def label_axis(axis: Any, name: str, unit: str, values: Column, gap: str = " ") -> None:
    """Label a matplotlib axis of these values, with thousands as part of the unit and all digits at the ticks."""
    power, unit = _scaled_unit(unit, values)
    axis.set_label_text(label(name, unit, gap))
    axis.set_major_formatter(_Plain(power))


def label_time(axis: Any, left: float, right: float, unit: str = "") -> None:
    """Label a matplotlib axis of times from `left` to `right` [s], in a unit, or in that in which it is easy to read.

    Late in a run, where many digits would be alike, ticks count from a round instant, which the label names.
    """
    span = right - left
    choices = [
        entry for entry in TIME_UNITS if (entry[1][1] == unit if unit in get_args(TimeUnit) else span <= entry[0])
    ]
    (seconds, name), ticks = choices[0][1:]
    origin, after = 0.0, ""
    if max(abs(left), abs(right)) > MAX_TIME_RATIO * span > 0.0:
        digit = 10.0 ** math.ceil(math.log10(span))
        origin = math.floor(left / digit) * digit
        after = f" after {origin:.15g} s"
    if span <= 0.0 or (seconds == 1.0 and not after):
        label_axis(axis, "time", "s", np.array([left, right]))
        return
    axis.set_label_text(f"time{after} [{name}]")
    least = span / seconds / MAX_TIME_TICKS
    axis.set_major_locator(MultipleLocator(_step(least, ticks) * seconds, offset=origin))
    axis.set_major_formatter(FuncFormatter(lambda t, _: f"{(t - origin) / seconds:.6g}"))


def _step(least: float, ticks: tuple[float, ...]) -> float:
    """Return the distance of ticks: the next one that is easy to read in a unit, or else with decimal numbers."""
    power = 10.0 ** math.floor(math.log10(least))
    own = ticks if ticks and 0.2 * ticks[0] <= least <= ticks[-1] else [power * digit for digit in (1, 2, 5, 10)]
    return next(step for step in own if step >= least * (1.0 - 1e-9))


def axis_scale(axis: SectionAxis) -> Scale:
    """Return the scale of an axis; its `values` are those of the axis, not of the rows."""
    if axis.words:
        return Scale(np.arange(len(axis.values)), label(axis.name, axis.unit), False, tuple(axis.values.tolist()))
    if is_geometric(axis.values):
        return Scale(axis.values, label(axis.name, axis.unit), True)
    return linear_scale(axis.name, axis.unit, axis.values)


def metric_scale(name: str, unit: str, values: Column) -> Scale:
    """Return the scale of a metric's values."""
    shown = values[np.isfinite(values)]
    wide = shown.size > 0 and shown.min() > 0 and shown.max() > MAX_LINEAR_SPAN * shown.min()
    return Scale(values, label(name, unit), True) if wide else linear_scale(name, unit, values)


def is_geometric(values: Column) -> bool:
    """Return whether the logarithms of sorted values are more evenly spaced than the values."""
    if len(values) < 2 or values[0] <= 0 or values[-1] < MIN_LOG_SPAN * values[0]:
        return False
    if len(values) == 2:
        return bool(values[-1] > 30.0 * values[0])
    return _unevenness(np.log(values)) < _unevenness(values)


def _unevenness(values: Column) -> float:
    """Return the largest deviation from even spacing, as a fraction of the range."""
    places = (values - values[0]) / (values[-1] - values[0])
    return float(np.abs(places - np.linspace(0.0, 1.0, len(values))).max())


def linear_scale(name: str, unit: str, values: Column) -> Scale:
    """Return a linear scale, with thousands and thousandths as part of the unit."""
    power, unit = _scaled_unit(unit, values)
    return Scale(values / 10.0**power if power else values, label(name, unit), False)


def _scaled_unit(unit: str, values: Column) -> tuple[int, str]:
    """Return the power of ten by which values are divided, and the unit of the quotients."""
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max(initial=0.0))
    alike = largest >= MIN_SCALED and np.ptp(known) < MIN_SCALED_SPAN * largest
    if MIN_UNSCALED <= largest < MIN_SCALED or largest == 0.0 or alike:
        return 0, unit
    power = 3 * math.floor(math.log10(largest) / 3)
    prefix = UNIT_PREFIXES.get(power)
    if prefix and (UNITS_WITH_PREFIXES.match(unit) or (power < 0 and UNITS_WITH_SMALL_PREFIXES.match(unit))):
        return power, prefix + unit
    return power, f"10{str(power).translate(SUPERSCRIPTS)} {unit}".strip()


def edges(values: Column, log: bool) -> NDArray[Any]:
    """Return edges of the cells around sorted values, (n + 1,): midway between them, as logarithms on a log axis."""
    centres = np.log(values) if log else np.asarray(values, float)
    if len(centres) == 1:
        between = np.array([centres[0] - 0.5, centres[0] + 0.5])
    else:
        middles = 0.5 * (centres[1:] + centres[:-1])
        between = np.concatenate([[2.0 * centres[0] - middles[0]], middles, [2.0 * centres[-1] - middles[-1]]])
    return np.exp(between) if log else between
