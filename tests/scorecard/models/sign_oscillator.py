"""xddot = -sgn x: a mass pulled back to the middle by a constant force."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("x", 1.0), State("v"))
BOUNDARIES = Records(Boundary("leaves_right", degree=1), Boundary("leaves_left", degree=1))
CHARTS = Records(Chart("right"), Chart("left"))
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -1.0 if chart == C.right else 1.0


def boundaries(g, t, x, p, chart):
    g[chart] = x[0] if chart == C.right else -x[0]


def transition(x_new, t, x, p, chart, crossed):
    return C.left if chart == C.right else C.right


MODEL = Model(
    "sign_oscillator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
