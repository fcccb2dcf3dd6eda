"""The compass gait: two straight legs with point masses, a mass at the hip, on a slope (Goswami et al. 1996).

A. Goswami, B. Thuilot and B. Espiau, "Compass-like biped robot, part I: stability and bifurcation of passive gaits",
INRIA RR-2996 (1996). Each leg has the length l = a + b and a mass m at a from the foot and b from the hip; the hip has
the mass m_H. Angles are measured here from the slope's normal and are positive when the hip is ahead of the foot; from
the vertical, as the authors measure them, they are larger by the slope. Both legs turn forwards with positive rates.

With st, sw for stance and swing leg, D = theta_st - theta_sw and M0 = m a + (m_H + m) l, Lagrange's equations read

    M11 st'' + M12 sw'' =  m l b sin(D) sw'^2 + M0 g sin(theta_st + slope)        M11 = m a^2 + (m_H + m) l^2
    M12 st'' + M22 sw'' = -m l b sin(D) st'^2 - m b g sin(theta_sw + slope)       M12 = -m l b cos(D),  M22 = m b^2

A step ends where theta_st + theta_sw rises to 0. The new foot stays where it comes down, the old one leaves the ground
without an impulse. So two angular momenta are the same before and after: that of the walker about the new foot, and
that of the new swing leg about the hip. From the rates before, of the old legs, they are (clockwise)

    H_foot = ((m_H l^2 + 2 m a l) cos(D) - m a b) st' - m a b sw'
    H_hip = -m a b st'

and the new rates follow from M11 st' + M12 sw' = H_foot - H_hip, M12 st' + M22 sw' = H_hip.

The defaults are the authors' walker on 3 degrees, in its gait, just after a heelstrike.
"""

import math

from hybridsim import Message, Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Sphere, placed

from .scene import LEGS, MASS_COLOUR, pose_two_legs, scene_on_points
from .two_legs import BOUNDARIES, CHARTS, MESSAGES, chart_of, fallen

STATES = Records(
    State("theta_st", -0.271028680498821, "rad", "stance leg from the slope's normal; positive: hip ahead of the foot"),
    State("theta_sw", 0.271028680498821, "rad", "swing leg from the slope's normal; positive: hip ahead of the foot"),
    State("thetadot_st", 1.092383589883602, "rad/s", "rate of theta_st; positive: forwards"),
    State("thetadot_sw", 0.377373948907195, "rad/s", "rate of theta_sw"),
    State("walked", 0.0, "m", "along the slope to the stance foot", continuous=False),
)
PARAMETERS = Records(
    Parameter("m", 5.0, "kg", "mass of a leg", lower=1e-9),
    Parameter("m_H", 10.0, "kg", "mass at the hip", lower=0.0),
    Parameter("a", 0.5, "m", "from the foot to the leg's mass", lower=0.0),
    Parameter("b", 0.5, "m", "from the leg's mass to the hip", lower=1e-9),
    Parameter("g", 9.81, "m/s^2", "gravity"),
    Parameter("slope", math.radians(3.0), "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("theta_st", "rad", "stance leg from the slope's normal"),
    Output("theta_sw", "rad", "swing leg from the slope's normal"),
    Output("thetadot_st", "rad/s"),
    Output("thetadot_sw", "rad/s"),
    Output("hip_x", "m", "hip from the stance foot, along the slope"),
    Output("hip_y", "m", "hip above the slope"),
    Output("foot_x", "m", "swing foot from the stance foot, along the slope; at a heelstrike, the step length"),
    Output("clearance", "m", "swing foot above the slope"),
    Output("kinetic", "J"),
    Output("potential", "J", "of the heights above the stance foot"),
    Output("energy", "J", "kinetic + potential"),
)
MASSES = (Body("stance_mass", Sphere(1.0), MASS_COLOUR), Body("swing_mass", Sphere(1.0), MASS_COLOUR))
RADIUS_OF_A_KILOGRAM = 0.05  # [m]; all masses are drawn with one density
S = STATES.indices
P = PARAMETERS.indices
SCENE = scene_on_points(*LEGS, *MASSES, slope=P.slope, outputs=("clearance", "energy"))
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices
NO_INERTIA = 3


def vector_field(xdot, t, x, p, chart):
    spread = x[S.theta_st] - x[S.theta_sw]
    coupling = p[P.m] * (p[P.a] + p[P.b]) * p[P.b] * math.sin(spread)
    pull_st = p[P.g] * moment(p) * math.sin(x[S.theta_st] + p[P.slope])
    pull_sw = p[P.g] * p[P.m] * p[P.b] * math.sin(x[S.theta_sw] + p[P.slope])
    xdot[S.theta_st] = x[S.thetadot_st]
    xdot[S.theta_sw] = x[S.thetadot_sw]
    xdot[S.thetadot_st], xdot[S.thetadot_sw] = solve(
        math.cos(spread),
        coupling * x[S.thetadot_sw] * x[S.thetadot_sw] + pull_st,
        -coupling * x[S.thetadot_st] * x[S.thetadot_st] - pull_sw,
        p,
    )


def boundaries(g, t, x, p, chart):
    if chart == C.leg_behind:
        g[B.passing] = x[S.theta_sw] - x[S.theta_st]
    else:
        g[B.returning] = x[S.theta_st] - x[S.theta_sw]
        g[B.heelstrike] = -(x[S.theta_st] + x[S.theta_sw])


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.leg_behind:
        return C.leg_ahead
    if crossed[B.heelstrike]:
        strike(x_new, x, p)
        x_new[S.walked] += (p[P.a] + p[P.b]) * (math.sin(x[S.theta_st]) - math.sin(x[S.theta_sw]))
    return C.leg_behind


def strike(x_new, x, p):
    """Swap the legs, and find their rates after the collision from the angular momenta."""
    m, a, b = p[P.m], p[P.a], p[P.b]
    length = a + b
    cosine = math.cos(x[S.theta_st] - x[S.theta_sw])
    about_hip = -m * a * b * x[S.thetadot_st]
    about_foot = (
        ((p[P.m_H] * length + 2.0 * m * a) * length * cosine - m * a * b) * x[S.thetadot_st]
        - m * a * b * x[S.thetadot_sw]
    )  # fmt: skip
    x_new[S.theta_st] = x[S.theta_sw]
    x_new[S.theta_sw] = x[S.theta_st]
    x_new[S.thetadot_st], x_new[S.thetadot_sw] = solve(cosine, about_foot - about_hip, about_hip, p)


def initial_chart(x_new, t, x, p):
    return chart_of(x[S.theta_sw] - x[S.theta_st], x[S.thetadot_sw] - x[S.thetadot_st])


def validate(t, x, p, chart):
    if p[P.m_H] == 0.0 and p[P.a] == 0.0:
        return NO_INERTIA
    return fallen(x[S.theta_st])


def outputs(y, t, x, p, chart):
    length = p[P.a] + p[P.b]
    y[Y.time] = t
    y[Y.theta_st], y[Y.theta_sw] = x[S.theta_st], x[S.theta_sw]
    y[Y.thetadot_st], y[Y.thetadot_sw] = x[S.thetadot_st], x[S.thetadot_sw]
    y[Y.hip_x] = length * math.sin(x[S.theta_st])
    y[Y.hip_y] = length * math.cos(x[S.theta_st])
    y[Y.foot_x] = length * (math.sin(x[S.theta_st]) - math.sin(x[S.theta_sw]))
    y[Y.clearance] = length * (math.cos(x[S.theta_st]) - math.cos(x[S.theta_sw]))
    y[Y.kinetic] = kinetic_energy(x, p)
    y[Y.potential] = p[P.g] * (
        moment(p) * math.cos(x[S.theta_st] + p[P.slope]) - p[P.m] * p[P.b] * math.cos(x[S.theta_sw] + p[P.slope])
    )
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def moment(p):
    """Return M0 [kg m]: the masses that the stance leg carries, times their distances from its foot."""
    return p[P.m] * p[P.a] + (p[P.m_H] + p[P.m]) * (p[P.a] + p[P.b])


def stance_inertia(p):
    """Return M11 [kg m^2]."""
    length = p[P.a] + p[P.b]
    return p[P.m] * p[P.a] * p[P.a] + (p[P.m_H] + p[P.m]) * length * length


def solve(cosine, first, second, p):
    """Return (u, v) with M11 u + M12 v = first and M12 u + M22 v = second; `cosine` is that of D."""
    m11 = stance_inertia(p)
    m12 = -p[P.m] * (p[P.a] + p[P.b]) * p[P.b] * cosine
    m22 = p[P.m] * p[P.b] * p[P.b]
    determinant = m11 * m22 - m12 * m12
    return (m22 * first - m12 * second) / determinant, (m11 * second - m12 * first) / determinant


def kinetic_energy(x, p):
    cross = p[P.m] * (p[P.a] + p[P.b]) * p[P.b] * math.cos(x[S.theta_st] - x[S.theta_sw])
    return (
        0.5 * stance_inertia(p) * x[S.thetadot_st] * x[S.thetadot_st]
        - cross * x[S.thetadot_st] * x[S.thetadot_sw]
        + 0.5 * p[P.m] * p[P.b] * p[P.b] * x[S.thetadot_sw] * x[S.thetadot_sw]
    )


def poses(T, t, x, p, chart):
    """The size of each sphere tells its mass."""
    a, b = p[P.a], p[P.b]
    angles = (x[S.theta_st], x[S.theta_sw])
    hip, stance_foot, swing_foot = pose_two_legs(T, BODY, p[P.slope], a + b, angles, radius(p[P.m_H]), x[S.walked])
    T[BODY.stance_mass] = placed((a * hip + b * stance_foot) / (a + b), scale=radius(p[P.m]))
    T[BODY.swing_mass] = placed((a * hip + b * swing_foot) / (a + b), scale=radius(p[P.m]))


def radius(mass):
    return RADIUS_OF_A_KILOGRAM * max(mass, 1e-3) ** (1.0 / 3.0)


MODEL = Model(
    "compass_gait",
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
    messages=(*MESSAGES, Message("a walker without a mass at its hip (m_H) needs its legs' masses above the feet (a)")),
    scene=SCENE,
    doc="The compass gait: two straight legs with masses, walking down a slope (Goswami et al. 1996)",
)
