"""The rimless wheel: a pendulum on a slope that falls from spoke to spoke (McGeer 1990).

theta is the angle of the spoke on the ground from the vertical, positive downhill. Spokes are 2 alpha apart, and the
next one touches the ground where theta is slope + alpha; the collision keeps the angular momentum about it, so that the
speed shrinks by cos(2 alpha).
"""

import math

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("theta", 0.0, "rad"), State("omega", 0.0, "rad/s"))
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2"),
    Parameter("length", 1.0, "m"),
    Parameter("slope", 0.08, "rad"),
    Parameter("alpha", math.pi / 8.0, "rad", "half the angle between spokes"),
)
BOUNDARIES = Records(Boundary("downhill", "the next spoke touches", "rad", degree=1), Boundary("uphill", degree=1))
THETA, OMEGA = range(len(STATES))
GRAVITY, LENGTH, SLOPE, ALPHA = range(len(PARAMETERS))
DOWNHILL, UPHILL = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    xdot[THETA] = x[OMEGA]
    xdot[OMEGA] = p[GRAVITY] / p[LENGTH] * math.sin(x[THETA])


def boundaries(g, t, x, p, chart):
    g[DOWNHILL] = p[SLOPE] + p[ALPHA] - x[THETA]
    g[UPHILL] = x[THETA] - (p[SLOPE] - p[ALPHA])


def transition(x_new, t, x, p, chart, crossed):
    x_new[THETA] = p[SLOPE] - p[ALPHA] if crossed[DOWNHILL] else p[SLOPE] + p[ALPHA]
    x_new[OMEGA] = math.cos(2.0 * p[ALPHA]) * x[OMEGA]
    return chart


MODEL = Model(
    "rimless_wheel",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
