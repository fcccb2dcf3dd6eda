"""x' = -x + s, where s = sgn(sin 2 pi t) switches at every multiple of 1/2."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("x", 0.0), State("next_switch", 0.5, continuous=False))
X, NEXT = 0, 1
UP, DOWN = 0, 1


def vector_field(xdot, t, x, p, chart):
    xdot[X] = -x[X] + (1.0 if chart == UP else -1.0)


def boundaries(g, t, x, p, chart):
    g[0] = x[NEXT] - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[NEXT] = x[NEXT] + 0.5
    return DOWN if chart == UP else UP


MODEL = Model(
    "switched",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    charts=("up", "down"),
    boundary_records=Records(Boundary("switch", degree=1)),
)
