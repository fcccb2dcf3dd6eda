"""A bouncing ball with quadratic drag: where its speed changes sign the field has a kink."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 1.0, "m"), State("v", 0.0, "m/s"))
PARAMETERS = Records(Parameter("drag", 0.1, "1/m"))
BOUNDARIES = Records(Boundary("floor", degree=1))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -9.81 - p[0] * x[1] * abs(x[1])


def boundaries(g, t, x, p, chart):
    g[0] = x[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.9 * x[1]
    return chart


MODEL = Model(
    "drag",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
