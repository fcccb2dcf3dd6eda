"""One clock and many guards: what the search for crossings is tried on.

x grows from 0 to 1 in one fixed step. The chart chooses the guard and how it is declared, the parameters shape it.
"""

import math

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

STATES = Records(State("x"))
PARAMETERS = Records(
    Parameter("start_chart", 0, integer=True),
    *(
        Parameter(name)
        for name in ("scale", "place", "depth", "shape", "centre", "lift", "a1", "w1", "f1", "a2", "w2", "f2")
    ),
)
CHARTS = ("quartic_exact", "quartic_bounded", "quartic_sampled", "root", "tones", "affine")
BOUNDARIES = Records(
    Boundary("exact", degree=4),
    Boundary("bounded", second_derivative_bound=40.0),
    Boundary("sampled"),
    Boundary("affine", degree=1),
)
START_CHART, SCALE, PLACE, DEPTH, SHAPE, CENTRE, LIFT, A1, W1, F1, A2, W2, F2 = range(len(PARAMETERS))
QUARTIC_EXACT, QUARTIC_BOUNDED, QUARTIC_SAMPLED, ROOT, TONES, AFFINE = range(6)


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def quartic(x, p):
    """A dip of the given depth at `place`, times a positive parabola."""
    return (
        p[SCALE] * ((x - p[PLACE]) * (x - p[PLACE]) - p[DEPTH]) * (1.0 + p[SHAPE] * (x - p[CENTRE]) * (x - p[CENTRE]))
    )


def root(x, p):
    """The length of a vector that moves past the origin, less a length: the guard of a leg."""
    return p[SCALE] * (math.sqrt((x - p[PLACE]) * (x - p[PLACE]) + p[SHAPE]) - math.sqrt(p[SHAPE] + p[DEPTH]))


def tones(x, p):
    return p[LIFT] + p[A1] * math.cos(p[W1] * x + p[F1]) + p[A2] * math.cos(p[W2] * x + p[F2])


def boundaries(g, t, x, p, chart):
    if chart == QUARTIC_EXACT:
        g[0] = quartic(x[0], p)
    elif chart == QUARTIC_BOUNDED:
        g[1] = quartic(x[0], p)
    elif chart == QUARTIC_SAMPLED:
        g[2] = quartic(x[0], p)
    elif chart == ROOT:
        g[2] = root(x[0], p)
    elif chart == TONES:
        g[2] = tones(x[0], p)
    else:
        g[3] = p[SCALE] * (p[PLACE] - x[0])


def transition(x_new, t, x, p, chart, crossed):
    return DECLINED


def initial_chart(x_new, t, x, p):
    return int(p[START_CHART])


MODEL = Model(
    "guards",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
