"""A quantity that rests until a time and then grows steadily: x = rate (t - start) from there on."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x"))
PARAMETERS = Records(Parameter("rate", 2.0, "1/s"), Parameter("start", 0.3, "s"))
BOUNDARIES = Records(Boundary("starts", "", "s", time=True))
CHARTS = Records(Chart("rests"), Chart("grows"))
P = PARAMETERS.indices
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    if chart == C.grows:
        xdot[0] = p[P.rate]


def boundaries(g, t, x, p, chart):
    if chart == C.rests:
        g[0] = p[P.start] - t


def transition(x_new, t, x, p, chart, crossed):
    return C.grows


MODEL = Model(
    "collimator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
