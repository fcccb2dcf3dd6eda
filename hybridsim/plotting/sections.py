"""The rows of a sweep that are drawn: those left when axes are fixed, and the axes that still vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.source import number_from
from hybridsim.config.sweep.metrics import LAST_KINDS, WORD_KINDS
from hybridsim.errors import ConfigError
from hybridsim.plotting.names import refuse_unknown

if TYPE_CHECKING:
    from hybridsim.sweeps import SweepTable

Column = NDArray[Any]
"""The values of an axis or a metric, (n_rows,): float64, int64 or words; a missing number is nan."""


@dataclass(frozen=True, slots=True, eq=False)
class SectionAxis:
    """An axis as it is drawn, in degrees if the sweep specifies it in degrees.

    Attributes
    ----------
    key, name, unit : str
        Key in the config, name of the column, and unit of the values.
    values : (n,) array
        Its different values [unit]: numbers sorted, words in the order of the sweep. If a number is infinite, all are
        words, because no scale can show it.
    indices : (n_rows,) array
        Index of each row's value in `values`.
    """

    key: str
    name: str
    unit: str
    values: Column
    indices: NDArray[np.intp]

    @property
    def words(self) -> bool:
        """Whether the values are words, not numbers."""
        return is_words(self.values)


def is_words(values: Column) -> bool:
    """Return whether values are words, not numbers."""
    return values.dtype.kind not in "fi"


@dataclass(frozen=True, slots=True, eq=False)
class SectionFactor:
    """Axes that vary together; they are samples unless the first one is monotonic and determines the others."""

    axes: tuple[SectionAxis, ...]
    samples: bool


@dataclass(frozen=True, slots=True, eq=False)
class EventValues:
    """The values of a metric at several events of each run.

    Attributes
    ----------
    rows : (n,) array of int
        Index of each event's run among the rows that are drawn.
    values : (n,) array
        The values.
    """

    rows: NDArray[np.intp]
    values: Column


@dataclass(frozen=True, slots=True, eq=False)
class SweepSection:
    """The rows that are drawn.

    Attributes
    ----------
    factors : tuple of SectionFactor
        The factors that vary, in the order of the sweep.
    names : tuple of str
        The metrics that are drawn.
    metrics : mapping of str to array
        The values in the rows of each of them that has one value in a run.
    events : mapping of str to EventValues
        The values of each of them that has one at each of the last events.
    units : mapping of str to str
        The units of the metrics.
    fixed : tuple of str
        `y = 1 m` for each fixed axis and those that vary with it.
    failures : (n_rows,) array of str
        Status of each run that has failed, "" for the others.
    """

    factors: tuple[SectionFactor, ...]
    names: tuple[str, ...]
    metrics: Mapping[str, Column]
    events: Mapping[str, EventValues]
    units: Mapping[str, str]
    fixed: tuple[str, ...]
    failures: NDArray[np.str_]

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which runs have failed."""
        failed: NDArray[np.bool_] = self.failures != ""
        return failed

    @property
    def axes(self) -> tuple[SectionAxis, ...]:
        """All axes that vary."""
        return tuple(axis for factor in self.factors for axis in factor.axes)


def section(
    sweep: SweepTable, metrics: Sequence[str], fixed: Mapping[str, str], planned: Mapping[str, Column]
) -> SweepSection:
    """Return the rows in which the axes in `fixed` have the values nearest to the requested ones.

    Parameters
    ----------
    sweep : SweepTable
        The finished rows.
    metrics : sequence of str
        The metrics to draw; by default those with values at events or, if there are none, all numeric ones.
    fixed : mapping of str to str
        Values of axes, both as the user typed them.
    planned : mapping of str to array
        All values of an axis [unit of the table], to leave room for rows that are not finished.

    Returns
    -------
    SweepSection
        The rows.

    Raises
    ------
    ConfigError
        If a metric or an axis is unknown, a value does not fit its axis, or there are no rows.
    """
    names = [*metrics] or _event_metrics(sweep) or numeric_metrics(sweep)
    for name in names:
        _refuse_unknown_metric(sweep, name)
    if not sweep.table.num_rows:
        raise ConfigError("no row of the sweep is finished yet; continue with hybridsim sweep CONFIG --resume")
    axes = {axis["name"]: _axis(sweep, axis, planned.get(axis["name"])) for axis in sweep.axes}
    requested = {_find_axis(sweep, name): text for name, text in fixed.items()}
    kept = _rows_at(axes, requested, sweep.table.num_rows)
    together: dict[int, list[SectionAxis]] = {}
    for axis in sweep.axes:
        whole = axes[axis["name"]]
        together.setdefault(axis["factor"], []).append(replace(whole, indices=whole.indices[kept]))
    constant = {n: group for n, group in together.items() if any(axis.name in requested for axis in group)}
    varying = [
        tuple(group)
        for n, group in together.items()
        if n not in constant and any(len(axis.values) > 1 for axis in group)
    ]
    return SweepSection(
        factors=tuple(SectionFactor(group, _are_samples(group)) for group in varying),
        names=tuple(names),
        metrics={name: column(sweep, name)[kept] for name in names if name not in _event_metrics(sweep)},
        events={name: _values_at_events(sweep, name, kept) for name in names if name in _event_metrics(sweep)},
        units={metric["name"]: metric["unit"] for metric in sweep.metrics},
        fixed=tuple(
            f"{axis.name} = {quote(axis.values[axis.indices[0]], axis.unit)}"
            for group in constant.values()
            for axis in group
        ),
        failures=np.array(sweep.failures(), str)[kept],
    )


def _rows_at(axes: Mapping[str, SectionAxis], requested: Mapping[str, str], n_rows: int) -> NDArray[np.bool_]:
    """Return the rows in which the axes have the values nearest to the requested ones: (n_rows,)."""
    kept = np.ones(n_rows, bool)
    for name, text in requested.items():
        wanted = axes[name].indices == _nearest_index(axes[name], text)
        if not (kept & wanted).any():
            raise ConfigError(f"command line: {name}={text}: no finished row is left; fix fewer axes")
        kept &= wanted
    return kept


def _event_metrics(sweep: SweepTable) -> list[str]:
    """Return the metrics with values at several events of a run."""
    return [metric["name"] for metric in sweep.metrics if metric["kind"] in LAST_KINDS]


def _values_at_events(sweep: SweepTable, name: str, kept: NDArray[np.bool_]) -> EventValues:
    """Return the values of a metric at the events of the runs that are kept."""
    assert sweep.events is not None
    rows, order = (table.column("row").to_numpy() for table in (sweep.events, sweep.table))
    places = np.searchsorted(order, rows)  # in an unfinished sweep, rows are missing
    values: Column = sweep.events.column(name).to_numpy()
    drawn = kept[places] & ~np.isnan(values)
    return EventValues((np.cumsum(kept) - 1)[places[drawn]], values[drawn])


def numeric_metrics(sweep: SweepTable) -> list[str]:
    """Return the numeric metrics; all metrics if none is numeric."""
    names = [metric["name"] for metric in sweep.metrics]
    return [metric["name"] for metric in sweep.metrics if metric["kind"] not in WORD_KINDS] or names


def _refuse_unknown_metric(sweep: SweepTable, name: str) -> None:
    metrics = [metric["name"] for metric in sweep.metrics]
    if name not in metrics and any(name in (axis["name"], axis["key"]) for axis in sweep.axes):
        raise ConfigError(f"command line: {name} is an axis, not a metric; fix it as {name}=VALUE, or leave it to vary")
    refuse_unknown(f"command line: {name}: the sweep has no such metric", name, metrics)


def _find_axis(sweep: SweepTable, name: str) -> str:
    """Return the column of an axis, given its column or its key."""
    names: dict[str, str] = {word: axis["name"] for axis in sweep.axes for word in (axis["key"], axis["name"])}
    if name not in names:
        refuse_unknown(f"command line: {name}: the sweep has no such axis", name, [*names.values()])
    return names[name]


def _axis(sweep: SweepTable, axis: Mapping[str, Any], planned: Column | None) -> SectionAxis:
    """Return the axis: its distinct values over computed and planned rows, in degrees if the sweep gives it in degrees.

    It also has, for each computed row, the index of its value.
    """
    rows, unit = column(sweep, axis["name"]), axis["unit"]
    values_in_all = rows if planned is None else np.concatenate([planned.astype(rows.dtype), rows])
    if axis["degrees"] and unit == "rad":
        values_in_all, unit = np.degrees(values_in_all), "deg"
    values, first, indices = np.unique(values_in_all, return_index=True, return_inverse=True)
    if is_words(values):
        order = np.argsort(first)
        values, indices = values[order], np.argsort(order)[indices]
    elif not np.isfinite(values).all():
        values = np.array([f"{value:.9g}" for value in values.tolist()])
    return SectionAxis(axis["key"], axis["name"], unit, values, indices[len(values_in_all) - len(rows) :])


def column(sweep: SweepTable, name: str) -> Column:
    """Return a column of the table, (n_rows,)."""
    values: Column = sweep.table.column(name).to_numpy()
    return values.astype(str) if values.dtype.kind == "O" else values


def _nearest_index(axis: SectionAxis, text: str) -> int:
    """Return the index of the value of the axis that is nearest to the text that the user typed.

    A number is in the unit of the model, without a prefix; in degrees if the sweep specifies the axis in degrees.
    """
    if axis.words:
        known: list[str] = axis.values.tolist()
        refuse_unknown(f"command line: {axis.name}={text}: the axis has no such value", text, known)
        return known.index(text)
    wanted = number_from(text.strip().removesuffix(axis.unit).strip())
    lowest, highest = axis.values.min(), axis.values.max()
    slack = 1e-6 * max(abs(lowest), abs(highest))  # six digits are shown
    if wanted is None or not lowest - slack <= wanted <= highest + slack:
        example = quote(axis.values[len(axis.values) // 2], axis.unit)
        raise ConfigError(
            f"command line: {axis.name}={text}: expected a number from {quote(lowest, '')} to "
            f"{quote(highest, axis.unit)}; write for example '{axis.name}={example}'"
        )
    return int(np.argmin(np.abs(axis.values - wanted)))


def quote(value: Any, unit: str) -> str:
    """Return a value with its unit, as in `20408.2 N/m`, `dp5`."""
    text = f"{value:.6g}" if isinstance(value, float | int | np.number) else str(value)
    return f"{text} {unit}".strip()


def _are_samples(axes: Sequence[SectionAxis]) -> bool:
    """Return whether several axes are samples: the first is not monotonic, or does not determine the others."""
    leading = axes[0]
    if len(axes) == 1 or leading.words:
        return False
    values, first, found = np.unique(leading.indices, return_index=True, return_inverse=True)
    decided = all((axis.indices[first][found] == axis.indices).all() for axis in axes[1:])
    steps = np.sign(np.diff(values[np.argsort(first)]))
    return not (decided and (steps == steps[:1]).all())
