"""Three reactions whose rates differ by nine powers of ten: A -> B slowly, 2 B -> B + C at once, B + C -> A + C fast.

    adot = -slow a + fast b c,  bdot = slow a - fast b c - fastest b^2,  cdot = fastest b^2

The amounts add up to what they were. B appears within a millisecond, and stays as rare as its reactions balance; the
rest takes 1e11 s. (Robertson 1966; Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, IV.1, equation
1.4.)
"""

from hybridsim import Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Cylinder, Ground, Scene, between, placed

STATES = Records(
    State("a", 1.0, "", "amount of A", lower=0.0),
    State("b", 0.0, "", "amount of B"),
    State("c", 0.0, "", "amount of C"),
)
PARAMETERS = Records(
    Parameter("slow", 0.04, "1/s", "rate of A -> B", lower=0.0),
    Parameter("fast", 1e4, "1/s", "rate of B + C -> A + C", lower=0.0),
    Parameter("fastest", 3e7, "1/s", "rate of 2 B -> B + C", lower=0.0),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("a", "", "amount of A"),
    Output("b", "", "amount of B"),
    Output("c", "", "amount of C"),
    Output("total", "", "amount of all three, which stays"),
)
HEIGHT, LEAST = 2.0, 0.01  # of a column for the amount 1, and for none [m]
B_SHOWN = 2e4  # there is so little of B that its column shows this many times as much
SCENE = Scene(
    bodies=Records(
        Body("a", Cylinder(0.15), "#3a6ea5"),
        Body("b", Cylinder(0.15), "#c0392b"),
        Body("c", Cylinder(0.15), "#1b9e77"),
        Body("full", Box((1.6, 0.02, 0.012)), "#2f3a45"),
    ),
    ground=Ground(checker=0.25),
    camera=Camera(at=(0.0, 0.0, 0.9), distance=5.0, view=(0.2, 1.0, -0.15)),
    outputs=("a", "b", "c"),
)
S = STATES.indices
BODY = SCENE.bodies.indices
P = PARAMETERS.indices
Y = OUTPUTS.indices


def vector_field(xdot, t, x, p, chart):
    slow, fast, fastest = p[P.slow] * x[S.a], p[P.fast] * x[S.b] * x[S.c], p[P.fastest] * x[S.b] * x[S.b]
    xdot[S.a] = fast - slow
    xdot[S.b] = slow - fast - fastest
    xdot[S.c] = fastest


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.a], y[Y.b], y[Y.c] = x[S.a], x[S.b], x[S.c]
    y[Y.total] = x[S.a] + x[S.b] + x[S.c]


def poses(T, t, x, p, chart):
    T[BODY.a] = column(-0.5, x[S.a])
    T[BODY.b] = column(0.0, B_SHOWN * x[S.b])
    T[BODY.c] = column(0.5, x[S.c])
    T[BODY.full] = placed((0.0, 0.2, HEIGHT))


def column(at, amount):
    return between((at, 0.0, 0.0), (at, 0.0, max(HEIGHT * amount, LEAST)))


MODEL = Model(
    "robertson",
    STATES,
    vector_field=vector_field,
    parameters=PARAMETERS,
    outputs=outputs,
    output_records=OUTPUTS,
    poses=poses,
    scene=SCENE,
    doc="Robertson's chemical reactions, with rates from 0.04 to 3e7 per second",
)
