"""Two flows, one on each side of a surface, both of which may point at it.

The transition leaves the state as it is, so that what happens where the flows oppose each other is left to the engine:
the flow slides along the surface with the mean of the two that stays on it (Filippov 1988). `counts` makes the
transition count, and so forbids it. Beside the surface there is a limit for y, where x is pushed off.
"""

import math

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State

STATES = Records(State("x", 1.0), State("y"), State("count", continuous=False))
PARAMETERS = Records(
    Parameter(
        "flow", "constant", choices=("constant", "lag", "pair", "departs", "circle", "friction", "drift", "tracks")
    ),
    Parameter("a", 1.0),
    Parameter("b", 1.0),
    Parameter("c", 0.0),
    Parameter("counts", 0, integer=True),
    Parameter("lowest", -1e9, "", "limit of y"),
    Parameter("push", 0.5, "", "of x at the limit"),
)
CHARTS = Records(Chart("right", "the surface's function is positive"), Chart("left", "it is negative"))
BOUNDARIES = Records(Boundary("leaves_right"), Boundary("leaves_left"), Boundary("low", degree=1))
OUTPUTS = Records(Output("push_x"), Output("side"))
X, Y, COUNT = range(len(STATES))
FLOW, A, B, C, COUNTS, LOWEST, PUSH = range(len(PARAMETERS))
CONSTANT, LAG, PAIR, DEPARTS, CIRCLE, FRICTION, DRIFT, TRACKS = range(8)
RIGHT, LEFT = 0, 1
LOW = 2


def surface(t, x, p):
    if p[FLOW] == PAIR:
        return x[X] - x[Y]
    if p[FLOW] == CIRCLE:
        return x[X] ** 2 + x[Y] ** 2 - 1.0
    if p[FLOW] == FRICTION:
        return x[Y] - p[B]
    if p[FLOW] == TRACKS:
        return x[X] - math.sin(t)
    return x[X]


def vector_field(xdot, t, x, p, chart):
    sign = 1.0 if chart == RIGHT else -1.0
    if p[FLOW] == CONSTANT:  # xdot = -2 sgn x
        xdot[X] = -2.0 * sign
    elif p[FLOW] == LAG:  # xdot = 2 (-sgn x - y), and y settles at 1
        xdot[X], xdot[Y] = 2.0 * (-sign - x[Y]), 1.0 - x[Y]
    elif p[FLOW] == PAIR:
        xdot[X], xdot[Y] = -2.0 * sign, 1.5 if chart == RIGHT else -3.0
    elif p[FLOW] == DEPARTS:  # xdot = c t - sgn x
        xdot[X] = p[C] * t - sign
    elif (
        p[FLOW] == CIRCLE
    ):  # the radius grows by a inside and by c t - b outside; the angle by 1 inside and by 2 outside
        radius = math.sqrt(x[X] ** 2 + x[Y] ** 2)
        growth = (p[C] * t - p[B] if chart == RIGHT else p[A]) / radius
        turn = 2.0 if chart == RIGHT else 1.0
        xdot[X], xdot[Y] = growth * x[X] - turn * x[Y], growth * x[Y] + turn * x[X]
    elif p[FLOW] == FRICTION:  # a mass on a spring on a belt of speed b, friction a; y is its speed
        xdot[X], xdot[Y] = x[Y], -x[X] - p[A] * sign
    elif p[FLOW] == TRACKS:  # xdot = -a sgn(x - sin t)
        xdot[X] = -p[A] * sign
    else:  # both flows pull y along, the right one with a, the left one with b
        xdot[X], xdot[Y] = -sign, p[A] if chart == RIGHT else p[B]


def boundaries(g, t, x, p, chart):
    if chart == RIGHT:
        g[RIGHT] = surface(t, x, p)
    else:
        g[LEFT] = -surface(t, x, p)
    g[LOW] = x[Y] - p[LOWEST]


def transition(x_new, t, x, p, chart, crossed):
    x_new[COUNT] += p[COUNTS]
    if crossed[LOW]:
        x_new[X] += p[PUSH]
        x_new[Y] = p[LOWEST] + 1.0
        return RIGHT
    return LEFT if chart == RIGHT else RIGHT


def initial_chart(x_new, t, x, p):
    return RIGHT if surface(t, x, p) > 0.0 else LEFT


def outputs(y, t, x, p, chart):
    y[0] = -2.0 if chart == RIGHT else 2.0
    y[1] = 1.0 if chart == RIGHT else -1.0


MODEL = Model(
    "sides",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
