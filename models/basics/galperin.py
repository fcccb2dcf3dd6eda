"""Galperin's billiard: a heavy block pushes a light one against a wall, and the collisions count the digits of pi.

All collisions are elastic. With the mass ratio 100^n their number is the integer part of 10^n pi: 3, 31, 314, 3141, ...
(Galperin 2003). Most of them happen near the heavy block's turning point, closer and closer together.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Ground, Scene, placed

STATES = Records(
    State("x", 1.0, "m", "light block, from the wall"),
    State("v", 0.0, "m/s", "speed of the light block"),
    State("heavy_x", 2.0, "m", "heavy block, from the wall"),
    State("heavy_v", -1.0, "m/s", "speed of the heavy block"),
)
PARAMETERS = Records(Parameter("mass_ratio", 100.0, "", "heavy block / light block", lower=0.0))
BOUNDARIES = Records(
    Boundary("wall", "the light block hits the wall", "m", degree=1),
    Boundary("collision", "the blocks hit each other", "m", degree=1),
)
SIDE = 0.2  # of the light block [m]
SCENE = Scene(
    bodies=Records(
        Body("light", Box((SIDE, SIDE, SIDE)), "#d9a441"),
        Body("heavy", Box((1.0, 1.0, 1.0)), "#3f5f7f"),
        Body("wall", Box((0.1, 1.2, 1.0)), "#7d8a97"),
    ),
    ground=Ground(checker=0.5),
    camera=Camera("heavy", along="x", at=(-1.2, 0.0, 0.35), distance=6.5, view=(0.3, 1.0, -0.3)),
    outputs=("x", "heavy_x"),
)
CHARTS = Records(Chart("sliding"))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.v]
    xdot[S.heavy_x] = x[S.heavy_v]


def boundaries(g, t, x, p, chart):
    g[B.wall] = x[S.x]
    g[B.collision] = x[S.heavy_x] - x[S.x]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.collision]:
        mass = p[P.mass_ratio]
        mean = (x[S.v] + mass * x[S.heavy_v]) / (1.0 + mass)
        x_new[S.v] = 2.0 * mean - x[S.v]
        x_new[S.heavy_v] = 2.0 * mean - x[S.heavy_v]
    if crossed[B.wall]:
        x_new[S.v] = abs(x_new[S.v])
    return C.sliding


def poses(T, t, x, p, chart):
    """The states are gaps: x from the wall to the light block, heavy_x - x from the light block to the heavy one."""
    side = SIDE * min(max(p[P.mass_ratio], 0.1) ** (1.0 / 3.0), 4.0)  # one material, up to what fits the picture
    T[BODY.light] = placed((x[S.x] + 0.5 * SIDE, 0.0, 0.5 * SIDE))
    T[BODY.heavy] = placed((x[S.heavy_x] + SIDE + 0.5 * side, 0.0, 0.5 * side), scale=side)
    T[BODY.wall] = placed((-0.05, 0.0, 0.5))


MODEL = Model(
    "galperin",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="Two blocks and a wall, whose collisions count the digits of pi",
)
