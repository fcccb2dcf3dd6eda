"""A pendulum whose frequency for small angles is the square root of `stiffness`."""

import math

from hybridsim import Model, Parameter, Records, State


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[0] * math.sin(x[0])


MODEL = Model(
    "pendulum",
    Records(State("theta", 0.0, "rad", "from hanging down"), State("omega", 0.0, "rad/s")),
    vector_field=vector_field,
    parameters=Records(Parameter("stiffness", 10.0, "1/s^2", "gravity over length", lower=0.0)),
)
