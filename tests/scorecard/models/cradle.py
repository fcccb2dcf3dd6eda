"""Newton's cradle: three equal balls on a line. Balls that touch hit each other pair by pair, the left pair first."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("x1", 0.0), State("x2", 1.0), State("x3", 2.0), State("v1", 2.0), State("v2"), State("v3"))
BOUNDARIES = Records(Boundary("left_pair", degree=1), Boundary("right_pair", degree=1))
S = STATES.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    for ball in range(3):
        xdot[S.x1 + ball] = x[S.v1 + ball]


def boundaries(g, t, x, p, chart):
    g[B.left_pair] = x[S.x2] - x[S.x1]
    g[B.right_pair] = x[S.x3] - x[S.x2]


def transition(x_new, t, x, p, chart, crossed):
    for pair in (B.left_pair, B.right_pair):
        if crossed[pair]:
            left = S.v1 + pair
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
