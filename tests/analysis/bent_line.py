"""The map u -> left u + m for u < 0, right u + m for u > 0: on the right, one more event happens in each cycle."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("u"), State("clock"))
PARAMETERS = Records(
    Parameter("left", 0.5),
    Parameter("right", -1.5),
    Parameter("m", -0.1),
    Parameter("bend", 0.0),
    Parameter("unit", 1.0),
)
CHARTS = Records(Chart("left_side"), Chart("right_side"))
BOUNDARIES = Records(Boundary("seen", "u is positive"), Boundary("cycle", degree=1))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.clock] = 1.0


def boundaries(g, t, x, p, chart):
    g[B.seen] = 0.5 - x[S.clock] if chart == C.left_side and x[S.u] > 0.0 else 1.0
    g[B.cycle] = 1.0 - x[S.clock]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.cycle]:
        slope = p[P.right] if chart == C.right_side else p[P.left]
        x_new[S.u] = slope * x[S.u] + p[P.m] * p[P.unit] + p[P.bend] * x[S.u] * x[S.u] / p[P.unit]
        x_new[S.clock] = x[S.clock] - 1.0
        return C.left_side
    return C.right_side


MODEL = Model(
    "bent_line",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
