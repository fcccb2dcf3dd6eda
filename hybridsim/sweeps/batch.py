"""Rows of a plan through the compiled engine: names become arrays, and metrics get theirs back."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.config.run_config import with_values
from hybridsim.config.schema import RecordSettings
from hybridsim.config.sweep.metrics import COUNTS, STATUS
from hybridsim.config.sweep.sweeping import Metric, SweepConfig
from hybridsim.engine import batch as engine
from hybridsim.engine import metrics as engine_metrics
from hybridsim.engine.batch import Batch, Wanted, make_batch, run_batch
from hybridsim.engine.compiler.compilation import compile_extra_output
from hybridsim.engine.entry import connect
from hybridsim.engine.events.touches import MAX_TOUCHES
from hybridsim.engine.landing import MAX_CASCADE
from hybridsim.engine.log import make_log
from hybridsim.engine.settings import SETTINGS
from hybridsim.engine.state import STATE
from hybridsim.engine.status import Status
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.dry_run import refuse_broken, refuse_broken_extra_outputs
from hybridsim.simulation.packing import lay_out

Column = NDArray[Any]

REAL_SETTINGS = ("rtol", "atol", "min_step", "zeno_precision", "final_time")
WHOLE_SETTINGS = ("max_transitions", "max_steps", "max_stop_iterations")
"""What can be set from run to run; another value of any other key of the engine is another variant, packed anew."""

STATISTICS = {"vector_field_calls": "calls"}
"""What the engine calls a statistic that has another name outside."""

MAX_VARIANTS = 16
"""How many variants a worker keeps."""

KINDS = {
    STATUS: engine_metrics.STATUS,
    "count": engine_metrics.COUNT,
    "time": engine_metrics.EVENT_TIME,
    "final": engine_metrics.FINAL,
    "min": engine_metrics.LOWEST,
    "max": engine_metrics.HIGHEST,
    "mean": engine_metrics.MEAN,
    "statistic": engine_metrics.STATISTIC,
}
STATUS_NAMES: Column = np.full(max(status.value for status in Status) + 1, "", dtype=object)
for _status in Status:
    STATUS_NAMES[_status.value] = _status.name


class Cancelled(Exception):  # noqa: N818  (no error: somebody asked for it)
    """The rows were not finished, because the caller asked to stop."""


class Worker:
    """One thread's engine: it makes the runs of any rows of a sweep.

    Raises
    ------
    ModelError : a model, or an extra output, that does not load or compile.
    """

    def __init__(self, config: SweepConfig) -> None:
        refuse_broken(config.run.model)
        try:
            refuse_broken_extra_outputs(config.run.model, config.extra_outputs)
            compiled = [compile_extra_output(name, f) for name, f in config.extra_outputs.items()]
        except ModelError as problem:
            place = config.run.origins["sweep.extra_outputs"]
            raise ModelError(f"{place}: {problem}") from None
        self._config = config
        self._extra_outputs = [address for address, _ in compiled]
        self._alive = compiled
        self._variants: OrderedDict[tuple[Any, ...], Variant] = OrderedDict()
        axes = {axis.key: axis.values for axis in config.axes}
        self._settable = [key for key in axes if is_settable(key)]
        self._others = [key for key in axes if not is_settable(key)]
        first = self._variant(tuple(axes[key].tolist()[0] for key in self._others))
        first.run(np.zeros((0, len(self._settable))), np.zeros(1, np.int64))  # loads the compiled engine

    def run(self, values: Mapping[str, Column], stop: NDArray[np.int64]) -> dict[str, Column]:
        """The metrics of n runs by name, (n,) each: float64, or int64 for counts, or the names of statuses.

        Parameters
        ----------
        values :
            by the key of its axis, the value of every run, (n,), in the model's units.
        stop :
            (1,); soon after another thread sets it to a number other than 0, this ends with Cancelled.

        The engine runs without the interpreter's lock.
        """
        n = len(next(iter(values.values())))
        table = np.empty((n, len(self._config.metrics)))
        columns = np.column_stack([self._numbers(key, values[key]) for key in self._settable] or [np.zeros((n, 0))])
        for combination, rows in groups([values[key] for key in self._others]):
            table[rows] = self._variant(combination).run(np.ascontiguousarray(columns[rows]), stop)
        return {metric.name: named(metric, table[:, k]) for k, metric in enumerate(self._config.metrics)}

    def _numbers(self, key: str, column: Column) -> NDArray[np.float64]:
        """An axis as the engine sees it: a choice by its place among the parameter's choices."""
        section, _, name = key.partition(".")
        if section != "parameters" or column.dtype.kind not in "UO":
            return column.astype(np.float64)
        choices = self._config.run.model.parameters[name].choices
        return np.array([choices.index(word) for word in column.tolist()], np.float64)

    def _variant(self, combination: tuple[Any, ...]) -> Variant:
        found = self._variants.pop(combination, None)
        if found is None:
            config = with_values(self._config.run, dict(zip(self._others, combination, strict=True)))
            found = Variant(config, self._config, self._settable, self._extra_outputs)
        self._variants[combination] = found
        while len(self._variants) > MAX_VARIANTS:
            self._variants.popitem(last=False)
        return found


class Variant:
    """A packed run, whose parameters, initial values and simple settings differ from run to run."""

    def __init__(
        self, config: RunConfig, sweep: SweepConfig, settable: Sequence[str], extra_outputs: list[int]
    ) -> None:
        model = config.model
        quantities, looks = quantities_of(sweep)
        config = dataclasses.replace(config, record=RecordSettings(steps=looks != engine_metrics.ENDS))
        packed = lay_out(config)
        capacity = engine.CHUNK + MAX_CASCADE + MAX_TOUCHES + 64
        degree = packed.method.extension.shape[1]
        rows = capacity if config.record.steps else 1
        self._packed = packed
        self._log = make_log(rows, capacity, len(model.states), len(model.boundary_records), degree)
        self._machine = connect(packed.problem, packed.state, packed.workspace, self._log)
        self._spare = packed.state.copy()
        wanted = Wanted(
            metrics=[engine_metric(metric, model, quantities) for metric in sweep.metrics],
            quantities=[source_of(quantity, sweep) for quantity in quantities],
            extra_outputs=extra_outputs,
            looks=looks,
        )
        axes = [target(key, model) for key in settable]
        self._batch = make_batch(
            self._machine, axes, wanted, len(model.output_records), "initial_chart" in model.functions
        )

    def run(self, values: NDArray[np.float64], stop: NDArray[np.int64]) -> NDArray[np.float64]:
        """The metrics of n runs, (n, n_metrics), from the values of their axes, (n, n_axes)."""
        n, packed = len(values), self._packed
        batch: Batch = self._batch._replace(
            values=values, table=np.zeros((n, len(self._batch.metric_kind) - 1)), stop=stop
        )
        made = run_batch(packed.problem, packed.state, packed.workspace, self._log, self._spare, batch, n)
        if made < n:
            raise Cancelled
        return batch.table


def is_settable(key: str) -> bool:
    """Can an axis be set from run to run without packing the run anew?"""
    section, _, name = key.rpartition(".")
    return section in ("parameters", "inputs", "initial") or name in (*REAL_SETTINGS, *WHOLE_SETTINGS)


def target(key: str, model: Model) -> tuple[int, int]:
    """Where the values of an axis go: `Batch.axis_kind` and `axis_place`."""
    section, _, name = key.rpartition(".")
    if section in ("parameters", "inputs"):
        return engine.PARAMETER, model.p_indices[name]
    if section == "initial":
        return engine.INITIAL, model.states.index(name)
    kind = engine.REAL_SETTING if name in REAL_SETTINGS else engine.WHOLE_SETTING
    return kind, word(SETTINGS, name)


def word(dtype: np.dtype[Any], name: str) -> int:
    """The place of a field in a record of eight-byte words."""
    assert dtype.fields is not None
    return int(dtype.fields[name][1]) // 8


def quantities_of(sweep: SweepConfig) -> tuple[list[str], int]:
    """The quantities that the metrics are made from, and where they must be looked at."""
    metrics = [metric for metric in sweep.metrics if metric.kind in ("final", "min", "max", "mean")]
    kinds = {metric.kind for metric in metrics}
    looks = (
        engine_metrics.INTERIOR
        if "mean" in kinds
        else engine_metrics.STEPS
        if kinds & {"min", "max"}
        else engine_metrics.ENDS
    )
    return [*dict.fromkeys(metric.of for metric in metrics)], looks


def source_of(quantity: str, sweep: SweepConfig) -> tuple[int, int]:
    """What a quantity is, and its place there; a name that several have means the first of them."""
    model = sweep.run.model
    if quantity in model.states.names:
        return engine_metrics.STATE, model.states.index(quantity)
    if quantity in model.output_records.names:
        return engine_metrics.OUTPUT, model.output_records.index(quantity)
    if quantity in sweep.extra_outputs:
        return engine_metrics.EXTRA, [*sweep.extra_outputs].index(quantity)
    return engine_metrics.TIME, 0


def engine_metric(metric: Metric, model: Model, quantities: list[str]) -> tuple[int, int, int]:
    """`Batch.metric_kind`, `metric_place` and `metric_number`."""
    place = 0
    if metric.kind in ("count", "time"):
        place = model.boundary_records.index(metric.of)
    elif metric.kind == "statistic":
        place = word(STATE, STATISTICS.get(metric.of, metric.of))
    elif metric.kind != "status":
        place = quantities.index(metric.of)
    return KINDS[metric.kind], place, metric.number


def groups(columns: Sequence[Column]) -> list[tuple[tuple[Any, ...], Any]]:
    """The distinct combinations of values in the columns, each with its rows; all rows if there are no columns."""
    if not columns:
        return [((), slice(None))]
    found: dict[tuple[Any, ...], list[int]] = {}
    for row, combination in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        found.setdefault(combination, []).append(row)
    return [(combination, np.array(rows)) for combination, rows in found.items()]


def named(metric: Metric, column: NDArray[np.float64]) -> Column:
    """A column of the engine's table as its reader expects it."""
    if metric.kind == STATUS:
        return STATUS_NAMES[column.astype(np.int64)]
    return column.astype(np.int64) if metric.kind in COUNTS else column.copy()
