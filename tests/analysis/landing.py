"""Two legs that land at 1 + d and 1 - d of a cycle, and what the order does to deviations: a linear map each.

At d = 0 they land together. Where the left leg lands first, a cycle takes (d, e) to A (d, e), else to B (d, e); the
maps agree on d = 0, where they are continuous: only their first columns differ, (a, c) and (b, g).
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("d"), State("e"), State("clock"), State("first"))
PARAMETERS = Records(
    Parameter("a", 0.3),  # A = [[a, h], [c, k]]
    Parameter("c", 0.0),
    Parameter("b", -0.3),  # B = [[b, h], [g, k]]
    Parameter("g", 0.0),
    Parameter("h", 0.0),
    Parameter("k", 0.5),
    Parameter("unit", 1.0),
    Parameter("shift", 0.0, doc="of d in a cycle: of what would be together, one lands first"),
    Parameter("period", 1.0, "s"),
)
CHARTS = Records(Chart("both_up"), Chart("left_down"), Chart("right_down"), Chart("both_down"))
BOUNDARIES = Records(Boundary("left"), Boundary("right"), Boundary("cycle", degree=1))
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.clock] = 1.0 / p[P.period]


def boundaries(g, t, x, p, chart):
    d = x[S.d] / p[P.unit]
    g[B.left] = 1.0 - d - x[S.clock] if chart == C.both_up or chart == C.right_down else 1.0
    g[B.right] = 1.0 + d - x[S.clock] if chart == C.both_up or chart == C.left_down else 1.0
    g[B.cycle] = 2.0 - x[S.clock]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.cycle]:
        left_first = x[S.first] > 0.5
        d, e = x[S.d], x[S.e]
        x_new[S.d] = (p[P.a] if left_first else p[P.b]) * d + p[P.h] * e + p[P.shift]
        x_new[S.e] = (p[P.c] if left_first else p[P.g]) * d + p[P.k] * e
        x_new[S.clock] = x[S.clock] - 2.0
        return C.both_up
    if chart == C.both_up:
        x_new[S.first] = 1.0 if crossed[B.left] else 0.0
        if crossed[B.left] and crossed[B.right]:
            return C.both_down
        return C.left_down if crossed[B.left] else C.right_down
    return C.both_down


MODEL = Model(
    "landing",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
