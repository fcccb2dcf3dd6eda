"""A pendulum between two walls, driven by an exchangeable torque: a plant."""

import math

from hybridsim import Boundary, Message, Output, Parameter, Part, Plant, Records, Slot, State

STATES = Records(State("angle", 0.3, "rad"), State("speed", 0.0, "rad/s"), State("knocks", continuous=False))
PARAMETERS = Records(
    Parameter("g_over_l", 9.81, "1/s^2"),
    Parameter("restitution", 0.9),
    Parameter("friction", (0.1, 0.02), "1/s", "linear, and quadratic [1/rad]"),
)
BOUNDARIES = Records(
    Boundary("left_wall", "knocks against the left wall", "rad", degree=1),
    Boundary("right_wall", "knocks against the right wall", "rad", degree=1),
)
OUTPUTS = Records(Output("energy", "1/s^2"), Output("applied", "1/s^2", "torque over moment of inertia"))
MESSAGES = (Message("the pendulum is fast", "warning"), Message("the pendulum is too fast"))

S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
WALL = 0.5


def vector_field(xdot, t, x, p, chart, torque):
    xdot[S.angle] = x[S.speed]
    xdot[S.speed] = -p[P.g_over_l] * math.sin(x[S.angle]) - drag(x, p) + torque(t, x[S.angle], x[S.speed])


def drag(x, p):
    first = int(p[P.friction])
    return (p[first] + p[first + 1] * abs(x[S.speed])) * x[S.speed]


def boundaries(g, t, x, p, chart):
    g[B.left_wall] = x[S.angle] + WALL
    g[B.right_wall] = WALL - x[S.angle]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.speed] = -p[P.restitution] * x[S.speed]
    x_new[S.knocks] = x[S.knocks] + 1.0
    return 1 if crossed[B.right_wall] else 0


def outputs(y, t, x, p, chart, torque):
    y[Y.energy] = 0.5 * x[S.speed] * x[S.speed] - p[P.g_over_l] * math.cos(x[S.angle])
    y[Y.applied] = applied(t, x, torque)


def applied(t, x, torque):
    return torque(t, x[S.angle], x[S.speed])


def validate(t, x, p, chart):
    return 2 if abs(x[S.speed]) > 100.0 else int(abs(x[S.speed]) > 50.0)


def angle_seen(t, x, p, chart):
    return x[S.angle]


def free(t, x, p, chart, angle, speed):
    return 0.0


FREE = Part("free", couplings={"torque": free}, doc="no torque")

MODEL = Plant(
    "pendulum",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    validate=validate,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    chart_fields={"last_wall": 1},
    slots=(
        Slot(
            "drive",
            couplings=("torque",),
            choices={"free": FREE},
            default="free",
            doc="what turns the pendulum",
            sensors=(angle_seen,),
        ),
    ),
)
