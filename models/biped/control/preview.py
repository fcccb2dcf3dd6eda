"""Preview control of the centre of pressure: another way to follow the plan (parameter `preview: kajita`).

S. Kajita, F. Kanehiro, K. Kaneko, K. Fujiwara, K. Harada, K. Yokoi and H. Hirukawa, "Biped walking pattern generation
by using preview control of zero-moment point", Proc. IEEE Int. Conf. Robotics and Automation, 1620-1626 (2003). A cart
that runs on a table of the height z stands for the mass centre. Along each axis, its place x and the centre of pressure
p below it obey

    p = x - x''/w0^2,    w0 = sqrt(g / z)                                           (1)

and the jerk u = x''' drives it. With 1/w0 as unit of time, a state s = (x, x', x''), and a sample h that holds u:

    s(k+1) = A s(k) + b u(k),    p(k) = c s(k)                                      (2)
    A = [1 h h^2/2; 0 1 h; 0 0 1],    b = (h^3/6, h^2/2, h),    c = (1, 0, -1)

With P the solution of the Riccati equation of A, b, c'c and r, the jerk that makes the sum of
(p_plan(j) - p(j))^2 + r u(j)^2 over all samples to come smallest is

    u(k) = -K s(k) + f_1 p_plan(k+1) + f_2 p_plan(k+2) + ...                        (3)
    K = (r + b'P b)^-1 b'P A,    f_i = (r + b'P b)^-1 b' (A - b K)'^(i-1) c'        (4)

In these units all gains are constants, whatever height and gravity are. Beyond the last sample of the preview p_plan is
taken to rest, so that its weight is the sum of all that follow. As the f_i add up to K_1, (3) needs only distances from
the cart, and is the same everywhere. The paper also feeds the sum of errors back, against errors of a model; a cart
that is only a reference has none, and this is the form without it.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_discrete_are

from hybridsim import scratch

from .plan import PLAN_SIZE, SEGMENT_SIZE, Place, PlanTarget, write_segments
from .records import S

SAMPLE, JERK_WEIGHT, SAMPLES = 0.02, 1e-3, 400
"""h, r and the length of the preview. At z = 1 m they are 6 ms, Kajita's 1e-6 s^6, and 2.6 s."""


def preview_gains(sample, weight, count):
    """Return the gains of the state, K, and of the planned centres of pressure from the next sample on, f.

    Parameters
    ----------
    sample : float
        h, in units of 1/w0.
    weight : float
        r, of the jerk.
    count : int
        How many samples are seen ahead; the last gain is that of all later ones, too.

    Returns
    -------
    (3,) array, (count,) array
        K and f.
    """
    a = np.array([[1.0, sample, sample**2 / 2.0], [0.0, 1.0, sample], [0.0, 0.0, 1.0]])
    b, c = np.array([sample**3 / 6.0, sample**2 / 2.0, sample]), np.array([1.0, 0.0, -1.0])
    p = solve_discrete_are(a, b[:, None], np.outer(c, c), weight)
    scale = 1.0 / (weight + b @ p @ b)
    gains, ahead, row = scale * b @ p @ a, np.empty(count), c
    for i in range(count):
        ahead[i] = scale * b @ row
        row = (a - np.outer(b, gains)).T @ row
    ahead[-1] = gains[0] - ahead[:-1].sum()
    return gains, ahead


STATE_GAINS, AHEAD = preview_gains(SAMPLE, JERK_WEIGHT, SAMPLES)
VELOCITY_GAIN, ACCELERATION_GAIN = float(STATE_GAINS[1]), float(STATE_GAINS[2])


class Cart(NamedTuple):
    """Place [m], velocity [m/s] and acceleration [m/s^2] of the cart along one axis."""

    x: float
    v: float
    a: float


def roll_cart(cart, jerk, duration):
    """Return the cart after a time with constant jerk."""
    return Cart(
        cart.x + duration * (cart.v + duration * (cart.a / 2.0 + duration * jerk / 6.0)),
        cart.v + duration * (cart.a + duration * jerk / 2.0),
        cart.a + duration * jerk,
    )


def jerk_of(cart, segments, count, axis, rate):
    """Return the jerk with which a cart follows a plan [m/s^3].

    Parameters
    ----------
    cart : Cart
        Where it is, and how it moves.
    segments : array
        The plan from this instant on, as `write_segments` writes it.
    count : int
        The number of its segments.
    axis : int
        0: x, 1: y.
    rate : float
        w0 [1/s].
    """
    jerk = -VELOCITY_GAIN * cart.v / rate - ACCELERATION_GAIN * cart.a / rate**2
    segment, begun = 0, 0.0
    for i in range(SAMPLES):
        time = (i + 1) * SAMPLE / rate
        while segment < count - 1 and time > begun + segments[SEGMENT_SIZE * segment]:
            begun += segments[SEGMENT_SIZE * segment]
            segment += 1
        jerk += AHEAD[i] * (pressure_of_plan(segments, segment, axis, time - begun) - cart.x)
    return jerk * rate**3


def pressure_of_plan(segments, segment, axis, elapsed):
    """Return the centre of pressure of a plan in one of its segments; at its end, if that is over."""
    first = SEGMENT_SIZE * segment
    duration, start, end = segments[first], segments[first + 1 + axis], segments[first + 3 + axis]
    return start + elapsed / duration * (end - start) if elapsed < duration else end


def put_cart(x_new, t, place):
    """Put the cart at rest at a place."""
    for axis in range(2):
        x_new[S.cart_x + axis] = place.x if axis == 0 else place.y
        x_new[S.cart_x_rate + axis] = x_new[S.cart_x_rate2 + axis] = x_new[S.cart_x_rate3 + axis] = 0.0
    x_new[S.cart_time] = t


def follow_plan(x_new, t, moment, gait):
    """Let the cart roll on from the last sample, and choose its jerk until the next one.

    Returns
    -------
    Target
        Centre of pressure and divergent component of the cart.
    """
    segments = scratch(PLAN_SIZE)
    count = write_segments(segments, moment, gait)
    x = roll(x_new, t, segments, count, 0, gait.rate)
    y = roll(x_new, t, segments, count, 1, gait.rate)
    x_new[S.cart_time] = t
    square = gait.rate**2
    return PlanTarget(
        Place(x.x - x.a / square, y.x - y.a / square), Place(x.x + x.v / gait.rate, y.x + y.v / gait.rate)
    )


def roll(x_new, t, segments, count, axis, rate):
    """Roll along one axis; return where the cart is then."""
    before = Cart(x_new[S.cart_x + axis], x_new[S.cart_x_rate + axis], x_new[S.cart_x_rate2 + axis])
    cart = roll_cart(before, x_new[S.cart_x_rate3 + axis], t - x_new[S.cart_time])
    x_new[S.cart_x + axis], x_new[S.cart_x_rate + axis], x_new[S.cart_x_rate2 + axis] = cart.x, cart.v, cart.a
    x_new[S.cart_x_rate3 + axis] = jerk_of(cart, segments, count, axis, rate)
    return cart
