"""What the ground and the joints hold in each chart: rows of constraints, and what they are held with.

Foot 1 stands on its toe, its heel or flat, or is in the air; so does foot 2. A point on the ground does not move, a
foot on the ground does not roll, and a flat one does not pitch. These constraints are ideal: the ground holds them.
The yaw of the trunk and of foot 2, and the roll of a foot 2 in the air, are held by torques of the joints ankle1_z,
ankle2_z and ankle2_x, or, with held = ideal, by wrenches on trunk and foot from nowhere (Menga and Ghirardi 2016).
"""

from hybridsim.multibody import Point, Vector, lock_row, point_rows, spin_row

from .body import MECHANISM, TREE, F, N, U, heel1, heel2, toe1, toe2
from .records import HEEL, TOE, foot1_of, foot2_of, on_ground

N_GROUND, N_HELD = 10, 3
N_WRENCH = 5
"""Reactions at a foot: force along x, y and z, moment about x, and about y if it is flat."""
TRUNK_YAW, FOOT2_YAW, FOOT2_ROLL = N_GROUND, N_GROUND + 1, N_GROUND + 2
FX, FY, FZ, TX, TY = range(N_WRENCH)
ROWS = 2 * MECHANISM.rows_size(N_GROUND + N_HELD)
"""Size of the array of rows and of efforts."""
X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)

_HINGE1 = ("toe_xdot", "toe_ydot", "toe_zdot", "foot1_xdot")
_FLAT1 = (*_HINGE1, "foot1_ydot")
_YAW = ("ankle1_zdot", "ankle2_zdot")
_AIR2 = (*_YAW, "ankle2_xdot")
_HINGE2 = (*_AIR2, "hip1_xdot", "hip2_xdot", "hip2_ydot")
_FLAT2 = (*_HINGE2, "ankle2_ydot")
FLIGHT = MECHANISM.dependent(*_AIR2)
SECOND_HINGE, SECOND_FLAT = MECHANISM.dependent(*_HINGE1, *_YAW), MECHANISM.dependent(*_FLAT1, *_YAW)
SINGLE_HINGE, SINGLE_FLAT = MECHANISM.dependent(*_HINGE1, *_AIR2), MECHANISM.dependent(*_FLAT1, *_AIR2)
HINGE_HINGE, FLAT_HINGE = MECHANISM.dependent(*_HINGE1, *_HINGE2), MECHANISM.dependent(*_FLAT1, *_HINGE2)
HINGE_FLAT, FLAT_FLAT = MECHANISM.dependent(*_HINGE1, *_FLAT2), MECHANISM.dependent(*_FLAT1, *_FLAT2)
"""Dependent speeds where both feet are in the air; foot 1 alone is; foot 2 alone is; both stand as named."""


def partition_of(chart):
    """Return which speeds depend on the others; those of hinged feet are the choice of Menga and Ghirardi (2016)."""
    foot1, foot2 = foot1_of(chart), foot2_of(chart)
    flat1, flat2 = foot1 == TOE | HEEL, foot2 == TOE | HEEL
    if not on_ground(foot1):
        if not on_ground(foot2):
            return FLIGHT
        return SECOND_FLAT if flat2 else SECOND_HINGE
    if not on_ground(foot2):
        return SINGLE_FLAT if flat1 else SINGLE_HINGE
    if flat2:
        return FLAT_FLAT if flat1 else HINGE_FLAT
    return FLAT_HINGE if flat1 else HINGE_HINGE


def contact1(chart, stature):
    """Return the point of foot 1 that the ground holds: its toe, unless it stands on its heel alone."""
    return Point(F.foot1, heel1(stature) if foot1_of(chart) == HEEL else toe1(stature))


def contact2(chart, stature):
    """Return the point of foot 2 that the ground holds: its heel, unless it stands on its toe alone."""
    return Point(F.foot2, toe2(stature) if foot2_of(chart) == TOE else heel2(stature))


def write_rows(rows, motion, chart, stature):
    """Write the rows of the constraints: those of the ground, foot 1 first, and then those that are held."""
    at = 0
    if on_ground(foot1_of(chart)):
        at = write_foot(rows, motion, at, contact1(chart, stature), foot1_of(chart) == TOE | HEEL)
    if on_ground(foot2_of(chart)):
        at = write_foot(rows, motion, at, contact2(chart, stature), foot2_of(chart) == TOE | HEEL)
    spin_row(rows, motion, TREE, at, F.hat, Z)
    spin_row(rows, motion, TREE, at + 1, F.foot2, Z)
    if not on_ground(foot2_of(chart)):
        spin_row(rows, motion, TREE, at + 2, F.foot2, X)


def write_foot(rows, motion, at, point, flat):
    """Write the rows of a foot on the ground; return where the next ones begin."""
    point_rows(rows, motion, TREE, at, point)
    spin_row(rows, motion, TREE, at + TX, point.frame, X)
    if not flat:
        return at + TX + 1
    spin_row(rows, motion, TREE, at + TY, point.frame, Y)
    return at + TY + 1


def write_efforts(rows, count, ground, ideal):
    """Write what holds the `count` constraints, of which the first `ground` are ideal; the others, if `ideal`."""
    first = count * (N + 1)
    for i in range((count if ideal else ground) * (N + 1)):
        rows[first + i] = rows[i]
    if not ideal:
        lock_row(rows, TREE, count + ground, U.ankle1_zdot)
        lock_row(rows, TREE, count + ground + 1, U.ankle2_zdot)
        if count > ground + 2:
            lock_row(rows, TREE, count + ground + 2, U.ankle2_xdot)


def ground_rows(chart):
    """Return how many constraints the ground holds."""
    return rows_of_foot(foot1_of(chart)) + rows_of_foot(foot2_of(chart))


def held_rows(chart):
    """Return how many constraints the joints hold."""
    return 2 if on_ground(foot2_of(chart)) else N_HELD


def rows_of_foot(contact):
    if contact == TOE | HEEL:
        return N_WRENCH
    return N_WRENCH - 1 if on_ground(contact) else 0


def collect(forces, reactions, chart):
    """Put the reactions where they are whatever the chart: five of each foot, and three that are held."""
    for i in range(N_GROUND + N_HELD):
        forces[i] = 0.0
    of_foot1 = rows_of_foot(foot1_of(chart))
    for i in range(of_foot1):
        forces[i] = reactions[i]
    ground = ground_rows(chart)
    for i in range(ground - of_foot1):
        forces[N_WRENCH + i] = reactions[of_foot1 + i]
    for i in range(held_rows(chart)):
        forces[N_GROUND + i] = reactions[ground + i]
