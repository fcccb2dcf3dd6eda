"""Maps of the plane as hybrid systems: the state is held, and a clock applies the map once a second.

Their fixed points, multipliers and bifurcations are known in closed form.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("u"), State("v"), State("phase"))
PARAMETERS = Records(Parameter("r", 2.5), Parameter("s", 0.5), Parameter("map", 0, integer=True))
BOUNDARIES = Records(Boundary("tick", "the clock strikes", degree=1))
S = STATES.indices
P = PARAMETERS.indices
LOGISTIC, DELAYED_LOGISTIC, PITCHFORK, FOLD, TRANSCRITICAL, DIAGONAL = range(6)


def vector_field(xdot, t, x, p, chart):
    xdot[S.phase] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[S.phase]


def transition(x_new, t, x, p, chart, crossed):
    u, v, r = x[S.u], x[S.v], p[P.r]
    x_new[S.phase] = x[S.phase] - 1.0
    x_new[S.v] = p[P.s] * v
    if p[P.map] == LOGISTIC:
        x_new[S.u] = r * u * (1.0 - u)
    elif p[P.map] == DELAYED_LOGISTIC:
        x_new[S.u] = v
        x_new[S.v] = r * v * (1.0 - u)
    elif p[P.map] == PITCHFORK:
        x_new[S.u] = r * u - u * u * u
    elif p[P.map] == FOLD:
        x_new[S.u] = u + r - u * u
    elif p[P.map] == DIAGONAL:
        x_new[S.u] = u + r - p[P.s] - u * u
    else:
        x_new[S.u] = r * u - u * u
    return chart


MODEL = Model(
    "maps",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=Records(Chart("hold")),
    boundary_records=BOUNDARIES,
)
