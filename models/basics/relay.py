"""A relay with hysteresis, the thermostat: tau ydot = -y + K u, u = 1 until y rises to eps, then -1 until -eps.

The hysteresis is the memory, and the chart is where it is kept: nothing else remembers which way the relay is switched.
It settles at once into an oscillation of period 2 tau ln((K + eps) / (K - eps)).
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import HIDDEN, Body, Box, Camera, Cylinder, Ground, Scene, Sphere, between, placed

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
MIDDLE, RISE = 1.0, 3.0  # a thermometer: where y = 0 is [m], and how far a degree goes [m]
SCENE = Scene(
    bodies=Records(
        Body("bulb", Sphere(0.14), "#c0392b"),
        Body("column", Cylinder(0.045), "#c0392b"),
        Body("tube", Cylinder(0.07), "#d7e3ec", opacity=0.3),
        Body("upper_mark", Box((0.3, 0.02, 0.012)), "#2f3a45"),
        Body("lower_mark", Box((0.3, 0.02, 0.012)), "#2f3a45"),
        Body("lamp_on", Sphere(0.09), "#ffb703"),
        Body("lamp_off", Sphere(0.09), "#5c6670"),
    ),
    ground=Ground(checker=0.25),
    camera=Camera(at=(0.15, 0.0, 0.85), distance=4.4, view=(0.2, 1.0, -0.15)),
    outputs=("y",),
)
BULB, COLUMN, TUBE, UPPER_MARK, LOWER_MARK, LAMP_ON, LAMP_OFF = range(len(SCENE.bodies))
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


def poses(T, t, x, p, chart):
    bulb, lamp = (0.0, 0.0, 0.16), placed((0.6, 0.0, 0.09))
    top = MIDDLE + RISE * max(x[Y], 0.0)
    T[BULB] = placed(bulb)
    T[COLUMN] = between(bulb, (0.0, 0.0, max(MIDDLE + RISE * x[Y], 0.2)))
    T[TUBE] = between(bulb, (0.0, 0.0, max(1.8, top + 0.1)))
    T[UPPER_MARK] = placed((0.12, 0.0, MIDDLE + RISE * p[HYSTERESIS]))
    T[LOWER_MARK] = placed((0.12, 0.0, MIDDLE - RISE * p[HYSTERESIS]))
    T[LAMP_ON], T[LAMP_OFF] = (lamp, HIDDEN) if chart == ON else (HIDDEN, lamp)


MODEL = Model(
    "relay",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A first-order lag under a relay with hysteresis: the thermostat",
)
