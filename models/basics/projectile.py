"""A projectile thrown upwards through a level: it passes twice, and near the top the two passages lie close together.

A level that is crossed in both directions takes two charts, each with the boundary at which it ends. The transition
leaves the state unchanged.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Ground, Scene, Sphere, placed

STATES = Records(State("y", 0.0, "m", "height"), State("v", 10.0, "m/s", "upward speed"))
PARAMETERS = Records(Parameter("gravity", 9.81, "m/s^2"), Parameter("level", 5.0, "m", "height of the level"))
CHARTS = Records(Chart("below", "under the level"), Chart("above", "over the level"))
BOUNDARIES = Records(
    Boundary("rises", "the projectile reaches the level from below", "m", degree=1),
    Boundary("falls", "the projectile reaches the level from above", "m", degree=1),
)
RADIUS = 0.12
SCENE = Scene(
    bodies=Records(
        Body("projectile", Sphere(RADIUS), "#c8553d"),
        Body("level", Box((2.0, 2.0, 0.004)), "#3f7fbf", opacity=0.35),
    ),
    ground=Ground(height=-RADIUS, checker=1.0),
    camera=Camera(at=(0.0, 0.0, 2.7), distance=13.0, view=(0.3, 1.0, -0.15)),
    outputs=("y", "v"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.y] = x[S.v]
    xdot[S.v] = -p[P.gravity]


def boundaries(g, t, x, p, chart):
    if chart == C.below:
        g[B.rises] = p[P.level] - x[S.y]
    else:
        g[B.falls] = x[S.y] - p[P.level]


def transition(x_new, t, x, p, chart, crossed):
    return C.above if chart == C.below else C.below


def initial_chart(x_new, t, x, p):
    return C.above if x[S.y] > p[P.level] else C.below


def poses(T, t, x, p, chart):
    T[BODY.projectile] = placed((0.0, 0.0, x[S.y]))
    T[BODY.level] = placed((0.0, 0.0, p[P.level]))


MODEL = Model(
    "projectile",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A projectile through a level: two crossings that may lie arbitrarily close together",
)
