"""A toe that slips: its velocity, and how that changes. See docs/hexapod.md, "The slip velocity".

With u the velocity in two tangents of the ground and tau the torque of the hip,

    drag = b - A u + h tau,   N = N0 + c . u - l tau,   tau = tau(r0 + h . u).

Friction opposes the motion, so a toe without mass has drag = k u with k >= 0. Each k has one velocity, as A and
-dtau/dphidot damp: with the scale a and k = a (1 - y) / y it goes from rest, y = 0, to free sliding, y = 1. Where on
this way a toe is, is a state, `release`: its mass is accelerated by drag - resistance.
"""

import math
from typing import NamedTuple

from .legs import hip_rate
from .motor import MAX_LINES, TORQUE_TOLERANCE, Hip, hip_torque, middle, torque_slope
from .records import CREEP, P
from .vectors import Vector, dot, plus, times

MIN_FRICTION, MIN_DAMPING = 1e-9, 1e-3
"""Least coefficient of friction, so that a toe on ice leaves where nothing presses it down; least damping [N s/m]."""
LEAST_RELEASE, LEAST_DIFFERENCE = 1e-6, 1e-3
"""Release with which a toe begins to slip; least one whose difference of surplus from rest is more than rounding."""
MIN_RELEASE_BEYOND_REST = -0.05
"""Release below which a toe does not slip back any faster, in the rest of a step in which it comes to rest."""
LEAST_MOMENTUM = 1e-12
"""Least momentum that a toe that slips has [N s], so that one that nothing drags has a rate."""


class Slide(NamedTuple):
    """The symbols of the equations above, for one toe; and the scale of k [N s/m]."""

    hip: Hip
    t1: Vector
    t2: Vector
    a11: float
    a12: float
    a22: float
    b1: float
    b2: float
    c1: float
    c2: float
    n0: float
    h1: float
    h2: float
    lift: float
    rest_rate: float
    scale: float


class TorqueLine(NamedTuple):
    """The tangent of tau at a hip speed `rate` [rad/s]: the line tau0 [N m] + slope [N m s/rad] (phidot - r0)."""

    rate: float
    tau0: float
    slope: float


class Trial(NamedTuple):
    """The velocity [m/s] at one y; drag - resistance, and resistance, there [N]."""

    u1: float
    u2: float
    speed: float
    surplus: float
    resistance: float


def tangents_of(n):
    """Return two orthonormal tangents (Duff et al. 2017). Friction is isotropic: any two will do."""
    sign = math.copysign(1.0, n.z)
    a = -1.0 / (sign + n.z)
    b = n.x * n.y * a
    return Vector(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vector(b, sign + n.y * n.y * a, -n.y)


def reduce_slide(leg, hip, normal):
    """Return the equations of a toe that slips."""
    t1, t2 = tangents_of(normal)
    damper_rho, damper_theta = leg.damper_rho, leg.damper_theta
    force_rho = leg.spring_rho - damper_rho * dot(leg.j_rho, leg.w_rest)
    torque_theta = leg.spring_theta - damper_theta * dot(leg.j_theta, leg.w_rest)
    rho1, rho2, rho_n = dot(leg.j_rho, t1), dot(leg.j_rho, t2), dot(leg.j_rho, normal)
    theta1, theta2, theta_n = dot(leg.j_theta, t1), dot(leg.j_theta, t2), dot(leg.j_theta, normal)
    return Slide(
        hip,
        t1,
        t2,
        a11=damper_rho * rho1 * rho1 + damper_theta * theta1 * theta1,
        a12=damper_rho * rho1 * rho2 + damper_theta * theta1 * theta2,
        a22=damper_rho * rho2 * rho2 + damper_theta * theta2 * theta2,
        b1=force_rho * rho1 + torque_theta * theta1,
        b2=force_rho * rho2 + torque_theta * theta2,
        c1=damper_rho * rho_n * rho1 + damper_theta * theta_n * theta1,
        c2=damper_rho * rho_n * rho2 + damper_theta * theta_n * theta2,
        n0=-force_rho * rho_n - torque_theta * theta_n,
        h1=hip_rate(leg, t1),
        h2=hip_rate(leg, t2),
        lift=hip_rate(leg, normal),
        rest_rate=hip_rate(leg, leg.w_rest),
        scale=damper_rho + damper_theta * dot(leg.j_theta, leg.j_theta) + MIN_DAMPING,
    )


def velocity_of(slide, trial):
    """Return the velocity of a trial in B [m/s]."""
    return plus(times(trial.u1, slide.t1), times(trial.u2, slide.t2))


def release_rate(slide, release):
    """Return the trial of a toe that slips, and the rate of its release y [1/s].

    The surplus S of drag accelerates the toe's mass: m d|u|/dt = S, with |u| / y in place of d|u|/dy. The lag T keeps
    that from being faster than 1 / T where S falls steeply along the way; (S - S(0)) / y stands for its slope.
    """
    p, trial = slide.hip.p, try_at(slide, max(release, MIN_RELEASE_BEYOND_REST))
    place, here = release, trial
    if place < LEAST_DIFFERENCE:
        place, here = LEAST_DIFFERENCE, try_at(slide, LEAST_DIFFERENCE)
    inertia = p[P.leg_mass] * here.speed
    delay = p[P.slip_lag] * (here.surplus - rest_surplus(slide))
    momentum = math.sqrt(inertia * inertia + delay * delay) + LEAST_MOMENTUM
    return trial, trial.surplus * place / momentum


def rest_surplus(slide):
    """Return drag - resistance of the resting toe [N]."""
    tau = hip_torque(slide.hip, slide.rest_rate)
    b1, b2 = slide.b1 + slide.h1 * tau, slide.b2 + slide.h2 * tau
    return math.sqrt(b1 * b1 + b2 * b2) - resistance(slide.hip.p, slide.n0 - slide.lift * tau, 0.0)


def try_at(slide, release):
    """Return the velocity at a release y.

    Newton's method: replace the torque tau by its tangent, solve for the speed of the hip, and take the tangent there.
    If the speed found is higher than that of the tangent, the solution lies higher too, so the bracket shrinks. The
    search ends after one tangent for each kink of tau crossed.
    """
    line = torque_line_at(slide, slide.rest_rate)
    u1, u2, drag, low, high = 0.0, 0.0, 0.0, -math.inf, math.inf
    for _ in range(MAX_LINES):
        u1, u2, drag = slip_on(slide, line, release)
        rate = slide.rest_rate + slide.h1 * u1 + slide.h2 * u2
        if agrees(slide, line, rate):
            break
        if rate > line.rate:
            low = line.rate
        else:
            high = line.rate
        line = torque_line_at(slide, rate if low < rate < high else middle(low, high))
    tau = line.tau0 + line.slope * (slide.h1 * u1 + slide.h2 * u2)
    push = slide.n0 + slide.c1 * u1 + slide.c2 * u2 - slide.lift * tau
    speed = math.copysign(math.sqrt(u1 * u1 + u2 * u2), release)
    most = resistance(slide.hip.p, push, speed)
    return Trial(u1, u2, speed, drag - most, most)


def torque_line_at(slide, rate):
    """Return the tangent of tau at a speed of the hip [rad/s]."""
    slope = torque_slope(slide.hip, rate)
    return TorqueLine(rate, hip_torque(slide.hip, rate) - slope * (rate - slide.rest_rate), slope)


def agrees(slide, line, rate):
    """Return whether a line gives the torque tau at a speed of the hip [rad/s], within TORQUE_TOLERANCE."""
    expected = line.tau0 + line.slope * (rate - slide.rest_rate)
    return abs(hip_torque(slide.hip, rate) - expected) <= TORQUE_TOLERANCE


def slip_on(slide, line, release):
    """Return u = y M b and |drag| = a (1 - y) |M b| with M = (y A + a (1 - y))^-1, tau on a line."""
    slope, y, a = line.slope, release, slide.scale * (1.0 - release)
    d11 = y * (slide.a11 - slope * slide.h1 * slide.h1) + a
    d22 = y * (slide.a22 - slope * slide.h2 * slide.h2) + a
    d12 = y * (slide.a12 - slope * slide.h1 * slide.h2)
    b1, b2 = slide.b1 + slide.h1 * line.tau0, slide.b2 + slide.h2 * line.tau0
    scale = 1.0 / (d11 * d22 - d12 * d12)
    q1, q2 = scale * (d22 * b1 - d12 * b2), scale * (d11 * b2 - d12 * b1)
    return y * q1, y * q2, a * math.sqrt(q1 * q1 + q2 * q2)


def friction_coeff(p):
    """Return mu, a little more than 0."""
    return max(p[P.friction_coeff], MIN_FRICTION)


def resistance(p, push, speed):
    """Return the largest friction [N] at a push [N] and a speed [m/s]: the cone, and the excess of creep."""
    cone = friction_coeff(p) * push
    if p[P.friction] != CREEP:
        return cone
    limit, excess = p[P.creep_limit] * cone, p[P.creep_damping] * speed
    return cone + (excess * limit / (limit + max(excess, 0.0)) if limit > 0.0 else limit)
