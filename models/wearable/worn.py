"""A human who walks with the robot on both legs: its links, joints and loops, and what its actuators do.

Torques of the actuators pass through the linkage. With T the rates of the actuators per rates of the limb's joints,
T^-T times the torques that the human's control wants of these joints would do the same in their stead, and the part in
the slot `robot` says how much of that they do. The functions below are those of every robot; `wearer` gives each model
its own, with ROBOT as their constant.
"""

from typing import NamedTuple

import numpy as np

from hybridsim import Boundary, Message, Model, ModelError, Output, Parameter, Part, Records, scratch, subarray
from hybridsim_models.humanoid.body import Figure
from hybridsim_models.humanoid.plant import (
    LEGS,
    OUTPUTS,
    PARAMETERS,
    PER_LEG,
    SENSORS,
    Worn,
    Y,
    forces,
    humanoid,
    joint_torque,
    outputs,
    prepare,
    slot,
    with_constants,
)

from .device import BODIES, JOINTS, Robot, fit, joints_of
from .links import ANGLES, CLOSED, RATES, ROBOT, built, close_links, coordinate, transmission_of
from .statics import values_of

OWN_PARAMETERS = Records(
    Parameter("actuator_limit", 1e6, "N m", "of the torque of each actuator of the robot", lower=0.0)
)
LIMIT = len(PARAMETERS)
OWN_OUTPUTS = Records(
    *(
        Output(f"{leg}_{name}", unit, doc)
        for leg in LEGS
        for name, unit, doc in (
            ("actuator_1", "N m", "torque of the first actuator"),
            ("actuator_2", "N m", "of the second; 0 if there is but one"),
            ("rate_1", "rad/s", "of the first actuator"),
            ("rate_2", "rad/s", "of the second"),
            ("least_value", "", "least singular value of the actuators' rates per rates of the limb's joints"),
        )
    ),
    Output("robot_torque", "N m", "sum of the sizes of all"),
    Output("robot_power", "W", "sum of the sizes of torque times rate"),
)
TORQUE, RATE, LEAST, PER_ROBOT, TOTAL = 0, 2, 4, 5, 10


SINGULAR = 1e-6
"""Smaller determinants of the transmission count as this one, so that torques are finite."""

ROUNDING = 1e-10
"""By how much impacts, which solve other equations for the same links, may leave these beside their speeds."""


class Wanted(NamedTuple):
    """Torques of the actuators that would do what the human's control wants of the limb's joints [N m]."""

    first: float
    second: float


def least_value(t, x, p, chart, leg):
    """Return the least singular value of the actuators' rates."""
    rates = transmission_of(x, leg)
    return values_of(rates.a, rates.b, rates.c, rates.d).least


def wanted_of(t, x, p, leg, torque):
    """Return T^-T times the torques of the limb's joints."""
    rates = transmission_of(x, leg)
    first = joint_torque(t, x, p, leg, ROBOT.offset, torque)
    last = joint_torque(t, x, p, leg, ROBOT.offset + ROBOT.joints - 1, torque)
    determinant = values_of(rates.a, rates.b, rates.c, rates.d).determinant
    if abs(determinant) < SINGULAR:
        determinant = SINGULAR if determinant >= 0.0 else -SINGULAR
    return Wanted((rates.d * first - rates.c * last) / determinant, (rates.a * last - rates.b * first) / determinant)


def actuator_torque(t, x, p, leg, number, wanted, drive):
    """Return the torque of an actuator, within its limit [N m]."""
    i = coordinate(leg, ROBOT.joints + ROBOT.drives[number])
    found = drive(t, leg, number, x[i], x[ROBOT.n + i], wanted.first if number == 0 else wanted.second)
    return min(max(found, -p[LIMIT]), p[LIMIT])


def worn_forces(force, t, x, p, torque, trunk_torque, push, drive, relief):
    forces(force, t, x, p, torque, trunk_torque, push)
    for leg in range(2):
        wanted = wanted_of(t, x, p, leg, torque)
        for k in range(ROBOT.joints):
            joint = ROBOT.offset + k
            force[coordinate(leg, k)] -= relief(t, leg, joint) * joint_torque(t, x, p, leg, joint, torque)
            i = coordinate(leg, ROBOT.joints + ROBOT.drives[k])
            force[i] += actuator_torque(t, x, p, leg, k, wanted, drive)


def worn_outputs(y, t, x, p, chart, torque, drive, relief):
    outputs(y, t, x, p, chart, torque)
    own = subarray(y, N_OUTPUTS, N_OWN)
    for k in range(N_OWN):
        own[k] = 0.0
    for leg in range(2):
        wanted, first = wanted_of(t, x, p, leg, torque), PER_ROBOT * leg
        own[first + LEAST] = least_value(t, x, p, chart, leg)
        for k in range(ROBOT.joints):
            i, joint = coordinate(leg, k), PER_LEG * leg + ROBOT.offset + k
            left = relief(t, leg, ROBOT.offset + k) * y[joint]
            y[Y.torque] += abs(y[joint] - left) - abs(y[joint])
            y[Y.power] += abs((y[joint] - left) * x[ROBOT.n + i]) - abs(y[joint] * x[ROBOT.n + i])
            y[joint] -= left
            i = coordinate(leg, ROBOT.joints + ROBOT.drives[k])
            found = actuator_torque(t, x, p, leg, k, wanted, drive)
            own[first + TORQUE + k], own[first + RATE + k] = found, x[ROBOT.n + i]
            own[TOTAL] += abs(found)
            own[TOTAL + 1] += abs(found * x[ROBOT.n + i])


N_OUTPUTS, N_OWN = len(OUTPUTS), len(OWN_OUTPUTS)


def worn_prepare(x_new, t, x, p, target):
    """Put the links where they are in the human's posture, in steps from upright stance, and give them their speeds."""
    prepare(x_new, t, x, p, target)
    angles, rates, n = scratch(ANGLES), scratch(RATES), ROBOT.links
    for leg in range(2):
        for column in range(ROBOT.joints + n):
            angles[column] = 0.0
        gap = close_links(angles, rates, x_new, leg)
        for k in range(n):
            i, rate = coordinate(leg, ROBOT.joints + k), 0.0
            for j in range(ROBOT.joints):
                rate += rates[n * j + k] * x_new[ROBOT.n + coordinate(leg, j)]
            put(x_new, i, angles[ROBOT.joints + k])
            put(x_new, ROBOT.n + i, rate)
        if not gap < CLOSED:
            x_new[2 * ROBOT.n], x_new[2 * ROBOT.n + 1] = ROBOT.message + n // 2 * leg, gap


def put(x, i, value):
    """Put a value into a state that is not there yet but for rounding: a finished state stays as it is."""
    if not abs(x[i] - value) <= ROUNDING * (1.0 + abs(value)):
        x[i] = value


SHARE_PARAMETERS = Records(
    Parameter("robot_share", 0.5, "", "part of the torque at the limb's joints that the robot takes over"),
    Parameter("least", 0.2, "", "singular value below which a posture counts as singular", lower=1e-6),
)
SHARE, SMALLEST = 0, 1


def share_drive(t, x, p, chart, leg, number, angle, rate, wanted):
    return p[SHARE] * wanted


def share_relief(t, x, p, chart, leg, joint):
    return p[SHARE]


def share_boundaries(g, t, x, p, chart, least_value):
    if chart == 0:
        for leg in range(2):
            g[leg] = least_value(t, leg) - p[SMALLEST]


def share_transition(x_new, t, x, p, chart, crossed):
    return 1 if crossed[0] else 2


def share_validate(t, x, p, chart, least_value):
    """The chart says which leg; where a run begins, the links have their places only now, clearly below the limit."""
    for leg in range(2):
        if chart == 1 + leg or least_value(t, leg) < p[SMALLEST] * (1.0 - 1e-6):
            return 1 + leg
    return 0


SHARE_PART = Part(
    "share",
    couplings={"drive": share_drive, "relief": share_relief},
    boundaries=share_boundaries,
    transition=share_transition,
    validate=share_validate,
    parameters=SHARE_PARAMETERS,
    boundary_records=Records(
        *(Boundary(f"{leg}_singular", "its actuators hardly move the leg in one of its ways") for leg in LEGS)
    ),
    messages=tuple(
        Message(
            f"the robot on the {leg} leg is in a singular posture: the rates of its actuators, per rates of the leg's "
            "joints, have a singular value below {least}; move joints, or choose other actuators"
        )
        for leg in LEGS
    ),
    chart_fields={"singular": 2},
    doc="the robot does a part of what the human would, who does the rest",
)


def no_drive(t, x, p, chart, leg, number, angle, rate, wanted):
    return 0.0


def no_relief(t, x, p, chart, leg, joint):
    return 0.0


NONE = Part("none", couplings={"drive": no_drive, "relief": no_relief}, doc="it is carried, and does nothing")


def wearer(name: str, figure: Figure, robot: Robot, *, doc: str = "", **defaults: float) -> Model:
    """Make the model of a human with a robot on both legs.

    Parameters
    ----------
    name : str
        An identifier.
    figure : Figure
        The body.
    robot : Robot
        The robot.
    doc : str
        What it is, in one line.
    **defaults
        Defaults of parameters of the plant, by name, and `friction`, as of `humanoid`.

    Returns
    -------
    Model
        That of `humanoid`, with the slot `robot`, in which `share` and `none` are choices.

    Raises
    ------
    ConfigError, ModelError
        If the robot is no linkage that leaves the limb its freedom, or its actuators cannot move it.
    """
    if not isinstance(robot, Robot):
        raise ModelError(f"{name}: expected a Robot, found {robot!r}; give Robot(edges, places, actuators)")
    fitted = fit(robot, figure)
    limb = JOINTS.index(robot.limb[0])
    points, bodies, loops = [place[:2] for place in joints_of(figure).values()], [], []
    for leg in LEGS:
        names = [each if each == "torso" else f"{leg}_{each}" for each in BODIES[limb : limb + len(robot.limb) + 1]]
        origins = [np.array(points[max(body - 1, 0)]) for body in range(limb, limb + len(names))]
        bodies += fitted.bodies(names, origins, f"{leg}_")
        loops += fitted.loops(names, origins, f"{leg}_")
    own = figure.mechanism().tree.n_speeds
    numbers = built(fitted, own, own + len(bodies), 4 + (2 if figure.toe else 0))
    sensors = (*SENSORS, with_constants(least_value, ROBOT=numbers))
    robots = slot(
        "robot",
        "share",
        {"share": SHARE_PART, "none": NONE},
        ("drive", "relief"),
        sensors=sensors,
        doc="what its actuators do",
    )
    worn = Worn(
        bodies,
        loops,
        {"ROBOT": numbers},
        worn_forces,
        worn_outputs,
        worn_prepare,
        [*OWN_PARAMETERS],
        [*OWN_OUTPUTS],
        [robots],
    )
    return humanoid(name, figure, worn=worn, doc=doc, torque_limit=1e6, ligament=1e6, **defaults)
