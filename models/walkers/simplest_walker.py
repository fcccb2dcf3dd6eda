"""The simplest walker: a mass at the hip on two massless legs that end in points (Garcia et al. 1998).

Lengths are in leg lengths, masses in masses of the hip, times in sqrt(leg length / gravity). The feet have masses so
small that they do not move the hip. The signs are those of M. Garcia, A. Chatterjee, A. Ruina and M. Coleman, "The
simplest walking model: stability, complexity, and scaling", J. Biomech. Eng. 120 (1998):

* `theta` is the angle of the stance leg from the slope's normal, positive after a heelstrike (hip behind the foot);
* `phi` is the angle of the stance leg less that of the swing leg, positive while the swing leg is behind.

The swing follows (equations 1 and 2, with the mass of the feet gone to zero)

    thetaddot = sin(theta - slope)
    phiddot = sin(theta - slope) + thetadot^2 sin(phi) - cos(theta - slope) sin(phi)

The swing foot is on the slope where phi = 2 theta. At a heelstrike the legs swap roles, and the angular momenta of the
walker about the new foot and of the new swing leg about the hip are the same before and after:

    theta+ = -theta            thetadot+ = cos(2 theta) thetadot
    phi+ = -2 theta            phidot+ = cos(2 theta) (1 - cos(2 theta)) thetadot

The defaults are the long-period gait at the slope 0.009, just after a heelstrike.
"""

import math

from hybridsim import Model, Output, Parameter, Records, State

from .scene import LEGS, pose_two_legs, scene_on_points
from .two_legs import BOUNDARIES, CHARTS, MESSAGES, chart_of, fallen

STATES = Records(
    State("theta", 0.200310900544247, "rad", "stance leg from the slope's normal; positive: hip behind the foot"),
    State("phi", 0.400621801088494, "rad", "stance leg less swing leg; positive: swing leg behind"),
    State("thetadot", -0.199832473004952, "rad sqrt(g/l)", "rate of theta; negative: forwards"),
    State("phidot", -0.015822999948309, "rad sqrt(g/l)", "rate of phi"),
    State("walked", 0.0, "l", "along the slope to the stance foot", continuous=False),
)
PARAMETERS = Records(Parameter("slope", 0.009, "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2))
OUTPUTS = Records(
    Output("time", "sqrt(l/g)"),
    Output("theta", "rad", "stance leg from the slope's normal"),
    Output("phi", "rad", "stance leg less swing leg"),
    Output("thetadot", "rad sqrt(g/l)"),
    Output("phidot", "rad sqrt(g/l)"),
    Output("hip_x", "l", "hip from the stance foot, along the slope"),
    Output("hip_y", "l", "hip above the slope"),
    Output("foot_x", "l", "swing foot from the stance foot, along the slope; at a heelstrike, the step length"),
    Output("clearance", "l", "swing foot above the slope"),
    Output("kinetic", "m g l"),
    Output("potential", "m g l", "of the hip's height above the stance foot"),
    Output("energy", "m g l", "kinetic + potential"),
)
HIP_RADIUS = 0.12
S = STATES.indices
P = PARAMETERS.indices
SCENE = scene_on_points(*LEGS, slope=P.slope, outputs=("clearance", "energy"))
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    incline = x[S.theta] - p[P.slope]
    xdot[S.theta] = x[S.thetadot]
    xdot[S.phi] = x[S.phidot]
    xdot[S.thetadot] = math.sin(incline)
    xdot[S.phidot] = math.sin(incline) + (x[S.thetadot] * x[S.thetadot] - math.cos(incline)) * math.sin(x[S.phi])


def boundaries(g, t, x, p, chart):
    if chart == C.leg_behind:
        g[B.passing] = x[S.phi]
    else:
        g[B.returning] = -x[S.phi]
        g[B.heelstrike] = 2.0 * x[S.theta] - x[S.phi]


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.leg_behind:
        return C.leg_ahead
    if crossed[B.heelstrike]:
        shrink = math.cos(2.0 * x[S.theta])
        x_new[S.theta] = -x[S.theta]
        x_new[S.phi] = -2.0 * x[S.theta]
        x_new[S.thetadot] = shrink * x[S.thetadot]
        x_new[S.phidot] = shrink * (1.0 - shrink) * x[S.thetadot]
        x_new[S.walked] -= math.sin(x[S.theta]) + math.sin(x[S.phi] - x[S.theta])
    return C.leg_behind


def initial_chart(x_new, t, x, p):
    return chart_of(x[S.phi], x[S.phidot])


def validate(t, x, p, chart):
    return fallen(-x[S.theta])


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.theta], y[Y.phi], y[Y.thetadot], y[Y.phidot] = x[S.theta], x[S.phi], x[S.thetadot], x[S.phidot]
    y[Y.hip_x] = -math.sin(x[S.theta])
    y[Y.hip_y] = math.cos(x[S.theta])
    y[Y.foot_x] = -math.sin(x[S.theta]) - math.sin(x[S.phi] - x[S.theta])
    y[Y.clearance] = math.cos(x[S.theta]) - math.cos(x[S.phi] - x[S.theta])
    y[Y.kinetic] = 0.5 * x[S.thetadot] * x[S.thetadot]
    y[Y.potential] = math.cos(x[S.theta] - p[P.slope])
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def poses(T, t, x, p, chart):
    angles = (-x[S.theta], x[S.phi] - x[S.theta])
    pose_two_legs(T, BODY, p[P.slope], 1.0, angles, HIP_RADIUS, x[S.walked])


MODEL = Model(
    "simplest_walker",
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
    doc="The simplest walker: a mass on two massless legs, walking down a slope (Garcia et al. 1998)",
)
