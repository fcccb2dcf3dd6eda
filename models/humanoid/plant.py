"""A humanoid without what drives it: torques on its joints, the pose in which it begins, and what is recorded.

The functions below are those of every figure; `humanoid` gives each model its own, with BODY as their constant.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import NamedTuple

from hybridsim import Model, Output, Parameter, Records, Slot
from hybridsim.contacts import Patch, Pin, contact_model
from hybridsim.errors import ModelError
from hybridsim.multibody import Body, Mechanism
from hybridsim.typing import Function

from .assist import BAND
from .assist import NONE as NO_ASSIST
from .body import Figure
from .impedance import CONST, PPOLY, STEP
from .push import NONE as NO_PUSH
from .push import SWING
from .watch import STRIDES

JOINTS, LEGS = ("hip", "knee", "ankle"), ("left", "right")
X, Z, PITCH, HIP, PER_LEG = 0, 1, 2, 3, 3
JUST_BEHIND = 1e-6
"""Part of a cycle behind a phase in which it is not yet one that is to come: what ends there has ended by then."""


class Numbers(NamedTuple):
    """What the functions know of a figure: the number of speeds, lengths [m], and the bits of the feet in the chart."""

    n: int
    thigh: float
    shank: float
    heel: float
    ball: float
    sole: float
    left_down: int
    right_down: int


SOLE_DOWN, TOE_DOWN = 3, 1 << 8
"""Bits of the left foot's points in the chart: those of the right sole follow after 4 bits, that of its toe after 3."""

PACKAGE = __name__.partition(".")[0]
BODY = Numbers(9, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0)
PARAMETERS = Records(
    Parameter("frequency", 0.7, "1/s", "of strides", lower=1e-3),
    Parameter("phase", 0.0, "", "of the left leg at t = 0; the right one is half a cycle from it"),
    Parameter("torque_limit", 30.0, "N m", "of each joint", lower=0.0),
    Parameter("ligament", 0.0, "N m/rad^3", "of a knee that is stretched beyond `ligament_angle`", lower=0.0),
    Parameter("ligament_angle", math.radians(-2.0), "rad", "of the knee"),
    Parameter("clearance", 0.005, "m", "from the ground to the lowest point at the beginning"),
)
P = PARAMETERS.indices
OUTPUTS = Records(
    *(Output(f"{leg}_{joint}_torque", "N m") for leg in LEGS for joint in JOINTS),
    Output("torque", "N m", "sum of the sizes of all six"),
    Output("power", "W", "sum of the sizes of torque times rate, of all six"),
    Output("left_stance", "", "1 while a point of the foot is down"),
    Output("right_stance", "", "1 while a point of the foot is down"),
    Output("airborne", "", "1 while none is down"),
)
Y = OUTPUTS.indices


def turns(t, x, p, chart, leg):
    """Return how many cycles a leg has gone through; the right one is half a cycle ahead in its count."""
    return p[P.frequency] * t + p[P.phase] + 0.5 * leg


def phase(t, x, p, chart, leg):
    """Return the phase of a leg's cycle, from 0 to 1."""
    gone = p[P.frequency] * t + p[P.phase] + 0.5 * leg
    return gone - math.floor(gone)


def instant(t, x, p, chart, leg, cycles):
    """Return when a leg has gone through so many cycles [s]."""
    return (cycles - p[P.phase] - 0.5 * leg) / p[P.frequency]


def wait(t, x, p, chart, leg, at):
    """Return the time until a leg is at a phase [s]; just behind it, this is negative."""
    cycles = at - phase(t, x, p, chart, leg) + JUST_BEHIND
    return (cycles - math.floor(cycles) - JUST_BEHIND) / p[P.frequency]


def hip_place(t, x, p, chart):
    return x[X]


def hip_height(t, x, p, chart):
    return x[Z]


def pitch_now(t, x, p, chart):
    return x[PITCH]


SENSORS = (turns, phase, instant, wait, hip_place, hip_height, pitch_now)


def joint_torque(t, x, p, leg, joint, torque):
    """Return the torque of a joint's motor, within its limit [N m]."""
    i = HIP + PER_LEG * leg + joint
    wanted = torque(t, leg, joint, x[i], x[BODY.n + i])
    return min(max(wanted, -p[P.torque_limit]), p[P.torque_limit])


def forces(force, t, x, p, torque, trunk_torque, push):
    force[PITCH] += trunk_torque(t, x[PITCH], x[BODY.n + PITCH])
    for leg in range(2):
        hip = HIP + PER_LEG * leg
        for joint in range(PER_LEG):
            force[hip + joint] += joint_torque(t, x, p, leg, joint, torque)
        force[hip + 1] += ligament_torque(x[hip + 1], x[BODY.n + hip + 1], p)
        size = push(t, leg)
        if size != 0.0:
            thigh = x[PITCH] - x[hip]
            upper, lower = BODY.thigh * math.cos(thigh), BODY.shank * math.cos(thigh + x[hip + 1])
            force[X] += size
            force[PITCH] -= size * (upper + lower)
            force[hip] += size * (upper + lower)
            force[hip + 1] -= size * lower


def ligament_torque(angle, rate, p):
    """Return the torque of a stretched knee's ligament, which never pulls: c d^3 (1 - rate), d beyond its angle."""
    beyond = p[P.ligament_angle] - angle
    return p[P.ligament] * beyond**3 * max(1.0 - rate, 0.0) if beyond > 0.0 else 0.0


def outputs(y, t, x, p, chart, torque):
    y[Y.torque] = y[Y.power] = 0.0
    for leg in range(2):
        for joint in range(PER_LEG):
            i = PER_LEG * leg + joint
            y[i] = joint_torque(t, x, p, leg, joint, torque)
            y[Y.torque] += abs(y[i])
            y[Y.power] += abs(y[i] * x[BODY.n + HIP + i])
    y[Y.left_stance] = 1.0 if chart & BODY.left_down else 0.0
    y[Y.right_stance] = 1.0 if chart & BODY.right_down else 0.0
    y[Y.airborne] = 0.0 if chart & (BODY.left_down | BODY.right_down) else 1.0


def prepare(x_new, t, x, p, target):
    """Put a figure whose hips are on the ground, as they are unless told otherwise, into the pose of its targets."""
    if x[Z] != 0.0:
        return
    lowest = 0.0
    for leg in range(2):
        hip = HIP + PER_LEG * leg
        for joint in range(PER_LEG):
            x_new[hip + joint] = target(t, leg, joint)
        thigh = x[PITCH] - x_new[hip]
        shank = thigh + x_new[hip + 1]
        foot = shank - x_new[hip + 2]
        ankle = -BODY.thigh * math.cos(thigh) - BODY.shank * math.cos(shank) - BODY.sole * math.cos(foot)
        lowest = min(lowest, ankle - max(BODY.heel * math.sin(foot), BODY.ball * math.sin(foot)))
    x_new[Z] = p[P.clearance] - lowest


def with_constants(function, **constants):
    """Return a function with constants of its own instead of those of its file, also in what it calls."""
    known = function.__globals__ | {name: each for name, each in constants.items() if name in function.__globals__}
    helpers = {name: known[name] for name in function.__code__.co_names if name in known}
    own = {key: each for key, each in helpers.items() if asks_for(each, constants)}
    known |= {key: with_constants(each, **constants) for key, each in own.items()}
    return FunctionType(function.__code__, known, function.__name__)


def asks_for(function, constants):
    """Return whether something is a function that uses one of the constants, itself or in what it calls."""
    if not (isinstance(function, FunctionType) and function.__module__.startswith(PACKAGE)):
        return False
    named = [name for name in function.__code__.co_names if name in function.__globals__]
    return any(name in constants or asks_for(function.__globals__[name], constants) for name in named)


def slot(name, default, choices, couplings=(), *, sensors=SENSORS, doc):
    """Return a slot whose parts know of the cycle and of the trunk."""
    return Slot(name, couplings=couplings, choices=choices, default=default, sensors=sensors, doc=doc)


SLOTS = (
    slot("control", "const", {"const": CONST, "step": STEP, "ppoly": PPOLY}, ("torque", "target"), doc="of the joints"),
    slot("assist", "none", {"none": NO_ASSIST, "band": BAND}, ("trunk_torque",), doc="holds the trunk from outside"),
    slot("pushes", "none", {"none": NO_PUSH, "swing": SWING}, ("push",), doc="of the swinging leg"),
    slot("watch", "strides", {"strides": STRIDES}, doc="what is seen of the walk"),
)


class Worn(NamedTuple):
    """What a figure wears: bodies behind its own, loops, and functions instead of those above; nothing by default.

    `constants` are those of these functions, as BODY is one of them.
    """

    bodies: Sequence[Body] = ()
    loops: Sequence[Pin] = ()
    constants: Mapping[str, object] = {}
    forces: Function = forces
    outputs: Function = outputs
    prepare: Function = prepare
    parameters: Sequence[Parameter] = ()
    output_records: Sequence[Output] = ()
    slots: Sequence[Slot] = ()


def humanoid(
    name: str, figure: Figure, *, friction: float = 0.8, worn: Worn | None = None, doc: str = "", **defaults: float
) -> Model:
    """Make the model of a figure.

    Parameters
    ----------
    name : str
        An identifier.
    figure : Figure
        Its body.
    friction : float
        Coefficient of its feet.
    worn : Worn, optional
        What it wears.
    doc : str
        What it is, in one line.
    **defaults
        Defaults of parameters of the plant, by name.

    Returns
    -------
    Model
        A plant, whose slots have their default parts.

    Raises
    ------
    ModelError
        If a default is that of no parameter, or the figure is none.
    """
    if not isinstance(figure, Figure):
        raise ModelError(
            f"{name}: expected a Figure, found {figure!r}; give coman(), human(height=1.7) or one of your own"
        )
    worn = worn or Worn()
    parameters = [*PARAMETERS, *worn.parameters]
    known = [each.name for each in parameters]
    for each in defaults:
        if each not in known:
            raise ModelError(f"{name}: there is no parameter {each!r}; it has {', '.join(known)}")
    mechanism, toe = Mechanism(*figure.mechanism().bodies, *worn.bodies), figure.toe
    ends = [(end, 0.0, -figure.sole) for end in (figure.heel, figure.ball)]
    feet = [Patch(leg, f"{leg}_foot", ends, friction=friction) for leg in LEGS]
    feet += [Patch(f"{leg}_toe", f"{leg}_toe", [(toe.length, 0.0, 0.0)], friction=friction) for leg in LEGS if toe]
    front = figure.ball + (toe.length if toe else 0.0)
    lengths = figure.thigh.length, figure.shank.length, figure.heel, front, figure.sole
    down = [SOLE_DOWN << 4 * leg | (TOE_DOWN << 3 * leg if toe else 0) for leg in range(2)]
    own = partial(with_constants, BODY=Numbers(mechanism.tree.n_speeds, *lengths, *down), **worn.constants)
    return contact_model(
        name,
        mechanism,
        feet,
        loops=worn.loops,
        initial={"base_xdot": 0.4},
        forces=own(worn.forces),
        outputs=own(worn.outputs),
        prepare=own(worn.prepare),
        parameters=[replace(each, default=defaults.get(each.name, each.default)) for each in parameters],
        output_records=[*OUTPUTS, *worn.output_records],
        slots=(*SLOTS, *worn.slots),
        doc=doc,
    )
