"""A ball that bounces on a floor and rests on it; at some height its last bounces are rounding."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 2.0, "m"), State("v", 0.0, "m/s"))
PARAMETERS = Records(Parameter("floor_height", 1.0, "m"), Parameter("restitution", 0.5))
BOUNDARIES = Records(Boundary("floor", degree=1, rest="lie"))


def vector_field(xdot, t, x, p, chart):
    if chart == 0:
        xdot[0], xdot[1] = x[1], -9.81


def boundaries(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] - p[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -p[1] * x[1]
    return chart


def initial_chart(x_new, t, x, p):
    x_new[0] = p[0] + 1.0
    return 0


MODEL = Model(
    "raised",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=("fly", "lie"),
    boundary_records=BOUNDARIES,
)
