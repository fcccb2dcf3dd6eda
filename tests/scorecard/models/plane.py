"""Two affine flows in the plane, one for x > 0 and one for x < 0, and nothing else."""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x", 1.0), State("y"))
PARAMETERS = Records(
    *(Parameter(f"{side}_{name}") for side in ("right", "left") for name in ("xx", "xy", "x1", "yx", "yy", "y1"))
)
BOUNDARIES = Records(Boundary("leaves_right", degree=1), Boundary("leaves_left", degree=1))
CHARTS = Records(Chart("right"), Chart("left"))
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    for i in range(2):
        row = 6 * chart + 3 * i
        xdot[i] = p[row] * x[0] + p[row + 1] * x[1] + p[row + 2]


def boundaries(g, t, x, p, chart):
    g[chart] = x[0] if chart == C.right else -x[0]


def transition(x_new, t, x, p, chart, crossed):
    return C.left if chart == C.right else C.right


def initial_chart(x_new, t, x, p):
    return C.right if x[0] > 0.0 else C.left


MODEL = Model(
    "plane",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
