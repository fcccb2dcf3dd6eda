"""Lorenz' equations (E. N. Lorenz, J. Atmos. Sci. 20, 1963)."""

from hybridsim import Model, Parameter, Records, State

STATES = Records(State("x", 10.0), State("y", 20.0), State("z", 300.0))
PARAMETERS = Records(Parameter("r", 28.0), Parameter("sigma", 10.0), Parameter("b", 8.0 / 3.0))
S = STATES.indices
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = p[P.sigma] * (x[S.y] - x[S.x])
    xdot[S.y] = x[S.x] * (p[P.r] - x[S.z]) - x[S.y]
    xdot[S.z] = x[S.x] * x[S.y] - p[P.b] * x[S.z]


MODEL = Model("lorenz", STATES, vector_field=vector_field, parameters=PARAMETERS)
