"""The boundary functions as the engine sees them: values, slopes, and how they are latched where a chart begins.

Which side counts: a boundary fires on > 0 -> <= 0. Where a chart begins, each boundary is latched from the state:
positive is armed; zero fires at once if it moves outward, else it rests and fires when it falls below the value it
started from; negative is an error, or waits to become positive if it was declared to.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.compiler.signatures import BOUNDARIES, call_boundaries, kernel
from hybridsim.engine.events.sliding import sliding_boundaries
from hybridsim.engine.memory import (
    ARMED,
    BOUNDED,
    INACTIVE,
    N_EXITS,
    NOWHERE,
    RESTING,
    SAMPLED,
    TIME,
    UNDECIDED,
    WAITING,
)
from hybridsim.engine.rounding import EPSILON, SPACINGS, spacing
from hybridsim.engine.runge_kutta import copy, slope

SURELY_FELT = 1000.0
"""What exceeds the change by this many times the rounding is not made by rounding."""

QUIET, CROSSED, NOT_FINITE, OUTSIDE = range(4)
"""What latching finds: nothing, a crossing at this instant, a value that is no number, a negative boundary."""


@kernel
def evaluate(problem, state, workspace, g, t, x):
    """G = all active boundaries at (t, x), followed by the state stops and the ends of a slide."""
    evaluate_into(problem, state, workspace, g, 0, t, x)


@kernel
def evaluate_into(problem, state, workspace, g, offset, t, x):
    """The same, into g[offset:]."""
    settings = problem.settings
    n = settings.n_boundaries
    if n > 0:
        call_boundaries(problem.functions[BOUNDARIES], g, offset, t, x, problem.p, state.chart)
    state.boundary_calls += 1
    if state.adjacent_chart != NOWHERE:
        sliding_boundaries(problem, state, workspace, g, offset, t, x)
    for stop in range(settings.n_stops):
        g[offset + n + stop] = workspace.stop_side[stop] * (x[problem.stop_state[stop]] - problem.stop_value[stop])


@kernel
def shift(settings, delta, xdot, offset, x, result):
    """Result = x + delta xdot[offset:]."""
    for m in range(0, settings.moving, LANES):
        store(result, m, plus(load(x, m), delta, load(xdot, m + offset)))


@kernel
def span(t, h, fraction):
    """How far to go from t for a difference: that fraction of h, more where the spacing of t asks for it.

    1024 spacings if they are less than a sixteenth of h. It is what t really moves by, after rounding.
    """
    least = EPSILON * abs(t)
    return (t + max(fraction * h, max(least, min(1024.0 * least, 0.0625 * h)))) - t


@kernel
def slopes(problem, state, workspace, t, x, xdot, offset, g, rates, step):
    """Rates = dg/dt along the flow at (t, x): a difference over 2^-12 of a step, backward if `step` is negative.

    Good enough to tell which steps are clear of zero; what is not clear is looked at more sharply.
    """
    delta = math.copysign(span(t, abs(step), 2.0**-12), step)
    shift(problem.settings, delta, xdot, offset, x, workspace.x_stage)
    evaluate(problem, state, workspace, workspace.g_shift, t + delta, workspace.x_stage)
    for a in range(state.n_active):
        i = workspace.active[a]
        rates[i] = (workspace.g_shift[i] - g[i]) / delta


@kernel
def find_active(problem, state, workspace):
    """List the boundaries that are active in this chart: those that overwrite two different presets.

    So a boundary that computes a nan is never taken for an inactive one.
    """
    settings = problem.settings
    n = settings.n_boundaries
    state.n_active, state.sampled, state.bounded, state.groups, state.step_certificate = 0, 0, 0, 0, UNDECIDED
    for i in range(settings.n_watched):
        workspace.crossed[i], workspace.trigger_state[i], workspace.source[i] = 0, INACTIVE, 0
    call_with_presets(problem, state, workspace, state.chart)
    for i in range(n):
        if is_written(workspace, i) and not (state.adjacent_chart != NOWHERE and i == state.surface):
            activate(problem, state, workspace, i)
    for i in range(n, n + settings.n_stops):
        activate(problem, state, workspace, i)
    if state.adjacent_chart != NOWHERE:
        find_active_in_slide(problem, state, workspace)
    if settings.n_stops or state.adjacent_chart != NOWHERE:
        evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)


@kernel
def call_with_presets(problem, state, workspace, chart):
    settings = problem.settings
    for i in range(settings.n_boundaries):
        workspace.g_start[i], workspace.g_trial[i] = 1.0, 2.0
    if settings.n_boundaries:
        call_boundaries(problem.functions[BOUNDARIES], workspace.g_trial, 0, state.t, workspace.x, problem.p, chart)
        call_boundaries(problem.functions[BOUNDARIES], workspace.g_start, 0, state.t, workspace.x, problem.p, chart)
        state.boundary_calls += 2


@kernel
def is_written(workspace, i):
    return workspace.g_start[i] != 1.0 or workspace.g_trial[i] != 2.0


@kernel
def activate(problem, state, workspace, i):
    """From here on a step is decided no better than this boundary is."""
    kind = problem.certificate[i]
    workspace.trigger_state[i] = ARMED
    workspace.active[state.n_active] = i
    state.n_active += 1
    state.sampled += kind == SAMPLED
    state.bounded += kind == BOUNDED
    if kind != TIME:
        state.groups |= 1 << problem.degree[i]
        state.step_certificate = kind if state.step_certificate <= TIME else min(state.step_certificate, kind)
    elif state.step_certificate == UNDECIDED:
        state.step_certificate = TIME


@kernel
def find_active_in_slide(problem, state, workspace):
    """The other chart's boundaries are watched as well, except the one that leads back; and the ends of the slide."""
    settings = problem.settings
    call_with_presets(problem, state, workspace, state.adjacent_chart)
    for i in range(settings.n_boundaries):
        if is_written(workspace, i) and workspace.trigger_state[i] == INACTIVE and i != state.back:
            workspace.source[i] = 1
            activate(problem, state, workspace, i)
    for i in range(settings.n_watched - N_EXITS, settings.n_watched):
        activate(problem, state, workspace, i)


@kernel
def latch(problem, state, workspace):
    """Latch every boundary of the chart that begins at (state.t, workspace.x), whose first slope is workspace.k[0:]."""
    at_zero = False
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.trigger_level[i] = 0.0
        workspace.time_target[i] = np.inf
        workspace.by_touch[i], workspace.touched[i] = 0, workspace.g_start[i] <= problem.touch_threshold[i]
        if problem.certificate[i] == TIME and workspace.crossed_at[i] == state.t:
            look_past(problem, state, workspace, i)
        if not math.isfinite(workspace.g_start[i]):
            state.detail = i
            return NOT_FINITE
        if i == state.resting:
            workspace.trigger_state[i], workspace.trigger_level[i] = (
                RESTING,
                min(workspace.g_start[i], 0.0) - problem.settings.stop_precision,
            )
        elif workspace.g_start[i] > 0.0:
            workspace.fired_since_positive[i] = 0
            if problem.certificate[i] == TIME:
                schedule(problem, state, workspace, i)
        else:
            at_zero = True
    return latch_at_zero(problem, state, workspace) if at_zero else QUIET


@kernel
def latch_after_change(problem, state, workspace):
    """Where inputs have changed within an epoch: what this has made positive is armed, and what was positive crosses.

    A boundary that waits goes on to wait, and one that rests rests unless it has fallen below its floor.
    """
    evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)
    found, state.certificate = QUIET, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        value = workspace.g_start[i]
        if not math.isfinite(value):
            state.detail = i
            return NOT_FINITE
        workspace.time_target[i], workspace.by_touch[i] = np.inf, 0
        if value > 0.0:
            workspace.trigger_state[i], workspace.trigger_level[i], workspace.fired_since_positive[i] = ARMED, 0.0, 0
            if problem.certificate[i] == TIME:
                schedule(problem, state, workspace, i)
        elif workspace.trigger_state[i] == ARMED or (
            workspace.trigger_state[i] == RESTING and value < workspace.trigger_level[i]
        ):
            workspace.crossed[i], found = 1, CROSSED
            state.certificate = weaker(state.certificate, problem.certificate[i])
    return found


@kernel
def look_past(problem, state, workspace, i):
    """A time boundary that has just fired and says zero again, but more a moment later, means the later time.

    Such is the time left until the next multiple of a period, which rounding leaves at zero here and there.
    """
    instant = SPACINGS * spacing(state.t)
    if abs(workspace.g_start[i]) <= instant:
        evaluate(problem, state, workspace, workspace.g_trial, state.t + 2.0 * instant, workspace.x)
        if workspace.g_trial[i] > instant:
            workspace.g_start[i] = workspace.g_trial[i] + 2.0 * instant


@kernel
def schedule(problem, state, workspace, i):
    """When a time boundary fires. Near that time its value is exact, so one correction gives the last bit.

    More than rounding is no correction: the value has jumped there, to the time left until a later instant.
    """
    target = state.t + workspace.g_start[i]
    evaluate(problem, state, workspace, workspace.g_trial, target, workspace.x)
    if abs(workspace.g_trial[i]) <= SPACINGS * EPSILON * (abs(state.t) + abs(workspace.g_start[i]) + abs(target)):
        target += workspace.g_trial[i]
    workspace.time_target[i] = max(target, np.nextafter(state.t, np.inf))
    state.t_target = min(state.t_target, workspace.time_target[i])


@kernel
def latch_at_zero(problem, state, workspace):
    """Decide the boundaries that are not positive where the chart begins, from their slope, then their curvature.

    The slope is a central difference along a straight line in the direction of the flow, so that an affine boundary
    gives it without truncation error. A slope that is not far beyond rounding at first sight is compared with what
    rounding really does.
    """
    settings = problem.settings
    delta = span(state.t, state.h, 6e-6)
    shift(problem.settings, delta, workspace.k, 0, workspace.x, workspace.x_stage)
    evaluate(problem, state, workspace, workspace.slope_start, state.t + delta, workspace.x_stage)
    shift(problem.settings, -delta, workspace.k, 0, workspace.x, workspace.x_stage)
    evaluate(problem, state, workspace, workspace.g_trial, state.t - delta, workspace.x_stage)
    round_all(problem, state, workspace, workspace.g_middle, 0.6180339887498949)
    round_all(problem, state, workspace, workspace.slope_end, 0.7548776662466927)
    bend_known = False
    found, certificate = QUIET, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        value = workspace.g_start[i]
        if value > 0.0:
            continue
        if i == state.resting:
            continue
        if i >= settings.n_watched - N_EXITS:
            workspace.crossed[i], found = 1, CROSSED
            certificate = state.certificate = SAMPLED
            continue
        if i >= settings.n_boundaries:
            found = max(found, latch_stop(problem, state, workspace, i, i - settings.n_boundaries))
            continue
        rise = workspace.slope_start[i] - workspace.g_trial[i]
        noise, doubtful = 0.0, abs(workspace.g_middle[i] - value) + abs(workspace.slope_end[i] - value)
        if abs(rise) <= doubtful or 0.0 < -value - settings.stop_precision <= doubtful:
            noise = rounding(problem, state, workspace, i, state.t, workspace.x, workspace.x)
        felt = abs(rise / (2.0 * delta)) * SPACINGS * spacing(state.t) + noise
        tolerance = settings.stop_precision + state.drift + felt
        if value < -tolerance and not problem.armed_when_positive[i]:
            if state.changed:
                workspace.crossed[i], found = 1, CROSSED
                certificate = state.certificate = weaker(certificate, problem.certificate[i])
                continue
            state.detail = i
            return OUTSIDE
        if problem.armed_when_positive[i] and (value < -tolerance or workspace.fired_since_positive[i]):
            workspace.trigger_state[i] = WAITING
            continue
        if abs(rise) <= 2.0 * noise:
            if not bend_known:
                bend(problem, state, workspace)
                bend_known = True
            rise = workspace.g_end[i] + workspace.slope_end[i] - 2.0 * value
            if abs(rise) <= 4.0 * noise:
                rise = 0.0
        if rise < 0.0:
            workspace.crossed[i] = 1
            found = CROSSED
            certificate = weaker(certificate, problem.certificate[i])
            state.certificate = certificate
        else:
            workspace.trigger_state[i] = RESTING
            workspace.trigger_level[i] = min(
                value, -noise
            )  # and no lower each time: the last bounces of a ball would sink
    return found


@kernel
def round_all(problem, state, workspace, g, turn):
    """G = the boundaries with t and all states far more than rounded, each by another amount: a cheap hint.

    A boundary in which these changes cancel is rare, and rarer still for two different turns of the golden kind.
    """
    much = SURELY_FELT * SPACINGS
    for m in range(problem.settings.n_states):
        workspace.x_trial[m] = workspace.x[m] * (1.0 + (1.0 + (turn * (m + 1.0)) % 1.0) * much * EPSILON)
    evaluate(problem, state, workspace, g, state.t + much * spacing(state.t), workspace.x_trial)
    copy(problem.settings, workspace.x, workspace.x_trial)


@kernel
def rounding(problem, state, workspace, i, t, x, scale):
    """What rounding does to boundary i at (t, x): by that of t and of each state, SPACINGS of them, added up.

    A state is as rough as it is large, or as it was before (`scale`). Added up, nothing cancels; one call for each.
    """
    copy(problem.settings, x, workspace.x_stage)
    evaluate(problem, state, workspace, workspace.g_shift, t, workspace.x_stage)
    value = workspace.g_shift[i]
    evaluate(problem, state, workspace, workspace.g_shift, t + SPACINGS * spacing(t), workspace.x_stage)
    total = SPACINGS * EPSILON * abs(value) + abs(workspace.g_shift[i] - value)
    for m in range(problem.settings.n_states):
        workspace.x_stage[m] = x[m] + SPACINGS * EPSILON * max(abs(x[m]), abs(scale[m]))
        if workspace.x_stage[m] != x[m]:
            evaluate(problem, state, workspace, workspace.g_shift, t, workspace.x_stage)
            total += abs(workspace.g_shift[i] - value)
        workspace.x_stage[m] = x[m]
    return total


@kernel
def latch_stop(problem, state, workspace, i, stop):
    """A state stop that is not positive: a jump reached or passed its value, or the run starts on it and leaves."""
    if workspace.stop_side[stop] == 0.0:
        m = problem.stop_state[stop]
        rate = workspace.k[m]
        if rate == 0.0:
            bend(problem, state, workspace)
            rate = workspace.k[m + problem.settings.width]  # a little later
        workspace.stop_side[stop] = -1.0 if rate < 0.0 else 1.0
        workspace.trigger_state[i] = RESTING
        return QUIET
    workspace.crossed[i] = 1
    return CROSSED


@kernel
def bend(problem, state, workspace):
    """Boundaries a little before (slope_end) and after (g_end), along the parabola through the state."""
    delta = span(state.t, state.h, 1.2e-4)
    width = problem.settings.width
    shift(problem.settings, delta, workspace.k, 0, workspace.x, workspace.x_stage)
    slope(problem, state, workspace, workspace.k, width, state.t + delta, workspace.x_stage)
    for sign in (1.0, -1.0):
        for m in range(width):
            workspace.x_stage[m] = workspace.x[m] + delta * (
                sign * workspace.k[m] + 0.5 * (workspace.k[m + width] - workspace.k[m])
            )
        evaluate(
            problem,
            state,
            workspace,
            workspace.g_end if sign > 0.0 else workspace.slope_end,
            state.t + sign * delta,
            workspace.x_stage,
        )


@kernel
def relatch(state, workspace, g):
    """Where a step ended with values g and no jump: what has become positive is armed."""
    for a in range(state.n_active):
        i = workspace.active[a]
        if g[i] > 0.0 and workspace.trigger_state[i] != INACTIVE:
            workspace.trigger_state[i] = ARMED
            workspace.trigger_level[i] = 0.0
            workspace.fired_since_positive[i] = 0


@kernel
def weaker(first, second):
    """The weaker of two certificates: sampled, then bounded, then exact; nothing is surer than a time."""
    if first == TIME:
        return second
    return first if second == TIME else min(first, second)
