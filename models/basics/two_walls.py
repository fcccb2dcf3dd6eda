"""A ball that bounces on a floor, between two walls.

In a corner it touches two boundaries at one instant. That is one jump: the transition is called once, with both
crossings marked, and answers both.
"""

from hybridsim import Boundary, Model, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Ground, Scene, Sphere, placed

STATES = Records(
    State("x", 0.0, "m", "forward"),
    State("y", 50.0, "m", "height"),
    State("xdot", 2.0, "m/s", "forward speed"),
    State("ydot", 0.0, "m/s", "upward speed"),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2"),
    Parameter("width", 10.0, "m", "distance between the walls", lower=0.0),
    Parameter("restitution", 0.9, "", "normal speed after a bounce / before", lower=0.0, upper=1.0),
)
BOUNDARIES = Records(
    Boundary("floor", "the ball touches the floor", "m", degree=1),
    Boundary("left", "the ball touches the wall at x = 0", "m", degree=1),
    Boundary("right", "the ball touches the wall at x = width", "m", degree=1),
)
RADIUS, HEIGHT, THICKNESS = 1.0, 54.0, 0.4
SCENE = Scene(
    bodies=Records(
        Body("ball", Sphere(RADIUS), "#c8553d"),
        Body("left_wall", Box((THICKNESS, 8.0, HEIGHT)), "#7d8a97", opacity=0.6),
        Body("right_wall", Box((THICKNESS, 8.0, HEIGHT)), "#7d8a97", opacity=0.6),
    ),
    ground=Ground(checker=4.0),
    camera=Camera(at=(5.0, 0.0, 25.0), distance=120.0, view=(0.3, 1.0, -0.15)),
    outputs=("x", "y"),
)
BALL, LEFT_WALL, RIGHT_WALL = range(len(SCENE.bodies))
X, Y, XDOT, YDOT = range(len(STATES))
GRAVITY, WIDTH, RESTITUTION = range(len(PARAMETERS))
FLOOR, LEFT, RIGHT = range(len(BOUNDARIES))
FLIGHT = 0


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[XDOT]
    xdot[Y] = x[YDOT]
    xdot[YDOT] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    g[FLOOR] = x[Y]
    g[LEFT] = x[X]
    g[RIGHT] = p[WIDTH] - x[X]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[FLOOR]:
        x_new[YDOT] = -p[RESTITUTION] * x[YDOT]
    if crossed[LEFT] or crossed[RIGHT]:
        x_new[XDOT] = -p[RESTITUTION] * x[XDOT]
    return FLIGHT


def poses(T, t, x, p, chart):
    """The ball touches at x = 0, x = width and y = 0: the walls and its centre stand a radius away."""
    aside = RADIUS + 0.5 * THICKNESS
    T[BALL] = placed((x[X], 0.0, x[Y] + RADIUS))
    T[LEFT_WALL] = placed((-aside, 0.0, 0.5 * HEIGHT))
    T[RIGHT_WALL] = placed((p[WIDTH] + aside, 0.0, 0.5 * HEIGHT))


MODEL = Model(
    "two_walls",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=("flight",),
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball bouncing on a floor, between two walls",
)
