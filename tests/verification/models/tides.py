"""A harmonic tide, y = cos t, watched by a mark just below its lowest, a mark that it passes, and a clock."""

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 1.0), State("v", 0.0), State("ticks", 0.0, continuous=False))
PARAMETERS = Records(Parameter("mark", -1.0001), Parameter("pole", -0.5), Parameter("period", 0.75, "s"))
BOUNDARIES = Records(
    Boundary("above_mark", degree=1), Boundary("above_pole", armed="when_positive"), Boundary("tick", time=True)
)
Y, V, TICKS = range(3)
MARK, POLE, PERIOD = range(3)
ABOVE_MARK, ABOVE_POLE, TICK = range(3)


def vector_field(xdot, t, x, p, chart):
    xdot[Y], xdot[V] = x[V], -x[Y]


def boundaries(g, t, x, p, chart):
    g[ABOVE_MARK] = x[Y] - p[MARK]
    g[ABOVE_POLE] = x[Y] - p[POLE]
    g[TICK] = (x[TICKS] + 1.0) * p[PERIOD] - t


def transition(x_new, t, x, p, chart, crossed):
    if not crossed[TICK]:
        return DECLINED
    x_new[TICKS] += 1.0
    return 0


MODEL = Model(
    "tides",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
