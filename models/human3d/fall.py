"""A fall: a part of the body other than the soles reaches the ground, and the run ends with its name."""

from hybridsim import Boundary, Message, Output, Part, Records, State

PARTS = ("left_knee", "right_knee", "pelvis", "left_shoulder", "right_shoulder", "head")
N_PARTS = len(PARTS)
OUTPUTS = Records(
    Output(
        "fallen_part",
        "",
        "the part that has reached the ground: "
        + ", ".join(f"{number} {part}" for number, part in enumerate(PARTS, 1))
        + "; 0: none",
    )
)
STATES = Records(State("fallen", 0.0, "", "the part that has reached the ground, from 1 on", continuous=False))
BOUNDARIES = Records(Boundary("fall", "a knee, the pelvis, a shoulder or the head reaches the ground", "m"))


def lowest(t, clearance):
    """Return the part that is nearest to the ground."""
    part = 0
    for other in range(1, N_PARTS):
        if clearance(t, other) < clearance(t, part):
            part = other
    return part


def boundaries(g, t, x, p, chart, clearance):
    g[0] = clearance(t, 0)
    for part in range(1, N_PARTS):
        g[0] = min(g[0], clearance(t, part))


def transition(x_new, t, x, p, chart, crossed, clearance):
    x_new[0] = 1.0 + lowest(t, clearance)
    return chart


def validate(t, x, p, chart):
    return int(x[0])


def outputs(y, t, x, p, chart):
    y[0] = x[0]


FALL = Part(
    "fall",
    STATES,
    boundaries=boundaries,
    transition=transition,
    validate=validate,
    outputs=outputs,
    output_records=OUTPUTS,
    boundary_records=BOUNDARIES,
    messages=tuple(Message(f"the person has fallen: the {part.replace('_', ' ')} is on the ground") for part in PARTS),
    doc="ends a run where a part of the body other than the soles reaches the ground",
)
