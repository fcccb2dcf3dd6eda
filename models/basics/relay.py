"""A relay with hysteresis, the thermostat: tau ydot = -y + K u, u = 1 until y rises to eps, then -1 until -eps.

The hysteresis is the memory, and the chart is where it is kept: nothing else remembers which way the relay is switched.
It settles at once into an oscillation of period 2 tau ln((K + eps) / (K - eps)).
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("y", 0.0, "", "temperature, from the middle of the band"))
PARAMETERS = Records(
    Parameter("tau", 1.0, "s", "time constant", lower=1e-9),
    Parameter("gain", 1.0, "", "K: where y settles with the heating on", lower=0.0),
    Parameter("hysteresis", 0.1, "", "eps: half the width of the band", lower=0.0),
)
CHARTS = Records(Chart("on", "heating, u = 1"), Chart("off", "cooling, u = -1"))
BOUNDARIES = Records(
    Boundary("hot", "y rises to the upper edge of the band", degree=1),
    Boundary("cold", "y falls to the lower edge of the band", degree=1),
)
Y = STATES.index("y")
TAU, GAIN, HYSTERESIS = (PARAMETERS.index(name) for name in ("tau", "gain", "hysteresis"))
ON, OFF = CHARTS.index("on"), CHARTS.index("off")
HOT, COLD = BOUNDARIES.index("hot"), BOUNDARIES.index("cold")


def vector_field(xdot, t, x, p, chart):
    u = 1.0 if chart == ON else -1.0
    xdot[Y] = (p[GAIN] * u - x[Y]) / p[TAU]


def boundaries(g, t, x, p, chart):
    if chart == ON:
        g[HOT] = p[HYSTERESIS] - x[Y]
    else:
        g[COLD] = x[Y] + p[HYSTERESIS]


def transition(x_new, t, x, p, chart, crossed):
    return OFF if chart == ON else ON


def initial_chart(x_new, t, x, p):
    return ON if x[Y] < p[HYSTERESIS] else OFF


MODEL = Model(
    "relay",
    STATES,
    (vector_field, boundaries, transition, initial_chart),
    PARAMETERS,
    charts=CHARTS,
    boundaries=BOUNDARIES,
    doc="A first-order lag under a relay with hysteresis: the thermostat",
)
