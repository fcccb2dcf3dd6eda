"""Slides on dual numbers: Filippov's convex combination of two vector fields, and its derivative.

The rate L of a boundary g along a vector field f is a derivative already. Its derivative along (dt, dx) is

    dL = g_x df + (g_tx + g_xx f) dx + (g_tt + g_xt f) dt,  df = f_x dx + f_t dt + f_p dp

of which the first term is g on dual numbers with df for the derivatives of x, and the rest the rate, along f, of g on
dual numbers with dx: a central difference of fourth order. (Filippov 1988.)
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import BOUNDARIES, VECTOR_FIELD, call_outputs
from hybridsim.engine.memory import NOWHERE

DIFFERENCE_LENGTH = 2.0**-8
"""Length of the differences along f, as a fraction of the step: their error is
(DIFFERENCE_LENGTH step)^4 g^(5) / 30."""


@kernel
def clear(numbers, first, n):
    """Set n dual numbers to zero."""
    for m in range(first * DUAL_SIZE, (first + n) * DUAL_SIZE, DUAL_LANES):
        store(numbers, m, zeros())


@kernel
def field_on_duals(c, k, first, x, p, chart):
    """Set k[first:] to the vector field of a chart at time c.time."""
    clear(k, first, c.sizes.n_states)
    call_outputs(c.functions[VECTOR_FIELD], k, first * DUAL_SIZE, c.time, x, 0, p, chart)


@kernel
def boundary_on_duals(c, x, p, chart, boundary):
    """Evaluate the boundaries at a state; return the derivatives of one of them, whose value is then in c.g."""
    call_outputs(c.functions[BOUNDARIES], c.g, 0, c.time, x, 0, p, chart)
    return load(c.g, boundary * DUAL_SIZE + FIRST_LANE)


@kernel
def rate_along(c, x, slopes, first, chart, boundary):
    """Return the rate of a boundary along the vector field at slopes[first:] [boundary unit/s]."""
    for m in range(c.sizes.n_states):
        i = m * DUAL_SIZE
        c.x_there[i] = x[i]
        store(c.x_there, i + FIRST_LANE, zeros())
        c.x_there[i + FIRST_LANE] = slopes[first * DUAL_SIZE + i]
    time = load(c.time, FIRST_LANE)
    store(c.time, FIRST_LANE, zeros())
    c.time[FIRST_LANE] = 1.0
    boundary_on_duals(c, c.x_there, c.constants, chart, boundary)
    store(c.time, FIRST_LANE, time)
    return c.g[boundary * DUAL_SIZE + FIRST_LANE]


@kernel
def lanes_of_rate(c, x, p, slopes, first, chart, boundary):
    """Return the derivatives of that rate along those of c.time, x and p; the slopes have theirs."""
    for m in range(c.sizes.n_states):
        i = m * DUAL_SIZE
        c.x_there[i] = x[i]
        store(c.x_there, i + FIRST_LANE, load(slopes, first * DUAL_SIZE + i + FIRST_LANE))
    time, reach = load(c.time, FIRST_LANE), DIFFERENCE_LENGTH * c.last_step[0]
    store(c.time, FIRST_LANE, zeros())
    by_slopes = boundary_on_duals(c, c.x_there, c.constants, chart, boundary)
    store(c.time, FIRST_LANE, time)
    total = by_slopes
    for probes in (1.0, -1.0, 2.0, -2.0):
        move_ahead(c, x, slopes, first, probes * reach)
        weight = 8.0 / (12.0 * probes * reach) if abs(probes) == 1.0 else -2.0 / (12.0 * probes * reach)
        total = plus(total, weight, lanes_there(c, p, chart, boundary, probes * reach))
    return total


@kernel
def move_ahead(c, x, slopes, first, reach):
    """Set x_there to the place a distance `reach` [s] ahead of x along the slopes, with the derivatives of x."""
    for m in range(c.sizes.n_states):
        i = m * DUAL_SIZE
        c.x_there[i] = x[i] + reach * slopes[first * DUAL_SIZE + i]
        store(c.x_there, i + FIRST_LANE, load(x, i + FIRST_LANE))


@kernel
def lanes_there(c, p, chart, boundary, reach):
    """Return the derivatives of a boundary at x_there, where the time is later by `reach` [s]."""
    t = c.time[0]
    c.time[0] = t + reach
    lanes = boundary_on_duals(c, c.x_there, p, chart, boundary)
    c.time[0] = t
    return lanes


@kernel
def set_pull(c, row):
    """Set the pull of a slide towards its surface, for the step that begins at a row, as the engine does.

    A stronger one would act on how far the stages of a step lie off a curved surface.
    """
    c.pull[0] = 0.0
    if c.adjacent_chart[row] == NOWHERE or row == 0 or c.jump[row - 1] != NOWHERE:
        return
    c.time[0] = c.t[row]
    field_on_duals(c, c.field, 0, c.x_now, c.constants, c.chart[row])
    field_on_duals(c, c.field, c.sizes.n_states, c.x_now, c.constants, c.adjacent_chart[row])
    size, slope = 0.0, 0.0
    for m in range(c.sizes.n_moving):
        size = max(size, abs(c.x_now[m * DUAL_SIZE]))
        there = c.field[(m + c.sizes.n_states) * DUAL_SIZE]
        slope = max(slope, abs(c.field[m * DUAL_SIZE]), abs(there))
    step = max(c.last_step[0], c.step[row])
    c.pull[0] = 1.0 / max(step, size / slope) if slope > 0.0 else 1.0 / step


@kernel
def slide_slope(c, k, first, x, p, row):
    """Set k[first:] to the slope of the slide at time c.time.

    As in the engine, the surface's function is pulled back to zero.
    """
    n, chart, surface, pull = c.sizes.n_states, c.chart[row], c.surface[row], c.pull[0]
    field_on_duals(c, c.field, 0, x, p, chart)
    field_on_duals(c, c.field, n, x, p, c.adjacent_chart[row])
    rate = rate_along(c, x, c.field, 0, chart, surface)
    rate_adjacent = rate_along(c, x, c.field, n, chart, surface)
    lanes = lanes_of_rate(c, x, p, c.field, 0, chart, surface)
    lanes_adjacent = lanes_of_rate(c, x, p, c.field, n, chart, surface)
    lanes_off = boundary_on_duals(c, x, p, chart, surface)
    gap = rate_adjacent - rate
    weight = (rate_adjacent + pull * c.g[surface * DUAL_SIZE]) / gap
    changes = plus(plus(plus(zeros(), weight, lanes), 1.0 - weight, lanes_adjacent), pull, lanes_off)
    for m in range(n):
        i = m * DUAL_SIZE
        there, both = c.field[i + n * DUAL_SIZE], first * DUAL_SIZE + i
        k[both] = weight * c.field[i] + (1.0 - weight) * there
        total = plus(zeros(), weight, load(c.field, i + FIRST_LANE))
        total = plus(total, 1.0 - weight, load(c.field, i + n * DUAL_SIZE + FIRST_LANE))
        store(k, both + FIRST_LANE, plus(total, (c.field[i] - there) / gap, changes))
