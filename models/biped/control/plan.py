"""The plan of a walk: where the centre of pressure shall be, and the divergent component of motion that goes with it.

The mass centre c of a biped that keeps its height moves as c'' = w0^2 (c - p), with p the centre of pressure and
w0 = sqrt(g / z). Its divergent component xi = c + c'/w0 obeys xi' = w0 (xi - p) and runs away from p: the plan begins
at its end, where xi rests at p, and goes backwards (J. Englsberger, C. Ott and A. Albu-Schaeffer, "Three-dimensional
bipedal walking control based on divergent component of motion", IEEE Trans. Robotics 31(2), 355-368 (2015)).
Positions are in the biped's own frame, but for y, which is to the left in both modes.
"""

import math
from typing import NamedTuple

from hybridsim import scratch

HOLD, SHIFT, SINGLE, DOUBLE, STOPPING, STANDING = range(6)
"""Phases: before the walk; the weight moves to the first foot; a step; both feet; after the last step; at the end."""
STEPS_AHEAD = 6
"""The plan looks so many steps ahead, and supposes that the biped could stop there."""
SEGMENT_SIZE = 5
"""Numbers of a segment: its duration, and the centre of pressure where it begins and ends, x y x y."""
MAX_SEGMENTS = 3 * STEPS_AHEAD + 4
PLAN_SIZE = MAX_SEGMENTS * SEGMENT_SIZE


class Gait(NamedTuple):
    """How to walk.

    Attributes
    ----------
    length, width : float
        Of a step; from foot line to foot line [m].
    strays : bool
        Whether steps land beside the standing foot, instead of on lines beside the x axis.
    single, double, hold, shift, stop : float
        Durations of the phases [s].
    rate : float
        w0 [1/s].
    first, last, rest : float
        Centre of pressure ahead of the toe at the beginning and at the end of a step, and of a biped at rest [m].
    heel_off : float
        Part of single support after which the centre of pressure stays at its last place, as heel 1 leaves the ground.
    turn : float
        Of each step, to the left [rad].
    slowing : float
        Steps before the last one that become shorter.
    """

    length: float
    width: float
    strays: bool
    single: float
    double: float
    hold: float
    shift: float
    stop: float
    rate: float
    first: float
    last: float
    rest: float
    heel_off: float
    turn: float
    slowing: float = 0.0


class Place(NamedTuple):
    """A place on the ground [m]."""

    x: float
    y: float


class Print(NamedTuple):
    """Where the toe of a foot is on the ground [m], and where the foot points, to the left of the x axis [rad]."""

    x: float
    y: float
    yaw: float


class Moment(NamedTuple):
    """Where the walk is.

    Attributes
    ----------
    phase : int
        The phase.
    elapsed : float
        Since it began [s].
    start : Place
        The centre of pressure where it began.
    foot1, foot2 : Print
        The feet; of a foot in the air, where it shall land.
    side : float
        1 if foot 2 is the left one, -1 if it is the right one.
    steps : int
        Steps that are still to begin, with the last one, which brings the feet together.
    """

    phase: int
    elapsed: float
    start: Place
    foot1: Print
    foot2: Print
    side: float
    steps: int


class PlanTarget(NamedTuple):
    """Centre of pressure and divergent component that the plan has for an instant [m]."""

    p: Place
    xi: Place


def target_at(moment, gait):
    """Return the plan for an instant."""
    segments = scratch(PLAN_SIZE)
    count = write_segments(segments, moment, gait)
    x, y = segments[SEGMENT_SIZE * count - 2], segments[SEGMENT_SIZE * count - 1]
    for step in range(count):
        first = SEGMENT_SIZE * (count - 1 - step)
        duration = segments[first]
        x = before(segments[first + 1], segments[first + 3], x, duration, gait.rate)
        y = before(segments[first + 2], segments[first + 4], y, duration, gait.rate)
    return PlanTarget(Place(segments[1], segments[2]), Place(x, y))


def before(p0, p1, xi1, duration, rate):
    """Return xi at the beginning of a segment in which p goes from p0 to p1 in a line, from xi at its end."""
    if duration <= 0.0:
        return xi1
    lead = (p1 - p0) / (duration * rate)
    return p0 + lead + (xi1 - p1 - lead) * math.exp(-rate * duration)


def write_segments(segments, moment, gait):
    """Write the segments from this instant on; return their number."""
    phase, steps = moment.phase, moment.steps
    end = end_of(moment, gait)
    moving = gait.heel_off * gait.single if phase == SINGLE and steps > 0 else duration_of(phase, gait)
    duration = moving - moment.elapsed
    if phase == STANDING or (phase == HOLD and steps == 0):
        return put_segment(segments, 0, 0.0, end, end)
    if duration > 0.0:
        done = moment.elapsed / moving
        here = Place(moment.start.x + done * (end.x - moment.start.x), moment.start.y + done * (end.y - moment.start.y))
        count = put_segment(segments, 0, duration, here, end)
    else:
        count = put_segment(segments, 0, 0.0, end, end)
    support = moment.foot2
    if phase == HOLD:
        shifted = ahead_of_toe(support, gait.first)
        count = put_segment(segments, count, gait.shift, end, shifted)
    elif phase == SINGLE:
        count = put_segment(segments, count, max(gait.single - max(moment.elapsed, moving), 0.0), end, end)
        count = put_double(segments, count, moment.foot1, moment.foot2, gait, steps == 0)
    return write_steps(segments, count, corner_of(moment), moment, gait)


def write_steps(segments, count, corner, moment, gait):
    """Write the segments of the steps to come, from the beginning of the next one on foot 2, beside `corner`."""
    ahead, support, side, steps = 0, moment.foot2, moment.side, moment.steps
    while steps > 0 and ahead < STEPS_AHEAD:
        steps, ahead = steps - 1, ahead + 1
        corner = next_corner(corner, gait, steps == 0, part_of_length(steps, gait))
        landing = foothold(corner, support, -side, gait)
        count = put_single(segments, count, support, gait, steps == 0)
        count = put_double(segments, count, support, landing, gait, steps == 0)
        support, side = landing, -side
    return count


def corner_of(moment):
    """Return the corner of the path beside foot 2, straight across from its toe, and where that foot points.

    The path is a polygon. Feet beside its corners point halfway between its sides; that beside foot 1 is on the x axis.
    """
    foot1, foot2 = moment.foot1, moment.foot2
    across = foot2.y - math.tan(0.5 * foot2.yaw) * (foot2.x - foot1.x)
    x, y = foot2.x + across * math.sin(foot2.yaw), foot2.y - across * math.cos(foot2.yaw)
    return Print(x, y, foot2.yaw)


def part_of_length(steps, gait):
    """Return how long a step is, after which so many are to begin: those before a stop are shorter."""
    return min(steps / (gait.slowing + 1.0), 1.0)


def next_corner(corner, gait, closing, part=1.0):
    """Return the next corner of the path, beside the next foothold, a part of a step on; the last one is at its end."""
    if closing:
        return corner
    way = ahead_of_toe(Print(corner.x, corner.y, corner.yaw + 0.5 * gait.turn), part * gait.length)
    return Print(way.x, way.y, corner.yaw + gait.turn)


def foothold(corner, support, side, gait):
    """Return where a step shall land that stands on `support`: beside a corner of the path."""
    if gait.strays:
        return Print(corner.x, support.y + side * gait.width, corner.yaw)
    across = 0.5 * side * gait.width
    return Print(corner.x - across * math.sin(corner.yaw), corner.y + across * math.cos(corner.yaw), corner.yaw)


def ahead_of_toe(foot, distance):
    """Return the place that is so far ahead of a toe, or behind it [m]."""
    return Place(foot.x + distance * math.cos(foot.yaw), foot.y + distance * math.sin(foot.yaw))


def put_single(segments, count, support, gait, closing):
    """Write the two segments of a single support: along the sole, and at rest while the heel is up."""
    moving = gait.single if closing else gait.heel_off * gait.single
    start, last = ahead_of_toe(support, gait.first), gait.rest if closing else gait.last
    end = ahead_of_toe(support, last)
    count = put_segment(segments, count, moving, start, end)
    return put_segment(segments, count, gait.single - moving, end, end)


def put_double(segments, count, foot1, foot2, gait, closing):
    """Write the segment of a double support, or of the stop."""
    if closing:
        return put_segment(segments, count, gait.stop, ahead_of_toe(foot1, gait.rest), middle(foot1, foot2, gait))
    start, end = ahead_of_toe(foot1, gait.last), ahead_of_toe(foot2, gait.first)
    return put_segment(segments, count, gait.double, start, end)


def put_segment(segments, count, duration, start, end):
    first = SEGMENT_SIZE * count
    segments[first] = duration
    segments[first + 1], segments[first + 2] = start.x, start.y
    segments[first + 3], segments[first + 4] = end.x, end.y
    return count + 1


def end_of(moment, gait):
    """Return where the centre of pressure is at the end of the present phase."""
    foot1, foot2 = moment.foot1, moment.foot2
    if moment.phase in (SHIFT, DOUBLE):
        return ahead_of_toe(foot2, gait.first)
    if moment.phase == SINGLE:
        return ahead_of_toe(foot1, gait.last if moment.steps > 0 else gait.rest)
    return middle(foot1, foot2, gait)


def middle(foot1, foot2, gait):
    """Return where the centre of pressure is of a biped that rests on both feet."""
    between = Print(0.5 * (foot1.x + foot2.x), 0.5 * (foot1.y + foot2.y), 0.5 * (foot1.yaw + foot2.yaw))
    return ahead_of_toe(between, gait.rest)


def duration_of(phase, gait):
    """Return how long a phase is to last [s]."""
    if phase == HOLD:
        return gait.hold
    if phase == SHIFT:
        return gait.shift
    if phase == SINGLE:
        return gait.single
    return gait.double if phase == DOUBLE else gait.stop
