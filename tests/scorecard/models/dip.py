"""A boundary that comes down to `lowest` at t = 1 and goes up again, or twice, at 0.5 and 1.5, or at 0.5 and then falls
for good at 1.5; or one that an oscillator's top comes near to.

The transition declines, or counts and leaves the chart as it is.
"""

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

STATES = Records(State("s", 0.0), State("c", 1.0), State("count", continuous=False))
PARAMETERS = Records(
    Parameter("shape", "parabola", choices=("parabola", "sine", "two_dips", "dip_then_fall")),
    Parameter("lowest", 1e-11, "", "value of the boundary at its lowest"),
    Parameter("counts", 0, integer=True),
)
BOUNDARIES = Records(Boundary("dip", degree=2, armed="when_positive"))
PARABOLA, SINE, TWO_DIPS, DIP_THEN_FALL = range(4)


def vector_field(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0]


def boundaries(g, t, x, p, chart):
    if p[0] == SINE:
        g[0] = 1.0 + p[1] - x[0]
    elif p[0] == TWO_DIPS:
        g[0] = ((t - 0.5) ** 2 + p[1]) * ((t - 1.5) ** 2 + p[1])
    elif p[0] == DIP_THEN_FALL:
        g[0] = ((t - 0.5) ** 2 + p[1]) * (1.5 - t)
    else:
        g[0] = (t - 1.0) ** 2 + p[1]


def transition(x_new, t, x, p, chart, crossed):
    if p[2] == 0.0:
        return DECLINED
    x_new[2] += 1.0
    return chart


MODEL = Model(
    "dip",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
