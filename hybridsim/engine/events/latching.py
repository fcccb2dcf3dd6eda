"""How boundaries react to zero: each active one has a trigger state, set where a chart begins.

A boundary fires where it falls from above zero to zero or below. Where a chart begins, a positive one is armed. One at
zero, or above it by rounding alone, fires at once if it moves outward; else it rests, and fires when it falls below
the value it started from. A negative one is an error, or waits to become positive if the model declares it so.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.at_zero import (
    FIRING,
    QUIET,
    VALUE_NOT_FINITE,
    is_at_zero,
    latch_at_zero,
    rest_above_zero,
    weaker,
)
from hybridsim.engine.events.boundary_values import evaluate
from hybridsim.engine.memory import ARMED, INACTIVE, RESTING, TIME
from hybridsim.engine.rounding import EPSILON, INSTANT_SPACINGS, spacing
from hybridsim.engine.watched import is_boundary


@kernel
def latch(problem, state, workspace):
    """Set the trigger states in the chart that begins at (state.t, workspace.x), whose first slope is workspace.k[0:].

    Returns QUIET, FIRING, VALUE_NOT_FINITE or OUTSIDE.
    """
    any_at_zero, any_unsure = False, False
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.time_target[i] = np.inf
        workspace.by_touch[i], workspace.touched[i] = 0, workspace.g_start[i] <= problem.touch_threshold[i]
        if problem.certificate[i] == TIME and workspace.crossed_at[i] == state.t:
            look_past(problem, state, workspace, i)
        value = workspace.g_start[i]
        if not math.isfinite(value):
            state.end_boundary = i
            return VALUE_NOT_FINITE
        if i == state.resting:
            workspace.trigger_state[i] = RESTING
            workspace.trigger_level[i] = min(value, 0.0) - problem.settings.stop_precision
        elif value > 0.0 and not is_at_zero(problem, state, workspace, i):
            workspace.trigger_level[i], workspace.fired_since_positive[i] = 0.0, 0
            if problem.certificate[i] == TIME:
                schedule(problem, state, workspace, i)
            elif not workspace.was_active[i] and is_boundary(problem.settings, i):
                any_unsure = True
        else:
            any_at_zero = True
    found = latch_at_zero(problem, state, workspace) if any_at_zero else QUIET
    if any_unsure and found == QUIET:
        rest_above_zero(problem, state, workspace)
    return found


@kernel
def latch_after_change(problem, state, workspace):
    """Set the trigger states where inputs have changed within an epoch; returns QUIET, FIRING or VALUE_NOT_FINITE.

    A boundary that has become positive is armed, and one that was positive crosses. One that waits keeps waiting, and
    one that rests keeps resting unless it is below its trigger level.
    """
    evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)
    found, state.certificate = QUIET, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        value, trigger_state = workspace.g_start[i], workspace.trigger_state[i]
        if not math.isfinite(value):
            state.end_boundary = i
            return VALUE_NOT_FINITE
        workspace.time_target[i], workspace.by_touch[i] = np.inf, 0
        if value > -workspace.trigger_level[i]:
            arm(workspace, i)
            if problem.certificate[i] == TIME:
                schedule(problem, state, workspace, i)
        elif trigger_state == ARMED or (trigger_state == RESTING and value < workspace.trigger_level[i]):
            workspace.crossed[i], found = 1, FIRING
            state.certificate = weaker(state.certificate, problem.certificate[i])
    return found


@kernel
def relatch(state, workspace, g):
    """Arm the boundaries that are positive where a step ended without a jump, with the values g.

    One that rests must be as far above zero as its trigger level is below: less may be rounding.
    """
    for a in range(state.n_active):
        i = workspace.active[a]
        if g[i] > -workspace.trigger_level[i] and workspace.trigger_state[i] != INACTIVE:
            arm(workspace, i)


@kernel
def arm(workspace, i):
    """Let boundary i fire at zero."""
    workspace.trigger_state[i], workspace.trigger_level[i], workspace.fired_since_positive[i] = ARMED, 0.0, 0


@kernel
def look_past(problem, state, workspace, i):
    """If a time boundary has just fired and is still about zero, set g_start to the time left until it fires next.

    At some multiples of a period, rounding leaves it at zero; so it is evaluated slightly later.
    """
    instant = INSTANT_SPACINGS * spacing(state.t)
    if abs(workspace.g_start[i]) <= instant:
        evaluate(problem, state, workspace, workspace.g_shifted, state.t + 2.0 * instant, workspace.x)
        if workspace.g_shifted[i] > instant:
            workspace.g_start[i] = workspace.g_shifted[i] + 2.0 * instant


@kernel
def schedule(problem, state, workspace, i):
    """Set the time at which a time boundary fires. Near it the boundary is exact: one correction gives the last bit.

    A correction larger than rounding is not made: the boundary jumps there, to the time left until a later instant.
    """
    value = workspace.g_start[i]
    target = state.t + value
    evaluate(problem, state, workspace, workspace.g_shifted, target, workspace.x)
    correction = workspace.g_shifted[i]
    if abs(correction) <= INSTANT_SPACINGS * EPSILON * (abs(state.t) + abs(value) + abs(target)):
        target += correction
    workspace.time_target[i] = max(target, np.nextafter(state.t, np.inf))
    state.t_target = min(state.t_target, workspace.time_target[i])
