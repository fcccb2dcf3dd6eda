"""The biped's functions on plain arrays, without the engine: parameters, random states, matrices, reactions.

The functions run in plain Python, a few milliseconds each; what is compiled from the same source is tested by runs.
"""

from typing import Any, NamedTuple

import numpy as np

from hybridsim.multibody import kinematics, mass_matrix
from hybridsim_models.biped import contacts, dynamics, outputs
from hybridsim_models.biped.body import DATA, FIRST_JOINT, MASSES, MOTION, N_JOINTS, TREE, N, Q, describe
from hybridsim_models.biped.dynamics import Instant
from hybridsim_models.biped.impacts import complete
from hybridsim_models.biped.records import (
    FLAT,
    HEEL,
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    STATES,
    TOE,
    Feet,
    Foot,
    P,
    S,
    Y,
    chart_of,
    on_ground,
)

STANCES = [(FLAT, 0), (TOE, 0), (HEEL, 0), (TOE, HEEL), (TOE, FLAT), (FLAT, HEEL), (FLAT, FLAT), (TOE, TOE), (0, 0)]
"""What of foot 1 and of foot 2 is on the ground."""
NAMES = {0: "air", TOE: "toe", HEEL: "heel", FLAT: "flat"}
ANKLES = (slice(0, 3), slice(9, 12))
"""Where the torques of the ankles are among those of the 12 motors."""


def stance_name(stance):
    return f"{NAMES[stance[0]]}-{NAMES[stance[1]]}"


def feet_in(mode, stance, clear=0, slipping=(0, 0)):
    """Return feet on the ground as in STANCES."""
    return Feet(mode, *(Foot(each, clear, slip) for each, slip in zip(stance, slipping, strict=True)))


def parameters(**changes):
    """Return the array of parameters and inputs with their defaults, but for these."""
    records = {each.name: each for each in (*PARAMETERS, *INPUTS)}
    values = {name: each.default for name, each in records.items()} | changes
    numbers = [
        records[name].choices.index(value) if isinstance(value, str) else float(value) for name, value in values.items()
    ]
    return np.array(numbers, float)


def some_body(rng, **changes):
    """Return parameters of a body that is not the one of the table."""
    given = {
        "mass": rng.uniform(30.0, 130.0),
        "stature": rng.uniform(1.2, 2.1),
        "hat_factor": rng.uniform(0.7, 1.4),
        "hat_shift": rng.uniform(-0.05, 0.1),
        "inertia_factor": rng.uniform(0.6, 1.5),
    }
    return parameters(**given | changes)


class Moving(NamedTuple):
    """A biped at an instant: time, state, parameters, chart, torques of the 12 motors and moments of both soles."""

    t: float
    x: Any
    p: Any
    chart: int
    torques: Any
    soles: Any

    @property
    def q(self):
        return self.x[:N]

    @property
    def u(self):
        return self.x[N : 2 * N]

    @property
    def instant(self):
        """What the model's functions take; the controller gives torques by side, as if each leg were leg 1."""
        mode = self.chart & 1

        def torque(t, side, joint):
            i = joint if side == mode else N_JOINTS - 1 - joint
            return self.torques[i] * (-1.0 if side != mode and joint in dynamics.JOINT_Y else 1.0)

        return Instant(self.t, self.x, self.p, self.chart, torque, lambda t, side: self.soles[int(side != mode)])


def random_moving(seed, stance, mode=0, held="joints", slipping=(0, 0), turned=0, **changes):
    """Return a biped with bent knees in any attitude and motion that its stance allows, at a late time.

    One that has `turned` has a foot 2 whose rows are along axes of its own, and turns it and its trunk in the air.
    """
    rng = np.random.default_rng([seed, *stance, mode])
    p = some_body(rng, held=held, **changes)
    x = np.array([each.default for each in STATES], float)
    x[: 2 * N] = rng.uniform(-0.3, 0.3, 2 * N)
    x[Q.knee1], x[Q.knee2] = -rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0)
    x[N : 2 * N] *= 4.0
    if on_ground(stance[0]):
        x[Q.foot1_x] = 0.0  # the sole is level across: the ground holds its roll
    chart = chart_of(feet_in(mode, stance, 1, slipping)._replace(turned=turned), rng.integers(3))
    complete(x, p, chart)
    if turned and not on_ground(stance[1]):
        x[S.trunk_turn], x[S.foot2_turn] = 0.7, -1.3
    p[P.push_x : P.push_z + 1] = rng.uniform(-50.0, 50.0, 3)
    p[P.force_x : P.force_z + 1] = rng.uniform(-50.0, 50.0, 3)
    torques = rng.uniform(-20.0, 20.0, N_JOINTS)
    for foot in range(2):
        if not on_ground(stance[foot]):
            torques[ANKLES[foot]] *= 0.01  # a foot in the air is light
    return Moving(1e5 * rng.uniform(), x, p, chart, torques, rng.uniform(-20.0, 20.0, 2))


class Equations(NamedTuple):
    """M udot + h = applied + E reactions and A udot + c = 0; efforts and rows are rows of N numbers."""

    mass: Any
    bias: Any
    applied: Any
    rows: Any
    drifts: Any
    efforts: Any


def data_of(p):
    """Return the constants of the bodies."""
    data = np.zeros(DATA)
    describe(data, dynamics.build_of(p))
    return data


def motion_of(data, q, u):
    motion = np.zeros(MOTION)
    kinematics(motion, TREE, data, q, u)
    return motion


def mass_and_bias(data, q, u, g):
    """Return M and h, which the weights are in."""
    motion, mass, bias = motion_of(data, q, u), np.zeros(MASSES), np.zeros(N)
    mass_matrix(mass, motion, TREE, data)
    dynamics.inertia_forces(bias, motion, TREE, data, dynamics.Vector(0.0, 0.0, -g))
    return mass.reshape(N, N), bias


def equations_of(moving):
    """Return the equations of motion, with what drives the biped put together independently of the model."""
    data, p, chart = data_of(moving.p), moving.p, moving.chart
    mass, bias = mass_and_bias(data, moving.q, moving.u, p[P.g])
    motion, rows = motion_of(data, moving.q, moving.u), np.zeros(contacts.ROWS_SIZE)
    ground, held = contacts.ground_rows(chart), contacts.count_held_rows(chart)
    contacts.write_rows(rows, motion, chart, p[P.stature])
    contacts.write_efforts(rows, ground + held, ground, p[P.held] == dynamics.IDEAL_HOLDS)
    count = (ground + held) * (N + 1)
    both = rows[:count].reshape(-1, N + 1)
    efforts = rows[count : 2 * count].reshape(-1, N + 1)[:, :N]
    return Equations(mass, bias, applied_forces(moving, motion), both[:, :N], both[:, N], efforts)


def solved(system, right):
    """Solve linear equations to the last digits: the rest of numpy's solution is found in extended precision."""
    solution = np.linalg.solve(system, right).astype(np.longdouble)
    for _ in range(3):
        rest = right - system.astype(np.longdouble) @ solution
        solution += np.linalg.solve(system, rest.astype(float))
    return solution.astype(float)


def applied_forces(moving, motion):
    """Return the generalised forces of motors, soles and pushes, from partial velocities."""
    applied = np.zeros(N)
    applied[FIRST_JOINT:] = moving.torques
    feet = (contacts.foot1_of(moving.chart), contacts.foot2_of(moving.chart))
    for foot, frame in enumerate((contacts.F.foot1, contacts.F.foot2)):
        if on_ground(feet[foot]) and feet[foot] != FLAT:
            spin = np.zeros(N + 1)
            across = contacts.across_of(contacts.ahead_of(motion, moving.chart, foot))
            contacts.spin_row(spin, motion, TREE, 0, frame, across)
            applied += moving.soles[foot] * spin[:N]
    points = np.zeros(3 * (N + 1))
    centre = contacts.Point(contacts.F.hat, dynamics.trunk_centre(moving.p))
    contacts.point_rows(points, motion, TREE, 0, centre)
    push = moving.p[P.force_x : P.force_z + 1].copy()
    if dynamics.push_of(moving.chart) == dynamics.DURING:
        push += moving.p[P.push_x : P.push_z + 1]
    push[1] *= 1.0 - 2.0 * (moving.chart & 1)
    return applied + push @ points.reshape(3, -1)[:, :N]


def accelerate(moving):
    """Return rates of the speeds, reactions and motion, as the model finds them."""
    udot, forces, motion = np.zeros(N), np.zeros(dynamics.N_REACTIONS), np.zeros(MOTION)
    dynamics.accelerate(udot, forces, motion, moving.instant)
    return udot, forces, motion


def outputs_of(moving):
    """Return the outputs of the plant by name."""
    y = np.zeros(len(OUTPUTS))
    with np.errstate(invalid="ignore"):
        outputs.outputs(
            y, moving.t, moving.x, moving.p, moving.chart, moving.instant.torque, moving.instant.sole_moment
        )
    return dict(zip(Y._fields, y.tolist(), strict=True))
