"""A mass between two springs of different stiffness: xddot = -k x, where the sign of x decides between two values of k.

The vector field is continuous but has a kink at x = 0. A step across the kink would lose the order of the method; with
a chart on each side, no step crosses it. The period is pi (1/sqrt(k_right) + 1/sqrt(k_left)), for every amplitude.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Ground, Scene, Spring, between, placed

STATES = Records(State("x", 1.0, "m", "position"), State("v", 0.0, "m/s", "speed"))
PARAMETERS = Records(
    Parameter("k_right", 1.0, "1/s^2", "stiffness / mass for x > 0", lower=0.0),
    Parameter("k_left", 4.0, "1/s^2", "stiffness / mass for x < 0", lower=0.0),
)
CHARTS = Records(Chart("right", "x > 0"), Chart("left", "x < 0"))
BOUNDARIES = Records(
    Boundary("leaves_right", "x falls to 0", "m", degree=1),
    Boundary("leaves_left", "x rises to 0", "m", degree=1),
)
SIDE, REACH = 0.3, 2.0  # of the mass; length of a spring that is not touched [m]
SCENE = Scene(
    bodies=Records(
        Body("mass", Box((SIDE, SIDE, SIDE)), "#3f5f7f"),
        Body("left_spring", Spring(0.09, coils=14), "#c8553d"),
        Body("right_spring", Spring(0.09, coils=14, wire=0.007), "#d9a441"),
        Body("left_wall", Box((0.1, 0.8, 0.6)), "#7d8a97"),
        Body("right_wall", Box((0.1, 0.8, 0.6)), "#7d8a97"),
    ),
    ground=Ground(checker=0.5),
    camera=Camera(at=(0.0, 0.0, 0.25), distance=6.5, view=(0.2, 1.0, -0.3)),
    outputs=("x", "v"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.v]
    xdot[S.v] = -x[S.x] * (p[P.k_right] if chart == C.right else p[P.k_left])


def boundaries(g, t, x, p, chart):
    if chart == C.right:
        g[B.leaves_right] = x[S.x]
    else:
        g[B.leaves_left] = -x[S.x]


def transition(x_new, t, x, p, chart, crossed):
    return C.left if chart == C.right else C.right


def initial_chart(x_new, t, x, p):
    if x[S.x] == 0.0:
        return C.right if x[S.v] >= 0.0 else C.left
    return C.right if x[S.x] > 0.0 else C.left


def poses(T, t, x, p, chart):
    """Each spring ends at x = 0, where the mass leaves it, or at the mass."""
    face, z = 0.5 * SIDE, 0.5 * SIDE
    wall = REACH + face
    T[BODY.mass] = placed((x[S.x], 0.0, z))
    T[BODY.left_spring] = between((-wall, 0.0, z), (min(x[S.x], 0.0) - face, 0.0, z))
    T[BODY.right_spring] = between((wall, 0.0, z), (max(x[S.x], 0.0) + face, 0.0, z))
    T[BODY.left_wall] = placed((-wall - 0.05, 0.0, 0.3))
    T[BODY.right_wall] = placed((wall + 0.05, 0.0, 0.3))


MODEL = Model(
    "bilinear_oscillator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="An oscillator with one stiffness on each side",
)
