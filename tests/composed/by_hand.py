"""The pendulum with its pulsed drive, written as one model by hand."""

import math

from hybridsim import Boundary, Message, Model, Output, Parameter, Records, State

STATES = Records(
    State("angle", 0.3, "rad"),
    State("speed", 0.0, "rad/s"),
    State("knocks", continuous=False),
    State("pulses", continuous=False),
    State("integral", 0.0, "rad s"),
)
PARAMETERS = Records(
    Parameter("g_over_l", 9.81),
    Parameter("restitution", 0.9),
    Parameter("friction", (0.1, 0.02)),
    Parameter("gain", 3.0),
    Parameter("profile", (0.5, 1.0, 0.25, 0.75)),
    Parameter("period", 0.37),
)
BOUNDARIES = Records(
    Boundary("left_wall", degree=1), Boundary("right_wall", degree=1), Boundary("tick", "the next pulse", time=True)
)
OUTPUTS = Records(Output("energy"), Output("applied"), Output("strength"))
MESSAGES = (Message("the pendulum is fast", "warning"), Message("the pendulum is too fast"))


def drag(x, p):
    first = int(p[2])
    return (p[first] + p[first + 1] * abs(x[1])) * x[1]


def strength(p, pulse):
    return p[int(p[4]) + pulse]


def torque(x, p, pulse):
    return -p[3] * strength(p, pulse) * (x[0] + x[4])


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[0] * math.sin(x[0]) - drag(x, p) + torque(x, p, chart >> 1)
    xdot[4] = x[0]


def boundaries(g, t, x, p, chart):
    g[0] = x[0] + 0.5
    g[1] = 0.5 - x[0]
    g[2] = (x[3] + 1.0) * p[5] - t


def transition(x_new, t, x, p, chart, crossed):
    wall, pulse = chart & 1, chart >> 1
    if crossed[0] or crossed[1]:
        x_new[1] = -p[1] * x[1]
        x_new[2] = x[2] + 1.0
        wall = 1 if crossed[1] else 0
    if crossed[2]:
        x_new[3] = x[3] + 1.0
        pulse = (pulse + 1) % 4
    return wall | pulse << 1


def outputs(y, t, x, p, chart):
    y[0] = 0.5 * x[1] * x[1] - p[0] * math.cos(x[0])
    y[1] = torque(x, p, chart >> 1)
    y[2] = strength(p, chart >> 1)


def validate(t, x, p, chart):
    return 2 if abs(x[1]) > 100.0 else int(abs(x[1]) > 50.0)


MODEL = Model(
    "by_hand",
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
    chart_fields={"last_wall": 1, "pulse": 2},
)
