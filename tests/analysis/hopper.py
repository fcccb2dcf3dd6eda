"""A hopper with one leg, controlled as by M. H. Raibert, "Legged Robots That Balance" (1986), chapter 2.

Body and foot are at places in the world. In flight the foot swings to where it will be in the middle between touchdown
and liftoff, and further ahead if the hopper is fast; in stance the leg is a spring, which is longer as it pushes off.
"""

import math

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(
    State("x", 0.0, "m", "body, forward"),
    State("y", 1.1, "m", "body, height"),
    State("u", 0.5, "m/s", "body, forward"),
    State("v", 0.0, "m/s", "body, upward"),
    State("fx", 0.05, "m", "foot, forward"),
)
PARAMETERS = Records(
    Parameter("foot_unit", 1.0, "m", "unit of the foot's place", lower=1e-6),
    Parameter("g", 9.81, "m/s^2"),
    Parameter("l", 1.0, "m", "leg", lower=1e-4),
    Parameter("thrust", 0.03, "m", "by which the leg is longer as it pushes off"),
    Parameter("k", 400.0, "N/(m kg)", "leg"),
    Parameter("c", 2.0, "N s/(m kg)", "leg"),
    Parameter("stance", 0.17, "s", "expected duration"),
    Parameter("speed", 0.5, "m/s", "wanted"),
    Parameter("gain", 0.05, "s", "of the foot's place for the error of the speed"),
    Parameter("swing", 12.0, "1/s", "rate of the leg in flight"),
)
CHARTS = Records(Chart("flight"), Chart("compression"), Chart("push"))
BOUNDARIES = Records(
    Boundary("touchdown", "", "m", armed="when_positive"),
    Boundary("bottom", "", "m^2/s", armed="when_positive"),
    Boundary("liftoff", "", "m"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def ahead(x, p):
    """Return how far the body is ahead of the foot [m]."""
    return x[S.x] - x[S.fx] * p[P.foot_unit]


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.u]
    xdot[S.y] = x[S.v]
    xdot[S.v] = -p[P.g]
    if chart == C.flight:
        place = 0.5 * x[S.u] * p[P.stance] + p[P.gain] * (x[S.u] - p[P.speed])
        xdot[S.fx] = (x[S.u] + p[P.swing] * (place + ahead(x, p))) / p[P.foot_unit]
    else:
        r = math.sqrt(ahead(x, p) ** 2 + x[S.y] ** 2)
        rate = (ahead(x, p) * x[S.u] + x[S.y] * x[S.v]) / r
        rest = p[P.l] + (p[P.thrust] if chart == C.push else 0.0)
        force = p[P.k] * (rest - r) - p[P.c] * rate
        xdot[S.u] += force * ahead(x, p) / r
        xdot[S.v] += force * x[S.y] / r


def boundaries(g, t, x, p, chart):
    r = math.sqrt(ahead(x, p) ** 2 + x[S.y] ** 2)
    if chart == C.flight:
        g[B.touchdown] = r - p[P.l]
    elif chart == C.compression:
        g[B.bottom] = -(ahead(x, p) * x[S.u] + x[S.y] * x[S.v])
    else:
        g[B.liftoff] = p[P.l] + p[P.thrust] - r


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.touchdown]:
        return C.compression
    return C.push if crossed[B.bottom] else C.flight


MODEL = Model(
    "hopper",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
