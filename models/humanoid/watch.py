"""What is seen of a walk beside its forces: strides, their mean speed, and a fall."""

from hybridsim import DECLINED, Boundary, Output, Parameter, Part, Records, State

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
FIRST_HALF, SECOND_HALF = 0, 1


def boundaries(g, t, x, p, chart, wait, hip_height, pitch_now):
    if chart == FIRST_HALF:
        g[B.half_stride] = wait(t, 1, 0.0)
    else:
        g[B.stride] = wait(t, 0, 0.0)
    g[B.fall] = min(hip_height(t) - p[P.fall_height], p[P.fall_pitch] - abs(pitch_now(t)))


def transition(x_new, t, x, p, chart, crossed, hip_place, instant):
    if crossed[B.half_stride]:
        return SECOND_HALF
    if not crossed[B.stride]:
        return DECLINED
    x_new[S.stride_begin] = hip_place(t)
    x_new[S.stride_speed] = (hip_place(t) - x[S.stride_begin]) / (instant(t, 0, 1.0) - instant(t, 0, 0.0))
    return FIRST_HALF


def initial_chart(x_new, t, x, p, phase):
    return FIRST_HALF if phase(t, 0) < 0.5 else SECOND_HALF


def outputs(y, t, x, p, chart):
    y[0] = x[S.stride_speed]


STRIDES = Part(
    "strides",
    STATES,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=Records(Output("speed_of_stride", "m/s", "mean of the last one")),
    chart_fields={"second_half": 1},
    doc="sees strides and a fall",
)
