"""A hundred leaky integrate-and-fire neurons: tau vdot = -v + RI, and at v = 1 a spike and back to 0."""

from hybridsim import Boundary, Model, Parameter, Records, State

N = 100
STATES = Records(*(State(f"v{i}") for i in range(N)))
PARAMETERS = Records(Parameter("tau", 1.0, "s"), Parameter("RI", 2.0))
BOUNDARIES = Records(*(Boundary(f"spike_{i}", degree=1) for i in range(N)))
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    for i in range(N):
        xdot[i] = (p[P.RI] - x[i]) / p[P.tau]


def boundaries(g, t, x, p, chart):
    for i in range(N):
        g[i] = 1.0 - x[i]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(N):
        if crossed[i]:
            x_new[i] = 0.0
    return chart


MODEL = Model(
    "neurons",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
