"""A bell that rings at instants given by a formula: they accumulate, or only seem to."""

import math

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("rings", 0.0, continuous=False), State("x", 0.0))
PARAMETERS = Records(
    Parameter("instants", "geometric", choices=("geometric", "settling", "harmonic", "logarithmic", "dense")),
    Parameter("period", 0.01, "s"),
)
BOUNDARIES = Records(Boundary("rings", "", "s", time=True))
GEOMETRIC, SETTLING, HARMONIC, LOGARITHMIC, DENSE = range(5)


def instant(n, p):
    if p[0] == GEOMETRIC:
        return 8.0 * (1.0 - 2.0 ** -(n + 1.0))
    if p[0] == SETTLING:
        return 1.0 - 2.0 ** -(n + 1.0) + n * p[1]
    if p[0] == HARMONIC:
        return 1.0 - 1.0 / (n + 2.0)
    if p[0] == LOGARITHMIC:
        return math.log(n + 2.0)
    return (n + 1.0) * p[1]


def vector_field(xdot, t, x, p, chart):
    xdot[1] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = instant(x[0], p) - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] += 1.0
    return chart


MODEL = Model(
    "bell",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
