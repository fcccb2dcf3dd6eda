"""x' = -x + s, where s = sgn(sin 2 pi t) switches at every multiple of 1/2."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("x", 0.0), State("next_switch", 0.5, continuous=False))
CHARTS = Records(Chart("up"), Chart("down"))
S = STATES.indices
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = -x[S.x] + (1.0 if chart == C.up else -1.0)


def boundaries(g, t, x, p, chart):
    g[0] = x[S.next_switch] - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.next_switch] = x[S.next_switch] + 0.5
    return C.down if chart == C.up else C.up


MODEL = Model(
    "switched",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=Records(Boundary("switch", degree=1)),
)
