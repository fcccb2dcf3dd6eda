"""What the biped's states, parameters, boundaries and outputs are called, and what the bits of its chart mean.

Coordinates, speeds and everything with a 1 or a 2 in its name belong to foot 1, on which the biped stands in single
support, and to foot 2; `mode` says which of them is the right one. Names with `right` and `left` do not change with
the mode. Outputs are in the world: x forward, y to the left, z up.
"""

from typing import NamedTuple

from hybridsim import Boundary, Input, Message, Output, Parameter, Records, State

from .body import COORDINATE_NAMES, FIRST_JOINT, MECHANISM

STATES = Records(
    *MECHANISM.states(),
    State("motor_work", 0.0, "J", "done by the motors since the start"),
    State("push_work", 0.0, "J", "done by pushes since the start"),
    State("impact_loss", 0.0, "J", "of feet that meet the ground", continuous=False),
    State("slip_loss", 0.0, "J", "of feet that slip, by friction"),
    State("impulse1_z", 0.0, "N s", "of the ground on foot 1 at the last impact, upwards", continuous=False),
    State("impulse2_z", 0.0, "N s", "of the ground on foot 2 at the last impact, upwards", continuous=False),
    *(
        State(f"slip{i}_{axis}", 0.0, "", f"direction in which foot {i} began to slip", continuous=False)
        for i in (1, 2)
        for axis in "xy"
    ),
    *(State(f"ground{i}", 0.0, "m", f"height of the ground below foot {i}", continuous=False) for i in (1, 2)),
    State("ground_ahead", 0.0, "m", "that where foot 2 stands or shall land", continuous=False),
    State("posed", 0.0, "", "0: put in posture when the run begins; 1: as the states say", continuous=False),
    State("cause", 0.0, "", "of the end: the number of a limit, or 0", continuous=False),
    State("warned", 0.0, "", "limits beyond which the state is, as the bits of a number", continuous=False),
    State("heading", 0.0, "rad", "of foot 1: the biped's own x axis in the world, to the left", continuous=False),
    *(State(f"origin_{axis}", 0.0, "m", "of the biped's own frame, in the world", continuous=False) for axis in "xy"),
    *(
        State(f"{part}_turn", 0.0, "rad/s^2", "yaw acceleration that is held, in the own frame", continuous=False)
        for part in ("trunk", "foot2")
    ),
)
POLICIES = ("stop", "warn")
HOLDS_OF_YAW = ("joints", "ideal")
FEET = ("flat", "hinged")
PARAMETERS = Records(
    Parameter("mass", 73.0, "kg", "of the whole body", lower=1e-6),
    Parameter("stature", 1.75, "m", "height of the whole body", lower=1e-6),
    Parameter("g", 9.81, "m/s^2", "gravity", lower=1e-6),
    Parameter("hat_factor", 1.0, "", "head, arms and trunk: mass over that of the table", lower=1e-6),
    Parameter("hat_shift", 0.0, "m", "head, arms and trunk: mass centre above that of the table"),
    Parameter("inertia_factor", 1.0, "", "moments of inertia over those of the table", lower=1e-6),
    Parameter(
        "held", "joints", "", "what holds trunk yaw and swing foot: torques of joints, or nature", choices=HOLDS_OF_YAW
    ),
    Parameter("feet", "flat", "", "flat: a sole rests on the ground; hinged: on toe 1 and heel 2 alone", choices=FEET),
    Parameter("friction", 0.6, "", "coefficient of the ground", lower=0.0),
    Parameter("twist_radius", 0.07, "m", "arm with which friction resists the yaw moment of a sole", lower=0.0),
    Parameter("edge", 0.001, "m", "how far beyond an edge of the sole the centre of pressure may be", lower=0.0),
    Parameter("on_lift", "stop", "", "when the ground would have to pull at a foot", choices=(*POLICIES, "release")),
    Parameter("on_slip", "stop", "", "when a foot needs more friction than there is", choices=(*POLICIES, "slip")),
    Parameter("on_roll", "stop", "", "when a foot would roll over an edge at its side", choices=POLICIES),
    Parameter("on_tip", "stop", "", "when a foot would tip over its tip or heel", choices=POLICIES),
    Parameter("on_twist", "warn", "", "when the yaw moment of foot 1 is more than friction gives", choices=POLICIES),
    Parameter("fall_height", 0.5, "", "the trunk's mass centre has fallen below this part of the stature", lower=0.0),
    Parameter("start_mode", "right", "", "which foot is foot 1 at the start", choices=("right", "left")),
    Parameter("start_height", 0.97, "m", "of the mass centre at the start", lower=1e-6),
    Parameter("start_cop", 0.085, "m", "the mass centre at the start, ahead of the middle of the heels"),
    Parameter("start_step", 0.0, "m", "toe 2 ahead of toe 1 at the start"),
    Parameter("start_width", 0.16, "m", "from foot to foot at the start", lower=0.0),
    Parameter("start_pitch1", 0.0, "rad", "pitch of foot 1 at the start; positive: heel up", lower=0.0, upper=1.0),
    Parameter("start_pitch2", 0.0, "rad", "pitch of foot 2 at the start; negative: toe up", lower=-1.0, upper=0.0),
    Parameter("push_start", 1.0, "s", "when a push begins"),
    Parameter("push_duration", 0.1, "s", "how long it lasts", lower=0.0),
    Parameter("push_x", 0.0, "N", "the push on the mass centre of the trunk, forward"),
    Parameter("push_y", 0.0, "N", "the push, to the left"),
    Parameter("push_z", 0.0, "N", "the push, up"),
)
INPUTS = Records(
    Input("force_x", 0.0, "N", "on the mass centre of the trunk at all times, forward"),
    Input("force_y", 0.0, "N", "to the left"),
    Input("force_z", 0.0, "N", "up"),
    Input("slope", 0.0, "rad", "of the ground, uphill; z is normal to it", lower=-0.3, upper=0.3),
    Input("step_height", 0.0, "m", "of the next foothold above that of foot 1: stairs", lower=-0.3, upper=0.3),
)
CHART_FIELDS = {
    "mode": 1,
    "foot1": 2,
    "foot2": 2,
    "push": 2,
    "clear1": 1,
    "clear2": 1,
    "slips1": 2,
    "slips2": 2,
    "turned": 1,
}
TURNED_BIT = 13
STANCE_BITS = 31 | 1 << TURNED_BIT
"""Of the chart: mode, foot 1 and foot 2, and whether foot 2 may have a yaw: once the biped has begun to turn."""
BIT_NAMES = {"mode": ("left",), "foot1": ("toe 1", "heel 1"), "foot2": ("toe 2", "heel 2")}
RIGHT, LEFT = 0, 1
TOE, HEEL, FLAT = 1, 2, 3
"""What of a foot is on the ground: its toe (the hinge of the toes), its heel, or both."""
BEFORE, DURING, AFTER = range(3)
"""Of the push."""
HOLDS, BEGINS, SLIPS = range(3)
"""A foot that does not slip; that begins to; whose slip is under way."""

LIMITS = (
    ("lift1", "N", "the ground presses on foot 1", "the ground would have to pull at foot 1"),
    ("lift2", "N", "the ground presses on foot 2", "the ground would have to pull at foot 2"),
    ("slip1", "N", "friction holds foot 1", "foot 1 needs more friction than there is: it slips"),
    ("slip2", "N", "friction holds foot 2", "foot 2 needs more friction than there is: it slips"),
    ("roll1", "N m", "foot 1 does not roll over its side", "foot 1 rolls over an edge at its side"),
    ("roll2", "N m", "foot 2 does not roll over its side", "foot 2 rolls over an edge at its side"),
    ("tip1", "N m", "foot 1 does not tip over its tip", "foot 1 tips over its tip"),
    ("tip2", "N m", "foot 2 does not tip over its tip", "foot 2 tips over its tip"),
    ("back1", "N m", "foot 1 does not tip over its heel", "foot 1 tips over its heel"),
    ("back2", "N m", "foot 2 does not tip over its heel", "foot 2 tips over its heel"),
    ("twist1", "N m", "friction gives the yaw moment of foot 1", "foot 1 needs more yaw moment than friction gives"),
    ("trunk", "m", "the trunk's mass centre above the height of a fall", "the biped has fallen: its trunk is low"),
    ("sink1", "m", "a point of foot 1 that leaves is not pressed into the ground", "foot 1 is pressed into the ground"),
    ("sink2", "m", "a point of foot 2 that leaves is not pressed into the ground", "foot 2 is pressed into the ground"),
    ("knee1", "rad", "flexion of knee 1", "knee 1 is straight: it would bend backwards"),
    ("knee2", "rad", "flexion of knee 2", "knee 2 is straight: it would bend backwards"),
    ("jam", "", "feet that slip do not jam", "the feet jam: friction leaves them no way to stand or to slip"),
    (
        "fling",
        "rad/s",
        "no joint turns faster than 100 rad/s",
        "a limb is flung: its joint turns faster than 100 rad/s",
    ),
)
"""One-sided conditions: name, unit, what a positive value means, and what has happened where it is not."""
N_LIMITS = len(LIMITS)
POLICY_OF_LIMIT = (0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4)
"""Which of the parameters from on_lift on tells what to do; the others always end a run."""
GROUND_LIMITS = len(POLICY_OF_LIMIT)

BOUNDARIES = Records(
    *(Boundary(name, doc, unit, armed="when_positive") for name, unit, doc, _ in LIMITS),
    *(
        Boundary(f"{point}_down", f"{point[:-1]} {point[-1]} reaches the ground", "m", armed="when_positive")
        for point in ("toe1", "heel1", "toe2", "heel2")
    ),
    *(Boundary(f"stick{i}", f"foot {i}, which slips, comes to rest", "m/s", armed="when_positive") for i in (1, 2)),
    *(Boundary(f"fast{i}", f"foot {i} begins to slip; its slip is under way", "m/s") for i in (1, 2)),
    *(Boundary(f"clear{i}", f"a point of foot {i} has left the ground and risen", "m") for i in (1, 2)),
    Boundary("push_begins", "the push begins", "s", time=True),
    Boundary("push_ends", "the push ends", "s", time=True),
)
SIDES = ("right", "left")


def on_sides(text, mode):
    """Return a text with the names that the feet and knees have in this mode for people."""
    for number, side in ((1, SIDES[mode]), (2, SIDES[1 - mode])):
        for limb in ("foot", "knee"):
            text = text.replace(f"{limb} {number}", f"the {side} {limb}")
    return text


CAUSES = (
    *(Message(text) for *_, text in LIMITS),
    *(Message(f"{text}; the run goes on", "warning") for *_, text in LIMITS[:GROUND_LIMITS]),
    Message(
        "no such posture: the legs do not reach from the hips to the feet; lower start_height, start_step or "
        "start_width (and walk_height; of a body of average build, 0.554 of the stature is a good height for both)"
    ),
    Message("the constraints have lost rank: a leg is straight, and its speeds are not determined"),
    Message("a foot stands on an edge at its side: there are no charts for that"),
    Message("the states at the start are not those of feet on the ground; give those of a recorded row, with its mode"),
    Message("coordinates are given at the start, which the posture replaces: set `posed` to 1, or leave them out"),
    Message("no such posture: the legs cannot be folded so far; raise start_height (and walk_height)"),
)
"""Why a run ends, or warns. A cause is a number from 1 on: limits, limits that only warn, and others."""
CAUSES_BY_MODE = tuple((on_sides(each.text, mode), each.severity) for mode in (0, 1) for each in CAUSES)
"""Text and severity of the causes in the right mode, then in the left mode."""
MESSAGES = tuple(Message(*each) for each in dict.fromkeys(CAUSES_BY_MODE))
MESSAGE_OF_CAUSE = (0, *(list(dict.fromkeys(CAUSES_BY_MODE)).index(each) + 1 for each in CAUSES_BY_MODE))
"""The numbers of the messages: 0 for no cause, then as in CAUSES_BY_MODE."""
N_CAUSES = len(CAUSES)
NO_POSTURE = N_LIMITS + GROUND_LIMITS + 1
NO_RANK, ON_EDGE, NOT_STANDING, REPLACED, TOO_LOW = range(NO_POSTURE + 1, NO_POSTURE + 6)

JOINTS = COORDINATE_NAMES[FIRST_JOINT:]
OUTPUTS = Records(
    *(Output(f"com_{axis}", "m", "mass centre") for axis in "xyz"),
    *(Output(f"com_v{axis}", "m/s", "velocity of the mass centre") for axis in "xyz"),
    Output("cop_x", "m", "centre of pressure; nan in flight"),
    Output("cop_y", "m", "centre of pressure; nan in flight"),
    *(Output(f"f{axis}1", "N", "ground on foot 1") for axis in "xyz"),
    *(Output(f"t{axis}1", "N m", "ground on foot 1, about its toe") for axis in "xy"),
    *(Output(f"f{axis}2", "N", "ground on foot 2") for axis in "xyz"),
    *(Output(f"t{axis}2", "N m", "ground on foot 2, about its heel") for axis in "xy"),
    Output("tz1", "N m", "ground on foot 1, about its toe: what the missing coordinate hides; nan in the air"),
    *(Output(f"fz_{side}", "N", f"ground on the {side} foot") for side in SIDES),
    *(Output(f"torque_{joint}", "N m", "motor") for joint in JOINTS),
    *(
        Output(f"{joint}_{side}", "rad", text)
        for side in SIDES
        for joint, text in (("hip", "thigh ahead of the trunk"), ("knee", "flexion"), ("ankle", "dorsiflexion"))
    ),
    *(
        Output(f"{joint}_torque_{side}", "N m", text)
        for side in SIDES
        for joint, text in (("hip", "extends"), ("knee", "extends"), ("ankle", "pushes the toe down"))
    ),
    *(
        Output(f"{part}_{side}_{axis}", "m", f"{part} of the {side} foot")
        for side in SIDES
        for part in ("heel", "toe")
        for axis in "xyz"
    ),
    Output("trunk_roll", "rad"),
    Output("trunk_pitch", "rad"),
    Output("trunk_yaw", "rad"),
    Output("friction_used", "", "the larger ratio of a foot's horizontal force to its pressure; inf where it pulls"),
    Output("sole_margin", "m", "from the centre of pressure of a foot to its nearest edge, the smaller one"),
    Output("motor_power", "W", "of the motors on the body"),
    Output("kinetic", "J"),
    Output("potential", "J"),
    Output("energy_balance", "J", "kinetic + potential + losses - work of motors and pushes: constant"),
    Output("drift_speed", "m/s", "of the points that the ground holds: what rounding and integration leave"),
    Output("slip_speed", "m/s", "of a foot that slips, the faster one"),
)

S = STATES.indices
P = (PARAMETERS + INPUTS).indices
B = BOUNDARIES.indices
N_BOUNDARIES = len(BOUNDARIES)
Y = OUTPUTS.indices


class Foot(NamedTuple):
    """What of a foot is on the ground, whether the rest has risen above it, and if it slips: HOLDS, BEGINS or SLIPS."""

    contact: int
    clear: int
    slips: int


class Feet(NamedTuple):
    """Which foot is foot 1, how the feet stand, and whether foot 2 may have a yaw."""

    mode: int
    foot1: Foot
    foot2: Foot
    turned: int = 0


LEAVING_FOOT = Foot(0, 0, HOLDS)
"""A foot that has just left the ground."""


def mode_of(chart):
    return chart & 1


def foot1_of(chart):
    return chart >> 1 & 3


def foot2_of(chart):
    return chart >> 3 & 3


def push_of(chart):
    return chart >> 5 & 3


def is_clear(chart, foot):
    """Return whether the points of foot 1 (foot = 0) or 2 (1) that are not on the ground have risen above it."""
    return chart >> (7 + foot) & 1


def slips(chart, foot):
    """Return how foot 1 (foot = 0) or 2 (1) slips: HOLDS, BEGINS or SLIPS."""
    return chart >> (9 + 2 * foot) & 3


def is_turned(chart):
    """Return whether foot 2 may have a yaw, so that its rows are along axes of its own."""
    return chart >> TURNED_BIT & 1


def chart_of(feet, push):
    """Return the chart of `Feet` and the progress of the push."""
    foot1, foot2 = feet.foot1, feet.foot2
    standing = feet.mode | foot1.contact << 1 | foot2.contact << 3 | push << 5
    slipping = foot1.slips << 9 | foot2.slips << 11
    return standing | foot1.clear << 7 | foot2.clear << 8 | slipping | feet.turned << TURNED_BIT


def feet_of(chart):
    """Return the `Feet` of a chart."""
    foot1 = Foot(foot1_of(chart), is_clear(chart, 0), slips(chart, 0))
    foot2 = Foot(foot2_of(chart), is_clear(chart, 1), slips(chart, 1))
    return Feet(mode_of(chart), foot1, foot2, is_turned(chart))


def mirror_of(chart):
    """Return the factor of y between the biped's own frame and the world: 1 in the right mode, -1 in the left."""
    return 1.0 - 2.0 * mode_of(chart)


def on_ground(contact):
    """Return whether a foot is on the ground with any of its points."""
    return contact != 0
