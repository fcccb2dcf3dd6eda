"""Two tanks that drain, and one hose that always fills the one that has run empty (Johansson and others 1999)."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("left", 1.0, "m"), State("right", 1.0, "m"))
PARAMETERS = Records(
    Parameter("inflow", 0.75, "m/s"), Parameter("left_drain", 0.5, "m/s"), Parameter("right_drain", 0.5, "m/s")
)
BOUNDARIES = Records(Boundary("left_empty", degree=1), Boundary("right_empty", degree=1))
INFLOW, LEFT_DRAIN, RIGHT_DRAIN = range(len(PARAMETERS))
FILLS_LEFT, FILLS_RIGHT = 0, 1


def vector_field(xdot, t, x, p, chart):
    for tank in range(2):
        xdot[tank] = (p[INFLOW] if chart == tank else 0.0) - p[LEFT_DRAIN + tank]


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
    charts=("fills_left", "fills_right"),
    boundary_records=BOUNDARIES,
)
