"""Contacts that slip in space: which way friction acts.

Friction acts against the slip: of several points at each of them (see `corners`), where the twist of the contact at the
middle of its points, its velocity along both tangents and the rate about the normal times a lever, says how it moves. A
slip begins at rest, where the twist s has no direction yet. Friction goes on as it is where it reaches its limit: the
slip begins along the twist e that has this friction. So friction acts against

    d = (s + b e) / |s + b e|,      with a speed b that is far below those of a slip,

until |s| is b, and against s from then on. A slip that becomes slower than b / 2 has e in its direction again, and ends
where s e is 0. One that goes on there, as it has just begun, may still turn round: it ends where s e is -b / 100.
"""

import math

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import real
from hybridsim.multibody.vectors import Vector, dot, length_of, minus, plus, put, times, vector_at

from .corners import (
    along_of,
    find_demand,
    fourth_share,
    is_flat,
    limit_twist,
    put_middle,
    put_pulls,
    twist_above,
    twist_below,
    unit,
)
from .fixed_points import lengthen
from .layout import (
    BEGIN_SPEED,
    BEGINS,
    FREE,
    HOLD,
    HOLDS,
    JAM,
    PACE,
    SLIPS,
    STATIC,
    STOP,
    boundary_of,
    is_spatial,
    leader_of,
    read_layout,
    slip_bit,
    slip_of,
    slip_row,
    spin_of,
)
from .sets import AT_REST_IN_SPACE, ONLY_FREE, allowed_of
from .solve import JAMS, ease_of, jams, limit_of, load_of, solve_mode

MOST_TURNS, TURNED, ROUNDED = 200, 1e-14, 1e-12
"""Most times that a direction is corrected; the change at which it is found; that below which rounding may be all that
is left, once it does not fall."""

TURNS = 1e-12
"""The speed of a slip that has turned round, as a fraction of the scale of its row."""

SAME = 1e-6
"""Difference of two directions that are the same."""

CRAWLS = 0.01
"""The speed of what stops together with another contact, as a fraction of that below which a slip is slow."""

HYSTERESIS = 0.5
"""The speed below which a slip is slow, as a fraction of that above which it is not."""


def twist_of(work, layout, mode, j, first):
    """Return the twist of a contact at its middle, of velocities or accelerations that begin at `first`."""
    r, spin, centre = slip_row(work, layout, mode, j), spin_of(work, layout, j), layout.centre + 2 * j
    if spin < 0:
        return Vector(work[first + r], work[first + r + 1], 0.0)
    x, y, turn = work[centre], work[centre + 1], work[first + spin]
    return Vector(work[first + r] - turn * y, work[first + r + 1] + turn * x, turn * work[layout.lever + j])


def solve_sliding(work, layout, p, mode, finds_z, sought, most_turns):
    """Solve a mode like `solve_mode`, with the directions of slips.

    Parameters
    ----------
    work, layout, mode, finds_z
        As of `solve_mode`.
    p : array
        Parameters.
    sought : int
        Where sets of slips begin: where one may hold, but begins to slip, its direction is found, along the twist z
        that it gets. 0 in a chart, where what holds has the friction that it began with, as far as nothing else
        decides.
    most_turns : int
        Most times that directions are corrected.

    Returns
    -------
    float
        What is missed.
    """
    if layout.tangents == 2:
        for j in range(layout.n_contacts):
            for k in range(3 * j, 3 * j + 3):
                work[layout.direction + k] = work[layout.lean + k] if sought == 0 else 0.0
            put_middle(work, layout, mode, j)
            work[layout.spread + 4 * j + 3] = 0.25
        turn_slips(work, p, mode, sought, 0)
        begin_slips(work, layout, mode, sought)
    return solve_onwards(work, layout, p, mode, finds_z, sought, most_turns)


def begin_slips(work, layout, mode, sought):
    """Put the directions of slips that are sought, before they are known: those against the friction of holding."""
    held = mode
    for j in range(layout.n_contacts):
        if is_sought(work, sought, slip_of(work, layout, mode, j), j):
            held &= ~(BEGINS << slip_bit(work, layout, j))
    if held != mode:
        solve_mode(work, layout, held, True)
    for j in range(layout.n_contacts if held != mode else 0):
        if slip_row(work, layout, mode, j) >= 0 and slip_of(work, layout, held, j) != slip_of(work, layout, mode, j):
            twist = times(-1.0, limit_twist(work, layout, held, j))
            put(work, layout.direction + 3 * j, unit(twist, twist))
            put_pulls(work, mode, j)


def solve_onwards(work, layout, p, mode, finds_z, sought, most_turns):
    """Solve a mode like `solve_sliding`, from the directions on that there are."""
    missed = solve_mode(work, layout, mode, finds_z)
    if layout.tangents == 2:
        last = math.inf + 0.0 * work[layout.mass]
        for turn in range(1, most_turns + 1):
            change = turn_slips(work, p, mode, sought, turn)
            if change <= TURNED or last <= change <= ROUNDED:
                break
            last = change
            missed = solve_mode(work, layout, mode, finds_z)
    return missed


@separate(real)
def turn_slips(work, p, mode, sought, turn):
    """Correct the directions of slips and, from the first turn on, shares of four corners; return by how much at most.

    The share of the last corner depends on itself: where a sole turns, corners have friction in different directions,
    and this moves the pressure.
    """
    layout = read_layout(work)
    change, y, n = 0.0 * work[layout.mass], layout.turned, 0
    step = y + 4 * layout.n_contacts
    for j in range(layout.n_contacts if turn > 0 else 0):
        if slides(work, layout, mode, j):
            n += write_turn(work, layout, mode, sought, j, y + n, step + n)
    for k in range(step, step + n):
        change = max(change, abs(work[k]))
    if n > 0:
        lengthen(work, step, y, n, turn)
    for j in range(layout.n_contacts):
        if not slides(work, layout, mode, j):
            continue
        d, share = vector_at(work, layout.direction + 3 * j), layout.spread + 4 * j + 3
        if turn > 0 and is_flat(work, layout, mode, j):
            work[share] = min(max(work[share] + work[step], 0.0), 1.0)
            step += 1
        if not is_sought(work, sought, slip_of(work, layout, mode, j), j):
            new = slip_direction(work, layout, p, mode, j)
            change = max(change, length_of(minus(new, d)))
            put(work, layout.direction + 3 * j, new)
        elif turn > 0:
            below = plus(unit(twist_below(work, layout, mode, j, d), d), vector_at(work, step))
            put(work, layout.direction + 3 * j, unit(twist_above(work, layout, mode, j, below), d))
            step += 3
        put_pulls(work, mode, j)
    return change


def slides(work, layout, mode, j):
    """Return whether a contact slips, or begins to, against friction."""
    return slip_row(work, layout, mode, j) >= 0 and slip_of(work, layout, mode, j) not in (HOLDS, FREE)


def write_turn(work, layout, mode, sought, j, y, f):
    """Write the share of the last of four corners, and the direction of a contact's slip, as far as they are sought.

    Write how they change at f; return how many numbers these are.
    """
    n, r = 0, slip_row(work, layout, mode, j)
    if is_flat(work, layout, mode, j):
        work[y] = work[layout.spread + 4 * j + 3]
        work[f] = fourth_share(work, j) - work[y]
        n = 1
    if is_sought(work, sought, slip_of(work, layout, mode, j), j):
        old = twist_below(work, layout, mode, j, vector_at(work, layout.direction + 3 * j))
        reach = work[layout.grip + j] * load_of(work, layout, j) * mean_of(work, layout, r, j)
        z, old = twist_below(work, layout, mode, j, twist_of(work, layout, mode, j, layout.z)), unit(old, old)
        new = unit(plus(times(max(reach, 0.0), old), z), old)
        put(work, y + n, old)
        put(work, f + n, minus(new, old))
        n += 3
    return n


def is_sought(work, sought, slip, j):
    """Return whether the direction of a slip is not known: it begins where the contact might also hold."""
    return slip == BEGINS and sought != 0 and (allowed_of(work, sought, j) & 1) == 1


def mean_of(work, layout, r, j):
    """Return half the sum of G along both tangents and about the normal, beyond half its largest eigenvalue."""
    wide, spin = layout.n_rows + 1, spin_of(work, layout, j)
    both = work[layout.delassus + wide * r] + work[layout.delassus + wide * (r + 1)]
    if spin >= 0:
        both += work[layout.lever + j] * work[layout.lever + j] * work[layout.delassus + wide * spin]
    return 0.5 * both


def slip_direction(work, layout, p, mode, j):
    """Return the direction that friction of a contact acts against."""
    twist, lean = twist_of(work, layout, mode, j, layout.velocity), vector_at(work, layout.lean + 3 * j)
    if slip_of(work, layout, mode, j) == BEGINS:
        twist = plus(twist, times(p[layout.general + BEGIN_SPEED], lean))
    return unit(twist, lean)


def put_slide_boundaries(g, work, layout, p, chart, j):
    """Write the boundaries of a contact in space that is down."""
    slip, first, slow = slip_of(work, layout, chart, j), boundary_of(layout, j), p[layout.general + BEGIN_SPEED]
    if slip == HOLDS:
        most, demand = limit_of(work, layout, p, j, STATIC), find_demand(work, chart, j)
        g[first + HOLD] = most * most - demand * demand
    elif slip != FREE:
        twist = twist_of(work, layout, chart, j, layout.velocity)
        square = dot(twist, twist)
        g[first + PACE] = square / slow - HYSTERESIS * HYSTERESIS * slow
        if slip == BEGINS:
            along = along_of(work, layout, chart, j, twist, vector_at(work, layout.lean + 3 * j))
            back = min(along, 0.0) / CRAWLS  # a stop that was declined does not cross again
            g[first + STOP], g[first + PACE] = along, slow - (square + back * back) / slow
        if jams(work, layout, chart, j):
            g[first + JAM] = ease_of(work, layout, chart, leader_of(work, layout, chart, j)) - JAMS


def slide_of_chart(work, layout, p, chart, j, crossed, tied):
    """Return how a contact in space may slip next, like `slips_of_chart`, and find in which direction it begins to."""
    slip, first, lean = slip_of(work, layout, chart, j), boundary_of(layout, j), layout.lean + 3 * j
    if slip_row(work, layout, chart, j) < 0 or slip == FREE or crossed[first + STOP]:
        return AT_REST_IN_SPACE
    if slip == HOLDS:
        demand = find_demand(work, chart, j)
        left = limit_of(work, layout, p, j, STATIC) - demand
        if not (crossed[first + HOLD] or left <= tied) or demand == 0.0:
            return AT_REST_IN_SPACE
        twist = limit_twist(work, layout, chart, j)
        put(work, lean, unit(times(-1.0, twist), twist))
        return (1 << BEGINS) | ONLY_FREE
    if crossed[first + PACE] and slip == BEGINS:
        return 1 << SLIPS
    if crossed[first + PACE]:
        put(work, lean, unit(twist_of(work, layout, chart, j, layout.velocity), vector_at(work, lean)))
        return 1 << BEGINS
    return 1 << slip


def slide_of_speeds(work, layout, p, members, j, velocities, rounding):
    """Return how a contact in space may slip next, as it moves; anyhow, if it does not move."""
    r = slip_row(work, layout, members, j)
    if r < 0:
        return AT_REST_IN_SPACE
    put_middle(work, layout, members, j)
    twist = twist_of(work, layout, members, j, velocities)
    if length_of(twist) <= rounding * max(work[layout.scale + r], work[layout.scale + r + 1]):
        return AT_REST_IN_SPACE
    put(work, layout.lean + 3 * j, unit(twist, twist))
    return 1 << (SLIPS if length_of(twist) > math.sqrt(HYSTERESIS) * p[layout.general + BEGIN_SPEED] else BEGINS)


def is_slower(work, layout, p, mode, j, part):
    """Return whether a contact is slower than this part of the speed below which a slip begins."""
    return length_of(twist_of(work, layout, mode, j, layout.velocity)) < part * p[layout.general + BEGIN_SPEED]


def moves_in_space(work, layout, j, r, least):
    """Return whether a contact moves along its second tangent or about its normal."""
    spin = spin_of(work, layout, j)
    lateral = abs(work[layout.velocity + r + 1]) > least * work[layout.scale + r + 1]
    return lateral or (spin >= 0 and abs(work[layout.velocity + spin]) > least * work[layout.scale + spin])


def lean_as_found(work, layout, mode, sought):
    """Keep the directions that have been found of slips that begin."""
    for j in range(layout.n_contacts if layout.tangents == 2 else 0):
        if slip_row(work, layout, mode, j) >= 0 and is_sought(work, sought, slip_of(work, layout, mode, j), j):
            put(work, layout.lean + 3 * j, vector_at(work, layout.direction + 3 * j))


def leans_as_before(x_new, work, layout, j):
    """Return whether a contact in space begins to slip in the direction in which it began before."""
    first = layout.n_coordinates + layout.n_speeds + 2 + 3 * j
    lean = vector_at(work, layout.lean + 3 * j)
    return is_spatial(layout, j) and length_of(minus(lean, vector_at(x_new, first))) <= SAME


def keep_leans(x_new, work, layout, mode):
    """Write the directions in which slips began into the state, and the friction that what holds begins with.

    Where another contact has stopped, what slips slowly may have turned round.
    """
    first = layout.n_coordinates + layout.n_speeds + 2
    for j in range(layout.n_contacts if layout.tangents == 2 else 0):
        slip, lean = slip_of(work, layout, mode, j), vector_at(work, layout.lean + 3 * j)
        if slip_row(work, layout, mode, j) >= 0 and slip == BEGINS:
            twist = twist_of(work, layout, mode, j, layout.velocity)
            if (
                along_of(work, layout, mode, j, twist, lean)
                < -TURNS * work[layout.scale + slip_row(work, layout, mode, j)]
            ):
                put(work, layout.lean + 3 * j, unit(twist, lean))
        for k in range(3 * j, 3 * j + 3):
            x_new[first + k] = work[(layout.direction if slip == HOLDS else layout.lean) + k]
