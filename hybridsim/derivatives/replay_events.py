"""Jumps on dual numbers: how the time of an event varies, and the state after it.

With the boundary g, the transition h, and the vector fields f before and f+ after the jump,

    dt* = -(g_x dx + g_p dp) / (g_t + g_x f)
    dx* = h_x (dx + f dt*) + h_t dt* + h_p dp

are the derivatives of the event's time and of the state after it, at its own time; at a fixed time later they are
dx* - f+ dt*. (Aizerman and Gantmacher 1958; the matrix of dx is called the saltation matrix.)
"""

from __future__ import annotations

from hybridsim.derivatives.dual_type import DOUBLES, FIRST_LANE
from hybridsim.derivatives.replay_memory import ACCUMULATION, ANOTHER_CHART, SUCCESS
from hybridsim.derivatives.replay_slides import REACH, boundary_on_duals, lanes_of_rate, rate_along
from hybridsim.derivatives.replay_steps import clear, copy_duals, dual_slope
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import TRANSITION, VECTOR_FIELD, call_outputs, call_transition, kernel
from hybridsim.engine.memory import CROSSING, ENTRY, NOWHERE, TOUCH, ZENO


@kernel
def replay_jump(c, row, flows):
    """Carry x_now from the row before a jump to the row after it, at the jump's own time; returns SUCCESS or not.

    `flows` says that the state has flowed to this row. Further jumps at the same instant happen at the same time: they
    follow from the first.
    """
    jump = c.jump[row]
    kind = c.kind[jump]
    if kind == ZENO:
        return ACCUMULATION
    chart = chart_that_crosses(c, row, jump)
    if flows:
        store(c.moment, FIRST_LANE, zeros())
        if kind == CROSSING or kind == ENTRY or kind == TOUCH:
            find_time(c, row, jump, chart)
    keep(c, c.before, jump)
    store(c.time_of, jump * LANES, load(c.moment, FIRST_LANE))
    outcome = SUCCESS
    if kind == CROSSING or kind == TOUCH:
        outcome = make_transition(c, row, jump, chart)
    for m in range(c.sizes.n_states):
        c.x_now[m * DOUBLES] = c.x[(row + 1) * c.sizes.n_states + m]
    keep(c, c.after, jump)
    return outcome


@kernel
def chart_that_crosses(c, row, jump):
    """Return the chart of the boundaries that cross: in a slide the adjacent chart, if only that one has them."""
    adjacent = c.adjacent_chart[row]
    if adjacent == NOWHERE:
        return c.chart[row]
    for i in range(c.sizes.n_boundaries):
        c.g[i * DOUBLES] = UNWRITTEN
    boundary_on_duals(c, c.x_now, c.constants, c.chart[row], 0)
    for i in range(c.sizes.n_boundaries):
        if c.crossed[jump * c.sizes.n_boundaries + i] and c.g[i * DOUBLES] != UNWRITTEN:
            return c.chart[row]
    return adjacent


UNWRITTEN = 1.2345e300
"""Value of a boundary that its function has not written."""


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
                lanes = lanes_of_condition(c, row, jump, chart, i)
                store(c.moment, FIRST_LANE, plus(zeros(), -1.0 / c.rate[jump], lanes))
    for m in range(c.sizes.n_states):
        i = m * DOUBLES + FIRST_LANE
        store(c.x_now, i, plus(load(c.x_now, i), c.slope[m], load(c.moment, FIRST_LANE)))


@kernel
def compare_time(c, row, jump, chart, boundary):
    """Note how far the time of a further boundary differs from that of the first."""
    rate = rate_of_condition(c, row, jump, chart, boundary)
    store(c.spare, 0, plus(load(c.moment, FIRST_LANE), 1.0 / rate, lanes_of_condition(c, row, jump, chart, boundary)))
    for lane in range(LANES):
        c.tie[jump] = max(c.tie[jump], abs(c.spare[lane]))


@kernel
def set_flow(c):
    """Set the vector field by which x_now arrives, without derivatives."""
    clear(c.field, 0, c.sizes.n_states)
    for m in range(c.sizes.n_states):
        c.field[m * DOUBLES] = c.slope[m]


@kernel
def rate_of_condition(c, row, jump, chart, boundary):
    """Return the rate, along the flow, of what is zero at the event: the boundary, or its rate at a touch."""
    c.time[0] = c.t[row]
    set_flow(c)
    if c.kind[jump] == TOUCH:
        return bend_along(c, chart, boundary)
    return rate_along(c, c.x_now, 0, chart, boundary)


@kernel
def bend_along(c, chart, boundary):
    """Return the second derivative of a boundary along the flow, g_x (f_x f + f_t) + g_xx(f, f) + ...: at a touch."""
    reach = REACH * c.last_step[0]
    middle = boundary_ahead(c, chart, boundary, 0.0)
    bend = boundary_ahead(c, chart, boundary, reach) - 2.0 * middle + boundary_ahead(c, chart, boundary, -reach)
    for m in range(c.sizes.n_states):
        i = m * DOUBLES
        c.x_there[i] = c.x_now[i]
        store(c.x_there, i + FIRST_LANE, zeros())
        c.x_there[i + FIRST_LANE] = c.slope[m]
    c.time[FIRST_LANE] = 1.0
    call_outputs(c.functions[VECTOR_FIELD], c.field, 0, c.time, c.x_there, 0, c.constants, chart)
    c.time[FIRST_LANE] = 0.0
    for m in range(c.sizes.n_states):
        c.x_there[m * DOUBLES + FIRST_LANE] = c.field[m * DOUBLES + FIRST_LANE]
    boundary_on_duals(c, c.x_there, c.constants, chart, boundary)
    return bend / (reach * reach) + c.g[boundary * DOUBLES + FIRST_LANE]


@kernel
def boundary_ahead(c, chart, boundary, reach):
    """Return a boundary's value at a place `reach` [s] ahead on the flow's tangent."""
    for m in range(c.sizes.n_states):
        c.x_there[m * DOUBLES] = c.x_now[m * DOUBLES] + reach * c.slope[m]
        store(c.x_there, m * DOUBLES + FIRST_LANE, zeros())
    t = c.time[0]
    c.time[0] = t + reach
    boundary_on_duals(c, c.x_there, c.constants, chart, boundary)
    c.time[0] = t
    return c.g[boundary * DOUBLES]


@kernel
def lanes_of_condition(c, row, jump, chart, boundary):
    """Return its derivatives along those of x_now and p."""
    c.time[0] = c.t[row]
    if c.kind[jump] == TOUCH:
        call_outputs(c.functions[VECTOR_FIELD], c.field, 0, c.time, c.x_now, 0, c.p, chart)
        return lanes_of_rate(c, c.x_now, 0, chart, boundary, REACH * c.last_step[0])
    return boundary_on_duals(c, c.x_now, c.p, chart, boundary)


@kernel
def make_transition(c, row, jump, chart):
    """Apply the model's transition to x_now."""
    for i in range(c.sizes.n_boundaries):
        c.flags[i] = c.crossed[jump * c.sizes.n_boundaries + i]
    copy_duals(c, c.x_now, c.x_there)
    c.moment[0] = c.t[row]
    found = call_transition(c.functions[TRANSITION], c.x_there, c.moment, c.x_now, c.p, chart, c.flags)
    copy_duals(c, c.x_there, c.x_now)
    return SUCCESS if found == c.chart[row + 1] else ANOTHER_CHART


@kernel
def resume(c, row):
    """Move x_now from the time of the jump before this row, which varies, to the fixed time of the row."""
    c.time[0] = c.t[row]
    store(c.time, FIRST_LANE, zeros())
    dual_slope(c, c.k, 0, c.t[row], c.x_now, row)
    for m in range(c.sizes.n_moving):
        i = m * DOUBLES + FIRST_LANE
        store(c.x_now, i, plus(load(c.x_now, i), -c.k[m * DOUBLES], load(c.moment, FIRST_LANE)))
    store(c.moment, FIRST_LANE, zeros())


@kernel
def keep(c, table, index):
    """Keep the derivatives of x_now in a row of a table."""
    for m in range(c.sizes.n_states):
        store(table, (index * c.sizes.n_states + m) * LANES, load(c.x_now, m * DOUBLES + FIRST_LANE))
