"""Turning: the yaw of trunk and foot in the air, the centre of pressure of feet with two headings, the turned frame.

A step turns by an angle. Foot 2 lands with this yaw in the frame of foot 1, and the trunk turns to the half of it, so
that it is between the feet. Where the feet exchange their names, the frame turns until foot 1 has no yaw again.
"""

import math
from typing import NamedTuple

from hybridsim.multibody import rotation_of, spin_of
from hybridsim_models.biped.body import F
from hybridsim_models.biped.contacts import ahead_of
from hybridsim_models.biped.records import is_turned, mirror_of

from .law import FOOT_DAMPING, FOOT_STIFFNESS, TRUNK_DAMPING, TRUNK_STIFFNESS
from .plan import SINGLE, Place
from .records import S
from .references import follow, quintic, resting

SWING_PART = 0.95
"""Part of single support after which trunk and foot have turned."""


class Turn(NamedTuple):
    """Yaw accelerations of trunk and foot 2, in the biped's own frame [rad/s^2]."""

    trunk: float
    foot2: float


def follow_turn(x_new, sample):
    """Return how trunk and foot 2 shall turn: in single support, once a step turns."""
    stance, gait, motion = sample.body.stance, sample.gait, sample.motion
    if x_new[S.phase] != SINGLE or not turns(x_new, stance):
        return Turn(0.0, 0.0)
    turn = 0.0 if x_new[S.steps_left] == 0.0 else mirror_of(stance) * gait.turn
    duration, elapsed = SWING_PART * gait.single, sample.t - x_new[S.phase_start]
    trunk = quintic(resting(x_new[S.trunk_yaw_start]), resting(0.5 * turn), duration, elapsed)
    foot2 = quintic(resting(x_new[S.foot2_yaw_start]), resting(turn), duration, elapsed)
    rates = spin_of(motion, F.hat).z, spin_of(motion, F.foot2).z
    return Turn(
        follow(trunk, yaw_of_trunk(motion), rates[0], TRUNK_STIFFNESS, TRUNK_DAMPING),
        follow(foot2, yaw_of_foot2(motion, stance), rates[1], FOOT_STIFFNESS, FOOT_DAMPING),
    )


def turns(x_new, stance):
    """Return whether this step turns, or one before it has; in other walks the yaw of the trunk is left alone."""
    return is_turned(stance) or x_new[S.turn] != 0.0


def yaw_of_trunk(motion):
    axes = rotation_of(motion, F.hat)
    return math.atan2(axes.x.y, axes.x.x)


def yaw_of_foot2(motion, stance):
    ahead = ahead_of(motion, stance, 1)
    return math.atan2(ahead.y, ahead.x)


class LoadAxes(NamedTuple):
    """How the centre of pressure of both feet moves with those of the feet, along the soles and across."""

    ahead: Place
    across: Place


def axes_of_load(ahead, share, flat1):
    """Return how the centre of pressure moves, if foot 2 points ahead and bears this share.

    Along the soles it is that of foot 2 which can move, unless foot 1 is flat; across, both move alike (`put_shares`).
    """
    along = Place(1.0, 0.0) if flat1 else Place(ahead.x, ahead.y)
    return LoadAxes(along, Place(-share * ahead.y, 1.0 - share + share * ahead.x))


def along_soles(axes, base, x, y):
    """Return a place as it would be if both feet pointed along x: from a base along the axes."""
    dx, dy, ahead, across = x - base.x, y - base.y, axes.ahead, axes.across
    whole = ahead.x * across.y - ahead.y * across.x
    return Place(
        base.x + (dx * across.y - dy * across.x) / whole,
        base.y + (ahead.x * dy - ahead.y * dx) / whole,
    )


def from_soles(axes, base, x, y):
    """Return the place that `along_soles` has been given."""
    dx, dy, ahead, across = x - base.x, y - base.y, axes.ahead, axes.across
    return Place(base.x + dx * ahead.x + dy * across.x, base.y + dx * ahead.y + dy * across.y)


def follow_frame(x_new, heading, x, y, with_cart):
    """Move what is remembered of the plan into the biped's own frame, if this has moved since the last sample.

    Parameters
    ----------
    x_new : array
        The controller's states.
    heading, x, y : float
        Of the frame, and its origin, in the world [rad, m].
    with_cart : bool
        Move the cart as well: where none follows the plan, it would go round the circle in a walk that returns.
    """
    angle = heading - x_new[S.heading_seen]
    if angle != 0.0 or x != x_new[S.origin_x_seen] or y != x_new[S.origin_y_seen]:
        away = turned_back(x_new[S.origin_x_seen] - x, x_new[S.origin_y_seen] - y, heading)
        for first in (S.plan_x, S.cop_plan_x):
            turn_pair(x_new, first, angle, away)
        if with_cart:
            turn_pair(x_new, S.cart_x, angle, away)
            for first in (S.cart_x_rate, S.cart_x_rate2, S.cart_x_rate3):
                turn_pair(x_new, first, angle, Place(0.0, 0.0))
    x_new[S.heading_seen], x_new[S.origin_x_seen], x_new[S.origin_y_seen] = heading, x, y


def turn_pair(x_new, first, angle, away):
    """Turn the place or the vector whose components begin at an index, seen from a frame whose old origin is `away`."""
    turned = turned_back(x_new[first], x_new[first + 1], angle)
    x_new[first], x_new[first + 1] = away.x + turned.x, away.y + turned.y


def turned_back(x, y, angle):
    """Return a pair of components as a frame that is turned to the left by an angle has them."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return Place(cosine * x + sine * y, cosine * y - sine * x)
