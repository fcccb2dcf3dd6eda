"""One clock and many guards: what the search for crossings is tried on.

x grows from 0 to 1 in one fixed step. The chart chooses the guard and how it is declared, the parameters shape it.
"""

import math

from hybridsim import DECLINED, Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x"))
PARAMETERS = Records(
    Parameter("start_chart", 0, integer=True),
    *(
        Parameter(name)
        for name in ("scale", "place", "depth", "shape", "centre", "lift", "a1", "w1", "f1", "a2", "w2", "f2")
    ),
)
CHARTS = Records(
    *(Chart(name) for name in ("quartic_exact", "quartic_bounded", "quartic_sampled", "root", "tones", "affine"))
)
BOUNDARIES = Records(
    Boundary("exact", degree=4),
    Boundary("bounded", second_derivative_bound=40.0),
    Boundary("sampled"),
    Boundary("affine", degree=1),
)
P = PARAMETERS.indices
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def quartic(x, p):
    """A dip of the given depth at `place`, times a positive parabola."""
    return (
        p[P.scale]
        * ((x - p[P.place]) * (x - p[P.place]) - p[P.depth])
        * (1.0 + p[P.shape] * (x - p[P.centre]) * (x - p[P.centre]))
    )


def root(x, p):
    """The length of a vector that moves past the origin, less a length: the guard of a leg."""
    return p[P.scale] * (
        math.sqrt((x - p[P.place]) * (x - p[P.place]) + p[P.shape]) - math.sqrt(p[P.shape] + p[P.depth])
    )


def tones(x, p):
    """Of x >= 0. The absolute value keeps the compiler from fusing two roundings into one (FMA)."""
    first, second = math.fabs(p[P.w1] * x) + p[P.f1], math.fabs(p[P.w2] * x) + p[P.f2]
    return p[P.lift] + p[P.a1] * math.cos(first) + p[P.a2] * math.cos(second)


def boundaries(g, t, x, p, chart):
    if chart == C.quartic_exact:
        g[0] = quartic(x[0], p)
    elif chart == C.quartic_bounded:
        g[1] = quartic(x[0], p)
    elif chart == C.quartic_sampled:
        g[2] = quartic(x[0], p)
    elif chart == C.root:
        g[2] = root(x[0], p)
    elif chart == C.tones:
        g[2] = tones(x[0], p)
    else:
        g[3] = p[P.scale] * (p[P.place] - x[0])


def transition(x_new, t, x, p, chart, crossed):
    return DECLINED


def initial_chart(x_new, t, x, p):
    return int(p[P.start_chart])


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
