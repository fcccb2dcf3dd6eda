"""A projectile thrown upwards through a level: it passes twice, and near the top the two passages lie close together.

What is crossed in both directions takes two charts, each with the boundary that leads out of it. The transition leaves
the state as it is.
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
PROJECTILE, LEVEL_SHEET = range(len(SCENE.bodies))
Y, V = STATES.index("y"), STATES.index("v")
GRAVITY, LEVEL = PARAMETERS.index("gravity"), PARAMETERS.index("level")
BELOW, ABOVE = CHARTS.index("below"), CHARTS.index("above")
RISES, FALLS = BOUNDARIES.index("rises"), BOUNDARIES.index("falls")


def vector_field(xdot, t, x, p, chart):
    xdot[Y] = x[V]
    xdot[V] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    if chart == BELOW:
        g[RISES] = p[LEVEL] - x[Y]
    else:
        g[FALLS] = x[Y] - p[LEVEL]


def transition(x_new, t, x, p, chart, crossed):
    return ABOVE if chart == BELOW else BELOW


def initial_chart(x_new, t, x, p):
    return ABOVE if x[Y] > p[LEVEL] else BELOW


def poses(T, t, x, p, chart):
    T[PROJECTILE] = placed((0.0, 0.0, x[Y]))
    T[LEVEL_SHEET] = placed((0.0, 0.0, p[LEVEL]))


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
