"""Three roots, h(s) = (s - r1) (s - r2) (s - r3): a guard in time, in time squared, or in a state."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("y"))
PARAMETERS = Records(
    Parameter("guard", "time", choices=("state", "time", "time_squared")),
    Parameter("root_1", 0.1),
    Parameter("root_2", 0.4),
    Parameter("root_3", 0.8),
)
BOUNDARIES = Records(Boundary("rises", degree=3), Boundary("falls", degree=3))
GUARD, ROOT_1, ROOT_2, ROOT_3 = range(len(PARAMETERS))
STATE, TIME, TIME_SQUARED = range(3)
BELOW, ABOVE = 0, 1
RISES, FALLS = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    a, b, c = t - p[ROOT_1], t - p[ROOT_2], t - p[ROOT_3]
    xdot[0] = a * b + b * c + c * a


def boundaries(g, t, x, p, chart):
    if chart == BELOW:
        g[RISES] = -guard(t, x, p)
    else:
        g[FALLS] = guard(t, x, p)


def transition(x_new, t, x, p, chart, crossed):
    return ABOVE if chart == BELOW else BELOW


def initial_chart(x_new, t, x, p):
    x_new[0] = product(t, p)
    return BELOW if guard(t, x_new, p) < 0.0 else ABOVE


def guard(t, x, p):
    if p[GUARD] == STATE:
        return x[0]
    return product(t * t if p[GUARD] == TIME_SQUARED else t, p)


def product(s, p):
    return (s - p[ROOT_1]) * (s - p[ROOT_2]) * (s - p[ROOT_3])


MODEL = Model(
    "three_roots",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=("below", "above"),
    boundary_records=BOUNDARIES,
)
