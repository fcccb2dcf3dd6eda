"""What is seen of a walk beside its forces: strides, their mean speed, and a fall."""

from hybridsim import Boundary, Message, Output, Parameter, Part, Records, State

STATES = Records(
    State("stride_begin", 0.0, "m", "where the hips were as the last stride began", continuous=False),
    State("stride_speed", 0.0, "m/s", "mean speed of the stride before", continuous=False),
)
PARAMETERS = Records(
    Parameter("fall_height", 0.4, "m", "the hips of one that falls are lower than this"),
    Parameter("fall_pitch", 1.0471975511965976, "rad", "or its trunk leans more than this", lower=0.0),
)
BOUNDARIES = Records(
    Boundary("stride", "a cycle of the left leg begins", "s", time=True),
    Boundary("half_stride", "a cycle of the right leg begins", "s", time=True),
    Boundary("fall", "the hips are low, or the trunk leans far", ""),
)
S, P, B = STATES.indices, PARAMETERS.indices, BOUNDARIES.indices
SECOND_HALF, FALLEN = 1, 2
"""Bits of the chart: who has fallen cannot fall once more."""


def boundaries(g, t, x, p, chart, wait, hip_height, pitch_now):
    if chart & SECOND_HALF:
        g[B.stride] = wait(t, 0, 0.0)
    else:
        g[B.half_stride] = wait(t, 1, 0.0)
    if not chart & FALLEN:
        g[B.fall] = upright_by(t, p, hip_height, pitch_now)


def upright_by(t, p, hip_height, pitch_now):
    """Return how far from a fall the body is, in height [m] or in pitch [rad]."""
    return min(hip_height(t) - p[P.fall_height], p[P.fall_pitch] - abs(pitch_now(t)))


def transition(x_new, t, x, p, chart, crossed, hip_place, instant):
    new = chart
    if crossed[B.half_stride]:
        new |= SECOND_HALF
    if crossed[B.stride]:
        x_new[S.stride_begin] = hip_place(t)
        x_new[S.stride_speed] = (hip_place(t) - x[S.stride_begin]) / (instant(t, 0, 1.0) - instant(t, 0, 0.0))
        new &= FALLEN
    return new | FALLEN if crossed[B.fall] else new


def initial_chart(x_new, t, x, p, phase):
    return 0 if phase(t, 0) < 0.5 else SECOND_HALF


def validate(t, x, p, chart, hip_height, pitch_now):
    """Refuse to begin in a fall: later ones are crossings, at which this is zero but for rounding."""
    return 1 if not chart & FALLEN and upright_by(t, p, hip_height, pitch_now) < -1e-6 else 0


def outputs(y, t, x, p, chart):
    y[0] = x[S.stride_speed]


STRIDES = Part(
    "strides",
    STATES,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    validate=validate,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=Records(Output("speed_of_stride", "m/s", "mean of the last one")),
    messages=(
        Message(
            "the run begins in a fall: the hips are below fall_height = {fall_height} m, or the trunk beyond fall_pitch"
        ),
    ),
    chart_fields={"second_half": 1, "fallen": 1},
    doc="sees strides and a fall",
)
