"""What holds the trunk upright from outside, while a gait is sought: a part that does so, and one that does not.

Outside a band of pitch, a torque of a spring from its edge, and of a damper, acts on the trunk (van den Kieboom 2014).
"""

import math

from hybridsim import Boundary, Output, Parameter, Part, Records

PARAMETERS = Records(
    Parameter("assist_band", math.radians(5.0), "rad", "pitch of the trunk up to which nothing helps", lower=1e-3),
    Parameter("assist_stiffness", 3000.0, "N m/rad", "0: the band is watched, and nothing helps", lower=0.0),
    Parameter("assist_damping", 20.0, "N m s/rad", lower=0.0),
)
# An event of the feet at the same instant may move the trunk by rounding, to the other side of the edge.
BOUNDARIES = Records(
    Boundary("leans_forward", "the trunk's pitch goes beyond the band", "rad", degree=1, armed="when_positive"),
    Boundary("leans_backward", "the trunk's pitch goes beyond the band", "rad", degree=1, armed="when_positive"),
    Boundary("is_upright", "the trunk comes back into the band", "rad", degree=1, armed="when_positive"),
)
P, B = PARAMETERS.indices, BOUNDARIES.indices
UPRIGHT, FORWARD, BACKWARD = range(3)


def edge(p, chart):
    """Return the pitch at the edge of the band beyond which the trunk is."""
    return p[P.assist_band] if chart == FORWARD else -p[P.assist_band]


def trunk_torque(t, x, p, chart, pitch, rate):
    if chart == UPRIGHT:
        return 0.0
    return p[P.assist_stiffness] * (edge(p, chart) - pitch) - p[P.assist_damping] * rate


def boundaries(g, t, x, p, chart, pitch_now):
    if chart == UPRIGHT:
        g[B.leans_forward] = p[P.assist_band] - pitch_now(t)
        g[B.leans_backward] = pitch_now(t) + p[P.assist_band]
    else:
        beyond = pitch_now(t) - edge(p, chart)
        g[B.is_upright] = beyond if chart == FORWARD else -beyond


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.leans_forward]:
        return FORWARD
    return BACKWARD if crossed[B.leans_backward] else UPRIGHT


def initial_chart(x_new, t, x, p, pitch_now):
    pitch = pitch_now(t)
    if abs(pitch) <= p[P.assist_band]:
        return UPRIGHT
    return FORWARD if pitch > 0.0 else BACKWARD


def outputs(y, t, x, p, chart):
    y[0] = 0.0 if chart == UPRIGHT else 1.0


BAND = Part(
    "band",
    couplings=(trunk_torque,),
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=Records(Output("assisted", "", "1 while the trunk is outside the band")),
    chart_fields={"leaning": 2},
    doc="a torque on the trunk outside a band of its pitch",
)


def no_torque(t, x, p, chart, pitch, rate):
    return 0.0


NONE = Part("none", couplings={"trunk_torque": no_torque}, doc="nothing")
