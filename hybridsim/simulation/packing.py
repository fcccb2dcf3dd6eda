"""From names to arrays: a RunConfig becomes the engine's Problem and Workspace; the engine knows no names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.config.engine_settings import COPIED_SETTINGS, EngineSettings
from hybridsim.duals.functions import dual_functions
from hybridsim.engine.compiler.compilation import CompiledFunctions, compile_functions
from hybridsim.engine.memory import (
    BOUNDED,
    BY_TRANSITION,
    EXACT,
    IGNORE,
    MAX_EXACT_DEGREE,
    N_SLIDE_ENDS,
    NODES_SIZE,
    NOWHERE,
    SAMPLED,
    TIME,
    Problem,
    Workspace,
    make_record,
    make_workspace,
    pad_length,
)
from hybridsim.engine.methods import Tableau
from hybridsim.engine.nodes import sampling
from hybridsim.engine.series_programs import without_programs
from hybridsim.engine.settings import SETTINGS_DTYPE, UNLIMITED_STEPS, negligible_error
from hybridsim.engine.state import STARTING, STATE_DTYPE
from hybridsim.engine.validity import ERROR_SEVERITY, WARNING_SEVERITY
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import TOUCH_POLICIES, Boundary, Model, list_names
from hybridsim.model.parameters import pack_parameters
from hybridsim.model.records import REST_BY_TRANSITION
from hybridsim.simulation.row_arguments import Given
from hybridsim.simulation.row_functions import RowFunctions
from hybridsim.typing import FloatArray, IntArray

SEVERITIES = {"warning": WARNING_SEVERITY, "error": ERROR_SEVERITY}
"""Severity of a message -> its number in `Problem.severity`."""

COPIED_COEFFICIENTS = ("a", "c", "e", "e_third", "coupling", "time_weights")
"""Arrays of a method that are the same in `Tableau` and in `Problem`."""

DEGREE_OF_CERTIFICATE = {TIME: -1, SAMPLED: 0, BOUNDED: 0}
"""Certificates that need no polynomial degree, and what `Problem.degree` holds for them."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A run as the engine sees it, and the compiled functions that must outlive it; `functions` evaluates them.

    `without_series` are the charts that have no program for `series`, and why.
    """

    model: Model
    method: Tableau
    compiled: CompiledFunctions
    problem: Problem
    workspace: Workspace
    state: Any
    functions: RowFunctions
    without_series: Mapping[int, str] = field(default_factory=dict)


def pack(config: RunConfig) -> Packed:
    """Compile the model and make the arrays of a run that has not begun.

    Parameters
    ----------
    config : RunConfig
        The run.

    Returns
    -------
    Packed
        Its arrays, with the initial state and chart.

    Raises
    ------
    ModelError
        If the model does not compile.
    ConfigError
        If `initial_chart` returns no chart, or a state that is not finite.
    """
    packed = lay_out(config)
    workspace, problem = packed.workspace, packed.problem
    packed.state["chart"] = find_first_chart(config, packed.functions, workspace.x)
    workspace.stop_side[: len(problem.stop_state)] = np.sign(workspace.x[problem.stop_state] - problem.stop_value)
    return packed


def lay_out(config: RunConfig) -> Packed:
    """Make the arrays of a run before `initial_chart` is called: x is the initial state of the config.

    Parameters
    ----------
    config : RunConfig
        The run.

    Returns
    -------
    Packed
        Its arrays.

    Raises
    ------
    ModelError
        If the model does not compile.
    """
    model, method = config.model, config.engine.tableau
    compiled = compile_functions(model.name, model.functions)
    problem = _problem(config, method, compiled, pack_parameters(model, {**config.parameters, **config.inputs}))
    if method.gamma:
        problem = problem._replace(dual_functions=_with_derivatives(model, method).addresses)
    room: dict[str, Any] = {}
    without: Mapping[int, str] = {}
    if method.series_order:
        from hybridsim.graph.layout import with_programs  # noqa: PLC0415  # only where it is asked for

        given = problem, model, config.initial_time, initial_state(config)
        problem, room["programs"], without = with_programs(*given)
    workspace = make_workspace(
        n_states=len(model.states),
        n_watched=len(problem.certificate),
        n_boundaries=len(model.boundary_records),
        n_stops=len(problem.stop_state),
        method=method,
        n_messages=len(model.messages),
        n_moving=_moving(model),
        n_parameters=len(problem.p),
        **room,
    )
    workspace.x[: len(model.states)] = initial_state(config)
    functions = RowFunctions(model, problem.p, compiled)
    return Packed(model, method, compiled, problem, workspace, _initial_record(config), functions, without)


def initial_state(config: RunConfig) -> FloatArray:
    """Return the initial state of a config, (n_states,)."""
    return np.hstack([np.asarray(config.initial[state.name], float) for state in config.model.states.blocks])


def _with_derivatives(model: Model, method: Tableau) -> CompiledFunctions:
    """Compile the vector field on dual numbers."""
    try:
        return dual_functions(model, ("vector_field",))
    except ModelError as problem:
        raise ModelError(
            f"{problem}; {method.name} needs derivatives: mend the model, or choose another method"
        ) from None


def _initial_record(config: RunConfig) -> Any:
    """Return the scalars of a run that has not begun."""
    return make_record(
        STATE_DTYPE,
        t=config.initial_time,
        chart=config.initial_chart or 0,
        t_jump=-math.inf,
        t_look=math.inf,
        adjacent_chart=NOWHERE,
        adjacent_chart_start=NOWHERE,
        resting=NOWHERE,
        accumulation_time=math.nan,
        accumulation_error=math.nan,
        phase=STARTING,
    )


def find_first_chart(config: RunConfig, functions: RowFunctions, x: FloatArray) -> int:
    """Let the model finalise the initial state x (padded), unless the config gives the chart; returns the chart."""
    model = config.model
    if config.initial_chart is not None or "initial_chart" not in model.functions:
        return config.initial_chart or 0
    n = len(model.states)
    x[:n], answer = functions.values("initial_chart", Given(None, {"t": config.initial_time, "x": x[:n]}))
    chart = int(answer)
    if not 0 <= chart < model.n_charts:
        raise ConfigError(
            f"{model.name}: initial_chart returned {chart}, but the charts are numbered 0 to {model.n_charts - 1}; "
            "mend `initial_chart`, or start elsewhere"
        )
    if not np.isfinite(x[:n]).all():
        bad = [model.states.names[index] for index in np.flatnonzero(~np.isfinite(x[:n]))]
        raise ConfigError(f"{model.name}: initial_chart makes the initial {list_names(bad)} infinite or not a number")
    return chart


def _problem(config: RunConfig, method: Tableau, compiled: CompiledFunctions, p: FloatArray) -> Problem:
    model, degree = config.model, method.extension.shape[1]
    state_stops = [stop for stop in config.stop if stop.state is not None]
    certificates, degrees = _certificates_and_degrees(model, len(state_stops), method)
    behind = len(certificates) - len(model.boundary_records)
    touch = np.array([*(TOUCH_POLICIES.index(b.touch) for b in model.boundary_records), *[IGNORE] * behind], np.int64)
    rest = [_rest(model, boundary) for boundary in model.boundary_records]
    nodes, node_weights, bernstein, binomials = sampling(degree, method.series_order > 0)
    bounds = [boundary.second_derivative_bound or 0.0 for boundary in model.boundary_records]
    return Problem(
        functions=compiled.addresses,
        p=p,
        continuous=np.append(model.states.column("continuous").astype(float), [0.0] * 3),
        certificate=np.array(certificates, np.int64),
        degree=np.array(degrees, np.int64),
        affine=np.array([*(boundary.degree == 1 for boundary in model.boundary_records), *[True] * behind], np.int64),
        second_derivative_bound=np.array([*bounds, *[0.0] * behind]),
        armed_when_positive=np.array(
            [*(b.armed == "when_positive" for b in model.boundary_records), *[False] * behind], np.int64
        ),
        touch=touch,
        touch_threshold=np.where(touch != IGNORE, _touch_precision(config.engine), 0.0),
        rest=np.array([*rest, NOWHERE], np.int64),
        stop_count=_stop_counts(config),
        stop_state=np.array([model.states.index(stop.state) for stop in state_stops], np.int64),
        stop_value=np.array([float(stop.value or 0.0) for stop in state_stops]),
        severity=np.array([0, *(SEVERITIES[m.severity] for m in model.messages), ERROR_SEVERITY], np.int64),
        **{name: getattr(method, name).copy() for name in COPIED_COEFFICIENTS},
        extension=method.extension.T.copy(),
        dual_functions=np.zeros_like(compiled.addresses),
        **without_programs(),
        nodes=nodes,
        node_weights=node_weights,
        bernstein=bernstein,
        binomials=binomials,
        settings=_settings(config, method, len(certificates), len(p)),
    )


def _rest(model: Model, boundary: Boundary) -> int:
    if boundary.rest == REST_BY_TRANSITION:
        return BY_TRANSITION
    return NOWHERE if boundary.rest is None else model.charts.index(boundary.rest)


def _certificates_and_degrees(model: Model, n_stops: int, method: Tableau) -> tuple[list[int], list[int]]:
    """Return the certificates and degrees of the boundaries, of stops at values of states, and of slide ends.

    With `series` they are series, of the degree of the extension whatever their own is: as if that were 1.
    """
    extension_degree = 0 if method.series_order else method.extension.shape[1]
    certificates = [_certificate(boundary, extension_degree) for boundary in model.boundary_records]
    degrees = [
        b.degree or 0 if c == EXACT else DEGREE_OF_CERTIFICATE[c]
        for b, c in zip(model.boundary_records, certificates, strict=True)
    ]
    certificates += [EXACT] * n_stops + [SAMPLED] * N_SLIDE_ENDS
    degrees += [1] * n_stops + [0] * N_SLIDE_ENDS
    return certificates, [min(degree, 1) for degree in degrees] if method.series_order else degrees


def _stop_counts(config: RunConfig) -> IntArray:
    """Return, for each boundary, the number of the event that ends the run, 0 for none."""
    boundaries = config.model.boundary_records
    counts = np.zeros(max(len(boundaries), 1), np.int64)
    for stop in config.stop:
        if stop.boundary is not None:
            index = boundaries.index(stop.boundary)
            counts[index] = min(stop.count, counts[index] or stop.count)
    return counts


def _certificate(boundary: Boundary, extension_degree: int) -> int:
    """Return the certificate of a boundary; at too high a degree the coefficients are too inexact for an exact one."""
    if boundary.time:
        return TIME
    if boundary.second_derivative_bound is not None:
        return BOUNDED
    if boundary.degree == 1 or (boundary.degree and boundary.degree * extension_degree <= MAX_EXACT_DEGREE):
        return EXACT
    return SAMPLED


def _moving(model: Model) -> int:
    """Return the number of states up to the last continuous one."""
    return int(np.flatnonzero(model.states.column("continuous")).max(initial=-1)) + 1


def _settings(config: RunConfig, method: Tableau, n_watched: int, n_parameters: int) -> Any:
    engine, model = config.engine, config.model
    stages, (rows, degree) = method.stages, method.extension.shape
    copied = {name: getattr(engine, name) for name in COPIED_SETTINGS}
    exponent = -engine.power if method.name == "rk4_adaptive" else -1.0 / (method.error_order + 1)
    return make_record(
        SETTINGS_DTYPE,
        **{name: UNLIMITED_STEPS if value is None else value for name, value in copied.items()},
        first_step=engine.first_step or (0.0 if method.adaptive else engine.max_step),
        exponent=exponent,
        negligible_error=negligible_error(exponent),
        initial_time=config.initial_time,
        final_time=math.inf if config.final_time is None else config.final_time,
        n_charts=model.n_charts,
        record_steps=config.record.steps,
        n_states=len(model.states),
        n_moving=_moving(model),
        n_continuous=int(model.states.column("continuous").sum()),
        n_parameters=n_parameters,
        n_boundaries=len(model.boundary_records),
        n_watched=n_watched,
        n_stops=n_watched - len(model.boundary_records) - N_SLIDE_ENDS,
        n_messages=len(model.messages),
        n_nodes=NODES_SIZE,
        width=pad_length(len(model.states)),
        moving=pad_length(_moving(model)),
        stages=stages,
        rows=rows,
        degree=degree,
        adaptive=method.adaptive,
        gamma=method.gamma,
        series_order=method.series_order,
        extra_error=bool(method.e_third.any()),
        has_validate="validate" in model.functions,
        has_sliding_field="sliding_field" in model.functions,
        has_both_at_once="slopes_and_boundaries" in model.functions,
    )


def _touch_precision(engine: EngineSettings) -> float:
    return engine.stop_precision if engine.touch_precision is None else engine.touch_precision
