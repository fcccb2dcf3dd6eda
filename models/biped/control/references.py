"""Motions that a controller follows: quintic polynomials, and what follows them."""

from typing import NamedTuple


class Reference(NamedTuple):
    """A reference at one instant: value, rate and second derivative."""

    value: float
    rate: float
    rate2: float


def quintic(start, end, duration, elapsed):
    """Return the quintic polynomial from one `Reference` to another at an instant; before and after, these rest.

    Parameters
    ----------
    start, end : Reference
        Where it begins and ends.
    duration, elapsed : float
        How long it takes, and for how long it has run [s].
    """
    if elapsed >= duration:
        return Reference(end.value + end.rate * (elapsed - duration), end.rate, 0.0)
    s = max(elapsed, 0.0) / duration
    rate0, rate1 = start.rate * duration, end.rate * duration
    half0, half1 = 0.5 * start.rate2 * duration**2, 0.5 * end.rate2 * duration**2
    way = end.value - start.value - rate0 - half0
    turn, bend = rate1 - rate0 - 2.0 * half0, 2.0 * (half1 - half0)
    c3 = 10.0 * way - 4.0 * turn + 0.5 * bend
    c4 = -15.0 * way + 7.0 * turn - bend
    c5 = 6.0 * way - 3.0 * turn + 0.5 * bend
    value = start.value + s * (rate0 + s * (half0 + s * (c3 + s * (c4 + s * c5))))
    rate = rate0 + s * (2.0 * half0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    rate2 = 2.0 * half0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
    return Reference(value, rate / duration, rate2 / duration**2)


def clip(value, low, high):
    return min(max(value, low), high)


def resting(value):
    return Reference(value, 0.0, 0.0)


def follow(reference, value, rate, stiffness, damping):
    """Return the acceleration with which a quantity follows a reference, for gains in 1/s^2 and 1/s."""
    return reference.rate2 + damping * (reference.rate - rate) + stiffness * (reference.value - value)
