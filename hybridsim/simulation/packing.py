"""From names to arrays: a RunConfig becomes the engine's Problem and Work. The last place where names exist."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.config.schema import EngineSettings
from hybridsim.engine.compiler.compilation import CompiledFunctions, compile_functions
from hybridsim.engine.entry import find_initial_chart
from hybridsim.engine.memory import (
    BOUNDED,
    EXACT,
    IGNORE,
    MAX_EXACT_DEGREE,
    N_SLIDE_ENDS,
    NO_INPUTS,
    NODES,
    NOWHERE,
    SAMPLED,
    TIME,
    Columns,
    Problem,
    Workspace,
    make_record,
    make_workspace,
    padded,
)
from hybridsim.engine.methods import METHODS, Tableau
from hybridsim.engine.nodes import sampling
from hybridsim.engine.settings import SETTINGS
from hybridsim.engine.state import STARTING, STATE
from hybridsim.errors import ConfigError
from hybridsim.model import TOUCH_POLICIES, Boundary, Model
from hybridsim.model.parameters import pack_parameters
from hybridsim.typing import FloatArray

UNLIMITED = 2**62
"""Steps of a run that may make any number."""

DEGREE_OF_CERTIFICATE = {TIME: -1, SAMPLED: 0, BOUNDED: 0}


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A run as the engine sees it, and the compiled functions that must outlive it."""

    model: Model
    method: Tableau
    compiled: CompiledFunctions
    problem: Problem
    workspace: Workspace
    state: Any


def pack(config: RunConfig) -> Packed:
    """Compile the model and lay out a run that has not begun.

    Raises
    ------
    ModelError : a plug-in that does not compile. ConfigError : an initial state outside its patch.
    """
    packed = lay_out(config)
    workspace, problem = packed.workspace, packed.problem
    packed.state["chart"] = place(config, packed.compiled, problem.p, workspace.x)
    workspace.stop_side[: len(problem.stop_state)] = np.sign(workspace.x[problem.stop_state] - problem.stop_value)
    return packed


def lay_out(config: RunConfig) -> Packed:
    """All of a run but its beginning: x is the initial state as it was given, and in no chart yet.

    Raises
    ------
    ModelError : a plug-in that does not compile.
    """
    model, method = config.model, METHODS[config.engine.method]()
    compiled = compile_functions(model.name, model.functions)
    problem = _problem(config, method, compiled, pack_parameters(model, {**config.parameters, **config.inputs}))
    workspace = make_workspace(
        n_states=len(model.states),
        n_watched=len(problem.certificate),
        n_boundaries=len(model.boundary_records),
        n_stops=len(problem.stop_state),
        method=method,
        n_messages=len(model.messages),
    )
    workspace.x[: len(model.states)] = [config.initial[name] for name in model.states.names]
    state = make_record(
        STATE,
        t=config.initial_time,
        t_jump=-math.inf,
        t_look=math.inf,
        adjacent_chart=NOWHERE,
        adjacent_chart_start=NOWHERE,
        resting=NOWHERE,
        accumulation_time=math.nan,
        accumulation_error=math.nan,
        phase=STARTING,
    )
    return Packed(model, method, compiled, problem, workspace, state)


def place(config: RunConfig, compiled: CompiledFunctions, p: FloatArray, x: FloatArray) -> int:
    """Let the model finalise the initial state x (padded), if it has an `initial_chart`; returns the chart."""
    model = config.model
    if "initial_chart" not in model.functions:
        return 0
    zero = np.zeros(1, np.int64)
    given = Columns(compiled.addresses, p, np.array([config.initial_time]), x.copy(), zero, x, *NO_INPUTS, zero)
    chart = int(find_initial_chart(given))
    if not 0 <= chart < model.n_charts:
        raise ConfigError(
            f"{model.name}: initial_chart returned {chart}, but the charts are numbered 0 to {model.n_charts - 1}; "
            "mend `initial_chart`, or start elsewhere"
        )
    bad = [name for name, value in zip(model.states.names, x, strict=False) if not math.isfinite(value)]
    if bad:
        raise ConfigError(f"{model.name}: initial_chart makes the initial {', '.join(bad)} infinite or not a number")
    return chart


def _problem(config: RunConfig, method: Tableau, compiled: CompiledFunctions, p: FloatArray) -> Problem:
    model = config.model
    boundary_stops = [stop for stop in config.stop if stop.boundary is not None]
    state_stops = [stop for stop in config.stop if stop.state is not None]
    degree = method.extension.shape[1]
    certificates = [
        *(_certificate(boundary, degree) for boundary in model.boundary_records),
        *(EXACT for _ in state_stops),
        *(SAMPLED for _ in range(N_SLIDE_ENDS)),
    ]
    degrees = [
        *(
            b.degree if c == EXACT else DEGREE_OF_CERTIFICATE[c]
            for b, c in zip(model.boundary_records, certificates, strict=False)
        ),
        *(1 for _ in state_stops),
        *(0 for _ in range(N_SLIDE_ENDS)),
    ]
    behind = len(certificates) - len(model.boundary_records)
    touch = np.array([*(TOUCH_POLICIES.index(b.touch) for b in model.boundary_records), *[IGNORE] * behind], np.int64)
    rest = [NOWHERE if b.rest is None else model.charts.index(b.rest) for b in model.boundary_records]
    stop_count = np.zeros(max(len(model.boundary_records), 1), np.int64)
    for stop in boundary_stops:
        place = model.boundary_records.index(stop.boundary)
        stop_count[place] = min(stop.count, stop_count[place] or stop.count)
    nodes, node_weights, bernstein = sampling(degree)
    bounds = [boundary.second_derivative_bound or 0.0 for boundary in model.boundary_records]
    return Problem(
        functions=compiled.addresses,
        p=p,
        continuous=np.array([float(state.continuous) for state in model.states] + [0.0] * 3),
        certificate=np.array(certificates, np.int64),
        degree=np.array(degrees, np.int64),
        second_derivative_bound=np.array([*bounds, *[0.0] * behind]),
        armed_when_positive=np.array(
            [*(b.armed == "when_positive" for b in model.boundary_records), *[False] * behind], np.int64
        ),
        touch=touch,
        touch_threshold=np.where(touch != IGNORE, _touch_precision(config.engine), 0.0),
        rest=np.array([*rest, NOWHERE], np.int64),
        stop_count=stop_count,
        stop_state=np.array([model.states.index(stop.state) for stop in state_stops], np.int64),
        stop_value=np.array([float(stop.value or 0.0) for stop in state_stops]),
        severity=np.array([0, *(2 if m.severity == "error" else 1 for m in model.messages), 2], np.int64),
        a=method.a.copy(),
        c=method.c.copy(),
        e=method.e.copy(),
        e_third=method.e_third.copy(),
        extension=method.extension.T.copy(),
        nodes=nodes,
        node_weights=node_weights,
        bernstein=bernstein,
        settings=_settings(config, method, len(certificates)),
    )


def _certificate(boundary: Boundary, extension_degree: int) -> int:
    """How a boundary is decided. Beyond some degree the coefficients lose the digits that would decide."""
    if boundary.time:
        return TIME
    if boundary.second_derivative_bound is not None:
        return BOUNDED
    if boundary.degree == 1 or (boundary.degree and boundary.degree * extension_degree <= MAX_EXACT_DEGREE):
        return EXACT
    return SAMPLED


def _settings(config: RunConfig, method: Tableau, n_watched: int) -> Any:
    engine, model = config.engine, config.model
    continuous = [place for place, state in enumerate(model.states) if state.continuous]
    stages, (rows, degree) = method.stages, method.extension.shape
    return make_record(
        SETTINGS,
        rtol=engine.rtol,
        atol=engine.atol,
        first_step=_first_step(engine, method),
        max_step=engine.max_step,
        min_step=engine.min_step,
        exponent=-engine.power if method.name == "rk4_adaptive" else -1.0 / (method.error_order + 1),
        stop_precision=engine.stop_precision,
        zeno_precision=engine.zeno_precision,
        initial_time=config.initial_time,
        final_time=math.inf if config.final_time is None else config.final_time,
        max_stop_iterations=engine.max_stop_iterations,
        max_transitions=engine.max_transitions,
        max_steps=engine.max_steps or UNLIMITED,
        n_charts=model.n_charts,
        record_steps=config.record.steps,
        n_states=len(model.states),
        n_moving=continuous[-1] + 1 if continuous else 0,
        n_continuous=len(continuous),
        n_boundaries=len(model.boundary_records),
        n_watched=n_watched,
        n_stops=n_watched - len(model.boundary_records) - N_SLIDE_ENDS,
        n_messages=len(model.messages),
        n_nodes=NODES,
        width=padded(len(model.states)),
        moving=padded(continuous[-1] + 1 if continuous else 0),
        stages=stages,
        rows=rows,
        degree=degree,
        adaptive=method.adaptive,
        extra_error=bool(method.e_third.any()),
        has_validate="validate" in model.functions,
        has_sliding_field="sliding_field" in model.functions,
    )


def _touch_precision(engine: EngineSettings) -> float:
    return engine.stop_precision if engine.touch_precision is None else engine.touch_precision


def _first_step(engine: EngineSettings, method: Tableau) -> float:
    if method.adaptive:
        return engine.first_step or 0.0
    return engine.first_step or engine.max_step
