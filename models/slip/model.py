"""SLIP: SimSect's spring-loaded inverted pendulum.

A point mass hops on a massless leg with a spring in it, without losses. In flight the leg is held at the touchdown
angle; in stance its foot stays where it was put. The leg vector points from the foot to the body; angles are measured
from the vertical and are negative when the foot is ahead of a body that moves to +x. At liftoff the touchdown angle
becomes the mirror image of the leg's angle, as in SimSect; or it is held, with `hold_touchdown_angle` = 1, which is the
runner of Seyfarth, Geyer, Guenther and Blickhan (2002), whose numbers are the defaults: 80 kg, 20 kN/m, 1 m, 68 degrees
from the ground, 5 m/s.

Energy is measured from the spring at its liftoff length, where it is let go: kinetic + m g y + U(q) - U(q_rl) in
stance, without the U in flight. So it is continuous at liftoff whatever the spring, and at touchdown if q_rt = q_rl.
Otherwise it jumps there by U(q_rt) - U(q_rl), the work of changing the length of the leg in flight. And if
g_stance differs from g_flight, m g y jumps at both, because energy is not conserved then.
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
    Parameter("k", 20000.0, "N/m", "stiffness of the spring; N/m^(i j - 1) if i j is not 2"),
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
    newtons_per_metre=lambda p: p[P.body_mass] / ARROW_LENGTH,
)

S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices
SLEEVE_LENGTH, FOOT_RADIUS = 0.4, 0.04  # of the touchdown length; [m]
ARROW_LENGTH = 0.25 / 9.81  # per N of force and kg of body [m kg/N]: a quarter of a metre per body weight
MESSAGES = ("body toppled over", "the spring's exponents spri and sprj must not be 0")
TOPPLED, NO_SPRING = 1, 2


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.xdot]
    xdot[S.y] = x[S.ydot]
    if in_flight(chart):
        xdot[S.ydot] = -p[P.g_flight]
        return
    legx, legy = x[S.x] - x[S.footx], x[S.y] - x[S.footy]
    rho = math.sqrt(legx * legx + legy * legy)
    push = force(rho, p[P.q_0], p[P.spri], p[P.sprj], p[P.k]) / (p[P.body_mass] * rho)
    xdot[S.xdot] = push * legx
    xdot[S.ydot] = push * legy - p[P.g_stance]


def boundaries(g, t, x, p, chart):
    if chart == C.ascent:
        g[B.apex] = x[S.ydot]
    elif chart == C.descent:
        g[B.touchdown] = tip_height(x, p)
    elif chart == C.compression:
        g[B.bottom] = -lengthening(x)
    else:
        legx, legy = x[S.x] - x[S.footx], x[S.y] - x[S.footy]
        g[B.liftoff] = p[P.q_rl] * p[P.q_rl] - (legx * legx + legy * legy)


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.ascent:
        return C.descent
    if chart == C.descent:
        return touch_down(x_new, p)
    if chart == C.compression and leg_length(x) <= p[P.q_rl]:
        return C.decompression
    return lift_off(x_new, p)


def touch_down(x_new, p):
    """Put the foot down.

    Stance begins with compression if the leg shortens, else with decompression. Decline if it lengthens and is longer
    at touchdown (q_rt) than at liftoff (q_rl).
    """
    angle = x_new[S.touchdown_angle]
    shortens = x_new[S.xdot] * math.sin(angle) + x_new[S.ydot] * math.cos(angle) < 0.0
    if not shortens and p[P.q_rt] > p[P.q_rl]:
        return DECLINED
    x_new[S.footx] = x_new[S.x] - p[P.q_rt] * math.sin(angle)
    x_new[S.footy] = tip_height(x_new, p)
    return C.compression if shortens else C.decompression


def lift_off(x_new, p):
    if p[P.hold_touchdown_angle] == 0.0:
        x_new[S.touchdown_angle] = -leg_angle(x_new)
    return flight_chart(x_new)


def initial_chart(x_new, t, x, p):
    """Return stance if a leg of length q_rt at the touchdown angle would reach into the ground, else flight."""
    if tip_height(x, p) >= 0.0:
        return flight_chart(x)
    x_new[S.footx] = x[S.x] - x[S.y] * math.tan(x[S.touchdown_angle])
    x_new[S.footy] = 0.0
    if lengthening(x_new) < 0.0:
        return C.compression
    return C.decompression if leg_length(x_new) <= p[P.q_rl] else flight_chart(x)


def validate(t, x, p, chart):
    if x[S.y] <= 0.0:
        return TOPPLED
    return NO_SPRING if p[P.spri] == 0.0 or p[P.sprj] == 0.0 else 0


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.x], y[Y.y], y[Y.xdot], y[Y.ydot] = x[S.x], x[S.y], x[S.xdot], x[S.ydot]
    kinetic = 0.5 * p[P.body_mass] * (x[S.xdot] * x[S.xdot] + x[S.ydot] * x[S.ydot])
    if in_flight(chart):
        y[Y.leg_length] = p[P.q_rt]
        y[Y.leg_angle] = x[S.touchdown_angle]
        y[Y.leg_force] = 0.0
        y[Y.energy] = kinetic + p[P.body_mass] * p[P.g_flight] * x[S.y]
    else:
        y[Y.leg_length] = leg_length(x)
        y[Y.leg_angle] = leg_angle(x)
        y[Y.leg_force] = force(y[Y.leg_length], p[P.q_0], p[P.spri], p[P.sprj], p[P.k])
        y[Y.energy] = kinetic + p[P.body_mass] * p[P.g_stance] * x[S.y] + spring_energy(y[Y.leg_length], p)


def poses(T, t, x, p, chart):
    """Pose the leg from foot to body; in flight, it has its touchdown length and angle at once, as in SimSect."""
    body, foot = np.array([x[S.x], 0.0, x[S.y]]), foot_place(x, p, chart)
    leg = body - foot
    length = math.sqrt(leg @ leg)
    T[BODY.hopper] = placed(body)
    T[BODY.spring] = T[BODY.rod] = between(foot, body)
    T[BODY.sleeve] = between(body - min(SLEEVE_LENGTH * p[P.q_rt] / length, 0.9) * leg, body)
    T[BODY.foot] = placed((foot[0], 0.0, foot[2] + FOOT_RADIUS))
    T[BODY.leg_force] = HIDDEN
    if not in_flight(chart):
        push = force(length, p[P.q_0], p[P.spri], p[P.sprj], p[P.k]) * ARROW_LENGTH / p[P.body_mass]
        T[BODY.leg_force] = between(body, body + push / length * leg)


def foot_place(x, p, chart):
    """Return the position of the foot in the world, (3,) [m]."""
    if in_flight(chart):
        angle = x[S.touchdown_angle]
        return np.array([x[S.x] - p[P.q_rt] * math.sin(angle), 0.0, tip_height(x, p)])
    return np.array([x[S.footx], 0.0, x[S.footy]])


def in_flight(chart):
    return chart <= C.descent


def flight_chart(x):
    return C.ascent if x[S.ydot] > 0.0 else C.descent


def tip_height(x, p):
    """Return the height of the foot [m] when the leg has its touchdown length and angle."""
    return x[S.y] - p[P.q_rt] * math.cos(x[S.touchdown_angle])


def leg_length(x):
    return math.sqrt((x[S.x] - x[S.footx]) ** 2 + (x[S.y] - x[S.footy]) ** 2)


def leg_angle(x):
    return math.atan2(x[S.x] - x[S.footx], x[S.y] - x[S.footy])


def lengthening(x):
    """Return the leg length times its rate [m^2/s]."""
    return (x[S.x] - x[S.footx]) * x[S.xdot] + (x[S.y] - x[S.footy]) * x[S.ydot]


def spring_energy(q, p):
    """Return the energy that the spring releases from length q to liftoff [J]."""
    at_liftoff = potential(p[P.q_rl], p[P.q_0], p[P.spri], p[P.sprj], p[P.k])
    return potential(q, p[P.q_0], p[P.spri], p[P.sprj], p[P.k]) - at_liftoff


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
