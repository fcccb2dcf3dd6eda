"""A planar walker of seven bodies on ground that yields, with torques at its six joints: 75 kg, 1.80 m (Winter 1990).

The trunk leans forwards with a positive angle; at hip, knee and ankle the segment below turns forwards, so that a bent
knee is negative. Heels and toes press on springs that stiffen with depth, with friction that grows smoothly with slip,
as in gait2d (van den Bogert).
"""

import math

from hybridsim import Input, Model, Output, Parameter, Records, scratch, subarray
from hybridsim.multibody import (
    Body,
    Mechanism,
    Planar,
    Revolute,
    add_force,
    arm_of,
    inertia_forces,
    kinematics,
    mass_matrix,
    point_of,
    scene_of,
    solve_linear,
    velocity_of,
)
from hybridsim.multibody.vectors import Vector

THIGH, SHANK = 0.4410, 0.4428
SIDES = ("right", "left")
JOINTS = tuple(f"{side}_{joint}" for side in SIDES for joint in ("hip", "knee", "ankle"))


def segment(side, name, joint, parent, mass, centre, inertia, above=0.0):
    """Return a segment below a joint at `above` from that of its parent; it moves in the x-z plane alone."""
    return Body(
        f"{side}_{name}",
        Revolute(f"{side}_{joint}", "-y", place=(0.0, 0.0, -above)),
        parent if parent == "trunk" else f"{side}_{parent}",
        mass=mass,
        centre=centre,
        inertia=(inertia, inertia, 0.0),
    )


def leg(side):
    return (
        segment(side, "thigh", "hip", "trunk", 7.5, (0.0, 0.0, -0.191), 0.1522),
        segment(side, "shank", "knee", "thigh", 3.4875, (0.0, 0.0, -0.1917), 0.0624, THIGH),
        segment(side, "foot", "ankle", "shank", 1.0875, (0.0768, 0.0, -0.0351), 0.0184, SHANK),
    )


WALKER = Mechanism(
    Body("trunk", Planar("hip", normal="y"), mass=50.85, centre=(0.0, 0.0, 0.3155), inertia=(3.1777, 3.1777, 0.0)),
    *leg("right"),
    *leg("left"),
)
TREE, DATA, GRAVITY = WALKER.tree, WALKER.data, WALKER.gravity
N, MASS, MOTION = TREE.n_speeds, WALKER.mass_size, WALKER.motion_size
RIGHT, LEFT = WALKER.frames.right_foot, WALKER.frames.left_foot
HEEL, TOE = Vector(-0.06, 0.0, -0.07), Vector(0.15, 0.0, -0.07)
SOFT = 2e-3
PARAMETERS = Records(
    Parameter("stiffness", 5e7, "N/m^3", "of the ground"),
    Parameter("damping", 0.85, "s/m", "of the ground"),
    Parameter("friction", 1.0),
    Parameter("slip", 0.05, "m/s", "at which friction is 76 % of its limit"),
)
P = PARAMETERS.indices
T = len(PARAMETERS)
FIRST = TREE.n_speeds - len(JOINTS)


def press(force, motion, frame, point, p):
    """Add the force of the ground on a point of a foot, and return its vertical part [N]."""
    here, speed = point_of(motion, frame, point), velocity_of(motion, frame, point)
    depth = 0.5 * (math.sqrt(here.z * here.z + SOFT * SOFT) - here.z)
    normal = p[P.stiffness] * depth * depth * depth * (1.0 - p[P.damping] * speed.z)
    shear = -p[P.friction] * normal * math.tanh(speed.x / p[P.slip])
    push, none = Vector(shear, 0.0, normal), Vector(0.0, 0.0, 0.0)
    add_force(force, motion, TREE, frame, arm_of(motion, frame, point), push, none)
    return normal


def move(udot, x, p):
    """Find the rates of the speeds, with the torques behind the parameters in p; return the forces on both feet [N]."""
    mass, force, motion = scratch(MASS), scratch(N), scratch(MOTION)
    kinematics(motion, TREE, DATA, x, subarray(x, N, N))
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    for i in range(N):
        force[i] = -force[i]
    for i in range(6):
        force[FIRST + i] += p[T + i]
    right = press(force, motion, RIGHT, HEEL, p) + press(force, motion, RIGHT, TOE, p)
    left = press(force, motion, LEFT, HEEL, p) + press(force, motion, LEFT, TOE, p)
    solve_linear(mass, force, N)
    for i in range(N):
        udot[i] = force[i]
    return right, left


def vector_field(xdot, t, x, p, chart):
    for i in range(N):
        xdot[i] = x[N + i]
    move(subarray(xdot, N, N), x, p)


def outputs(y, t, x, p, chart):
    udot = scratch(N)
    y[0], y[1] = move(udot, x, p)


SCENE, poses = scene_of(WALKER)
MODEL = Model(
    "planar_gait",
    WALKER.states(hip_z=0.94),
    vector_field=vector_field,
    outputs=outputs,
    parameters=PARAMETERS,
    inputs=Records(*(Input(f"{name}_torque", 0.0, "N m") for name in JOINTS)),
    output_records=Records(Output("right_force", "N"), Output("left_force", "N")),
    scene=SCENE,
    poses=poses,
)
