"""Search of a step for a boundary with a bound M on its second derivative: a march that cannot jump over a root."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.signatures import kernel
from hybridsim.engine.events.fall import MIN_INTERVAL, NOT_FINITE, fell, value_and_rate_at

MAX_PROVED_STEPS = 256
"""Most steps of a search that the bound guarantees to be free of roots; the steps after these are not guaranteed."""

MAX_UNPROVED_STEP = 1.0 / 64.0
"""Longest step that the bound does not guarantee to be free of roots, in theta."""


@kernel
def reach(value, rate, bound):
    """Return how far G is certain to stay positive: the root of value + rate s - bound s^2 / 2."""
    if bound <= 0.0:
        return np.inf if rate >= 0.0 else -value / rate
    return (rate + math.sqrt(rate * rate + 2.0 * bound * max(value, 0.0))) / bound


@kernel
def search_bounded(problem, state, workspace, start, fall):
    """Return the first interval (lo, hi) in which G falls after theta = start, or (-1, -1).

    Each step is as long as the bound on the second derivative guarantees to be free of roots. Near a zero this length
    is almost 0; then the search takes steps of doubling length, which are not guaranteed, until the bound suffices
    again.
    """
    bound = problem.second_derivative_bound[fall.boundary] * state.step * state.step
    at_end = fall.orientation * (workspace.g_end[fall.boundary] - fall.level)
    lo, least, marches = start, MIN_INTERVAL, 0
    value, rate = value_and_rate_at(problem, state, workspace, fall, lo)
    clear_from_end = 0.0
    if not fell(at_end, fall.strict):
        _, rate_at_end = value_and_rate_at(problem, state, workspace, fall, 1.0)
        clear_from_end = reach(at_end, -rate_at_end, bound)
    while lo < 1.0:
        ahead = reach(value, rate, bound)
        if not math.isfinite(value + rate):
            state.fault = NOT_FINITE
            return -1.0, -1.0
        if lo + ahead + clear_from_end > 1.0 and clear_from_end > 0.0:
            return -1.0, -1.0
        marches += 1
        if marches == MAX_PROVED_STEPS:
            least = MAX_UNPROVED_STEP
        if ahead < least / 64.0 or ahead < MIN_INTERVAL or (marches >= MAX_PROVED_STEPS and ahead < least):
            if least > reach(problem.settings.stop_precision, abs(rate), bound):
                state.march_unproved = 1
            ahead, least = least, min(2.0 * least, MAX_UNPROVED_STEP)
        elif marches < MAX_PROVED_STEPS:
            least = MIN_INTERVAL
        hi = min(lo + ahead, 1.0)
        if hi == 1.0:
            return (lo, 1.0) if fell(at_end, fall.strict) else (-1.0, -1.0)
        value, rate = value_and_rate_at(problem, state, workspace, fall, hi)
        if fell(value, fall.strict):
            return lo, hi
        lo = hi
    return -1.0, -1.0
