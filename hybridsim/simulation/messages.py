"""The sentence that says why a run has ended, with the names and numbers of the run.

Where a number is not finite it also names the line of the plug-in: found in plain Python, because compiled code goes on
with infinities.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Mapping

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.columns import EventTable, StepTable
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.status import Status
from hybridsim.model import Model
from hybridsim.model.source_location import line_of
from hybridsim.simulation.packing import Packed
from hybridsim.typing import FloatArray

MAX_CYCLE_LENGTH = 32
"""Most events in a cycle that the message about repeated events finds."""

BAD_START_STATUSES = (Status.OUTSIDE_CHART, Status.LEFT_CHART, Status.NON_FINITE_BOUNDARY, Status.NON_FINITE_STATE)
"""Statuses that mean a wrong initial state if the run ends before its first step and its first transition."""

BOUNDARY_STATUSES = (Status.NON_FINITE_BOUNDARY, Status.DISCONTINUOUS_BOUNDARY, Status.STOP_ITERATIONS)
"""Statuses about a boundary or stop, whose sentence follows its name."""

REPETITION_STATUSES = (Status.CASCADE, Status.SLIDING_INTERSECTION, Status.TOO_MANY_TRANSITIONS)
"""Statuses whose sentence ends with the cycle that the last events repeat."""

WORDS_FOR_EXCEPTION: Mapping[type[Exception], str] = {
    ZeroDivisionError: "divides by zero",
    ValueError: "a function of `math` is called where it is not defined",
    OverflowError: "a number becomes too large",
}
"""What the exceptions of plain Python mean, where compiled code goes on with infinities."""

SHORTEST_STEP_SPACINGS = 10.0
"""Least length of a step in spacings of t, as in `engine/runge_kutta.py`."""

_INDEXED = re.compile(r"\b[xp]\[\s*\w+\.(\w+)")


def explain(
    status: Status, end: StepTable, config: RunConfig, packed: Packed, last_events: EventTable | None = None
) -> str:
    """Say why a run has ended, or that it has not.

    Parameters
    ----------
    status : Status
        How the run has ended.
    end : StepTable
        The row where it has ended.
    config : RunConfig
        The config of the run.
    packed : Packed
        The run.
    last_events : EventTable, optional
        The last events, for the statuses `REPETITION_STATUSES`.

    Returns
    -------
    str
        The sentence, with time and chart.
    """
    t = f"t = {float(end.t[0]):.9g} s"
    if status is Status.STOPPED:
        return f"{_find_stop(packed, config)} at {t}"
    if status.ok:
        return f"{status} at {t}"
    if status in REPETITION_STATUSES:
        sentence = f"{status}{_cycle(last_events, packed.model)}"
    else:
        sentence = f"{_failure(status, end, config, packed)}{_cause(status, end, packed)}"
    return f"{sentence} (at {t} in chart {packed.model.chart_name(int(end.chart[0]))})"


def _failure(status: Status, row: StepTable, config: RunConfig, packed: Packed) -> str:
    """Return what went wrong, with the name of the state, boundary or chart that the engine reports."""
    model, end = packed.model, scalars(packed.state)
    names = [*model.boundary_records.names, *(f"{stop.state} = {stop.value}" for stop in config.stop if stop.state)]
    if status in BOUNDARY_STATUSES:
        return f"boundary {names[end.end_boundary]}: {status}"
    sentences: dict[Status, Callable[[], str]] = {
        Status.LEFT_CHART: lambda: _verdict(packed, int(end.end_message), row),
        Status.NON_FINITE_STATE: lambda: (
            f"{model.states[end.end_state].name} or its slope became infinite or not a number"
        ),
        Status.NON_FINITE_DERIVATIVE: lambda: (
            f"a derivative of the slope of {model.states[end.end_state].name} became infinite or not a number; "
            f"{packed.method.name} needs it: choose an explicit method"
        ),
        Status.OUTSIDE_CHART: lambda: (
            f"boundary {names[end.end_boundary]} is negative where the chart begins"
            f"{_value(int(end.end_boundary), row, packed)}; a transition has to lead to where it is positive, "
            'or the boundary is armed="when_positive"'
        ),
        Status.STEP_TOO_SMALL: lambda: f"{status}{_shortest_step(float(row.t[0]), config)}",
        Status.OUT_OF_MEMORY: lambda: f"the record has filled the memory; {_smaller_record(config)}",
        Status.ZENO: lambda: _accumulation(packed, names[end.end_boundary]),
        Status.UNKNOWN_CHART: lambda: (
            f"the transition returned chart {end.end_chart}, but there are {model.n_charts} charts"
        ),
    }
    return sentences.get(status, lambda: str(status))()


def _shortest_step(t: float, config: RunConfig) -> str:
    """Say how short a step can be so late, if the spacing of t decides; else nothing."""
    shortest, since = (SHORTEST_STEP_SPACINGS * float(np.spacing(abs(time))) for time in (t, t - config.initial_time))
    if shortest <= max(config.engine.min_step, since):
        return ""
    return f", or t is too large: so far from t = 0 no step is shorter than {shortest:.2g} s; begin at an earlier time"


def _value(boundary: int, row: StepTable, packed: Packed) -> str:
    """Return the value of a boundary at a row, `: -0.01`; "" if plain Python does not find it."""
    g = [0.0] * len(packed.model.boundary_records)
    try:
        packed.model.functions["boundaries"](
            g, float(row.t[0]), row.x[0].tolist(), packed.problem.p.tolist(), int(row.chart[0])
        )
    except Exception:  # compiled code may take what lists do not
        return ""
    return f": {g[boundary]:.3g}"


def _cause(status: Status, end: StepTable, packed: Packed) -> str:
    """Return where a function's arithmetic fails, if it does so where the run has ended."""
    function = {Status.NON_FINITE_STATE: "vector_field", Status.NON_FINITE_BOUNDARY: "boundaries"}.get(status, "")
    chart = int(end.chart[0])
    fault = arithmetic_fault(packed.model, function, float(end.t[0]), end.x[0], packed.problem.p, chart)
    return f": {fault}" if fault else ""


def _smaller_record(config: RunConfig) -> str:
    """Return what to do if the record of a run has filled the memory."""
    if not config.record.steps:
        return "let the run end earlier"
    longer = "" if config.record.period is None else "longer "
    return f"choose a {longer}record.period, or record the events alone (record.steps: false)"


def _verdict(packed: Packed, number: int, row: StepTable) -> str:
    """Return the text of the message that `validate` returned, with the values of what it names."""
    model = packed.model
    if 0 < number <= len(model.messages):
        text = model.messages[number - 1].text
        values = dict(zip(model.states.names, row.x[0], strict=False))
        values |= {name: packed.problem.p[index] for name, index in model.p_indices.items()}
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", f"{float(value):.3g}")
        return text
    return f"validate returned a number that belongs to no message; expected 0 to {len(model.messages)}"


def _accumulation(packed: Packed, boundary: str) -> str:
    state = scalars(packed.state)
    return (
        f"boundary {boundary} is crossed infinitely often up to t = {state.accumulation_time:.15g} s, "
        f"within {state.accumulation_error:.1g} s; give it a rest chart to go on from there"
    )


def _cycle(events: EventTable | None, model: Model) -> str:
    """Return the cycle that the last events repeat, `: left -(to_right)-> right -(to_left)-> left`, or ""."""
    if events is None:
        return ""
    last = events[slice(-2 * MAX_CYCLE_LENGTH, None)]
    steps = [
        (int(before), tuple(np.flatnonzero(crossed).tolist()), int(after))
        for before, crossed, after in zip(last.chart_before, last.crossed, last.chart_after, strict=True)
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


def _find_stop(packed: Packed, config: RunConfig) -> str:
    """Return the stop that ended the run: the n-th event of a boundary, or the value of a state."""
    boundaries, index = packed.model.boundary_records, int(scalars(packed.state).end_boundary)
    if index < len(boundaries):
        return f"reached event {packed.workspace.crossing_count[index]} of {boundaries[index].name}"
    stop = [stop for stop in config.stop if stop.state][index - len(boundaries)]
    return f"reached {stop.state} = {stop.value:g}"


def arithmetic_fault(model: Model, function: str, t: float, x: FloatArray, p: FloatArray, chart: int) -> str:
    """Find the line of a function whose arithmetic fails at a state.

    Parameters
    ----------
    model : Model
        The model.
    function : str
        The name of a function that writes an array: `vector_field` or `boundaries`.
    t, x, p, chart
        Its arguments: time [s], state (n,), parameters (n,), chart.

    Returns
    -------
    str
        `ball.py:12: in `vector_field`: divides by zero, with m = 0.0`; "" if nothing fails there.
    """
    plain = model.functions.get(function)
    if plain is None:
        return ""
    room = [0.0] * max(len(model.states), len(model.boundary_records))
    try:
        plain(room, t, x.tolist(), p.tolist(), chart)  # lists: numpy's numbers would become infinite
    except (ZeroDivisionError, ValueError, OverflowError) as problem:
        place = line_of(problem, plain)
        return f"{place}: in `{function}`: {WORDS_FOR_EXCEPTION[type(problem)]}{_values(place, model, x, p)}"
    except Exception:  # no list is taken here; there is nothing to say
        return ""
    return ""


def _values(place: str, model: Model, x: FloatArray, p: FloatArray) -> str:
    """Return the states and parameters that a line reads, with their values."""
    file, _, line = place.rpartition(":")
    read = dict.fromkeys(_INDEXED.findall(linecache.getline(file, int(line)))) if line.isdigit() else {}
    values = {name: float(x[model.states.index(name)]) for name in read if name in model.states.names}
    values |= {name: float(p[model.p_indices[name]]) for name in read if name in model.p_indices}
    return f", with {', '.join(f'{name} = {value:.6g}' for name, value in values.items())}" if values else ""
