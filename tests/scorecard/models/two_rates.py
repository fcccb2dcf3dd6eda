"""ydot = y until y rises to 2, ydot = -y/2 until it falls to 1 (after Shampine and Thompson's third problem)."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("y", 1.0))
BOUNDARIES = Records(Boundary("high", degree=1), Boundary("low", degree=1))
CHARTS = Records(Chart("grow"), Chart("decay"))
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[0] if chart == C.grow else -0.5 * x[0]


def boundaries(g, t, x, p, chart):
    if chart == C.grow:
        g[B.high] = 2.0 - x[0]
    else:
        g[B.low] = x[0] - 1.0


def transition(x_new, t, x, p, chart, crossed):
    return C.decay if chart == C.grow else C.grow


MODEL = Model(
    "two_rates",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
