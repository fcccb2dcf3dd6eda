"""A quantity that rests until a time and then grows steadily: x = rate (t - start) from there on."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("x"))
PARAMETERS = Records(Parameter("rate", 2.0, "1/s"), Parameter("start", 0.3, "s"))
BOUNDARIES = Records(Boundary("starts", "", "s", time=True))
RATE, START = range(len(PARAMETERS))
RESTS, GROWS = 0, 1


def vector_field(xdot, t, x, p, chart):
    if chart == GROWS:
        xdot[0] = p[RATE]


def boundaries(g, t, x, p, chart):
    if chart == RESTS:
        g[0] = p[START] - t


def transition(x_new, t, x, p, chart, crossed):
    return GROWS


MODEL = Model(
    "collimator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=("rests", "grows"),
    boundary_records=BOUNDARIES,
)
