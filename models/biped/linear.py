"""The linearised biped in its independent speeds: inertia, gravity stiffness, inputs and reactions of a stance.

Menga and Ghirardi (2016) design their control with derivatives of Kane's equations F + F* = 0, in which only the
independent speeds of a chart are left. With T, which makes all speeds from them, and S, in which no reaction is left,

    F + F* = S^T (applied - h - M udot),    IM = -S^T M T,    K = d(F + F*)/dq T,    B = d(F + F*)/d torques.

At rest in equilibrium, IM udot + K dq + B d torques = 0. With ideal constraints S is T, IM is minus the reduced mass
matrix, and K minus the second derivatives of the potential energy. Derivatives are exact, by dual numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hybridsim import ModelError, scratch
from hybridsim.derivatives import LabelledMatrix
from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.multibody import (
    Partition,
    Point,
    centre_of_mass_jacobian,
    inertia_forces,
    kinematics,
    mass_matrix,
    point_rows,
    spin_row,
)

from .body import COORDINATE_NAMES, DATA, FIRST_JOINT, MASSES, MECHANISM, MOTION, N_JOINTS, TREE, F, N, describe, heel2
from .contacts import (
    ROWS_SIZE,
    Y,
    across_of,
    ahead_of,
    count_held_rows,
    ground_rows,
    partition_of,
    rows_of_foot,
    write_efforts,
    write_rows,
)
from .dynamics import IDEAL_HOLDS, build_of, gravity_of
from .records import FLAT, PARAMETERS, SIDES, P, foot1_of, foot2_of, mode_of, on_ground, slips
from .records import INPUTS as FROM_OUTSIDE

if TYPE_CHECKING:
    from hybridsim import Trajectory
    from hybridsim.typing import FloatArray

INPUTS = (*(f"torque_{name}" for name in COORDINATE_NAMES[FIRST_JOINT:]), "sole1", "sole2")
WRENCH_NAMES = ("fx", "fy", "fz", "tx", "ty")
HELD_REACTIONS = ("tz_ankle1", "tz_ankle2", "tx_ankle2")
SPEED_NAMES = MECHANISM.speeds.names
XYZ = ("x", "y", "z")


class LinearModel(NamedTuple):
    """The linearised biped at an instant. Rows and columns have names; frames are the biped's own.

    Reactions tx2, ty2 are about axes along and across foot 2, which may have a yaw while the biped turns.

    Attributes
    ----------
    IM : LabelledMatrix
        Derivative of F + F* to the rates of the independent speeds: minus the reduced mass matrix.
    K : LabelledMatrix
        Derivative of F + F* to the independent coordinates, where speeds and their rates are 0.
    B : LabelledMatrix
        Derivative of F + F* to the torques of the motors and of the soles that stand on a hinge.
    J_force_torque : LabelledMatrix
        Derivative of the reactions to these torques, in the same state; the motion follows the torques.
    J_cog : LabelledMatrix
        Velocity of the mass centre by the independent speeds.
    V : LabelledMatrix
        Partial velocities of heel 2.
    P : LabelledMatrix
        Generalised momentum, one column.
    """

    IM: LabelledMatrix
    K: LabelledMatrix
    B: LabelledMatrix
    J_force_torque: LabelledMatrix
    J_cog: LabelledMatrix
    V: LabelledMatrix
    P: LabelledMatrix


class Stance(NamedTuple):
    """Coordinates, speeds, parameters, chart and torques: where the biped is linearised."""

    q: FloatArray
    u: FloatArray
    p: FloatArray
    chart: int
    torques: FloatArray


def linear_model(run: Trajectory, t: float, *, side: str = "after", loaded: bool = False) -> LinearModel:
    """Linearise the biped at an instant of a run.

    Parameters
    ----------
    run : Trajectory
        A run of the biped, with any controller.
    t : float
        Time [s]; the row at or before it is taken.
    side : {"after", "before"}
        Of several rows at one time, take the last or the first.
    loaded : bool
        Whether the torques of that instant act, and stay, where K is found; without them it is that of gravity alone.
        A foot that is not flat is taken to stand on toe 1 or heel 2, about which its moment is recorded.

    Returns
    -------
    LinearModel
        The matrices, in the independent speeds of the stance.
    """
    row = int(run.row_at(t, side))
    numbers = [
        each.choices.index(run.parameters[each.name]) if each.choices else float(run.parameters[each.name])
        for each in PARAMETERS
    ]
    numbers += [float(run[each.name][row]) for each in FROM_OUTSIDE]
    torques = np.zeros(N_JOINTS + 2)
    if loaded:
        torques[:] = [*(run[name][row] for name in INPUTS[:N_JOINTS]), *sole_moments(run, row)]
    x = run.x[row]
    return linearize_stance(Stance(x[:N], x[N : 2 * N], np.array(numbers), int(run.chart[row]), torques))


def linearize_stance(stance: Stance) -> LinearModel:
    """Linearise the biped in any state.

    Parameters
    ----------
    stance : Stance
        The state; torques of all 12 motors and both soles.

    Returns
    -------
    LinearModel
        The matrices.

    Raises
    ------
    ModelError
        If a foot slips: friction then depends on the speeds, too.
    """
    for foot in range(2):
        if slips(stance.chart, foot):
            raise ModelError(f"foot {foot + 1} slips here; linearise the biped where its feet hold")
    partition = partition_of(stance.chart)
    motion, mass = motion_and_mass(stance)
    rows, efforts = rows_and_efforts(motion, stance)
    moving, seeing = null_space(rows, partition), null_space(efforts, partition)
    forces, names = input_forces(motion, stance.chart)
    count, reactions = len(rows), reaction_names(stance.chart)
    system = np.block([[mass, -efforts.T], [rows, np.zeros((count, count))]])
    answers = np.linalg.solve(system, np.vstack([forces, np.zeros((count, len(names)))]))
    centre, heel = np.zeros(3 * N), np.zeros(3 * (N + 1))
    centre_of_mass_jacobian(centre, motion, TREE)
    point_rows(heel, motion, TREE, 0, Point(F.foot2, heel2(stance.p[P.stature])))
    speeds = tuple(SPEED_NAMES[i] for i in partition.independent)
    angles = tuple(COORDINATE_NAMES[i] for i in partition.independent)
    return LinearModel(
        IM=LabelledMatrix(-seeing.T @ mass @ moving, speeds, speeds),
        K=LabelledMatrix(seeing.T @ slopes_of_balance(stance, efforts, moving), speeds, angles),
        B=LabelledMatrix(seeing.T @ forces, speeds, names),
        J_force_torque=LabelledMatrix(answers[N:], reactions, names),
        J_cog=LabelledMatrix(centre.reshape(3, N) @ moving, XYZ, speeds),
        V=LabelledMatrix(heel.reshape(3, N + 1)[:, :N] @ moving, XYZ, speeds),
        P=LabelledMatrix((moving.T @ mass @ stance.u)[:, None], speeds, ("momentum",)),
    )


def motion_and_mass(stance: Stance) -> tuple[FloatArray, FloatArray]:
    """Return what `kinematics` and `mass_matrix` find."""
    data, motion, mass = np.zeros(DATA), np.zeros(MOTION), np.zeros(MASSES)
    describe(data, build_of(stance.p))
    kinematics(motion, TREE, data, stance.q, stance.u)
    mass_matrix(mass, motion, TREE, data)
    return motion, mass.reshape(N, N)


def rows_and_efforts(motion: FloatArray, stance: Stance) -> tuple[FloatArray, FloatArray]:
    """Return A and E^T of the chart, shape (n_rows, 17)."""
    rows, ground = np.zeros(ROWS_SIZE), ground_rows(stance.chart)
    count = ground + count_held_rows(stance.chart)
    write_rows(rows, motion, stance.chart, stance.p[P.stature])
    write_efforts(rows, count, ground, stance.p[P.held] == IDEAL_HOLDS)
    both = rows[: 2 * count * (N + 1)].reshape(2, count, N + 1)[:, :, :N]
    return both[0], both[1]


def null_space(rows: FloatArray, partition: Partition) -> FloatArray:
    """Return the motions that rows allow, one column for each independent speed."""
    found = np.zeros((N, partition.n_free))
    found[partition.independent] = np.eye(partition.n_free)
    found[partition.dependent] = -np.linalg.solve(rows[:, partition.dependent], rows[:, partition.independent])
    return found


def input_forces(motion: FloatArray, chart: int) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the generalised forces of unit torques, (17, n_inputs), and their names: soles act on hinges only."""
    forces, names = [*np.eye(N)[FIRST_JOINT:]], [*INPUTS[:N_JOINTS]]
    for contact, frame, name in ((foot1_of(chart), F.foot1, "sole1"), (foot2_of(chart), F.foot2, "sole2")):
        if on_ground(contact) and contact != FLAT:
            spin = np.zeros(N + 1)
            spin_row(spin, motion, TREE, 0, frame, across_foot(motion, chart, frame))
            forces.append(spin[:N])
            names.append(name)
    return np.array(forces).T, tuple(names)


def across_foot(motion, chart, frame):
    """Return the direction along the ground about which a foot pitches."""
    return Y if frame == F.foot1 else across_of(ahead_of(motion, chart, 1))


def sole_moments(run: Trajectory, row: int) -> tuple[float, float]:
    """Return the moments of the ground on foot 1 and foot 2 about the axes across them [N m]."""
    mode, found = mode_of(int(run.chart[row])), []
    for number, side in ((1, SIDES[mode]), (2, SIDES[1 - mode])):
        way = [float(run[f"toe_{side}_{axis}"][row] - run[f"heel_{side}_{axis}"][row]) for axis in "xy"]
        moment = way[0] * run[f"ty{number}"][row] - way[1] * run[f"tx{number}"][row]
        found.append(float(moment) / math.hypot(*way))
    return found[0], found[1]


def reaction_names(chart: int) -> tuple[str, ...]:
    """Return the names of the reactions of a chart, in the order of its rows."""
    ground = [f"{name}{foot + 1}" for foot in range(2) for name in WRENCH_NAMES[: rows_of_foot(chart, foot)]]
    return (*ground, *HELD_REACTIONS[: count_held_rows(chart)])


def slopes_of_balance(stance: Stance, efforts: FloatArray, moving: FloatArray) -> FloatArray:
    """Return how the generalised forces at rest change along the motions that are allowed, (17, n_free).

    S depends on the coordinates, too. With the reactions that keep the dependent speeds in balance, S^T force is that
    of force + E reactions, in which S may stay as it is: where S varies, it meets zeros.
    """
    dependent = partition_of(stance.chart).dependent
    force, none = np.zeros(N), np.zeros(len(efforts))
    write_balance(force, stance.q, none, stance)
    reactions = -np.linalg.solve(efforts[:, dependent].T, force[dependent])
    varied, balance = np.empty(N, object), np.empty(N, object)
    varied[:] = [DualNumber(value, lanes) for value, lanes in zip(stance.q, moving, strict=True)]
    on_dual_numbers(write_balance)(balance, varied, reactions, stance)
    return np.array([each.lanes if isinstance(each, DualNumber) else 0.0 * moving[0] for each in balance])


def write_balance(balance, q, reactions, stance):
    """Write the generalised forces of weights, torques and reactions on a biped at rest; q may be dual numbers."""
    p, chart = stance.p, stance.chart
    data, motion, u, force = scratch(DATA), scratch(MOTION), scratch(N), scratch(N)
    mass, rows, spin = scratch(MASSES), scratch(ROWS_SIZE), scratch(N + 1)
    for i in range(N):
        u[i] = 0.0
    describe(data, build_of(p))
    kinematics(motion, TREE, data, q, u)
    mass_matrix(mass, motion, TREE, data)
    inertia_forces(force, motion, TREE, data, gravity_of(p))
    for i in range(N):
        balance[i] = -force[i]
    for i in range(N_JOINTS):
        balance[FIRST_JOINT + i] += stance.torques[i]
    for foot in range(2):
        contact = foot1_of(chart) if foot == 0 else foot2_of(chart)
        if on_ground(contact) and contact != FLAT:
            frame = F.foot1 if foot == 0 else F.foot2
            spin_row(spin, motion, TREE, 0, frame, across_foot(motion, chart, frame))
            for i in range(N):
                balance[i] += stance.torques[N_JOINTS + foot] * spin[i]
    ground = ground_rows(chart)
    count = ground + count_held_rows(chart)
    write_rows(rows, motion, chart, p[P.stature])
    write_efforts(rows, count, ground, p[P.held] == IDEAL_HOLDS)
    for k in range(count):
        for i in range(N):
            balance[i] += reactions[k] * rows[(count + k) * (N + 1) + i]
