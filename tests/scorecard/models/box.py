"""A point that moves freely in the square [0, 2] x [0, 2] and is reflected by its sides."""

from hybridsim import Boundary, Model, Records, State

SIDE = 2.0
STATES = Records(State("x", 1.0), State("y", 1.0), State("u", -1.0), State("v", -1.0))
BOUNDARIES = Records(*(Boundary(name, degree=1) for name in ("left", "right", "bottom", "top")))
X, Y, U, V = range(len(STATES))
LEFT, RIGHT, BOTTOM, TOP = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[U]
    xdot[Y] = x[V]


def boundaries(g, t, x, p, chart):
    g[LEFT], g[RIGHT] = x[X], SIDE - x[X]
    g[BOTTOM], g[TOP] = x[Y], SIDE - x[Y]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[LEFT] or crossed[RIGHT]:
        x_new[U] = -x[U]
    if crossed[BOTTOM] or crossed[TOP]:
        x_new[V] = -x[V]
    return chart


MODEL = Model(
    "box",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=BOUNDARIES,
)
