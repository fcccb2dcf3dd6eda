"""The control law: torques with which centre of pressure, trunk, height and feet do what is wanted.

One square system of linear equations for each sample. Unknown are the 18 rates of the speeds and the wrenches of the
ground on both feet, at the middle of each sole. There are

    6    equations of motion of the trunk, which has no motor,
    12   accelerations of both feet, zero for one that stands,
    4    of the trunk's rotation and of the mass centre's height,
    2    equations that put the centre of pressure where it shall be,
    6    that share the load: (1 - a) of the left wrench is a of the right one. With a = 0 the left foot bears nothing.

The torques follow from the other twelve equations of motion.
"""

import math
from typing import Any, NamedTuple

from hybridsim import scratch
from hybridsim.multibody import (
    Vector,
    inertia_forces,
    lock_row,
    mass_matrix,
    point_of,
    point_rows,
    rotation_of,
    solve_linear,
    spin_of,
    spin_row,
)
from hybridsim_models.biped.control.references import Reference, follow
from hybridsim_models.human3d.muscles import tissue_torque
from hybridsim_models.human3d.person import FIRST_JOINT, MECHANISM, PER_LEG, TREE, N

from .body import DATA, FRICTION, LEVER, MASS, SOLES, F, G

FEET, TRUNK, HEIGHT, N_ROWS = 0, 12, 15, 16
"""The rows of accelerations: six of each foot, left first."""
N_WRENCH, N_MOTORS, N_UNKNOWNS = 12, 2 * PER_LEG, N + 12
SYSTEM_SIZE = N_UNKNOWNS * N_UNKNOWNS
MASSES, ROWS_SIZE = MECHANISM.mass_size, MECHANISM.rows_size(N_ROWS)
TRUNK_STIFFNESS, TRUNK_DAMPING = 200.0, 28.0
HEIGHT_STIFFNESS, HEIGHT_DAMPING = 150.0, 24.0
"""Gains of the tasks [1/s^2, 1/s]."""
KNEE_ANGLE, KNEE_STIFFNESS, KNEE_DAMPING = 0.15, 400.0, 40.0
"""The guard keeps a knee from being straighter than this angle [rad]; gains [1/s^2, 1/s]."""
LEFT_KNEE, RIGHT_KNEE = FIRST_JOINT + 3, FIRST_JOINT + PER_LEG + 3
NO_KNEE, NO_TWIST = -1, 1e9
Z_WORLD = 2


class Goal(NamedTuple):
    """What the law shall do.

    Attributes
    ----------
    cop_x, cop_y : float
        Centre of pressure [m].
    share : float
        Part of the load that the left foot bears.
    height : Reference
        Of the mass centre [m].
    centre_z : float
        Where it is [m].
    most_friction : float
        Part of the soles' friction that may be used; where it is more, the trunk turns instead.
    """

    cop_x: float
    cop_y: float
    share: float
    height: Reference
    centre_z: float
    most_friction: float


class Situation(NamedTuple):
    """Coordinates and speeds, what `kinematics` finds, M, h, and the rows of accelerations with their wanted values."""

    q: Any
    u: Any
    motion: Any
    matrix: Any
    bias: Any
    rows: Any
    wanted: Any


def find_torques(torques, rates, q, u, motion, feet, goal):
    """Find the torques of the 12 motors, in the order of the speeds [N m].

    Parameters
    ----------
    torques, rates : (12,) arrays
        Receive them, and the rates of the joints' speeds that go with them.
    q, u, motion : arrays
        Coordinates, speeds, and what `kinematics` finds for them.
    feet : (12,) array
        Accelerations of the middle of each sole along the world's axes, and of its rotation about them.
    goal : Goal
        What to do.
    """
    matrix, bias = scratch(MASSES), scratch(N)
    rows, wanted, solution = scratch(ROWS_SIZE), scratch(N_ROWS), scratch(N_UNKNOWNS)
    mass_matrix(matrix, motion, TREE, DATA)
    inertia_forces(bias, motion, TREE, DATA, Vector(0.0, 0.0, -G))
    now = Situation(q, u, motion, matrix, bias, rows, wanted)
    write_accelerations(now, feet, goal)
    solve(solution, now, goal, NO_TWIST)
    knee = straight_knee(now, solution)
    if knee != NO_KNEE:
        guard_knee(now, knee, goal)
        solve(solution, now, goal, NO_TWIST)
    twist, most = twist_of(solution), most_twist(solution, goal)
    if abs(twist) > most:
        solve(solution, now, goal, math.copysign(most, twist))
    for i in range(N_MOTORS):
        rates[i] = solution[FIRST_JOINT + i]
    write_torques(torques, now, solution)


def write_accelerations(now, feet, goal):
    """Write the rows of accelerations, and what they shall be."""
    for i in range(N_WRENCH):
        now.wanted[i] = feet[i]
    for side in range(2):
        foot = SOLES[side]
        point_rows(now.rows, now.motion, TREE, 6 * side, foot)
        for axis in range(3):
            spin_row(now.rows, now.motion, TREE, 6 * side + 3 + axis, foot.frame, unit(axis))
    tilt, spin = tilt_of(now.motion, F.trunk), spin_of(now.motion, F.trunk)
    for axis in range(3):
        spin_row(now.rows, now.motion, TREE, TRUNK + axis, F.trunk, unit(axis))
    now.wanted[TRUNK] = -TRUNK_STIFFNESS * tilt.x - TRUNK_DAMPING * spin.x
    now.wanted[TRUNK + 1] = -TRUNK_STIFFNESS * tilt.y - TRUNK_DAMPING * spin.y
    now.wanted[TRUNK + 2] = -TRUNK_STIFFNESS * tilt.z - TRUNK_DAMPING * spin.z
    write_height(now, goal)


def unit(axis):
    return Vector(1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)


def tilt_of(motion, frame):
    """Return the rotation vector, for small angles, from the axes of the world to those of a body [rad]."""
    axes = rotation_of(motion, frame)
    return Vector(0.5 * (axes.y.z - axes.z.y), 0.5 * (axes.z.x - axes.x.z), 0.5 * (axes.x.y - axes.y.x))


def write_height(now, goal):
    """Write the row of the mass centre's height: the third equation of motion is that of the whole body along z."""
    first, rate = (N + 1) * HEIGHT, 0.0
    for j in range(N):
        now.rows[first + j] = now.matrix[N * Z_WORLD + j] / MASS
        rate += now.rows[first + j] * now.u[j]
    now.rows[first + N] = now.bias[Z_WORLD] / MASS - G
    now.wanted[HEIGHT] = follow(goal.height, goal.centre_z, rate, HEIGHT_STIFFNESS, HEIGHT_DAMPING)


def twist_of(solution):
    """Return the moment of both soles about the vertical [N m]."""
    return solution[N + 5] + solution[N + 11]


def solve(solution, now, goal, twist):
    """Put the equations together, and solve them for rates of the speeds and wrenches.

    With a `twist` the moment of the soles about the vertical is given instead of the trunk's yaw.
    """
    n = N_UNKNOWNS
    system = scratch(SYSTEM_SIZE)
    for i in range(n * n):
        system[i] = 0.0
    for i in range(FIRST_JOINT):
        for j in range(N):
            system[n * i + j] = now.matrix[N * i + j]
        for k in range(N_WRENCH):
            system[n * i + N + k] = -now.rows[(N + 1) * k + i]
        solution[i] = -now.bias[i]
    for k in range(N_ROWS):
        for j in range(N):
            system[n * (FIRST_JOINT + k) + j] = now.rows[(N + 1) * k + j]
        solution[FIRST_JOINT + k] = now.wanted[k] - now.rows[(N + 1) * k + N]
    put_pressure(system, solution, now, goal)
    put_shares(system, solution, goal)
    if twist != NO_TWIST:
        put_twist(system, solution, twist)
    solve_linear(system, solution, n)


def put_pressure(system, solution, now, goal):
    """Put the equations of the centre of pressure: no moment about it along x and y."""
    n = N_UNKNOWNS
    first = n * (FIRST_JOINT + N_ROWS)
    solution[FIRST_JOINT + N_ROWS] = solution[FIRST_JOINT + N_ROWS + 1] = 0.0
    for side in range(2):
        at = first + N + 6 * side
        foot = point_of(now.motion, SOLES[side].frame, SOLES[side].place)
        x, y = foot.x - goal.cop_x, foot.y - goal.cop_y
        system[at + 1], system[at + 2], system[at + 3] = -foot.z, y, 1.0
        system[n + at], system[n + at + 2], system[n + at + 4] = foot.z, -x, 1.0


def put_shares(system, solution, goal):
    """Put the equations that share the load between the feet."""
    n = N_UNKNOWNS
    for i in range(6):
        row = n - 6 + i
        solution[row] = 0.0
        system[n * row + N + i], system[n * row + N + 6 + i] = 1.0 - goal.share, -goal.share


def most_twist(solution, goal):
    """Return the largest moment of the soles about the vertical that friction leaves, beside their forces [N m]."""
    along, across = solution[N] + solution[N + 6], solution[N + 1] + solution[N + 7]
    held = goal.most_friction * FRICTION * (solution[N + 2] + solution[N + 8])
    return LEVER * math.sqrt(max(held * held - along * along - across * across, 0.0))


def put_twist(system, solution, twist):
    """Put the moment of the soles about the vertical in the place of the trunk's yaw."""
    n = N_UNKNOWNS
    row = FIRST_JOINT + TRUNK + 2
    for j in range(n):
        system[n * row + j] = 0.0
    system[n * row + N + 5] = system[n * row + N + 11] = 1.0
    solution[row] = twist


def straight_knee(now, solution):
    """Return the knee that the solution would make too straight, the worse one if both are; or NO_KNEE."""
    left = least_bending(now, LEFT_KNEE) - solution[LEFT_KNEE]
    right = least_bending(now, RIGHT_KNEE) - solution[RIGHT_KNEE]
    if left <= 0.0 and right <= 0.0:
        return NO_KNEE
    return LEFT_KNEE if left > right else RIGHT_KNEE


def least_bending(now, knee):
    """Return the least acceleration of a knee's flexion [rad/s^2]."""
    return -KNEE_STIFFNESS * (now.q[knee + 1] - KNEE_ANGLE) - KNEE_DAMPING * now.u[knee]


def guard_knee(now, knee, goal):
    """Let the guard of a knee take the place of a task: the height of the foot in the air, or of the mass centre."""
    swings = goal.share == (0.0 if knee == LEFT_KNEE else 1.0)
    row = (2 if knee == LEFT_KNEE else 8) if swings else HEIGHT
    lock_row(now.rows, TREE, row, knee)
    now.wanted[row] = least_bending(now, knee)


def write_torques(torques, now, solution):
    """Write the torques that the solution takes: M udot + h less what the ground and the tissue give."""
    for i in range(N_MOTORS):
        row = FIRST_JOINT + i
        total = now.bias[row] - tissue_torque(i % PER_LEG, now.q[row + 1], now.u[row], 0.0)
        for j in range(N):
            total += now.matrix[N * row + j] * solution[j]
        for k in range(N_WRENCH):
            total -= now.rows[(N + 1) * k + row] * solution[N + k]
        torques[i] = total
