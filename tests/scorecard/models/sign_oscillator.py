"""xddot = -sgn x: a mass pulled back to the middle by a constant force."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("x", 1.0), State("v"))
BOUNDARIES = Records(Boundary("leaves_right", degree=1), Boundary("leaves_left", degree=1))
RIGHT, LEFT = 0, 1


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -1.0 if chart == RIGHT else 1.0


def boundaries(g, t, x, p, chart):
    g[chart] = x[0] if chart == RIGHT else -x[0]


def transition(x_new, t, x, p, chart, crossed):
    return LEFT if chart == RIGHT else RIGHT


MODEL = Model(
    "sign_oscillator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=("right", "left"),
    boundary_records=BOUNDARIES,
)
