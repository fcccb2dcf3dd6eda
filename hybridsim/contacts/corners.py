"""Friction of soles: Coulomb's, at each corner that presses, against the velocity there.

A corner with the force N_i has friction -mu N_i d_i, d_i = s_i / |s_i|, with s_i its velocity along both tangents and
the rate about the normal times a lever, which makes s_i nowhere 0 but at rest. The twist s of a contact is that at the
middle of its points. Friction dissipates mu times the reach

    H(s) = sum N_i |s_i|,

and a sole holds as long as its friction F, at the middle, is in the cone F s <= mu H(s) for all s. Of four corners,
which three rows keep flat, corner i has the share of N that Wachspress (1975) gives it: in a rectangle
N (1 +- a) (1 +- b) / 4 with the centre of pressure at (a, b). It is not negative while that is within the edges, and 0
at what lifts where it is at an edge, so that friction is continuous where a sole tips.
"""

import math

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import real, void
from hybridsim.multibody.vectors import Vector, cross, dot, length_of, minus, plus, put, times, vector_at

from .layout import first_of, is_down, is_spatial, leader_of, normal_of, patch_of, read_layout, spin_of
from .soles import count_down
from .solve import load_of

MOST_STEPS, MOST_HALVINGS, BALANCED, LEVEL = 40, 30, 1e-14, 1e-15
"""Most steps of Newton's method that find the twist of a limit; most halvings of one; what is left of the force; the
part of H^2 that a last step gains at most."""

CORNER = 3
"""Numbers of a corner that presses."""


def unit(a, otherwise):
    """Return the direction of a, or another one where a is 0."""
    square = dot(a, a)
    return times(1.0 / math.sqrt(square), a) if square > 0.0 else otherwise


def place_of(work, layout, i):
    """Return the place of point i along both tangents of its plane."""
    return Vector(work[layout.along + 2 * i], work[layout.along + 2 * i + 1], 0.0)


def middle_of(work, layout, j):
    """Return the middle of all points of a contact."""
    first, behind = first_of(work, layout, j), first_of(work, layout, j + 1)
    middle = times(0.0, place_of(work, layout, first))
    for i in range(first, behind):
        middle = plus(middle, times(1.0 / (behind - first), place_of(work, layout, i)))
    return middle


def put_middle(work, layout, mode, j):
    """Put the way from a contact's leader to the middle of its points in its place."""
    if spin_of(work, layout, j) >= 0 and leader_of(work, layout, mode, j) >= 0:
        arm = minus(middle_of(work, layout, j), place_of(work, layout, leader_of(work, layout, mode, j)))
        work[layout.centre + 2 * j], work[layout.centre + 2 * j + 1] = arm.x, arm.y


def is_flat(work, layout, mode, j):
    """Return whether four points of a contact in space are down."""
    return is_spatial(layout, j) and count_down(work, layout, mode, j) == 4


def corner_twist(work, layout, i, s):
    """Return the twist at point i of a contact whose twist at the middle is s."""
    j = patch_of(work, layout, i)
    if spin_of(work, layout, j) < 0:
        return s
    arm, turn = minus(place_of(work, layout, i), middle_of(work, layout, j)), s.z / work[layout.lever + j]
    return Vector(s.x - turn * arm.y, s.y + turn * arm.x, s.z)


def along_of(work, layout, mode, j, s, e):
    """Return the mean, over the points that are down, of the products of two twists there."""
    along = 0.0 * s.x
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, mode, i):
            along += dot(corner_twist(work, layout, i, s), corner_twist(work, layout, i, e))
    return along / count_down(work, layout, mode, j)


def off_middle(work, layout, mode, j):
    """Return the way from the middle of a contact to that of its points that are down, and what these are apart.

    This makes a product of twists there, with their rates times it, that of `along_of`.
    """
    middle, n = middle_of(work, layout, j), count_down(work, layout, mode, j)
    off, square = times(0.0, middle), work[layout.lever + j] * work[layout.lever + j]
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, mode, i):
            arm = minus(place_of(work, layout, i), middle)
            off, square = plus(off, times(1.0 / n, arm)), square + dot(arm, arm) / n
    return off, math.sqrt(square - dot(off, off))


def twist_below(work, layout, mode, j, s):
    """Return the twist at the middle of the points that are down, from that at the middle of all."""
    if spin_of(work, layout, j) < 0:
        return s
    off, apart = off_middle(work, layout, mode, j)
    turn = s.z / work[layout.lever + j]
    return Vector(s.x - turn * off.y, s.y + turn * off.x, turn * apart)


def twist_above(work, layout, mode, j, s):
    """Return the inverse of `twist_below`."""
    if spin_of(work, layout, j) < 0:
        return s
    off, apart = off_middle(work, layout, mode, j)
    turn = s.z / apart
    return Vector(s.x + turn * off.y, s.y - turn * off.x, turn * work[layout.lever + j])


@separate(void)
def put_pulls(work, mode, j):
    """Put the direction that friction acts against at each point that is down, from that at the middle.

    Of four, the forces of three rows are those of the points but for the fourth one's: N_i = lambda_i + b_i N_4.
    """
    layout = read_layout(work)
    d, first = vector_at(work, layout.direction + 3 * j), first_of(work, layout, j)
    spread, at, spin = layout.spread + 4 * j, place_of(work, layout, first), spin_of(work, layout, j)
    work[spread] = work[spread + 1] = work[spread + 2] = 0.0
    work[spread + 3] = work[spread + 3] if is_flat(work, layout, mode, j) else 0.0
    for i in range(first, first_of(work, layout, j + 1)):
        if not is_down(work, layout, mode, i):
            continue
        pull = unit(corner_twist(work, layout, i, d), times(0.0, d))
        put(work, layout.pull + 3 * i, pull)
        if spin >= 0 and is_flat(work, layout, mode, j):
            part, arm = (
                work[spread + 3] * balance_of(work, layout, first, i - first),
                minus(place_of(work, layout, i), at),
            )
            work[spread] += part * pull.x
            work[spread + 1] += part * pull.y
            work[spread + 2] += part * (work[layout.lever + j] * pull.z + arm.x * pull.y - arm.y * pull.x)


def balance_of(work, layout, first, k):
    """Return b of the k-th of four corners: forces b at all four have no sum and no moment; 1 of the last."""
    here = place_of(work, layout, first)
    a, b = minus(place_of(work, layout, first + 1), here), minus(place_of(work, layout, first + 2), here)
    c = minus(place_of(work, layout, first + 3), here)
    whole, second, third = cross(a, b).z, cross(c, b).z, cross(a, c).z
    if k == 3:
        return 1.0 + 0.0 * whole
    return -((second if k == 1 else third if k == 2 else whole - second - third) / whole)


def pressure_of(work, layout, mode, i):
    """Return the normal force of a point that is down; of four points, `edge_pressure` of the edge that it begins."""
    j = patch_of(work, layout, i)
    if layout.tangents == 1 or j >= layout.n_contacts or count_down(work, layout, mode, j) < 4:
        return work[layout.multipliers + normal_of(work, layout, i)]
    return edge_pressure(work, layout, first_of(work, layout, j), i - first_of(work, layout, j))


def edge_pressure(work, layout, first, k):
    """Return the force opposite the edge from the k-th of four corners to the next, which presses them over it.

    Three rows keep four points down, and the centre of pressure is within their edges.
    """
    here, pressure = place_of(work, layout, first + k), 0.0
    edge = minus(place_of(work, layout, first + (k + 1) % 4), here)
    far = minus(place_of(work, layout, first + (k + 2) % 4), here)
    for other in range(first, first + 3):
        arm = minus(place_of(work, layout, other), here)
        side = (edge.x * arm.y - edge.y * arm.x) / (edge.x * far.y - edge.y * far.x)
        pressure += side * work[layout.multipliers + normal_of(work, layout, other)]
    return pressure


@separate(real)
def fourth_share(work, j):
    """Return the part of the normal force that the last of four corners has."""
    layout = read_layout(work)
    first, total = first_of(work, layout, j), 0.0 * work[layout.lever + j]
    last, one = total, max(edge_pressure(work, layout, first, 1), 0.0)
    for k in range(4):
        here = place_of(work, layout, first + (k + 1) % 4)
        back = minus(here, place_of(work, layout, first + k))
        corner = cross(back, minus(place_of(work, layout, first + (k + 2) % 4), here)).z
        before, one = one, max(edge_pressure(work, layout, first, (k + 2) % 4), 0.0)
        last = before * one / abs(corner)
        total += last
    return last / total if total > 0.0 else 0.25 + total


def put_corners(work, layout, mode, j):
    """Put the normal force of each corner that presses, its arm from the middle divided by the lever; return how many.

    They are put behind the twist that `find_demand` puts.
    """
    is_whole, arms = is_flat(work, layout, mode, j), spin_of(work, layout, j) >= 0
    first, middle, n = first_of(work, layout, j), middle_of(work, layout, j), 0
    fourth = fourth_share(work, j) * load_of(work, layout, j) if is_whole else 0.0 * middle.x
    for i in range(first, first_of(work, layout, j + 1)):
        force = work[layout.multipliers + normal_of(work, layout, i)]
        if is_whole:
            force += balance_of(work, layout, first, i - first) * fourth
        if is_down(work, layout, mode, i) and force > 0.0:
            arm = times(1.0 / work[layout.lever + j] if arms else 0.0 * force, minus(place_of(work, layout, i), middle))
            put(work, layout.turned + CORNER * (n + 1), Vector(force, arm.x, arm.y))
            n += 1
    return n


def pressure_centre(work, layout, mode, j):
    """Return the centre of pressure of a contact; the middle of its points that are down where nothing presses."""
    load, equal = load_of(work, layout, j), 1.0 / count_down(work, layout, mode, j)
    centre = times(0.0, place_of(work, layout, first_of(work, layout, j)))
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, mode, i):
            share = work[layout.multipliers + normal_of(work, layout, i)] / load if load > 0.0 else equal
            centre = plus(centre, times(share, place_of(work, layout, i)))
    return centre


def friction_at(work, layout, j, place):
    """Return the friction of a contact at a place of its plane; the torque divided by the lever."""
    spin, force = spin_of(work, layout, j), times(0.0, place)
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        r = layout.multipliers + normal_of(work, layout, i)
        here = Vector(work[r + 1], work[r + 2], 0.0)
        force = plus(force, plus(here, cross(minus(place_of(work, layout, i), place), here)))
    if spin < 0:
        return Vector(force.x, force.y, 0.0)
    return Vector(force.x, force.y, (force.z + work[layout.multipliers + spin]) / work[layout.lever + j])


def reach_of(work, layout, mode, j, s):
    """Return H(s): the friction of a contact, with coefficient 1, along a twist at the middle."""
    return reach_at(work, layout, put_corners(work, layout, mode, j), s)


def reach_at(work, layout, n, s):
    """Return H(s) of the n corners that have been put."""
    reach = 0.0 * s.x
    for k in range(n):
        corner = vector_at(work, layout.turned + CORNER * (k + 1))
        reach += corner.x * length_of(Vector(s.x - s.z * corner.z, s.y + s.z * corner.y, s.z))
    return reach


@separate(real)
def find_demand(work, mode, j):
    """Return the smallest coefficient with which a contact has its friction F, times its load; and put a twist.

    Along the twist s at the middle it has just this friction, F = H(s) H'(s): it makes H(s)^2 / 2 - F s least, and then
    H(s) is the coefficient. It is put where directions are found, at `turned`.
    """
    layout = read_layout(work)
    force, load = friction_at(work, layout, j, middle_of(work, layout, j)), load_of(work, layout, j)
    put(work, layout.turned, force)
    if load <= 0.0 or dot(force, force) == 0.0:
        return length_of(force)
    put(work, layout.turned, times(1.0 / (load * load), force))
    if spin_of(work, layout, j) < 0:
        return length_of(force)
    n = put_corners(work, layout, mode, j)
    for _ in range(MOST_STEPS):
        if shorten(work, layout, n, force) == 0:
            break
    return load * reach_at(work, layout, n, vector_at(work, layout.turned))


def shorten(work, layout, n, force):
    """Improve the twist of `find_demand` by a step of Newton's method; return 0 if it was the last one."""
    s = vector_at(work, layout.turned)
    reach, slope, a, b, c = limit_slopes(work, layout, n, s)
    value, left = 0.5 * reach * reach - dot(force, s), minus(times(reach, slope), force)
    if length_of(left) <= BALANCED * length_of(force):
        return 0
    a, b = stiffened(reach, slope, slope.x, a), stiffened(reach, slope, slope.y, b)
    c = stiffened(reach, slope, slope.z, c)
    whole = dot(a, cross(b, c))
    step = plus(plus(times(left.x, cross(b, c)), times(left.y, cross(c, a))), times(left.z, cross(a, b)))
    step = times(-1.0 / whole if whole > 0.0 else 0.0 * whole, step)
    if abs(dot(left, step)) <= LEVEL * reach * reach:  # values differ by rounding alone: none can judge another step
        put(work, layout.turned, plus(s, step))
        return 0
    for _ in range(MOST_HALVINGS):
        trial = plus(s, step)
        longer = reach_at(work, layout, n, trial)
        if 0.5 * longer * longer - dot(force, trial) < value:
            put(work, layout.turned, trial)
            return 1
        step = times(0.5, step)
    return 0


def limit_twist(work, layout, mode, j):
    """Return the twist at the middle along which a contact would slip with just its friction, against it."""
    find_demand(work, mode, j)
    return vector_at(work, layout.turned)


def stiffened(reach, slope, part, row):
    """Return a row of the second derivative of H^2 / 2."""
    return plus(times(part, slope), times(reach, row))


def limit_slopes(work, layout, n, s):
    """Return H of the n corners that have been put, its first derivative, and the rows of the second one."""
    zero = times(0.0, s)
    reach, slope, a, b, c = zero.x, zero, zero, zero, zero
    for k in range(n):
        corner = vector_at(work, layout.turned + CORNER * (k + 1))
        load, x, y = corner.x, corner.y, corner.z
        twist = Vector(s.x - s.z * y, s.y + s.z * x, s.z)
        size = length_of(twist)
        d, part = times(1.0 / size, twist), load / size
        push = Vector(d.x, d.y, d.z + x * d.y - y * d.x)  # the friction at the middle
        reach, slope = reach + load * size, plus(slope, times(load, push))
        a = plus(a, times(part, minus(Vector(1.0 + zero.x, zero.x, -y), times(push.x, push))))
        b = plus(b, times(part, minus(Vector(zero.x, 1.0 + zero.x, x), times(push.y, push))))
        c = plus(c, times(part, minus(Vector(-y, x, 1.0 + x * x + y * y), times(push.z, push))))
    return reach, slope, a, b, c
