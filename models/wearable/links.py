"""The links of a robot that is worn: where they are, and how they and its actuators turn with the joints of the leg.

As `linkage`, but of any robot, by the joints that a mechanism has: a link hangs from one of its joints, and pins close
the loops. The functions below are those of every robot, whose numbers are their constant ROBOT.
"""

import math
from typing import NamedTuple

from hybridsim import scratch, subarray
from hybridsim_models.humanoid.plant import HIP, PER_LEG

from .device import JOINTS, MOST_LINKS, Fitted
from .linkage import solve_equations
from .records import LARGEST_STEP


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
POSES, ROWS, RATES, ANGLES = 3 * (MOST_LINKS + 3), MOST_LINKS * (MOST_LINKS + 3), 3 * MOST_LINKS, MOST_LINKS + 2


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
