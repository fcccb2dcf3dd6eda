"""SLIP: SimSect's spring-loaded inverted pendulum.

A point mass hops on a massless leg with a spring in it, without losses. In flight the leg is held at the touchdown
angle; in stance its foot stays where it was put. The leg vector points from the foot to the body; angles are measured
from the vertical and are negative when the foot is ahead of a body that moves to +x. At liftoff the touchdown angle
becomes the mirror image of the leg's angle, as in SimSect; or it is held, with `hold_touchdown_angle` = 1, which is the
runner of Seyfarth, Geyer, Guenther and Blickhan (2002), whose numbers are the defaults: 80 kg, 20 kN/m, 1 m, 68 degrees
from the ground, 5 m/s.

Energy is measured from the spring at its liftoff length, where it is let go: kinetic + m g y + U(q) - U(q_rl) in
stance, without the U in flight. So it is continuous at liftoff whatever the spring, and at touchdown if q_rt = q_rl.
Otherwise it steps there by U(q_rt) - U(q_rl): something has set the leg from one length to the other in flight, and
this is the work that took. And if g_stance differs from g_flight, m g y steps at both, because such a model has no
energy that it conserves.
"""

import math

import numpy as np

from hybridsim import DECLINED, Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import HIDDEN, Arrow, Body, Camera, Cylinder, Ground, Scene, Sphere, Spring, between, placed

from .spring import force, potential

STATES = Records(
    State("x", 0.0, "m", "body, forward"),
    State("y", 1.0, "m", "body, height"),
    State("xdot", 5.0, "m/s", "body, forward speed"),
    State("ydot", 0.0, "m/s", "body, upward speed"),
    State("footx", 0.0, "m", "foot, forward; put at touchdown", continuous=False),
    State("footy", 0.0, "m", "foot, height; put at touchdown", continuous=False),
    State(
        "touchdown_angle",
        math.radians(-22.0),
        "rad",
        "leg in flight, from the vertical; negative: foot ahead",
        continuous=False,
        lower=-math.pi / 2,
        upper=math.pi / 2,
    ),
)
PARAMETERS = Records(
    Parameter("body_mass", 80.0, "kg", "mass of the body", lower=1e-9),
    Parameter("q_rt", 1.0, "m", "leg length at touchdown", lower=0.0),
    Parameter("q_rl", 1.0, "m", "leg length at liftoff", lower=0.0),
    Parameter("g_stance", 9.81, "m/s^2", "gravity in stance"),
    Parameter("g_flight", 9.81, "m/s^2", "gravity in flight"),
    Parameter("framerate", 120.0, "1/s", "frames of the view per simulated second", lower=0.0),
    Parameter("q_0", 1.0, "m", "rest length of the spring", lower=0.0),
    Parameter("spri", 2, "", "exponent i of the spring law, not 0", integer=True),
    Parameter("sprj", 1, "", "exponent j of the spring law, not 0", integer=True),
    Parameter("k", 20000.0, "N/m^(i j - 1)", "stiffness of the spring"),
    Parameter(
        "hold_touchdown_angle", 0.0, "", "1: constant, 0: mirrored at liftoff", lower=0.0, upper=1.0, integer=True
    ),
)
CHARTS = Records(
    Chart("ascent", "flight, rising"),
    Chart("descent", "flight, falling"),
    Chart("compression", "stance, the leg shortens"),
    Chart("decompression", "stance, the leg lengthens"),
)
# Bottom and liftoff are written without the square root in the leg's length: their signs and zeros are those of the
# shortening speed and of q_rl - rho, and as polynomials they have all their roots isolated.
BOUNDARIES = Records(
    Boundary("apex", "the body stops rising", "m/s", degree=1),
    Boundary("touchdown", "the foot reaches the ground; too low, it waits", "m", degree=1, armed="when_positive"),
    Boundary("bottom", "the leg stops shortening", "m^2/s", degree=2),
    Boundary("liftoff", "the leg reaches its liftoff length", "m^2", degree=2),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("x", "m", "body, forward"),
    Output("y", "m", "body, height"),
    Output("xdot", "m/s", "body, forward speed"),
    Output("ydot", "m/s", "body, upward speed"),
    Output("leg_length", "m", "foot to body; q_rt in flight"),
    Output("leg_angle", "rad", "from the vertical; the touchdown angle in flight"),
    Output("leg_force", "N", "along the leg, positive: pushes the body"),
    Output("energy", "J", "of the body and the spring, see the model's text"),
)
SCENE = Scene(
    bodies=Records(
        Body("hopper", Sphere(0.14), "#b5403a"),
        Body("spring", Spring(0.055, coils=9), "#d9a441"),
        Body("rod", Cylinder(0.012), "#e3e6ea"),
        Body("sleeve", Cylinder(0.026), "#59636e"),
        Body("foot", Sphere(0.04), "#2f3a45"),
        Body("leg_force", Arrow(0.022), "#2b7a4b", kind="force"),
    ),
    ground=Ground(checker=0.5),
    camera=Camera("hopper", along="x", at=(0.0, 0.0, 0.75), distance=4.2, view=(0.35, 1.0, -0.2)),
    outputs=("leg_length", "leg_force"),
)

X, Y, XDOT, YDOT = (STATES.index(name) for name in ("x", "y", "xdot", "ydot"))
FOOTX, FOOTY, TOUCHDOWN_ANGLE = (STATES.index(name) for name in ("footx", "footy", "touchdown_angle"))
MASS, Q_RT, Q_RL, Q_0 = (PARAMETERS.index(name) for name in ("body_mass", "q_rt", "q_rl", "q_0"))
G_STANCE, G_FLIGHT = PARAMETERS.index("g_stance"), PARAMETERS.index("g_flight")
SPRI, SPRJ, K = (PARAMETERS.index(name) for name in ("spri", "sprj", "k"))
HOLD_TOUCHDOWN_ANGLE = PARAMETERS.index("hold_touchdown_angle")
ASCENT, DESCENT, COMPRESSION, DECOMPRESSION = range(len(CHARTS))
APEX, TOUCHDOWN, BOTTOM, LIFTOFF = range(len(BOUNDARIES))
TIME, OUT_X, OUT_Y, OUT_XDOT, OUT_YDOT, LEG_LENGTH, LEG_ANGLE, LEG_FORCE, ENERGY = range(len(OUTPUTS))
HOPPER, SPRING, ROD, SLEEVE, FOOT, FORCE_ARROW = range(len(SCENE.bodies))
SLEEVE_LENGTH, FOOT_RADIUS = 0.4, 0.04  # of the touchdown length; [m]
ARROW_LENGTH = 0.25 / 9.81  # per N of force and kg of body [m kg/N]: a quarter of a metre per body weight
MESSAGES = ("body toppled over", "the spring's exponents spri and sprj must not be 0")
TOPPLED, NO_SPRING = 1, 2


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[XDOT]
    xdot[Y] = x[YDOT]
    if in_flight(chart):
        xdot[YDOT] = -p[G_FLIGHT]
        return
    legx, legy = x[X] - x[FOOTX], x[Y] - x[FOOTY]
    rho = math.sqrt(legx * legx + legy * legy)
    push = force(rho, p[Q_0], p[SPRI], p[SPRJ], p[K]) / (p[MASS] * rho)
    xdot[XDOT] = push * legx
    xdot[YDOT] = push * legy - p[G_STANCE]


def boundaries(g, t, x, p, chart):
    if chart == ASCENT:
        g[APEX] = x[YDOT]
    elif chart == DESCENT:
        g[TOUCHDOWN] = tip_height(x, p)
    elif chart == COMPRESSION:
        g[BOTTOM] = -lengthening(x)
    else:
        legx, legy = x[X] - x[FOOTX], x[Y] - x[FOOTY]
        g[LIFTOFF] = p[Q_RL] * p[Q_RL] - (legx * legx + legy * legy)


def transition(x_new, t, x, p, chart, crossed):
    if chart == ASCENT:
        return DESCENT
    if chart == DESCENT:
        return touch_down(x_new, p)
    if chart == COMPRESSION and leg_length(x) <= p[Q_RL]:
        return DECOMPRESSION
    return lift_off(x_new, p)


def touch_down(x_new, p):
    """Put the foot down. Where that meets a leg that lengthens there is no compression, and maybe no stance at all."""
    angle = x_new[TOUCHDOWN_ANGLE]
    shortens = x_new[XDOT] * math.sin(angle) + x_new[YDOT] * math.cos(angle) < 0.0
    if not shortens and p[Q_RT] > p[Q_RL]:
        return DECLINED
    x_new[FOOTX] = x_new[X] - p[Q_RT] * math.sin(angle)
    x_new[FOOTY] = tip_height(x_new, p)
    return COMPRESSION if shortens else DECOMPRESSION


def lift_off(x_new, p):
    if p[HOLD_TOUCHDOWN_ANGLE] == 0.0:
        x_new[TOUCHDOWN_ANGLE] = -leg_angle(x_new)
    return flight_chart(x_new)


def initial_chart(x_new, t, x, p):
    """Stance if a leg of length q_rt at the touchdown angle would reach into the ground, else flight."""
    if tip_height(x, p) >= 0.0:
        return flight_chart(x)
    x_new[FOOTX] = x[X] - x[Y] * math.tan(x[TOUCHDOWN_ANGLE])
    x_new[FOOTY] = 0.0
    if lengthening(x_new) < 0.0:
        return COMPRESSION
    return DECOMPRESSION if leg_length(x_new) <= p[Q_RL] else flight_chart(x)


def validate(t, x, p, chart):
    if x[Y] <= 0.0:
        return TOPPLED
    return NO_SPRING if p[SPRI] == 0.0 or p[SPRJ] == 0.0 else 0


def outputs(y, t, x, p, chart):
    y[TIME] = t
    y[OUT_X], y[OUT_Y], y[OUT_XDOT], y[OUT_YDOT] = x[X], x[Y], x[XDOT], x[YDOT]
    kinetic = 0.5 * p[MASS] * (x[XDOT] * x[XDOT] + x[YDOT] * x[YDOT])
    if in_flight(chart):
        y[LEG_LENGTH] = p[Q_RT]
        y[LEG_ANGLE] = x[TOUCHDOWN_ANGLE]
        y[LEG_FORCE] = 0.0
        y[ENERGY] = kinetic + p[MASS] * p[G_FLIGHT] * x[Y]
    else:
        y[LEG_LENGTH] = leg_length(x)
        y[LEG_ANGLE] = leg_angle(x)
        y[LEG_FORCE] = force(y[LEG_LENGTH], p[Q_0], p[SPRI], p[SPRJ], p[K])
        y[ENERGY] = kinetic + p[MASS] * p[G_STANCE] * x[Y] + spring_energy(y[LEG_LENGTH], p)


def poses(T, t, x, p, chart):
    """The leg from the foot to the body; in flight, it is at its touchdown length and angle at once, as in SimSect."""
    body, foot = np.array([x[X], 0.0, x[Y]]), foot_place(x, p, chart)
    leg = body - foot
    length = math.sqrt(leg @ leg)
    T[HOPPER] = placed(body)
    T[SPRING] = T[ROD] = between(foot, body)
    T[SLEEVE] = between(body - min(SLEEVE_LENGTH * p[Q_RT] / length, 0.9) * leg, body)
    T[FOOT] = placed((foot[0], 0.0, foot[2] + FOOT_RADIUS))
    T[FORCE_ARROW] = HIDDEN
    if not in_flight(chart):
        push = force(length, p[Q_0], p[SPRI], p[SPRJ], p[K]) * ARROW_LENGTH / p[MASS]
        T[FORCE_ARROW] = between(body, body + push / length * leg)


def foot_place(x, p, chart):
    """Where the foot is, (3,) [m] in the world."""
    if in_flight(chart):
        angle = x[TOUCHDOWN_ANGLE]
        return np.array([x[X] - p[Q_RT] * math.sin(angle), 0.0, tip_height(x, p)])
    return np.array([x[FOOTX], 0.0, x[FOOTY]])


def in_flight(chart):
    return chart <= DESCENT


def flight_chart(x):
    return ASCENT if x[YDOT] > 0.0 else DESCENT


def tip_height(x, p):
    """Height of the foot [m] when the leg has its touchdown length and angle."""
    return x[Y] - p[Q_RT] * math.cos(x[TOUCHDOWN_ANGLE])


def leg_length(x):
    return math.sqrt((x[X] - x[FOOTX]) ** 2 + (x[Y] - x[FOOTY]) ** 2)


def leg_angle(x):
    return math.atan2(x[X] - x[FOOTX], x[Y] - x[FOOTY])


def lengthening(x):
    """Leg length times its rate [m^2/s]."""
    return (x[X] - x[FOOTX]) * x[XDOT] + (x[Y] - x[FOOTY]) * x[YDOT]


def spring_energy(q, p):
    """What the spring at length q gives back until liftoff [J]."""
    at_liftoff = potential(p[Q_RL], p[Q_0], p[SPRI], p[SPRJ], p[K])
    return potential(q, p[Q_0], p[SPRI], p[SPRJ], p[K]) - at_liftoff


MODEL = Model(
    "slip",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    validate=validate,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    scene=SCENE,
    doc="Spring-loaded inverted pendulum: a point mass hopping on a springy leg (SimSect's SLIP)",
)
