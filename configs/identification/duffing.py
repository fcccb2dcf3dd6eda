"""Duffing's oscillator: a mass on a spring that becomes stiffer. A load cell measures the force of the spring."""

from hybridsim import Input, Model, Output, Parameter, Records, State

PARAMETERS = Records(
    Parameter("damping", 0.2, "1/s"),
    Parameter("stiffness", 1.0, "1/s^2"),
    Parameter("cubic", 1.0, "1/(m^2 s^2)"),
)
P = PARAMETERS.indices
PUSH = len(PARAMETERS)


def spring(x, p):
    return p[P.stiffness] * x[0] + p[P.cubic] * x[0] ** 3


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[PUSH] - p[P.damping] * x[1] - spring(x, p)


def outputs(y, t, x, p, chart):
    y[0] = spring(x, p)


MODEL = Model(
    "duffing",
    Records(State("x", 0.0, "m"), State("v", 0.0, "m/s")),
    vector_field=vector_field,
    outputs=outputs,
    parameters=PARAMETERS,
    inputs=Records(Input("push", 0.0, "m/s^2", "force over mass")),
    output_records=Records(Output("spring", "m/s^2", "its force over the mass")),
)
