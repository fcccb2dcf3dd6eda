"""A periodic curve through a few points that rises and falls only where they do.

F. N. Fritsch and R. E. Carlson, "Monotone piecewise cubic interpolation", SIAM J. Numerical Analysis 17(2), 238-246
(1980): the slope at a point is the mean of the secants beside it, 0 where they differ in sign, and smaller where the
cubic would overshoot: the slopes at both ends, over the secant between, stay within a circle of radius 3.
"""

import math

from hybridsim import scratch

MOST_POINTS = 8


def curve_at(phase, p, shares, values, n):
    """Return the curve at a phase of the cycle.

    Parameters
    ----------
    phase : float
        0 to 1.
    p : array
        Parameters.
    shares : int
        Index of the first of n + 1 shares of the cycle, all positive: up to the first point, from point to point, and
        behind the last one. Only their ratios count.
    values : int
        Index of the values at the n points.
    n : int
        Number of points, at most MOST_POINTS.
    """
    places, secants = scratch(MOST_POINTS), scratch(MOST_POINTS)
    slopes, limits = scratch(MOST_POINTS), scratch(MOST_POINTS)
    total, place = 0.0, 0.0
    for i in range(n + 1):
        total += p[shares + i]
    for i in range(n):
        place += p[shares + i] / total
        places[i] = place
    for i in range(n):
        secants[i] = (p[values + (i + 1) % n] - p[values + i]) / width(places, i, n)
    for i in range(n):
        before, after = secants[(i - 1) % n], secants[i]
        slopes[i] = 0.5 * (before + after) if before * after > 0.0 else 0.0
    for i in range(n):
        both = slopes[i] ** 2 + slopes[(i + 1) % n] ** 2
        limits[i] = 3.0 * abs(secants[i]) / math.sqrt(both) if both > 9.0 * secants[i] ** 2 else 1.0
    first = n - 1
    for i in range(n - 1):
        if places[i] <= phase < places[i + 1]:
            first = i
    last, span = (first + 1) % n, width(places, first, n)
    s = phase - places[first]
    s = (s if s >= 0.0 else s + 1.0) / span
    begin = slopes[first] * min(limits[first], limits[(first - 1) % n])
    end = slopes[last] * min(limits[last], limits[first])
    y0, y1 = p[values + first], p[values + last]
    rest = 1.0 - s
    return (
        y0 * rest * rest * (1.0 + 2.0 * s) + y1 * s * s * (3.0 - 2.0 * s) + span * s * rest * (begin * rest - end * s)
    )


def width(places, i, n):
    """Return how far it is from a point to the next one; from the last to the first across the end of the cycle."""
    return places[i + 1] - places[i] if i < n - 1 else places[0] + 1.0 - places[n - 1]
