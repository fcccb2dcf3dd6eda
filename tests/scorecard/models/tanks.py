"""Two tanks that drain, and one hose that always fills the one that has run empty (Johansson and others 1999)."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("left", 1.0, "m"), State("right", 1.0, "m"))
PARAMETERS = Records(
    Parameter("inflow", 0.75, "m/s"), Parameter("left_drain", 0.5, "m/s"), Parameter("right_drain", 0.5, "m/s")
)
BOUNDARIES = Records(Boundary("left_empty", degree=1), Boundary("right_empty", degree=1))
CHARTS = Records(Chart("fills_left"), Chart("fills_right"))
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    for tank in range(2):
        xdot[tank] = (p[P.inflow] if chart == tank else 0.0) - p[P.left_drain + tank]


def boundaries(g, t, x, p, chart):
    other = 1 - chart
    g[other] = x[other]


def transition(x_new, t, x, p, chart, crossed):
    return 1 - chart


MODEL = Model(
    "tanks",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
