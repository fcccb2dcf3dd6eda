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
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
CONSTANT, LAG, PAIR, DEPARTS, CIRCLE, FRICTION, DRIFT, TRACKS = range(8)


def surface(t, x, p):
    if p[P.flow] == PAIR:
        return x[S.x] - x[S.y]
    if p[P.flow] == CIRCLE:
        return x[S.x] ** 2 + x[S.y] ** 2 - 1.0
    if p[P.flow] == FRICTION:
        return x[S.y] - p[P.b]
    if p[P.flow] == TRACKS:
        return x[S.x] - math.sin(t)
    return x[S.x]


def vector_field(xdot, t, x, p, chart):
    sign = 1.0 if chart == C.right else -1.0
    if p[P.flow] == CONSTANT:  # xdot = -2 sgn x
        xdot[S.x] = -2.0 * sign
    elif p[P.flow] == LAG:  # xdot = 2 (-sgn x - y), and y settles at 1
        xdot[S.x], xdot[S.y] = 2.0 * (-sign - x[S.y]), 1.0 - x[S.y]
    elif p[P.flow] == PAIR:
        xdot[S.x], xdot[S.y] = -2.0 * sign, 1.5 if chart == C.right else -3.0
    elif p[P.flow] == DEPARTS:  # xdot = c t - sgn x
        xdot[S.x] = p[P.c] * t - sign
    elif (
        p[P.flow] == CIRCLE
    ):  # the radius grows by a inside and by c t - b outside; the angle by 1 inside and by 2 outside
        radius = math.sqrt(x[S.x] ** 2 + x[S.y] ** 2)
        growth = (p[P.c] * t - p[P.b] if chart == C.right else p[P.a]) / radius
        turn = 2.0 if chart == C.right else 1.0
        xdot[S.x], xdot[S.y] = growth * x[S.x] - turn * x[S.y], growth * x[S.y] + turn * x[S.x]
    elif p[P.flow] == FRICTION:  # a mass on a spring on a belt of speed b, friction a; y is its speed
        xdot[S.x], xdot[S.y] = x[S.y], -x[S.x] - p[P.a] * sign
    elif p[P.flow] == TRACKS:  # xdot = -a sgn(x - sin t)
        xdot[S.x] = -p[P.a] * sign
    else:  # both flows pull y along, the right one with a, the left one with b
        xdot[S.x], xdot[S.y] = -sign, p[P.a] if chart == C.right else p[P.b]


def boundaries(g, t, x, p, chart):
    if chart == C.right:
        g[B.leaves_right] = surface(t, x, p)
    else:
        g[B.leaves_left] = -surface(t, x, p)
    g[B.low] = x[S.y] - p[P.lowest]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.count] += p[P.counts]
    if crossed[B.low]:
        x_new[S.x] += p[P.push]
        x_new[S.y] = p[P.lowest] + 1.0
        return C.right
    return C.left if chart == C.right else C.right


def initial_chart(x_new, t, x, p):
    return C.right if surface(t, x, p) > 0.0 else C.left


def outputs(y, t, x, p, chart):
    y[0] = -2.0 if chart == C.right else 2.0
    y[1] = 1.0 if chart == C.right else -1.0


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
