"""The slip velocity nearest to rest, found with a proof that none is nearer. See docs/hexapod.md, "The slip velocity".

With s = 1 / k the toe rests at s = 0 and slides freely at s = infinity. On a line of tau, drag equals resistance at the
roots of

    g(s) = rho(c s) |b + s w| - q0 - q1 s - q2 s^2,

where 1 / rho is the resistance over the cone's, 1 for Coulomb's law. Both |b + s w|, which rises, and rho, which falls,
are convex: their tangents at s give a parabola that lies below g from s on and touches it there. Its first root is the
next s. No root of g is passed over, and near one the steps are those of Newton's method.
"""

import math
from typing import NamedTuple

from .motor import demand_at, hip_torque, torque_piece_at
from .records import CREEP, P
from .slide import FORCE_TOLERANCE, TorqueLine, Trial, agrees, friction_coeff, resistance_rate

MAX_DEMANDS, MAX_PIECES, MAX_STEPS = 6, 12, 60
"""Most tangents of the controller's torque, pieces of tau and steps along one of them that are tried."""
LOW_SURPLUS = 1.0
"""Drag - resistance [N] below which a rise must begin to be reported."""
SAME_PLACE = 1e-12
"""Share of s, or of a hip speed, within which two places count as one."""


class Course(NamedTuple):
    """The symbols of g on one line of tau, and h . u = s (turn_b + s turn_w) / (1 + trace s + det s^2)."""

    b1: float
    b2: float
    w1: float
    w2: float
    q0: float
    q1: float
    q2: float
    trace: float
    det: float
    turn_b: float
    turn_w: float


class Creep(NamedTuple):
    """The constants of rho: `limit`, and c [1/s m/s N]; c = 0 for Coulomb's law."""

    damping: float
    limit: float


def find_nearest_root(slide):
    """Return the trial at the root nearest to rest, whether it was found, and whether drag - resistance rose before it.

    A controller's torque is replaced by its tangent at rest; where that is not the torque at the root, at the root.
    Only a rise that begins below LOW_SURPLUS is reported.
    """
    rate = slide.rest_rate
    for _ in range(MAX_DEMANDS):
        trial, found, rises = follow_pieces(slide, demand_at(slide.hip, rate))
        if not found:
            break
        rate = slide.rest_rate + slide.h1 * trial.u1 + slide.h2 * trial.u2
        if agrees(slide, trial.line, rate):
            return trial, True, rises
    return Trial(0.0, 0.0, 0.0, 0.0, TorqueLine(0.0, 0.0, 0.0)), False, False


def follow_pieces(slide, demand):
    """Return what `find_nearest_root` does, for one tangent of the controller's torque."""
    creep, tolerance = creep_of(slide.hip.p), FORCE_TOLERANCE * (1.0 + abs(slide.n0))
    rest_turn = slide.h1 * slide.b1 + slide.h2 * slide.b2
    rest_turn += (slide.h1 * slide.h1 + slide.h2 * slide.h2) * hip_torque(slide.hip, slide.rest_rate)
    s, rises, rate = 0.0, False, past(slide.rest_rate, rest_turn > 0.0)
    for _ in range(MAX_PIECES):
        piece = torque_piece_at(slide.hip, demand, rate)
        slope = piece.line.slope
        line = TorqueLine(rate, piece.line.at_zero + slope * slide.rest_rate, slope)
        course = course_on(slide, line)
        at_high = first_turn_to(course, piece.high - slide.rest_rate, s)
        at_low = first_turn_to(course, piece.low - slide.rest_rate, s)
        s, found, rises_here = least_root(course, creep, tolerance, s, min(at_high, at_low))
        rises = rises or rises_here
        if found:
            size = 1.0 + s * (course.trace + s * course.det)
            u1, u2 = s * (course.b1 + s * course.w1) / size, s * (course.b2 + s * course.w2) / size
            return Trial(0.0, u1, u2, 0.0, line), True, rises
        if s == math.inf or s < min(at_high, at_low):
            break
        rate = past(piece.high, True) if at_high < at_low else past(piece.low, False)
    return Trial(0.0, 0.0, 0.0, 0.0, TorqueLine(0.0, 0.0, 0.0)), False, False


def past(rate, up):
    """Return a speed of the hip just above, or below, another one [rad/s]."""
    step = SAME_PLACE * (1.0 + abs(rate))
    return rate + step if up else rate - step


def course_on(slide, line):
    """Return the course of a toe on one line of tau."""
    s_t, tau0 = line.slope, line.tau0
    a11, a22 = slide.a11 - s_t * slide.h1 * slide.h1, slide.a22 - s_t * slide.h2 * slide.h2
    a12 = slide.a12 - s_t * slide.h1 * slide.h2
    b1, b2 = slide.b1 + slide.h1 * tau0, slide.b2 + slide.h2 * tau0
    c1, c2 = slide.c1 - slide.lift * s_t * slide.h1, slide.c2 - slide.lift * s_t * slide.h2
    w1, w2 = a22 * b1 - a12 * b2, a11 * b2 - a12 * b1
    trace, det, mu = a11 + a22, a11 * a22 - a12 * a12, friction_coeff(slide.hip.p)
    n0 = slide.n0 - slide.lift * tau0
    q0, q1, q2 = mu * n0, mu * (n0 * trace + c1 * b1 + c2 * b2), mu * (n0 * det + c1 * w1 + c2 * w2)
    return Course(b1, b2, w1, w2, q0, q1, q2, trace, det, slide.h1 * b1 + slide.h2 * b2, slide.h1 * w1 + slide.h2 * w2)


def turn_at(course, scale, z):
    """Return numerator and denominator of h . u at one z [rad/s]; `scale` is that of k."""
    y, a = 1.0 - z, scale * z
    return y * (y * course.turn_w + a * course.turn_b), a * a + y * (a * course.trace + y * course.det)


def slope_at(slide, course, z):
    """Return d(drag - resistance)/dz at one z [N].

    With a = scale z and y = 1 - z, u = y d / size and drag = a d / size, where d = a b + y w and size = a^2 + T a y +
    Delta y^2.
    """
    y, a, a_rate = 1.0 - z, slide.scale * z, slide.scale
    yy_rate, ya_rate, aa_rate = -2.0 * y, a_rate * y - a, 2.0 * a * a_rate
    d1, d2 = a * course.b1 + y * course.w1, a * course.b2 + y * course.w2
    d = math.sqrt(d1 * d1 + d2 * d2)
    d_rate = (d1 * (a_rate * course.b1 - course.w1) + d2 * (a_rate * course.b2 - course.w2)) / d
    inverse = 1.0 / (a * a + y * (a * course.trace + y * course.det))
    size_rate = inverse * (aa_rate + ya_rate * course.trace + yy_rate * course.det)
    d, d_rate = inverse * d, inverse * d_rate - inverse * d * size_rate
    cone = inverse * (a * a * course.q0 + y * (a * course.q1 + y * course.q2))
    cone_rate = inverse * (aa_rate * course.q0 + ya_rate * course.q1 + yy_rate * course.q2) - cone * size_rate
    return a_rate * d + a * d_rate - resistance_rate(slide.hip.p, cone, y * d, cone_rate, y * d_rate - d)


def first_turn_to(course, turn, s):
    """Return the least place beyond s at which h . u is `turn` [rad/s]; infinity, if none."""
    if not abs(turn) < math.inf:
        return math.inf
    a2, a1 = course.turn_w - turn * course.det, course.turn_b - turn * course.trace
    disc = a1 * a1 + 4.0 * a2 * turn
    if disc < 0.0:
        return math.inf
    half = 0.5 * (a1 + math.copysign(math.sqrt(disc), a1))
    least, beyond = math.inf, s * (1.0 + SAME_PLACE)
    if half != 0.0 and turn / half > beyond:
        least = turn / half
    if a2 != 0.0 and -half / a2 > beyond:
        least = min(least, -half / a2)
    return least


def least_root(course, creep, tolerance, s, end):
    """Return the least root of g from s, where g > 0, to `end`; whether there is one; whether drag - resistance rose.

    If there is none, the place returned is `end`; or one before it, if g < 0 at s or too many steps would be needed.
    A toe that begins to slip has its root at s = 0, where g is zero but for rounding.
    """
    rises, least_surplus = False, LOW_SURPLUS
    for _ in range(MAX_STEPS):
        d1, d2 = course.b1 + s * course.w1, course.b2 + s * course.w2
        drag = math.sqrt(d1 * d1 + d2 * d2)
        rho, rho_rate = share_of_cone(creep, s)
        value = rho * drag - (course.q0 + s * (course.q1 + s * course.q2))
        size = 1.0 + s * (course.trace + s * course.det)
        if value <= tolerance * size:
            return s, s > 0.0 or value >= -tolerance, rises
        if value < least_surplus * rho * size:
            least_surplus = value / (rho * size)
        else:
            rises = rises or least_surplus < LOW_SURPLUS
        drag_rate = (d1 * course.w1 + d2 * course.w2) / drag
        cone_rate = course.q1 + 2.0 * s * course.q2
        h = first_zero(value, drag_rate * rho + drag * rho_rate - cone_rate, drag_rate * rho_rate - course.q2)
        if rho_rate < 0.0:
            least = 1.0 / (1.0 + creep.limit)
            value -= (rho - least) * drag
            if value > 0.0:
                h = max(h, first_zero(value, least * drag_rate - cone_rate, -course.q2))
        s += h
        if not s < end:
            return end, False, rises
    return s, False, rises


def first_zero(c0, c1, c2):
    """Return the least h > 0 with c0 + c1 h + c2 h^2 = 0 for c0 > 0; infinity, if none."""
    disc = c1 * c1 - 4.0 * c0 * c2
    if disc < 0.0:
        return math.inf
    divisor = math.sqrt(disc) - c1
    return 2.0 * c0 / divisor if divisor > 0.0 else math.inf


def creep_of(p):
    """Return the constants of the law of friction."""
    return Creep(p[P.creep_damping] if p[P.friction] == CREEP else 0.0, p[P.creep_limit])


def share_of_cone(creep, s):
    """Return rho, the cone's share of the resistance where the drag is u / s, and its slope.

    With L the limit and v = 1 / rho, creep gives v = 1 + L c s v / (L + c s v): a quadratic of rho.
    """
    if creep.damping == 0.0:
        return 1.0, 0.0
    limit, fast = creep.limit, creep.damping * s
    middle = limit - fast * (1.0 + limit)
    root = math.sqrt(middle * middle + 4.0 * limit * fast)
    rho = (root + middle) / (2.0 * limit) if middle > 0.0 else 2.0 * fast / (root - middle)
    return rho, creep.damping * (1.0 - (1.0 + limit) * rho) / root
