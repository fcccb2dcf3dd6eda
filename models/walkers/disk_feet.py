"""Two straight legs with disks for feet, in three dimensions (McGeer 1991; Coleman and Ruina 1998; Garcia 1999).

The hips lie W apart on an axle with the mass m_H in its middle. A leg turns about the axle and ends in a thin disk of
radius R in the leg's plane, which rolls. M. Garcia, "Stability, scaling, and chaos in passive-dynamic gait models", PhD
thesis, Cornell (1999), has these angles (section 2.3.3) and this collision (2.5.4).

Axes: x along the slope downhill, y to the left, z above the slope. `heading` turns the walker to the left about z,
`lean` turns it about its forward direction and raises the left end of the axle; `theta_left` and `theta_right` turn the
legs about the axle and are positive when the hip is ahead of the foot. The tree of bodies has its root in the middle of
the axle, so that both legs are treated alike: at a heelstrike only the wheel that rolls changes.

The left foot, if it swings, is as high as l cos(lean) (cos(theta_right) - cos(theta_left)) + W sin(lean), the right one
alike with -W. As with straight legs in a plane, contacts of the swing foot are ignored until it is ahead of the stance
foot and has been above the slope there. At a heelstrike the foot that leaves the ground receives no impulse.

The gaits are unstable: the walker falls sideways. The defaults are the gait with the axle W = 0.01 on a slope of 0.03,
in which right and left steps mirror each other, just after a heelstrike.
"""

import math

from hybridsim import Boundary, Chart, Message, Model, Output, Parameter, Records, State, scratch
from hybridsim.multibody import (
    Body,
    Compound,
    Mechanism,
    Prismatic,
    Revolute,
    Vector,
    Wheel,
    bounce_row,
    complete_speeds,
    contact_of,
    impact,
    inertia_forces,
    kinematics,
    kinetic_energy,
    mass_matrix,
    point_of,
    potential_energy,
    rolling_rows,
    set_body,
    set_constants,
    set_place,
    solve_constrained,
)

from .disk_scene import BODIES, CAMERA, pose_walker
from .scene import scene_on_slope
from .two_legs import MESSAGES, ORIGIN, fallen, gravity_on

MECHANISM = Mechanism(
    Body(
        "axle",
        Compound(
            (
                *(Prismatic(f"axle_{letter}", letter) for letter in "xyz"),
                Revolute("heading", "z"),
                Revolute("lean", "x"),
            )
        ),
    ),
    Body("left_leg", Revolute("left", "y"), parent="axle"),
    Body("right_leg", Revolute("right", "y"), parent="axle"),
)
TREE, CONSTANTS, F, Q, U = MECHANISM.tree, MECHANISM.data, MECHANISM.frames, MECHANISM.q, MECHANISM.u
N = TREE.n_speeds
MOTION, WORK, DATA = MECHANISM.motion_size, MECHANISM.work_size, len(CONSTANTS)
MASSES, ROWS = MECHANISM.mass_size, MECHANISM.rows_size(3)
ROLLING = MECHANISM.dependent("axle_xdot", "axle_ydot", "axle_zdot")
ALONG_AXLE, ABOVE = Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)

STATES = Records(
    State("x", 0.0, "m", "middle of the axle, along the slope"),
    State("y", 0.0, "m", "middle of the axle, to the left"),
    State("heading", -0.154380438945, "rad", "about the slope's normal; positive: to the left of downhill"),
    State("lean", 0.004192001498, "rad", "about the forward direction; positive: the left end of the axle is up"),
    State("theta_left", 0.308035726917, "rad", "left leg about the axle; positive: hip ahead of the foot"),
    State("theta_right", -0.308233187326, "rad", "right leg, alike"),
    State("headingdot", 0.005224080529, "rad/s"),
    State("leandot", -0.009913510814, "rad/s"),
    State("thetadot_left", 0.279404565224, "rad/s"),
    State("thetadot_right", 0.400833602814, "rad/s"),
    State("impulse", 0.0, "N s", "of the last heelstrike, from the slope", continuous=False),
)
PARAMETERS = Records(
    Parameter("m", 1.0, "kg", "mass of a leg", lower=1e-9),
    Parameter("m_H", 0.0, "kg", "mass in the middle of the axle", lower=0.0),
    Parameter("l", 0.7, "m", "from the hip to the middle of the disk", lower=1e-9),
    Parameter("R", 0.3, "m", "radius of the disk", lower=0.0),
    Parameter("c", 0.37, "m", "from the hip down to the leg's centre of mass"),
    Parameter("w", 0.0, "m", "from the leg's line back to its centre of mass"),
    Parameter("w_out", 0.0, "m", "from the leg's plane to its centre of mass, away from the other leg"),
    Parameter("W", 0.01, "m", "from hip to hip", lower=0.0),
    Parameter("I_forward", 0.1024, "kg m^2", "moment of inertia of a leg about the forward direction", lower=0.0),
    Parameter("I_axle", 0.1024, "kg m^2", "about the axle's direction", lower=0.0),
    Parameter("I_leg", 0.001, "kg m^2", "about the leg", lower=0.0),
    Parameter("g", 1.0, "m/s^2", "gravity"),
    Parameter("slope", 0.03, "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2),
)
CHARTS = Records(
    Chart("right_leg_behind", "the left foot rolls, the right leg is behind, or beside"),
    Chart("right_leg_ahead", "the left foot rolls, the right leg is ahead"),
    Chart("left_leg_behind", "the right foot rolls, the left leg is behind, or beside"),
    Chart("left_leg_ahead", "the right foot rolls, the left leg is ahead"),
)
BOUNDARIES = Records(
    Boundary("passing", "the swing leg passes the stance leg", "rad", degree=1),
    Boundary("returning", "the swing leg swings back past the stance leg", "rad", degree=1),
    Boundary("heelstrike", "the swing foot comes down ahead", "m", armed="when_positive"),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("x", "m", "middle of the axle, along the slope"),
    Output("y", "m", "middle of the axle, to the left"),
    Output("z", "m", "middle of the axle, above the slope"),
    Output("heading", "rad"),
    Output("lean", "rad"),
    Output("theta_left", "rad"),
    Output("theta_right", "rad"),
    Output("clearance", "m", "lowest point of the swing foot above the slope"),
    Output("force_x", "N", "ground on the stance foot, along the slope"),
    Output("force_y", "N", "ground on the stance foot, to the left"),
    Output("force_z", "N", "ground on the stance foot, from the slope"),
    Output("kinetic", "J"),
    Output("potential", "J", "of the heights above the place where x = 0 on the slope"),
    Output("energy", "J", "kinetic + potential"),
)
LEANING_MESSAGE = len(MESSAGES) + 1
S = STATES.indices
P = PARAMETERS.indices
SCENE = scene_on_slope(*BODIES, slope=P.slope, outputs=("lean", "clearance"), camera=CAMERA)
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def left_rolls(chart):
    return chart <= C.right_leg_ahead


def is_behind(chart):
    return chart in (C.right_leg_behind, C.left_leg_behind)


def describe(data, p):
    """Write the constants of the bodies."""
    inertia = Vector(p[P.I_forward], p[P.I_axle], p[P.I_leg])
    set_constants(data, CONSTANTS, DATA)
    set_body(data, F.axle, p[P.m_H], ORIGIN, ORIGIN)
    set_body(data, F.left_leg, p[P.m], Vector(-p[P.w], p[P.w_out], -p[P.c]), inertia)
    set_body(data, F.right_leg, p[P.m], Vector(-p[P.w], -p[P.w_out], -p[P.c]), inertia)
    set_place(data, F.left_leg, Vector(0.0, 0.5 * p[P.W], 0.0))
    set_place(data, F.right_leg, Vector(0.0, -0.5 * p[P.W], 0.0))


def place(q, u, x, p, left):
    """Write the coordinates and the independent speeds; `left`: the left foot rolls."""
    stance = x[S.theta_left] if left else x[S.theta_right]
    to_middle = -0.5 * p[P.W] if left else 0.5 * p[P.W]
    reach = p[P.R] + p[P.l] * math.cos(stance)
    q[Q.axle_x], q[Q.axle_y] = x[S.x], x[S.y]
    q[Q.axle_z] = reach * math.cos(x[S.lean]) + to_middle * math.sin(x[S.lean])
    q[Q.heading], q[Q.lean] = x[S.heading], x[S.lean]
    q[Q.left], q[Q.right] = x[S.theta_left], x[S.theta_right]
    u[U.headingdot], u[U.leandot] = x[S.headingdot], x[S.leandot]
    u[U.leftdot], u[U.rightdot] = x[S.thetadot_left], x[S.thetadot_right]


def move(motion, rows, q, u, data, p, left):
    """Find how all bodies move while a foot rolls, and its rows; the speeds of the axle follow from the others."""
    work, at_rest = scratch(WORK), scratch(3)
    for i in range(3):
        at_rest[i] = 0.0
    u[U.axle_xdot], u[U.axle_ydot], u[U.axle_zdot] = 0.0, 0.0, 0.0
    kinematics(motion, TREE, data, q, u)
    roll(rows, motion, p, left)
    complete_speeds(u, rows, at_rest, ROLLING, work)
    kinematics(motion, TREE, data, q, u)
    roll(rows, motion, p, left)


def roll(rows, motion, p, left):
    """Write the rows of the foot that rolls."""
    wheel = Wheel(F.left_leg if left else F.right_leg, Vector(0.0, 0.0, -p[P.l]), ALONG_AXLE, p[P.R], 0.0)
    rolling_rows(rows, motion, TREE, 0, contact_of(motion, wheel, ABOVE))


def accelerate(udot, forces, motion, u, x, p, chart):
    """Find speeds, rates of the speeds and the forces of the ground."""
    q, data, mass, drive = scratch(N), scratch(DATA), scratch(MASSES), scratch(N)
    rows, work = scratch(ROWS), scratch(WORK)
    left = left_rolls(chart)
    describe(data, p)
    place(q, u, x, p, left)
    move(motion, rows, q, u, data, p, left)
    mass_matrix(mass, motion, TREE, data)
    inertia_forces(drive, motion, TREE, data, gravity_on(p[P.slope], p[P.g]))
    for i in range(N):
        drive[i] = -drive[i]
    solve_constrained(udot, forces, mass, drive, rows, ROLLING, work)


def vector_field(xdot, t, x, p, chart):
    udot, forces, motion, u = scratch(N), scratch(3), scratch(MOTION), scratch(N)
    accelerate(udot, forces, motion, u, x, p, chart)
    xdot[S.x], xdot[S.y] = u[U.axle_xdot], u[U.axle_ydot]
    write_speeds(xdot, S.heading, u)
    write_speeds(xdot, S.headingdot, udot)


def write_speeds(values, first, u):
    """Write heading, lean, left and right of the speeds, or of their rates."""
    values[first], values[first + 1] = u[U.headingdot], u[U.leandot]
    values[first + 2], values[first + 3] = u[U.leftdot], u[U.rightdot]


def clearance(x, p, chart):
    """Return the height of the swing foot above the slope [m]."""
    left = left_rolls(chart)
    rise = math.cos(x[S.theta_left]) - math.cos(x[S.theta_right])
    of_right = p[P.l] * math.cos(x[S.lean]) * rise - p[P.W] * math.sin(x[S.lean])
    return of_right if left else -of_right


def boundaries(g, t, x, p, chart):
    behind = x[S.theta_right] - x[S.theta_left] if left_rolls(chart) else x[S.theta_left] - x[S.theta_right]
    if is_behind(chart):
        g[B.passing] = behind
    else:
        g[B.returning] = -behind
        g[B.heelstrike] = clearance(x, p, chart)


def transition(x_new, t, x, p, chart, crossed):
    if is_behind(chart):
        return chart + 1
    if not crossed[B.heelstrike]:
        return chart - 1
    strike(x_new, x, p, left_rolls(chart))
    return C.left_leg_behind if left_rolls(chart) else C.right_leg_behind


def strike(x_new, x, p, left):
    """Let the other foot roll; nothing holds the one that has rolled, which is the left one if `left`."""
    motion, data, rows, work = scratch(MOTION), scratch(DATA), scratch(ROWS), scratch(WORK)
    q, before, after, impulses, mass = scratch(N), scratch(N), scratch(N), scratch(3), scratch(MASSES)
    describe(data, p)
    place(q, before, x, p, left)
    move(motion, rows, q, before, data, p, left)
    mass_matrix(mass, motion, TREE, data)
    roll(rows, motion, p, not left)
    for row in range(3):
        bounce_row(rows, TREE, row, 0.0, before)
    impact(after, impulses, mass, before, rows, ROLLING, work)
    write_speeds(x_new, S.headingdot, after)
    x_new[S.impulse] = impulses[2]


def initial_chart(x_new, t, x, p):
    """The foot that is ahead rolls: a step begins. Other charts are given by name."""
    return C.right_leg_behind if x[S.theta_left] <= x[S.theta_right] else C.left_leg_behind


def validate(t, x, p, chart):
    if x[S.lean] >= 0.5 * math.pi or x[S.lean] <= -0.5 * math.pi:
        return LEANING_MESSAGE
    return fallen(x[S.theta_left] if left_rolls(chart) else x[S.theta_right])


def outputs(y, t, x, p, chart):
    udot, forces, motion, data, u = scratch(N), scratch(3), scratch(MOTION), scratch(DATA), scratch(N)
    accelerate(udot, forces, motion, u, x, p, chart)
    describe(data, p)
    y[Y.time] = t
    y[Y.x], y[Y.y], y[Y.heading], y[Y.lean] = x[S.x], x[S.y], x[S.heading], x[S.lean]
    y[Y.z] = point_of(motion, F.axle, ORIGIN).z
    y[Y.theta_left], y[Y.theta_right] = x[S.theta_left], x[S.theta_right]
    y[Y.clearance] = clearance(x, p, chart)
    y[Y.force_x], y[Y.force_y], y[Y.force_z] = forces[0], forces[1], forces[2]
    y[Y.kinetic] = kinetic_energy(motion, TREE, data)
    y[Y.potential] = potential_energy(motion, TREE, data, gravity_on(p[P.slope], p[P.g]))
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def poses(T, t, x, p, chart):
    left = left_rolls(chart)
    sizes = p[P.l], p[P.R], p[P.W]
    state = x[S.x], x[S.y], x[S.heading], x[S.lean], x[S.theta_left], x[S.theta_right]
    pose_walker(T, BODY, p[P.slope], sizes, state, left)


MODEL = Model(
    "disk_feet",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    validate=validate,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=(*MESSAGES, Message("the walker has fallen sideways: its axle is upright")),
    scene=SCENE,
    doc="Two straight legs with disk feet, walking down a slope in three dimensions (McGeer 1991; Garcia 1999)",
)
