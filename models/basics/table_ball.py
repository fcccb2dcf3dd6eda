"""A ball that bounces along a table until it rolls, and rolls until it falls off the edge.

Infinitely many bounces end at t1 (1 + e) / (1 - e), with t1 the time of the first one. The boundary `table` names the
chart in which the run continues, at the limit of the positions and speeds of the bounces.
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
CHARTS = Records(
    Chart("bouncing"), Chart("rolling", "y and vy stay as they are"), Chart("falling", "past the edge of the table")
)
BOUNDARIES = Records(
    Boundary("table", "the ball touches the table", "m", degree=1, rest="rolling"),
    Boundary("edge_reached", "the ball reaches the end of the table", "m", degree=1),
)
RADIUS, TOP, LEG = 0.08, 0.06, 0.9  # of the ball; thickness of the table's top; length of its legs [m]
TABLE_LENGTH_BEHIND = 0.6  # how far the table goes on behind x = 0 [m]
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
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.vx]
    if chart != C.rolling:
        xdot[S.y] = x[S.vy]
        xdot[S.vy] = -p[P.gravity]


def boundaries(g, t, x, p, chart):
    if chart == C.bouncing:
        g[B.table] = x[S.y]
    if chart != C.falling:
        g[B.edge_reached] = p[P.edge] - x[S.x]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.edge_reached]:
        return C.falling
    x_new[S.vy] = -p[P.restitution] * x[S.vy]
    x_new[S.vx] = x[S.vx] + p[P.drag] * x[S.vy]
    return C.bouncing


def poses(T, t, x, p, chart):
    """The state y is the height of the ball's lowest point; the table's top is at 0, and ends at the edge."""
    length = max(p[P.edge] + TABLE_LENGTH_BEHIND, 0.1)
    T[BODY.ball] = placed((x[S.x], 0.0, x[S.y] + RADIUS))
    T[BODY.top] = placed((p[P.edge] - 0.5 * length, 0.0, -0.5 * TOP), scale=(length, 1.0, 1.0))
    for n in range(4):
        end, side = (p[P.edge] - length + 0.1, p[P.edge] - 0.1)[n // 2], (0.35, -0.35)[n % 2]
        T[BODY.near_l_leg + n] = placed((end, side, -TOP - 0.5 * LEG))


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
