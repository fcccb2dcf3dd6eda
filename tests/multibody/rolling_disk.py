"""A disk that rolls on a plane and is braked by the air. Its states are the coordinates and the independent speeds."""

from hybridsim import Model, Output, Parameter, Records, State, scratch
from hybridsim.multibody import (
    Body,
    Free,
    Mechanism,
    Vector,
    Wheel,
    add_force,
    arm_of,
    complete_speeds,
    contact_of,
    coordinate_rates,
    inertia_forces,
    kinematics,
    kinetic_energy,
    mass_matrix,
    point_of,
    potential_energy,
    rolling_arm,
    rolling_rows,
    solve_constrained,
)

RADIUS, MASS = 0.4, 1.5
THIN = (0.25 * MASS * RADIUS**2, 0.25 * MASS * RADIUS**2, 0.5 * MASS * RADIUS**2)
DISK = Mechanism(Body("disk", Free("d"), mass=MASS, inertia=THIN))
TREE, DATA, GRAVITY, FRAME = DISK.tree, DISK.data, DISK.gravity, DISK.frames.disk
UP, ORIGIN = Vector(0.0, 0.0, 1.0), Vector(0.0, 0.0, 0.0)
WHEEL = Wheel(FRAME, ORIGIN, UP, RADIUS, 0.0)
MOTION, WORK, Q, N, ROWS = DISK.motion_size, DISK.work_size, TREE.n_coordinates, TREE.n_speeds, 3 * (TREE.n_speeds + 1)
SQUARE, FIRST_SPIN = N * N, 3
"""Index of the first independent speed: the angular velocity is free, and the velocity of the centre follows."""

STARTING = {"d_z": RADIUS * 0.8, "d_qw": 2.0, "d_qx": 1.0}  # tilted by 2 atan(1/2), whose sine is 0.8
LOWEST = (0.0, -RADIUS, 0.0)
PARTITION = DISK.partition(DISK.point_rows(STARTING, "disk", LOWEST), dependent=[f"d_{letter}dot" for letter in "xyz"])
COORDINATES = Records(*(State(each.name, STARTING.get(each.name, 0.0), each.unit) for each in DISK.coordinates))
SPINS = Records(State("d_wx", 0.3, "rad/s"), State("d_wy", 0.5, "rad/s"), State("d_wz", -6.0, "rad/s"))
STATES = COORDINATES + SPINS + Records(State("work", 0.0, "J"))
PARAMETERS = Records(Parameter("drag", 0.01, "N m s/rad"))
OUTPUTS = Records(
    Output("energy", "J"), Output("slip_x", "m/s"), Output("slip_y", "m/s"), Output("slip_z", "m/s"), Output("gap", "m")
)
S, P, OUT = STATES.indices, PARAMETERS.indices, OUTPUTS.indices


def move(motion, rows, u, x):
    """Find all speeds, the motion, and the rows that keep the disk rolling."""
    work, values = scratch(WORK), scratch(3)
    for i in range(3):
        u[i], u[FIRST_SPIN + i], values[i] = 0.0, x[Q + i], 0.0
    kinematics(motion, TREE, DATA, x, u)
    rolling_rows(rows, motion, TREE, 0, contact_of(motion, WHEEL, UP))
    complete_speeds(u, rows, values, PARTITION, work)
    kinematics(motion, TREE, DATA, x, u)
    rolling_rows(rows, motion, TREE, 0, contact_of(motion, WHEEL, UP))


def vector_field(xdot, t, x, p, chart):
    motion, rows, u, work = scratch(MOTION), scratch(ROWS), scratch(N), scratch(WORK)
    mass, force, h, rates, reactions = scratch(SQUARE), scratch(N), scratch(N), scratch(N), scratch(3)
    move(motion, rows, u, x)
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(h, motion, TREE, DATA, GRAVITY)
    for i in range(N):
        force[i] = -h[i]
    drag = p[P.drag]
    brake = arm_of(motion, FRAME, Vector(-drag * u[3], -drag * u[4], -drag * u[5]))  # in the axes of the world
    add_force(force, motion, TREE, FRAME, ORIGIN, ORIGIN, brake)
    solve_constrained(rates, reactions, mass, force, rows, PARTITION, work)
    coordinate_rates(xdot, TREE, x, u)
    for i in range(3):
        xdot[Q + i] = rates[FIRST_SPIN + i]
    xdot[S.work] = -drag * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5])


def outputs(y, t, x, p, chart):
    motion, rows, u = scratch(MOTION), scratch(ROWS), scratch(N)
    move(motion, rows, u, x)
    y[OUT.energy] = kinetic_energy(motion, TREE, DATA) + potential_energy(motion, TREE, DATA, GRAVITY)
    for i in range(3):
        y[OUT.slip_x + i] = 0.0
        for j in range(N):
            y[OUT.slip_x + i] += rows[(N + 1) * i + j] * u[j]
    y[OUT.gap] = point_of(motion, FRAME, ORIGIN).z + rolling_arm(motion, WHEEL, UP).z


MODEL = Model(
    "rolling_disk", STATES, vector_field=vector_field, outputs=outputs, parameters=PARAMETERS, output_records=OUTPUTS
)
