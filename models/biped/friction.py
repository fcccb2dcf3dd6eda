"""Feet that slip: Coulomb's law, which way friction acts where a slip begins, and when it ends.

Friction has the size friction Fz and acts against the velocity v of the foot, at the point that the ground held: toe 1
or heel 2, about which the ground gives foot 2 no yaw moment, whether it slips or not. A slip begins at rest, where v
has no direction yet. As it begins where friction reaches its limit, friction goes on in the direction that it has: the
foot begins to slip opposite to it, along e. So friction acts against

    d = (v + s e) / |v + s e|,      with a speed s that is far below those of a slip,

until v is s, and against v from then on. A slip that begins ends where it has turned back, as friction would give
energy there; one that is under way ends at s / 2, with a small impact. Feet that jam come to rest, too (`jamming`).
"""

import math

from hybridsim.multibody import Vector, direction_row, velocity_of
from hybridsim.multibody.vectors import dot, length_of, plus, times

from .body import TREE
from .contacts import FX, FY, FZ, N_WRENCH, contact_point, rows_of_foot
from .records import BEGINS, HOLDS, SLIPS, B, Foot, P, S, slips

SLOW_SPEED_RATIO = 2.5e-4
"""The speed s, as part of sqrt(g stature)."""
TURNED, LAST = -1e-3, 0.5
"""The speed v d at which a slip ends, as part of s: one that begins, starting from 0, and one that is under way."""


def slow_speed(p):
    """Return the speed s [m/s]."""
    return SLOW_SPEED_RATIO * math.sqrt(p[P.g] * p[P.stature])


def begin_slip(x_new, forces, foot):
    """Remember that a foot begins to slip against the friction that acts on it."""
    fx, fy = forces[N_WRENCH * foot + FX], forces[N_WRENCH * foot + FY]
    size, first = math.sqrt(fx * fx + fy * fy), S.slip1_x + 2 * foot
    x_new[first] = -fx / size if size > 0.0 else 1.0
    x_new[first + 1] = -fy / size if size > 0.0 else 0.0


def slip_velocity(motion, instant, foot):
    """Return how a foot moves along the ground [m/s]; a sole does not yaw, so that all its points move alike."""
    point = contact_point(instant.chart, foot, instant.p[P.stature])
    velocity = velocity_of(motion, point.frame, point.place)
    return Vector(velocity.x, velocity.y, 0.0)


def slip_direction(motion, instant, foot):
    """Return the direction d that friction acts against."""
    x, first = instant.x, S.slip1_x + 2 * foot
    e, velocity = Vector(x[first], x[first + 1], 0.0), slip_velocity(motion, instant, foot)
    if slips(instant.chart, foot) == BEGINS:
        velocity = plus(velocity, times(slow_speed(instant.p), e))
    size = length_of(velocity)
    return times(1.0 / size, velocity) if size > 0.0 else e


def slip_rate(motion, instant, foot):
    """Return v d [m/s]: friction takes the power friction Fz v d; the slip ends where it is no longer positive."""
    return dot(slip_velocity(motion, instant, foot), slip_direction(motion, instant, foot))


def stick_margin(motion, instant, foot):
    """Return how far a foot that slips is from coming to rest [m/s]; without friction it never does."""
    slow = slow_speed(instant.p)
    if instant.p[P.friction] == 0.0:
        return slow
    least = TURNED if slips(instant.chart, foot) == BEGINS else LAST
    return slip_rate(motion, instant, foot) - least * slow


def start_margin(motion, instant, foot):
    """Return how far the slip of a foot that begins to slip is from being under way [m/s]."""
    return slow_speed(instant.p) - length_of(slip_velocity(motion, instant, foot))


def follow_slip(foot, motion, instant, crossed, number):
    """Return foot 1 (number = 0) or 2 (1): whether its slip has come to rest, or has begun and is under way."""
    if foot.slips == HOLDS:
        return foot
    if crossed[B.jam] or crossed[B.stick1 + number] or stick_margin(motion, instant, number) <= 0.0:
        return Foot(foot.contact, foot.clear, HOLDS)
    if crossed[B.fast1 + number] or start_margin(motion, instant, number) <= 0.0:
        return Foot(foot.contact, foot.clear, SLIPS)
    return foot


def write_friction(rows, motion, count, instant):
    """Write the efforts of the feet that slip: their pressure comes with its friction."""
    p, chart = instant.p, instant.chart
    for foot in range(2):
        if slips(chart, foot):
            d = slip_direction(motion, instant, foot)
            effort = Vector(-p[P.friction] * d.x, -p[P.friction] * d.y, 1.0)
            at = count + (rows_of_foot(chart, 0) if foot == 1 else 0)
            direction_row(rows, motion, TREE, at, contact_point(chart, foot, p[P.stature]), effort)


def add_friction(forces, motion, instant):
    """Put the friction of the feet that slip among the reactions."""
    for foot in range(2):
        if slips(instant.chart, foot):
            first, d = N_WRENCH * foot, slip_direction(motion, instant, foot)
            forces[first + FX] = -instant.p[P.friction] * forces[first + FZ] * d.x
            forces[first + FY] = -instant.p[P.friction] * forces[first + FZ] * d.y


def slip_power(forces, motion, instant):
    """Return the power that is lost to friction [W]."""
    power = 0.0
    for foot in range(2):
        if slips(instant.chart, foot):
            fz = forces[N_WRENCH * foot + FZ]
            power += instant.p[P.friction] * fz * slip_rate(motion, instant, foot)
    return power
