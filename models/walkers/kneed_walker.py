"""Two legs with knees and round feet, on a slope (McGeer 1990b; the walker of Garcia's and Ruina's laboratory).

T. McGeer, "Passive walking with knees", IEEE Conf. Robotics and Automation, 1640-1645 (1990); M. Garcia, "Stability,
scaling, and chaos in passive-dynamic gait models", PhD thesis, Cornell (1999), chapter 2. The equations are those of
the bodies (`planar_legs`).

A step has two parts. With a free knee, thigh and shank of the swing leg move by themselves, until the shank has caught
up with the thigh (`kneestrike`): the knee locks in a plastic collision, and the leg swings on in one piece until its
foot comes down (`heelstrike`). Then the legs exchange their roles, and nothing holds the knee of the leg that leaves
the ground. All three angles are those of "their" leg's line, from the hip to the centre of the foot's circle where the
knee is locked. The line from a locked knee to that centre points by eps_K further forwards than the line of the thigh,
so that the knee lies behind the leg's line.

Contacts of the swing foot before the knee is locked are ignored; the output `clearance` tells of them.

The defaults are the laboratory's walker after its third modification, as far as it is known (docs/walkers.md says which
numbers are remembered or fitted), on a slope of 0.036, in its gait just after a
heelstrike.
"""

import math

from hybridsim import Boundary, Chart, Message, Model, Output, Parameter, Records, State, scratch
from hybridsim.multibody import Vector, kinetic_energy, point_of, potential_energy

from .legs_scene import BODIES, CAMERA, pose_legs
from .planar_legs import (
    ABOVE,
    ALONG,
    DATA,
    MOTION,
    STANCE_KNEE,
    SWING_KNEE,
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
    rise,
    strike_heel,
    strike_knee,
    swing_foot,
)
from .scene import scene_on_slope
from .two_legs import MESSAGES, ORIGIN, fallen, gravity_on

STATES = Records(
    State("theta_st", -0.2434229254730, "rad", "stance leg from the slope's normal; positive: hip ahead of the foot"),
    State("theta_th", 0.2434229254730, "rad", "swing leg's thigh, alike"),
    State("theta_sh", 0.2434229254730, "rad", "swing leg's shank, alike; larger than theta_th: the knee is bent"),
    State("thetadot_st", 1.0482471483715, "rad/s", "rate of theta_st; positive: forwards"),
    State("thetadot_th", 0.3040641171109, "rad/s", "rate of theta_th"),
    State("thetadot_sh", 1.4802703447121, "rad/s", "rate of theta_sh"),
    State("impulse_x", 0.0, "N s", "of the last heelstrike, along the slope", continuous=False),
    State("impulse_z", 0.0, "N s", "of the last heelstrike, from the slope", continuous=False),
    State("heel_knee", 0.0, "N m s", "of the last heelstrike, in the new stance knee", continuous=False),
    State("lowest_clearance", 0.0, "m", "least one in this step where the foot rose again, or 0", continuous=False),
    State("strike_knee", 0.0, "N m s", "of the last kneestrike, in the stance knee", continuous=False),
    State("walked", 0.0, "m", "along the slope to where the stance foot touches at the angle 0", continuous=False),
)
PARAMETERS = Records(
    Parameter("l_t", 0.35, "m", "length of the thigh", lower=1e-9),
    Parameter("l_s", 0.46, "m", "length of the shank, down to the sole", lower=1e-9),
    Parameter("R", 0.2, "m", "radius of the foot", lower=0.0),
    Parameter("eps_K", 0.22774442794, "rad", "from the thigh's line forwards to the shank's, in a locked knee"),
    Parameter("m_H", 0.0, "kg", "mass at the hip", lower=0.0),
    Parameter("m_t", 2.3451, "kg", "mass of a thigh", lower=1e-9),
    Parameter("m_s", 1.013, "kg", "mass of a shank", lower=1e-9),
    Parameter("c_t", 0.091, "m", "from the hip along the thigh to its centre of mass"),
    Parameter("c_s", 0.17, "m", "from the knee along the shank to its centre of mass"),
    Parameter("w_t", 0.0, "m", "from the thigh's line back to its centre of mass"),
    Parameter("w_s", 0.025, "m", "from the shank's line back to its centre of mass"),
    Parameter("r_t", 0.0992, "m", "radius of gyration of a thigh about its centre of mass", lower=0.0),
    Parameter("r_s", 0.197, "m", "radius of gyration of a shank about its centre of mass", lower=0.0),
    Parameter("g", 9.81, "m/s^2", "gravity"),
    Parameter("slope", 0.036, "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2),
)
CHARTS = Records(
    Chart("free_knee", "thigh and shank of the swing leg move by themselves"),
    Chart("locked_knee", "the swing leg is straight"),
)
BOUNDARIES = Records(
    Boundary("lowest", "the swing foot's circle ceases to come down", "m/s", armed="when_positive"),
    Boundary("kneestrike", "the shank has caught up with the thigh", "rad", degree=1),
    Boundary("heelstrike", "the swing foot comes down", "rad", degree=1, armed="when_positive"),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("theta_st", "rad", "stance leg from the slope's normal"),
    Output("theta_th", "rad", "swing leg's thigh"),
    Output("theta_sh", "rad", "swing leg's shank"),
    Output("thetadot_st", "rad/s"),
    Output("thetadot_th", "rad/s"),
    Output("thetadot_sh", "rad/s"),
    Output("hip_x", "m", "hip along the slope, from the stance foot's point of contact at the angle 0"),
    Output("hip_z", "m", "hip above the slope"),
    Output("foot_x", "m", "centre of the swing foot's circle along the slope, from that of the stance foot"),
    Output("clearance", "m", "lowest point of the swing foot's circle above the slope"),
    Output("lowest_clearance", "m", "least clearance in this step where the foot rose again; negative: it scuffs"),
    Output("force_x", "N", "ground on the stance foot, along the slope"),
    Output("force_z", "N", "ground on the stance foot, from the slope; negative: it would have to pull"),
    Output("stance_knee", "N m", "torque that keeps the stance knee locked; negative: its stop would have to pull"),
    Output("swing_knee", "N m", "torque that keeps the swing leg's knee locked, 0 while it is free"),
    Output("kinetic", "J"),
    Output("potential", "J", "of the heights above the stance foot's point of contact at the angle 0"),
    Output("energy", "J", "kinetic + potential"),
)
MESSAGES_OF_KNEES = (*MESSAGES, Message("the knee of the swing leg is bent forwards: theta_sh is less than theta_th"))
KNEE_MESSAGE = len(MESSAGES_OF_KNEES)
BEND_TOLERANCE = 1e-6  # beyond rounding of a strike [rad]
S = STATES.indices
P = PARAMETERS.indices
SCENE = scene_on_slope(*BODIES, slope=P.slope, outputs=("clearance", "stance_knee"), camera=CAMERA)
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def legs_of(p):
    """Return the legs, from the lines of thigh and shank, which meet in the knee at the angle eps_K."""
    to_foot, sine, cosine = p[P.l_s] - p[P.R], math.sin(p[P.eps_K]), math.cos(p[P.eps_K])
    length = math.sqrt(p[P.l_t] * p[P.l_t] + to_foot * to_foot + 2.0 * p[P.l_t] * to_foot * cosine)
    # Directions down the lines at the angle 0, where the centre of the foot's circle is below the hip.
    thigh = Vector(-to_foot * sine / length, 0.0, -(p[P.l_t] + to_foot * cosine) / length)
    shank = Vector(p[P.l_t] * sine / length, 0.0, -(to_foot + p[P.l_t] * cosine) / length)
    return Legs(
        length=length,
        radius=p[P.R],
        knee=down(thigh, p[P.l_t], 0.0),
        foot=down(shank, to_foot, 0.0),
        hip_mass=p[P.m_H],
        thigh_mass=p[P.m_t],
        shank_mass=p[P.m_s],
        thigh_centre=down(thigh, p[P.c_t], p[P.w_t]),
        shank_centre=down(shank, p[P.c_s], p[P.w_s]),
        thigh_inertia=p[P.m_t] * p[P.r_t] * p[P.r_t],
        shank_inertia=p[P.m_s] * p[P.r_s] * p[P.r_s],
        gravity=gravity_on(p[P.slope], p[P.g]),
    )


def down(line, along, behind):
    """Return the point at `along` down a line, and at `behind` behind that line."""
    return Vector(along * line.x + behind * line.z, 0.0, along * line.z - behind * line.x)


def step_of(x, chart):
    return Step(
        Angles(x[S.theta_st], x[S.theta_th], x[S.theta_sh]),
        Angles(x[S.thetadot_st], x[S.thetadot_th], x[S.thetadot_sh]),
        chart == C.locked_knee,
    )


def vector_field(xdot, t, x, p, chart):
    udot, forces, motion, data = scratch(N), scratch(4), scratch(MOTION), scratch(DATA)
    accelerate(udot, forces, motion, data, legs_of(p), step_of(x, chart))
    xdot[S.theta_st], xdot[S.theta_th], xdot[S.theta_sh] = x[S.thetadot_st], x[S.thetadot_th], x[S.thetadot_sh]
    xdot[S.thetadot_st], xdot[S.thetadot_th] = udot[U.thigh1dot], udot[U.thigh2dot]
    xdot[S.thetadot_sh] = udot[U.thigh2dot] + udot[U.knee2dot]


def boundaries(g, t, x, p, chart):
    if chart == C.free_knee:
        step = step_of(x, chart)
        g[B.lowest] = -rise(legs_of(p), step.angles, step.rates)
        g[B.kneestrike] = x[S.theta_sh] - x[S.theta_th]
    else:
        g[B.heelstrike] = -(x[S.theta_st] + x[S.theta_th])


def transition(x_new, t, x, p, chart, crossed):
    after, impulses = scratch(N), scratch(4)
    if crossed[B.lowest]:
        x_new[S.lowest_clearance] = lower(x[S.lowest_clearance], clearance(legs_of(p), step_of(x, chart).angles))
    if chart == C.free_knee and not crossed[B.kneestrike]:
        return C.free_knee
    if chart == C.free_knee:
        strike_knee(after, impulses, legs_of(p), step_of(x, chart))
        x_new[S.theta_sh] = x[S.theta_th]
        x_new[S.strike_knee] = impulses[STANCE_KNEE]
        write_rates(x_new, after)
        return C.locked_knee
    strike_heel(after, impulses, legs_of(p), step_of(x, chart), False)
    x_new[S.theta_st], x_new[S.theta_th], x_new[S.theta_sh] = x[S.theta_th], x[S.theta_st], x[S.theta_st]
    x_new[S.walked] += advance(legs_of(p), x[S.theta_st], x[S.theta_th])
    x_new[S.impulse_x], x_new[S.impulse_z] = impulses[ALONG], impulses[ABOVE]
    x_new[S.heel_knee], x_new[S.lowest_clearance] = impulses[STANCE_KNEE], 0.0
    write_rates(x_new, after)
    return C.free_knee


def lower(known, height):
    """Return the lower one of the clearance known in this step, 0 if there is none, and another one."""
    return height if known == 0.0 else min(known, height)


def write_rates(x_new, u):
    x_new[S.thetadot_st], x_new[S.thetadot_th] = u[U.thigh1dot], u[U.thigh2dot]
    x_new[S.thetadot_sh] = u[U.thigh2dot] + u[U.knee2dot]


def initial_chart(x_new, t, x, p):
    """A step begins with a free knee; a leg that is locked is given by the name of its chart."""
    return C.free_knee


def validate(t, x, p, chart):
    if x[S.theta_sh] < x[S.theta_th] - BEND_TOLERANCE:
        return KNEE_MESSAGE
    return fallen(x[S.theta_st])


def outputs(y, t, x, p, chart):
    udot, forces, motion, data = scratch(N), scratch(4), scratch(MOTION), scratch(DATA)
    legs, step = legs_of(p), step_of(x, chart)
    accelerate(udot, forces, motion, data, legs, step)
    hip, foot = point_of(motion, F.hip, ORIGIN), swing_foot(motion, legs)
    y[Y.time] = t
    y[Y.theta_st], y[Y.theta_th], y[Y.theta_sh] = x[S.theta_st], x[S.theta_th], x[S.theta_sh]
    y[Y.thetadot_st], y[Y.thetadot_th], y[Y.thetadot_sh] = x[S.thetadot_st], x[S.thetadot_th], x[S.thetadot_sh]
    y[Y.hip_x], y[Y.hip_z] = hip.x, hip.z
    y[Y.foot_x], y[Y.clearance] = foot.x - p[P.R] * x[S.theta_st], clearance(legs, step.angles)
    y[Y.lowest_clearance] = x[S.lowest_clearance]
    y[Y.force_x], y[Y.force_z] = forces[ALONG], forces[ABOVE]
    y[Y.stance_knee], y[Y.swing_knee] = forces[STANCE_KNEE], forces[SWING_KNEE] if step.locked else 0.0
    y[Y.kinetic] = kinetic_energy(motion, TREE, data)
    y[Y.potential] = potential_energy(motion, TREE, data, legs.gravity)
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def poses(T, t, x, p, chart):
    pose_legs(T, BODY, legs_of(p), step_of(x, chart).angles, p[P.slope], x[S.walked])


MODEL = Model(
    "kneed_walker",
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
    messages=MESSAGES_OF_KNEES,
    scene=SCENE,
    doc="Two legs with knees and round feet, walking down a slope (McGeer 1990; Garcia 1999)",
)
