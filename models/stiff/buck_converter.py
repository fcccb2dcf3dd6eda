"""A buck converter, which lowers a voltage, with the capacitance of its switch: V_in - switch - u - L - v, C and R.

A transistor connects the node u with the supply for the share `duty` of each period; then the current i of the coil
draws u down until the diode carries it. Besides the coil and the capacitor C, the node has the capacitance C_s of both:

    L idot = u - r i - v,  C vdot = i - v / R,  C_s udot = -i + { (V_in - u) / R_on     switch closed
                                                               { 0                     both open
                                                               { -(u + V_d) / R_d      diode conducts

The diode blocks when the current of the coil comes to zero; its own is then zero but for what charges C_s.

Through a closed switch u settles with the time constant R_on C_s, a millionth of a period: the equations are stiff.
In the mean over a period, with the current above zero, the voltages at the coil balance, where I = v / R:

    v = (duty V_in - (1 - duty) V_d) R / (R + r + duty R_on + (1 - duty) R_d)

(Erickson, Maksimovic: Fundamentals of Power Electronics, 2001, section 3.5, with the diode's voltage; u takes about
C_s V_in / I of each period to fall, which these means neglect.)
"""

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import HIDDEN, Body, Box, Camera, Cylinder, Ground, Scene, Sphere, between, placed

STATES = Records(
    State("i", 0.0, "A", "current of the coil"),
    State("v", 0.0, "V", "voltage of the capacitor, the output"),
    State("u", 0.0, "V", "voltage of the node between switch, diode and coil"),
    State("since", 0.0, "s", "when the period began", continuous=False),
)
PARAMETERS = Records(
    Parameter("supply", 12.0, "V", "V_in", lower=0.0),
    Parameter("duty", 0.4, "", "share of a period in which the switch is closed", lower=0.0, upper=1.0),
    Parameter("period", 10e-6, "s", "of the switch", lower=1e-12),
    Parameter("inductance", 47e-6, "H", "L", lower=1e-12),
    Parameter("capacitance", 47e-6, "F", "C", lower=1e-12),
    Parameter("load", 5.0, "ohm", "R", lower=1e-12),
    Parameter("coil_resistance", 0.05, "ohm", "r", lower=0.0),
    Parameter("switch_resistance", 0.05, "ohm", "R_on", lower=1e-12),
    Parameter("switch_capacitance", 200e-12, "F", "C_s", lower=1e-15),
    Parameter("diode_voltage", 0.4, "V", "V_d", lower=0.0),
    Parameter("diode_resistance", 0.03, "ohm", "R_d", lower=1e-12),
)
CHARTS = Records(
    Chart("closed", "the switch connects the node with the supply"),
    Chart("open", "neither switch nor diode conducts"),
    Chart("freewheeling", "the diode carries the current of the coil"),
)
BOUNDARIES = Records(
    Boundary("opens", "the switch opens", "s", time=True),
    Boundary("closes", "the switch closes: a period begins", "s", time=True),
    Boundary("conducts", "the node falls so far that the diode conducts", "V", degree=1, armed="when_positive"),
    Boundary("blocks", "the current of the coil falls to zero", "A", degree=1),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("i", "A", "current of the coil"),
    Output("v", "V", "output voltage"),
    Output("u", "V", "voltage of the node"),
)
ZERO, RISE, LEAST = 0.3, 0.15, 0.01  # a gauge: where it shows 0, its way for a volt or an ampere, and the shortest [m]
SCENE = Scene(
    bodies=Records(
        Body("node", Cylinder(0.12), "#ffb703"),
        Body("output", Cylinder(0.12), "#3a6ea5"),
        Body("current", Cylinder(0.12), "#c0392b"),
        Body("zero", Box((1.8, 0.02, 0.012)), "#2f3a45"),
        Body("switch", Sphere(0.09), "#1b9e77"),
        Body("diode", Sphere(0.09), "#7f5fa8"),
    ),
    ground=Ground(checker=0.25),
    camera=Camera(at=(0.0, 0.0, 1.1), distance=5.6, view=(0.2, 1.0, -0.15)),
    outputs=("v", "i"),
)
S = STATES.indices
BODY = SCENE.bodies.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices


def vector_field(xdot, t, x, p, chart):
    current = 0.0
    if chart == C.closed:
        current = (p[P.supply] - x[S.u]) / p[P.switch_resistance]
    elif chart == C.freewheeling:
        current = -(x[S.u] + p[P.diode_voltage]) / p[P.diode_resistance]
    xdot[S.i] = (x[S.u] - p[P.coil_resistance] * x[S.i] - x[S.v]) / p[P.inductance]
    xdot[S.v] = (x[S.i] - x[S.v] / p[P.load]) / p[P.capacitance]
    xdot[S.u] = (current - x[S.i]) / p[P.switch_capacitance]


def boundaries(g, t, x, p, chart):
    if chart == C.closed:
        g[B.opens] = x[S.since] + p[P.duty] * p[P.period] - t
        return
    g[B.closes] = x[S.since] + p[P.period] - t
    if chart == C.open:
        g[B.conducts] = x[S.u] + p[P.diode_voltage]
    else:
        g[B.blocks] = x[S.i]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.closes]:
        x_new[S.since] = x[S.since] + p[P.period]
        return C.closed
    return C.freewheeling if crossed[B.conducts] else C.open


def initial_chart(x_new, t, x, p):
    x_new[S.since] = t
    return C.closed


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.i], y[Y.v], y[Y.u] = x[S.i], x[S.v], x[S.u]


def poses(T, t, x, p, chart):
    T[BODY.node] = gauge(-0.5, x[S.u])
    T[BODY.output] = gauge(0.0, x[S.v])
    T[BODY.current] = gauge(0.5, x[S.i])
    T[BODY.zero] = placed((0.0, 0.2, ZERO))
    T[BODY.switch] = placed((-0.9, 0.0, 0.1)) if chart == C.closed else HIDDEN
    T[BODY.diode] = placed((0.9, 0.0, 0.1)) if chart == C.freewheeling else HIDDEN


def gauge(at, value):
    length = RISE * value
    return between((at, 0.0, ZERO), (at, 0.0, ZERO + (length if abs(length) > LEAST else LEAST)))


MODEL = Model(
    "buck_converter",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    poses=poses,
    scene=SCENE,
    doc="A switched converter of voltages with the capacitance of its switch, which makes it stiff",
)
