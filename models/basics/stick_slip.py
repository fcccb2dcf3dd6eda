"""A block on a moving belt, held by a spring to the wall: it sticks to the belt, then slips back (Coulomb friction).

Sticking, it rides on the belt until the spring pulls as hard as static friction can hold. Slipping, kinetic friction
pushes it towards the belt's speed; when it gets there it sticks again, or goes on beyond that speed if the spring is
too strong even for static friction. Slipping begins *on* the boundary that ends it, speed = belt speed, and moves
away from it: such a boundary is armed at once, and fires when the speed comes back.
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
BLOCK, SPRING, WALL, BELT, SPRING_FORCE, FRICTION_FORCE, FIRST_SLAT = range(7)
X, V = STATES.index("x"), STATES.index("v")
MASS, K, BELT_SPEED, STATIC_FRICTION, KINETIC_FRICTION = range(len(PARAMETERS))
STICK, LAG, LEAD = range(len(CHARTS))
BREAKS_BACK, BREAKS_FORWARD, CAUGHT_UP, SLOWED_DOWN = range(len(BOUNDARIES))


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[V]
    if chart == LAG:
        xdot[V] = (p[KINETIC_FRICTION] - p[K] * x[X]) / p[MASS]
    elif chart == LEAD:
        xdot[V] = (-p[KINETIC_FRICTION] - p[K] * x[X]) / p[MASS]


def boundaries(g, t, x, p, chart):
    if chart == STICK:
        g[BREAKS_BACK] = p[STATIC_FRICTION] - p[K] * x[X]
        g[BREAKS_FORWARD] = p[STATIC_FRICTION] + p[K] * x[X]
    elif chart == LAG:
        g[CAUGHT_UP] = p[BELT_SPEED] - x[V]
    else:
        g[SLOWED_DOWN] = x[V] - p[BELT_SPEED]


def transition(x_new, t, x, p, chart, crossed):
    if chart == STICK:
        return LAG if crossed[BREAKS_BACK] else LEAD
    x_new[V] = p[BELT_SPEED]
    return at_belt_speed(x, p)


def initial_chart(x_new, t, x, p):
    if x[V] == p[BELT_SPEED]:
        return at_belt_speed(x, p)
    return LAG if x[V] < p[BELT_SPEED] else LEAD


def at_belt_speed(x, p):
    """Stick if static friction can hold the spring, else slip the way the spring pulls."""
    pull = p[K] * x[X]
    if abs(pull) <= p[STATIC_FRICTION]:
        return STICK
    return LAG if pull > 0.0 else LEAD


def poses(T, t, x, p, chart):
    """The spring is relaxed at x = 0; the slats show how the belt runs."""
    z = 0.5 * SIDE
    block = (x[X], 0.0, z)
    T[BLOCK] = placed(block)
    T[SPRING] = between((WALL_FACE, 0.0, z), (x[X] - 0.5 * SIDE, 0.0, z))
    T[WALL] = placed((WALL_FACE - 0.05, 0.0, 0.2))
    T[BELT] = placed((0.5 * (BEGIN + END), 0.0, -0.05))
    T[SPRING_FORCE] = between((x[X], 0.0, 1.3 * SIDE), (x[X] - ARROW_LENGTH * p[K] * x[X], 0.0, 1.3 * SIDE))
    friction = (p[K] * x[X], p[KINETIC_FRICTION], -p[KINETIC_FRICTION])[chart]
    T[FRICTION_FORCE] = between((x[X], -0.65 * SIDE, 0.05), (x[X] + ARROW_LENGTH * friction, -0.65 * SIDE, 0.05))
    gap = (END - BEGIN) / SLATS
    for n in range(SLATS):
        T[FIRST_SLAT + n] = placed((BEGIN + n * gap + (p[BELT_SPEED] * t) % gap, 0.0, 0.0))


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
