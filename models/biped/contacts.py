"""What the ground and the joints hold in each chart: rows of constraints, and what they are held with.

Foot 1 stands on its toe, its heel or flat, or is in the air; so does foot 2. A point on the ground does not move, a
foot on the ground does not roll, and a flat one does not pitch. These constraints are ideal: the ground holds them.
The yaw of the trunk and of foot 2, and the roll of a foot 2 in the air, are held by torques of the joints ankle1_z,
ankle2_z and ankle2_x, or, with held = ideal, by wrenches on trunk and foot from nowhere (Menga and Ghirardi 2016).
A foot that slips keeps its height, roll and pitch; `friction` has what is then in the place of the force along x and y.
"""

import math

from hybridsim.multibody import Point, Vector, direction_row, lock_row, point_rows, rotation_of, spin_of, spin_row
from hybridsim.multibody.vectors import dot

from .body import MECHANISM, TREE, F, N, U, heel1, heel2, toe1, toe2
from .records import FLAT, HEEL, TOE, foot1_of, foot2_of, is_turned, on_ground, slips

N_GROUND, N_HELD = 10, 3
N_WRENCH = 5
"""Reactions at a foot: force along x and y unless it slips, along z, moment about x, and about y if it is flat."""
N_ALONG = 2
"""Forces along the ground."""
TRUNK_YAW, FOOT2_YAW, FOOT2_ROLL = N_GROUND, N_GROUND + 1, N_GROUND + 2
HOLDING = U.ankle1_zdot, U.ankle2_zdot, U.ankle2_xdot
"""Speeds of the joints that hold those three."""
FX, FY, FZ, TX, TY = range(N_WRENCH)
ROWS_SIZE = 2 * MECHANISM.rows_size(N_GROUND + N_HELD)
"""Size of the array of rows and of efforts."""
X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)

IN_AIR, ON_POINT, ON_SOLE, SLIPS_ON_POINT, SLIPS_ON_SOLE = range(5)
"""How a foot stands: on one point or flat, and whether it slips."""


def dependent_speeds(foot1, foot2, lifting):
    """Return the names of the speeds that the rows determine; with hinged feet as Menga and Ghirardi (2016) have it.

    `lifting` is that with which a foot 2 keeps its height beside foot 1.
    """
    names = ["ankle1_zdot", "ankle2_zdot"]
    if foot2 == IN_AIR or foot1 != IN_AIR:
        names += ["ankle2_xdot"]
    first = foot2 if foot1 == IN_AIR else foot1
    if first != IN_AIR:
        names += ["toe_zdot", "foot1_xdot"]
        names += ["foot1_ydot"] if first in (ON_SOLE, SLIPS_ON_SOLE) else []
        names += ["toe_xdot", "toe_ydot"] if first in (ON_POINT, ON_SOLE) else []
    if IN_AIR not in (foot1, foot2):
        names += [lifting]
        names += ["ankle2_ydot"] if foot2 in (ON_SOLE, SLIPS_ON_SOLE) else []
        names += ["hip2_xdot", "hip2_ydot"] if foot2 in (ON_POINT, ON_SOLE) else []
    return names


N_KINDS = SLIPS_ON_SOLE + 1
PARTITIONS, OTHERS = (
    tuple(
        MECHANISM.dependent(*dependent_speeds(foot1, foot2, lifting))
        for foot1 in range(N_KINDS)
        for foot2 in range(N_KINDS)
    )
    for lifting in ("hip1_xdot", "knee1dot")
)
"""Dependent and independent speeds, by how foot 1 and foot 2 stand.

The force on a foot 2 that slips, pressure and friction, may pass through the axis of hip1_x. Then it does nothing at
this speed, which cannot be the one to be eliminated, and another one is.
"""


def partition_of(chart):
    """Return which speeds depend on the others."""
    return PARTITIONS[stand_of(chart)]


def other_partition(chart):
    """Return which other speeds may depend on the rest; the same ones, unless foot 2 is beside foot 1."""
    return OTHERS[stand_of(chart)]


def stand_of(chart):
    """Return how both feet stand, as a number."""
    return N_KINDS * kind_of(foot1_of(chart), slips(chart, 0)) + kind_of(foot2_of(chart), slips(chart, 1))


def kind_of(contact, slipping):
    """Return how a foot stands."""
    if not on_ground(contact):
        return IN_AIR
    if contact == FLAT:
        return SLIPS_ON_SOLE if slipping else ON_SOLE
    return SLIPS_ON_POINT if slipping else ON_POINT


def contact1(chart, stature):
    """Return the point of foot 1 that the ground holds: its toe, unless it stands on its heel alone."""
    return Point(F.foot1, heel1(stature) if foot1_of(chart) == HEEL else toe1(stature))


def contact2(chart, stature):
    """Return the point of foot 2 that the ground holds: its heel, unless it stands on its toe alone."""
    return Point(F.foot2, toe2(stature) if foot2_of(chart) == TOE else heel2(stature))


def contact_point(chart, foot, stature):
    """Return the point of foot 1 (foot = 0) or 2 (1) that the ground holds."""
    return contact1(chart, stature) if foot == 0 else contact2(chart, stature)


def ahead_of(motion, chart, foot):
    """Return where foot 1 (foot = 0) or 2 (1) points, along the ground: along x, unless the biped turns."""
    across = rotation_of(motion, F.foot2).y
    zero = 0.0 * across.x  # of its type, which may be that of dual numbers
    if foot == 0 or not is_turned(chart):
        return Vector(1.0 + zero, zero, zero)
    size = math.sqrt(across.x * across.x + across.y * across.y)
    return Vector(across.y / size, -across.x / size, zero)


def across_of(ahead):
    """Return the direction along the ground to the left of one."""
    return Vector(-ahead.y, ahead.x, ahead.z)


def pitch_about(motion, frame, ahead):
    """Return the pitch of a foot that points along `ahead` [rad]; positive: heel up."""
    axes = rotation_of(motion, frame)
    return math.atan2(dot(axes.z, ahead), dot(axes.x, ahead))


def pitch_rate2(motion, chart):
    """Return the rate of the pitch of foot 2 [rad/s]."""
    return dot(spin_of(motion, F.foot2), across_of(ahead_of(motion, chart, 1)))


def own_moments(forces, first, ahead):
    """Return roll and pitch moment of a foot about axes of its own, from its reactions along x and y [N m]."""
    tx, ty = forces[first + TX], forces[first + TY]
    return ahead.x * tx + ahead.y * ty, ahead.x * ty - ahead.y * tx


def write_rows(rows, motion, chart, stature):
    """Write the rows of the constraints: those of the ground, foot 1 first, and then those that are held."""
    at = 0
    for foot in range(2):
        contact, point = contact_of(chart, foot), contact_point(chart, foot, stature)
        ahead = ahead_of(motion, chart, foot)
        if slips(chart, foot):
            at = write_slipping_foot(rows, motion, at, point, contact == FLAT, ahead)
        elif on_ground(contact):
            at = write_foot(rows, motion, at, point, contact == FLAT, ahead)
    spin_row(rows, motion, TREE, at, F.hat, Z)
    spin_row(rows, motion, TREE, at + 1, F.foot2, Z)
    if not on_ground(foot2_of(chart)):
        write_roll(rows, motion, at + 2, ahead_of(motion, chart, 1), is_turned(chart))


def write_roll(rows, motion, at, ahead, turned):
    """Write the row of the roll of foot 2 about its own axis, which turns with it."""
    spin_row(rows, motion, TREE, at, F.foot2, ahead)
    if turned:
        spin = spin_of(motion, F.foot2)
        rows[(N + 1) * at + N] += spin.z * dot(spin, across_of(ahead))


def write_foot(rows, motion, at, point, flat, ahead):
    """Write the rows of a foot on the ground that does not slip; return where the next ones begin."""
    point_rows(rows, motion, TREE, at, point)
    return write_sole(rows, motion, at + TX, point, flat, ahead)


def write_slipping_foot(rows, motion, at, point, flat, ahead):
    """Write the rows of a foot that slips."""
    direction_row(rows, motion, TREE, at, point, Z)
    return write_sole(rows, motion, at + 1, point, flat, ahead)


def write_sole(rows, motion, at, point, flat, ahead):
    """Write that a foot which points along `ahead` does not roll, nor pitch if it is flat."""
    spin_row(rows, motion, TREE, at, point.frame, ahead)
    if not flat:
        return at + 1
    spin_row(rows, motion, TREE, at + 1, point.frame, across_of(ahead))
    return at + 2


def write_efforts(rows, count, ground, ideal):
    """Write what holds the `count` constraints, of which the first `ground` are ideal; the others, if `ideal`."""
    first = count * (N + 1)
    for i in range((count if ideal else ground) * (N + 1)):
        rows[first + i] = rows[i]
    for i in range(0 if ideal else count - ground):
        lock_row(rows, TREE, count + ground + i, HOLDING[i])


def contact_of(chart, foot):
    """Return what of foot 1 (foot = 0) or 2 (1) is on the ground."""
    return foot1_of(chart) if foot == 0 else foot2_of(chart)


def ground_rows(chart):
    """Return how many constraints the ground holds."""
    return rows_of_foot(chart, 0) + rows_of_foot(chart, 1)


def count_held_rows(chart):
    """Return how many constraints the joints hold."""
    return 2 if on_ground(foot2_of(chart)) else N_HELD


def rows_of_foot(chart, foot):
    """Return how many constraints the ground holds at a foot."""
    contact = contact_of(chart, foot)
    if not on_ground(contact):
        return 0
    rows = N_WRENCH if contact == FLAT else N_WRENCH - 1
    return rows - N_ALONG if slips(chart, foot) else rows


def collect(forces, reactions, chart):
    """Put the reactions where they are whatever the chart: five of each foot, and three that are held.

    The moments of foot 2 are about axes of its own.
    """
    for i in range(N_GROUND + N_HELD):
        forces[i] = 0.0
    at = 0
    for foot in range(2):
        first = N_WRENCH * foot + (N_ALONG if slips(chart, foot) else 0)
        for i in range(rows_of_foot(chart, foot)):
            forces[first + i] = reactions[at + i]
        at += rows_of_foot(chart, foot)
    for i in range(count_held_rows(chart)):
        forces[N_GROUND + i] = reactions[at + i]
