"""What is seen of a walk beside its forces: strides, their mean speed, and a fall."""

from hybridsim import DECLINED, Boundary, Output, Parameter, Part, Records, State

STATES = Records(
    State("strides", 0.0, "", "cycles of the left leg that are over", continuous=False),
    State("stride_begin", 0.0, "m", "where the hips were at the last of them", continuous=False),
    State("stride_speed", 0.0, "m/s", "mean speed of the last stride", continuous=False),
)
PARAMETERS = Records(
    Parameter("fall_height", 0.4, "m", "the hips of one that falls are lower than this"),
    Parameter("fall_pitch", 1.0471975511965976, "rad", "or its trunk leans more than this", lower=0.0),
)
BOUNDARIES = Records(
    Boundary("stride", "a cycle of the left leg ends", "s", time=True),
    Boundary("fall", "the hips are low, or the trunk leans far", ""),
)
S, P, B = STATES.indices, PARAMETERS.indices, BOUNDARIES.indices


def boundaries(g, t, x, p, chart, instant, hip_height, pitch_now):
    g[B.stride] = instant(t, 0, x[S.strides] + 1.0) - t
    g[B.fall] = min(hip_height(t) - p[P.fall_height], p[P.fall_pitch] - abs(pitch_now(t)))


def transition(x_new, t, x, p, chart, crossed, hip_place, instant):
    if not crossed[B.stride]:
        return DECLINED
    stride = instant(t, 0, 1.0) - instant(t, 0, 0.0)
    x_new[S.strides] = x[S.strides] + 1.0
    x_new[S.stride_begin] = hip_place(t)
    x_new[S.stride_speed] = (hip_place(t) - x[S.stride_begin]) / stride
    return chart


def initial_chart(x_new, t, x, p, turns, hip_place):
    x_new[S.strides] = max(x[S.strides], turns(t, 0) // 1.0)
    return 0


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
    doc="counts strides, and sees a fall",
)
