"""The quick search of a step of Taylor's method: what the power series of a boundary over the step decides by itself.

With g(theta) = sum_k c_k theta^k, 0 <= theta <= 1, a boundary

* is clear of zero if c_0 plus all negative terms is positive;
* has at most one root, and no minimum before or after it, if its terms change their sign only once, from plus to minus
  (Descartes), or if its slope, at most c_1 plus all positive k c_k, is negative.

Newton's method finds the root on the series, to the last bit of t, if the series is the boundary along the step: its
sum at the end is the boundary's value there. Of a boundary that is no linear function of states, terms are missing: it
is searched on Bernstein coefficients, and in a shorter step, if much is missing.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import fused
from hybridsim.engine.memory import ARMED, IGNORE
from hybridsim.engine.rounding import spacing
from hybridsim.engine.series_rows import ROW_SIZE

MAX_NEWTON_STEPS = 24
"""Most steps of Newton's method to a root; where they do not suffice, the other search takes over."""

LAST_NEWTON_CHANGE = 2.0**-28
"""Change of theta, relative to it, after which the next one would be rounding: each squares the error."""

MANY_ROUNDINGS = 2.0**-44
"""Part of the terms that cancel by which rounding may change a sum of them."""

FEW_SPACINGS = 64.0
"""Roots closer to the start of a step [spacings of t] are left to the other search: rounding may have made them."""


CLEAR, FALLS_AT_MOST_ONCE, UNKNOWN = range(3)
"""What the terms of a series tell."""


MARGIN = 4.0
"""How many times what is missing of a boundary in its series it has to be away from zero to be clear of it."""


@kernel
def decide(problem, state, workspace, i):
    """Set workspace.root of boundary i, if its series decides it; return whether it does.

    Its terms over the step are in g_series.
    """
    threshold, start = problem.touch_threshold[i], workspace.g_start[i]
    if workspace.trigger_state[i] != ARMED:
        return False
    if start > threshold:
        workspace.touched[i] = 0  # a dip that was reported is over
    series, row, n = workspace.g_series, i * ROW_SIZE, problem.settings.degree
    told, end = tell(series, row, n, threshold, workspace.missing[i])
    if told != FALLS_AT_MOST_ONCE:
        return told == CLEAR
    if problem.touch[i] != IGNORE and start <= threshold and series[row + 1] >= 0.0:
        return False  # it may have a minimum where the step begins
    if workspace.g_end[i] > 0.0 or end > 0.0:
        return workspace.g_end[i] > 0.0 and end > 0.0
    theta, steps = root_of_series(series, row, n, end)
    state.refinements += steps
    t = state.t_start + theta * state.step
    if not t - state.t_start > FEW_SPACINGS * spacing(t):
        return False
    workspace.from_rest[i], workspace.by_touch[i] = 0, 0
    workspace.root[i] = min(t, state.t_new)
    return True


@kernel
def tell(series, row, n, threshold, missing):
    """Return what the terms of a series tell, for 0 < theta <= 1, of a boundary of which so much is missing in it.

    The sum of the terms comes second.

    CLEAR if it is above the threshold everywhere; FALLS_AT_MOST_ONCE if it is positive at first, has no minimum, and
    one root or none, and the series is the boundary.
    """
    first, slope = series[row], series[row + 1]
    lowest, end, size, rise, last_positive, first_negative = first, first, abs(first), 0.0, 0, n + 1
    for k in range(1, n + 1):
        term = series[row + k]
        end, size = end + term, size + abs(term)
        lowest += min(term, 0.0)
        rise += max(k * term, 0.0)
        if term > 0.0:
            last_positive = k
        elif term < 0.0:
            first_negative = min(first_negative, k)
    missing = missing + 0.0 * end  # nan if a term is not finite: then the comparisons below are false
    if lowest - threshold > MARGIN * missing + MANY_ROUNDINGS * (first - lowest):
        return CLEAR, end
    falls_once = last_positive < first_negative or slope + rise < MANY_ROUNDINGS * slope
    is_boundary = first > 0.0 and missing <= MANY_ROUNDINGS * size
    return FALLS_AT_MOST_ONCE if falls_once and is_boundary else UNKNOWN, end


@kernel
def root_of_series(series, row, n, end):
    """Return where a series falls from above zero to `end`, at most zero, or nan; and the steps of Newton's method.

    They begin at the root of the parabola with the same ends and the same slope at the first.
    """
    first, slope = series[row], series[row + 1]
    bend = end - first - slope
    theta = 2.0 * first / (math.sqrt(max(slope * slope - 4.0 * bend * first, 0.0)) - slope)
    before, after = 0.0, 1.0
    for steps in range(1, MAX_NEWTON_STEPS + 1):
        if not before <= theta <= after:
            theta = 0.5 * (before + after)
        value, rate = value_and_slope(series, row, n, theta)
        if value > 0.0:
            before = theta
        else:
            after = theta
        change = value / rate
        theta -= change
        if abs(change) < LAST_NEWTON_CHANGE * theta:
            return min(theta, 1.0), steps
    return math.nan, MAX_NEWTON_STEPS


@kernel
def value_and_slope(series, row, n, theta):
    """Return a polynomial of even degree n and its slope: Horner's rule on even and on odd powers, side by side."""
    square = theta * theta
    even, even_slope, odd, odd_slope = series[row + n], 0.0, 0.0, 0.0
    for k in range(n - 2, -1, -2):
        even_slope, odd_slope = fused(even, even_slope, square), fused(odd, odd_slope, square)
        even, odd = fused(series[row + k], even, square), fused(series[row + k + 1], odd, square)
    return fused(even, theta, odd), fused(odd, 2.0 * theta, fused(even_slope, theta, odd_slope))
