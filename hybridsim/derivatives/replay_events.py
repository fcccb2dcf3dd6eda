"""Jumps on dual numbers: the state after an event whose time varies.

With the boundary g, the transition h, and the vector fields f before and f+ after the jump,

    dt* = -(g_x dx + g_p dp) / (g_t + g_x f)
    dx* = h_x (dx + f dt*) + h_t dt* + h_p dp

are the derivatives of the event's time and of the state after it, at its own time; at a fixed time later they are
dx* - f+ dt*. (Aizerman and Gantmacher 1958; the matrix of dx is called the saltation matrix.)

The limit of infinitely many jumps (Zeno) follows from the formulas with which the engine finds it. With the last
intervals a and b between the jumps of a boundary, the last of which is at t_k, the limit is at T = t_k + b^2 / (a - b)
(Aitken 1926), and each state goes on as over the last interval. The derivatives of the last jumps differ from those of
the limit as little as the jumps themselves, so that rounding of a and b does no harm. Where the model's transition
is called at the limit (`rest="transition"`), its derivatives follow, as at any jump.
"""

from __future__ import annotations

from hybridsim.derivatives.replay_memory import ANOTHER_CHART, SUCCESS
from hybridsim.derivatives.replay_steps import copy_duals, dual_slope
from hybridsim.derivatives.replay_times import chart_that_crosses, find_time
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import TRANSITION, call_transition
from hybridsim.engine.memory import AT_LIMIT, CROSSING, INPUT, NOWHERE, TOUCH, ZENO


@kernel
def replay_jump(c, row, flows):
    """Carry x_now from the row before a jump to the row after it, at the jump's own time; returns SUCCESS or not.

    `flows` says that the state has flowed to this row. Further jumps at the same instant happen at the same time, as
    they follow from the first; but one that is there by chance has a time of its own.
    """
    jump = c.jump[row]
    kind = c.kind[jump]
    chart = chart_that_crosses(c, row, jump)
    if kind == ZENO:
        replay_accumulation(c, row, jump)
    elif flows or c.by_chance[jump]:
        if not flows:
            leave_jump(c, row)
        store(c.moment, FIRST_LANE, zeros())
        if kind != INPUT:
            find_time(c, row, jump, chart)
    keep(c, c.before, jump)
    store(c.time_of, jump * DUAL_LANES, load(c.moment, FIRST_LANE))
    outcome = SUCCESS
    if kind == CROSSING or kind == TOUCH or calls_at_limit(c, row, jump):
        outcome = make_transition(c, row, jump, chart)
    for m in range(c.sizes.n_states):
        value = c.x[(row + 1) * c.sizes.n_states + m]
        c.x_now[m * DUAL_SIZE], c.x_after[jump * c.sizes.n_states + m] = value, value
    c.t_of[jump] = c.t[row]
    keep(c, c.after, jump)
    return outcome


@kernel
def calls_at_limit(c, row, jump):
    """Return whether this is a limit of jumps at which the transition has been called, and has not declined."""
    for i in range(c.sizes.n_boundaries):
        if c.crossed[jump * c.sizes.n_boundaries + i] == AT_LIMIT:
            return c.chart[row] != c.chart[row + 1]
    return False


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
def leave_jump(c, row):
    """Move x_now from the time of a jump, which varies, to the fixed time of the row after it; set `slope` there."""
    resume(c, row)
    for m in range(c.sizes.n_states):
        c.slope[m] = c.k[m * DUAL_SIZE] if m < c.sizes.n_moving else 0.0


@kernel
def resume(c, row):
    """Move x_now from the time of the jump before this row, which varies, to the fixed time of the row."""
    c.pull[0] = 0.0
    if c.step[row] > 0.0:
        c.last_step[0] = c.step[row]
    dual_slope(c, c.k, 0, c.t[row], c.x_now, c.p, row)
    for m in range(c.sizes.n_moving):
        i = m * DUAL_SIZE + FIRST_LANE
        store(c.x_now, i, plus(load(c.x_now, i), -c.k[m * DUAL_SIZE], load(c.moment, FIRST_LANE)))
    store(c.moment, FIRST_LANE, zeros())


@kernel
def keep(c, table, index):
    """Keep the derivatives of x_now in a row of a table."""
    for m in range(c.sizes.n_states):
        store(table, (index * c.sizes.n_states + m) * DUAL_LANES, load(c.x_now, m * DUAL_SIZE + FIRST_LANE))


@kernel
def replay_accumulation(c, row, jump):
    """Set x_now and the moment, with their derivatives, to those of the limit."""
    last = jump_before(c, jump, jump)
    middle = jump_before(c, jump, last) if last != NOWHERE else NOWHERE
    first = jump_before(c, jump, middle) if middle != NOWHERE else NOWHERE
    if middle == NOWHERE:
        return
    store(c.moment, FIRST_LANE, load(c.time_of, last * DUAL_LANES))
    b = c.t_of[last] - c.t_of[middle]
    lanes_of_b = plus(load(c.time_of, last * DUAL_LANES), -1.0, load(c.time_of, middle * DUAL_LANES))
    a = c.t_of[middle] - c.t_of[first] if first != NOWHERE else 0.0
    if a > b > 0.0:
        lanes_of_a = plus(load(c.time_of, middle * DUAL_LANES), -1.0, load(c.time_of, first * DUAL_LANES))
        by_a, by_b = -((b / (a - b)) ** 2), b * (2.0 * a - b) / (a - b) ** 2
        limit = plus(plus(load(c.moment, FIRST_LANE), by_b, lanes_of_b), by_a, lanes_of_a)
        store(c.moment, FIRST_LANE, limit)
    if b > 0.0:
        extrapolate_state(c, row, last, middle, b, lanes_of_b)


@kernel
def extrapolate_state(c, row, last, middle, interval, lanes_of_interval):
    """Let the derivatives of each continuous state go on as over the last interval."""
    part = (c.t[row] - c.t_of[last]) / interval
    ahead = plus(load(c.moment, FIRST_LANE), -1.0, load(c.time_of, last * DUAL_LANES))
    lanes_of_part = plus(ahead, -part, lanes_of_interval)
    for m in range(c.sizes.n_states):
        if c.continuous[m]:
            n = (last * c.sizes.n_states + m) * DUAL_LANES
            before = (middle * c.sizes.n_states + m) * DUAL_LANES
            change = plus(load(c.after, n), -1.0, load(c.after, before))
            speed = (c.x_after[last * c.sizes.n_states + m] - c.x_after[middle * c.sizes.n_states + m]) / interval
            lanes = plus(plus(load(c.after, n), part, change), speed, lanes_of_part)
            store(c.x_now, m * DUAL_SIZE + FIRST_LANE, lanes)
            at_fixed_time = plus(lanes, -speed, load(c.moment, FIRST_LANE))
            store(c.at_row, (row * c.sizes.n_states + m) * DUAL_LANES, at_fixed_time)


@kernel
def jump_before(c, limit, jump):
    """Return the jump before this one at the boundary whose jumps accumulate at the limit; NOWHERE if there is none."""
    for earlier in range(jump - 1, -1, -1):
        for i in range(c.sizes.n_boundaries):
            here = earlier * c.sizes.n_boundaries + i
            if c.kind[earlier] == CROSSING and c.crossed[here] and c.crossed[limit * c.sizes.n_boundaries + i]:
                return earlier
    return NOWHERE
