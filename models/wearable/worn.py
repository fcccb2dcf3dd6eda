"""A human who walks with the robot on both legs: its links, joints and loops, and what its actuators do.

Torques of the actuators pass through the linkage. With T the rates of the actuators per rates of the limb's joints,
T^-T times the torques that the human's control wants of these joints would do the same in their stead, and the part in
the slot `robot` says how much of that they do. The functions below are those of every robot; `wearer` gives each model
its own, with ROBOT as their constant.
"""

import math
from typing import NamedTuple

import numpy as np

from hybridsim import Boundary, Message, Model, Output, Parameter, Part, Records, scratch, subarray
from hybridsim_models.humanoid.body import Figure
from hybridsim_models.humanoid.plant import (
    HIP,
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

from .device import BODIES, JOINTS, Fitted, Robot, fit, joints_of
from .linkage import solve_equations
from .records import LARGEST_STEP
from .statics import values_of


class Built(NamedTuple):
    """What the functions know of a robot; bodies are numbered as in `Robot`, and their properties begin with body 1.

    `first` is the coordinate of the left leg's first link, `offset` that of the limb's first joint in a leg; `links`
    and `joints` are how many links a leg has, and how many joints the limb. A body hangs at a place (`x`, `z`) from its
    parent, and its coordinate, times `axes`, turns it from z to x; `columns` counts coordinates of joints of the limb,
    then of links. `pins` are the bodies that loops connect at `pin_x`, `pin_z`; `drives` the links whose joints have
    actuators; `message` is the number of that of the first loop.
    """

    first: int = 17
    offset: int = 0
    links: int = 4
    joints: int = 2
    n: int = 19
    order: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    x: tuple[float, ...] = ()
    z: tuple[float, ...] = ()
    axes: tuple[float, ...] = ()
    columns: tuple[int, ...] = ()
    pins: tuple[int, ...] = ()
    pin_x: tuple[float, ...] = ()
    pin_z: tuple[float, ...] = ()
    drives: tuple[int, ...] = ()
    message: int = 1


ROBOT = Built()
MOST_LINKS = 16
POSES, ROWS, RATES, ANGLES = 3 * (MOST_LINKS + 3), MOST_LINKS * (MOST_LINKS + 3), 3 * MOST_LINKS, MOST_LINKS + 2
OWN_PARAMETERS = Records(
    Parameter("actuator_limit", 1e6, "N m", "of the torque of each actuator of the robot", lower=0.0)
)
LIMIT = len(PARAMETERS)
OF_LEG = ("actuator_1", "actuator_2", "rate_1", "rate_2", "least_value")
OWN_OUTPUTS = Records(
    *(
        Output(f"{leg}_{name}", unit, doc)
        for leg in LEGS
        for name, unit, doc in (
            ("actuator_1", "N m", "torque of the first actuator"),
            ("actuator_2", "N m", "of the second; 0 if there is one"),
            ("rate_1", "rad/s", "of the first actuator"),
            ("rate_2", "rad/s", "of the second"),
            ("least_value", "", "least singular value of the actuators' rates per rates of the limb's joints"),
        )
    ),
    Output("robot_torque", "N m", "sum of the sizes of all"),
    Output("robot_power", "W", "sum of the sizes of torque times rate"),
)
TORQUE, RATE, LEAST, PER_ROBOT, TOTAL = 0, 2, 4, 5, 10


class Transmission(NamedTuple):
    """Rates of both actuators, (a, b) and (c, d), per rates of the limb's joints; of a single one a = d."""

    a: float
    b: float
    c: float
    d: float


def coordinate(leg, column):
    """Return the index of a coordinate: of a joint of the limb, or of a link behind them."""
    if column < ROBOT.joints:
        return HIP + PER_LEG * leg + ROBOT.offset + column
    return ROBOT.first + ROBOT.links * leg + column - ROBOT.joints


def find_poses(poses, angles):
    """Write where the origin of upright stance is on each body, x and z, and its turn, seen from the first body."""
    for k in range(3):
        poses[k] = 0.0
    for body in ROBOT.order:
        own, parent = body - 1, ROBOT.parents[body - 1]
        x, z = point_x(poses, parent, ROBOT.x[own], ROBOT.z[own]), point_z(poses, parent, ROBOT.x[own], ROBOT.z[own])
        poses[3 * body] = poses[3 * body + 1] = 0.0
        poses[3 * body + 2] = poses[3 * parent + 2] + ROBOT.axes[own] * angles[ROBOT.columns[own]]
        poses[3 * body] = x - point_x(poses, body, ROBOT.x[own], ROBOT.z[own])
        poses[3 * body + 1] = z - point_z(poses, body, ROBOT.x[own], ROBOT.z[own])


def point_x(poses, body, x, z):
    return poses[3 * body] + math.cos(poses[3 * body + 2]) * x + math.sin(poses[3 * body + 2]) * z


def point_z(poses, body, x, z):
    return poses[3 * body + 1] - math.sin(poses[3 * body + 2]) * x + math.cos(poses[3 * body + 2]) * z


def write_rows(rows, angles):
    """Write what pins say of the links' rates, per rate of each joint of the limb, and for gaps; return the gap."""
    poses, n, width, largest = scratch(POSES), ROBOT.links, ROBOT.links + ROBOT.joints + 1, 0.0
    find_poses(poses, angles)
    for k in range(n * width):
        rows[k] = 0.0
    for pin in range(n // 2):
        along_x, along_z = subarray(rows, 2 * pin * width, width), subarray(rows, (2 * pin + 1) * width, width)
        for end in range(2):
            body, sign = ROBOT.pins[2 * pin + end], 1.0 - 2.0 * end
            x, z = (
                point_x(poses, body, ROBOT.pin_x[pin], ROBOT.pin_z[pin]),
                point_z(poses, body, ROBOT.pin_x[pin], ROBOT.pin_z[pin]),
            )
            along_x[width - 1] -= sign * x
            along_z[width - 1] -= sign * z
            while body > 0:
                own, parent = body - 1, ROBOT.parents[body - 1]
                arm_x = x - point_x(poses, parent, ROBOT.x[own], ROBOT.z[own])
                arm_z = z - point_z(poses, parent, ROBOT.x[own], ROBOT.z[own])
                column, rate = ROBOT.columns[own] - ROBOT.joints, sign * ROBOT.axes[own]
                if column < 0:  # a joint of the limb, on the right side
                    column, rate = column + ROBOT.joints + n, -rate
                along_x[column] += rate * arm_z
                along_z[column] -= rate * arm_x
                body = parent
        largest = max(largest, abs(along_x[width - 1]), abs(along_z[width - 1]))
    return largest


def find_rates(rates, angles):
    """Write the rates of the links per rate of each joint of the limb, and what closes gaps; return the gap."""
    rows = scratch(ROWS)
    gap = write_rows(rows, angles)
    solve_equations(rates, rows, ROBOT.links, ROBOT.joints + 1)
    return gap


def transmission_of(x, leg):
    """Return how the actuators of a leg turn with its joints."""
    angles, rates, n = scratch(ANGLES), scratch(RATES), ROBOT.links
    for column in range(ROBOT.joints + n):
        angles[column] = x[coordinate(leg, column)]
    find_rates(rates, angles)
    first, second = ROBOT.drives[0], ROBOT.drives[ROBOT.joints - 1]
    if ROBOT.joints == 1:
        return Transmission(rates[first], 0.0, 0.0, rates[first])
    return Transmission(rates[first], rates[n + first], rates[second], rates[n + second])


def least_value(t, x, p, chart, leg):
    """Return the least singular value of the actuators' rates."""
    a, b, c, d = transmission_of(x, leg)
    return values_of(a, b, c, d).least


def actuator_torque(t, x, p, transmission, leg, number, torque, drive):
    """Return the torque of an actuator, within its limit [N m]."""
    a, b, c, d = transmission
    first = joint_torque(t, x, p, leg, ROBOT.offset, torque)
    last = joint_torque(t, x, p, leg, ROBOT.offset + ROBOT.joints - 1, torque)
    determinant = values_of(a, b, c, d).determinant
    if abs(determinant) < SINGULAR:
        determinant = SINGULAR if determinant >= 0.0 else -SINGULAR
    wanted = (d * first - c * last if number == 0 else a * last - b * first) / determinant
    i = coordinate(leg, ROBOT.joints + ROBOT.drives[number])
    found = drive(t, leg, number, x[i], x[ROBOT.n + i], wanted)
    return min(max(found, -p[LIMIT]), p[LIMIT])


SINGULAR = 1e-6
"""Smaller determinants of the transmission count as this one, so that torques are finite."""


def worn_forces(force, t, x, p, torque, trunk_torque, push, drive, relief):
    forces(force, t, x, p, torque, trunk_torque, push)
    for leg in range(2):
        transmission = transmission_of(x, leg)
        for k in range(ROBOT.joints):
            joint = ROBOT.offset + k
            left = relief(t, leg, joint) * joint_torque(t, x, p, leg, joint, torque)
            force[coordinate(leg, k)] -= left
            i = coordinate(leg, ROBOT.joints + ROBOT.drives[k])
            force[i] += actuator_torque(t, x, p, transmission, leg, k, torque, drive)


def worn_outputs(y, t, x, p, chart, torque, drive, relief):
    outputs(y, t, x, p, chart, torque)
    own = subarray(y, N_OUTPUTS, N_OWN)
    for k in range(N_OWN):
        own[k] = 0.0
    for leg in range(2):
        transmission, first = transmission_of(x, leg), PER_ROBOT * leg
        own[first + LEAST] = values_of(transmission.a, transmission.b, transmission.c, transmission.d).least
        for k in range(ROBOT.joints):
            i, joint = coordinate(leg, k), PER_LEG * leg + ROBOT.offset + k
            left = relief(t, leg, ROBOT.offset + k) * y[joint]
            y[Y.torque] += abs(y[joint] - left) - abs(y[joint])
            y[Y.power] += abs((y[joint] - left) * x[ROBOT.n + i]) - abs(y[joint] * x[ROBOT.n + i])
            y[joint] -= left
            i = coordinate(leg, ROBOT.joints + ROBOT.drives[k])
            found = actuator_torque(t, x, p, transmission, leg, k, torque, drive)
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
            i = coordinate(leg, ROBOT.joints + k)
            x_new[i], x_new[ROBOT.n + i] = angles[ROBOT.joints + k], 0.0
            for j in range(ROBOT.joints):
                x_new[ROBOT.n + i] += rates[n * j + k] * x_new[ROBOT.n + coordinate(leg, j)]
        if not gap < CLOSED:
            x_new[2 * ROBOT.n], x_new[2 * ROBOT.n + 1] = ROBOT.message + n // 2 * leg, gap


CLOSED, NEWTON_STEPS = 1e-12, 12


def close_links(angles, rates, x, leg):
    """Close the loops for the angles of a leg, from upright stance; return the gap that is left [m]."""
    largest, gap = 0.0, 1.0
    for j in range(ROBOT.joints):
        largest = max(largest, abs(x[coordinate(leg, j)]))
    n_steps = 1 + int(min(largest / LARGEST_STEP, MOST_STEPS))
    for step in range(1, n_steps + 1):
        for j in range(ROBOT.joints):
            angles[j] = x[coordinate(leg, j)] * step / n_steps
        for _ in range(NEWTON_STEPS):
            gap = find_rates(rates, angles)
            if gap < CLOSED or not gap < 1.0:
                break
            for k in range(ROBOT.links):
                angles[ROBOT.joints + k] += rates[ROBOT.links * ROBOT.joints + k]
        if not gap < CLOSED:
            return gap
    return gap


MOST_STEPS = 100
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
    """The chart says which leg; where a run begins, the links have their places only now."""
    for leg in range(2):
        if chart == 1 + leg or least_value(t, leg) < p[SMALLEST]:
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


def built(fitted: Fitted, first: int, n: int, n_points: int) -> Built:
    """Return the numbers of a robot whose first link has the coordinate `first` of n."""
    linkage, robot = fitted.linkage, fitted.robot
    limb, m = [*linkage.limb.values()], len(linkage.limb)
    links = {hinge.link: k for k, hinge in enumerate(fitted.tree)}
    hinges = {hinge.link: hinge for hinge in fitted.tree}
    places = {
        body: limb[body - 1][:2] if body <= m else linkage.places[hinges[body].joint]
        for body in range(1, m + 1 + len(links))
    }
    parents = [body - 1 if body <= m else hinges[body].parent for body in places]
    seconds = [body <= m or body == linkage.edges[hinges[body].joint][1] for body in places]
    axes = [
        -1.0 if (limb[body - 1][2] == "-y" if body <= m else not second) else 1.0
        for body, second in zip(places, seconds, strict=True)
    ]
    drives = [links[next(h.link for h in fitted.tree if h.joint == k - 1)] for k in robot.actuators]
    ends = [linkage.edges[joint] for joint in fitted.pins]
    return Built(
        first,
        JOINTS.index(robot.limb[0]),
        len(links),
        m,
        n,
        (*range(1, m + 1), *links),
        tuple(parents),
        *(tuple(float(place[k]) for place in places.values()) for k in range(2)),
        tuple(axes),
        tuple(body - 1 if body <= m else m + links[body] for body in places),
        tuple(body for pair in ends for body in pair),
        *(tuple(float(linkage.places[joint][k]) for joint in fitted.pins) for k in range(2)),
        tuple(drives),
        1 + n_points + 1,
    )


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
