"""What a sample aims at: centre of pressure, load sharing, and the motion of height and feet."""

import math
from typing import Any, NamedTuple

from hybridsim.multibody import Vector, point_of
from hybridsim.multibody.vectors import plus, times
from hybridsim_models.biped.anthropometry import ANKLE_HEIGHT, FOOT, HEEL_TO_ANKLE, HEEL_TO_TOE, SOLE_WIDTH
from hybridsim_models.biped.body import F, heel2, toe1, toe2
from hybridsim_models.biped.contacts import X, ahead_of, contact1, contact2
from hybridsim_models.biped.posture import ankle_at
from hybridsim_models.biped.records import FLAT, TOE, foot1_of, foot2_of, is_turned, mirror_of, on_ground

from .footholds import catches, caught_at, divergent_component
from .goal import Goal
from .heights import height_reference
from .known import BodyProperties
from .plan import (
    DOUBLE,
    HOLD,
    SINGLE,
    STANDING,
    STOPPING,
    Gait,
    Moment,
    Place,
    PlanTarget,
    Print,
    foothold,
    next_corner,
    part_of_length,
    target_at,
)
from .preview import follow_plan
from .records import KAJITA, STEP, P, S
from .references import Reference, clip, quintic, resting
from .turning import along_soles, axes_of_load, follow_turn, from_soles

LIGHTEST, HEAVIEST = 0.02, 0.98
"""Least and largest part of the load that foot 2 bears; at the exchange it is SHARE_AT_EXCHANGE."""
LIGHTEST_OF_READY = 0.1
"""Of a biped that stands and is ready to step: a foot that bears less might slip or tip under a push."""
SHARE_AT_EXCHANGE = 0.99
FLAT_RATE = 0.15
"""Rate at which foot 2 becomes flat [rad/s]."""
SHIFT_PART, APEX_OF_FLAT = 0.75, 0.45
"""Parts of the time of a step: its foothold is that of the feedback; a foot that has left flat is highest."""
LEAST_PITCH = 1e-3
"""Of a foot that leaves, to be told from a flat one [rad]."""
TIME_ROUNDING = 1e-9
"""How near an instant must be to count as reached [s]."""
MIN_DISTANCE_TO_SHARE = 0.02
"""How far apart along x two hinges are between which the load can be shared by place [m]."""
CLOSING_PITCH = -0.02
"""Pitch of the foot that lands in the last step [rad]: nearly flat, heel first."""


class Centre(NamedTuple):
    """Place [m] and velocity [m/s] of the mass centre."""

    place: Vector
    velocity: Vector


class Sample(NamedTuple):
    """What the controller knows at a sample; positions are in the biped's own frame.

    Attributes
    ----------
    t : float
        Time [s].
    p : array
        Parameters.
    body : BodyProperties
        On what the biped stands, and what it is.
    hinged : bool
        Whether its feet stand on hinges only.
    gait : Gait
        How to walk.
    motion : array
        Where the bodies are.
    centre : Centre
        The mass centre.
    """

    t: float
    p: Any
    body: BodyProperties
    hinged: bool
    gait: Gait
    motion: Any
    centre: Centre


class Load(NamedTuple):
    """Centre of pressure [m], the part of the load on foot 2, and whether the soles bear moments about y."""

    x: float
    y: float
    share: float
    flat1: bool
    flat2: bool


def choose_goal(x_new, sample, expected):
    """Return what to do, and remember what `outputs` shows of it; `expected` is the stance that torques are for."""
    gait, mirror = sample.gait, mirror_of(sample.body.stance)
    moment = moment_of(x_new, sample)
    plan = target_at(moment, gait)
    target = follow_plan(x_new, sample.t, moment, gait) if sample.p[P.preview] == KAJITA else plan
    seen = divergent_component(sample)
    xi = Place(seen.x, mirror * seen.y)
    if catches(x_new):
        target = PlanTarget(xi, xi)
    error = Place(xi.x - target.xi.x, xi.y - target.xi.y)
    factor = 1.0 + sample.p[P.gain] / gait.rate
    wanted = Place(target.p.x + factor * error.x, target.p.y + factor * error.y)
    load = share_load(x_new, sample, expected, Place(wanted.x, mirror * wanted.y))
    put_place(x_new, S.xi_x, xi)
    put_place(x_new, S.xi_plan_x, target.xi)
    put_place(x_new, S.cop_plan_x, plan.p)
    put_place(x_new, S.cop_goal_x, Place(load.x, mirror * load.y))
    x_new[S.share] = load.share
    ankle, turn = follow_ankle(x_new, sample, error, load), follow_turn(x_new, sample)
    return Goal(
        cop_x=load.x,
        cop_y=load.y,
        share=load.share,
        flat1=load.flat1,
        flat2=load.flat2,
        toe_ahead=HEEL_TO_TOE * sample.body.stature,
        height=height_reference(x_new, sample),
        centre_z=sample.centre.place.z,
        pitch1=pitch1_reference(x_new, sample),
        pitch2=pitch2_reference(x_new, sample),
        ankle_x=ankle.x,
        ankle_y=ankle.y,
        ankle_z=ankle.z,
        trunk_turn=turn.trunk,
        foot2_turn=turn.foot2,
        least_knee=sample.p[P.least_knee],
    )


def put_place(x_new, first, place):
    x_new[first], x_new[first + 1] = place.x, place.y


def moment_of(x_new, sample):
    """Return where the walk is."""
    stance, gait = sample.body.stance, sample.gait
    mirror, steps = mirror_of(stance), int(x_new[S.steps_left])
    foot1 = print_of(point_of(sample.motion, F.foot1, toe1(sample.body.stature)), X, mirror)
    foot2 = print_of(sole_end(sample), ahead_of(sample.motion, stance, 1), mirror)
    if not on_ground(foot2_of(stance)):
        foot2 = next_foothold(foot1, mirror, gait, steps)
    start, elapsed = Place(x_new[S.plan_x], x_new[S.plan_y]), sample.t - x_new[S.phase_start]
    return Moment(int(x_new[S.phase]), elapsed, start, foot1, foot2, mirror, steps)


def print_of(toe, ahead, mirror):
    """Return a foot with its toe at a point, which points ahead, for the plan."""
    return Print(toe.x, mirror * toe.y, mirror * math.atan2(ahead.y, ahead.x))


def next_foothold(foot1, side, gait, steps):
    """Return where the foot in the air shall land, after which so many steps are to begin."""
    corner = next_corner(Print(foot1.x, 0.0, 0.0), gait, steps == 0, part_of_length(steps, gait))
    return foothold(corner, foot1, side, gait)


def sole_end(sample):
    """Return where toe 2 is when the foot is flat, from where the ground holds it."""
    h = sample.body.stature
    if foot2_of(sample.body.stance) != FLAT:
        heel = point_of(sample.motion, F.foot2, heel2(h))
        return plus(heel, times(HEEL_TO_TOE * h, ahead_of(sample.motion, sample.body.stance, 1)))
    return point_of(sample.motion, F.foot2, toe2(h))


def share_load(x_new, sample, stance, wanted):
    """Return the nearest centre of pressure that the soles can give, and how the feet share the load.

    For a stance that is only expected, it is that with which the next phase will begin.
    """
    h, x, y = sample.body.stature, wanted.x, wanted.y
    phase, elapsed = int(x_new[S.phase]), sample.t - x_new[S.phase_start]
    if stance != sample.body.stance:
        phase, elapsed = DOUBLE if x_new[S.steps_left] > 0.0 else STOPPING, 0.0
    side = 0.5 * SOLE_WIDTH * h - sample.p[P.margin]
    flat1 = foot1_of(stance) == FLAT or (sample.hinged and phase != DOUBLE)
    point1 = point_of(sample.motion, F.foot1, contact1(stance, h).place)
    sole1 = support(point1.x, flat1, -HEEL_TO_TOE * h, sample)
    if not on_ground(foot2_of(stance)):
        return Load(clip(x, sole1.x, sole1.y), clip(y, point1.y - side, point1.y + side), 0.0, flat1, False)
    late = phase < SINGLE or elapsed > 0.5 * sample.gait.double
    flat2 = foot2_of(stance) == FLAT or (sample.hinged and late)
    point2 = point_of(sample.motion, F.foot2, contact2(stance, h).place)
    sole2 = support(point2.x, flat2, 0.0, sample)
    apart = abs(point2.x - point1.x) > MIN_DISTANCE_TO_SHARE
    if not flat1 and not flat2 and apart:
        share = clip((x - point1.x) / (point2.x - point1.x), LIGHTEST, HEAVIEST)
    elif not flat1 and phase == DOUBLE:
        ramp = max(sample.gait.double - x_new[S.share_delay], TIME_ROUNDING)
        done = clip((elapsed - x_new[S.share_delay]) / ramp, 0.0, 1.0)
        share = x_new[S.share_start] + done * (SHARE_AT_EXCHANGE - x_new[S.share_start])
    else:
        ahead = 0.5 * (sole2.x + sole2.y - sole1.x - sole1.y) if flat1 and flat2 else 0.0
        across = point2.y - point1.y
        way = ahead * (x - 0.5 * (sole1.x + sole1.y)) + across * (y - point1.y)
        ready = sample.p[P.recovery] == STEP and phase in (HOLD, STANDING) and flat1 and flat2
        least = LIGHTEST_OF_READY if ready else LIGHTEST
        share = clip(way / (ahead * ahead + across * across), least, 1.0 - least)
    base = Place((1.0 - share) * point1.x + share * point2.x, (1.0 - share) * point1.y + share * point2.y)
    axes = axes_of_load(ahead_of(sample.motion, stance, 1), share, flat1)
    along = along_soles(axes, base, x, y) if is_turned(stance) else Place(x, y)
    middle = base.y
    x = clip(along.x, (1.0 - share) * sole1.x + share * sole2.x, (1.0 - share) * sole1.y + share * sole2.y)
    y = clip(along.y, middle - side, middle + side)
    place = from_soles(axes, base, x, y) if is_turned(stance) else Place(x, y)
    return Load(place.x, place.y, share, flat1, flat2)


def support(x, flat, back, sample):
    """Return the first and the last place along x where a foot can have its centre of pressure: one, if it is hinged.

    The ground holds the foot at x, and its heel is `back` before that.
    """
    if not flat:
        return Place(x, x)
    margin = sample.p[P.margin]
    return Place(x + back + margin, x + back + FOOT.length * sample.body.stature - margin)


def heel_rises(x_new, sample):
    """Return whether heel 1 rises in single support: after `heel_off` of it; not in the last step."""
    gait, elapsed = sample.gait, sample.t - x_new[S.phase_start]
    if sample.hinged or x_new[S.phase] != SINGLE or x_new[S.steps_left] == 0.0:
        return False
    return gait.heel_off < 1.0 and elapsed >= gait.heel_off * gait.single - TIME_ROUNDING


def pitch1_reference(x_new, sample):
    """Return the reference of the pitch of foot 1: its heel rises in double support.

    Where it rises before, it does so with the steady acceleration that takes it to its last pitch at the same time.
    """
    p, gait, phase = sample.p, sample.gait, int(x_new[S.phase])
    elapsed = sample.t - x_new[S.phase_start]
    if heel_rises(x_new, sample) and foot1_of(sample.body.stance) == TOE:
        lifted = gait.heel_off * gait.single
        steady = 2.0 * p[P.leaving_pitch] / (gait.single + gait.double - lifted) ** 2
        return Reference(0.5 * steady * (elapsed - lifted) ** 2, steady * (elapsed - lifted), steady)
    if phase in (SINGLE, STOPPING):
        return resting(0.0)
    if phase != DOUBLE:
        return resting(x_new[S.pitch1_start])
    start = Reference(x_new[S.pitch1_start], x_new[S.pitch1_rate], 0.0)
    leaving = Reference(p[P.leaving_pitch], p[P.leaving_turn] / gait.double, 0.0)
    return quintic(start, leaving, gait.double, elapsed)


def pitch2_reference(x_new, sample):
    """Return the reference of the pitch of foot 2: it lands on its heel, and becomes flat."""
    p, phase = sample.p, int(x_new[S.phase])
    start = Reference(x_new[S.pitch2_start], x_new[S.pitch2_rate], 0.0)
    elapsed = sample.t - x_new[S.phase_start]
    if phase == SINGLE:
        landing = resting(p[P.landing_pitch] if x_new[S.steps_left] > 0.0 else CLOSING_PITCH)
        swing = p[P.swing_part] * sample.gait.single
        return quintic(start, landing, swing, elapsed) if elapsed < swing else landing
    if phase not in (DOUBLE, STOPPING):
        return resting(x_new[S.pitch2_start])
    flat = Reference(0.0, 0.0 if sample.hinged else FLAT_RATE, 0.0)
    return quintic(start, flat, p[P.flat_part] * sample.gait.double, elapsed)


class Ankle(NamedTuple):
    """References of the ankle of a foot in the air [m]."""

    x: Reference
    y: Reference
    z: Reference


def follow_ankle(x_new, sample, error, load):
    """Return the references of the ankle of foot 2: to its foothold, which moves with the divergent component."""
    p, gait, h = sample.p, sample.gait, sample.body.stature
    elapsed, mirror = sample.t - x_new[S.phase_start], mirror_of(sample.body.stance)
    closing = x_new[S.steps_left] == 0.0
    toe = point_of(sample.motion, F.foot1, toe1(h))
    place = next_foothold(print_of(toe, X, mirror), mirror, gait, int(x_new[S.steps_left]))
    left = max(gait.single - elapsed, 0.0)
    grown = p[P.foothold_gain] * math.exp(gait.rate * left) * clip(elapsed / (SHIFT_PART * gait.single), 0.0, 1.0)
    shift_x = clip(grown * error.x, -p[P.most_shift_x], p[P.most_shift_x])
    shift_y = clip(grown * error.y, -p[P.most_shift_y], p[P.most_shift_y])
    landing = Place(place.x + shift_x, mirror * (place.y + shift_y))
    if catches(x_new):
        landing = caught_at(x_new, sample, toe, load, left)
    ground, pitch = (sample.body.ground1, CLOSING_PITCH) if closing else (sample.body.ground2, p[P.landing_pitch])
    ankle = ankle_at(Vector(0.0, 0.0, ground), HEEL_TO_ANKLE * h, ANKLE_HEIGHT * h, pitch)
    cosine, sine = math.cos(place.yaw), mirror * math.sin(place.yaw)
    heel = Place(landing.x - HEEL_TO_TOE * h * cosine, landing.y - HEEL_TO_TOE * h * sine)
    forward = 0.0 if closing else p[P.landing_forward]
    ahead = ankle.x - forward * (1.0 - p[P.swing_part]) * gait.single
    return Ankle(
        swing(x_new, sample, 0, Reference(heel.x + ahead * cosine, forward * cosine, 0.0)),
        swing(x_new, sample, 1, Reference(heel.y + ahead * sine, forward * sine, 0.0)),
        lift(x_new, sample, ankle.z, elapsed),
    )


def swing(x_new, sample, axis, end):
    """Return the reference of the ankle along the ground."""
    start = Reference(x_new[S.ankle_x_start + axis], x_new[S.ankle_x_rate + axis], 0.0)
    duration = sample.p[P.swing_part] * sample.gait.single
    return quintic(start, end, duration, sample.t - x_new[S.phase_start])


def lift(x_new, sample, end, elapsed):
    """Return the reference of the ankle's height: up, down, slowly to the ground, and further if this is late."""
    p, whole = sample.p, sample.gait.single
    lifted = p[P.clearance] * (min(whole / p[P.single_time], 1.0) if catches(x_new) else 1.0)
    highest = max(x_new[S.ground_left], sample.body.ground1, sample.body.ground2)
    apex = resting(highest + ANKLE_HEIGHT * sample.body.stature + lifted)
    rolled = clip(x_new[S.pitch2_start] / max(p[P.leaving_pitch], LEAST_PITCH), 0.0, 1.0)
    rise = (APEX_OF_FLAT + rolled * (p[P.apex_part] - APEX_OF_FLAT)) * whole
    sunk = p[P.descent_part] * whole
    if elapsed < rise:
        return quintic(Reference(x_new[S.ankle_z_start], x_new[S.ankle_z_rate], 0.0), apex, rise, elapsed)
    if elapsed < whole:
        slow = Reference(end + p[P.landing_speed] * (whole - sunk), -p[P.landing_speed], 0.0)
        return quintic(apex, slow, sunk - rise, elapsed - rise)
    late = elapsed - whole
    return Reference(end - p[P.landing_speed] * late - 0.5 * late * late, -p[P.landing_speed] - late, -1.0)
