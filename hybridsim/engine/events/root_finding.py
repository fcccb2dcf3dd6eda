"""Where between two floats a function falls to zero: a pure function of a bracket and of what is called."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.fall import FOUND, NOT_FINITE, NOT_LOCATED, fell
from hybridsim.engine.rounding import EPSILON


@kernel
def find_fall(g, arguments, before, g_before, after, g_after, first, strict, max_iterations):
    """Narrow a bracket to the two adjacent floats between which g falls (Chandrupatla 1997).

    The kernel g is called as g(arguments, t). It has not fallen at `before`, where it is g_before, and has fallen at
    `after`, where it is g_after; `strict` means that only values below zero count as fallen. It is evaluated at `first`
    to begin with; or halfway, if `first` is not between them.

    Returns (FOUND, t, g(t), evaluations of g), where t is the one of the two floats at which |g| is smaller, the later
    one if `strict`; or NOT_FINITE or NOT_LOCATED first, after a value that is not finite or after `max_iterations`
    evaluations.
    """
    # a is the newest point, b the other end of the bracket, c the point before.
    a, ga, b, gb, c, gc = after, g_after, before, g_before, before, g_before
    fraction, iterations = (first - a) / (b - a), 0
    is_guessed = 0.0 <= fraction <= 1.0
    if not is_guessed:
        fraction = 0.5
    while min(a, b) < a + 0.5 * (b - a) < max(a, b):
        if iterations == max_iterations:
            return NOT_LOCATED, a, ga, iterations
        iterations += 1
        t = strictly_between(a, b, a + fraction * (b - a))
        value = g(arguments, t)
        if not math.isfinite(value):
            return NOT_FINITE, t, value, iterations
        if fell(value, strict) == fell(ga, strict):
            c, gc = a, ga
        else:
            c, gc = b, gb
            b, gb = a, ga
        a, ga = t, value
        fraction = next_fraction(a, ga, b, gb, c, gc, is_guessed and iterations < 8 and iterations % 2 == 1)
    if not fell(ga, strict):
        a, ga, b, gb = b, gb, a, ga
    if not strict and gb < -ga:
        a, ga = b, gb
    return FOUND, a, ga, iterations


@kernel
def strictly_between(a, b, t):
    """Return the float nearest to t that is neither a nor b and lies between them; there must be one."""
    if t <= min(a, b):
        t = np.nextafter(min(a, b), np.inf)
    if t >= max(a, b):
        t = np.nextafter(max(a, b), -np.inf)
    return t


@kernel
def next_fraction(a, ga, b, gb, c, gc, by_secant):
    """Return the next fraction of the way from a to b: by inverse quadratic interpolation, if that is safe.

    Else halfway or, `by_secant`, twice as far as the secant, if that is less: close to the fall, this leads beyond it.
    """
    least = EPSILON * max(abs(a), abs(b)) / abs(b - a)
    fraction = min(0.5, 2.0 * (ga / (ga - gb) + least)) if by_secant else 0.5
    if c != b and gc != ga:
        xi, phi = (a - b) / (c - b), (ga - gb) / (gc - gb)
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            fraction = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
    return min(max(fraction, least), 1.0 - least)
