"""A ball that bounces along a table until it lies and rolls, and then rolls off the edge."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x", 0.0, "m"), State("y", 1.0, "m"), State("vx", 1.0, "m/s"), State("vy", 0.0, "m/s"))
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2"), Parameter("restitution", 0.5), Parameter("edge", 3.0, "m"), Parameter("spin")
)
CHARTS = Records(Chart("bounces"), Chart("rolls"), Chart("falls"))
BOUNDARIES = Records(Boundary("table", degree=1, rest="rolls"), Boundary("edge_reached", degree=1))
X, Y, VX, VY = range(len(STATES))
GRAVITY, RESTITUTION, EDGE, SPIN = range(len(PARAMETERS))
TABLE, EDGE_REACHED = range(len(BOUNDARIES))
BOUNCES, ROLLS, FALLS = range(len(CHARTS))


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[VX]
    if chart != ROLLS:
        xdot[Y] = x[VY]
        xdot[VY] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    if chart == BOUNCES:
        g[TABLE] = x[Y]
    if chart != FALLS:
        g[EDGE_REACHED] = p[EDGE] - x[X]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[EDGE_REACHED]:
        return FALLS
    x_new[VY] = -p[RESTITUTION] * x[VY]
    x_new[VX] = x[VX] + p[SPIN] * x[VY]  # each bounce takes speed along the table, by its own strength
    return BOUNCES


MODEL = Model("table", STATES, (vector_field, boundaries, transition), PARAMETERS, charts=CHARTS, boundaries=BOUNDARIES)
