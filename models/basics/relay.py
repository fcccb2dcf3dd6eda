"""A thermostat, which is a relay with hysteresis: tau ydot = -y + K u, u = 1 until y rises to eps, then -1 until -eps.

The chart records whether the relay is on: within the band, y alone does not decide that. From the first switch on, y
oscillates with the period 2 tau ln((K + eps) / (K - eps)).
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
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    u = 1.0 if chart == C.on else -1.0
    xdot[S.y] = (p[P.gain] * u - x[S.y]) / p[P.tau]


def boundaries(g, t, x, p, chart):
    if chart == C.on:
        g[B.hot] = p[P.hysteresis] - x[S.y]
    else:
        g[B.cold] = x[S.y] + p[P.hysteresis]


def transition(x_new, t, x, p, chart, crossed):
    return C.off if chart == C.on else C.on


def initial_chart(x_new, t, x, p):
    return C.on if x[S.y] < p[P.hysteresis] else C.off


def poses(T, t, x, p, chart):
    bulb, lamp = (0.0, 0.0, 0.16), placed((0.6, 0.0, 0.09))
    top = MIDDLE + RISE * max(x[S.y], 0.0)
    T[BODY.bulb] = placed(bulb)
    T[BODY.column] = between(bulb, (0.0, 0.0, max(MIDDLE + RISE * x[S.y], 0.2)))
    T[BODY.tube] = between(bulb, (0.0, 0.0, max(1.8, top + 0.1)))
    T[BODY.upper_mark] = placed((0.12, 0.0, MIDDLE + RISE * p[P.hysteresis]))
    T[BODY.lower_mark] = placed((0.12, 0.0, MIDDLE - RISE * p[P.hysteresis]))
    T[BODY.lamp_on], T[BODY.lamp_off] = (lamp, HIDDEN) if chart == C.on else (HIDDEN, lamp)


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
