"""A ball that bounces on a floor, between two walls.

In a corner it touches two boundaries at the same instant. That is one jump: the transition is called once, with both
crossings marked, and treats both.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
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
CHARTS = Records(Chart("flight"))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.xdot]
    xdot[S.y] = x[S.ydot]
    xdot[S.ydot] = -p[P.gravity]


def boundaries(g, t, x, p, chart):
    g[B.floor] = x[S.y]
    g[B.left] = x[S.x]
    g[B.right] = p[P.width] - x[S.x]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.floor]:
        x_new[S.ydot] = -p[P.restitution] * x[S.ydot]
    if crossed[B.left] or crossed[B.right]:
        x_new[S.xdot] = -p[P.restitution] * x[S.xdot]
    return C.flight


def poses(T, t, x, p, chart):
    """The ball touches at x = 0, x = width and y = 0: the walls and its centre stand a radius away."""
    aside = RADIUS + 0.5 * THICKNESS
    T[BODY.ball] = placed((x[S.x], 0.0, x[S.y] + RADIUS))
    T[BODY.left_wall] = placed((-aside, 0.0, 0.5 * HEIGHT))
    T[BODY.right_wall] = placed((p[P.width] + aside, 0.0, 0.5 * HEIGHT))


MODEL = Model(
    "two_walls",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball bouncing on a floor, between two walls",
)
