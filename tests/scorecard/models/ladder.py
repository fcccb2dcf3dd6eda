"""A quantity that climbs through thresholds, each with a boundary of its own; the chart counts those passed."""

from hybridsim import Boundary, Model, Parameter, Records, State

N = 100
STATES = Records(State("x"))
PARAMETERS = Records(
    Parameter("rate", 1.0, "1/s", "xdot = rate + growth x"),
    Parameter("growth", 0.0, "1/s"),
    Parameter("count", N, "", "how many of the thresholds are there", lower=0, upper=N, integer=True),
    Parameter("thresholds", tuple(0.5 + i for i in range(N)), "", "in ascending order"),
)
BOUNDARIES = Records(*(Boundary(f"rung_{i}", degree=1) for i in range(N)))
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = p[P.rate] + p[P.growth] * x[0]


def boundaries(g, t, x, p, chart):
    for i in range(chart, int(p[P.count])):
        g[i] = p[int(p[P.thresholds]) + i] - x[0]


def transition(x_new, t, x, p, chart, crossed):
    passed = chart
    for i in range(chart, int(p[P.count])):
        if crossed[i]:
            passed = i + 1
    return passed


MODEL = Model(
    "ladder",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=[f"passed_{i}" for i in range(N + 1)],
    boundary_records=BOUNDARIES,
)
