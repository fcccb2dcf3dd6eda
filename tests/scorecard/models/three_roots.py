"""Three roots, h(s) = (s - r1) (s - r2) (s - r3): a guard in time, in time squared, or in a state."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("y"))
PARAMETERS = Records(
    Parameter("guard", "time", choices=("state", "time", "time_squared")),
    Parameter("root_1", 0.1),
    Parameter("root_2", 0.4),
    Parameter("root_3", 0.8),
)
BOUNDARIES = Records(Boundary("rises", degree=3), Boundary("falls", degree=3))
CHARTS = Records(Chart("below"), Chart("above"))
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
STATE, TIME, TIME_SQUARED = range(3)


def vector_field(xdot, t, x, p, chart):
    a, b, c = t - p[P.root_1], t - p[P.root_2], t - p[P.root_3]
    xdot[0] = a * b + b * c + c * a


def boundaries(g, t, x, p, chart):
    if chart == C.below:
        g[B.rises] = -guard(t, x, p)
    else:
        g[B.falls] = guard(t, x, p)


def transition(x_new, t, x, p, chart, crossed):
    return C.above if chart == C.below else C.below


def initial_chart(x_new, t, x, p):
    x_new[0] = product(t, p)
    return C.below if guard(t, x_new, p) < 0.0 else C.above


def guard(t, x, p):
    if p[P.guard] == STATE:
        return x[0]
    return product(t * t if p[P.guard] == TIME_SQUARED else t, p)


def product(s, p):
    return (s - p[P.root_1]) * (s - p[P.root_2]) * (s - p[P.root_3])


MODEL = Model(
    "three_roots",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
