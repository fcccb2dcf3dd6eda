"""A block on a spring, with friction on a moving belt: xddot = -k x - F sgn(v - belt), per unit of mass.

When the block has reached the speed of the belt, friction keeps it there while the spring does not pull harder than F:
the run slides along v = belt (Filippov 1988). The model has no chart for sticking; `stick_slip` has one, and so
its static friction can be larger than the kinetic one.
"""

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import Arrow, Body, Box, Camera, Ground, Scene, Spring, between, placed

STATES = Records(State("x", 1.0, "m", "stretch of the spring"), State("v", 0.0, "m/s", "speed of the block"))
PARAMETERS = Records(
    Parameter("stiffness", 1.0, "1/s^2", "k: of the spring, per unit of mass", lower=0.0),
    Parameter("friction", 0.3, "m/s^2", "F: of the belt, per unit of mass", lower=0.0),
    Parameter("belt", 0.0, "m/s", "speed of the belt"),
)
CHARTS = Records(Chart("faster", "the block outruns the belt"), Chart("slower", "the belt outruns the block"))
BOUNDARIES = Records(
    Boundary("slows_down", "the block comes down to the speed of the belt", "m/s", degree=1),
    Boundary("speeds_up", "the block comes up to the speed of the belt", "m/s", degree=1),
)
OUTPUTS = Records(Output("x", "m"), Output("v", "m/s"), Output("friction_force", "m/s^2", "of the belt on the block"))
SIDE, WALL_FACE, BEGIN, END, SLATS = 0.3, -2.0, -1.9, 2.1, 10  # of the block, the wall and the belt [m]
ARROW_LENGTH = 0.6  # per m/s^2 [s^2]
SCENE = Scene(
    bodies=Records(
        Body("block", Box((SIDE, SIDE, SIDE)), "#3f5f7f"),
        Body("spring", Spring(0.08, coils=12), "#d9a441"),
        Body("wall", Box((0.1, 0.9, 0.6)), "#7d8a97"),
        Body("belt", Box((END - BEGIN, 0.7, 0.1)), "#4a525b"),
        Body("spring_force", Arrow(0.025), "#2b7a4b", kind="force"),
        *(Body(f"slat_{n}", Box((0.05, 0.66, 0.01)), "#c9ced3") for n in range(SLATS)),
    ),
    ground=Ground(height=-0.1, checker=0.5),
    camera=Camera(at=(0.0, 0.0, 0.0), distance=6.5, view=(0.25, 1.0, -0.35)),
    outputs=("x", "v", "friction_force"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def force(p, chart):
    """Return the friction of the belt on the block, per unit of mass [m/s^2]."""
    return -p[P.friction] if chart == C.faster else p[P.friction]


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.v]
    xdot[S.v] = -p[P.stiffness] * x[S.x] + force(p, chart)


def boundaries(g, t, x, p, chart):
    if chart == C.faster:
        g[B.slows_down] = x[S.v] - p[P.belt]
    else:
        g[B.speeds_up] = p[P.belt] - x[S.v]


def transition(x_new, t, x, p, chart, crossed):
    return C.slower if chart == C.faster else C.faster


def initial_chart(x_new, t, x, p):
    return C.faster if x[S.v] > p[P.belt] else C.slower


def outputs(y, t, x, p, chart):
    y[0], y[1], y[2] = x[S.x], x[S.v], force(p, chart)


def poses(T, t, x, p, chart):
    """The spring is relaxed at x = 0; the slats show how the belt runs."""
    z = 0.5 * SIDE
    block = (x[S.x], 0.0, z)
    T[BODY.block] = placed(block)
    T[BODY.spring] = between((WALL_FACE, 0.0, z), (x[S.x] - 0.5 * SIDE, 0.0, z))
    T[BODY.wall] = placed((WALL_FACE - 0.05, 0.0, 0.2))
    T[BODY.belt] = placed((0.5 * (BEGIN + END), 0.0, -0.05))
    T[BODY.spring_force] = between(
        (x[S.x], 0.0, 1.3 * SIDE), (x[S.x] - ARROW_LENGTH * p[P.stiffness] * x[S.x], 0.0, 1.3 * SIDE)
    )
    gap = (END - BEGIN) / SLATS
    for n in range(SLATS):
        T[BODY.slat_0 + n] = placed((BEGIN + n * gap + (p[P.belt] * t) % gap, 0.0, 0.0))


MODEL = Model(
    "dry_friction",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    scene=SCENE,
    doc="A block on a spring and a moving belt: dry friction, sticking as a slide",
)
