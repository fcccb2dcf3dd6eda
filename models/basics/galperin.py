"""Galperin's billiard: a heavy block pushes a light one against a wall, and the collisions count the digits of pi.

All collisions are elastic. With the mass ratio 100^n their number is the integer part of 10^n pi: 3, 31, 314, 3141, ...
(Galperin 2003). Most of them happen near the heavy block's turning point, closer and closer together.
"""

from hybridsim import Boundary, Model, Parameter, Records, State

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
X, V, HEAVY_X, HEAVY_V = range(len(STATES))
MASS_RATIO = PARAMETERS.index("mass_ratio")
WALL, COLLISION = range(len(BOUNDARIES))
SLIDING = 0


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[V]
    xdot[HEAVY_X] = x[HEAVY_V]


def boundaries(g, t, x, p, chart):
    g[WALL] = x[X]
    g[COLLISION] = x[HEAVY_X] - x[X]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[COLLISION]:
        mass = p[MASS_RATIO]
        mean = (x[V] + mass * x[HEAVY_V]) / (1.0 + mass)
        x_new[V] = 2.0 * mean - x[V]
        x_new[HEAVY_V] = 2.0 * mean - x[HEAVY_V]
    if crossed[WALL]:
        x_new[V] = abs(x_new[V])
    return SLIDING


MODEL = Model(
    "galperin",
    STATES,
    (vector_field, boundaries, transition),
    PARAMETERS,
    charts=("sliding",),
    boundaries=BOUNDARIES,
    doc="Two blocks and a wall, whose collisions count the digits of pi",
)
