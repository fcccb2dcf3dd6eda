"""Smooth vector fields of the literature, without boundaries; `rate` is the unit of time."""

from hybridsim import Model, Parameter, Records, State

STATES = Records(State("a", 1.0), State("b", 1.0), State("c", 1.0))
PARAMETERS = Records(Parameter("field", 0, integer=True), Parameter("r", 1.0), Parameter("rate", 1.0))
S = STATES.indices
P = PARAMETERS.indices
LORENZ, BRUSSELATOR, VAN_DER_POL = range(3)


def vector_field(xdot, t, x, p, chart):
    a, b, c, r, rate = x[S.a], x[S.b], x[S.c], p[P.r], p[P.rate]
    if p[P.field] == LORENZ:
        xdot[S.a] = rate * 10.0 * (b - a)
        xdot[S.b] = rate * (a * (r - c) - b)
        xdot[S.c] = rate * (a * b - 8.0 / 3.0 * c)
    elif p[P.field] == BRUSSELATOR:
        xdot[S.a] = rate * (1.0 - (r + 1.0) * a + a * a * b)
        xdot[S.b] = rate * (r * a - a * a * b)
        xdot[S.c] = -rate * c
    else:
        xdot[S.a] = rate * b
        xdot[S.b] = rate * (r * (1.0 - a * a) * b - a)
        xdot[S.c] = -rate * c


MODEL = Model("fields", STATES, vector_field=vector_field, parameters=PARAMETERS)
