"""Three masses that bounce, each on its own spring and damper: three charts of air and ground in one number."""

from hybridsim import Boundary, Model, Parameter, Records, State
from hybridsim.scene import Body, Ground, Scene, Sphere, placed

N, LENGTH, G = 3, 0.1, 9.81
NUMBERS = ((0.6, 1200.0, 1.0, 1.5), (0.3, 500.0, 1.5, 2.0), (0.4, 600.0, 1.8, 2.5))
"""Mass [kg], stiffness [N/m], damping [N s/m] and first height [m] of each."""

STATES = Records(
    *(State(f"y{i}", NUMBERS[i][3], "m", "height") for i in range(N)),
    *(State(f"v{i}", 0.0, "m/s") for i in range(N)),
    *(State(f"bounces{i}", 0.0, "", "landings so far", continuous=False) for i in range(N)),
)
PARAMETERS = Records(
    *(Parameter(f"mass{i}", NUMBERS[i][0], "kg") for i in range(N)),
    *(Parameter(f"stiffness{i}", NUMBERS[i][1], "N/m") for i in range(N)),
    *(Parameter(f"damping{i}", NUMBERS[i][2], "N s/m") for i in range(N)),
)


def vector_field(xdot, t, x, p, chart):
    for i in range(N):
        on_ground = (chart >> i) & 1
        spring = p[N + i] * (LENGTH - x[i]) - p[2 * N + i] * x[N + i]
        xdot[i] = x[N + i]
        xdot[N + i] = on_ground * spring / p[i] - G
        xdot[2 * N + i] = 0.0


def boundaries(g, t, x, p, chart):
    for i in range(N):
        g[i] = LENGTH - x[i] if (chart >> i) & 1 else x[i] - LENGTH


def transition(x_new, t, x, p, chart, crossed):
    for i in range(N):
        if crossed[i]:
            x_new[2 * N + i] += 1 - ((chart >> i) & 1)
            chart ^= 1 << i
    return chart


def initial_chart(x_new, t, x, p):
    chart = 0
    for i in range(N):
        chart |= (x[i] < LENGTH) << i
    return chart


def level(x, y, p):
    return 0.0 * x


def poses(T, t, x, p, chart):
    for i in range(N):
        T[i] = placed((0.4 * (i - 1), 0.0, x[i]))


MODEL = Model(
    "pogo",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    boundary_records=Records(*(Boundary(f"turn{i}", "lands, or leaves the ground") for i in range(N))),
    chart_fields={f"ground{i}": 1 for i in range(N)},
    scene=Scene(Records(*(Body(f"mass{i}", Sphere(0.08)) for i in range(N))), ground=Ground(level)),
    poses=poses,
)
