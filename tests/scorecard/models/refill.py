"""Sdot = -S, and when S falls to 0.1 it is filled up to 1 (SBML test case 00026)."""

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("S", 1.0))
BOUNDARIES = Records(Boundary("low", degree=1))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = -x[0]


def boundaries(g, t, x, p, chart):
    g[0] = x[0] - 0.1


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = 1.0
    return chart


MODEL = Model(
    "refill",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=BOUNDARIES,
)
