"""Where jumps accumulate (Zeno): go to the limit in one straight piece, and rest there or end the run."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import TRANSITION, call_transition
from hybridsim.engine.events.zeno import (
    accumulates,
    accumulation,
    forget_sharers,
    keep_state,
    limit_state,
    limit_time,
    reset_history,
)
from hybridsim.engine.landing import land
from hybridsim.engine.log import log_before_jump, log_event, log_step
from hybridsim.engine.memory import AT_LIMIT, BY_TRANSITION, NOWHERE, TIME, UNDECIDED, ZENO
from hybridsim.engine.stages import copy
from hybridsim.engine.status import ACCUMULATED, DECLINED, GO_ON


@kernel
def look_for_accumulation(problem, state, workspace, record, before):
    """If the jump just made from the chart `before` is near an accumulation, go to its limit.

    Returns GO_ON or the code of a Status.
    """
    found = NOWHERE
    for i in range(problem.settings.n_boundaries):
        if workspace.crossed[i] and problem.certificate[i] != TIME:
            if accumulates(problem, state, workspace, i, before):
                found = i
            else:
                keep_state(problem, workspace, i)
    return GO_ON if found == NOWHERE else come_to_rest(problem, state, workspace, record, found)


@kernel
def come_to_rest(problem, state, workspace, record, i):
    """Go on to the limit of the jumps at boundary i; its rest chart follows, or the end of the run.

    After a transition that keeps the chart the run goes on, too: it may have changed the state alone.
    """
    settings = problem.settings
    estimate, error, shift = accumulation(workspace, i)
    t = limit_time(state, workspace, i)
    state.accumulation_time, state.accumulation_error = t, 2.0 * max(error, abs(estimate - t)) + 5.0 * shift
    limit_state(problem, state, workspace, i, t)
    reset_history(workspace, i)
    forget_sharers(problem, workspace, i)
    for b in range(settings.n_boundaries):
        workspace.crossed[b] = b == i
    if t > state.t:
        straight_step(problem, state, workspace, t)
        if settings.record_steps:
            log_step(problem, state, workspace, record)
    state.t = t
    copy(settings, workspace.x_event, workspace.x)
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    before = state.chart
    following = rest_chart(problem, state, workspace, i)
    chart = before if following == NOWHERE else following
    log_event(problem, state, workspace, record, t, ZENO, before, chart, NOWHERE, workspace.x, False)
    if settings.record_steps:
        log_before_jump(problem, state, workspace, record)
    state.budget -= 2
    state.t_jump = t  # the limit on jumps at one instant counts from here
    outcome = land(problem, state, workspace, chart)
    if outcome == GO_ON and following == NOWHERE:
        state.end_boundary = i
        return ACCUMULATED
    return outcome


@kernel
def rest_chart(problem, state, workspace, i):
    """Return the chart after the limit, NOWHERE if the run ends there; a transition may change the state."""
    chart = problem.rest[i]
    if chart == state.chart:
        return NOWHERE
    if chart == BY_TRANSITION:
        workspace.crossed[i] = AT_LIMIT
        x, x_before, p, function = workspace.x, workspace.x_event, problem.p, problem.functions[TRANSITION]
        chart = call_transition(function, x, state.t, x_before, p, state.chart, workspace.crossed)
        workspace.crossed[i] = 1
        if chart == DECLINED:
            copy(problem.settings, workspace.x_event, workspace.x)
            return NOWHERE
    return chart


@kernel
def straight_step(problem, state, workspace, t):
    """Describe the straight piece from workspace.x to workspace.x_event at time t as a step."""
    settings = problem.settings
    state.t_start, state.step, state.t_new = state.t, t - state.t, t
    state.chart_start, state.adjacent_chart_start, state.j_start = state.chart, NOWHERE, state.j
    state.extended, state.step_certificate = 1, UNDECIDED
    copy(settings, workspace.x, workspace.x_start)
    for m in range(settings.width * settings.degree):
        workspace.q[m] = workspace.x_event[m] - workspace.x[m] if m < settings.width else 0.0
