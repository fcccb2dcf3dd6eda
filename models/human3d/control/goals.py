"""What a sample aims at: centre of pressure, load sharing, footholds, and the motion of height and feet."""

import math
from typing import Any, NamedTuple

from hybridsim.multibody import Vector, point_of, spin_of, velocity_of
from hybridsim_models.biped.control.plan import (
    SINGLE,
    Gait,
    Moment,
    Place,
    Print,
    foothold,
    next_corner,
    target_at,
)
from hybridsim_models.biped.control.references import Reference, clip, follow, quintic, resting
from hybridsim_models.human3d.person import BUILD

from .body import HIPS, LENGTH, SOLES, TIPS, WIDTH, F
from .law import Goal, tilt_of
from .records import NO_RECOVERY, P, S

LIGHTEST = 0.03
"""Least part of the load that a foot on the ground bears."""
LIFT_PART, APEX_PART, SWING_PART = 0.06, 0.4, 0.85
"""Parts of the time of a step: the foot begins to move along; it is highest; it is above its foothold."""
LIFTING = 0.2
"""Speed with which a foot leaves the ground [m/s]."""
FOOT_STIFFNESS, FOOT_DAMPING = 400.0, 40.0
"""Gains of a foot in the air, and of the tilt of one that stands [1/s^2, 1/s]."""
RISING, SINKING = 0.1, 0.4
"""Speeds with which the height that is asked for changes [m/s]."""
NARROWEST, LONGEST = 0.13, 0.75
"""Of a step: least distance from foot line to foot line; largest one along and across [m]."""
FULL_STEP = 0.15
"""A step that catches and is so long, or so much wider than the narrowest, lands by the whole lead beyond [m]."""


class Sample(NamedTuple):
    """What the controller knows at a sample.

    Attributes
    ----------
    t : float
        Time [s].
    p : array
        Parameters.
    gait : Gait
        How to walk.
    motion : array
        Where the bodies are.
    centre, velocity : Vector
        Those of the mass centre.
    left, right : int
        Corners of the soles that are on the ground.
    """

    t: float
    p: Any
    gait: Gait
    motion: Any
    centre: Vector
    velocity: Vector
    left: int
    right: int


class Aim(NamedTuple):
    """Centre of pressure [m], and part of the load on the left foot."""

    x: float
    y: float
    share: float


def choose_goal(x_new, feet, sample):
    """Return what to do, write the accelerations of the feet, and remember what `outputs` shows."""
    plan, xi = target_at(moment_of(x_new, sample), sample.gait), extrapolated(sample)
    factor = 1.0 + sample.p[P.gain] / sample.gait.rate
    error = Place(xi.x - plan.xi.x, xi.y - plan.xi.y)
    wanted = Place(plan.p.x + factor * error.x, plan.p.y + factor * error.y)
    load = share_load(x_new, sample, wanted)
    x_new[S.xi_x], x_new[S.xi_y] = xi.x, xi.y
    x_new[S.xi_plan_x], x_new[S.xi_plan_y] = plan.xi.x, plan.xi.y
    x_new[S.cop_goal_x], x_new[S.cop_goal_y], x_new[S.left_share] = load.x, load.y, load.share
    if x_new[S.recovers] != NO_RECOVERY:
        landing = caught_at(x_new, sample, xi, load)
    else:
        landing = shifted(x_new, sample, error, Place(load.x - plan.p.x, load.y - plan.p.y))
    write_feet(feet, x_new, sample, landing)
    height = follow_height(x_new, sample, load.share)
    return Goal(load.x, load.y, load.share, height, sample.centre.z, sample.p[P.most_friction])


def extrapolated(sample):
    """Return the extrapolated mass centre [m]."""
    rate = sample.gait.rate
    return Place(sample.centre.x + sample.velocity.x / rate, sample.centre.y + sample.velocity.y / rate)


def time_left(x_new, sample):
    """Return how long it is until the foot in the air shall land [s]."""
    return max(sample.gait.single - (sample.t - x_new[S.phase_start]), 0.0)


def shifted(x_new, sample, error, moved):
    """Return where the tip of foot 2 lands in a walk: its foothold, shifted by what the centre of pressure leaves."""
    one = int(x_new[S.foot1])
    side, stands, left = 2.0 * one - 1.0, print_of(sample, one), time_left(x_new, sample)
    planned = next_foothold(stands, side, sample.gait, x_new[S.steps_left] == 0.0)
    x = planned.x + shift_of(error.x, moved.x, left, sample)
    across = side * (planned.y + shift_of(error.y, moved.y, left, sample) - stands.y)
    return Place(x, stands.y + side * clip(across, NARROWEST, LONGEST))


def shift_of(error, moved, left, sample):
    """Return what the foothold shall correct of an error that the centre of pressure, moved so far, leaves [m]."""
    growth = math.exp(sample.gait.rate * left)
    remains = growth * error - (growth - 1.0) * moved
    remains = remains if remains * error > 0.0 else 0.0
    return clip(remains, -sample.p[P.most_shift], sample.p[P.most_shift])


def caught_at(x_new, sample, xi, load):
    """Return where the tip of foot 2 lands to catch the body: a bit beyond where the extrapolated centre will be."""
    one = int(x_new[S.foot1])
    side, stands, lead = 2.0 * one - 1.0, print_of(sample, one), sample.p[P.recovery_lead]
    left, rate = time_left(x_new, sample), sample.gait.rate
    x = load.x + math.exp(rate * left) * (xi.x - load.x)
    y = load.y + math.exp(rate * (left + sample.p[P.landing_delay])) * (xi.y - load.y)
    along, across = x - stands.x - sample.gait.rest, side * (y - stands.y)
    along += lead * clip(along / FULL_STEP, -1.0, 1.0)
    across += lead * clip((across - NARROWEST) / FULL_STEP, 0.0, 1.0)
    along, across = clip(along, -LONGEST, LONGEST), clip(across, NARROWEST, LONGEST)
    return Place(stands.x + along, stands.y + side * across)


def moment_of(x_new, sample):
    """Return where the walk is."""
    one = int(x_new[S.foot1])
    side, steps = 2.0 * one - 1.0, int(x_new[S.steps_left])
    foot1, foot2 = print_of(sample, one), print_of(sample, 1 - one)
    if x_new[S.phase] == SINGLE:
        foot2 = next_foothold(foot1, side, sample.gait, steps == 0)
    start = Place(x_new[S.plan_x], x_new[S.plan_y])
    return Moment(int(x_new[S.phase]), sample.t - x_new[S.phase_start], start, foot1, foot2, side, steps)


def print_of(sample, side):
    """Return where the tip of a sole is; on straight ways feet point along x for the plan."""
    tip = point_of(sample.motion, SOLES[side].frame, TIPS)
    return Print(tip.x, tip.y, 0.0)


def next_foothold(foot1, side, gait, closing):
    """Return where the foot in the air shall land, as planned."""
    return foothold(next_corner(Print(foot1.x, 0.0, 0.0), gait, closing), foot1, side, gait)


def share_load(x_new, sample, wanted):
    """Return the nearest centre of pressure that the soles can give, with the left foot's part of the load."""
    left = point_of(sample.motion, SOLES[0].frame, SOLES[0].place)
    right = point_of(sample.motion, SOLES[1].frame, SOLES[1].place)
    if x_new[S.phase] == SINGLE:
        share = 1.0 - x_new[S.foot1]
    else:
        dx, dy = left.x - right.x, left.y - right.y
        along = (wanted.x - right.x) * dx + (wanted.y - right.y) * dy
        share = clip(along / (dx * dx + dy * dy), LIGHTEST, 1.0 - LIGHTEST)
    base = Place(right.x + share * (left.x - right.x), right.y + share * (left.y - right.y))
    long, wide = 0.5 * LENGTH - sample.p[P.margin], 0.5 * WIDTH - sample.p[P.margin]
    x, y = clip(wanted.x, base.x - long, base.x + long), clip(wanted.y, base.y - wide, base.y + wide)
    return Aim(x, y, share)


def follow_height(x_new, sample, share):
    """Return the reference of the mass centre's height, which changes with bounded speed and from where it is."""
    before = x_new[S.height_goal] if x_new[S.height_goal] > 0.0 else sample.centre.z
    way, fall = RISING * sample.p[P.sample_time], SINKING * sample.p[P.sample_time]
    x_new[S.height_goal] = clip(height_of(sample, share), before - fall, before + way)
    return resting(x_new[S.height_goal])


def height_of(sample, share):
    """Return how high the mass centre shall be: lower where a leg that bears would be stretched too far [m]."""
    height = sample.p[P.walk_height]
    longest = sample.p[P.straightest] * (BUILD.thigh + BUILD.shank)
    for side in range(2):
        if (share if side == 0 else 1.0 - share) > 0.5 * LIGHTEST:
            hip = point_of(sample.motion, F.trunk, HIPS[side])
            ankle = point_of(sample.motion, SOLES[side].frame, Vector(0.0, 0.0, 0.0))
            away = (hip.x - ankle.x) ** 2 + (hip.y - ankle.y) ** 2
            reach = ankle.z + math.sqrt(max(longest * longest - away, 0.25))
            height = min(height, reach + sample.centre.z - hip.z)
    return height


def write_feet(feet, x_new, sample, landing):
    """Write what the accelerations of both soles and of their rotations shall be: zero, but for tilt and swing."""
    one, phase = int(x_new[S.foot1]), x_new[S.phase]
    for side in range(2):
        first, foot = 6 * side, SOLES[side]
        tilt, spin = tilt_of(sample.motion, foot.frame), spin_of(sample.motion, foot.frame)
        moving = velocity_of(sample.motion, foot.frame, foot.place)
        swings = phase == SINGLE and side != one
        feet[first], feet[first + 1] = -FOOT_DAMPING * moving.x, -FOOT_DAMPING * moving.y
        feet[first + 2] = -FOOT_DAMPING * moving.z
        yaw = tilt.z if swings else 0.0
        feet[first + 3] = -FOOT_STIFFNESS * tilt.x - FOOT_DAMPING * spin.x
        feet[first + 4] = -FOOT_STIFFNESS * tilt.y - FOOT_DAMPING * spin.y
        feet[first + 5] = -FOOT_STIFFNESS * yaw - FOOT_DAMPING * spin.z
        if swings:
            swing(feet, first, x_new, sample, landing)


def swing(feet, first, x_new, sample, landing):
    """Write the accelerations along which the foot in the air goes to its foothold."""
    gait, elapsed, foot = sample.gait, sample.t - x_new[S.phase_start], SOLES[1 - int(x_new[S.foot1])]
    place = point_of(sample.motion, foot.frame, foot.place)
    moving = velocity_of(sample.motion, foot.frame, foot.place)
    along = glide(x_new, 0, landing.x - 0.5 * LENGTH, gait, elapsed)
    aside = glide(x_new, 1, landing.y, gait, elapsed)
    up = lift(x_new, sample, elapsed)
    feet[first] = follow(along, place.x, moving.x, FOOT_STIFFNESS, FOOT_DAMPING)
    feet[first + 1] = follow(aside, place.y, moving.y, FOOT_STIFFNESS, FOOT_DAMPING)
    feet[first + 2] = follow(up, place.z, moving.z, FOOT_STIFFNESS, FOOT_DAMPING)


def glide(x_new, axis, end, gait, elapsed):
    """Return the reference of the sole along the ground."""
    start = Reference(x_new[S.sole_x_start + axis], x_new[S.sole_x_rate + axis], 0.0)
    duration, done = (SWING_PART - LIFT_PART) * gait.single, elapsed - LIFT_PART * gait.single
    return quintic(start, resting(end), duration, done) if done < duration else resting(end)


def lift(x_new, sample, elapsed):
    """Return the reference of the sole's height: up, down, and further down if the ground is late."""
    p, whole = sample.p, sample.gait.single
    apex, rise = resting(p[P.clearance]), APEX_PART * whole
    if elapsed < rise:
        return quintic(Reference(x_new[S.sole_z_start], LIFTING, 0.0), apex, rise, elapsed)
    if elapsed < whole:
        return quintic(apex, Reference(0.0, -p[P.landing_speed], 0.0), whole - rise, elapsed - rise)
    late = elapsed - whole
    return Reference(-p[P.landing_speed] * late - 0.5 * late * late, -p[P.landing_speed] - late, -1.0)
