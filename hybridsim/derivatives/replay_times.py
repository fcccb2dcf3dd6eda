"""How the time of an event varies: by what is zero there, a function of time, state and parameters.

At a crossing and where a slide begins that is a boundary; at a touch, the rate of the boundary along the flow; where a
slide ends, the rate of its surface along the vector field of the chart that follows.
"""

from __future__ import annotations

from hybridsim.derivatives.replay_slides import boundary_on_duals, field_on_duals, lanes_of_rate
from hybridsim.derivatives.replay_steps import dual_slope
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, load, plus, store, zeros
from hybridsim.engine.events.activation import UNSET, is_set
from hybridsim.engine.memory import EXIT, NOWHERE, TOUCH


@kernel
def chart_that_crosses(c, row, jump):
    """Return the chart of the boundaries that cross: in a slide the adjacent chart, if only that one has them."""
    adjacent = c.adjacent_chart[row]
    if adjacent == NOWHERE:
        return c.chart[row]
    for i in range(c.sizes.n_boundaries):
        c.g[i * DUAL_SIZE] = UNSET
    c.time[0] = c.t[row]
    boundary_on_duals(c, c.x_now, c.constants, c.chart[row], 0)
    for i in range(c.sizes.n_boundaries):
        if c.crossed[jump * c.sizes.n_boundaries + i] and is_set(c.g[i * DUAL_SIZE]):
            return c.chart[row]
    return adjacent


@kernel
def find_time(c, row, jump, chart):
    """Find the derivatives of the time of an event, and move x_now, which is at a fixed time, to that time.

    Of boundaries that cross together the first decides; `tie` says how much the others would differ.
    """
    found = False
    for i in range(c.sizes.n_boundaries):
        if c.crossed[jump * c.sizes.n_boundaries + i]:
            if found:
                compare_time(c, row, jump, chart, i)
            else:
                found = True
                c.rate[jump] = rate_of_condition(c, row, jump, chart, i)
                lanes = lanes_of_condition(c, row, jump, chart, i, c.x_now, c.p)
                store(c.moment, FIRST_LANE, plus(zeros(), -1.0 / c.rate[jump], lanes))
    for m in range(c.sizes.n_states):
        i = m * DUAL_SIZE + FIRST_LANE
        store(c.x_now, i, plus(load(c.x_now, i), c.slope[m], load(c.moment, FIRST_LANE)))


@kernel
def compare_time(c, row, jump, chart, boundary):
    """Note how far the derivatives of a further boundary's time differ from those of the first one's.

    x_now is still at the fixed time.
    """
    rate = rate_of_condition(c, row, jump, chart, boundary)
    lanes = lanes_of_condition(c, row, jump, chart, boundary, c.x_now, c.p)
    store(c.spare, 0, plus(load(c.moment, FIRST_LANE), 1.0 / rate, lanes))
    for lane in range(DUAL_LANES):
        c.tie[jump] = max(c.tie[jump], abs(c.spare[lane]))


@kernel
def rate_of_condition(c, row, jump, chart, boundary):
    """Return the rate, along the flow, of what is zero at the event."""
    for m in range(c.sizes.n_states):
        i = m * DUAL_SIZE
        c.x_stage[i] = c.x_now[i]
        store(c.x_stage, i + FIRST_LANE, zeros())
        c.x_stage[i + FIRST_LANE] = c.slope[m]
    store(c.time, FIRST_LANE, zeros())
    c.time[FIRST_LANE] = 1.0
    store(c.spare, 0, lanes_of_condition(c, row, jump, chart, boundary, c.x_stage, c.constants))
    store(c.time, FIRST_LANE, zeros())
    return c.spare[0]


@kernel
def lanes_of_condition(c, row, jump, chart, boundary, x, p):
    """Return the derivatives of what is zero at the event along those of c.time, x and p."""
    c.time[0] = c.t[row]
    if c.kind[jump] == TOUCH:
        dual_slope(c, c.k, 0, c.t[row], x, p, row)
        return lanes_of_rate(c, x, p, c.k, 0, chart, boundary)
    if c.kind[jump] == EXIT:
        field_on_duals(c, c.k, 0, x, p, c.chart[row + 1])
        return lanes_of_rate(c, x, p, c.k, 0, c.chart[row], c.surface[row])
    return boundary_on_duals(c, x, p, chart, boundary)
