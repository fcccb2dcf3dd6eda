"""A drive for the pendulum: it pushes towards the rest position, in pulses, and integrates the angle."""

from hybridsim import Boundary, Output, Parameter, Part, Records, State

STATES = Records(State("pulses", continuous=False), State("integral", 0.0, "rad s"))
PARAMETERS = Records(
    Parameter("gain", 3.0, "1/s^2"),
    Parameter("profile", (0.5, 1.0, 0.25, 0.75), "", "strength of the four pulses of a round"),
    Parameter("period", 0.37, "s", lower=1e-3),
)
BOUNDARIES = Records(Boundary("tick", "the next pulse", "s", time=True))
OUTPUTS = Records(Output("strength"))

S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
N_PULSES = 4


def vector_field(xdot, t, x, p, chart, angle_seen):
    xdot[S.integral] = angle_seen(t)


def boundaries(g, t, x, p, chart):
    g[B.tick] = (x[S.pulses] + 1.0) * p[P.period] - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.pulses] = x[S.pulses] + 1.0
    return (chart + 1) % N_PULSES


def outputs(y, t, x, p, chart):
    y[Y.strength] = strength(p, chart)


def strength(p, chart):
    return p[int(p[P.profile]) + chart]


def torque(t, x, p, chart, angle, speed):
    return -p[P.gain] * strength(p, chart) * (angle + x[S.integral])


PART = Part(
    "pulses",
    STATES,
    couplings=(torque,),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    chart_fields={"pulse": 2},
    doc="pulses towards the rest position",
)
