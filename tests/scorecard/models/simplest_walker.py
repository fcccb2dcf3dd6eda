"""The simplest walking model: two massless legs, a mass at the hip, points for feet (Garcia, Chatterjee, Ruina and
Coleman 1998). Lengths are in leg lengths and times in sqrt(leg length / gravity).

theta is the angle of the stance leg from the slope's normal, phi the angle between the legs. The swing foot is on the
ground where phi = 2 theta: at the start of a step, at the heelstrike, and when straight legs scuff at mid-stance. That
has no consequence here, as is usual for this model: the chart tells a scuff from a heelstrike.
"""

import math

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(
    State("theta", 0.2, "rad"),
    State("phi", 0.4, "rad"),
    State("theta_rate", -0.2, "rad"),
    State("phi_rate", 0.0, "rad"),
)
PARAMETERS = Records(Parameter("slope", 0.009, "rad"))
BOUNDARIES = Records(Boundary("scuff", "the swing foot passes", "rad", degree=1), Boundary("heelstrike", degree=1))
THETA, PHI, THETA_RATE, PHI_RATE = range(len(STATES))
TRAILING, LEADING = 0, 1
SCUFF, HEELSTRIKE = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    incline = x[THETA] - p[0]
    xdot[THETA], xdot[PHI] = x[THETA_RATE], x[PHI_RATE]
    xdot[THETA_RATE] = math.sin(incline)
    xdot[PHI_RATE] = math.sin(incline) + (x[THETA_RATE] ** 2 - math.cos(incline)) * math.sin(x[PHI])


def boundaries(g, t, x, p, chart):
    if chart == TRAILING:
        g[SCUFF] = x[PHI] - 2.0 * x[THETA]
    else:
        g[HEELSTRIKE] = 2.0 * x[THETA] - x[PHI]


def transition(x_new, t, x, p, chart, crossed):
    if chart == TRAILING:
        return LEADING
    step = math.cos(2.0 * x[THETA])
    x_new[THETA], x_new[PHI] = -x[THETA], -2.0 * x[THETA]
    x_new[THETA_RATE], x_new[PHI_RATE] = step * x[THETA_RATE], step * (1.0 - step) * x[THETA_RATE]
    return TRAILING


MODEL = Model(
    "simplest_walker",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=("trailing", "leading"),
    boundary_records=BOUNDARIES,
)
