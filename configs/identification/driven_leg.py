"""A runner on a springy leg with losses, whose motor changes the rest length of the spring (80 kg, 20 kN/m).

In flight the leg is held at its angle of touchdown; in stance a spring and a damper lead from the hip to the foot. The
motor is in series with them.
"""

import math

from hybridsim import Boundary, Chart, Input, Model, Output, Parameter, Records, State

STATES = Records(
    State("x", 0.0, "m", "body, forward"),
    State("y", 1.0, "m", "body, height"),
    State("xdot", 5.0, "m/s"),
    State("ydot", 0.0, "m/s"),
    State("rest", 1.0, "m", "length of the leg without force"),
    State("footx", 0.0, "m", "foot, put at touchdown", continuous=False),
)
PARAMETERS = Records(
    Parameter("mass", 80.0, "kg", lower=1e-9),
    Parameter("stiffness", 20000.0, "N/m"),
    Parameter("damping", 100.0, "N s/m"),
    Parameter("gravity", 9.81, "m/s^2"),
    Parameter("angle", math.radians(22.0), "rad", "of the leg at touchdown, from the vertical, foot ahead"),
)
CHARTS = Records(Chart("descent"), Chart("stance"), Chart("ascent"))
BOUNDARIES = Records(
    Boundary("touchdown", "the foot reaches the ground", "m"),
    Boundary("liftoff", "the spring is as long as without force", "m", armed="when_positive"),
    Boundary("apex", "the body stops rising", "m/s"),
)
OUTPUTS = Records(
    Output("leg_force", "N", "along the leg"),
    Output("power", "W", "of the motor"),
    Output("work_rate", "W", "power of the motor where it is positive, with a rounded corner"),
)
S, P, C, B, Y = STATES.indices, PARAMETERS.indices, CHARTS.indices, BOUNDARIES.indices, OUTPUTS.indices
RATE = len(PARAMETERS)
CORNER = 100.0  # [W]


def length(x):
    return math.sqrt((x[S.x] - x[S.footx]) ** 2 + x[S.y] ** 2)


def force(x, p):
    speed = ((x[S.x] - x[S.footx]) * x[S.xdot] + x[S.y] * x[S.ydot]) / length(x)
    return p[P.stiffness] * (x[S.rest] - length(x)) + p[P.damping] * (p[RATE] - speed)


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.xdot]
    xdot[S.y] = x[S.ydot]
    xdot[S.ydot] = -p[P.gravity]
    xdot[S.rest] = p[RATE]
    if chart == C.stance:
        push = force(x, p) / (p[P.mass] * length(x))
        xdot[S.xdot] = push * (x[S.x] - x[S.footx])
        xdot[S.ydot] += push * x[S.y]


def boundaries(g, t, x, p, chart):
    if chart == C.descent:
        g[B.touchdown] = x[S.y] - x[S.rest] * math.cos(p[P.angle])
    elif chart == C.stance:
        g[B.liftoff] = x[S.rest] - length(x)
    else:
        g[B.apex] = x[S.ydot]


def transition(x_new, t, x, p, chart, crossed):
    if chart == C.descent:
        x_new[S.footx] = x[S.x] + x[S.rest] * math.sin(p[P.angle])
        return C.stance
    return C.ascent if chart == C.stance else C.descent


def outputs(y, t, x, p, chart):
    y[Y.leg_force] = force(x, p) if chart == C.stance else 0.0
    y[Y.power] = y[Y.leg_force] * p[RATE]
    y[Y.work_rate] = 0.5 * (y[Y.power] + math.sqrt(y[Y.power] ** 2 + CORNER**2))


MODEL = Model(
    "driven_leg",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=PARAMETERS,
    inputs=Records(Input("rate", 0.0, "m/s", "by which the motor makes the leg longer")),
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
