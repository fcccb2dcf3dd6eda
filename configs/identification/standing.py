"""Standing on a platform that moves: legs and trunk as two links, held by torques at ankle and hip, T = -K x.

The gains are those of Park, Horak and Kuo (2004), row by row: ankle first; theta_a, theta_h, omega_a, omega_h.
"""

import math

from hybridsim import Input, Model, Parameter, Records, State

LEG, LEG_CENTRE, LEG_MASS, LEG_INERTIA = 0.878, 0.5715983152737, 32.1259551840, 1.7991738234932
TRUNK_CENTRE, TRUNK_MASS, TRUNK_INERTIA = 0.3144918235287, 48.8305665951, 2.4811635063274
GRAVITY = 9.81
W1, W2 = LEG_MASS * LEG_CENTRE + TRUNK_MASS * LEG, TRUNK_MASS * TRUNK_CENTRE


def vector_field(xdot, t, x, p, chart):
    k = int(p[0])
    ankle = -(p[k] * x[0] + p[k + 1] * x[1] + p[k + 2] * x[2] + p[k + 3] * x[3])
    hip = -(p[k + 4] * x[0] + p[k + 5] * x[1] + p[k + 6] * x[2] + p[k + 7] * x[3])
    c, both = math.cos(x[1]), x[0] + x[1]
    m22 = TRUNK_INERTIA + TRUNK_MASS * TRUNK_CENTRE**2
    m12 = m22 + TRUNK_MASS * LEG * TRUNK_CENTRE * c
    m11 = LEG_INERTIA + LEG_MASS * LEG_CENTRE**2 + TRUNK_MASS * LEG**2 - m22 + 2.0 * m12
    h = TRUNK_MASS * LEG * TRUNK_CENTRE * math.sin(x[1])
    trunk = W2 * (GRAVITY * math.sin(both) + p[1] * math.cos(both))
    legs = W1 * (GRAVITY * math.sin(x[0]) + p[1] * math.cos(x[0]))
    a = ankle + h * (2.0 * x[2] * x[3] + x[3] ** 2) + legs + trunk
    b = hip - h * x[2] ** 2 + trunk
    determinant = m11 * m22 - m12 * m12
    xdot[0] = x[2]
    xdot[1] = x[3]
    xdot[2] = (m22 * a - m12 * b) / determinant
    xdot[3] = (m11 * b - m12 * a) / determinant


MODEL = Model(
    "standing",
    Records(
        State("theta_a", 0.0, "rad", "ankle, from upright"),
        State("theta_h", 0.0, "rad", "hip, from straight"),
        State("omega_a", 0.0, "rad/s"),
        State("omega_h", 0.0, "rad/s"),
    ),
    vector_field=vector_field,
    parameters=Records(Parameter("gains", (950.0, 175.0, 185.0, 50.0, 45.0, 290.0, 60.0, 26.0), "", "row by row")),
    inputs=Records(Input("a", 0.0, "m/s^2", "of the platform, backwards")),
)
