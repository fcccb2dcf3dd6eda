"""Boundaries that are not positive where a chart begins: fire at once, rest, wait, or end the run.

Their slope along the flow decides, and where it vanishes their first change.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.boundary_values import MANY_SPACINGS, evaluate, shift, span
from hybridsim.engine.events.perturbation import measure_deviation, rounding_effect
from hybridsim.engine.memory import ARMED, RESTING, TIME, WAITING
from hybridsim.engine.rounding import INSTANT_SPACINGS, spacing
from hybridsim.engine.runge_kutta import extension_slope_at
from hybridsim.engine.stages import slope
from hybridsim.engine.state import ENTERING
from hybridsim.engine.watched import is_boundary, is_slide_end, is_stop, stop_at_index

QUIET, FIRING, VALUE_NOT_FINITE, OUTSIDE = range(4)
"""Result of setting the trigger states: nothing fires, something fires at once, a value is not finite, a boundary is
negative without having been declared to wait."""

FIRES, RESTS, WAITS, IS_NEGATIVE, IS_FLAT = range(5)
"""What the slope of a boundary at zero decides; if it vanishes (IS_FLAT), the flow is followed further."""

STRAIGHT_DIFFERENCE, BENT_DIFFERENCE = 6e-6, 1.2e-4
"""Half the length of a central difference at zero, and how far the flow is followed at most, as fractions of a step."""

N_LENGTHS, SHORTER = 5, 8.0
"""How many lengths of the flow are looked at, each shorter than the next by this factor."""

FEW_SPACINGS = 16.0
"""Least half length of the first [spacings of t]: it does not reach beyond a root close by."""


@kernel
def latch_at_zero(problem, state, workspace):
    """Decide every active boundary that is not positive; returns QUIET, FIRING or OUTSIDE."""
    delta = look_along_the_flow(problem, state, workspace)
    measure_deviation(problem, state, workspace)
    found, state.certificate = QUIET, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        if i == state.resting or not is_at_zero(problem, state, workspace, i):
            continue
        if is_stop(problem.settings, i):
            found = max(found, latch_stop(problem, state, workspace, i))
            continue
        verdict = classify_at_zero(problem, state, workspace, i, delta)
        if verdict == IS_NEGATIVE:
            state.end_boundary = i
            return OUTSIDE
        if verdict == IS_FLAT:
            verdict = classify_flat(problem, state, workspace, i)
        found = max(found, apply_verdict(problem, state, workspace, i, verdict))
    return found


@kernel
def rest_above_zero(problem, state, workspace):
    """Let boundaries rest that are above zero by rounding alone, and whose slope rounding hides, unless they fall.

    So begins what leaves the ground where its force vanishes: it rises with the third power of time, and armed, it
    would fire at the next rounding.
    """
    measure_deviation(problem, state, workspace)
    has_looked = False
    for a in range(state.n_active):
        i = workspace.active[a]
        value = workspace.g_start[i]
        is_new = workspace.was_active[i] == 0 and is_boundary(problem.settings, i)
        is_unsure = is_new and workspace.trigger_state[i] == ARMED and value <= workspace.deviation[i]
        if not is_unsure or problem.certificate[i] == TIME:
            continue
        if not has_looked:
            look_along_the_flow(problem, state, workspace)
            has_looked = True
        rise = workspace.g_ahead[i] - workspace.g_behind[i]
        if abs(rise) > 2.0 * workspace.deviation[i]:  # rounding, which is costly to find, moves it by less than that
            continue
        noise = rounding_effect(problem, state, workspace, i, state.t, workspace.x, workspace.x)
        if value <= noise and abs(rise) <= 2.0 * noise:
            workspace.noise[i] = noise
            if classify_flat(problem, state, workspace, i) == RESTS:
                apply_verdict(problem, state, workspace, i, RESTS)


@kernel
def is_at_zero(problem, state, workspace, i):
    """Return whether boundary i is zero or negative where a chart begins.

    One that has just fired, and that the transition has left where it was, is zero even if rounding makes it positive.
    """
    value = workspace.g_start[i]
    if value <= 0.0:
        return True
    has_fired_here = workspace.crossed_at[i] == state.t and problem.certificate[i] != TIME
    return has_fired_here and value <= workspace.g_fired[i]


@kernel
def look_along_the_flow(problem, state, workspace):
    """Evaluate the boundaries a little ahead and behind on a straight line along the flow.

    Return the time difference [s]. On a straight line the difference of an affine boundary has no truncation error.
    """
    delta = span(state.t, state.h, STRAIGHT_DIFFERENCE, FEW_SPACINGS)
    shift(problem.settings, delta, workspace.k, 0, workspace.x, workspace.x_shifted)
    evaluate(problem, state, workspace, workspace.g_ahead, state.t + delta, workspace.x_shifted)
    shift(problem.settings, -delta, workspace.k, 0, workspace.x, workspace.x_shifted)
    evaluate(problem, state, workspace, workspace.g_behind, state.t - delta, workspace.x_shifted)
    return delta


@kernel
def slope_at_zero(problem, state, workspace, i, delta):
    """Return (rise of boundary i over 2 delta, effect of rounding on it, distance from zero that counts as zero).

    The effect of rounding is 0 where the rise and the value are beyond doubt without it: it is costly to find.
    """
    precision, value = problem.settings.stop_precision, workspace.g_start[i]
    rise, noise, deviation = workspace.g_ahead[i] - workspace.g_behind[i], 0.0, workspace.deviation[i]
    if abs(rise) <= deviation or 0.0 < -value - precision <= deviation:
        noise = rounding_effect(problem, state, workspace, i, state.t, workspace.x, workspace.x)
    felt = abs(rise / (2.0 * delta)) * INSTANT_SPACINGS * spacing(state.t) + noise
    return rise, noise, precision + state.drift + felt


@kernel
def classify_at_zero(problem, state, workspace, i, delta):
    """Return what the slope of boundary i decides. Leave the effect of rounding on it in workspace.noise."""
    if is_slide_end(problem.settings, i):
        return FIRES
    rise, noise, tolerance = slope_at_zero(problem, state, workspace, i, delta)
    workspace.noise[i] = noise
    # Where it has rested, it may be below the tolerance; where it has fired at this instant, as deep as it fired.
    fired = -workspace.g_fired[i] if workspace.crossed_at[i] == state.t else 0.0
    tolerance += max(min(tolerance, -workspace.trigger_level[i]), fired, 0.0)
    negative = workspace.g_start[i] < -tolerance
    if negative and state.phase == ENTERING:
        tolerance += overshoot(problem, state, workspace, i) + corrected_by_jump(problem, state, workspace, i)
        negative = workspace.g_start[i] < -tolerance
    if negative and not problem.armed_when_positive[i]:
        return FIRES if state.inputs_changed else IS_NEGATIVE
    if negative or (rise < -2.0 * noise and problem.armed_when_positive[i] and workspace.fired_since_positive[i]):
        return WAITS
    if abs(rise) <= 2.0 * noise:
        return IS_FLAT
    return FIRES if rise < 0.0 else RESTS


@kernel
def overshoot(problem, state, workspace, i):
    """Return how far the flow before the jump moves boundary i within the spacings of t that locate the jump.

    The jump may have slowed the flow: then the slope after it says little about the distance from zero. States that
    the jump has changed are taken as they are.
    """
    settings, last = problem.settings, problem.settings.stages * problem.settings.width
    dt = INSTANT_SPACINGS * spacing(state.t)
    if state.extended:
        extension_slope_at(problem, workspace, (state.t - state.t_start) / state.step, workspace.slope)
    for m in range(settings.width):
        rate = workspace.slope[m] / state.step if state.extended else workspace.k[m + last]
        moves = m < settings.n_moving and workspace.x[m] == workspace.x_event[m]
        workspace.x_shifted[m] = workspace.x[m] - dt * rate if moves else workspace.x[m]
    evaluate(problem, state, workspace, workspace.g_shifted, state.t - dt, workspace.x_shifted)
    return abs(workspace.g_shifted[i] - workspace.g_start[i])


@kernel
def corrected_by_jump(problem, state, workspace, i):
    """Return how far boundary i is moved by what the jump has taken away of the errors of the steps.

    Those are changes of states within the tolerance, as where speeds of what rests are set to zero: what the boundaries
    have come to zero with is known to such errors only. States that the jump has changed by more are taken as they are.
    """
    settings = problem.settings
    for m in range(settings.width):
        before, after = workspace.x_event[m], workspace.x[m]
        is_error = m < settings.n_moving and abs(after - before) <= settings.atol + settings.rtol * abs(before)
        workspace.x_shifted[m] = before if is_error and problem.continuous[m] else after
    evaluate(problem, state, workspace, workspace.g_shifted, state.t, workspace.x_shifted)
    return abs(workspace.g_shifted[i] - workspace.g_start[i])


@kernel
def classify_flat(problem, state, workspace, i):
    """Return what the first change of boundary i along the flow decides that rounding does not hide.

    It may come from the slope, the curvature or the cubic term. A boundary that falls rests all the same where its
    slope is positive: a flight comes first that rounding hides, and it fires at its end. To fire here would change
    nothing, and so follow without end.
    """
    delta = span(state.t, state.h, BENT_DIFFERENCE, MANY_SPACINGS)
    for n in range(N_LENGTHS):
        length = delta / SHORTER ** (N_LENGTHS - 1 - n)
        follow(problem, state, workspace, length)
        ahead = workspace.g_shifted[i]
        if ahead - workspace.g_start[i] > 2.0 * workspace.noise[i]:
            return RESTS
        if ahead - workspace.g_start[i] < -2.0 * workspace.noise[i]:
            follow(problem, state, workspace, -length)
            return RESTS if ahead - workspace.g_shifted[i] > 2.0 * workspace.noise[i] else FIRES
    return RESTS


@kernel
def apply_verdict(problem, state, workspace, i, verdict):
    """Let boundary i fire, rest or wait; returns QUIET or FIRING.

    One that rests fires below where it is, at least as deep as rounding. One that was not active before may begin flat,
    as what lifts off does, and fires below where it is by rounding.
    """
    if verdict == FIRES:
        workspace.crossed[i] = 1
        state.certificate = weaker(state.certificate, problem.certificate[i])
        return FIRING
    workspace.trigger_state[i], workspace.trigger_level[i] = WAITING if verdict == WAITS else RESTING, 0.0
    if verdict == RESTS:
        value, noise = min(workspace.g_start[i], 0.0), workspace.noise[i]
        workspace.trigger_level[i] = min(value, -noise) if workspace.was_active[i] else value - noise
        if problem.armed_when_positive[i] and workspace.fired_since_positive[i]:
            # If rounding fired it while it rises, the jump would turn it outward, where it waits.
            noise = rounding_effect(problem, state, workspace, i, state.t, workspace.x, workspace.x)
            workspace.trigger_level[i] = min(-noise, workspace.g_start[i] - noise / INSTANT_SPACINGS)
    return QUIET


@kernel
def latch_stop(problem, state, workspace, i):
    """Decide a stop that is not positive: a jump has reached or passed its value, or the run starts on its value."""
    stop = stop_at_index(problem.settings, i)
    if workspace.stop_side[stop] != 0.0:
        workspace.crossed[i] = 1
        return FIRING
    m = problem.stop_state[stop]
    rate = workspace.k[m]
    if rate == 0.0:
        look_ahead(problem, state, workspace)
        rate = workspace.slope_ahead[m]
    workspace.stop_side[stop] = -1.0 if rate < 0.0 else 1.0
    workspace.trigger_state[i], workspace.trigger_level[i] = RESTING, 0.0
    return QUIET


@kernel
def look_ahead(problem, state, workspace):
    """Evaluate the vector field a little ahead, into slope_ahead; return the time difference [s]."""
    delta = span(state.t, state.h, BENT_DIFFERENCE, MANY_SPACINGS)
    shift(problem.settings, delta, workspace.k, 0, workspace.x, workspace.x_shifted)
    slope(problem, state, workspace, workspace.slope_ahead, 0, state.t + delta, workspace.x_shifted)
    return delta


@kernel
def follow(problem, state, workspace, delta):
    """Set g_shifted to the boundaries after a step of Heun's method of order 3, whose cubic term is that of the flow.

    Where a force has vanished, gap, speed and acceleration are 0.
    """
    x, x_shifted, k_ahead = workspace.x, workspace.x_shifted, workspace.slope_ahead
    shift(problem.settings, delta / 3.0, workspace.k, 0, x, x_shifted)
    slope(problem, state, workspace, k_ahead, 0, state.t + delta / 3.0, x_shifted)
    shift(problem.settings, 2.0 * delta / 3.0, k_ahead, 0, x, x_shifted)
    slope(problem, state, workspace, k_ahead, 0, state.t + 2.0 * delta / 3.0, x_shifted)
    for m in range(problem.settings.width):
        x_shifted[m] = x[m] + 0.25 * delta * (workspace.k[m] + 3.0 * k_ahead[m])
    evaluate(problem, state, workspace, workspace.g_shifted, state.t + delta, x_shifted)


@kernel
def weaker(first, second):
    """Return the weaker of two certificates."""
    if first == TIME:
        return second
    return first if second == TIME else min(first, second)
