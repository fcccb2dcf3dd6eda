"""Accumulation: infinitely many jumps in finite time (Zeno), recognised from the last few.

Where the intervals between the jumps of a boundary shrink by a ratio q, the jumps accumulate at
t + interval q / (1 - q) (Aitken 1926). How much this estimate changes from jump to jump is its error; late in the
sequence rounding spoils it, so the best one is kept.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.lanes import LANES, load, store
from hybridsim.engine.compiler.signatures import kernel
from hybridsim.engine.memory import HISTORY_LENGTH
from hybridsim.engine.rounding import SPACINGS, spacing

LAST, INTERVAL, ESTIMATE, BEST, ERROR_OF_BEST, SHORTEST, STREAK = range(HISTORY_LENGTH)
"""Numbers kept for each boundary: the time of its last jump, the interval before it, the last estimate, the best
estimate with its error and interval, and how many intervals in a row have shrunk."""

MIN_SHRINKING_INTERVALS = 6
"""Intervals that must shrink one after another before they are taken for an accumulation."""

STUCK_JUMPS = 100
"""Jumps at one instant, after as many shrinking intervals, that show that rounding keeps the time from advancing."""

STUCK_DISTANCE = 1e-4
"""Largest accepted distance of the estimated limit in that case, relative to the time elapsed."""

MIN_INTERVAL_RATIO = 1e-3
"""Intervals shorter than this fraction of the best estimate's do not contradict it: rounding may stretch them."""

CONTRADICTION_FACTOR = 8.0
"""Two estimates contradict each other if they differ by more than this multiple of their errors."""


@kernel
def accumulates(problem, state, workspace, i):
    """Add a jump at boundary i to its history; return whether it is within zeno_precision of an accumulation."""
    settings, past, at = problem.settings, workspace.history, i * HISTORY_LENGTH
    interval, before = state.t - past[at + LAST], past[at + INTERVAL]
    if interval <= SPACINGS * spacing(state.t):
        stuck = state.cascade >= STUCK_JUMPS and past[at + STREAK] >= MIN_SHRINKING_INTERVALS
        limit = min(settings.final_time, state.t + STUCK_DISTANCE * (state.t - settings.initial_time))
        return stuck and past[at + BEST] <= limit
    past[at + LAST], past[at + INTERVAL] = state.t, interval
    if 0.0 < interval < before < np.inf:
        note_estimate(past, at, state.t, interval, before)
    elif interval > past[at + SHORTEST]:  # a shorter one may be rounding only
        past[at + STREAK], past[at + SHORTEST], past[at + ERROR_OF_BEST] = 0.0, 0.0, np.inf
    near = settings.zeno_precision * (state.t - settings.initial_time)
    limit, error = past[at + BEST], past[at + ERROR_OF_BEST]
    return (
        past[at + STREAK] >= MIN_SHRINKING_INTERVALS
        and limit - state.t <= near
        and error <= near
        and limit <= settings.final_time
    )


@kernel
def note_estimate(past, at, t, interval, before):
    """Keep the estimate if it is the best so far, or if it shows that the error of the best was small by chance."""
    q = interval / before
    estimate = t + interval * q / (1.0 - q)
    past[at + STREAK] += 1.0
    if past[at + STREAK] > 1.0:
        by_rounding = SPACINGS * spacing(t) / (1.0 - q) ** 2
        error = max(abs(estimate - past[at + ESTIMATE]), by_rounding)
        off = abs(estimate - past[at + BEST]) > CONTRADICTION_FACTOR * (error + past[at + ERROR_OF_BEST])
        by_chance = off and interval > MIN_INTERVAL_RATIO * past[at + SHORTEST]
        if error < past[at + ERROR_OF_BEST] or by_chance:
            past[at + BEST], past[at + ERROR_OF_BEST], past[at + SHORTEST] = estimate, error, interval
    past[at + ESTIMATE] = estimate


@kernel
def limit_state(problem, state, workspace, i, t):
    """Set x_event to the state at the accumulation time t: continuous states change as over the last interval."""
    settings = problem.settings
    part = (t - state.t) / workspace.history[i * HISTORY_LENGTH + INTERVAL]
    for m in range(settings.width):
        workspace.x_event[m] = workspace.x[m]
        if m < settings.n_states and problem.continuous[m] and math.isfinite(part):
            workspace.x_event[m] += part * (workspace.x[m] - workspace.x_jump[i * settings.width + m])


@kernel
def accumulation(workspace, i):
    """Return the accumulation time of boundary i and its error, both estimated from its jumps."""
    return workspace.history[i * HISTORY_LENGTH + BEST], workspace.history[i * HISTORY_LENGTH + ERROR_OF_BEST]


@kernel
def keep_state(problem, workspace, i):
    """Keep the state after a jump at boundary i: the next interval is measured from it."""
    width = problem.settings.width
    for m in range(0, width, LANES):
        store(workspace.x_jump, i * width + m, load(workspace.x, m))


@kernel
def reset_history(workspace, i):
    """Reset the statistics of boundary i after an accumulation; later jumps form a new sequence."""
    workspace.history[i * HISTORY_LENGTH + STREAK], workspace.history[i * HISTORY_LENGTH + ERROR_OF_BEST] = 0.0, np.inf
    workspace.history[i * HISTORY_LENGTH + SHORTEST] = 0.0
