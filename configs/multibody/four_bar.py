"""A four-bar linkage that swings under its weight: a chain of three rods whose end is pinned to the ground.

The loop leaves one independent speed. Where coupler and rocker are in line, the crank is at a dead centre: its speed no
longer determines the other two, and the smallest pivot of the rows falls to 0. Before, the boundary `dead_centre` ends
the chart in which the speed of the crank is independent, and the run goes on in another, with the speed of the coupler.
Each chart is good where the other one is not, so that the linkage passes all its dead centres.
"""

import math

from hybridsim import Boundary, Chart, Model, Output, Records, State, scratch
from hybridsim.multibody import (
    Body,
    Mechanism,
    Point,
    Revolute,
    Vector,
    complete_speeds,
    direction_row,
    inertia_forces,
    kinematics,
    kinetic_energy,
    mass_matrix,
    point_of,
    potential_energy,
    scene_of,
    solve_constrained,
)


def rod(name, parent, length, start):
    """Return a uniform rod along x of 1 kg per metre."""
    joint = Revolute(name, "-y", place=(start, 0.0, 0.0))
    return Body(
        name,
        joint,
        parent=parent,
        mass=length,
        centre=(length / 2, 0.0, 0.0),
        inertia=(0.0, length**3 / 12, length**3 / 12),
    )


GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.6, 0.7, 0.5
MECHANISM = Mechanism(
    rod("crank", "world", CRANK, 0.0),
    rod("coupler", "crank", COUPLER, CRANK),
    rod("rocker", "coupler", ROCKER, COUPLER),
)
TREE, DATA, GRAVITY = MECHANISM.tree, MECHANISM.data, MECHANISM.gravity
Q, U, F = MECHANISM.q, MECHANISM.u, MECHANISM.frames
N, MASS, ROWS = TREE.n_speeds, MECHANISM.mass_size, MECHANISM.rows_size(2)
MOTION, WORK = MECHANISM.motion_size, MECHANISM.work_size
END = Point(F.rocker, Vector(ROCKER, 0.0, 0.0))
X, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0)
BY_CRANK = MECHANISM.dependent("couplerdot", "rockerdot")
BY_COUPLER = MECHANISM.dependent("crankdot", "rockerdot")
SMALLEST_PIVOT = 0.1

STATES = Records(
    State("crank", 0.3, "rad", "from the ground, positive upwards"),
    State("coupler", 0.5, "rad", "from the crank; the run begins with the loop closed"),
    State("rocker", -1.5, "rad", "from the coupler, likewise"),
    State("speed", 4.0, "rad/s", "of the crank or of the coupler, as the chart says"),
)
CHARTS = Records(Chart("by_crank"), Chart("by_coupler"))
BOUNDARIES = Records(Boundary("dead_centre", "soon the independent speed will not determine the others"))
OUTPUTS = Records(
    *(Output(name, "rad") for name in ("crank", "coupler", "rocker")),
    Output("crankdot", "rad/s"),
    Output("energy", "J"),
    Output("gap_x", "m", "loop at the pin"),
    Output("gap_z", "m", "loop at the pin"),
    Output("pin_x", "N", "force of the pin on the rocker"),
    Output("pin_z", "N", "force of the pin on the rocker"),
    Output("pivot", "", "smallest pivot of the rows, each scaled to 1"),
)
S, C, B, Y = STATES.indices, CHARTS.indices, BOUNDARIES.indices, OUTPUTS.indices


def find_speeds(motion, u, x, chart):
    """Find motion and all speeds from the independent one; return the ratio of the pivots."""
    rows, zeros, work = scratch(ROWS), scratch(2), scratch(WORK)
    for i in range(N):
        u[i] = 0.0
    for i in range(2):
        zeros[i] = 0.0
    kinematics(motion, TREE, DATA, x, u)
    write_rows(rows, motion)
    partition = BY_CRANK if chart == C.by_crank else BY_COUPLER
    u[partition.independent[0]] = x[S.speed]
    pivot = complete_speeds(u, rows, zeros, partition, work)
    kinematics(motion, TREE, DATA, x, u)
    return pivot


def write_rows(rows, motion):
    direction_row(rows, motion, TREE, 0, END, X)
    direction_row(rows, motion, TREE, 1, END, Z)


def solve(udot, reactions, motion, chart):
    rows, mass, force, work = scratch(ROWS), scratch(MASS), scratch(N), scratch(WORK)
    write_rows(rows, motion)
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    for i in range(N):
        force[i] = -force[i]
    partition = BY_CRANK if chart == C.by_crank else BY_COUPLER
    solve_constrained(udot, reactions, mass, force, rows, partition, work)


def vector_field(xdot, t, x, p, chart):
    motion, u, udot, reactions = scratch(MOTION), scratch(N), scratch(N), scratch(2)
    find_speeds(motion, u, x, chart)
    solve(udot, reactions, motion, chart)
    for i in range(N):
        xdot[i] = u[i]
    xdot[S.speed] = udot[U.crankdot] if chart == C.by_crank else udot[U.couplerdot]


def boundaries(g, t, x, p, chart):
    motion, u = scratch(MOTION), scratch(N)
    g[B.dead_centre] = find_speeds(motion, u, x, chart) - SMALLEST_PIVOT


def transition(x_new, t, x, p, chart, crossed):
    motion, u = scratch(MOTION), scratch(N)
    find_speeds(motion, u, x, chart)
    if chart == C.by_crank:
        x_new[S.speed] = u[U.couplerdot]
        return C.by_coupler
    x_new[S.speed] = u[U.crankdot]
    return C.by_crank


def initial_chart(x_new, t, x, p):
    """Close the loop for the given crank: the rocker's end is at (GROUND, 0), by the law of cosines."""
    px, pz = CRANK * math.cos(x[S.crank]), CRANK * math.sin(x[S.crank])
    dx, dz = GROUND - px, -pz
    square = dx * dx + dz * dz
    bend = math.acos((square - COUPLER * COUPLER - ROCKER * ROCKER) / (2.0 * COUPLER * ROCKER))
    x_new[S.rocker] = -bend
    direction = math.atan2(dz, dx) + math.atan2(ROCKER * math.sin(bend), COUPLER + ROCKER * math.cos(bend))
    x_new[S.coupler] = direction - x[S.crank]
    return C.by_crank


def outputs(y, t, x, p, chart):
    motion, u, udot, reactions = scratch(MOTION), scratch(N), scratch(N), scratch(2)
    y[Y.pivot] = find_speeds(motion, u, x, chart)
    solve(udot, reactions, motion, chart)
    end = point_of(motion, END.frame, END.place)
    y[Y.crank], y[Y.coupler], y[Y.rocker] = x[S.crank], x[S.coupler], x[S.rocker]
    y[Y.crankdot] = u[U.crankdot]
    y[Y.gap_x], y[Y.gap_z] = end.x - GROUND, end.z
    y[Y.pin_x], y[Y.pin_z] = reactions[0], reactions[1]
    y[Y.energy] = kinetic_energy(motion, TREE, DATA) + potential_energy(motion, TREE, DATA, GRAVITY)


SCENE, poses = scene_of(MECHANISM)
MODEL = Model(
    "four_bar",
    STATES,
    vector_field=vector_field,
    scene=SCENE,
    poses=poses,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
