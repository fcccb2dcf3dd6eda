"""A relay that switches at x = 0 and x = width, and a filter behind it: with w = width, the motion is known exactly.

x rises and falls with slope 1, so that the period is 2 w. The filter y' = u - y, with u = 1 while x rises, ends a rise
at 1 / (1 + exp(-w)) and a fall at exp(-w) / (1 + exp(-w)); a deviation of y shrinks by exp(-2 w) in a period. The mean
of y is that of u, 1/2. There is no `initial_chart`: a run begins with a rise, unless its config says otherwise.
"""

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State

STATES = Records(State("x", 0.0), State("y", 0.3, "V"))
PARAMETERS = Records(Parameter("width", 1.0, lower=1e-3))
CHARTS = Records(Chart("rise"), Chart("fall"))
BOUNDARIES = Records(Boundary("top", "x reaches width"), Boundary("bottom", "x reaches 0"))
OUTPUTS = Records(Output("time", "s"), Output("square", "V^2"))


def vector_field(xdot, t, x, p, chart):
    u = 1.0 if chart == 0 else 0.0
    xdot[0] = 2.0 * u - 1.0
    xdot[1] = u - x[1]


def boundaries(g, t, x, p, chart):
    if chart == 0:
        g[0] = p[0] - x[0]
    else:
        g[1] = x[0]


def transition(x_new, t, x, p, chart, crossed):
    return 1 - chart


def outputs(y, t, x, p, chart):
    y[0] = t
    y[1] = x[1] * x[1]


MODEL = Model(
    "relay_oscillator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
