"""xdot = -x + sgn(sin 2 pi t): a lag driven by a square wave, whose edges are time boundaries."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("x"), State("half_periods", continuous=False))
BOUNDARIES = Records(Boundary("edge", "", "s", time=True))
CHARTS = Records(Chart("high"), Chart("low"))
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = -x[0] + (1.0 if chart == C.high else -1.0)


def boundaries(g, t, x, p, chart):
    g[0] = 0.5 * (x[1] + 1.0) - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = x[1] + 1.0
    return C.low if chart == C.high else C.high


MODEL = Model(
    "square_wave",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
