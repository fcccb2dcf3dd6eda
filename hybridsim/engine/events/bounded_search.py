"""Search of a step for a boundary with a bound M on its second derivative: a march that cannot jump over a root."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.fall import MIN_INTERVAL, NOT_FINITE, fell, value_and_rate_at
from hybridsim.engine.events.sampled_search import push_rest, search_intervals

MAX_PROVED_STEPS = 256
"""Most steps of a search that the bound guarantees to be free of roots; the rest is searched like a boundary without a
bound."""


@kernel
def reach(value, rate, bound):
    """Return how far G is certain to stay positive: the root of value + rate s - bound s^2 / 2."""
    if bound <= 0.0:
        return np.inf if rate >= 0.0 else -value / rate
    return (rate + math.sqrt(rate * rate + 2.0 * bound * max(value, 0.0))) / bound


@kernel
def search_bounded(problem, state, workspace, start, fall):
    """Return the first interval (lo, hi) in which G falls after theta = start, or (-1, -1).

    Each step is as long as the bound on the second derivative guarantees to be free of roots. On zero this length is 0;
    there the search takes steps of doubling length while the bound keeps G within `stop_precision` of zero. Where the
    bound is too large for either, the rest of the step is searched by samples.
    """
    bound = problem.second_derivative_bound[fall.boundary] * state.step * state.step
    at_end = fall.orientation * (workspace.g_end[fall.boundary] - fall.level)
    lo, least = start, MIN_INTERVAL
    value, rate = value_and_rate_at(problem, state, workspace, fall, lo)
    clear_from_end = 0.0
    if not fell(at_end, fall.strict):
        _, rate_at_end = value_and_rate_at(problem, state, workspace, fall, 1.0)
        clear_from_end = reach(at_end, -rate_at_end, bound)
    for _ in range(MAX_PROVED_STEPS):
        ahead = reach(value, rate, bound)
        if not math.isfinite(value + rate):
            state.fault = NOT_FINITE
            return -1.0, -1.0
        if lo + ahead + clear_from_end > 1.0 and clear_from_end > 0.0:
            return -1.0, -1.0
        if ahead < least / 64.0 or ahead < MIN_INTERVAL:
            if least > reach(problem.settings.stop_precision, abs(rate), bound):
                break
            ahead, least = least, 2.0 * least
        else:
            least = MIN_INTERVAL
        hi = min(lo + ahead, 1.0)
        if hi == 1.0:
            return (lo, 1.0) if fell(at_end, fall.strict) else (-1.0, -1.0)
        value, rate = value_and_rate_at(problem, state, workspace, fall, hi)
        if fell(value, fall.strict):
            return lo, hi
        lo = hi
    state.step_unproved = 1
    return search_intervals(problem, state, workspace, push_rest(problem, state, workspace, lo, fall), fall)
