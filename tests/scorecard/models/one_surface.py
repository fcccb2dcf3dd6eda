"""A relay with one boundary for both of its sides, a clock that ticks, and a level of y that is watched.

xdot = -sgn x, and y grows by 1 on the right and by 3 on the left.
"""

from hybridsim import DECLINED, Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x", 1.0), State("y"), State("ticks", continuous=False))
PARAMETERS = Records(Parameter("period", 0.3, "s"), Parameter("level", 2.0))
BOUNDARIES = Records(
    Boundary("surface", degree=1), Boundary("clock", time=True), Boundary("watched", degree=1, armed="when_positive")
)
CHARTS = Records(Chart("right"), Chart("left"))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x], xdot[S.y] = (-1.0, 1.0) if chart == C.right else (1.0, 3.0)


def boundaries(g, t, x, p, chart):
    g[B.surface] = x[S.x] if chart == C.right else -x[S.x]
    g[B.clock] = (x[S.ticks] + 1.0) * p[P.period] - t
    g[B.watched] = p[P.level] - x[S.y]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.watched]:
        return DECLINED
    if crossed[B.clock]:
        x_new[S.ticks] += 1.0
    return 1 - chart if crossed[B.surface] else chart


MODEL = Model(
    "one_surface",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
