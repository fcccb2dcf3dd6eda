"""What of a sweep is drawn: the rows that are left when axes are fixed, and along which axes they vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.source import number_from
from hybridsim.errors import ConfigError
from hybridsim.model import nearest

if TYPE_CHECKING:
    from hybridsim.sweeps import SweepTable

Column = NDArray[Any]
"""An axis or a metric, shape (rows,): float64, int64 or words; a number that is missing is nan."""


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """An axis as it is drawn: in degrees if it was given so.

    values : each value it has once, shape (n,) [unit]; numbers sorted, words in the order of the sweep. Where one of
        the numbers is infinite, all are words: no scale has a place for it.
    places : where among them that of each row is, shape (rows,).
    """

    key: str
    name: str
    unit: str
    values: Column
    places: NDArray[np.intp]

    @property
    def words(self) -> bool:
        """Whether the values are words, not numbers."""
        return self.values.dtype.kind not in "fi"


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """Axes that vary together; samples, unless the first of them goes steadily up or down."""

    axes: tuple[Axis, ...]
    samples: bool


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """The rows that are drawn.

    factors : those that vary, in the order of the sweep.
    metrics : name -> its value in each row.
    units : name -> unit, of the metrics.
    fixed : `y = 1 m` for each axis that was fixed, and those that vary with it.
    """

    factors: tuple[Factor, ...]
    metrics: Mapping[str, Column]
    units: Mapping[str, str]
    fixed: tuple[str, ...]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All that vary."""
        return tuple(axis for factor in self.factors for axis in factor.axes)


def section(
    sweep: SweepTable, metrics: Sequence[str], fixed: Mapping[str, str], planned: Mapping[str, Column]
) -> Section:
    """The rows in which the axes in `fixed` have the values nearest to those asked for.

    Parameters
    ----------
    sweep :
        the rows that are finished.
    metrics :
        which columns; all that are numbers if none is named.
    fixed :
        axis -> value, both as they were typed.
    planned :
        axis -> all its values [unit of the table], where rows that are not finished should leave room.

    Raises
    ------
    ConfigError : an unknown metric or axis, a value that is none, or no rows.
    """
    names = [*metrics] or _numeric(sweep)
    for name in names:
        _check_metric(sweep, name)
    if not sweep.table.num_rows:
        raise ConfigError("no row of the sweep is finished yet; go on with hybridsim sweep CONFIG --resume")
    axes = {axis["name"]: _axis(sweep, axis, planned.get(axis["name"])) for axis in sweep.axes}
    asked = {_known_axis(sweep, name): text for name, text in fixed.items()}
    kept = np.ones(sweep.table.num_rows, bool)
    for name, text in asked.items():
        wanted = axes[name].places == _nearest_place(axes[name], text)
        if not (kept & wanted).any():
            raise ConfigError(f"command line: {name}={text}: no finished row is left; fix fewer axes")
        kept &= wanted
    together: dict[int, list[Axis]] = {}
    for axis in sweep.axes:
        whole = axes[axis["name"]]
        together.setdefault(axis["factor"], []).append(replace(whole, places=whole.places[kept]))
    constant = {number: group for number, group in together.items() if any(axis.name in asked for axis in group)}
    varying = [
        tuple(group)
        for number, group in together.items()
        if number not in constant and any(len(axis.values) > 1 for axis in group)
    ]
    return Section(
        factors=tuple(Factor(group, _are_samples(group)) for group in varying),
        metrics={name: column(sweep, name)[kept] for name in names},
        units={metric["name"]: metric["unit"] for metric in sweep.metrics},
        fixed=tuple(
            f"{axis.name} = {quoted(axis.values[axis.places[0]], axis.unit)}"
            for group in constant.values()
            for axis in group
        ),
    )


def _numeric(sweep: SweepTable) -> list[str]:
    """The metrics that are numbers, or else all there are."""
    names = [metric["name"] for metric in sweep.metrics]
    return [metric["name"] for metric in sweep.metrics if metric["kind"] != "status"] or names


def _check_metric(sweep: SweepTable, name: str) -> None:
    metrics = [metric["name"] for metric in sweep.metrics]
    if name in metrics:
        return
    if any(name in (axis["name"], axis["key"]) for axis in sweep.axes):
        raise ConfigError(f"command line: {name} is an axis, not a metric; fix it as {name}=VALUE, or leave it to vary")
    hint = nearest(name, metrics) or f"; it has {', '.join(metrics)}"
    raise ConfigError(f"command line: {name}: the sweep has no such metric{hint}")


def _known_axis(sweep: SweepTable, name: str) -> str:
    """The column of the axis called so, by its column or its key."""
    names: dict[str, str] = {word: axis["name"] for axis in sweep.axes for word in (axis["key"], axis["name"])}
    if name not in names:
        known = [axis["name"] for axis in sweep.axes]
        hint = nearest(name, known) or f"; it has {', '.join(known)}"
        raise ConfigError(f"command line: {name}: the sweep has no such axis{hint}")
    return names[name]


def _axis(sweep: SweepTable, axis: Mapping[str, Any], planned: Column | None) -> Axis:
    """The axis in all rows, with the values of rows that are still to come."""
    rows, unit = column(sweep, axis["name"]), axis["unit"]
    every = rows if planned is None else np.concatenate([planned.astype(rows.dtype), rows])
    if axis["degrees"] and unit == "rad":
        every, unit = np.degrees(every), "deg"
    values, first, places = np.unique(every, return_index=True, return_inverse=True)
    if values.dtype.kind not in "fi":
        order = np.argsort(first)
        values, places = values[order], np.argsort(order)[places]
    elif not np.isfinite(values).all():
        values = np.array([f"{value:.9g}" for value in values.tolist()])
    return Axis(axis["key"], axis["name"], unit, values, places[len(every) - len(rows) :])


def column(sweep: SweepTable, name: str) -> Column:
    """A column of the table, shape (rows,)."""
    values: Column = sweep.table.column(name).to_numpy()
    return values.astype(str) if values.dtype.kind == "O" else values


def _nearest_place(axis: Axis, text: str) -> int:
    """Which of the axis's values is nearest to what was typed.

    A number is in the unit of the model, without any prefix; in degrees where the axis was given in degrees.
    """
    if axis.words:
        known: list[str] = axis.values.tolist()
        if text not in known:
            hint = nearest(text, known) or f"; it has {', '.join(known)}"
            raise ConfigError(f"command line: {axis.name}={text}: the axis has no such value{hint}")
        return known.index(text)
    wanted = number_from(text.strip().removesuffix(axis.unit).strip())
    lowest, highest = axis.values.min(), axis.values.max()
    slack = 1e-6 * max(abs(lowest), abs(highest))  # six digits are shown
    if wanted is None or not lowest - slack <= wanted <= highest + slack:
        example = quoted(axis.values[len(axis.values) // 2], axis.unit)
        raise ConfigError(
            f"command line: {axis.name}={text}: expected a number from {quoted(lowest, '')} to "
            f"{quoted(highest, axis.unit)}; write for example '{axis.name}={example}'"
        )
    return int(np.argmin(np.abs(axis.values - wanted)))


def quoted(value: Any, unit: str) -> str:
    """`20408.2 N/m`, `dp5`."""
    text = f"{value:.6g}" if isinstance(value, float | int | np.number) else str(value)
    return f"{text} {unit}".strip()


def _are_samples(axes: Sequence[Axis]) -> bool:
    """Whether several axes have values of their own: the first goes up and down, or does not decide the others."""
    leading = axes[0]
    if len(axes) == 1 or leading.words:
        return False
    values, first, found = np.unique(leading.places, return_index=True, return_inverse=True)
    decided = all((axis.places[first][found] == axis.places).all() for axis in axes[1:])
    steps = np.sign(np.diff(values[np.argsort(first)]))
    return not (decided and (steps == steps[:1]).all())
