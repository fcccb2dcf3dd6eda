"""The map y -> lam y + m - e sqrt(depth) with depth = y + d m where it is positive: then one more event happens."""

import math

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("y"), State("clock"))
PARAMETERS = Records(
    Parameter("lam", 0.2),
    Parameter("m", -0.1),
    Parameter("e", 1.0),
    Parameter("d", 0.0),
    Parameter("unit", 1.0),
)
CHARTS = Records(Chart("outside"), Chart("inside"))
BOUNDARIES = Records(Boundary("wall", "is hit"), Boundary("cycle", degree=1))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def depth(x, p):
    return x[S.y] / p[P.unit] + p[P.d] * p[P.m]


def vector_field(xdot, t, x, p, chart):
    xdot[S.clock] = 1.0


def boundaries(g, t, x, p, chart):
    g[B.wall] = 0.5 - x[S.clock] if chart == C.outside and depth(x, p) > 0.0 else 1.0
    g[B.cycle] = 1.0 - x[S.clock]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.cycle]:
        x_new[S.y] = p[P.lam] * x[S.y] + p[P.m] * p[P.unit]
        if chart == C.inside:
            x_new[S.y] -= p[P.e] * math.sqrt(depth(x, p)) * p[P.unit]
        x_new[S.clock] = x[S.clock] - 1.0
        return C.outside
    return C.inside


MODEL = Model(
    "nordmark",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
