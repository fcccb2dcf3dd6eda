"""From arrays back to names: the engine's rows, events and codes become a Trajectory."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim import __version__
from hybridsim.config import RunConfig, resolve
from hybridsim.engine.columns import AnyTable, EventTable, StepTable, columns_of, join_tables, values_of, zeros
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.compiler.target import numba_version
from hybridsim.engine.memory import CERTIFICATES, ENTRY, EVENT_KINDS, INPUT, NOWHERE, SAMPLED, TOUCH, ZENO
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.model import Model, list_names
from hybridsim.model.plugin_file import plugin_hash
from hybridsim.model.registry import files_to_execute, is_path
from hybridsim.results.events import named_events
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import STEP_COLUMNS, event_sides, sample, without_steps
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.between import remember
from hybridsim.simulation.evaluation import outputs_at, slopes_at, weights_at
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.reduction import Reduction, outputs_to_record, places_of, states_to_record
from hybridsim.simulation.run_log import Tally
from hybridsim.typing import FloatArray, IntArray

MAX_RECORDED_ROWS = 10**8

COUNTS_OF_SEARCHES = ("refinements", "exact_steps", "bounded_steps", "sampled_steps", "unresolved_steps", "time_steps")
"""Statistics about the search for crossings; the engine has them under the same names."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """What a run has produced up to its present time, as the engine sees it.

    Attributes
    ----------
    config : RunConfig
        The config of the run.
    packed : Packed
        The run.
    start, end : StepTable
        One row each: where the run began, and where it is.
    steps : sequence of StepTable
        The logged rows; they may extend beyond `end`, or contain it.
    events : sequence of EventTable
        The logged events that are kept; they may extend beyond `end`.
    tally : Tally
        Of all events up to `end`, how many there were and which were left out.
    status : Status
        How the run ended.
    message : str
        The sentence of the status, see `messages.explain`.
    history : InputHistory
        The inputs up to `end`.
    wall_time : float
        Computing time [s].
    reduction : Reduction or None
        What is kept of the rows in a record without states; of the logged rows all but the last have been reduced.
    """

    config: RunConfig
    packed: Packed
    start: StepTable
    end: StepTable
    steps: Sequence[StepTable]
    events: Sequence[EventTable]
    tally: Tally
    status: Status
    message: str
    history: InputHistory
    wall_time: float
    reduction: Reduction | None = None


def refuse_endless_record(config: RunConfig) -> None:
    """Raise a ConfigError if the config asks for more rows than memory holds."""
    period, final_time, most = config.record.period, config.final_time, MAX_RECORDED_ROWS
    if period is not None and final_time is not None and (final_time - config.initial_time) / period > most:
        raise ConfigError(
            f"record.period: {period!r} s up to final_time = {final_time!r} s makes more than {most:,} rows; "
            "expected fewer; choose a longer period"
        )


def unpack(run: Recording) -> Trajectory:
    """Make the Trajectory of a run up to its present time."""
    model, history, reduced = run.config.model, run.history, run.reduction
    events = _events_until(run, model)
    if reduced is None:
        rows, xdot = _select_rows(run, events)
        x, y, weight = rows.x, np.zeros(0), weights_at(run.packed, rows, history)
    else:
        rows, xdot = _reduced_rows(run, reduced), None
        x, y, weight = reduced.columns(rows)
    every_step = run.config.record.steps and run.config.record.period is None and reduced is None
    always = {name: getattr(rows, name) for name in columns_of(StepTable) if name not in STEP_COLUMNS} | {"x": x}
    by_step: dict[str, Any] = {name: getattr(rows, name) if every_step else None for name in STEP_COLUMNS}
    states, outputs = states_to_record(run.config), outputs_to_record(run.config)
    trajectory = Trajectory(
        model_name=model.name,
        states=states,
        outputs=outputs,
        boundaries=model.boundary_records.names,
        charts={number: model.chart_name(number) for number in _charts_in(rows)},
        parameters=dict(run.config.parameters),
        **always,
        **by_step,
        sliding_weight=weight,
        y=y,
        xdot=xdot,
        events=named_events(events, model.boundary_records.names, states.names),
        status=run.status,
        message=run.message,
        statistics=_statistics(run, events),
        provenance=provenance_of(run.config),
        inputs=history,
        chart_fields=model.bit_names,
        plots=model.plots,
    )
    if reduced is not None:
        return trajectory
    chosen, packed = places_of(outputs, model.columns), run.packed
    trajectory.evaluate_later(y=lambda: _some_of(outputs_at(packed, rows, weight, history), chosen))
    if not run.config.record.steps:
        trajectory.evaluate_later(xdot=lambda: slopes_at(packed, rows, weight, history))
    return remember(trajectory, run.config, packed, history)


def _some_of(values: FloatArray, chosen: IntArray) -> FloatArray:
    """Return the chosen columns, without a copy if these are all."""
    return values if np.array_equal(chosen, np.arange(values.shape[1])) else values[:, chosen]


def _events_until(run: Recording, model: Model) -> EventTable:
    sizes = {"n_states": len(states_to_record(run.config)), "n_boundaries": max(len(model.boundary_records), 1)}
    parts = (_select(part, part.t <= run.end.t[0]) for part in run.events)
    return join_tables([zeros(EventTable, 0, sizes), *parts])


def _reduced_rows(run: Recording, reduction: Reduction) -> StepTable:
    """Return the rows that have been reduced, and those of the last piece, up to the end."""
    *parts, last = run.steps or [run.start]
    rest = reduction.rows(_rows_until(run.end, [last]), first=not parts, last=True)
    t, j = run.end.t[0], run.end.j[0]
    return join_tables([*(part[(part.t < t) | ((part.t == t) & (part.j < j))] for part in parts), rest])


def _select_rows(run: Recording, events: EventTable) -> tuple[StepTable, FloatArray | None]:
    """Select the rows to record, and their slopes if they come from the extensions of steps that are not recorded."""
    record, end = run.config.record, run.end
    if record.steps:
        rows = _rows_until(end, run.steps)
        return (rows, None) if record.period is None else sample(rows, record.period)
    rows = join_tables([without_steps(run.start), event_sides(events), without_steps(end)])
    # A run may begin or end at a jump.
    return _select(rows, np.append(True, (np.diff(rows.t) > 0.0) | (np.diff(rows.j) > 0))), None


def _rows_until(end: StepTable, parts: Sequence[StepTable]) -> StepTable:
    """Return the rows before `end`, and this one; without a copy, which may need much memory, if one part has all."""
    t, j = end.t[0], end.j[0]
    before = [int(((part.t < t) | ((part.t == t) & (part.j < j))).sum()) for part in parts]
    if len(parts) == 1 and len(parts[0]) > before[0]:
        following = parts[0][before[0] : before[0] + 1]
        if all(np.array_equal(values, values_of(end)[name]) for name, values in values_of(following).items()):
            return parts[0][: before[0] + 1]
    return join_tables([*(part[:n] for part, n in zip(parts, before, strict=True)), end])


def _select(table: AnyTable, chosen: NDArray[np.bool_]) -> AnyTable:
    """Return the chosen rows of a table; without a copy, which may need much memory, if all are chosen."""
    return table if chosen.all() else table[chosen]


def _statistics(run: Recording, events: EventTable) -> dict[str, float]:
    state = scalars(run.packed.state)
    return {
        "steps": int(state.steps),
        "rejected": int(state.rejected),
        "vector_field_calls": int(state.calls),
        "boundary_calls": int(state.boundary_calls),
        "events": len(events) + int(run.tally.kinds.sum()),
        "transitions": int(state.transitions),
        **_event_counts(events, run.tally),
        **{name: int(getattr(state, name)) for name in COUNTS_OF_SEARCHES},
        **_accumulation(state),
        **_warnings(run.packed),
        **_precision_warnings(run),
        **_warnings_of_series(run.packed),
        "simulated_time": float(run.end.t[0] - run.start.t[0]),
        "wall_time": run.wall_time,
    }


def _event_counts(events: EventTable, tally: Tally) -> dict[str, int]:
    """Count the events of each certificate, and the touches, slides, accumulations and changes of inputs."""
    certificates = tally.certificates + np.bincount(events.certificate, minlength=len(CERTIFICATES))
    kinds = tally.kinds + np.bincount(events.kind, minlength=len(EVENT_KINDS))
    special = {"touches": TOUCH, "slides": ENTRY, "accumulations": ZENO, "input_changes": INPUT}
    found = {f"{name}_events": int(n) for name, n in zip(CERTIFICATES, certificates, strict=True)}
    return found | {name: int(kinds[kind]) for name, kind in special.items()}


def _accumulation(state: Any) -> dict[str, float]:
    """Return time and error of the last accumulation, if there was one."""
    if math.isnan(state.accumulation_time):
        return {}
    return {name: float(getattr(state, name)) for name in ("accumulation_time", "accumulation_error")}


def _warnings(packed: Packed) -> dict[str, int]:
    """Count how often `validate` returned each of its warnings."""
    return {
        f"warning: {message.text}": int(packed.workspace.warning_count[index + 1])
        for index, message in enumerate(packed.model.messages)
        if message.severity == "warning"
    }


def _charts_in(rows: StepTable) -> list[int]:
    """Return the numbers of the charts that occur, in order. numpy's `unique` would import masked arrays, for 10 ms."""
    numbers: set[int] = set()
    for charts in (rows.chart, rows.adjacent_chart):
        numbers.update(charts[np.append(True, charts[1:] != charts[:-1])].tolist())  # where another one begins
    return sorted(numbers - {NOWHERE})


def _precision_warnings(run: Recording) -> dict[str, int]:
    """Count the steps, the declared degrees and the tolerances from which the user may expect more than they give."""
    unresolved = int(scalars(run.packed.state).unresolved_steps)
    method, certificates = run.config.engine.method, run.packed.problem.certificate
    too_high = [
        boundary
        for boundary, certificate in zip(run.packed.model.boundary_records, certificates, strict=False)
        if boundary.degree and certificate == SAMPLED
    ]
    found = {f"degree {b.degree} of boundary {b.name} is too high for {method}; it is sampled": 1 for b in too_high}
    if unresolved:
        found["step too long to see what a sampled boundary does in it; set max_step"] = unresolved
    rtol, adaptive = run.config.engine.rtol, run.packed.method.adaptive
    if adaptive and rtol < np.finfo(float).eps:
        found[f"rtol = {rtol:g} is below the rounding of every state, 2.2e-16 of it; only atol counts"] = 1
    return {f"warning: {text}": count for text, count in found.items()}


def _warnings_of_series(packed: Packed) -> dict[str, int]:
    """Count the steps that no series could make, and say why, as far as charts have no program."""
    others = int(packed.state["steps"][0] - packed.state["series_steps"][0])
    if packed.method.name != "series" or not others:
        return {}
    names, why = packed.model.charts.names, packed.without_series
    charts = list_names(["the model" if chart < 0 else names[chart] if names else chart for chart in why])
    cause = (
        f", as in {charts} ({next(iter(why.values()))})" if why else ", or a branch on what is held goes the other way"
    )
    return {f"warning: step of dop853, where there is no power series{cause}": others}


def provenance_of(config: RunConfig) -> Mapping[str, Any]:
    """Return everything that determines the run, so that it can be repeated."""
    data, model = resolve(config), config.model
    return {
        "config": data,
        "versions": {
            "hybridsim": __version__,
            "numpy": np.__version__,
            "numba": numba_version(),
            "python": platform.python_version(),
        },
        "source": model.source,
        "plugin_hash": plugin_hash(model.sources),
        "model_files": files_to_execute(model.sources if is_path(data["model"]) else model.sources[1:]),
    }
