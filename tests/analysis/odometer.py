"""A walker that notes at each step where it is, how fast it came there, and how its speeds have changed."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(
    State("phase", 0.0, "", "of the step"),
    State("place", 3.0, "m"),
    State("sway", 0.7, "m"),
    State("noted", 1.0, "m", "where the last step ended", continuous=False),
    State("way", 0.2, "m", "of the last step", continuous=False),
    State("mean", 5.0, "m", "of this way and the one before", continuous=False),
)
PARAMETERS = Records(Parameter("rate", 0.5, "1/s", "of steps"))
S, P = STATES.indices, PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.phase] = p[P.rate]
    xdot[S.place] = 1.3 + x[S.sway]
    xdot[S.sway] = 0.3 - x[S.sway]


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[S.phase]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.phase] = 0.0
    x_new[S.sway] = 0.5 * x[S.sway]
    x_new[S.noted] = x[S.place]
    x_new[S.way] = x[S.place] - x[S.noted]
    x_new[S.mean] = 0.5 * (x[S.place] - x[S.noted] + x[S.way])
    return chart


MODEL = Model(
    "odometer",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=Records(Boundary("step")),
)
