"""A point that moves freely in the square [0, 2] x [0, 2] and is reflected by its sides."""

from hybridsim import Boundary, Model, Records, State

SIDE = 2.0
STATES = Records(State("x", 1.0), State("y", 1.0), State("u", -1.0), State("v", -1.0))
BOUNDARIES = Records(*(Boundary(name, degree=1) for name in ("left", "right", "bottom", "top")))
S = STATES.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.u]
    xdot[S.y] = x[S.v]


def boundaries(g, t, x, p, chart):
    g[B.left], g[B.right] = x[S.x], SIDE - x[S.x]
    g[B.bottom], g[B.top] = x[S.y], SIDE - x[S.y]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.left] or crossed[B.right]:
        x_new[S.u] = -x[S.u]
    if crossed[B.bottom] or crossed[B.top]:
        x_new[S.v] = -x[S.v]
    return chart


MODEL = Model(
    "box",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=BOUNDARIES,
)
