"""The map of Henon (1976) as a hybrid system: the state is held, and a clock applies the map once a second."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("u", 0.1), State("v", 0.1), State("phase"))
PARAMETERS = Records(Parameter("a", 1.4), Parameter("b", 0.3))
S = STATES.indices
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.phase] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[S.phase]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.phase] = x[S.phase] - 1.0
    x_new[S.u] = 1.0 - p[P.a] * x[S.u] * x[S.u] + x[S.v]
    x_new[S.v] = p[P.b] * x[S.u]
    return chart


MODEL = Model(
    "henon",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=Records(Chart("hold")),
    boundary_records=Records(Boundary("tick", "the clock strikes", degree=1)),
)
