"""A humanoid without what drives it: torques on its joints, the pose in which it begins, and what is recorded.

The functions below are those of every figure; `humanoid` gives each model its own, with BODY as their constant.
"""

import math
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import NamedTuple

from hybridsim import Model, Output, Parameter, Records, Slot
from hybridsim.contacts import Patch, contact_model
from hybridsim.errors import ModelError

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


def of_figure(function, body):
    """Return a function of this file with the numbers of a figure as its constant BODY."""
    known = {**function.__globals__, "BODY": body}
    helpers = {name: known[name] for name in function.__code__.co_names if name in known}
    own = {key: each for key, each in helpers.items() if getattr(each, "__module__", "") == __name__ and callable(each)}
    known |= {key: of_figure(each, body) for key, each in own.items()}
    return FunctionType(function.__code__, known, function.__name__)


CONTROL = Slot(
    "control",
    couplings=("torque", "target"),
    choices={"const": CONST, "step": STEP, "ppoly": PPOLY},
    default="const",
    sensors=SENSORS,
    doc="impedance of the joints",
)
ASSIST = Slot(
    "assist",
    couplings=("trunk_torque",),
    choices={"none": NO_ASSIST, "band": BAND},
    default="none",
    sensors=SENSORS,
    doc="what holds the trunk from outside",
)
PUSHES = Slot(
    "pushes",
    couplings=("push",),
    choices={"none": NO_PUSH, "swing": SWING},
    default="none",
    sensors=SENSORS,
    doc="of the swinging leg",
)
WATCH = Slot(
    "watch",
    couplings=(),
    choices={"strides": STRIDES},
    default="strides",
    sensors=SENSORS,
    doc="what is seen of the walk",
)


def humanoid(name: str, figure: Figure, *, friction: float = 0.8, doc: str = "", **defaults: float) -> Model:
    """Make the model of a figure.

    Parameters
    ----------
    name : str
        An identifier.
    figure : Figure
        Its body.
    friction : float
        Coefficient of its feet.
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
        If a default is that of no parameter.
    """
    for each in defaults:
        if each not in PARAMETERS:
            raise ModelError(f"{name}: there is no parameter {each!r}; it has {', '.join(PARAMETERS.names)}")
    mechanism, toe = figure.mechanism(), figure.toe
    ends = [(end, 0.0, -figure.sole) for end in (figure.heel, figure.ball)]
    feet = [Patch(leg, f"{leg}_foot", ends, friction=friction) for leg in LEGS]
    feet += [Patch(f"{leg}_toe", f"{leg}_toe", [(toe.length, 0.0, 0.0)], friction=friction) for leg in LEGS if toe]
    front = figure.ball + (toe.length if toe else 0.0)
    lengths = figure.thigh.length, figure.shank.length, figure.heel, front, figure.sole
    down = [SOLE_DOWN << 4 * leg | (TOE_DOWN << 3 * leg if toe else 0) for leg in range(2)]
    own = partial(of_figure, body=Numbers(mechanism.tree.n_speeds, *lengths, *down))
    return contact_model(
        name,
        mechanism,
        feet,
        initial={"base_xdot": 0.4},
        forces=own(forces),
        outputs=own(outputs),
        prepare=own(prepare),
        parameters=[replace(each, default=defaults.get(each.name, each.default)) for each in PARAMETERS],
        output_records=OUTPUTS,
        slots=(CONTROL, ASSIST, PUSHES, WATCH),
        doc=doc,
    )
