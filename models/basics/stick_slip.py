"""A block on a moving belt, held by a spring to the wall: it sticks to the belt, then slips back (Coulomb friction).

Sticking, it rides on the belt until the spring pulls as hard as static friction can hold. Slipping, kinetic friction
pushes it towards the belt's speed; when it gets there it sticks again, or continues beyond that speed if the spring is
too strong even for static friction. Slipping begins *on* the boundary that ends it, speed = belt speed, and moves
away from it: this boundary is armed at once, and fires when the block reaches the speed of the belt again.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Arrow, Body, Box, Camera, Ground, Scene, Spring, between, placed

STATES = Records(State("x", 0.0, "m", "extension of the spring"), State("v", 1.0, "m/s", "speed of the block"))
PARAMETERS = Records(
    Parameter("mass", 1.0, "kg", lower=1e-9),
    Parameter("k", 1.0, "N/m", "stiffness of the spring", lower=0.0),
    Parameter("belt_speed", 1.0, "m/s", "speed of the belt"),
    Parameter("static_friction", 2.0, "N", "the most that holds the block", lower=0.0),
    Parameter("kinetic_friction", 1.0, "N", "friction while it slips", lower=0.0),
)
CHARTS = Records(
    Chart("stick", "the block rides on the belt"),
    Chart("lag", "it slips, slower than the belt"),
    Chart("lead", "it slips, faster than the belt"),
)
BOUNDARIES = Records(
    Boundary("breaks_back", "the spring overcomes static friction, backwards", "N", degree=1),
    Boundary("breaks_forward", "the spring overcomes static friction, forwards", "N", degree=1),
    Boundary("caught_up", "the slower block reaches the belt's speed", "m/s", degree=1),
    Boundary("slowed_down", "the faster block reaches the belt's speed", "m/s", degree=1),
)
SIDE, WALL_FACE, BEGIN, END, SLATS = 0.3, -1.5, -1.4, 3.4, 12  # of the block, the wall and the belt [m]
ARROW_LENGTH = 0.4  # per N [m/N]
SCENE = Scene(
    bodies=Records(
        Body("block", Box((SIDE, SIDE, SIDE)), "#3f5f7f"),
        Body("spring", Spring(0.08, coils=12), "#d9a441"),
        Body("wall", Box((0.1, 0.9, 0.6)), "#7d8a97"),
        Body("belt", Box((END - BEGIN, 0.7, 0.1)), "#4a525b"),
        Body("spring_force", Arrow(0.025), "#2b7a4b", kind="force"),
        Body("friction_force", Arrow(0.025), "#b5403a", kind="force"),
        *(Body(f"slat_{n}", Box((0.05, 0.66, 0.01)), "#c9ced3") for n in range(SLATS)),
    ),
    ground=Ground(height=-0.1, checker=0.5),
    camera=Camera(at=(1.0, 0.0, 0.0), distance=6.5, view=(0.25, 1.0, -0.35)),
    outputs=("x", "v"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.v]
    if chart == C.lag:
        xdot[S.v] = (p[P.kinetic_friction] - p[P.k] * x[S.x]) / p[P.mass]
    elif chart == C.lead:
        xdot[S.v] = (-p[P.kinetic_friction] - p[P.k] * x[S.x]) / p[P.mass]


def boundaries(g, t, x, p, chart):
    if chart == C.stick:
        g[B.breaks_back] = p[P.static_friction] - p[P.k] * x[S.x]
        g[B.breaks_forward] = p[P.static_friction] + p[P.k] * x[S.x]
    elif chart == C.lag:
        g[B.caught_up] = p[P.belt_speed] - x[S.v]
    else:
        g[B.slowed_down] = x[S.v] - p[P.belt_speed]


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.stick:
        return C.lag if crossed[B.breaks_back] else C.lead
    x_new[S.v] = p[P.belt_speed]
    return at_belt_speed(x, p)


def initial_chart(x_new, t, x, p):
    if x[S.v] == p[P.belt_speed]:
        return at_belt_speed(x, p)
    return C.lag if x[S.v] < p[P.belt_speed] else C.lead


def at_belt_speed(x, p):
    """Stick if static friction can hold the spring, else slip the way the spring pulls."""
    pull = p[P.k] * x[S.x]
    if abs(pull) <= p[P.static_friction]:
        return C.stick
    return C.lag if pull > 0.0 else C.lead


def poses(T, t, x, p, chart):
    """The spring is relaxed at x = 0; the slats show how the belt runs."""
    z = 0.5 * SIDE
    block = (x[S.x], 0.0, z)
    T[BODY.block] = placed(block)
    T[BODY.spring] = between((WALL_FACE, 0.0, z), (x[S.x] - 0.5 * SIDE, 0.0, z))
    T[BODY.wall] = placed((WALL_FACE - 0.05, 0.0, 0.2))
    T[BODY.belt] = placed((0.5 * (BEGIN + END), 0.0, -0.05))
    T[BODY.spring_force] = between(
        (x[S.x], 0.0, 1.3 * SIDE), (x[S.x] - ARROW_LENGTH * p[P.k] * x[S.x], 0.0, 1.3 * SIDE)
    )
    friction = (p[P.k] * x[S.x], p[P.kinetic_friction], -p[P.kinetic_friction])[chart]
    T[BODY.friction_force] = between(
        (x[S.x], -0.65 * SIDE, 0.05), (x[S.x] + ARROW_LENGTH * friction, -0.65 * SIDE, 0.05)
    )
    gap = (END - BEGIN) / SLATS
    for n in range(SLATS):
        T[BODY.slat_0 + n] = placed((BEGIN + n * gap + (p[P.belt_speed] * t) % gap, 0.0, 0.0))


MODEL = Model(
    "stick_slip",
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
    doc="A block on a moving belt: stick and slip under Coulomb friction",
)
