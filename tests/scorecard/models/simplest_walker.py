"""The simplest walking model: two massless legs, a mass at the hip, points for feet (Garcia, Chatterjee, Ruina and
Coleman 1998). Lengths are in leg lengths and times in sqrt(leg length / gravity).

theta is the angle of the stance leg from the slope's normal, phi the angle between the legs. The swing foot is on the
ground where phi = 2 theta: at the start of a step, at the heelstrike, and when straight legs scuff at mid-stance. That
has no consequence here, as is usual for this model: the chart tells a scuff from a heelstrike.
"""

import math

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(
    State("theta", 0.2, "rad"),
    State("phi", 0.4, "rad"),
    State("theta_rate", -0.2, "rad"),
    State("phi_rate", 0.0, "rad"),
)
PARAMETERS = Records(Parameter("slope", 0.009, "rad"))
BOUNDARIES = Records(Boundary("scuff", "the swing foot passes", "rad", degree=1), Boundary("heelstrike", degree=1))
CHARTS = Records(Chart("trailing"), Chart("leading"))
S = STATES.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    incline = x[S.theta] - p[0]
    xdot[S.theta], xdot[S.phi] = x[S.theta_rate], x[S.phi_rate]
    xdot[S.theta_rate] = math.sin(incline)
    xdot[S.phi_rate] = math.sin(incline) + (x[S.theta_rate] ** 2 - math.cos(incline)) * math.sin(x[S.phi])


def boundaries(g, t, x, p, chart):
    if chart == C.trailing:
        g[B.scuff] = x[S.phi] - 2.0 * x[S.theta]
    else:
        g[B.heelstrike] = 2.0 * x[S.theta] - x[S.phi]


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.trailing:
        return C.leading
    step = math.cos(2.0 * x[S.theta])
    x_new[S.theta], x_new[S.phi] = -x[S.theta], -2.0 * x[S.theta]
    x_new[S.theta_rate], x_new[S.phi_rate] = step * x[S.theta_rate], step * (1.0 - step) * x[S.theta_rate]
    return C.trailing


MODEL = Model(
    "simplest_walker",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
