"""A mass between two springs of different stiffness, of which always one is touched: xddot = -k x, k by the sign of x.

The field is continuous but has a kink at x = 0. A step across it would lose the method's order; with a chart on each
side no step ever crosses. The period is pi (1/sqrt(k_right) + 1/sqrt(k_left)), whatever the amplitude.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x", 1.0, "m", "position"), State("v", 0.0, "m/s", "speed"))
PARAMETERS = Records(
    Parameter("k_right", 1.0, "1/s^2", "stiffness / mass for x > 0", lower=0.0),
    Parameter("k_left", 4.0, "1/s^2", "stiffness / mass for x < 0", lower=0.0),
)
CHARTS = Records(Chart("right", "x > 0"), Chart("left", "x < 0"))
BOUNDARIES = Records(
    Boundary("leaves_right", "x falls to 0", "m", degree=1),
    Boundary("leaves_left", "x rises to 0", "m", degree=1),
)
X, V = STATES.index("x"), STATES.index("v")
K_RIGHT, K_LEFT = PARAMETERS.index("k_right"), PARAMETERS.index("k_left")
RIGHT, LEFT = CHARTS.index("right"), CHARTS.index("left")
LEAVES_RIGHT, LEAVES_LEFT = BOUNDARIES.index("leaves_right"), BOUNDARIES.index("leaves_left")


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[V]
    xdot[V] = -x[X] * (p[K_RIGHT] if chart == RIGHT else p[K_LEFT])


def boundaries(g, t, x, p, chart):
    if chart == RIGHT:
        g[LEAVES_RIGHT] = x[X]
    else:
        g[LEAVES_LEFT] = -x[X]


def transition(x_new, t, x, p, chart, crossed):
    return LEFT if chart == RIGHT else RIGHT


def initial_chart(x_new, t, x, p):
    if x[X] == 0.0:
        return RIGHT if x[V] >= 0.0 else LEFT
    return RIGHT if x[X] > 0.0 else LEFT


MODEL = Model(
    "bilinear_oscillator",
    STATES,
    (vector_field, boundaries, transition, initial_chart),
    PARAMETERS,
    charts=CHARTS,
    boundaries=BOUNDARIES,
    doc="An oscillator with one stiffness on each side",
)
