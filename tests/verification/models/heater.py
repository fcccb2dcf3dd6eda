"""A heated room whose target and weather are inputs; the heater is on below the target, and off above it."""

from hybridsim import Boundary, Chart, Input, Model, Output, Parameter, Records, State

STATES = Records(State("temperature", 18.0, "degC"))
PARAMETERS = Records(Parameter("loss", 0.5, "1/h"))
INPUTS = Records(
    Input("target", 19.0, "degC", "kept to one degree", lower=0.0, upper=40.0), Input("outside", 5.0, "degC")
)
BOUNDARIES = Records(Boundary("cold", degree=1), Boundary("warm", degree=1))
OUTPUTS = Records(Output("lack", "degC"))

CHARTS = Records(Chart("off"), Chart("on"))
P = (PARAMETERS + INPUTS).indices
C = CHARTS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = (12.0 if chart == C.on else 0.0) - p[P.loss] * (x[0] - p[P.outside])


def boundaries(g, t, x, p, chart):
    if chart == C.off:
        g[0] = x[0] - p[P.target] + 1.0
    else:
        g[1] = p[P.target] + 1.0 - x[0]


def transition(x_new, t, x, p, chart, crossed):
    return 1 - chart


def outputs(y, t, x, p, chart):
    y[0] = p[P.target] - x[0]


def initial_chart(x_new, t, x, p):
    return C.on if x[0] <= p[P.target] - 1.0 else C.off


MODEL = Model(
    "heater",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    inputs=INPUTS,
)
