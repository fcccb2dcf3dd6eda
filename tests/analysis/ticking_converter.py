"""The converter of `buck_converter.py` with a clock that counts its ticks, and events at exact instants.

The switch connects the source as long as the amplified voltage error is below a ramp that begins anew each period.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("v", 12.0, "V"), State("i", 0.5, "A"), State("ticks", 0.0, "", "of the clock", continuous=False))
PARAMETERS = Records(
    Parameter("source", 22.0, "V"),
    Parameter("R", 22.0, "Ohm"),
    Parameter("C", 47e-6, "F"),
    Parameter("L", 20e-3, "H"),
    Parameter("T", 400e-6, "s", "period of the ramp"),
    Parameter("gain", 8.4),
    Parameter("reference", 11.3, "V"),
    Parameter("low", 3.8, "V", "where the ramp begins"),
    Parameter("high", 8.2, "V", "where it ends"),
)
CHARTS = Records(Chart("off"), Chart("on"))
BOUNDARIES = Records(
    Boundary("closes", "the ramp reaches the control voltage", degree=1),
    Boundary("opens", "the control voltage reaches the ramp", degree=1),
    Boundary("clock", "the ramp begins anew", "s", time=True),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.v] = (x[S.i] - x[S.v] / p[P.R]) / p[P.C]
    xdot[S.i] = -x[S.v] / p[P.L]
    if chart == C.on:
        xdot[S.i] += p[P.source] / p[P.L]


def excess(since, v, p):
    """Return the control voltage less the ramp [V]."""
    return p[P.gain] * (v - p[P.reference]) - p[P.low] - (p[P.high] - p[P.low]) * since / p[P.T]


def boundaries(g, t, x, p, chart):
    if chart == C.off:
        g[B.closes] = excess(t - x[S.ticks] * p[P.T], x[S.v], p)
    else:
        g[B.opens] = -excess(t - x[S.ticks] * p[P.T], x[S.v], p)
    g[B.clock] = (x[S.ticks] + 1.0) * p[P.T] - t


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.clock]:
        x_new[S.ticks] = x[S.ticks] + 1.0
        return C.off if excess(0.0, x[S.v], p) >= 0.0 else C.on
    return C.on if chart == C.off else C.off


def initial_chart(x_new, t, x, p):
    return C.off if excess(t - x[S.ticks] * p[P.T], x[S.v], p) >= 0.0 else C.on


MODEL = Model(
    "buck_converter",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
)
