"""Van der Pol's oscillator."""

from hybridsim import Model, Parameter, Records, State


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0]


MODEL = Model(
    "van_der_pol",
    Records(State("x", 2.0), State("v", 0.0)),
    vector_field=vector_field,
    parameters=Records(Parameter("damping", 1.0)),
)
