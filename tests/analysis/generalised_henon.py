"""The generalised Henon map u' = v, v' = p - q u - v^2 - 0.1 u v (Kuznetsov 2004, section 9.9), applied by a clock."""

from hybridsim import Boundary, Model, Parameter, Records, State


def vector_field(xdot, t, x, p, chart):
    xdot[2] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[2]


def transition(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[0] = x[1]
    x_new[1] = p[0] - p[1] * x[0] - x[1] * x[1] - 0.1 * x[0] * x[1]
    return chart


MODEL = Model(
    "generalised_henon",
    Records(State("u", -0.25), State("v", -0.25), State("phase")),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=Records(Parameter("p", -0.43625, lower=-20.0, upper=20.0), Parameter("q", 1.02, lower=-3.0, upper=3.0)),
    boundary_records=Records(Boundary("tick", degree=1)),
)
"""By default, the fixed point u = v = -0.25; its determinant is q + u / 10, so that it has a torus at u = -0.2."""
