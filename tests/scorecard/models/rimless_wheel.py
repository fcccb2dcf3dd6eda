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
S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.theta] = x[S.omega]
    xdot[S.omega] = p[P.gravity] / p[P.length] * math.sin(x[S.theta])


def boundaries(g, t, x, p, chart):
    g[B.downhill] = p[P.slope] + p[P.alpha] - x[S.theta]
    g[B.uphill] = x[S.theta] - (p[P.slope] - p[P.alpha])


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.theta] = p[P.slope] - p[P.alpha] if crossed[B.downhill] else p[P.slope] + p[P.alpha]
    x_new[S.omega] = math.cos(2.0 * p[P.alpha]) * x[S.omega]
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
