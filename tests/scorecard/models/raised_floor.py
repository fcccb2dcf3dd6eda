"""A ball that bounces on a floor at some height, and keeps half its speed."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 2.0, "m"), State("v", 0.0, "m/s"))
PARAMETERS = Records(Parameter("floor_height", 1.0, "m"))
BOUNDARIES = Records(Boundary("floor", degree=1))


def vector_field(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def boundaries(g, t, x, p, chart):
    g[0] = x[0] - p[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.5 * x[1]
    return chart


def initial_chart(x_new, t, x, p):
    x_new[0] = p[0] + 1.0
    return 0


MODEL = Model(
    "raised_floor",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
