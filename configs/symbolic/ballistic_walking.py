"""Ballistic walking, from toe-off to heelstrike (Mochon and McMahon 1980).

write_ballistic_walking.py wrote this file, with sympy 1.14.0: change that one, and run it.

The stance leg is straight and turns about its foot. The swing leg bends in the knee until the shank has caught up with
the thigh; then the knee locks, in a plastic collision. The run should stop at heelstrike, which the model declines. The
numbers are those of a man of 73 kg and 1.75 m, after the tables of D. A. Winter (2009).
"""

import math

import numpy as np

from hybridsim import DECLINED, Boundary, Chart, Model, Output, Parameter, Records, State, scratch
from hybridsim.scene import Body, Camera, Cylinder, Scene, Sphere, between, placed

STATES = Records(
    State("stance", -0.3, "rad", "stance leg from the vertical; positive: hip ahead of the foot"),
    State("thigh", -0.1, "rad", "swing thigh from the vertical; positive: knee ahead of the hip"),
    State("knee", 0.6, "rad", "of the swing leg; 0 is straight, positive is bent"),
    State("stancedot", 1.5, "rad/s"),
    State("thighdot", 2.5, "rad/s"),
    State("kneedot", 4.0, "rad/s"),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2"),
    Parameter("trunk_mass", 49.5, "kg", "head, arms and trunk, in the hip"),
    Parameter("thigh_mass", 7.3, "kg", lower=0.0),
    Parameter("shank_mass", 4.45, "kg", "with the foot", lower=0.0),
    Parameter("thigh_inertia", 0.140, "kg m^2", "about the mass centre", lower=0.0),
    Parameter("shank_inertia", 0.143, "kg m^2", "about the mass centre", lower=0.0),
    Parameter("thigh_length", 0.429, "m", "from hip to knee", lower=0.0),
    Parameter("shank_length", 0.499, "m", "from knee to sole", lower=0.0),
    Parameter("thigh_centre", 0.186, "m", "mass centre below the hip"),
    Parameter("shank_centre", 0.261, "m", "mass centre below the knee"),
)
CHARTS = Records(Chart("bent"), Chart("straight", "the knee is locked"))
BOUNDARIES = Records(
    Boundary("knee_stop", "the knee is straight", "rad", degree=1),
    Boundary("heelstrike", "the swing foot comes down to the ground", "m", armed="when_positive"),
)
OUTPUTS = Records(
    Output("foot_height", "m", "of the swing foot"),
    Output("energy", "J"),
    Output("knee_torque", "N m", "of the lock; positive: against stretching beyond the straight knee"),
)
SCENE = Scene(
    bodies=Records(
        Body("trunk", Sphere(0.08), "#7a6a55"),
        Body("stance_leg", Cylinder(0.03), "#3f6fa8"),
        Body("swing_thigh", Cylinder(0.03), "#c8553d"),
        Body("swing_shank", Cylinder(0.02), "#c8553d"),
    ),
    camera=Camera("trunk", at=(0.0, 0.0, 0.5), distance=3.5, view=(0.0, 1.0, 0.0)),
    outputs=("foot_height", "energy"),
)
S, P, BODY = STATES.indices, PARAMETERS.indices, SCENE.bodies.indices
C, B, Y = CHARTS.indices, BOUNDARIES.indices, OUTPUTS.indices
N = len(STATES)


def vector_field(xdot, t, x, p, chart):
    xdot[S.stance], xdot[S.thigh], xdot[S.knee] = x[S.stancedot], x[S.thighdot], x[S.kneedot]
    if chart == C.bent:
        swing_bent(xdot, x, p)
    else:
        swing_straight(xdot, x, p)


def boundaries(g, t, x, p, chart):
    g[B.heelstrike] = foot_height(x, p)
    if chart == C.bent:
        g[B.knee_stop] = x[S.knee]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.knee_stop]:
        stop_knee(x_new, x, p)
        return C.straight
    return DECLINED


def outputs(y, t, x, p, chart):
    xdot = scratch(N)
    vector_field(xdot, t, x, p, chart)
    y[Y.foot_height] = foot_height(x, p)
    y[Y.energy] = energy(x, p)
    y[Y.knee_torque] = knee_torque(xdot, x, p)


def poses(T, t, x, p, chart):
    hip = (p[P.thigh_length] + p[P.shank_length]) * along(x[S.stance])
    knee = hip - p[P.thigh_length] * along(-x[S.thigh])
    foot = knee - p[P.shank_length] * along(x[S.knee] - x[S.thigh])
    T[BODY.trunk] = placed(hip)
    T[BODY.stance_leg] = between((0.0, 0.0, 0.0), hip)
    T[BODY.swing_thigh] = between(knee, hip)
    T[BODY.swing_shank] = between(foot, knee)


def along(angle):
    """Return the direction of a leg that points upwards and leans forwards by an angle."""
    return np.array([math.sin(angle), 0.0, math.cos(angle)])


def swing_bent(xdot, x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    stancedot = x[S.stancedot]
    thighdot = x[S.thighdot]
    kneedot = x[S.kneedot]
    gravity = p[P.gravity]
    trunk_mass = p[P.trunk_mass]
    thigh_mass = p[P.thigh_mass]
    shank_mass = p[P.shank_mass]
    thigh_inertia = p[P.thigh_inertia]
    shank_inertia = p[P.shank_inertia]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    thigh_centre = p[P.thigh_centre]
    shank_centre = p[P.shank_centre]
    z0 = shank_length + thigh_length
    z1 = z0**2
    z2 = -shank_centre + shank_length
    z3 = -thigh_centre + z0
    z4 = shank_inertia + thigh_inertia
    z5 = math.sin(stance)
    z6 = math.sin(thigh)
    z7 = math.cos(stance)
    z8 = math.cos(thigh)
    z9 = z0 * (-z5 * z6 + z7 * z8)
    z10 = thigh_centre * thigh_mass
    z11 = knee - thigh
    z12 = math.sin(z11)
    z13 = math.cos(z11)
    z14 = shank_centre * z0
    z15 = z14 * (z12 * z5 + z13 * z7)
    z16 = shank_centre**2
    z17 = shank_centre * thigh_length
    z18 = z17 * (-z12 * z6 + z13 * z8)
    z19 = gravity * z5
    z20 = shank_mass * z0
    z21 = thigh_mass * z19
    z22 = thighdot**2
    z23 = z5 * z8 + z6 * z7
    z24 = -z22 * z23
    z25 = thigh_length * z20
    z26 = z0 * z10
    z27 = (kneedot - thighdot) ** 2
    z28 = -z12 * z7 + z13 * z5
    z29 = shank_mass * z14
    z30 = gravity * shank_mass
    z31 = stancedot**2
    z32 = z23 * z31
    z33 = z12 * z8 + z13 * z6
    z34 = shank_mass * z17
    z35 = shank_centre * z12 * z30 + z22 * z33 * z34 + z28 * z29 * z31
    a00 = shank_mass * z1 + shank_mass * z2**2 + thigh_mass * z1 + thigh_mass * z3**2 + trunk_mass * z1 + z4
    a01 = shank_mass * (thigh_length * z9 + z15) + z10 * z9
    a02 = -shank_mass * z15
    a11 = shank_mass * (thigh_length**2 + z16 + 2 * z18) + thigh_centre**2 * thigh_mass + z4
    a12 = -shank_inertia + shank_mass * (-z16 - z18)
    a22 = shank_inertia + shank_mass * z16
    b0 = (
        shank_mass * z19 * z2
        + trunk_mass * z0 * z19
        + z0 * z21
        + z19 * z20
        + z21 * z3
        - z24 * z25
        - z24 * z26
        + z27 * z28 * z29
    )
    b1 = -gravity * z10 * z6 - thigh_length * z30 * z6 + z25 * z32 + z26 * z32 - z27 * z33 * z34 + z35
    b2 = -z35
    z36 = 1 / a00
    z37 = a01 * z36
    z38 = -a02 * z37 + a12
    z39 = 1 / (-(a01**2) * z36 + a11)
    z40 = b0 * z37
    z41 = (-a02 * b0 * z36 + b2 - z38 * z39 * (b1 - z40)) / (-(a02**2) * z36 + a22 - z38**2 * z39)
    z42 = z39 * (b1 - z38 * z41 - z40)
    xdot[S.stancedot] = z36 * (-a01 * z42 - a02 * z41 + b0)
    xdot[S.thighdot] = z42
    xdot[S.kneedot] = z41


def swing_straight(xdot, x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    stancedot = x[S.stancedot]
    thighdot = x[S.thighdot]
    kneedot = x[S.kneedot]
    gravity = p[P.gravity]
    trunk_mass = p[P.trunk_mass]
    thigh_mass = p[P.thigh_mass]
    shank_mass = p[P.shank_mass]
    thigh_inertia = p[P.thigh_inertia]
    shank_inertia = p[P.shank_inertia]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    thigh_centre = p[P.thigh_centre]
    shank_centre = p[P.shank_centre]
    z0 = shank_length + thigh_length
    z1 = z0**2
    z2 = -shank_centre + shank_length
    z3 = -thigh_centre + z0
    z4 = shank_inertia + thigh_inertia
    z5 = math.sin(stance)
    z6 = math.sin(thigh)
    z7 = math.cos(stance)
    z8 = math.cos(thigh)
    z9 = z0 * (-z5 * z6 + z7 * z8)
    z10 = thigh_centre * thigh_mass
    z11 = knee - thigh
    z12 = math.sin(z11)
    z13 = math.cos(z11)
    z14 = shank_centre * z0
    z15 = shank_centre * thigh_length
    z16 = gravity * z5
    z17 = shank_mass * z0
    z18 = thigh_mass * z16
    z19 = thighdot**2
    z20 = z5 * z8 + z6 * z7
    z21 = -z19 * z20
    z22 = thigh_length * z17
    z23 = z0 * z10
    z24 = (kneedot - thighdot) ** 2
    z25 = -z12 * z7 + z13 * z5
    z26 = shank_mass * z14
    z27 = gravity * shank_mass
    z28 = stancedot**2
    z29 = z20 * z28
    z30 = z12 * z8 + z13 * z6
    z31 = shank_mass * z15
    a00 = shank_mass * z1 + shank_mass * z2**2 + thigh_mass * z1 + thigh_mass * z3**2 + trunk_mass * z1 + z4
    a01 = shank_mass * (thigh_length * z9 + z14 * (z12 * z5 + z13 * z7)) + z10 * z9
    a11 = (
        shank_mass * (shank_centre**2 + thigh_length**2 + 2 * z15 * (-z12 * z6 + z13 * z8))
        + thigh_centre**2 * thigh_mass
        + z4
    )
    b0 = (
        shank_mass * z16 * z2
        + trunk_mass * z0 * z16
        + z0 * z18
        + z16 * z17
        + z18 * z3
        - z21 * z22
        - z21 * z23
        + z24 * z25 * z26
    )
    b1 = (
        -gravity * z10 * z6
        + shank_centre * z12 * z27
        - thigh_length * z27 * z6
        + z19 * z30 * z31
        + z22 * z29
        + z23 * z29
        - z24 * z30 * z31
        + z25 * z26 * z28
    )
    z32 = 1 / a00
    z33 = (-a01 * b0 * z32 + b1) / (-(a01**2) * z32 + a11)
    xdot[S.stancedot] = z32 * (-a01 * z33 + b0)
    xdot[S.thighdot] = z33
    xdot[S.kneedot] = 0


def stop_knee(x_new, x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    stancedot = x[S.stancedot]
    thighdot = x[S.thighdot]
    kneedot = x[S.kneedot]
    trunk_mass = p[P.trunk_mass]
    thigh_mass = p[P.thigh_mass]
    shank_mass = p[P.shank_mass]
    thigh_inertia = p[P.thigh_inertia]
    shank_inertia = p[P.shank_inertia]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    thigh_centre = p[P.thigh_centre]
    shank_centre = p[P.shank_centre]
    z0 = shank_length + thigh_length
    z1 = z0**2
    z2 = shank_inertia + thigh_inertia
    z3 = (
        shank_mass * z1
        + shank_mass * (-shank_centre + shank_length) ** 2
        + thigh_mass * z1
        + thigh_mass * (-thigh_centre + z0) ** 2
        + trunk_mass * z1
        + z2
    )
    z4 = math.sin(stance)
    z5 = math.sin(thigh)
    z6 = math.cos(stance)
    z7 = math.cos(thigh)
    z8 = z0 * (-z4 * z5 + z6 * z7)
    z9 = knee - thigh
    z10 = math.sin(z9)
    z11 = math.cos(z9)
    z12 = shank_centre * z0 * (z10 * z4 + z11 * z6)
    z13 = shank_mass * (thigh_length * z8 + z12) + thigh_centre * thigh_mass * z8
    z14 = shank_centre**2
    z15 = shank_centre * thigh_length * (-z10 * z5 + z11 * z7)
    z16 = shank_mass * (thigh_length**2 + z14 + 2 * z15) + thigh_centre**2 * thigh_mass + z2
    a00 = z3
    a01 = z13
    a11 = z16
    b0 = -kneedot * shank_mass * z12 + stancedot * z3 + thighdot * z13
    b1 = kneedot * (-shank_inertia + shank_mass * (-z14 - z15)) + stancedot * z13 + thighdot * z16
    z17 = 1 / a00
    z18 = (-a01 * b0 * z17 + b1) / (-(a01**2) * z17 + a11)
    x_new[S.stancedot] = z17 * (-a01 * z18 + b0)
    x_new[S.thighdot] = z18
    x_new[S.kneedot] = 0


def foot_height(x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    return (
        -shank_length * math.cos(knee - thigh)
        - thigh_length * math.cos(thigh)
        + (shank_length + thigh_length) * math.cos(stance)
    )


def energy(x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    stancedot = x[S.stancedot]
    thighdot = x[S.thighdot]
    kneedot = x[S.kneedot]
    gravity = p[P.gravity]
    trunk_mass = p[P.trunk_mass]
    thigh_mass = p[P.thigh_mass]
    shank_mass = p[P.shank_mass]
    thigh_inertia = p[P.thigh_inertia]
    shank_inertia = p[P.shank_inertia]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    thigh_centre = p[P.thigh_centre]
    shank_centre = p[P.shank_centre]
    z0 = stancedot**2
    z1 = (1 / 2) * shank_inertia
    z2 = (1 / 2) * thigh_inertia
    z3 = thighdot**2
    z4 = math.cos(stance)
    z5 = shank_length + thigh_length
    z6 = kneedot - thighdot
    z7 = z6**2
    z8 = -shank_centre + shank_length
    z9 = gravity * shank_mass
    z10 = z0 * z5**2
    z11 = gravity * thigh_mass
    z12 = (1 / 2) * shank_mass
    z13 = (1 / 2) * thigh_mass
    z14 = math.cos(thigh)
    z15 = -z4 * z5
    z16 = knee - thigh
    z17 = math.cos(z16)
    z18 = math.sin(stance)
    z19 = math.sin(thigh)
    z20 = 2 * stancedot * z5
    z21 = z20 * (z14 * z4 - z18 * z19)
    z22 = thigh_length * thighdot
    z23 = math.sin(z16)
    z24 = shank_centre * z6
    return (
        gravity * trunk_mass * z4 * z5
        + (1 / 2) * trunk_mass * z10
        + z0 * z1
        + z0 * z12 * z8**2
        + z0 * z2
        + z1 * z7
        + z11 * z4 * (-thigh_centre + z5)
        + z11 * (-thigh_centre * z14 - z15)
        + z12
        * (
            shank_centre**2 * z7
            + thigh_length**2 * z3
            + z10
            - z20 * z24 * (z17 * z4 + z18 * z23)
            + z21 * z22
            - 2 * z22 * z24 * (z14 * z17 - z19 * z23)
        )
        + z13 * (-stancedot * thigh_centre + stancedot * z5) ** 2
        + z13 * (thigh_centre**2 * z3 + thigh_centre * thighdot * z21 + z10)
        + z2 * z3
        + z4 * z8 * z9
        + z9 * (-shank_centre * z17 - thigh_length * z14 - z15)
    )


def knee_torque(xdot, x, p):
    stance = x[S.stance]
    thigh = x[S.thigh]
    knee = x[S.knee]
    stancedot = x[S.stancedot]
    thighdot = x[S.thighdot]
    gravity = p[P.gravity]
    shank_mass = p[P.shank_mass]
    shank_inertia = p[P.shank_inertia]
    thigh_length = p[P.thigh_length]
    shank_length = p[P.shank_length]
    shank_centre = p[P.shank_centre]
    stancedotdot = xdot[S.stancedot]
    thighdotdot = xdot[S.thighdot]
    kneedotdot = xdot[S.kneedot]
    z0 = shank_centre**2
    z1 = knee - thigh
    z2 = math.sin(z1)
    z3 = shank_centre * shank_mass
    z4 = math.sin(stance)
    z5 = math.cos(stance)
    z6 = math.cos(z1)
    z7 = z3 * (shank_length + thigh_length)
    z8 = math.sin(thigh)
    z9 = math.cos(thigh)
    z10 = shank_centre * thigh_length
    return (
        gravity * z2 * z3
        + kneedotdot * (shank_inertia + shank_mass * z0)
        - shank_mass * thighdot**2 * z10 * (-z2 * z9 - z6 * z8)
        + stancedot**2 * z7 * (-z2 * z5 + z4 * z6)
        - stancedotdot * z7 * (z2 * z4 + z5 * z6)
        + thighdotdot * (-shank_inertia + shank_mass * (-z0 - z10 * (-z2 * z8 + z6 * z9)))
    )


MODEL = Model(
    "ballistic_walking",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    poses=poses,
    scene=SCENE,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
