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
from hybridsim.engine.memory import HISTORY
from hybridsim.engine.rounding import SPACINGS, spacing

LAST, INTERVAL, ESTIMATE, BEST, ERROR, SHORTEST, STREAK = range(HISTORY)
"""What is remembered of each boundary: its last jump, the interval before it, the last estimate, the best estimate with
its error and interval, and how many intervals in a row have shrunk."""

FEWEST = 6
"""Intervals that must shrink one after another before they are taken for an accumulation."""

STUCK = 100
"""Jumps at one instant after such a sequence: rounding lets no more time pass."""

NOT_FAR = 1e-4
"""How far ahead the limit may then lie, relative to the time elapsed."""

LATE = 1e-3
"""Intervals this much shorter than that of the best estimate say nothing against it: rounding may stretch them."""


@kernel
def accumulates(problem, state, workspace, i):
    """Note a jump at boundary i. Have its jumps come within zeno_precision of their accumulation?"""
    settings, past, at = problem.settings, workspace.history, i * HISTORY
    interval, before = state.t - past[at + LAST], past[at + INTERVAL]
    if interval <= SPACINGS * spacing(state.t):
        stuck = state.cascade >= STUCK and past[at + STREAK] >= FEWEST
        limit = min(settings.final_time, state.t + NOT_FAR * (state.t - settings.initial_time))
        return stuck and past[at + BEST] <= limit
    past[at + LAST], past[at + INTERVAL] = state.t, interval
    if 0.0 < interval < before < np.inf:
        note_estimate(past, at, state.t, interval, before)
    elif interval > past[at + SHORTEST]:  # below that one rounding may be all there is
        past[at + STREAK], past[at + SHORTEST], past[at + ERROR] = 0.0, 0.0, np.inf
    near = settings.zeno_precision * (state.t - settings.initial_time)
    limit, error = past[at + BEST], past[at + ERROR]
    return past[at + STREAK] >= FEWEST and limit - state.t <= near and error <= near and limit <= settings.final_time


@kernel
def note_estimate(past, at, t, interval, before):
    """Keep the estimate if it is the best so far, or shows that the best so far was so by chance."""
    q = interval / before
    estimate = t + interval * q / (1.0 - q)
    past[at + STREAK] += 1.0
    if past[at + STREAK] > 1.0:
        by_rounding = SPACINGS * spacing(t) / (1.0 - q) ** 2
        error = max(abs(estimate - past[at + ESTIMATE]), by_rounding)
        off = abs(estimate - past[at + BEST]) > 8.0 * (error + past[at + ERROR])
        by_chance = off and interval > LATE * past[at + SHORTEST]
        if error < past[at + ERROR] or by_chance:
            past[at + BEST], past[at + ERROR], past[at + SHORTEST] = estimate, error, interval
    past[at + ESTIMATE] = estimate


@kernel
def limit_state(problem, state, workspace, i, t):
    """The state at the accumulation time t, into x_event: each flowing state goes on as over the last interval."""
    settings = problem.settings
    part = (t - state.t) / workspace.history[i * HISTORY + INTERVAL]
    for m in range(settings.width):
        workspace.x_event[m] = workspace.x[m]
        if m < settings.n_states and problem.continuous[m] and math.isfinite(part):
            workspace.x_event[m] += part * (workspace.x[m] - workspace.x_jump[i * settings.width + m])


@kernel
def accumulation(workspace, i):
    """The accumulation time of boundary i and its error, as far as its jumps tell."""
    return workspace.history[i * HISTORY + BEST], workspace.history[i * HISTORY + ERROR]


@kernel
def remember_state(problem, workspace, i):
    """The state after the jump, to go on from at the next."""
    width = problem.settings.width
    for m in range(0, width, LANES):
        store(workspace.x_jump, i * width + m, load(workspace.x, m))


@kernel
def forget(workspace, i):
    """Begin anew: after an accumulation the next jump of the boundary belongs to another story."""
    workspace.history[i * HISTORY + STREAK], workspace.history[i * HISTORY + ERROR] = 0.0, np.inf
    workspace.history[i * HISTORY + SHORTEST] = 0.0
