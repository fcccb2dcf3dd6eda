"""Newton's cradle: three equal balls on a line. Balls that touch hit each other pair by pair, the left pair first."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("x1", 0.0), State("x2", 1.0), State("x3", 2.0), State("v1", 2.0), State("v2"), State("v3"))
BOUNDARIES = Records(Boundary("left_pair", degree=1), Boundary("right_pair", degree=1))
X1, X2, X3, V1, V2, V3 = range(len(STATES))
LEFT_PAIR, RIGHT_PAIR = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    for ball in range(3):
        xdot[X1 + ball] = x[V1 + ball]


def boundaries(g, t, x, p, chart):
    g[LEFT_PAIR] = x[X2] - x[X1]
    g[RIGHT_PAIR] = x[X3] - x[X2]


def transition(x_new, t, x, p, chart, crossed):
    for pair in (LEFT_PAIR, RIGHT_PAIR):
        if crossed[pair]:
            left = V1 + pair
            x_new[left], x_new[left + 1] = x_new[left + 1], x_new[left]
    return chart


MODEL = Model(
    "cradle",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=BOUNDARIES,
)
