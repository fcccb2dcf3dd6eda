"""s' = t - sgn s, from s = 1/4: it meets s = 0 at 1 - 1/sqrt 2, slides there, and is let go at t = 1 (Filippov).

A second state flows at another rate on each side, and so at the mean of both, by their shares, along the slide.
"""

from hybridsim import Boundary, Chart, Model, Output, Records, State

STATES = Records(State("s", 0.25), State("z", 0.5))
CHARTS = Records(Chart("above", "s > 0"), Chart("below", "s < 0"))
BOUNDARIES = Records(Boundary("falls", degree=1), Boundary("rises", degree=1))
OUTPUTS = Records(Output("side", "", "1 above, 2 below, and what the shares make of it in between"))
S = STATES.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    if chart == C.above:
        xdot[S.s], xdot[S.z] = t - 1.0, 1.0 - x[S.z]
    else:
        xdot[S.s], xdot[S.z] = t + 1.0, -2.0 * x[S.z]


def boundaries(g, t, x, p, chart):
    if chart == C.above:
        g[B.falls] = x[S.s]
    else:
        g[B.rises] = -x[S.s]


def transition(x_new, t, x, p, chart, crossed):
    return C.below if chart == C.above else C.above


def outputs(y, t, x, p, chart):
    y[0] = 1.0 + chart


MODEL = Model(
    "slider",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
"""In a slide w (t - 1) + (1 - w) (t + 1) = 0, so the share of the upper field is w = (1 + t) / 2."""
