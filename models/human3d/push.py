"""Pushes on the trunk: one from an instant on, for a time, and inputs that hold until they change."""

from hybridsim import Boundary, Input, Parameter, Part, Records

AXES = "xyz"
PARAMETERS = Records(
    *(Parameter(f"push_{axis}", 0.0, "N", "at the trunk's mass centre") for axis in AXES),
    Parameter("push_start", 1.0, "s", "when it begins"),
    Parameter("push_duration", 0.1, "s", "how long it lasts", lower=0.0),
)
INPUTS = Records(*(Input(f"force_{axis}", 0.0, "N", "on the trunk, until it is changed") for axis in AXES))
BOUNDARIES = Records(Boundary("push_changes", "the push begins or ends", "s", time=True))
P = PARAMETERS.indices
BEFORE, DURING, AFTER = range(3)


def boundaries(g, t, x, p, chart):
    if chart == BEFORE:
        g[0] = p[P.push_start] - t
    elif chart == DURING:
        g[0] = p[P.push_start] + p[P.push_duration] - t


def transition(x_new, t, x, p, chart, crossed):
    return chart + 1


def initial_chart(x_new, t, x, p):
    if t < p[P.push_start]:
        return BEFORE
    return DURING if t < p[P.push_start] + p[P.push_duration] else AFTER


def push(t, x, p, chart, axis):
    """Return the force along an axis of the world [N]."""
    given = p[N_PARAMETERS + axis]
    return given + p[axis] if chart == DURING else given


N_PARAMETERS = len(PARAMETERS)
PUSHES = Part(
    "window",
    couplings=(push,),
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    inputs=INPUTS,
    boundary_records=BOUNDARIES,
    chart_fields={"push": 2},
    doc="a push of the trunk, and forces from outside",
)
