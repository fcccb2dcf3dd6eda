"""Toes on the ground: push, friction, and whether a toe sticks, slips or leaves. See docs/hexapod.md, "Contact".

A stuck toe rests. It slips where its drag D leaves the cone, D > mu N, from rest; how fast, is in `slide`. It sticks
where it has come to rest again, and leaves where nothing presses it down.
"""

import math
from typing import NamedTuple

from .legs import Leg, LegForce, find_leg, hip_rate, load_leg
from .motor import Hip, find_hip, torque_slope
from .records import STUCK, P, S
from .slide import reduce_slide, release_rate, try_at, velocity_of
from .terrain import gradient
from .vectors import ZERO, Vector, dot, length_of, minus, plus, times


class Foot(NamedTuple):
    """A leg whose toe is on the ground, its hip, and the normal of the ground in B."""

    leg: Leg
    hip: Hip
    normal: Vector


class Toe(NamedTuple):
    """A toe on the ground: the leg's force on it, its push and drag on the ground [N], its velocity in B [m/s]."""

    motion: LegForce
    push: float
    drag: float
    velocity: Vector


def find_foot(instant, pose, i):
    """Return the foot of leg number i."""
    leg = find_leg(instant.x, instant.p, pose, i)
    slopes = gradient(instant.x[S.f0_x + 3 * i], instant.x[S.f0_y + 3 * i], instant.p)
    size = 1.0 / math.sqrt(1.0 + slopes.x * slopes.x + slopes.y * slopes.y)
    axes = pose.rotation
    normal = times(size, minus(minus(axes.z, times(slopes.x, axes.x)), times(slopes.y, axes.y)))
    return Foot(leg, find_hip(instant, leg), normal)


def rest_toe(foot):
    """Return the toe at rest: N = -n . P, D = |P + N n|."""
    motion = load_leg(foot.leg, foot.hip, foot.leg.w_rest)
    push = -dot(foot.normal, motion.force)
    return Toe(motion, push, length_of(plus(motion.force, times(push, foot.normal))), ZERO)


def slide_toe(foot, release):
    """Return the toe that slips, and the rate of its release [1/s]."""
    slide = reduce_slide(foot.leg, foot.hip, foot.normal)
    trial, rate = release_rate(slide, release)
    return slipping_toe(foot, slide, trial), rate


def free_toe(foot):
    """Return the toe at the velocity at which it would slide without friction."""
    slide = reduce_slide(foot.leg, foot.hip, foot.normal)
    return slipping_toe(foot, slide, try_at(slide, 1.0))


def slipping_toe(foot, slide, trial):
    """Return the toe at the velocity of a trial, held back by the resistance of the ground."""
    velocity = velocity_of(slide, trial)
    motion = load_leg(foot.leg, foot.hip, plus(foot.leg.w_rest, velocity))
    return Toe(motion, -dot(foot.normal, motion.force), trial.resistance, velocity)


def stand(foot, contact, release):
    """Return the toe of a leg in stance, STUCK or SLIPPING."""
    if contact == STUCK:
        return rest_toe(foot)
    toe, _ = slide_toe(foot, release)
    return toe


def ground_force(foot, toe):
    """Return the force of the ground on the toe [N], in B: its push, and its drag against the velocity."""
    speed = length_of(toe.velocity)
    if speed == 0.0:
        return times(-1.0, toe.motion.force)
    return minus(times(toe.push, foot.normal), times(toe.drag / speed, toe.velocity))


def toe_inertia(foot, toe):
    """Return what leg and ground together do to a toe on the ground [N], in B: it makes a toe slip faster or slower.

    The body feels the ground less this. It is 0 where the toe rests.
    """
    return plus(toe.motion.force, ground_force(foot, toe))


def cone_margin(toe, p):
    """Return mu N - D [N]: a resting toe sticks where this is positive, and slips where it is negative."""
    return p[P.friction_coeff] * toe.push - toe.drag


def stick_margin(release, margin):
    """Return a smooth number that is zero where a toe has come to rest, and its cone's margin [N] at rest is positive.

    It is positive before: that the error of a step lets the release of a toe that begins to slip dip below zero does
    not stop it.
    """
    size = math.sqrt(release * release + margin * margin)
    if margin > 0.0:
        return release * (1.0 + release / (size + margin))
    return release - margin + size


def rising_speed(foot, toe):
    """Return how fast a toe that is pulled off the ground would rise without its mass [m/s]: pull / damping."""
    leg, n, phidot = foot.leg, foot.normal, toe.motion.phidot
    damping = leg.damper_rho * dot(leg.j_rho, n) ** 2 + leg.damper_theta * dot(leg.j_theta, n) ** 2
    damping -= torque_slope(foot.hip, phidot) * hip_rate(leg, n) ** 2
    return -toe.push / max(damping, 1e-9)
