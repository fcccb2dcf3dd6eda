"""A ball that bounces on a floor and loses speed each time: infinitely many bounces in finite time (Zeno).

Dropped from the height h it first touches the floor at t1 = sqrt(2 h / g) and comes to rest at
t1 (1 + e) / (1 - e), with e the coefficient of restitution.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
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
CHARTS = Records(Chart("flight"))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.y] = x[S.v]
    xdot[S.v] = -p[P.gravity]


def boundaries(g, t, x, p, chart):
    g[B.floor] = x[S.y]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.v] = -p[P.restitution] * x[S.v]
    return C.flight


def poses(T, t, x, p, chart):
    T[BODY.ball] = placed((0.0, 0.0, x[S.y] + RADIUS))  # y is the height of its lowest point


MODEL = Model(
    "bouncing_ball",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball bouncing on a floor",
)
