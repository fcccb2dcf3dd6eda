"""The limit of infinitely many jumps (Zeno) on dual numbers, by the formulas with which the engine finds it.

With the last intervals a and b between the jumps of a boundary, the last of which is at t_k, the limit is at
T = t_k + b^2 / (a - b) (Aitken 1926), and each state goes on as over the last interval. The derivatives of the last
jumps differ from those of the limit as little as the jumps themselves, so that rounding of a and b does no harm.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, load, plus, store
from hybridsim.engine.memory import CROSSING, NOWHERE


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
