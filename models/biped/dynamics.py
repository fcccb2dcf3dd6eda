"""How the biped moves in a chart: Kane's equations, the reactions, and the power of what drives it.

`torque(t, side, joint)` [N m], of the motor of a joint of the right (0) or left (1) leg, and `sole_moment(t, side)`
[N m], of the toes against the ground about y, come from the controller. The joints of a leg are counted from 0,
ankle_x, to 5, hip_y, and a torque is positive if it would increase the joint's angle were the leg leg 1. The sole
moment acts while its foot is on the ground and not flat.
"""

import math
from typing import Any, NamedTuple

from hybridsim import scratch, subarray
from hybridsim.multibody import (
    Vector,
    add_force,
    arm_of,
    external_wrench,
    inertia_forces,
    kinematics,
    mass_matrix,
    point_of,
    solve_held,
    spin_of,
)
from hybridsim.multibody.vectors import cross, minus, times

from .anthropometry import HAT_CENTRE, HIP_DISTANCE
from .body import DATA, FIRST_JOINT, MASSES, N_JOINTS, ORIGIN, TREE, WORK, Build, F, N, U, describe, heel2
from .contacts import (
    FOOT2_ROLL,
    FOOT2_YAW,
    FX,
    FY,
    FZ,
    N_GROUND,
    N_HELD,
    N_WRENCH,
    ROWS_SIZE,
    TRUNK_YAW,
    TX,
    TY,
    across_of,
    ahead_of,
    collect,
    contact1,
    contact2,
    count_held_rows,
    ground_rows,
    other_partition,
    partition_of,
    pitch_rate2,
    write_efforts,
    write_rows,
)
from .friction import add_friction, write_friction
from .records import DURING, FLAT, P, S, foot1_of, foot2_of, is_turned, mirror_of, mode_of, on_ground, push_of, slips

LEG_SIZE = 6
"""Joints of a leg."""
KNEE_JOINT = 3
JOINT_Y = (1, 3, 5)
N_REACTIONS = N_GROUND + N_HELD
"""Size of the array of reactions: five of each foot, then three of what is held."""
IDEAL_HOLDS = 1
"""Value of the parameter `held`."""
SMALL_PIVOT = 1e-3
"""Where a foot slips and the smallest pivot is below this, other speeds are eliminated: digits are lost, and it may go
through 0 although friction and rows determine all speeds."""


class Instant(NamedTuple):
    """The arguments of a contract function, and the controller's functions."""

    t: float
    x: Any
    p: Any
    chart: int
    torque: Any
    sole_moment: Any


def build_of(p):
    """Return what body the parameters describe."""
    return Build(p[P.mass], p[P.stature], p[P.hat_factor], p[P.hat_shift], p[P.inertia_factor])


def trunk_centre(p):
    """Return the mass centre of the trunk in its frame [m]: pushes act there."""
    return Vector(0.0, 0.5 * HIP_DISTANCE * p[P.stature], HAT_CENTRE * p[P.stature] + p[P.hat_shift])


def gravity_of(p):
    """Return the acceleration of gravity in the axes of the ground, whose z is normal to the slope [m/s^2]."""
    return Vector(-p[P.g] * math.sin(p[P.slope]), 0.0, -p[P.g] * math.cos(p[P.slope]))


def push_force(instant):
    """Return the push on the trunk, in the biped's own frame [N]."""
    p, during = instant.p, 1.0 if push_of(instant.chart) == DURING else 0.0
    x, y = p[P.force_x] + during * p[P.push_x], p[P.force_y] + during * p[P.push_y]
    cosine, sine = math.cos(instant.x[S.heading]), math.sin(instant.x[S.heading])
    return Vector(
        cosine * x + sine * y,
        mirror_of(instant.chart) * (cosine * y - sine * x),
        p[P.force_z] + during * p[P.push_z],
    )


def accelerate(udot, forces, motion, instant):
    """Find the rates of the speeds and all reactions.

    Parameters
    ----------
    udot : (17,) array
        Receives the rates of the speeds.
    forces : (13,) array
        Receives force and moments about x and y of the ground on foot 1, at toe 1, and on foot 2, at heel 2, in the
        biped's own frame [N, N m]; and the torques that hold the yaw of the trunk and yaw and roll of foot 2 [N m].
    motion : (MOTION,) array
        Receives where the bodies are; `external_wrench` may follow.
    instant : Instant
        When, where and under which control.

    Returns
    -------
    float
        The smallest pivot of the constraints, as of `solve_held`.
    """
    x, p, chart = instant.x, instant.p, instant.chart
    data, mass, force = scratch(DATA), scratch(MASSES), scratch(N)
    rows, work, reactions = scratch(ROWS_SIZE), scratch(WORK), scratch(N_REACTIONS)
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x, subarray(x, N, N))
    mass_matrix(mass, motion, TREE, data)
    inertia_forces(force, motion, TREE, data, gravity_of(p))
    for i in range(N):
        force[i] = -force[i]
    apply_controls(force, motion, instant)
    add_force(force, motion, TREE, F.hat, arm_of(motion, F.hat, trunk_centre(p)), push_force(instant), ORIGIN)
    ground = ground_rows(chart)
    write_rows(rows, motion, chart, p[P.stature])
    rows[(N + 1) * ground + N] -= x[S.trunk_turn]
    rows[(N + 1) * (ground + 1) + N] -= x[S.foot2_turn]
    count = ground + count_held_rows(chart)
    write_efforts(rows, count, ground, p[P.held] == IDEAL_HOLDS)
    write_friction(rows, motion, count, instant)
    pivot = solve_held(udot, reactions, mass, force, rows, partition_of(chart), work)
    if pivot < SMALL_PIVOT and slips(chart, 1):
        other = solve_held(udot, reactions, mass, force, rows, other_partition(chart), work)
        if other < pivot:
            solve_held(udot, reactions, mass, force, rows, partition_of(chart), work)
        pivot = max(pivot, other)
    collect(forces, reactions, chart)
    add_friction(forces, motion, instant)
    refer_moments(forces, motion, instant)
    return pivot


def apply_controls(force, motion, instant):
    """Add torques of the motors and moments of the soles to the generalised forces."""
    for i in range(N_JOINTS):
        force[FIRST_JOINT + i] += motor_torque(instant, i)
    moment1, moment2 = sole_moments(instant)
    add_force(force, motion, TREE, F.foot1, ORIGIN, ORIGIN, Vector(0.0, moment1, 0.0))
    across2 = across_of(ahead_of(motion, instant.chart, 1))
    add_force(force, motion, TREE, F.foot2, ORIGIN, ORIGIN, times(moment2, across2))


def motor_torque(instant, i):
    """Return the torque that the controller asks of a motor [N m], by its number among the 12."""
    mode = mode_of(instant.chart)
    if i < LEG_SIZE:
        return instant.torque(instant.t, mode, i)
    joint = 2 * LEG_SIZE - 1 - i
    turned = -1.0 if joint in JOINT_Y else 1.0
    return turned * instant.torque(instant.t, 1 - mode, joint)


def sole_moments(instant):
    """Return the moments of the toes of foot 1 and of foot 2 against the ground [N m]."""
    t, mode = instant.t, mode_of(instant.chart)
    foot1, foot2 = foot1_of(instant.chart), foot2_of(instant.chart)
    moment1 = instant.sole_moment(t, mode) if on_ground(foot1) and foot1 != FLAT else 0.0
    moment2 = instant.sole_moment(t, 1 - mode) if on_ground(foot2) and foot2 != FLAT else 0.0
    return moment1, moment2


def refer_moments(forces, motion, instant):
    """Add the moments of the soles; refer those of foot 1 to its toe, those of foot 2, along x and y, to its heel."""
    chart, h = instant.chart, instant.p[P.stature]
    moment1, moment2 = sole_moments(instant)
    forces[TY] += moment1
    ahead, roll, pitch = ahead_of(motion, chart, 1), forces[N_WRENCH + TX], forces[N_WRENCH + TY] + moment2
    forces[N_WRENCH + TX], forces[N_WRENCH + TY] = ahead.x * roll - ahead.y * pitch, ahead.x * pitch + ahead.y * roll
    toe = point_of(motion, F.foot1, ORIGIN)
    heel = point_of(motion, F.foot2, heel2(h))
    point1, point2 = contact1(chart, h), contact2(chart, h)
    shift_moment(forces, 0, minus(point_of(motion, F.foot1, point1.place), toe))
    shift_moment(forces, N_WRENCH, minus(point_of(motion, F.foot2, point2.place), heel))


def shift_moment(forces, first, arm):
    """Refer the moments of a foot to a point from which the old one is at `arm`."""
    force = Vector(forces[first + FX], forces[first + FY], forces[first + FZ])
    moved = cross(arm, force)
    forces[first + TX] += moved.x
    forces[first + TY] += moved.y


def hidden_yaw_moment(udot, forces, motion, instant):
    """Return the yaw moment of the ground on foot 1, about the point of it that the ground holds [N m].

    Foot 1 has no angle about z, so no row holds it. Newton and Euler have it: what acts from outside makes the rate of
    the angular momentum, and the rest of it is known. The ground gives foot 2 no yaw moment about the point it holds.
    """
    p, chart = instant.p, instant.chart
    held1, held2 = contact1(chart, p[P.stature]), contact2(chart, p[P.stature])
    about = point_of(motion, held1.frame, held1.place)
    _, moment = external_wrench(motion, TREE, udot, about)
    arm2 = minus(point_of(motion, held2.frame, held2.place), about)
    of_push = cross(minus(point_of(motion, F.hat, trunk_centre(p)), about), push_force(instant))
    of_foot2 = arm2.x * forces[N_WRENCH + FY] - arm2.y * forces[N_WRENCH + FX]
    by_nature = forces[TRUNK_YAW] + forces[FOOT2_YAW] if p[P.held] == IDEAL_HOLDS else 0.0
    return moment.z - of_foot2 - of_push.z - by_nature


def yaw_moment_about_toe(udot, forces, motion, instant):
    """Return the yaw moment of the ground on foot 1, about its toe [N m]."""
    held = contact1(instant.chart, instant.p[P.stature])
    arm = minus(point_of(motion, held.frame, held.place), point_of(motion, F.foot1, ORIGIN))
    return hidden_yaw_moment(udot, forces, motion, instant) + arm.x * forces[FY] - arm.y * forces[FX]


def joint_torque(forces, instant, i):
    """Return the torque of a joint [N m]: what the controller asks for and, in joints that hold, what holding takes."""
    torque = motor_torque(instant, i)
    if instant.p[P.held] == IDEAL_HOLDS:
        return torque
    if FIRST_JOINT + i == U.ankle1_zdot:
        return torque + forces[TRUNK_YAW]
    if FIRST_JOINT + i == U.ankle2_zdot:
        return torque + forces[FOOT2_YAW]
    return torque + forces[FOOT2_ROLL] if FIRST_JOINT + i == U.ankle2_xdot else torque


def motor_power(forces, motion, instant):
    """Return the power of all motors and toes on the body [W], with that of nature where it turns trunk and foot 2."""
    u = subarray(instant.x, N, N)
    power = 0.0
    if instant.p[P.held] == IDEAL_HOLDS and is_turned(instant.chart):
        power = forces[TRUNK_YAW] * spin_of(motion, F.hat).z + forces[FOOT2_YAW] * spin_of(motion, F.foot2).z
    for i in range(N_JOINTS):
        power += joint_torque(forces, instant, i) * u[FIRST_JOINT + i]
    moment1, moment2 = sole_moments(instant)
    return power + moment1 * u[U.foot1_ydot] + moment2 * pitch_rate2(motion, instant.chart)
