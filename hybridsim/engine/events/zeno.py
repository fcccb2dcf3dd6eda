"""Accumulation: infinitely many jumps in finite time (Zeno), recognised from the last few.

Where the intervals between the jumps of a boundary shrink by a ratio q, the jumps accumulate at
t + interval q / (1 - q) (Aitken 1926). How much this estimate changes from jump to jump is its error; late in the
sequence rounding spoils it, so the best one is kept.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, store
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer, real, void
from hybridsim.engine.events.crossing_depth import moved
from hybridsim.engine.events.fall import Fall, value_and_rate_at
from hybridsim.engine.events.perturbation import rounding_effect
from hybridsim.engine.events.slide_entry import same_state
from hybridsim.engine.memory import BY_TRANSITION, HISTORY_LENGTH, NOWHERE
from hybridsim.engine.rounding import EPSILON, INSTANT_SPACINGS, spacing

LAST, INTERVAL, ESTIMATE, BEST, ERROR_OF_BEST, SHORTEST, STREAK, FIRST, CHANGE, UNRESOLVED, CLOSE, PAUSE = range(12)
STEPS, SHIFT, SHIFT_OF_BEST = range(12, HISTORY_LENGTH)
"""Numbers kept for each boundary: the time of its last jump, the last resolved interval, the last estimate, the
best estimate with its error and interval, how many intervals in a row have shrunk (`note_interval`), the time of the
jump before the first of these, how far the last interval that shrank moved the state, how many jumps in a row were too
close together to be resolved, how many intervals in a row lasted only a few spacings of t, the last interval,
resolved or not, the steps made up to the last jump, how far integration has shifted the jumps of the sequence, and how
far the best estimate."""

MIN_SHRINKING_INTERVALS = 6
"""Intervals that must shrink one after another before they are taken for an accumulation."""

MIN_INTERVALS_IF_STUCK = 2
"""The same if rounding ends the sequence: the first estimate and one that confirms it."""

STUCK_JUMPS = 4
"""Unresolved jumps in a row that end the sequence: rounding hides the intervals between them."""

STUCK_DISTANCE = 1e-4
"""Largest accepted distance of the estimated limit in that case, as a fraction of the duration of the sequence."""

MANY_STUCK_JUMPS, LARGEST_STUCK_DISTANCE = 100, 1e-2
"""After that many unresolved jumps in a row, the largest accepted distance of the limit."""

CLOSE_SPACINGS, MANY_CLOSE_JUMPS = 64.0, 200
"""After so many intervals in a row of at most so many spacings of t, the jumps have reached their limit, although their
intervals did not shrink regularly: a ball in a wedge bounces from side to side without a pattern. Likewise after as
many intervals that rounding hides, and after `STUCK_JUMPS` of them if it hides also that the boundary was positive."""

SHORT_INTERVAL = 1.0 / 64.0
"""Of intervals shorter than this fraction of the duration of the sequence it is computed whether they are resolved."""

MAX_TIME_SINCE_LIMIT = 0.5
"""An estimated limit that has been passed by more than this fraction of the duration was none, as in a gait whose first
steps shrink a little: then that is not computed, because it is costly."""

MAX_TIME_TO_LIMIT = 64.0
"""Nor is it for a limit farther off than this multiple of the duration: the intervals have hardly shrunk so far, as in
a gait that loses a little speed with every step."""

VERY_SHORT_INTERVAL = 1e-6
"""The same as a fraction of the duration of the run, for jumps that do not form a sequence."""

RESOLUTION_FACTOR = 4.0
"""An interval is resolved if it is longer than this multiple of the effect of rounding on the time of a crossing."""

SHRINKING_RATIO = 0.999
"""An interval shrinks by more than this ratio, or the errors of its steps are not counted: that is costly."""

FADING = 0.75
"""What remains, at each jump before a sequence has begun, of how far those before it were shifted."""

CONTRADICTION_FACTOR = 8.0
"""Two estimates contradict each other if they differ by more than this multiple of their errors."""

MAX_EXTRAPOLATION = 1000.0
"""Farthest limit to which the state is extrapolated, as a multiple of the last interval."""


@kernel
def accumulates(problem, state, workspace, i, before):
    """Add a jump at boundary i, from the chart `before`, to its history; return whether the jumps are near their limit.

    That is within `zeno_precision` times the duration of the sequence, or within the effect of rounding.
    """
    settings, past, at = problem.settings, workspace.history, i * HISTORY_LENGTH
    interval, duration = state.t - past[at + LAST], state.t - past[at + FIRST]
    resolution = INSTANT_SPACINGS * spacing(state.t)
    left = past[at + BEST] - state.t
    approaches = (
        past[at + STREAK] >= MIN_INTERVALS_IF_STUCK
        and -MAX_TIME_SINCE_LIMIT * duration < left < MAX_TIME_TO_LIMIT * duration
    )
    shortened = approaches and interval < SHORT_INTERVAL * duration
    very_short = interval < VERY_SHORT_INTERVAL * (state.t - settings.initial_time)
    if interval > resolution and (shortened or very_short or not has_risen(workspace, i)):
        resolution = max(resolution, RESOLUTION_FACTOR * time_resolution(problem, state, workspace, i))
    if interval == np.inf or interval < SHRINKING_RATIO * past[at + PAUSE]:
        note_shift(problem, state, workspace, i, interval)
    past[at + LAST], past[at + PAUSE], past[at + STEPS] = state.t, interval, state.steps
    stays = state.chart == before  # charts that alternate may go on for ever
    if stays and are_at_limit(problem, state, workspace, i, interval, resolution):
        return True
    if interval > resolution:
        note_interval(problem, state, workspace, i, interval, resolution)
    else:
        past[at + UNRESOLVED] += 1.0
    limit, duration = past[at + BEST], state.t - past[at + FIRST]
    if limit > settings.final_time or past[at + STREAK] < MIN_INTERVALS_IF_STUCK:
        return False
    if past[at + UNRESOLVED] >= STUCK_JUMPS:
        part = STUCK_DISTANCE if past[at + UNRESOLVED] < MANY_STUCK_JUMPS else LARGEST_STUCK_DISTANCE
        return abs(limit - state.t) <= part * duration + STUCK_JUMPS * resolution
    hidden = min(effect_on_limit(past, at, resolution), LARGEST_STUCK_DISTANCE * duration)  # an estimate may be far off
    near = max(settings.zeno_precision * duration, hidden)
    return past[at + STREAK] >= MIN_SHRINKING_INTERVALS and limit - state.t <= near and past[at + ERROR_OF_BEST] <= near


@kernel
def has_risen(workspace, i):
    """Return whether boundary i was positive between its last two jumps; else it rested within rounding of zero."""
    return not workspace.from_rest[i]


@kernel
def are_at_limit(problem, state, workspace, i, interval, resolution):
    """Return whether jumps have followed one another so closely and so often that the time of the last is their limit.

    Either within a few spacings of t or as rounding alone lets them; or many at one instant, after an interval that
    rounding has all but hidden or if the boundary has a rest chart, where one that gives back its state is enough: all
    that follow would do so. Other jumps at one instant have no limit: there, a model's transitions never end.
    """
    past, at, may_rest = workspace.history, i * HISTORY_LENGTH, problem.rest[i] != NOWHERE
    longest = max(CLOSE_SPACINGS * spacing(state.t), resolution)
    if interval > longest:
        past[at + CLOSE] = 0.0
    elif interval > 0.0:
        past[at + CLOSE] += 1.0 if has_risen(workspace, i) else MANY_CLOSE_JUMPS / STUCK_JUMPS
    repeats = may_rest and interval <= resolution and same_state(problem.settings, workspace.x, workspace.x_event)
    if past[at + CLOSE] < MANY_CLOSE_JUMPS and not repeats:
        if past[at + UNRESOLVED] < MANY_STUCK_JUMPS:
            return False
        longest = max(longest, CLOSE_SPACINGS * time_resolution(problem, state, workspace, i))
        if past[at + INTERVAL] > longest and not may_rest:
            return False
    error, off = STUCK_JUMPS * max(CLOSE_SPACINGS * spacing(state.t), interval), abs(past[at + BEST] - state.t)
    if past[at + STREAK] >= MIN_INTERVALS_IF_STUCK and off <= LARGEST_STUCK_DISTANCE * (state.t - past[at + FIRST]):
        error = max(error, off)  # the limit of the intervals before rounding hid them
    past[at + BEST], past[at + ERROR_OF_BEST], past[at + SHIFT_OF_BEST] = state.t, error, past[at + SHIFT]
    return True


@kernel
def note_interval(problem, state, workspace, i, interval, resolution):
    """Add an interval longer than rounding to the history of boundary i.

    If the state does not converge, or the interval grows, a long one ends the sequence. A short one halves its length:
    it may be another boundary that has changed the state, but not over and over.
    """
    past, at = workspace.history, i * HISTORY_LENGTH
    before = past[at + INTERVAL]
    past[at + INTERVAL], past[at + UNRESOLVED] = interval, 0.0
    if interval < before < np.inf and state_converges(problem, workspace, i):
        note_estimate(past, at, state.t, interval, before, resolution)
    elif interval > past[at + SHORTEST]:
        reset_history(workspace, i)
    elif resolution < interval * (1.0 - interval / before) ** 2:  # not by rounding only
        past[at + STREAK] = np.floor(0.5 * past[at + STREAK])


@kernel
def effect_on_limit(past, at, resolution):
    """Return how far rounding of the last interval moves the estimate t + interval q / (1 - q); 0 if unresolved."""
    left = past[at + BEST] - past[at + LAST]
    part = past[at + INTERVAL] / (past[at + INTERVAL] + max(left, 0.0))  # 1 - q
    return resolution / part**2 if resolution < past[at + INTERVAL] else 0.0


@kernel
def time_resolution(problem, state, workspace, i):
    """Return how far rounding can move a crossing of boundary i [s]: its effect on the boundary over the rate there.

    Infinite if rounding hides the rate.
    """
    chart, adjacent = state.chart, state.adjacent_chart
    state.chart, state.adjacent_chart = state.chart_start, state.adjacent_chart_start
    _, rate = value_and_rate_at_jump(problem, state, workspace, i)
    effect = rounding_effect(problem, state, workspace, i, state.t_event, workspace.x_search, workspace.x_start)
    state.chart, state.adjacent_chart = chart, adjacent
    if effect == 0.0:
        return 0.0
    return effect / abs(rate) if rate != 0.0 else np.inf


@kernel
def value_and_rate_at_jump(problem, state, workspace, i):
    """Return boundary i and its rate [1/s] where it has crossed, in the chart of the last step."""
    theta = (state.t_event - state.t_start) / state.step
    value, rate = value_and_rate_at(problem, state, workspace, Fall(i, 0.0, 1.0, False), theta)
    return value, rate / state.step


@routine(void, integer, real)
def note_shift(problem, state, workspace, i, interval):
    """Add how far rounding, and the errors of the steps since the jump before, have shifted a jump at boundary i [s].

    Each step counts with the error of the last. What was before the sequence counts less at each jump.
    """
    past, at = workspace.history, i * HISTORY_LENGTH
    chart, adjacent = state.chart, state.adjacent_chart
    state.chart, state.adjacent_chart = state.chart_start, state.adjacent_chart_start
    g, rate = value_and_rate_at_jump(problem, state, workspace, i)
    place = state.t_event, workspace.x_search, g
    error = moved(problem, state, workspace, i, place, INSTANT_SPACINGS * EPSILON, workspace.x_search)
    state.chart, state.adjacent_chart = chart, adjacent
    if state.error > 0.0:
        error += (state.steps - past[at + STEPS]) * state.error
    shift = spacing(state.t) + (error / abs(rate) if rate != 0.0 else 0.0)
    past[at + SHIFT] = (1.0 if past[at + STREAK] > 0.0 else FADING) * past[at + SHIFT] + min(shift, interval)


@kernel
def state_converges(problem, workspace, i):
    """Return whether the state has moved less than over the interval before, or by rounding only; keep how far."""
    settings, at, change = problem.settings, i * HISTORY_LENGTH, 0.0
    for m in range(settings.n_moving):
        if problem.continuous[m]:
            size = settings.atol + settings.rtol * abs(workspace.x[m])
            change = max(change, abs(workspace.x[m] - workspace.x_jump[i * settings.width + m]) / size)
    last_change = workspace.history[at + CHANGE]
    workspace.history[at + CHANGE] = change
    return change < last_change or change <= rounding_of_state(problem, workspace)


@kernel
def rounding_of_state(problem, workspace):
    """Return how far rounding moves the state, in the unit of `state_converges`."""
    settings, rounding = problem.settings, 0.0
    for m in range(settings.n_moving):
        if problem.continuous[m]:
            size = settings.atol + settings.rtol * abs(workspace.x[m])
            rounding = max(rounding, INSTANT_SPACINGS * EPSILON * abs(workspace.x[m]) / size)
    return rounding


@kernel
def note_estimate(past, at, t, interval, before, resolution):
    """Keep the estimate if it is the best so far, or if it shows that the error of the best was small by chance.

    So does a jump beyond the best.
    """
    q = interval / before
    estimate = t + interval * q / (1.0 - q)
    if past[at + STREAK] == 0.0:
        past[at + FIRST] = t - interval - before
    past[at + STREAK] += 1.0
    if past[at + STREAK] > 1.0:
        error = max(abs(estimate - past[at + ESTIMATE]), resolution / (1.0 - q) ** 2)
        by_chance = abs(estimate - past[at + BEST]) > CONTRADICTION_FACTOR * (error + past[at + ERROR_OF_BEST])
        by_chance = by_chance or t - past[at + BEST] > CONTRADICTION_FACTOR * past[at + ERROR_OF_BEST]
        if error < past[at + ERROR_OF_BEST] or by_chance:
            past[at + BEST], past[at + ERROR_OF_BEST], past[at + SHORTEST] = estimate, error, interval
            past[at + SHIFT_OF_BEST] = past[at + SHIFT] * (1.0 + q) / (1.0 - q)
    past[at + ESTIMATE] = estimate


@kernel
def limit_time(state, workspace, i):
    """Return the accumulation time of boundary i, or the present time if the state cannot be extrapolated so far."""
    past, at = workspace.history, i * HISTORY_LENGTH
    reachable = state.t + MAX_EXTRAPOLATION * past[at + PAUSE]
    return past[at + BEST] if state.t < past[at + BEST] <= reachable else state.t


@kernel
def limit_state(problem, state, workspace, i, t):
    """Set x_event to the state at the limit t: each continuous state goes on as over the last interval."""
    settings, past, at = problem.settings, workspace.history, i * HISTORY_LENGTH
    part = (t - state.t) / past[at + PAUSE] if t > state.t else 0.0
    for m in range(settings.width):
        workspace.x_event[m] = workspace.x[m]
        if m < settings.n_states and problem.continuous[m]:
            workspace.x_event[m] += part * (workspace.x[m] - workspace.x_jump[i * settings.width + m])


@kernel
def accumulation(workspace, i):
    """Return the accumulation time of boundary i, its error, both estimated from its jumps, and that by integration.

    A jump that comes late by dt after an interval T leads to intervals longer by the part 2 dt / T, if they are the
    flights of a ball: those that remain, T q / (1 - q), shift the limit by 2 q / (1 - q) dt more.
    """
    past, at = workspace.history, i * HISTORY_LENGTH
    return past[at + BEST], past[at + ERROR_OF_BEST], past[at + SHIFT_OF_BEST]


@kernel
def keep_state(problem, workspace, i):
    """Keep the state after a jump at boundary i: the next interval is measured from it."""
    width = problem.settings.width
    for m in range(0, width, LANES):
        store(workspace.x_jump, i * width + m, load(workspace.x, m))


@kernel
def forget_sharers(problem, workspace, i):
    """Reset the statistics of all boundaries whose jumps have come to the limit of those at boundary i, with these.

    They have jumped since the last but one of i, and a transition answers at the limit: what follows is new to them.
    """
    since = workspace.history[i * HISTORY_LENGTH + LAST] - workspace.history[i * HISTORY_LENGTH + PAUSE]
    for b in range(problem.settings.n_boundaries if problem.rest[i] == BY_TRANSITION else 0):
        if problem.rest[b] == BY_TRANSITION and workspace.history[b * HISTORY_LENGTH + LAST] >= since:
            reset_history(workspace, b)


@kernel
def reset_history(workspace, i):
    """Reset the statistics of boundary i: later jumps form a new sequence."""
    at = i * HISTORY_LENGTH
    workspace.history[at + STREAK], workspace.history[at + ERROR_OF_BEST] = 0.0, np.inf
    workspace.history[at + SHORTEST], workspace.history[at + UNRESOLVED] = 0.0, 0.0
    workspace.history[at + SHIFT], workspace.history[at + SHIFT_OF_BEST] = 0.0, 0.0
