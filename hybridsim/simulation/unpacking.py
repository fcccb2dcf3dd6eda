"""From arrays back to names: the engine's rows and codes become a Trajectory and sentences."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numba
import numpy as np

import hybridsim
from hybridsim.config import RunConfig, resolved
from hybridsim.engine.entry import evaluate_outputs, evaluate_slopes, evaluate_weights
from hybridsim.engine.memory import (
    CERTIFICATES,
    ENTRY,
    EVENT_KINDS,
    INPUT,
    NO_INPUTS,
    NOWHERE,
    TOUCH,
    ZENO,
    Bench,
    Columns,
    scalars,
)
from hybridsim.engine.status import Status
from hybridsim.model import Message, Model, Output, Records
from hybridsim.model.plugin_file import plugin_hash
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import EventRows, Rows, event_sides, joined, one_row, sample
from hybridsim.results.trajectory import Events, Trajectory
from hybridsim.simulation.packing import Packed
from hybridsim.typing import FloatArray, IntArray


class Run(Protocol):
    """What `wrap` needs to know of a simulation."""

    config: RunConfig
    start: tuple[float, int, FloatArray]

    @property
    def status(self) -> Status: ...
    @property
    def t(self) -> float: ...
    @property
    def j(self) -> int: ...
    @property
    def chart(self) -> int: ...
    @property
    def adjacent_chart(self) -> int: ...
    @property
    def x(self) -> FloatArray: ...
    @property
    def message(self) -> str: ...
    @property
    def history(self) -> InputHistory: ...
    def last_events(self) -> EventRows | None: ...


def wrap(run: Run, packed: Packed, parts: list[Rows], event_parts: list[EventRows], wall_time: float) -> Trajectory:
    """The Trajectory up to run.t."""
    config, model, history = run.config, run.config.model, run.history
    events = _events_until(run.t, event_parts, model)
    rows, xdot = _rows_until(run, packed, parts, events)
    outputs = recorded_outputs(config)
    weight = weights_at(packed, rows, surfaces(rows, events), history)
    y = outputs_at(packed, rows, weight, history)[:, [_columns(model).index(name) for name in outputs.names]]
    every_step = config.record.steps and config.record.period is None
    return Trajectory(
        model_name=model.name,
        states=model.states,
        outputs=outputs,
        boundaries=model.boundary_records.names,
        charts={int(n): model.chart_name(int(n)) for n in np.unique([rows.chart, rows.adjacent_chart]) if n != NOWHERE},
        parameters=dict(config.parameters),
        t=rows.t,
        j=rows.j,
        chart=rows.chart,
        adjacent_chart=rows.adjacent_chart,
        sliding_weight=weight,
        certificate=rows.certificate if every_step else None,
        x=rows.x,
        y=y,
        xdot=None if every_step else xdot,
        extension=rows.extension if every_step else None,
        step=rows.step if every_step else None,
        events=named_events(events, model),
        status=run.status,
        message=run.message,
        statistics=_statistics(packed, run.t - run.start[0], wall_time, events),
        provenance=_provenance(config),
        inputs=history,
        chart_fields=model.bit_names,
        plots=model.plots,
    )


def _columns(model: Model) -> Records[Any]:
    return model.output_records or model.states


def recorded_outputs(config: RunConfig) -> Records[Output]:
    """The outputs that the config asks for; a model without outputs records its states."""
    columns = _columns(config.model)
    names = config.record.outputs or columns.names
    return Records(*(Output(name, columns[name].unit, columns[name].doc) for name in names))


def outputs_at(packed: Packed, rows: Rows, weight: FloatArray, history: InputHistory | None = None) -> FloatArray:
    """All outputs of the model at n rows: (n, n_outputs); with the inputs held there, or those of now."""
    if not packed.model.output_records:
        return rows.x
    return _shared(_outputs_in, packed, rows, weight, history)


def slopes_at(packed: Packed, rows: Rows, weight: FloatArray, history: InputHistory | None = None) -> FloatArray:
    """The vector field at n rows: (n, n_states); with the inputs held there, or those of now."""
    return _shared(_slopes_in, packed, rows, weight, history)


def weights_at(packed: Packed, rows: Rows, surface: IntArray, history: InputHistory | None = None) -> FloatArray:
    """The share of the first chart's vector field at n rows: (n,), 1.0 where nothing slides.

    `surface` : (n,) the boundary along which each row slides.
    """
    weight = np.ones(len(rows.t))
    slides = np.flatnonzero(rows.adjacent_chart != NOWHERE)
    epochs = np.zeros(len(slides), np.int64) if history is None else history.which(rows.j[slides])
    for epoch in np.unique(epochs):
        some = slides[epochs == epoch]
        with _holding(packed, None if history is None else history.held[epoch]):
            weight[some] = _weights(packed, rows[some], surface[some])
    return weight


def _weights(packed: Packed, rows: Rows, surface: IntArray) -> FloatArray:
    weight, width = np.ones(len(rows.t)), len(packed.work.x)
    where = rows.adjacent_chart, surface, rows.step, Bench(np.zeros(width))
    now, columns = packed.now.copy(), _columns_of(packed, rows, weight)
    evaluate_weights(packed.problem, now, packed.work, columns, *where, len(weight), width)
    return weight


@contextmanager
def _holding(packed: Packed, values: FloatArray | None) -> Iterator[None]:
    """Let the engine's own p hold these values of the inputs meanwhile: its routines see no other."""
    p, places = packed.problem.p, input_places(packed.model)
    before = p[places]
    if values is not None:
        p[places] = values
    try:
        yield
    finally:
        p[places] = before


def p_holding(packed: Packed, values: FloatArray) -> FloatArray:
    """A copy of p with these values of the inputs."""
    p = packed.problem.p.copy()
    p[input_places(packed.model)] = values
    return p


def input_places(model: Model) -> list[int]:
    """Where in p the inputs lie."""
    indices = model.p_indices
    return [indices[name] for name in model.inputs.names]


def surfaces(rows: Rows, events: EventRows) -> IntArray:
    """The boundary along which each row slides, (n,): the one that crossed where its epoch began; 0 elsewhere."""
    begins = events[events.kind == ENTRY]
    surface = np.zeros(len(rows.t), np.int64)
    slides = rows.adjacent_chart != NOWHERE
    surface[slides] = begins.crossed[np.searchsorted(begins.j, rows.j[slides] - 1)].argmax(axis=1)
    return surface


Evaluate = Callable[[Packed, Rows, IntArray, "InputHistory | None"], FloatArray]


def _shared(
    evaluate: Evaluate, packed: Packed, rows: Rows, weight: FloatArray, history: InputHistory | None
) -> FloatArray:
    """What both charts of a slide say, by their weights; elsewhere what the one chart says."""
    values = evaluate(packed, rows, rows.chart, history)
    slides = np.flatnonzero(rows.adjacent_chart != NOWHERE)
    if len(slides):
        w, there = weight[slides, None], rows[slides]
        values[slides] = w * values[slides] + (1.0 - w) * evaluate(packed, there, there.adjacent_chart, history)
    return values


def _outputs_in(packed: Packed, rows: Rows, chart: IntArray, history: InputHistory | None) -> FloatArray:
    y = np.zeros((len(rows.t), len(packed.model.output_records)))
    evaluate_outputs(_columns_of(packed, rows, y, chart, history), len(rows.t), len(packed.work.x), y.shape[1])
    return y


def _slopes_in(packed: Packed, rows: Rows, chart: IntArray, history: InputHistory | None) -> FloatArray:
    xdot = np.zeros((len(rows.t), len(packed.work.x)))
    evaluate_slopes(_columns_of(packed, rows, xdot, chart, history), len(rows.t), xdot.shape[1])
    return xdot[:, : rows.x.shape[1]].copy()


def _columns_of(
    packed: Packed, rows: Rows, y: FloatArray, chart: IntArray | None = None, history: InputHistory | None = None
) -> Columns:
    state = np.zeros((len(rows.x), len(packed.work.x)))
    state[:, : rows.x.shape[1]] = rows.x
    chart = rows.chart if chart is None else chart
    given = rows.t, state, chart.astype(np.int64), y
    if history is None or not len(history):
        return Columns(packed.problem.functions, packed.problem.p, *given, *NO_INPUTS, np.zeros(len(rows.t), np.int64))
    places = np.array([len(history.initial), *input_places(packed.model)])
    which = history.which(rows.j)
    return Columns(packed.problem.functions, packed.problem.p.copy(), *given, history.held, places, which)


def _events_until(t: float, parts: list[EventRows], model: Model) -> EventRows:
    n, m = len(model.states), max(len(model.boundary_records), 1)
    none = EventRows(
        t=np.zeros(0),
        j=np.zeros(0, np.int64),
        chart=np.zeros((0, 2), np.int64),
        x=np.zeros((0, 2, n)),
        crossed=np.zeros((0, m), np.uint8),
        certificate=np.zeros(0, np.int64),
        declined=np.zeros(0, np.int64),
        kind=np.zeros(0, np.int64),
        adjacent_chart=np.zeros(0, np.int64),
        value=np.zeros(0),
        depth=np.zeros(0),
        error=np.zeros(0),
    )
    events: EventRows = joined([none, *parts])
    return events[events.t <= t]


def _rows_until(run: Run, packed: Packed, parts: list[Rows], events: EventRows) -> tuple[Rows, FloatArray]:
    """The recorded rows with their slopes."""
    record = run.config.record
    degree = packed.method.extension.shape[1]
    end = one_row(run.t, run.j, run.chart, run.adjacent_chart, run.x, degree)
    if record.steps:
        rows: Rows = joined([*parts, end])
        rows = rows[np.append(rows.t[:-1] <= run.t, True)]
        rows = rows[np.append((rows.t[:-1] < run.t) | (rows.j[:-1] < run.j), True)]
        return (rows, np.zeros(0)) if record.period is None else sample(rows, record.period)
    t, chart, x = run.start
    end = one_row(run.t, run.j, run.chart, run.adjacent_chart, run.x, 0)
    rows = joined([one_row(t, 0, chart, NOWHERE, x, 0), event_sides(events), end])
    rows = rows[np.append(True, (np.diff(rows.t) > 0.0) | (np.diff(rows.j) > 0))]  # a run may begin or end at a jump
    weight = weights_at(packed, rows, surfaces(rows, events), run.history)
    return rows, slopes_at(packed, rows, weight, run.history)


def named_events(events: EventRows, model: Model) -> Events:
    """The engine's events with the names of the model's boundaries."""
    return Events(
        model.boundary_records.names,
        t=events.t,
        j=events.j,
        crossed=events.crossed.astype(bool)[:, : len(model.boundary_records)],
        chart_before=events.chart[:, 0],
        chart_after=events.chart[:, 1],
        x_before=events.x[:, 0],
        x_after=events.x[:, 1],
        certificate=[CERTIFICATES[code] for code in events.certificate],
        declined=events.declined.astype(bool),
        kind=[EVENT_KINDS[code] for code in events.kind],
        adjacent_chart=events.adjacent_chart,
        value=events.value,
        depth=events.depth,
        error=events.error,
    )


def _statistics(packed: Packed, simulated: float, wall_time: float, events: EventRows) -> dict[str, float]:
    now, messages = scalars(packed.now), packed.model.messages
    warnings = {
        f"warning: {message.text}": int(packed.work.warning_count[place + 1])
        for place, message in enumerate(messages)
        if message.severity == "warning"
    }
    return {
        "steps": int(now.steps),
        "rejected": int(now.rejected),
        "vector_field_calls": int(now.calls),
        "boundary_calls": int(now.boundary_calls),
        "events": len(events.t),
        "transitions": int(now.transitions),
        **_event_counts(events),
        "refinements": int(now.refinements),
        "exact_steps": int(now.exact_steps),
        "bounded_steps": int(now.bounded_steps),
        "sampled_steps": int(now.sampled_steps),
        "time_steps": int(now.time_steps),
        **_accumulated(now),
        **warnings,
        "simulated_time": float(simulated),
        "wall_time": wall_time,
    }


def _event_counts(events: EventRows) -> dict[str, int]:
    """How many events there were of each certificate, and how many touches, slides and accumulations."""
    decided = {f"{name}_events": int((events.certificate == code).sum()) for code, name in enumerate(CERTIFICATES)}
    special = {"touches": TOUCH, "slides": ENTRY, "accumulations": ZENO, "input_changes": INPUT}
    return decided | {name: int((events.kind == kind).sum()) for name, kind in special.items()}


def _accumulated(now: Any) -> dict[str, float]:
    """When the last accumulation was, if there was one."""
    if math.isnan(now.accumulation_time):
        return {}
    return {
        "accumulation_time": float(now.accumulation_time),
        "accumulation_error": float(now.accumulation_error),
    }


def _provenance(config: RunConfig) -> Mapping[str, Any]:
    """What shaped the run, for whoever wants to repeat it."""
    return {
        "config": resolved(config),
        "versions": {
            "hybridsim": hybridsim.__version__,
            "numpy": np.__version__,
            "numba": numba.__version__,
            "python": platform.python_version(),
        },
        "source": config.model.source,
        "plugin_hash": plugin_hash(config.model.sources),
    }


def explain(run: Run, packed: Packed) -> str:
    """The sentence of the run's status with its names and numbers."""
    status, config, model, t = run.status, run.config, packed.model, run.t
    detail = int(scalars(packed.now).detail)
    if status.ok:
        what = _stop_reached(detail, packed, config) if status is Status.STOPPED else str(status)
        return f"{what} at t = {t:.9g} s"
    names = [*model.boundary_records.names, *(f"{stop.state} = {stop.value}" for stop in config.stop if stop.state)]
    unknown = f"validate returned a number that is none of its messages; expected 0 to {len(model.messages)}"
    particular = {
        Status.LEFT_CHART: lambda: [*model.messages, Message(unknown)][detail - 1].text,
        Status.NON_FINITE_STATE: lambda: f"{model.states[detail].name} or its slope became infinite or not a number",
        Status.NON_FINITE_BOUNDARY: lambda: f"boundary {names[detail]}: {status}",
        Status.DISCONTINUOUS_BOUNDARY: lambda: f"boundary {names[detail]}: {status}",
        Status.STOP_ITERATIONS: lambda: f"boundary {names[detail]}: {status}",
        Status.OUTSIDE_CHART: lambda: f"boundary {names[detail]} is negative where the chart begins",
        Status.ZENO: lambda: _accumulation(packed, names[detail]),
        Status.CASCADE: lambda: f"{status}{_cycle(run, model)}",
        Status.SLIDING_INTERSECTION: lambda: f"{status}{_cycle(run, model)}",
        Status.TOO_MANY_TRANSITIONS: lambda: f"{status}{_cycle(run, model)}",
        Status.UNKNOWN_CHART: lambda: f"the transition returned chart {detail}, but there are {model.n_charts} charts",
    }.get(status, lambda: str(status))()
    return f"{particular} (at t = {t:.9g} s in chart {model.chart_name(run.chart)})"


def _accumulation(packed: Packed, boundary: str) -> str:
    now = scalars(packed.now)
    return (
        f"boundary {boundary} is crossed infinitely often up to t = {now.accumulation_time:.15g} s, "
        f"within {now.accumulation_error:.1g} s; give it a rest chart to go on from there"
    )


MAX_CYCLE = 32
"""Events of the longest cycle that is looked for."""


def _cycle(run: Run, model: Model) -> str:
    """What the last events repeat: `: left -(to_right)-> right -(to_left)-> left`; or nothing."""
    events = run.last_events()
    if events is None:
        return ""
    last: EventRows = events[slice(-2 * MAX_CYCLE, None)]
    steps = [
        (int(before), tuple(np.flatnonzero(crossed).tolist()), int(after))
        for (before, after), crossed in zip(last.chart, last.crossed, strict=True)
    ]
    for n in range(1, len(steps) // 2 + 1):
        if steps[-n:] == steps[-2 * n : -n]:
            return ": " + _path(steps[-n:], model)
    return ""


def _path(steps: list[tuple[int, tuple[int, ...], int]], model: Model) -> str:
    names = model.boundary_records.names
    path = model.chart_name(steps[0][0])
    for _, crossed, after in steps:
        path += f" -({', '.join(names[i] for i in crossed)})-> {model.chart_name(after)}"
    return path


def _stop_reached(detail: int, packed: Packed, config: RunConfig) -> str:
    """Which stop: the n-th event of a boundary, or a state's value."""
    boundaries = packed.model.boundary_records
    if detail < len(boundaries):
        return f"reached event {packed.work.crossing_count[detail]} of {boundaries[detail].name}"
    stop = [stop for stop in config.stop if stop.state][detail - len(boundaries)]
    return f"reached {stop.state} = {stop.value:g}"
