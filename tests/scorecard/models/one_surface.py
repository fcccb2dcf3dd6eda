"""A relay with one boundary for both of its sides, a clock that ticks, and a level of y that is watched.

xdot = -sgn x, and y grows by 1 on the right and by 3 on the left.
"""

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

STATES = Records(State("x", 1.0), State("y"), State("ticks", continuous=False))
PARAMETERS = Records(Parameter("period", 0.3, "s"), Parameter("level", 2.0))
BOUNDARIES = Records(
    Boundary("surface", degree=1), Boundary("clock", time=True), Boundary("watched", degree=1, armed="when_positive")
)
X, Y, TICKS = range(len(STATES))
PERIOD, LEVEL = range(len(PARAMETERS))
SURFACE, CLOCK, WATCHED = range(len(BOUNDARIES))
RIGHT = 0


def vector_field(xdot, t, x, p, chart):
    xdot[X], xdot[Y] = (-1.0, 1.0) if chart == RIGHT else (1.0, 3.0)


def boundaries(g, t, x, p, chart):
    g[SURFACE] = x[X] if chart == RIGHT else -x[X]
    g[CLOCK] = (x[TICKS] + 1.0) * p[PERIOD] - t
    g[WATCHED] = p[LEVEL] - x[Y]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[WATCHED]:
        return DECLINED
    if crossed[CLOCK]:
        x_new[TICKS] += 1.0
    return 1 - chart if crossed[SURFACE] else chart


MODEL = Model(
    "one_surface",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=("right", "left"),
    boundary_records=BOUNDARIES,
)
