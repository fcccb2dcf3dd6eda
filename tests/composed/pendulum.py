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

ANGLE, SPEED, KNOCKS = range(3)
G_OVER_L, RESTITUTION, FRICTION = range(3)
LEFT_WALL, RIGHT_WALL = range(2)
ENERGY, APPLIED = range(2)
WALL = 0.5


def vector_field(xdot, t, x, p, chart, torque):
    xdot[ANGLE] = x[SPEED]
    xdot[SPEED] = -p[G_OVER_L] * math.sin(x[ANGLE]) - drag(x, p) + torque(t, x[ANGLE], x[SPEED])


def drag(x, p):
    first = int(p[FRICTION])
    return (p[first] + p[first + 1] * abs(x[SPEED])) * x[SPEED]


def boundaries(g, t, x, p, chart):
    g[LEFT_WALL] = x[ANGLE] + WALL
    g[RIGHT_WALL] = WALL - x[ANGLE]


def transition(x_new, t, x, p, chart, crossed):
    x_new[SPEED] = -p[RESTITUTION] * x[SPEED]
    x_new[KNOCKS] = x[KNOCKS] + 1.0
    return 1 if crossed[RIGHT_WALL] else 0


def outputs(y, t, x, p, chart, torque):
    y[ENERGY] = 0.5 * x[SPEED] * x[SPEED] - p[G_OVER_L] * math.cos(x[ANGLE])
    y[APPLIED] = applied(t, x, torque)


def applied(t, x, torque):
    return torque(t, x[ANGLE], x[SPEED])


def validate(t, x, p, chart):
    return 2 if abs(x[SPEED]) > 100.0 else int(abs(x[SPEED]) > 50.0)


def angle_seen(t, x, p, chart):
    return x[ANGLE]


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
