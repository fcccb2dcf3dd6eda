"""A guard that crosses zero, and then has two minima in one step: a quartic with two wells, of which one is deeper."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("x", 0.0, "m"))
PARAMETERS = Records(Parameter("tilt", 0.1, "1"))
BOUNDARIES = Records(Boundary("guard"))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def boundaries(g, t, x, p, chart):
    s = x[0]
    g[0] = 40.0 * (s - 0.4) ** 2 * (s - 0.8) ** 2 - 0.3 + p[0] * (s - 0.6)


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = -1.0
    return chart


MODEL = Model(
    "wells",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
