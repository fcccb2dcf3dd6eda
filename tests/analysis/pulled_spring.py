"""A mass on a spring: at the top, where its speed falls through zero, it is put to 1 + gain * y."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 1.0), State("v", 0.0))
PARAMETERS = Records(Parameter("k", 1.0), Parameter("d", 0.1), Parameter("gain", 0.5))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[0] * x[0] - p[1] * x[1]


def boundaries(g, t, x, p, chart):
    g[0] = x[1]


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = 1.0 + p[2] * x[0]
    return chart


MODEL = Model(
    "hop",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=Records(Boundary("top", armed="when_positive")),
)
