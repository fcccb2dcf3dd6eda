"""Compute rows of a sweep with the compiled engine: convert their values to its arrays, and its arrays to metrics."""

from __future__ import annotations

import dataclasses
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.config.formulas import CONSTANTS, compute
from hybridsim.config.key_table import PER_RUN_KEYS
from hybridsim.config.methods import tableau_of
from hybridsim.config.run_config import value_of, with_values
from hybridsim.config.schema import RecordSettings
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.metrics import (
    BOUNDARY_KINDS,
    CAUSE_KIND,
    COUNT_KINDS,
    LAST_KINDS,
    STATUS_KIND,
    kept_counts,
    to_measure,
)
from hybridsim.config.sweep.targets import find_target
from hybridsim.config.values import entry_of, split_key
from hybridsim.engine import batch as engine
from hybridsim.engine import metrics as engine_metrics
from hybridsim.engine import quantities as engine_quantities
from hybridsim.engine.batch import BatchLoop, MetricRequest, make_batch
from hybridsim.engine.compiler.compilation import compile_extra_output
from hybridsim.engine.entry import connect, count_time
from hybridsim.engine.log import make_log
from hybridsim.engine.memory import word_index
from hybridsim.engine.methods.series import order_for
from hybridsim.engine.settings import SETTINGS_DTYPE
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.engine.status import Status
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.dry_run import refuse_broken, refuse_broken_extra_outputs
from hybridsim.model.parameters import array_start
from hybridsim.simulation.packing import lay_out
from hybridsim.simulation.run_log import LARGE_LOG, spare_rows, steps_that_fit
from hybridsim.sweeps.causes import find_causes
from hybridsim.sweeps.rows import groups, in_order
from hybridsim.typing import FloatArray, IntArray

ENGINE_STATISTICS = {"vector_field_calls": "calls"}
"""Statistic -> its name in the engine, if that differs."""

RTOL = "engine.rtol"

MAX_VARIANTS = 16
"""Most prepared runs that a runner keeps."""

METRIC_CODES = {
    STATUS_KIND: engine_metrics.STATUS_METRIC,
    "count": engine_metrics.COUNT_METRIC,
    "time": engine_metrics.EVENT_TIME_METRIC,
    "final": engine_metrics.FINAL_METRIC,
    "min": engine_metrics.LOWEST_METRIC,
    "max": engine_metrics.HIGHEST_METRIC,
    "mean": engine_metrics.MEAN_METRIC,
    "integral": engine_metrics.INTEGRAL_METRIC,
    "std": engine_metrics.DEVIATION_METRIC,
    "at": engine_metrics.BEFORE_METRIC,
    "after": engine_metrics.AFTER_METRIC,
    "last": engine_metrics.LAST_BEFORE_METRIC,
    "last_after": engine_metrics.LAST_AFTER_METRIC,
    "statistic": engine_metrics.STATISTIC_METRIC,
}
"""Kind of a metric -> its code in the engine."""

WANTED = {
    **dict.fromkeys(("min", "max"), engine_quantities.EXTREMES),
    **dict.fromkeys(("mean", "integral"), engine_quantities.INTEGRALS),
    "std": engine_quantities.INTEGRALS | engine_quantities.DEVIATION,
}
"""Kind of a metric -> what it needs of its quantity over time: `Batch.wanted`."""

STATUS_NAMES: NDArray[Any] = np.full(max(status.value for status in Status) + 1, "", dtype=object)
for _status in Status:
    STATUS_NAMES[_status.value] = _status.name
"""Names of statuses, with the code of a status as index."""


class Cancelled(Exception):  # noqa: N818  (not an error)
    """The caller stopped the computation before all rows were finished."""


class Runner(Protocol):
    """Computes rows of a table; each thread needs one of its own."""

    def run(self, values: Mapping[str, NDArray[Any]], stop: IntArray) -> dict[str, NDArray[Any]]:
        """Compute n rows; arguments, return value and errors are those of `BatchRunner.run`."""


MakeRunner = Callable[[SweepConfig], Runner]
"""Makes what computes the rows of a table; it can be pickled."""


class BatchRunner:
    """Computes rows of a sweep with the compiled engine. Each thread needs a runner of its own.

    Parameters
    ----------
    config : SweepConfig
        The sweep.

    Raises
    ------
    ModelError
        If the model or an extra output does not load or compile.
    """

    def __init__(self, config: SweepConfig) -> None:
        refuse_broken(config.run.model)
        try:
            refuse_broken_extra_outputs(config.run.model, config.extra_outputs)
            compiled = [compile_extra_output(name, f) for name, f in config.extra_outputs.items()]
        except ModelError as problem:
            place = config.run.origins["sweep.extra_outputs"]
            raise ModelError(f"{place}: {problem}") from None
        self._config, self._measured = config, to_measure(config.metrics)
        self._formulas = {metric.name: metric.formula for metric in config.metrics if metric.formula is not None}
        self._keys: dict[str, str] = {}  # of names in formulas
        self._extra_outputs = [address for address, _ in compiled]
        self._compiled = compiled  # keeps the machine code at the addresses alive
        self._variants: OrderedDict[tuple[Any, ...], Variant] = OrderedDict()
        axes = {axis.key: axis.values for axis in config.axes}
        self._per_run_keys = [key for key in axes if is_set_per_run(key, config.run.model)]
        self._variant_keys = [key for key in axes if not is_set_per_run(key, config.run.model)]
        # The order of a series depends on the tolerance.
        methods = axes["engine.method"].tolist() if "engine.method" in axes else [config.run.engine.method]
        self._order_varies = RTOL in axes and any(tableau_of(method).series_order for method in methods)
        first = self._variant(*next(self._groups({key: column[:1] for key, column in axes.items()}))[:2])
        first.run(np.zeros((0, len(self._per_run_keys))), np.zeros(1, np.int64))  # loads the compiled engine

    def run(self, values: Mapping[str, NDArray[Any]], stop: IntArray) -> dict[str, NDArray[Any]]:
        """Compute n rows. The engine runs without the interpreter's lock.

        Parameters
        ----------
        values : mapping
            Key of an axis -> its value in every row, (n,), in the model's units.
        stop : (1,) array of int64
            Another thread sets it to a number other than 0 to end the computation soon.

        Returns
        -------
        dict
            Metric -> its values (n,): float64, int64 for counts, names for statuses; (n, k) at the last k events of
            a boundary, in their order, nan in front where there were fewer.

        Raises
        ------
        Cancelled
            If `stop` ended the computation.
        """
        n = len(next(iter(values.values())))
        table, recent = np.empty((n, len(self._measured))), np.empty((n, sum(kept_counts(self._measured))))
        columns = np.column_stack([self._numbers(key, values[key]) for key in self._per_run_keys] or [np.zeros((n, 0))])
        for combination, rtol, rows in self._groups(values):
            variant = self._variant(combination, rtol)
            table[rows], recent[rows] = variant.run(np.ascontiguousarray(columns[rows]), stop)
        found = {metric: metric_values(metric, table[:, k]) for k, metric in enumerate(self._measured)}
        kept = np.split(recent, np.cumsum(kept_counts(self._measured))[:-1], axis=1)
        found |= {
            metric: in_order(kept[k], table[:, k])
            for k, metric in enumerate(self._measured)
            if metric.kind in LAST_KINDS
        }
        for metric in self._config.metrics:
            if metric.kind == CAUSE_KIND:
                found[metric] = find_causes(self._config.run, *(found[each] for each in metric.operands))
        named = {metric.name: column for metric, column in found.items()}
        named |= {metric.name: found[metric] for metric in self._config.metrics if metric in found}
        return {metric.name: self._column(metric.name, named, values, n) for metric in self._config.metrics}

    def _column(
        self, name: str, columns: dict[str, NDArray[Any]], values: Mapping[str, NDArray[Any]], n: int
    ) -> NDArray[Any]:
        """Return what a name in a formula stands for: a metric, a constant, or a key that varies or does not.

        `columns` : the metrics that are known; formulas are added.
        """
        if name in columns:
            return columns[name]
        if name not in self._formulas:
            if name not in self._keys:
                self._keys[name] = name if name in CONSTANTS else find_target(name, self._config.run.model).key
            key = self._keys[name]
            value = CONSTANTS.get(key, values.get(key))
            return np.asarray(value_of(self._config.run, key) if value is None else value, float)
        found = compute(self._formulas[name], lambda leaf: self._column(leaf, columns, values, n))
        columns[name] = np.array(np.broadcast_to(found, n))
        return columns[name]

    def _numbers(self, key: str, column: NDArray[Any]) -> FloatArray:
        """Return the values of an axis as the engine takes them: a choice becomes its index among the choices."""
        section, _, name = key.partition(".")
        if section != "parameters" or column.dtype.kind not in "UO":
            return column.astype(np.float64)
        choices = self._config.run.model.parameters[name].choices
        return np.array([choices.index(word) for word in column.tolist()], np.float64)

    def _groups(self, values: Mapping[str, NDArray[Any]]) -> Iterator[tuple[tuple[Any, ...], float | None, Any]]:
        """Yield the rows that one prepared run computes: what it is prepared for, a tolerance for it, and the rows."""
        columns = [values[key] for key in self._variant_keys]
        if not self._order_varies:
            yield from ((combination, None, rows) for combination, rows in groups(columns))
            return
        orders = np.array([order_for(rtol) for rtol in values[RTOL]])
        for combination, rows in groups([*columns, orders]):
            yield combination, float(values[RTOL][rows[0]]), rows

    def _variant(self, combination: tuple[Any, ...], rtol: float | None) -> Variant:
        found = self._variants.pop(combination, None)
        if found is None:
            given = dict(zip(self._variant_keys, combination, strict=False))
            config = with_values(self._config.run, given if rtol is None else given | {RTOL: rtol})
            found = Variant(config, self._config, self._per_run_keys, self._extra_outputs)
        self._variants[combination] = found
        while len(self._variants) > MAX_VARIANTS:
            self._variants.popitem(last=False)
        return found


class Variant:
    """A run prepared for the engine; parameters, initial values and the settings of `PER_RUN_KEYS` are set per row."""

    def __init__(
        self, config: RunConfig, sweep: SweepConfig, per_run_keys: Sequence[str], extra_outputs: list[int]
    ) -> None:
        model = config.model
        quantities = quantities_of(sweep)
        config = dataclasses.replace(config, record=RecordSettings(steps=any(quantities.values())))
        packed = lay_out(config)
        sizes = len(model.states), len(model.boundary_records), packed.method.extension.shape[1]
        chunk = min(engine.STEPS_PER_READING, steps_that_fit(LARGE_LOG, *sizes))
        capacity = chunk + spare_rows(model)
        rows = capacity if config.record.steps else 1
        log = make_log(rows, capacity, *sizes)
        self._machine = connect(packed.problem, packed.state, packed.workspace, log)
        request = MetricRequest(
            metrics=[engine_metric(metric, model, [*quantities]) for metric in to_measure(sweep.metrics)],
            quantities=[(*source_of(quantity, sweep), wanted) for quantity, wanted in quantities.items()],
            extra_outputs=extra_outputs,
            rooms=kept_counts(to_measure(sweep.metrics)),
            begin=sweep.begin,
        )
        axes = [axis_destination(key, model, packed.problem.p) for key in per_run_keys]
        model_decides = config.initial_chart is None and "initial_chart" in model.functions
        batch = make_batch(self._machine, axes, request, len(model.output_records), model_decides, chunk)
        self._loop = BatchLoop(self._machine, packed.state.copy(), batch)
        self._sizes = len(request.metrics), sum(request.rooms)

    def run(self, values: FloatArray, stop: IntArray) -> tuple[FloatArray, FloatArray]:
        """Compute n rows from the values (n, n_axes) of their axes.

        Returns
        -------
        (n, n_metrics) array
            The metrics; the number of events of a metric at the last ones.
        (n, n_recent) array
            The values at the last events, side by side; see `in_order`.
        """
        n = len(values)
        table, recent = np.zeros((n, self._sizes[0])), np.full((n, self._sizes[1]), np.nan)
        began = time.perf_counter()
        made = self._loop.run(values, table, recent, stop)
        count_time(self._machine, time.perf_counter() - began)
        if made < n:
            raise Cancelled
        return table, recent


def is_set_per_run(key: str, model: Model) -> bool:
    """Return whether the values of an axis are written into a prepared run; other keys need a variant per value."""
    section, name = split_key(key)
    if section == "parameters" and name in model.parameters.names:
        return not model.parameters[name].is_array  # one value for all of its entries
    if section == "initial" and isinstance(model.states.found(name), slice):
        return False
    return section in ("parameters", "inputs", "initial") or key in PER_RUN_KEYS


def axis_destination(key: str, model: Model, p: FloatArray) -> tuple[int, int]:
    """Return the array and the index at which the engine writes an axis' values: `axis_target` and `axis_index`."""
    section, name = split_key(key)
    if section in ("parameters", "inputs"):
        entry = entry_of(model.parameters, name)
        return engine.PARAMETER, model.p_indices[name] if entry is None else array_start(model, entry[0], p) + entry[1]
    if section == "initial":
        return engine.INITIAL, model.states.index(name)
    is_real = SETTINGS_DTYPE[name].kind == "f"
    return engine.REAL_SETTING if is_real else engine.WHOLE_SETTING, word_index(SETTINGS_DTYPE, name)


def quantities_of(sweep: SweepConfig) -> dict[str, int]:
    """Return the quantities that the metrics need, each with what the engine needs of it over time: `Batch.wanted`."""
    wanted: dict[str, int] = {}
    for metric in to_measure(sweep.metrics):
        if metric.quantity:
            wanted[metric.quantity] = wanted.get(metric.quantity, 0) | WANTED.get(metric.kind, 0)
    return wanted


def source_of(quantity: str, sweep: SweepConfig) -> tuple[int, int]:
    """Return the kind of a quantity and its index among those of its kind: `Batch.source` and `source_index`."""
    model = sweep.run.model
    if quantity in model.states.names:
        return engine_quantities.STATE_SOURCE, model.states.index(quantity)
    if quantity in model.output_records.names:
        return engine_quantities.OUTPUT_SOURCE, model.output_records.index(quantity)
    if quantity in sweep.extra_outputs:
        return engine_quantities.EXTRA_OUTPUT_SOURCE, [*sweep.extra_outputs].index(quantity)
    return engine_quantities.TIME_SOURCE, 0


def engine_metric(metric: Metric, model: Model, quantities: list[str]) -> tuple[int, int, int, int]:
    """Return `Batch.metric_kind`, `metric_index`, `metric_number` and `metric_quantity` of a metric."""
    index, quantity = 0, quantities.index(metric.quantity) if metric.quantity else 0
    if metric.kind in BOUNDARY_KINDS:
        index = model.boundary_records.index(metric.of)
    elif metric.kind == "statistic":
        index = word_index(STATE_DTYPE, ENGINE_STATISTICS.get(metric.of, metric.of))
    elif metric.kind != "status":
        index = quantity
    return METRIC_CODES[metric.kind], index, metric.number, quantity


def metric_values(metric: Metric, column: FloatArray) -> NDArray[Any]:
    """Return a column of the engine's table (n,) in the type of the metric: names, whole numbers or numbers."""
    if metric.kind == STATUS_KIND:
        return STATUS_NAMES[column.astype(np.int64)]
    return column.astype(np.int64) if metric.kind in COUNT_KINDS else column.copy()
