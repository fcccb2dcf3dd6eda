"""A ball bounces on a table until it rests, and rolls off its edge."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("y", 0.2, "m"), State("v", 0.0, "m/s"), State("x", 0.0, "m"))
CHARTS = Records(Chart("bouncing"), Chart("rolling"), Chart("falling"))
BOUNDARIES = Records(Boundary("top", unit="m", degree=1, rest="rolling"), Boundary("edge", unit="m", degree=1))
S = STATES.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = 0.5
    if chart != C.rolling:
        xdot[S.y], xdot[S.v] = x[S.v], -9.81


def boundaries(g, t, x, p, chart):
    if chart == C.bouncing:
        g[B.top] = x[S.y]
    if chart == C.rolling:
        g[B.edge] = 1.0 - x[S.x]


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.rolling:
        return C.falling
    x_new[S.v] = -0.5 * x[S.v]
    return C.bouncing


MODEL = Model(
    "table",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
