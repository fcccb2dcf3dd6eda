"""A piecewise-linear atlas that is all parameter: three charts, four boundaries, every coefficient free.

In chart c the flow is xdot = F_c x + f_c, boundary i is g = G_ci x + h_ci where `active` says so, and its transition is
x_new = R_ci x + r_ci into chart `next`, or declined. Each row of coefficients holds the matrix row, then the constant.
"""

from hybridsim import Boundary, Model, Parameter, Records, State

N, CHARTS, GUARDS = 3, 3, 4
ROW = N + 1
STATES = Records(*(State(f"x{m}") for m in range(N)))
PARAMETERS = Records(
    Parameter("start", 0, integer=True),
    Parameter("field", (0.0,) * (CHARTS * N * ROW)),
    Parameter("guard", (0.0,) * (CHARTS * GUARDS * ROW)),
    Parameter("reset", (0.0,) * (CHARTS * GUARDS * N * ROW)),
    Parameter("active", (0.0,) * (CHARTS * GUARDS)),
    Parameter("next", (0.0,) * (CHARTS * GUARDS), "", "the next chart, or -1 to decline"),
)
BOUNDARIES = Records(
    Boundary("exact", degree=1),
    Boundary("sampled"),
    Boundary("patient_exact", degree=1, armed="when_positive"),
    Boundary("patient_sampled", armed="when_positive"),
)
P = PARAMETERS.indices


def affine(x, p, first):
    """The value of the row of coefficients that begins at p[first]."""
    value = p[first + N]
    for m in range(N):
        value += p[first + m] * x[m]
    return value


def vector_field(xdot, t, x, p, chart):
    for m in range(N):
        xdot[m] = affine(x, p, int(p[P.field]) + (chart * N + m) * ROW)


def boundaries(g, t, x, p, chart):
    for i in range(GUARDS):
        if p[int(p[P.active]) + chart * GUARDS + i] > 0.0:
            g[i] = affine(x, p, int(p[P.guard]) + (chart * GUARDS + i) * ROW)


def transition(x_new, t, x, p, chart, crossed):
    """That of the first boundary that crosses."""
    for i in range(GUARDS):
        if crossed[i]:
            for m in range(N):
                x_new[m] = affine(x, p, int(p[P.reset]) + ((chart * GUARDS + i) * N + m) * ROW)
            return int(p[int(p[P.next]) + chart * GUARDS + i])
    return chart


def initial_chart(x_new, t, x, p):
    return int(p[P.start])


MODEL = Model(
    "atlas",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=[f"chart_{c}" for c in range(CHARTS)],
    boundary_records=BOUNDARIES,
)
