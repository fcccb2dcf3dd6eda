"""A ball that bounces on a floor and loses speed each time: infinitely many bounces in finite time (Zeno).

Dropped from the height h it first touches the floor at t1 = sqrt(2 h / g) and comes to rest at
t1 (1 + e) / (1 - e), with e the coefficient of restitution.
"""

from hybridsim import Boundary, Model, Parameter, Records, State
from hybridsim.scene import Body, Camera, Ground, Scene, Sphere, placed

STATES = Records(State("y", 1.0, "m", "height"), State("v", 0.0, "m/s", "upward speed"))
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2", lower=0.0),
    Parameter("restitution", 0.5, "", "speed after a bounce / speed before", lower=0.0, upper=1.0),
)
BOUNDARIES = Records(Boundary("floor", "the ball touches the floor", "m", degree=1))
RADIUS = 0.1
SCENE = Scene(
    bodies=Records(Body("ball", Sphere(RADIUS), "#c8553d")),
    ground=Ground(checker=0.25),
    camera=Camera(at=(0.0, 0.0, 0.5), distance=3.2, view=(0.3, 1.0, -0.25)),
    outputs=("y", "v"),
)
Y, V = STATES.index("y"), STATES.index("v")
GRAVITY, RESTITUTION = PARAMETERS.index("gravity"), PARAMETERS.index("restitution")
FLOOR = BOUNDARIES.index("floor")
FLIGHT = 0


def vector_field(xdot, t, x, p, chart):
    xdot[Y] = x[V]
    xdot[V] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    g[FLOOR] = x[Y]


def transition(x_new, t, x, p, chart, crossed):
    x_new[V] = -p[RESTITUTION] * x[V]
    return FLIGHT


def poses(T, t, x, p, chart):
    T[0] = placed((0.0, 0.0, x[Y] + RADIUS))  # y is the height of its lowest point


MODEL = Model(
    "bouncing_ball",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=("flight",),
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball bouncing on a floor",
)
