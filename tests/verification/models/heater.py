"""A heated room whose target and weather are inputs; the heater is on below the target, and off above it."""

from hybridsim import Boundary, Input, Model, Output, Parameter, Records, State

STATES = Records(State("temperature", 18.0, "degC"))
PARAMETERS = Records(Parameter("loss", 0.5, "1/h"))
INPUTS = Records(
    Input("target", 19.0, "degC", "kept to one degree", lower=0.0, upper=40.0), Input("outside", 5.0, "degC")
)
BOUNDARIES = Records(Boundary("cold", degree=1), Boundary("warm", degree=1))
OUTPUTS = Records(Output("lack", "degC"))

LOSS = 0
TARGET, OUTSIDE = (len(PARAMETERS) + INPUTS.index(name) for name in ("target", "outside"))
OFF, ON = 0, 1


def vector_field(xdot, t, x, p, chart):
    xdot[0] = (12.0 if chart == ON else 0.0) - p[LOSS] * (x[0] - p[OUTSIDE])


def boundaries(g, t, x, p, chart):
    if chart == OFF:
        g[0] = x[0] - p[TARGET] + 1.0
    else:
        g[1] = p[TARGET] + 1.0 - x[0]


def transition(x_new, t, x, p, chart, crossed):
    return 1 - chart


def outputs(y, t, x, p, chart):
    y[0] = p[TARGET] - x[0]


def initial_chart(x_new, t, x, p):
    return ON if x[0] <= p[TARGET] - 1.0 else OFF


MODEL = Model(
    "heater",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=("off", "on"),
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    inputs=INPUTS,
)
