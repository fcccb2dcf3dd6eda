"""Slides on dual numbers: Filippov's convex combination of two vector fields, and its derivative.

The rate L of a boundary g along a vector field f is a derivative already. Its derivative along v is

    dL = g_x (f_x v) + g_xx(f, v) + g_tx v

of which the first term comes from g on dual numbers, with the derivatives of f for those of x, and the second, with
the third, is a difference of such derivatives at two places along f. (Filippov 1988.)
"""

from __future__ import annotations

from hybridsim.derivatives.dual_type import DOUBLES, FIRST_LANE
from hybridsim.engine.compiler.lanes import load, plus, store, zeros
from hybridsim.engine.compiler.signatures import BOUNDARIES, VECTOR_FIELD, call_outputs, kernel

REACH = 2.0**-8
"""Length of the differences along f, as a fraction of the step: they are exact where the boundary is at most cubic."""


@kernel
def boundary_on_duals(c, x, p, chart, surface):
    """Evaluate the boundaries at a state; returns the derivatives of one of them, whose value is then in c.g."""
    call_outputs(c.functions[BOUNDARIES], c.g, 0, c.time, x, 0, p, chart)
    return load(c.g, surface * DOUBLES + FIRST_LANE)


@kernel
def rate_along(c, x, field, chart, surface):
    """Return the rate of a boundary along the vector field at c.field[field:] [boundary unit/s]."""
    for m in range(c.sizes.n_states):
        i = m * DOUBLES
        c.x_there[i] = x[i]
        store(c.x_there, i + FIRST_LANE, zeros())
        c.x_there[i + FIRST_LANE] = c.field[field * DOUBLES + i]
    c.time[FIRST_LANE] = 1.0
    boundary_on_duals(c, c.x_there, c.constants, chart, surface)
    c.time[FIRST_LANE] = 0.0
    return c.g[surface * DOUBLES + FIRST_LANE]


@kernel
def lanes_of_rate(c, x, field, chart, surface, reach):
    """Return the derivatives of that rate along the derivatives of x and p."""
    for m in range(c.sizes.n_states):
        i = m * DOUBLES
        c.x_there[i] = x[i]
        store(c.x_there, i + FIRST_LANE, load(c.field, field * DOUBLES + i + FIRST_LANE))
    by_field = boundary_on_duals(c, c.x_there, c.constants, chart, surface)
    ahead = lanes_ahead(c, x, field, chart, surface, reach)
    behind = lanes_ahead(c, x, field, chart, surface, -reach)
    return plus(by_field, 0.5 / reach, plus(ahead, -1.0, behind))


@kernel
def lanes_ahead(c, x, field, chart, surface, reach):
    """Return the derivatives of a boundary along those of x and p, at a place `reach` [s] ahead on a vector field."""
    for m in range(c.sizes.n_states):
        i = m * DOUBLES
        c.x_there[i] = x[i] + reach * c.field[field * DOUBLES + i]
        store(c.x_there, i + FIRST_LANE, load(x, i + FIRST_LANE))
    t = c.time[0]
    c.time[0] = t + reach
    lanes = boundary_on_duals(c, c.x_there, c.p, chart, surface)
    c.time[0] = t
    return lanes


@kernel
def slide_slope(c, k, first, x, row):
    """Set k[first:] to the slope of the slide at time c.time.

    As in the engine, the surface's function is pulled back to zero within a step.
    """
    n, chart, surface, step = c.sizes.n_states, c.chart[row], c.surface[row], c.last_step[0]
    call_outputs(c.functions[VECTOR_FIELD], c.field, 0, c.time, x, 0, c.p, chart)
    call_outputs(c.functions[VECTOR_FIELD], c.field, n * DOUBLES, c.time, x, 0, c.p, c.adjacent_chart[row])
    rate, rate_adjacent = rate_along(c, x, 0, chart, surface), rate_along(c, x, n, chart, surface)
    lanes = lanes_of_rate(c, x, 0, chart, surface, REACH * step)
    lanes_adjacent = lanes_of_rate(c, x, n, chart, surface, REACH * step)
    lanes_off = boundary_on_duals(c, x, c.p, chart, surface)
    gap = rate_adjacent - rate
    weight = (rate_adjacent + c.g[surface * DOUBLES] / step) / gap
    changes = plus(plus(lanes_off, step * (1.0 - weight), lanes_adjacent), step * weight, lanes)
    for m in range(n):
        i = m * DOUBLES
        there, both = c.field[i + n * DOUBLES], first * DOUBLES + i
        k[both] = weight * c.field[i] + (1.0 - weight) * there
        total = plus(zeros(), weight, load(c.field, i + FIRST_LANE))
        total = plus(total, 1.0 - weight, load(c.field, i + n * DOUBLES + FIRST_LANE))
        store(k, both + FIRST_LANE, plus(total, (c.field[i] - there) / (gap * step), changes))
