"""ydot = y until y rises to 2, ydot = -y/2 until it falls to 1 (after Shampine and Thompson's third problem)."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("y", 1.0))
BOUNDARIES = Records(Boundary("high", degree=1), Boundary("low", degree=1))
GROW, DECAY = 0, 1
HIGH, LOW = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[0] if chart == GROW else -0.5 * x[0]


def boundaries(g, t, x, p, chart):
    if chart == GROW:
        g[HIGH] = 2.0 - x[0]
    else:
        g[LOW] = x[0] - 1.0


def transition(x_new, t, x, p, chart, crossed):
    return DECAY if chart == GROW else GROW


MODEL = Model(
    "two_rates",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=("grow", "decay"),
    boundary_records=BOUNDARIES,
)
