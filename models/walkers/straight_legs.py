"""Two straight legs with round feet, on a slope (McGeer 1990).

T. McGeer, "Passive dynamic walking", Int. J. Robotics Research 9(2), 62-82 (1990). The equations are those of the
bodies (`planar_legs`): the stance foot rolls, and at a heelstrike the foot that leaves the ground receives no impulse.
With R = 0 the feet are points; with r = 0, too, l = a + b and c = b it is the compass gait of Goswami et al. (1996).

The defaults are McGeer's walker, with a mass, a leg (l + R) and a gravity of 1, in its gait on a slope of 0.03, just
after a heelstrike.
"""

import math

from hybridsim import Model, Output, Parameter, Records, State, scratch
from hybridsim.multibody import Vector, kinetic_energy, point_of, potential_energy

from .legs_scene import BODIES, CAMERA, pose_legs
from .planar_legs import (
    ABOVE,
    ALONG,
    DATA,
    MOTION,
    TREE,
    Angles,
    F,
    Legs,
    N,
    Step,
    U,
    accelerate,
    advance,
    clearance,
    strike_heel,
    swing_foot,
)
from .scene import scene_on_slope
from .two_legs import BOUNDARIES, CHARTS, MESSAGES, ORIGIN, chart_of, fallen, gravity_on

STATES = Records(
    State("theta_st", -0.30843544038069, "rad", "stance leg from the slope's normal; positive: hip ahead of the foot"),
    State("theta_sw", 0.30843544038069, "rad", "swing leg from the slope's normal; positive: hip ahead of the foot"),
    State("thetadot_st", 0.40310411364939, "rad/s", "rate of theta_st; positive: forwards"),
    State("thetadot_sw", 0.28068828115983, "rad/s", "rate of theta_sw"),
    State("impulse_x", 0.0, "N s", "of the last heelstrike, along the slope", continuous=False),
    State("impulse_z", 0.0, "N s", "of the last heelstrike, from the slope", continuous=False),
    State("walked", 0.0, "m", "along the slope to where the stance foot touches at the angle 0", continuous=False),
)
PARAMETERS = Records(
    Parameter("m", 1.0, "kg", "mass of a leg", lower=1e-9),
    Parameter("m_H", 0.0, "kg", "mass at the hip", lower=0.0),
    Parameter("l", 0.7, "m", "from the hip to the centre of the foot's circle", lower=1e-9),
    Parameter("R", 0.3, "m", "radius of the foot", lower=0.0),
    Parameter("c", 0.37, "m", "from the hip down to the leg's centre of mass"),
    Parameter("w", 0.0, "m", "from the leg's line back to its centre of mass"),
    Parameter("r", 0.32, "m", "radius of gyration of the leg about its centre of mass", lower=0.0),
    Parameter("g", 1.0, "m/s^2", "gravity"),
    Parameter("slope", 0.03, "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("theta_st", "rad", "stance leg from the slope's normal"),
    Output("theta_sw", "rad", "swing leg from the slope's normal"),
    Output("thetadot_st", "rad/s"),
    Output("thetadot_sw", "rad/s"),
    Output("hip_x", "m", "hip along the slope, from the stance foot's point of contact at the angle 0"),
    Output("hip_z", "m", "hip above the slope"),
    Output("foot_x", "m", "centre of the swing foot's circle along the slope, from that of the stance foot"),
    Output("clearance", "m", "lowest point of the swing foot's circle above the slope"),
    Output("force_x", "N", "ground on the stance foot, along the slope"),
    Output("force_z", "N", "ground on the stance foot, from the slope; negative: it would have to pull"),
    Output("kinetic", "J"),
    Output("potential", "J", "of the heights above the stance foot's point of contact at the angle 0"),
    Output("energy", "J", "kinetic + potential"),
)
S = STATES.indices
P = PARAMETERS.indices
SCENE = scene_on_slope(*BODIES, slope=P.slope, outputs=("clearance", "force_z"), camera=CAMERA)
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def legs_of(p):
    """Return the legs: each is a thigh with all the mass, and a shank without any."""
    return Legs(
        length=p[P.l],
        radius=p[P.R],
        knee=ORIGIN,
        foot=Vector(0.0, 0.0, -p[P.l]),
        hip_mass=p[P.m_H],
        thigh_mass=p[P.m],
        shank_mass=0.0,
        thigh_centre=Vector(-p[P.w], 0.0, -p[P.c]),
        shank_centre=ORIGIN,
        thigh_inertia=p[P.m] * p[P.r] * p[P.r],
        shank_inertia=0.0,
        gravity=gravity_on(p[P.slope], p[P.g]),
    )


def angles_of(x):
    return Angles(x[S.theta_st], x[S.theta_sw], x[S.theta_sw])


def rates_of(x):
    return Angles(x[S.thetadot_st], x[S.thetadot_sw], x[S.thetadot_sw])


def vector_field(xdot, t, x, p, chart):
    udot, forces, motion, data = scratch(N), scratch(4), scratch(MOTION), scratch(DATA)
    accelerate(udot, forces, motion, data, legs_of(p), Step(angles_of(x), rates_of(x), True))
    xdot[S.theta_st], xdot[S.theta_sw] = x[S.thetadot_st], x[S.thetadot_sw]
    xdot[S.thetadot_st], xdot[S.thetadot_sw] = udot[U.thigh1dot], udot[U.thigh2dot]


def boundaries(g, t, x, p, chart):
    if chart == C.leg_behind:
        g[B.passing] = x[S.theta_sw] - x[S.theta_st]
    else:
        g[B.returning] = x[S.theta_st] - x[S.theta_sw]
        g[B.heelstrike] = -(x[S.theta_st] + x[S.theta_sw])


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.leg_behind:
        return C.leg_ahead
    if crossed[B.heelstrike]:
        after, impulses = scratch(N), scratch(4)
        strike_heel(after, impulses, legs_of(p), Step(angles_of(x), rates_of(x), True), True)
        x_new[S.theta_st], x_new[S.theta_sw] = x[S.theta_sw], x[S.theta_st]
        x_new[S.thetadot_st], x_new[S.thetadot_sw] = after[U.thigh1dot], after[U.thigh2dot]
        x_new[S.walked] += advance(legs_of(p), x[S.theta_st], x[S.theta_sw])
        x_new[S.impulse_x], x_new[S.impulse_z] = impulses[ALONG], impulses[ABOVE]
    return C.leg_behind


def initial_chart(x_new, t, x, p):
    return chart_of(x[S.theta_sw] - x[S.theta_st], x[S.thetadot_sw] - x[S.thetadot_st])


def validate(t, x, p, chart):
    return fallen(x[S.theta_st])


def outputs(y, t, x, p, chart):
    udot, forces, motion, data = scratch(N), scratch(4), scratch(MOTION), scratch(DATA)
    legs = legs_of(p)
    accelerate(udot, forces, motion, data, legs, Step(angles_of(x), rates_of(x), True))
    hip, foot = point_of(motion, F.hip, ORIGIN), swing_foot(motion, legs)
    y[Y.time] = t
    y[Y.theta_st], y[Y.theta_sw] = x[S.theta_st], x[S.theta_sw]
    y[Y.thetadot_st], y[Y.thetadot_sw] = x[S.thetadot_st], x[S.thetadot_sw]
    y[Y.hip_x], y[Y.hip_z] = hip.x, hip.z
    y[Y.foot_x] = foot.x - p[P.R] * x[S.theta_st]
    y[Y.clearance] = clearance(legs, angles_of(x))
    y[Y.force_x], y[Y.force_z] = forces[ALONG], forces[ABOVE]
    y[Y.kinetic] = kinetic_energy(motion, TREE, data)
    y[Y.potential] = potential_energy(motion, TREE, data, legs.gravity)
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def poses(T, t, x, p, chart):
    pose_legs(T, BODY, legs_of(p), angles_of(x), p[P.slope], x[S.walked])


MODEL = Model(
    "straight_legs",
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
    messages=MESSAGES,
    scene=SCENE,
    doc="Two straight legs with round feet, walking down a slope (McGeer 1990)",
)
