"""Two clocks, each with a period and an offset; their ticks are time boundaries."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("fast_ticks", continuous=False), State("slow_ticks", continuous=False))
PARAMETERS = Records(
    Parameter("fast_period", 0.25, "s"),
    Parameter("fast_offset", 0.25, "s"),
    Parameter("slow_period", 1.0, "s"),
    Parameter("slow_offset", 0.5, "s"),
)
BOUNDARIES = Records(Boundary("fast", "", "s", time=True), Boundary("slow", "", "s", time=True))
S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    pass


def boundaries(g, t, x, p, chart):
    g[B.fast] = p[P.fast_offset] + x[S.fast_ticks] * p[P.fast_period] - t
    g[B.slow] = p[P.slow_offset] + x[S.slow_ticks] * p[P.slow_period] - t


def transition(x_new, t, x, p, chart, crossed):
    for clock in (B.fast, B.slow):
        if crossed[clock]:
            x_new[clock] += 1.0
    return chart


MODEL = Model(
    "clocks",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
