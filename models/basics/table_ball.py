"""A ball that bounces along a table until it rolls, and rolls until it falls off the edge.

Its bounces come to an end after infinitely many of them, at t1 (1 + e) / (1 - e): the boundary `table` names the chart
in which the run goes on from there, at the place and with the speed that the bounces have led to.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(
    State("x", 0.0, "m", "place along the table"),
    State("y", 1.0, "m", "height above the table"),
    State("vx", 1.0, "m/s", "speed along the table"),
    State("vy", 0.0, "m/s", "upward speed"),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2", lower=0.0),
    Parameter("restitution", 0.5, "", "e: upward speed after a bounce / speed of impact", lower=0.0, upper=1.0),
    Parameter("drag", 0.0, "", "speed along the table lost in a bounce / speed of impact", lower=0.0),
    Parameter("edge", 3.0, "m", "where the table ends"),
)
CHARTS = Records(Chart("bouncing"), Chart("rolling", "y and vy stay as they are"), Chart("falling", "beside the table"))
BOUNDARIES = Records(
    Boundary("table", "the ball touches the table", "m", degree=1, rest="rolling"),
    Boundary("edge_reached", "the ball reaches the end of the table", "m", degree=1),
)
X, Y, VX, VY = (STATES.index(name) for name in ("x", "y", "vx", "vy"))
GRAVITY, RESTITUTION, DRAG, EDGE = (PARAMETERS.index(name) for name in ("gravity", "restitution", "drag", "edge"))
TABLE, EDGE_REACHED = BOUNDARIES.index("table"), BOUNDARIES.index("edge_reached")
BOUNCING, ROLLING, FALLING = range(len(CHARTS))


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[VX]
    if chart != ROLLING:
        xdot[Y] = x[VY]
        xdot[VY] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    if chart == BOUNCING:
        g[TABLE] = x[Y]
    if chart != FALLING:
        g[EDGE_REACHED] = p[EDGE] - x[X]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[EDGE_REACHED]:
        return FALLING
    x_new[VY] = -p[RESTITUTION] * x[VY]
    x_new[VX] = x[VX] + p[DRAG] * x[VY]
    return BOUNCING


MODEL = Model(
    "table_ball",
    STATES,
    (vector_field, boundaries, transition),
    PARAMETERS,
    charts=CHARTS,
    boundaries=BOUNDARIES,
    doc="A ball that bounces to rest on a table, rolls, and falls off its edge",
)
