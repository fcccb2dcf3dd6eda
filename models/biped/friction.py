"""Feet that slip: Coulomb's law, which way friction acts where a slip begins, and when it ends.

Friction has the size friction Fz and acts against the slip velocity v of the foot. A slip begins at rest, where v has
no direction yet. As it begins where friction reaches its limit, friction goes on in the direction that it has: the foot
begins to slip opposite to it, along e. So friction acts against

    d = (v + s e) / |v + s e|,      with a speed s that is far below those of a slip.

d is e where the slip begins, and the direction of v as soon as v is larger than s. The slip ends where v d is zero:
beyond it, friction would give energy.
"""

import math

from hybridsim.multibody import Vector, direction_row, velocity_of
from hybridsim.multibody.vectors import dot

from .body import TREE
from .contacts import FX, FY, FZ, N_WRENCH, contact_point, rows_of_foot
from .records import P, S, slips

SLOW = 2.5e-4
"""The speed s, as part of sqrt(g stature)."""
ROUNDING = 1e-6
"""Part of s below which a slip rate is zero."""


def slow_speed(p):
    """Return the speed s [m/s]."""
    return SLOW * math.sqrt(p[P.g] * p[P.stature])


def slip_rounding(p):
    """Return the slip rate that counts as rest [m/s]."""
    return ROUNDING * slow_speed(p)


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
    x, p, first = instant.x, instant.p, S.slip1_x + 2 * foot
    slow, velocity = slow_speed(p), slip_velocity(motion, instant, foot)
    along_x, along_y = velocity.x + slow * x[first], velocity.y + slow * x[first + 1]
    size = math.sqrt(along_x * along_x + along_y * along_y)
    if size == 0.0:
        return Vector(x[first], x[first + 1], 0.0)
    return Vector(along_x / size, along_y / size, 0.0)


def slip_rate(motion, instant, foot):
    """Return v d [m/s]: friction takes the power friction Fz v d; the slip ends where it is no longer positive."""
    return dot(slip_velocity(motion, instant, foot), slip_direction(motion, instant, foot))


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
