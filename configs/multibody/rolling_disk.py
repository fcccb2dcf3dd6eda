"""A thin disk that rolls on a horizontal plane without slipping: a coin.

States are its coordinates (position of the centre, and a quaternion) and the three independent speeds, which are the
angular velocity along the disk's axes. The rolling rows make the velocity of the centre depend on them.
"""

import numpy as np

from hybridsim import Boundary, Model, Output, Records, State, scratch
from hybridsim.multibody import (
    Body,
    Free,
    Look,
    Mechanism,
    Vector,
    Wheel,
    complete_speeds,
    contact_of,
    coordinate_rates,
    inertia_forces,
    kinematics,
    kinetic_energy,
    mass_matrix,
    potential_energy,
    rolling_rows,
    scene_of,
    solve_constrained,
)
from hybridsim.scene import Cylinder, Ground, between

RADIUS, MASS, HALF = 0.5, 2.0, 0.02
COIN = Look(Cylinder(RADIUS), between((0.0, -HALF, 0.0), (0.0, HALF, 0.0)), "#c9a227")
MARK = Look(Cylinder(0.1), between((0.25, -1.2 * HALF, 0.0), (0.25, 1.2 * HALF, 0.0)), "#59636e")
MECHANISM = Mechanism(
    Body(
        "disk",
        Free("disk"),
        mass=MASS,
        inertia=(0.25 * MASS * RADIUS**2, 0.5 * MASS * RADIUS**2, 0.25 * MASS * RADIUS**2),
        looks=(COIN, MARK),
    )
)
TREE, DATA, GRAVITY = MECHANISM.tree, MECHANISM.data, MECHANISM.gravity
Q, U, F = MECHANISM.q, MECHANISM.u, MECHANISM.frames
NQ, N, N_ROWS = TREE.n_coordinates, TREE.n_speeds, 3
SQUARE, ROWS = MECHANISM.mass_size, MECHANISM.rows_size(N_ROWS)
MOTION, WORK = MECHANISM.motion_size, MECHANISM.work_size
WHEEL = Wheel(F.disk, Vector(0.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), RADIUS, 0.0)
UP = Vector(0.0, 0.0, 1.0)
ROLLING = MECHANISM.dependent("disk_xdot", "disk_ydot", "disk_zdot")

TILT = 0.3  # [rad], about x
STATES = Records(
    State("x", 0.0, "m"),
    State("y", 0.0, "m"),
    State("z", RADIUS * np.cos(TILT), "m"),
    State("qw", np.cos(TILT / 2)),
    State("qx", np.sin(TILT / 2)),
    State("qy", 0.0),
    State("qz", 0.0),
    State("wx", 0.2, "rad/s"),
    State("wy", 4.0, "rad/s", "spin"),
    State("wz", 0.5, "rad/s"),
)
BOUNDARIES = Records(Boundary("falls", "the disk lies down", "m"))
OUTPUTS = Records(
    Output("x", "m"),
    Output("y", "m"),
    Output("z", "m"),
    Output("energy", "J"),
    Output("friction_x", "N"),
    Output("friction_y", "N"),
    Output("normal_force", "N"),
    Output("gap", "m", "lowest point of the disk above the plane"),
)
S, B, Y = STATES.indices, BOUNDARIES.indices, OUTPUTS.indices


def find_speeds(motion, u, x):
    """Find motion and all speeds from the angular velocity; return the height of the point of contact."""
    rows, zeros, work = scratch(ROWS), scratch(N_ROWS), scratch(WORK)
    for i in range(N):
        u[i] = 0.0
    for i in range(N_ROWS):
        zeros[i] = 0.0
        u[U.disk_wx + i] = x[NQ + i]
    kinematics(motion, TREE, DATA, x, u)
    contact = contact_of(motion, WHEEL, UP)
    rolling_rows(rows, motion, TREE, 0, contact)
    complete_speeds(u, rows, zeros, ROLLING, work)
    kinematics(motion, TREE, DATA, x, u)
    return x[S.z] + contact.arm.z


def solve(udot, reactions, motion):
    rows, mass, force, work = scratch(ROWS), scratch(SQUARE), scratch(N), scratch(WORK)
    rolling_rows(rows, motion, TREE, 0, contact_of(motion, WHEEL, UP))
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    for i in range(N):
        force[i] = -force[i]
    solve_constrained(udot, reactions, mass, force, rows, ROLLING, work)


def vector_field(xdot, t, x, p, chart):
    motion, u, udot, reactions = scratch(MOTION), scratch(N), scratch(N), scratch(N_ROWS)
    find_speeds(motion, u, x)
    solve(udot, reactions, motion)
    coordinate_rates(xdot, TREE, x, u)
    for i in range(3):
        xdot[NQ + i] = udot[U.disk_wx + i]


def boundaries(g, t, x, p, chart):
    g[B.falls] = x[S.z] - 0.02 * RADIUS


def transition(x_new, t, x, p, chart, crossed):
    return chart


def outputs(y, t, x, p, chart):
    motion, u, udot, reactions = scratch(MOTION), scratch(N), scratch(N), scratch(N_ROWS)
    y[Y.gap] = find_speeds(motion, u, x)
    solve(udot, reactions, motion)
    y[Y.x], y[Y.y], y[Y.z] = x[S.x], x[S.y], x[S.z]
    y[Y.friction_x], y[Y.friction_y], y[Y.normal_force] = reactions[0], reactions[1], reactions[2]
    y[Y.energy] = kinetic_energy(motion, TREE, DATA) + potential_energy(motion, TREE, DATA, GRAVITY)


SCENE, poses = scene_of(MECHANISM, Ground())
MODEL = Model(
    "rolling_disk",
    STATES,
    vector_field=vector_field,
    scene=SCENE,
    poses=poses,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
