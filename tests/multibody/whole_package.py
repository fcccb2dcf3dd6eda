"""A plug-in whose outputs are what every function of the package finds: on a tree with joints of all kinds."""

import numpy as np

from hybridsim import Model, Output, Records, State, scratch, subarray
from hybridsim.multibody import (
    Body,
    Fixed,
    Free,
    Mechanism,
    Point,
    Prismatic,
    Revolute,
    Spherical,
    Vector,
    Wheel,
    Wrench,
    add_force,
    add_joint_forces,
    add_wrench,
    angular_momentum,
    bounce_row,
    centre_of_mass,
    centre_of_mass_jacobian,
    clear_row,
    complete_speeds,
    contact_of,
    coordinate_rates,
    direction_row,
    distance_row,
    inertia_forces,
    joining_rows,
    kinematics,
    kinetic_energy,
    lock_row,
    lower_margin,
    mass_matrix,
    momentum,
    point_of,
    potential_energy,
    rolling_rows,
    solve_constrained,
    solve_held,
    solve_linear,
    spin_row,
    spring_energy,
    upper_margin,
)

SOLID = {"mass": 1.3, "centre": (0.1, -0.05, 0.2), "inertia": (0.2, 0.3, 0.25, 0.02, -0.01, 0.03)}
SPRING = {"stiffness": 7.0, "rest": 0.2, "damping": 0.4, "lower": -1.0, "upper": 2.0}
TURN = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
MECHANISM = Mechanism(
    Body("trunk", Free("t"), **SOLID),
    Body("arm", Revolute("elbow", (1.0, -2.0, 0.5), place=(0.2, 0.1, 0.0), turn=TURN, **SPRING), "trunk", **SOLID),
    Body("plate", Fixed(place=(0.0, 0.3, 0.1), turn=TURN), "arm", **SOLID),
    Body("ball", Spherical("b", place=(0.1, 0.0, -0.3), damping=0.2), "plate", **SOLID),
    Body("drawer", Prismatic("d", "y", place=(-0.2, 0.0, 0.3), **SPRING), "trunk", **SOLID),
)
TREE, DATA, GRAVITY, FRAMES = MECHANISM.tree, MECHANISM.data, MECHANISM.gravity, MECHANISM.frames
MOTION, WORK, U = MECHANISM.motion_size, MECHANISM.work_size, MECHANISM.u
BALL, ARM, DRAWER, TRUNK, PLATE = FRAMES.ball, FRAMES.arm, FRAMES.drawer, FRAMES.trunk, FRAMES.plate
Q, N, ROWS = TREE.n_coordinates, TREE.n_speeds, 9
SQUARE, WITH_EFFORTS = N * N, 2 * ROWS * (N + 1)
NORMAL, ALONG = Vector(0.0, 0.6, 0.8), Vector(0.8, 0.0, -0.6)
WHEEL = Wheel(BALL, Vector(0.05, 0.0, 0.1), Vector(0.0, 0.8, 0.6), 0.3, 0.1)
HANDLE, HOOK = Point(DRAWER, Vector(0.1, 0.4, -0.2)), Point(0, Vector(1.0, -2.0, 0.5))

LENGTHS = {
    "mass_matrix": N * N,
    "inertia_forces": N,
    "joint_forces": N,
    "rows": ROWS * (N + 1),
    "completed_speeds": N,
    "rates": N,
    "reactions": ROWS,
    "coordinate_rates": Q,
    "centre_of_mass_jacobian": 3 * N,
    "momenta": 6,
    "centre_of_mass": 3,
    "point": 3,
    "energies": 3,
    "margins": 2,
    "ratios": 4,
    "held_rates": N,
    "held_reactions": ROWS,
    "unconstrained_rates": N,
    "joining_rows": 3 * (N + 1),
}
"""Numbers of each quantity among the outputs."""

FIRST = {name: sum(list(LENGTHS.values())[:i]) for i, name in enumerate(LENGTHS)}
MASS_AT, FORCES_AT, JOINTS_AT, ROWS_AT = (FIRST[n] for n in ("mass_matrix", "inertia_forces", "joint_forces", "rows"))
SPEEDS_AT, RATES_AT, REACTIONS_AT = (FIRST[n] for n in ("completed_speeds", "rates", "reactions"))
QDOT_AT, JACOBIAN_AT, MOMENTA_AT = (FIRST[n] for n in ("coordinate_rates", "centre_of_mass_jacobian", "momenta"))
CENTRE_AT, POINT_AT, ENERGIES_AT = (FIRST[n] for n in ("centre_of_mass", "point", "energies"))
MARGINS_AT, RATIOS_AT, JOINING_AT = FIRST["margins"], FIRST["ratios"], FIRST["joining_rows"]


HELD_AT, HOLDING_AT, FREE_AT = FIRST["held_rates"], FIRST["held_reactions"], FIRST["unconstrained_rates"]


def put_at(y, first, vector):
    y[first], y[first + 1], y[first + 2] = vector.x, vector.y, vector.z


def find_rows(rows, motion, u):
    """Nine rows of all kinds; the last one bounces."""
    rolling_rows(rows, motion, TREE, 0, contact_of(motion, WHEEL, NORMAL))
    distance_row(rows, motion, TREE, 3, HANDLE, HOOK)
    spin_row(rows, motion, TREE, 4, PLATE, ALONG)
    direction_row(rows, motion, TREE, 5, HANDLE, NORMAL)
    lock_row(rows, TREE, 6, U.elbowdot)
    clear_row(rows, TREE, 7)
    add_wrench(rows, motion, TREE, 7, TRUNK, Wrench(NORMAL, ALONG, NORMAL))
    direction_row(rows, motion, TREE, 8, HANDLE, ALONG)
    bounce_row(rows, TREE, 8, 0.5, u)


def hold(both, rows):
    """Write the nine rows, and their efforts: motors hold two directions, and the others are ideal."""
    for i in range(ROWS * (N + 1)):
        both[i] = rows[i]
        both[ROWS * (N + 1) + i] = rows[i]
    lock_row(both, TREE, ROWS + 4, U.b_wx)
    lock_row(both, TREE, ROWS + 5, U.ddot)


START = np.sin(np.arange(1.0, Q + N + 1.0))
"""Coordinates, with a quaternion of any length, and speeds."""


def rows_at(q, u):
    rows, both = np.zeros(ROWS * (N + 1)), np.zeros(WITH_EFFORTS)
    find_rows(rows, MECHANISM.motion(q, u), u)
    hold(both, rows)
    return both.reshape(2 * ROWS, N + 1)


PARTITION = MECHANISM.partition(rows_at(START[:Q], START[Q:])[:ROWS])
OF_EFFORTS = MECHANISM.partition(rows_at(START[:Q], START[Q:])[ROWS:])


def outputs(y, t, x, p, chart):
    motion, force, values, work = scratch(MOTION), scratch(N), scratch(ROWS), scratch(WORK)
    u, mass, rows = subarray(x, Q, N), subarray(y, MASS_AT, N * N), subarray(y, ROWS_AT, ROWS * (N + 1))
    kinematics(motion, TREE, DATA, x, u)
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(subarray(y, FORCES_AT, N), motion, TREE, DATA, GRAVITY)
    find_rows(rows, motion, u)
    for i in range(N):
        y[JOINTS_AT + i] = 0.0
        y[SPEEDS_AT + i] = u[i]
    add_joint_forces(subarray(y, JOINTS_AT, N), TREE, DATA, x, u)
    for i in range(N):
        force[i] = y[JOINTS_AT + i] - y[FORCES_AT + i]
    add_force(force, motion, TREE, BALL, ALONG, NORMAL, ALONG)
    y[RATIOS_AT] = solve_constrained(
        subarray(y, RATES_AT, N), subarray(y, REACTIONS_AT, ROWS), mass, force, rows, PARTITION, work
    )
    for i in range(ROWS):
        values[i] = 0.1 * i
    y[RATIOS_AT + 1] = complete_speeds(subarray(y, SPEEDS_AT, N), rows, values, PARTITION, work)
    coordinate_rates(subarray(y, QDOT_AT, Q), TREE, x, u)
    find_solutions(y, rows, force)
    joining_rows(subarray(y, JOINING_AT, 3 * (N + 1)), motion, TREE, 0, HANDLE, Point(BALL, WHEEL.centre))
    find_sums(y, motion, x)


def find_solutions(y, rows, force):
    """Write rates of the speeds under constraints that are held, and without any."""
    both, work, mass = scratch(WITH_EFFORTS), scratch(WORK), scratch(SQUARE)
    for i in range(N * N):
        mass[i] = y[MASS_AT + i]
    hold(both, rows)
    rates, reactions = subarray(y, HELD_AT, N), subarray(y, HOLDING_AT, ROWS)
    y[RATIOS_AT + 2] = solve_held(rates, reactions, mass, force, both, OF_EFFORTS, work)
    for i in range(N):
        y[FREE_AT + i] = force[i]
    y[RATIOS_AT + 3] = solve_linear(mass, subarray(y, FREE_AT, N), N)


def find_sums(y, motion, x):
    """Write energies, momenta and the like."""
    centre_of_mass_jacobian(subarray(y, JACOBIAN_AT, 3 * N), motion, TREE)
    put_at(y, MOMENTA_AT, momentum(motion, TREE, DATA))
    put_at(y, MOMENTA_AT + 3, angular_momentum(motion, TREE, DATA, HOOK.place))
    put_at(y, CENTRE_AT, centre_of_mass(motion, TREE, DATA))
    put_at(y, POINT_AT, point_of(motion, BALL, WHEEL.centre))
    y[ENERGIES_AT] = kinetic_energy(motion, TREE, DATA)
    y[ENERGIES_AT + 1] = potential_energy(motion, TREE, DATA, GRAVITY)
    y[ENERGIES_AT + 2] = spring_energy(TREE, DATA, x)
    y[MARGINS_AT], y[MARGINS_AT + 1] = (
        lower_margin(TREE, DATA, x[TREE.coordinate[ARM]], TREE.speed[ARM]),
        upper_margin(TREE, DATA, x[TREE.coordinate[DRAWER]], TREE.speed[DRAWER]),
    )


def vector_field(xdot, t, x, p, chart):
    coordinate_rates(xdot, TREE, x, subarray(x, Q, N))


NAMES = (*MECHANISM.coordinates.names, *MECHANISM.speeds.names)
MODEL = Model(
    "whole_package",
    Records(*(State(name, value) for name, value in zip(NAMES, START, strict=True))),
    vector_field=vector_field,
    outputs=outputs,
    output_records=Records(*(Output(f"{name}{i}") for name, length in LENGTHS.items() for i in range(length))),
)
