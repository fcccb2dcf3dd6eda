"""A ball bounces on a table until it rests, and rolls off its edge."""

from hybridsim import Boundary, Chart, Model, Records, State

STATES = Records(State("y", 0.2, "m"), State("v", 0.0, "m/s"), State("x", 0.0, "m"))
CHARTS = Records(Chart("bouncing"), Chart("rolling"), Chart("falling"))
BOUNDARIES = Records(Boundary("top", unit="m", degree=1, rest="rolling"), Boundary("edge", unit="m", degree=1))
Y, V, X = range(3)
BOUNCING, ROLLING, FALLING = range(3)
TOP, EDGE = range(2)


def vector_field(xdot, t, x, p, chart):
    xdot[X] = 0.5
    if chart != ROLLING:
        xdot[Y], xdot[V] = x[V], -9.81


def boundaries(g, t, x, p, chart):
    if chart == BOUNCING:
        g[TOP] = x[Y]
    if chart == ROLLING:
        g[EDGE] = 1.0 - x[X]


def transition(x_new, t, x, p, chart, crossed):
    if chart == ROLLING:
        return FALLING
    x_new[V] = -0.5 * x[V]
    return BOUNCING


MODEL = Model(
    "table",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
