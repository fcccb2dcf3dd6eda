"""The control law: torques that give the centre of pressure, the trunk and the feet the motion that is wanted.

One square system of linear equations for each sample. Unknown are the 17 rates of the speeds and five reactions of
each foot on the ground. There are

    5   equations of motion of foot 1, which has no motor,
    15  accelerations: of both feet (five each), yaw of trunk and foot 2, roll and pitch of the trunk, height,
    2   equations that put the centre of pressure where it shall be,
    5   in double support, which share the load between the feet: the redundant torques.

The torques follow from the other twelve equations of motion.
"""

import math
from typing import Any, NamedTuple

from hybridsim import scratch, subarray
from hybridsim.multibody import (
    Point,
    Vector,
    inertia_forces,
    kinematics,
    lock_row,
    mass_matrix,
    point_of,
    rotation_of,
    solve_linear,
    spin_of,
    spin_row,
    velocity_of,
)
from hybridsim.multibody.vectors import dot
from hybridsim_models.biped.body import FIRST_JOINT, MASSES, MECHANISM, MOTION, N_JOINTS, ORIGIN, TREE, F, N, Q, U
from hybridsim_models.biped.contacts import (
    FX,
    FY,
    FZ,
    N_WRENCH,
    TX,
    TY,
    X,
    Y,
    Z,
    across_of,
    ahead_of,
    contact1,
    contact2,
    pitch_about,
    write_foot,
    write_roll,
)
from hybridsim_models.biped.records import FLAT, foot1_of, foot2_of, is_turned, on_ground

from .known import BodyProperties
from .references import follow, resting
from .strength import part_within

FOOT1, FOOT2, TRUNK_YAW, FOOT2_YAW, TRUNK_ROLL, TRUNK_PITCH, HEIGHT, N_ROWS = 0, 5, 10, 11, 12, 13, 14, 15
"""The rows of accelerations; a foot has those of a point, of its roll and of its pitch."""
N_TORQUES = N_JOINTS + 2
"""Those of the motors, and the moments of both soles."""
N_UNKNOWNS, ROWS_SIZE = N + 2 * N_WRENCH, MECHANISM.rows_size(N_ROWS)
SYSTEM_SIZE = N_UNKNOWNS * N_UNKNOWNS
TRUNK_STIFFNESS, TRUNK_DAMPING = 200.0, 28.0
FOOT_STIFFNESS, FOOT_DAMPING = 400.0, 40.0
HEIGHT_STIFFNESS, HEIGHT_DAMPING = 150.0, 24.0
"""Gains of the tasks [1/s^2, 1/s]."""
KNEE_STIFFNESS, KNEE_DAMPING = 400.0, 40.0
"""Gains of the guard that keeps a knee from being straighter than an angle [1/s^2, 1/s]."""
NO_KNEE, KNEE1, KNEE2 = range(3)


class Situation(NamedTuple):
    """How the biped stands and moves, and what the equations are made from.

    Attributes
    ----------
    body : BodyProperties
        What it is, and on what it stands.
    stance, stature
        Those of `body`.
    q, u, motion, matrix, bias, rows, wanted : arrays
        Coordinates and speeds; what `kinematics` finds; M; h; rows of accelerations, and their wanted values.
    """

    body: BodyProperties
    stance: int
    stature: float
    q: Any
    u: Any
    motion: Any
    matrix: Any
    bias: Any
    rows: Any
    wanted: Any


def find_torques(torques, q, u, data, body, goal, limited):
    """Find the torques of the 12 motors in the order of the speeds, and then the moments of both soles [N m].

    Parameters
    ----------
    torques : (14,) array
        Receives them.
    q, u : (17,) arrays
        Coordinates and speeds.
    data : array
        Constants of the bodies that the controller believes in.
    body : BodyProperties
        On what it stands, its mass, gravity and stature.
    goal : Goal
        What to do.
    limited : bool
        Whether a foot in the air may be late, so that the torques stay within the limits of people.
    """
    motion, mass, bias = scratch(MOTION), scratch(MASSES), scratch(N)
    rows, wanted, system, solution = scratch(ROWS_SIZE), scratch(N_ROWS), scratch(SYSTEM_SIZE), scratch(N_UNKNOWNS)
    kinematics(motion, TREE, data, q, u)
    mass_matrix(mass, motion, TREE, data)
    inertia_forces(bias, motion, TREE, data, Vector(-body.gravity * math.tan(body.slope), 0.0, -body.gravity))
    now = Situation(body, body.stance, body.stature, q, u, motion, mass, bias, rows, wanted)
    write_accelerations(now, goal)
    solve(system, solution, now, goal)
    knee = straight_knee(q, u, solution, goal.least_knee)
    if knee != NO_KNEE:
        guard_knee(now, knee, goal.least_knee)
        solve(system, solution, now, goal)
    write_torques(torques, now, solution)
    if limited and not on_ground(foot2_of(body.stance)):
        slow_down(torques, system, solution, now, goal)


def slow_down(torques, system, solution, now, goal):
    """Let the foot in the air keep its velocity as far as torques, which are linear in its rates, are too large."""
    slow, quick_use = scratch(N_TORQUES), friction_used(solution)
    for row in (FX, FY, FZ, TY):
        now.wanted[FOOT2 + row] = 0.0
    solve(system, solution, now, goal)
    write_torques(slow, now, solution)
    part = part_within(slow, torques, now.u, friction_used(solution), quick_use)
    for i in range(N_TORQUES):
        torques[i] = slow[i] + part * (torques[i] - slow[i])


def friction_used(solution):
    """Return the ratio of horizontal force and pressure of foot 1."""
    along = math.sqrt(solution[N + FX] ** 2 + solution[N + FY] ** 2)
    return along / max(solution[N + FZ], 1e-3 * along + 1e-9)


def write_accelerations(now, goal):
    """Write the rows of accelerations, and what they shall be."""
    motion, rows, wanted, stance = now.motion, now.rows, now.wanted, now.stance
    for i in range(N_ROWS):
        wanted[i] = 0.0
    write_foot(rows, motion, FOOT1, contact1(stance, now.stature), True, X)
    if foot1_of(stance) != FLAT:
        wanted[FOOT1 + TY] = follow_pitch(goal.pitch1, motion, F.foot1, X)
    in_air, ahead = not on_ground(foot2_of(stance)), ahead_of(motion, stance, 1)
    write_foot(rows, motion, FOOT2, Point(F.foot2, ORIGIN) if in_air else contact2(stance, now.stature), True, ahead)
    if foot2_of(stance) != FLAT:
        wanted[FOOT2 + TY] = follow_pitch(goal.pitch2, motion, F.foot2, ahead)
    if in_air:
        write_roll(rows, motion, FOOT2 + TX, ahead, is_turned(stance))
        wanted[TRUNK_YAW], wanted[FOOT2_YAW] = goal.trunk_turn, goal.foot2_turn
        ankle, moving = point_of(motion, F.foot2, ORIGIN), velocity_of(motion, F.foot2, ORIGIN)
        wanted[FOOT2 + FX] = follow(goal.ankle_x, ankle.x, moving.x, FOOT_STIFFNESS, FOOT_DAMPING)
        wanted[FOOT2 + FY] = follow(goal.ankle_y, ankle.y, moving.y, FOOT_STIFFNESS, FOOT_DAMPING)
        wanted[FOOT2 + FZ] = follow(goal.ankle_z, ankle.z, moving.z, FOOT_STIFFNESS, FOOT_DAMPING)
    spin_row(rows, motion, TREE, TRUNK_YAW, F.hat, Z)
    spin_row(rows, motion, TREE, FOOT2_YAW, F.foot2, Z)
    write_trunk(now)
    write_height(now, goal)


def follow_pitch(reference, motion, foot, ahead):
    """Return the acceleration with which the pitch of a foot that points ahead follows its reference [rad/s^2]."""
    rate = dot(spin_of(motion, foot), across_of(ahead))
    return follow(reference, pitch_about(motion, foot, ahead), rate, FOOT_STIFFNESS, FOOT_DAMPING)


def write_trunk(now):
    """Write the rows of roll and pitch of the trunk, which shall be upright."""
    axes, spin = rotation_of(now.motion, F.hat), spin_of(now.motion, F.hat)
    spin_row(now.rows, now.motion, TREE, TRUNK_ROLL, F.hat, X)
    spin_row(now.rows, now.motion, TREE, TRUNK_PITCH, F.hat, Y)
    roll, pitch = math.atan2(axes.y.z, axes.z.z), -math.asin(axes.x.z)
    now.wanted[TRUNK_ROLL] = follow(resting(0.0), roll, spin.x, TRUNK_STIFFNESS, TRUNK_DAMPING)
    now.wanted[TRUNK_PITCH] = follow(resting(now.body.slope), pitch, spin.y, TRUNK_STIFFNESS, TRUNK_DAMPING)


def write_height(now, goal):
    """Write the row of the mass centre's height: the third equation of motion is that of the whole body along z."""
    first, rate = (N + 1) * HEIGHT, 0.0
    for j in range(N):
        now.rows[first + j] = now.matrix[N * U.toe_zdot + j] / now.body.mass
        rate += now.rows[first + j] * now.u[j]
    now.rows[first + N] = now.bias[U.toe_zdot] / now.body.mass - now.body.gravity
    now.wanted[HEIGHT] = follow(goal.height, goal.centre_z, rate, HEIGHT_STIFFNESS, HEIGHT_DAMPING)


def solve(system, solution, now, goal):
    """Put the equations together, and solve them for rates of the speeds and reactions."""
    double = on_ground(foot2_of(now.stance))
    reactions = 2 * N_WRENCH if double else N_WRENCH
    n = N + reactions
    for i in range(n * n):
        system[i] = 0.0
    for i in range(n):
        solution[i] = 0.0
    for i in range(FIRST_JOINT):
        for j in range(N):
            system[n * i + j] = now.matrix[N * i + j]
        for k in range(reactions):
            system[n * i + N + k] = -now.rows[(N + 1) * k + i]
        solution[i] = -now.bias[i]
    for k in range(N_ROWS):
        for j in range(N):
            system[n * (FIRST_JOINT + k) + j] = now.rows[(N + 1) * k + j]
        solution[FIRST_JOINT + k] = now.wanted[k] - now.rows[(N + 1) * k + N]
    put_pressure(subarray(system, n * (FIRST_JOINT + N_ROWS), 2 * n), n, now, goal)
    if double:
        put_shares(subarray(system, n * (FIRST_JOINT + N_ROWS + 2), N_WRENCH * n), n, goal)
    solve_linear(system, solution, n)


def put_pressure(equations, n, now, goal):
    """Put the equations of the centre of pressure: no moment about it along x and y.

    Between feet at two heights it is as high as the load is shared.
    """
    foot, up = point_of(now.motion, F.foot1, contact1(now.stance, now.stature).place), 0.0
    if on_ground(foot2_of(now.stance)):
        up = now.body.ground2 - now.body.ground1
    put_moments(equations, n, N, Vector(foot.x - goal.cop_x, foot.y - goal.cop_y, -goal.share * up), X)
    if on_ground(foot2_of(now.stance)):
        foot = point_of(now.motion, F.foot2, contact2(now.stance, now.stature).place)
        arm = Vector(foot.x - goal.cop_x, foot.y - goal.cop_y, (1.0 - goal.share) * up)
        put_moments(equations, n, N + N_WRENCH, arm, ahead_of(now.motion, now.stance, 1))


def put_moments(equations, n, first, arm, ahead):
    """Put the moments of a foot that is at `arm` from the centre of pressure and points ahead."""
    equations[first + FX], equations[first + FZ] = -arm.z, arm.x
    equations[first + TX], equations[first + TY] = -ahead.y, -ahead.x
    equations[n + first + FY], equations[n + first + FZ] = -arm.z, arm.y
    equations[n + first + TX], equations[n + first + TY] = ahead.x, -ahead.y


def put_shares(equations, n, goal):
    """Put the equations of load sharing: forces and roll moments by share, pitch moments by what the soles bear."""
    one, two, share = N, N + N_WRENCH, goal.share
    for i in range(3):
        along = FX if i == 0 else FY if i == 1 else TX
        put_share(equations, n * i, along, share)
    if not goal.flat1 and not goal.flat2:
        equations[n * 3 + one + TY], equations[n * 4 + two + TY] = 1.0, 1.0
        return
    put_share(equations, n * 3, FZ, share)
    if not goal.flat1:
        equations[n * 4 + one + TY] = 1.0
    elif not goal.flat2:
        equations[n * 4 + two + TY] = 1.0
    else:
        # Both centres of pressure are equally far ahead of their heels: toe - heel - Ty1/Fz1 = -Ty2/Fz2.
        equations[n * 4 + two + FZ] = (1.0 - share) * goal.toe_ahead
        equations[n * 4 + one + TY], equations[n * 4 + two + TY] = -share, 1.0 - share


def put_share(equations, first, along, share):
    """Put that foot 2 bears its share of a reaction: (1 - a) F2 = a F1."""
    equations[first + N + along], equations[first + N + N_WRENCH + along] = -share, 1.0 - share


def straight_knee(q, u, udot, least):
    """Return the knee that the solution would make too straight, if there is one."""
    excess1 = least_bending(-q[Q.knee1] - least, -u[U.knee1dot]) + udot[U.knee1dot]
    excess2 = least_bending(q[Q.knee2] - least, u[U.knee2dot]) - udot[U.knee2dot]
    if excess1 <= 0.0 and excess2 <= 0.0:
        return NO_KNEE
    return KNEE1 if excess1 > excess2 else KNEE2


def least_bending(away, rate):
    """Return the least acceleration of a knee's flexion, which is so far from the least one [rad/s^2]."""
    return -KNEE_STIFFNESS * away - KNEE_DAMPING * rate


def guard_knee(now, knee, least):
    """Let the guard of a knee take the place of a task: the way of the swinging foot, or the height."""
    swinging = knee == KNEE2 and not on_ground(foot2_of(now.stance))
    row = FOOT2 + FX if swinging else HEIGHT
    if knee == KNEE1:
        lock_row(now.rows, TREE, row, U.knee1dot)
        now.wanted[row] = -least_bending(-now.q[Q.knee1] - least, -now.u[U.knee1dot])
    else:
        lock_row(now.rows, TREE, row, U.knee2dot)
        now.wanted[row] = least_bending(now.q[Q.knee2] - least, now.u[U.knee2dot])


def write_torques(torques, now, solution):
    """Write the torques that the solution takes: M udot + h less what the ground gives; and the moments of soles."""
    reactions = 2 * N_WRENCH if on_ground(foot2_of(now.stance)) else N_WRENCH
    for i in range(N_JOINTS):
        row = FIRST_JOINT + i
        total = now.bias[row]
        for j in range(N):
            total += now.matrix[N * row + j] * solution[j]
        for k in range(reactions):
            total -= now.rows[(N + 1) * k + row] * solution[N + k]
        torques[i] = total
    torques[N_JOINTS] = solution[N + TY]
    torques[N_JOINTS + 1] = solution[N + N_WRENCH + TY] if reactions > N_WRENCH else 0.0
