"""Toes on the ground: push, friction, and whether a toe sticks, slips or leaves. See docs/hexapod.md, "Contact".

A toe in stance has no mass. Stuck, it rests. It slips where the drag D of the resting toe leaves the cone, D > mu N;
then the leg's own dampers set its velocity (`slide`, `search`). At D = mu N that velocity is zero, so the flow is
continuous there.
"""

import math
from typing import NamedTuple

from .branches import fast_margins, fast_slide, slow_margins, slow_slide
from .legs import Leg, LegForce, find_leg, hip_rate, load_leg
from .motor import Hip, find_hip, hip_torque
from .records import FAST, STUCK, P, S
from .search import slide_freely
from .slide import TORQUE_STEP, reduce_slide, velocity_of
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


def move_toe(foot, velocity):
    """Return the toe while it moves along the ground at a velocity in B: N = -n . P, D = |P + N n|."""
    motion = load_leg(foot.leg, foot.hip, plus(foot.leg.w_rest, velocity))
    push = -dot(foot.normal, motion.force)
    return Toe(motion, push, length_of(plus(motion.force, times(push, foot.normal))), velocity)


def rest_toe(foot):
    """Return the toe at rest."""
    return move_toe(foot, ZERO)


def slide_toe(foot, contact):
    """Return the toe at the velocity at which it slips, SLIPPING or FAST."""
    slide = reduce_slide(foot.leg, foot.hip, foot.normal)
    trial = fast_slide(slide) if contact == FAST else slow_slide(slide)
    return move_toe(foot, velocity_of(slide, trial))


def free_toe(foot):
    """Return the toe at the velocity at which it would slide without friction."""
    slide = reduce_slide(foot.leg, foot.hip, foot.normal)
    return move_toe(foot, velocity_of(slide, slide_freely(slide)))


def stand(foot, contact):
    """Return the toe of a leg in stance: STUCK, SLIPPING or FAST."""
    return rest_toe(foot) if contact == STUCK else slide_toe(foot, contact)


def cone_margin(toe, p):
    """Return mu N - D [N]: a resting toe sticks where this is positive, and slips where it is negative."""
    return p[P.friction_coeff] * toe.push - toe.drag


def slip_margins(foot, drag):
    """Return the margins of a toe on the slow branch of its velocity [N]; `drag` is the drag margin at rest."""
    return slow_margins(reduce_slide(foot.leg, foot.hip, foot.normal), drag)


def fast_slip_margins(foot):
    """Return the margins of a toe on the fast branch of its velocity [N]."""
    return fast_margins(reduce_slide(foot.leg, foot.hip, foot.normal))


def rising_speed(foot, toe):
    """Return how fast a toe that is pulled off the ground would rise without its mass [m/s]: pull / damping."""
    leg, n, phidot = foot.leg, foot.normal, toe.motion.phidot
    damping = leg.damper_rho * dot(leg.e_rho, n) ** 2 + leg.damper_theta * (dot(leg.e_theta, n) / leg.rho) ** 2
    fall = hip_torque(foot.hip, phidot) - hip_torque(foot.hip, phidot + TORQUE_STEP)
    damping += fall / TORQUE_STEP * hip_rate(leg, n) ** 2
    return -toe.push / max(damping, 1e-9)
