"""A leaky integrate-and-fire neuron that tires: each spike makes the next one harder."""

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("v", 0.0), State("w", 0.3))
PARAMETERS = Records(Parameter("current", 2.0), Parameter("tau", 4.0), Parameter("step", 0.1))
BOUNDARIES = Records(Boundary("spike", degree=1))
S = STATES.indices
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.v] = p[P.current] - x[S.v] - x[S.w]
    xdot[S.w] = -x[S.w] / p[P.tau]


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[S.v]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.v] = 0.0
    x_new[S.w] = x[S.w] + p[P.step]
    return chart


MODEL = Model(
    "neuron",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
