"""The Brusselator (I. Prigogine and R. Lefever, J. Chem. Phys. 48, 1968): its equilibrium is x = a, y = b / a."""

from hybridsim import Model, Parameter, Records, State

STATES = Records(State("x", 1.5), State("y", 2.0))
PARAMETERS = Records(Parameter("a", 1.0), Parameter("b", 2.3), Parameter("unit", 1.0))
S = STATES.indices
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    u, v = x[S.x] / p[P.unit], x[S.y] / p[P.unit]
    xdot[S.x] = p[P.unit] * (p[P.a] - (p[P.b] + 1.0) * u + u * u * v)
    xdot[S.y] = p[P.unit] * (p[P.b] * u - u * u * v)


MODEL = Model("brusselator", STATES, vector_field=vector_field, parameters=PARAMETERS)
