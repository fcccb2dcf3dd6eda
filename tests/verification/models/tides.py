"""A harmonic tide, y = cos t, watched by a mark just below its lowest, a mark that it passes, and a clock."""

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

STATES = Records(State("y", 1.0), State("v", 0.0), State("ticks", 0.0, continuous=False))
PARAMETERS = Records(Parameter("mark", -1.0001), Parameter("pole", -0.5), Parameter("period", 0.75, "s"))
BOUNDARIES = Records(
    Boundary("above_mark", degree=1), Boundary("above_pole", armed="when_positive"), Boundary("tick", time=True)
)
S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.y], xdot[S.v] = x[S.v], -x[S.y]


def boundaries(g, t, x, p, chart):
    g[B.above_mark] = x[S.y] - p[P.mark]
    g[B.above_pole] = x[S.y] - p[P.pole]
    g[B.tick] = (x[S.ticks] + 1.0) * p[P.period] - t


def transition(x_new, t, x, p, chart, crossed):
    if not crossed[B.tick]:
        return DECLINED
    x_new[S.ticks] += 1.0
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
