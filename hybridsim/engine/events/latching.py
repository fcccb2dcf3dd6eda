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
def evaluate(problem, now, work, g, t, x):
    """G = all active boundaries at (t, x), followed by the state stops and the ends of a slide."""
    evaluate_into(problem, now, work, g, 0, t, x)


@kernel
def evaluate_into(problem, now, work, g, offset, t, x):
    """The same, into g[offset:]."""
    settings = problem.settings
    n = settings.n_boundaries
    if n > 0:
        call_boundaries(problem.functions[BOUNDARIES], g, offset, t, x, problem.p, now.chart)
    now.boundary_calls += 1
    if now.adjacent_chart != NOWHERE:
        sliding_boundaries(problem, now, work, g, offset, t, x)
    for stop in range(settings.n_stops):
        g[offset + n + stop] = work.stop_side[stop] * (x[problem.stop_state[stop]] - problem.stop_value[stop])


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
def slopes(problem, now, work, t, x, xdot, offset, g, rates, step):
    """Rates = dg/dt along the flow at (t, x): a difference over 2^-12 of a step, backward if `step` is negative.

    Good enough to tell which steps are clear of zero; what is not clear is looked at more sharply.
    """
    delta = math.copysign(span(t, abs(step), 2.0**-12), step)
    shift(problem.settings, delta, xdot, offset, x, work.x_stage)
    evaluate(problem, now, work, work.g_shift, t + delta, work.x_stage)
    for a in range(now.n_active):
        i = work.active[a]
        rates[i] = (work.g_shift[i] - g[i]) / delta


@kernel
def find_active(problem, now, work):
    """List the boundaries that are active in this chart: those that overwrite two different presets.

    So a boundary that computes a nan is never taken for an inactive one.
    """
    settings = problem.settings
    n = settings.n_boundaries
    now.n_active, now.sampled, now.bounded, now.groups, now.decided = 0, 0, 0, 0, UNDECIDED
    for i in range(settings.n_watched):
        work.crossed[i], work.latch[i], work.source[i] = 0, INACTIVE, 0
    call_with_presets(problem, now, work, now.chart)
    for i in range(n):
        if is_written(work, i) and not (now.adjacent_chart != NOWHERE and i == now.surface):
            activate(problem, now, work, i)
    for i in range(n, n + settings.n_stops):
        activate(problem, now, work, i)
    if now.adjacent_chart != NOWHERE:
        find_active_in_slide(problem, now, work)
    if settings.n_stops or now.adjacent_chart != NOWHERE:
        evaluate(problem, now, work, work.g_start, now.t, work.x)


@kernel
def call_with_presets(problem, now, work, chart):
    settings = problem.settings
    for i in range(settings.n_boundaries):
        work.g_start[i], work.g_trial[i] = 1.0, 2.0
    if settings.n_boundaries:
        call_boundaries(problem.functions[BOUNDARIES], work.g_trial, 0, now.t, work.x, problem.p, chart)
        call_boundaries(problem.functions[BOUNDARIES], work.g_start, 0, now.t, work.x, problem.p, chart)
        now.boundary_calls += 2


@kernel
def is_written(work, i):
    return work.g_start[i] != 1.0 or work.g_trial[i] != 2.0


@kernel
def activate(problem, now, work, i):
    """From here on a step is decided no better than this boundary is."""
    kind = problem.kind[i]
    work.latch[i] = ARMED
    work.active[now.n_active] = i
    now.n_active += 1
    now.sampled += kind == SAMPLED
    now.bounded += kind == BOUNDED
    if kind != TIME:
        now.groups |= 1 << problem.degree[i]
        now.decided = kind if now.decided <= TIME else min(now.decided, kind)
    elif now.decided == UNDECIDED:
        now.decided = TIME


@kernel
def find_active_in_slide(problem, now, work):
    """The other chart's boundaries are watched as well, except the one that leads back; and the ends of the slide."""
    settings = problem.settings
    call_with_presets(problem, now, work, now.adjacent_chart)
    for i in range(settings.n_boundaries):
        if is_written(work, i) and work.latch[i] == INACTIVE and i != now.back:
            work.source[i] = 1
            activate(problem, now, work, i)
    for i in range(settings.n_watched - N_EXITS, settings.n_watched):
        activate(problem, now, work, i)


@kernel
def latch(problem, now, work):
    """Latch every boundary of the chart that begins at (now.t, work.x), whose first slope is work.k[0:]."""
    at_zero = False
    for a in range(now.n_active):
        i = work.active[a]
        work.floor[i] = 0.0
        work.time_target[i] = np.inf
        work.by_touch[i], work.touched[i] = 0, work.g_start[i] <= problem.clearance[i]
        if problem.kind[i] == TIME and work.crossed_at[i] == now.t:
            look_past(problem, now, work, i)
        if not math.isfinite(work.g_start[i]):
            now.detail = i
            return NOT_FINITE
        if i == now.resting:
            work.latch[i], work.floor[i] = RESTING, min(work.g_start[i], 0.0) - problem.settings.stop_precision
        elif work.g_start[i] > 0.0:
            work.spent[i] = 0
            if problem.kind[i] == TIME:
                schedule(problem, now, work, i)
        else:
            at_zero = True
    return latch_at_zero(problem, now, work) if at_zero else QUIET


@kernel
def latch_after_change(problem, now, work):
    """Where inputs have changed within an epoch: what this has made positive is armed, and what was positive crosses.

    A boundary that waits goes on to wait, and one that rests rests unless it has fallen below its floor.
    """
    evaluate(problem, now, work, work.g_start, now.t, work.x)
    found, now.certificate = QUIET, TIME
    for a in range(now.n_active):
        i = work.active[a]
        value = work.g_start[i]
        if not math.isfinite(value):
            now.detail = i
            return NOT_FINITE
        work.time_target[i], work.by_touch[i] = np.inf, 0
        if value > 0.0:
            work.latch[i], work.floor[i], work.spent[i] = ARMED, 0.0, 0
            if problem.kind[i] == TIME:
                schedule(problem, now, work, i)
        elif work.latch[i] == ARMED or (work.latch[i] == RESTING and value < work.floor[i]):
            work.crossed[i], found = 1, CROSSED
            now.certificate = weaker(now.certificate, problem.kind[i])
    return found


@kernel
def look_past(problem, now, work, i):
    """A time boundary that has just fired and says zero again, but more a moment later, means the later time.

    Such is the time left until the next multiple of a period, which rounding leaves at zero here and there.
    """
    instant = SPACINGS * spacing(now.t)
    if abs(work.g_start[i]) <= instant:
        evaluate(problem, now, work, work.g_trial, now.t + 2.0 * instant, work.x)
        if work.g_trial[i] > instant:
            work.g_start[i] = work.g_trial[i] + 2.0 * instant


@kernel
def schedule(problem, now, work, i):
    """When a time boundary fires. Near that time its value is exact, so one correction gives the last bit.

    More than rounding is no correction: the value has jumped there, to the time left until a later instant.
    """
    target = now.t + work.g_start[i]
    evaluate(problem, now, work, work.g_trial, target, work.x)
    if abs(work.g_trial[i]) <= SPACINGS * EPSILON * (abs(now.t) + abs(work.g_start[i]) + abs(target)):
        target += work.g_trial[i]
    work.time_target[i] = max(target, np.nextafter(now.t, np.inf))
    now.t_target = min(now.t_target, work.time_target[i])


@kernel
def latch_at_zero(problem, now, work):
    """Decide the boundaries that are not positive where the chart begins, from their slope, then their curvature.

    The slope is a central difference along a straight line in the direction of the flow, so that an affine boundary
    gives it without truncation error. A slope that is not far beyond rounding at first sight is compared with what
    rounding really does.
    """
    settings = problem.settings
    delta = span(now.t, now.h, 6e-6)
    shift(problem.settings, delta, work.k, 0, work.x, work.x_stage)
    evaluate(problem, now, work, work.slope_start, now.t + delta, work.x_stage)
    shift(problem.settings, -delta, work.k, 0, work.x, work.x_stage)
    evaluate(problem, now, work, work.g_trial, now.t - delta, work.x_stage)
    round_all(problem, now, work, work.g_middle, 0.6180339887498949)
    round_all(problem, now, work, work.slope_end, 0.7548776662466927)
    bend_known = False
    found, certificate = QUIET, TIME
    for a in range(now.n_active):
        i = work.active[a]
        value = work.g_start[i]
        if value > 0.0:
            continue
        if i == now.resting:
            continue
        if i >= settings.n_watched - N_EXITS:
            work.crossed[i], found = 1, CROSSED
            certificate = now.certificate = SAMPLED
            continue
        if i >= settings.n_boundaries:
            found = max(found, latch_stop(problem, now, work, i, i - settings.n_boundaries))
            continue
        rise = work.slope_start[i] - work.g_trial[i]
        noise, doubtful = 0.0, abs(work.g_middle[i] - value) + abs(work.slope_end[i] - value)
        if abs(rise) <= doubtful or 0.0 < -value - settings.stop_precision <= doubtful:
            noise = rounding(problem, now, work, i, now.t, work.x, work.x)
        felt = abs(rise / (2.0 * delta)) * SPACINGS * spacing(now.t) + noise
        tolerance = settings.stop_precision + now.drift + felt
        if value < -tolerance and not problem.patient[i]:
            if now.changed:
                work.crossed[i], found = 1, CROSSED
                certificate = now.certificate = weaker(certificate, problem.kind[i])
                continue
            now.detail = i
            return OUTSIDE
        if problem.patient[i] and (value < -tolerance or work.spent[i]):
            work.latch[i] = WAITING
            continue
        if abs(rise) <= 2.0 * noise:
            if not bend_known:
                bend(problem, now, work)
                bend_known = True
            rise = work.g_end[i] + work.slope_end[i] - 2.0 * value
            if abs(rise) <= 4.0 * noise:
                rise = 0.0
        if rise < 0.0:
            work.crossed[i] = 1
            found = CROSSED
            certificate = weaker(certificate, problem.kind[i])
            now.certificate = certificate
        else:
            work.latch[i] = RESTING
            work.floor[i] = min(value, -noise)  # and no lower each time: the last bounces of a ball would sink
    return found


@kernel
def round_all(problem, now, work, g, turn):
    """G = the boundaries with t and all states far more than rounded, each by another amount: a cheap hint.

    A boundary in which these changes cancel is rare, and rarer still for two different turns of the golden kind.
    """
    much = SURELY_FELT * SPACINGS
    for m in range(problem.settings.n_states):
        work.x_trial[m] = work.x[m] * (1.0 + (1.0 + (turn * (m + 1.0)) % 1.0) * much * EPSILON)
    evaluate(problem, now, work, g, now.t + much * spacing(now.t), work.x_trial)
    copy(problem.settings, work.x, work.x_trial)


@kernel
def rounding(problem, now, work, i, t, x, scale):
    """What rounding does to boundary i at (t, x): by that of t and of each state, SPACINGS of them, added up.

    A state is as rough as it is large, or as it was before (`scale`). Added up, nothing cancels; one call for each.
    """
    copy(problem.settings, x, work.x_stage)
    evaluate(problem, now, work, work.g_shift, t, work.x_stage)
    value = work.g_shift[i]
    evaluate(problem, now, work, work.g_shift, t + SPACINGS * spacing(t), work.x_stage)
    total = SPACINGS * EPSILON * abs(value) + abs(work.g_shift[i] - value)
    for m in range(problem.settings.n_states):
        work.x_stage[m] = x[m] + SPACINGS * EPSILON * max(abs(x[m]), abs(scale[m]))
        if work.x_stage[m] != x[m]:
            evaluate(problem, now, work, work.g_shift, t, work.x_stage)
            total += abs(work.g_shift[i] - value)
        work.x_stage[m] = x[m]
    return total


@kernel
def latch_stop(problem, now, work, i, stop):
    """A state stop that is not positive: a jump reached or passed its value, or the run starts on it and leaves."""
    if work.stop_side[stop] == 0.0:
        m = problem.stop_state[stop]
        rate = work.k[m]
        if rate == 0.0:
            bend(problem, now, work)
            rate = work.k[m + problem.settings.width]  # a little later
        work.stop_side[stop] = -1.0 if rate < 0.0 else 1.0
        work.latch[i] = RESTING
        return QUIET
    work.crossed[i] = 1
    return CROSSED


@kernel
def bend(problem, now, work):
    """Boundaries a little before (slope_end) and after (g_end), along the parabola through the state."""
    delta = span(now.t, now.h, 1.2e-4)
    width = problem.settings.width
    shift(problem.settings, delta, work.k, 0, work.x, work.x_stage)
    slope(problem, now, work, work.k, width, now.t + delta, work.x_stage)
    for sign in (1.0, -1.0):
        for m in range(width):
            work.x_stage[m] = work.x[m] + delta * (sign * work.k[m] + 0.5 * (work.k[m + width] - work.k[m]))
        evaluate(problem, now, work, work.g_end if sign > 0.0 else work.slope_end, now.t + sign * delta, work.x_stage)


@kernel
def relatch(now, work, g):
    """Where a step ended with values g and no jump: what has become positive is armed."""
    for a in range(now.n_active):
        i = work.active[a]
        if g[i] > 0.0 and work.latch[i] != INACTIVE:
            work.latch[i] = ARMED
            work.floor[i] = 0.0
            work.spent[i] = 0


@kernel
def weaker(first, second):
    """The weaker of two certificates: sampled, then bounded, then exact; nothing is surer than a time."""
    if first == TIME:
        return second
    return first if second == TIME else min(first, second)
