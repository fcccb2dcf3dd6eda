"""A ball that bounces along a table until it rolls, and rolls until it falls off the edge.

Its bounces come to an end after infinitely many of them, at t1 (1 + e) / (1 - e): the boundary `table` names the chart
in which the run goes on from there, at the place and with the speed that the bounces have led to.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Scene, Sphere, placed

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
RADIUS, TOP, LEG = 0.08, 0.06, 0.9  # of the ball; thickness of the table's top; length of its legs [m]
BEHIND = 0.6  # how far the table goes on behind x = 0 [m]
SCENE = Scene(
    bodies=Records(
        Body("ball", Sphere(RADIUS), "#c8553d"),
        Body("top", Box((1.0, 0.8, TOP)), "#a9825a"),
        *(Body(f"{end}_{side}_leg", Box((0.06, 0.06, LEG)), "#8a6845") for end in ("near", "far") for side in "lr"),
    ),
    ground=None,  # the ball falls and falls
    camera=Camera("ball", along="x", at=(0.0, 0.0, -0.15), distance=5.0, view=(0.35, 1.0, -0.25)),
    outputs=("y", "vy"),
)
BALL, TABLE_TOP, FIRST_LEG = range(3)
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


def poses(T, t, x, p, chart):
    """The state y is the height of the ball's lowest point; the table's top is at 0, and ends at the edge."""
    length = max(p[EDGE] + BEHIND, 0.1)
    T[BALL] = placed((x[X], 0.0, x[Y] + RADIUS))
    T[TABLE_TOP] = placed((p[EDGE] - 0.5 * length, 0.0, -0.5 * TOP), scale=(length, 1.0, 1.0))
    for n in range(4):
        end, side = (p[EDGE] - length + 0.1, p[EDGE] - 0.1)[n // 2], (0.35, -0.35)[n % 2]
        T[FIRST_LEG + n] = placed((end, side, -TOP - 0.5 * LEG))


MODEL = Model(
    "table_ball",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball that bounces to rest on a table, rolls, and falls off its edge",
)
