"""Two relays: xdot = -sgn x, ydot = -strength sgn y + drift. The chart remembers both sides."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("x", 0.5), State("y", 1.5))
PARAMETERS = Records(Parameter("strength", 0.5), Parameter("drift", -1.0))
BOUNDARIES = Records(*(Boundary(name, degree=1) for name in ("x_falls", "y_falls", "x_rises", "y_rises")))
N = 2


def sign(chart, i):
    return -1.0 if chart >> i & 1 else 1.0


def vector_field(xdot, t, x, p, chart):
    xdot[0] = -sign(chart, 0)
    xdot[1] = p[1] - p[0] * sign(chart, 1)


def boundaries(g, t, x, p, chart):
    for i in range(N):
        if chart >> i & 1:
            g[N + i] = -x[i]
        else:
            g[i] = x[i]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(N):
        if crossed[i] or crossed[N + i]:
            chart ^= 1 << i
    return chart


def initial_chart(x_new, t, x, p):
    return (1 if x[0] < 0.0 else 0) + (2 if x[1] < 0.0 else 0)


MODEL = Model(
    "quadrants",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    chart_fields={"left": 1, "low": 1},
    boundary_records=BOUNDARIES,
)
