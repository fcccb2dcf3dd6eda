"""Single steps of the run's own integration method, repeated here: their lengths, ends and error estimates.

The engine differentiates the vector field by dual numbers for a Rosenbrock method, and eliminates the unknowns itself:
the elimination takes no part here, and a derivative by dual numbers only where differences bear it out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.extension import slope_at
from hybridsim.engine.methods import Tableau
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import SIDES, SLIDE, Evaluator, fourth_order, next_power
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points

MAX_LENGTH_ITERATIONS = 8
"""Most iterations in which the length of a step is adapted to its error estimate."""

CLOSE_TO_TOLERANCE = 0.1
"""Relative change of the length in an iteration after which there is no further one."""

LENGTH_SAFETY, LEAST_LENGTH_FACTOR, LARGEST_LENGTH_FACTOR = 0.95, 0.05, 10.0
"""The length changes by these factors at most, to LENGTH_SAFETY times what the error estimate allows."""

BATCH_POINTS = 8192
"""Points from which the lengths of steps are found side by side."""

STEPS_OF_SERIES = 16.0
"""How many times as long as a step of DOP853 one of Taylor's method may be. On an orbit they are 1.6 times as long at a
tolerance of 1e-9, and 3 times at 1e-14; where terms of the series vanish they are longer."""


def method_of(evaluator: Evaluator) -> Tableau:
    """Return the integration method of the run."""
    return evaluator.config.engine.tableau


def step_tolerance(evaluator: Evaluator, *states: FloatArray) -> FloatArray:
    """Return the tolerance atol + rtol |x| for the largest of these states: (n, width)."""
    engine = evaluator.config.engine
    largest = np.maximum.reduce([abs(x) for x in states])
    return np.asarray(engine.atol + engine.rtol * largest)


def longest_possible_step(evaluator: Evaluator) -> float:
    """Return how long a step can be whatever its error [s]: a run that was stopped was to last until its final time."""
    config = evaluator.config
    begin, end = evaluator.run.t[0], evaluator.run.t[-1]
    planned = float((end if config.final_time is None else max(end, config.final_time)) - begin)
    return min(planned or 1.0, config.engine.max_step)


def longest_steps(evaluator: Evaluator, points: Points) -> FloatArray:
    """Return approximately the longest step that the run's tolerances allow from each point: (n,) [s].

    The length follows from the error estimate of the run's own method, which grows with a power of it. It is at most
    `longest_possible_step`. Of Taylor's method, whose series is not repeated here, it is a multiple of that of DOP853.
    """
    engine, method = evaluator.config.engine, method_of(evaluator)
    limit = np.full(len(points), longest_possible_step(evaluator))
    if not method.adaptive:
        return np.asarray(np.minimum(limit, engine.first_step or engine.max_step))
    groups = [slice(first, first + BATCH_POINTS) for first in range(0, len(points), BATCH_POINTS)]
    length = np.concatenate([limit[:0], *(_longest(evaluator, points[group], limit[group]) for group in groups)])
    return np.asarray(np.minimum(STEPS_OF_SERIES * length, limit)) if method.series_order else length


def _longest(evaluator: Evaluator, points: Points, limit: FloatArray) -> FloatArray:
    """Return the longest steps from a group of n points, at most `limit`: both (n,) [s]."""
    h, some = limit.copy(), np.arange(len(points))
    for _ in range(MAX_LENGTH_ITERATIONS):
        before = h[some]
        with np.errstate(all="ignore"):
            error = in_tolerances(evaluator, points[some], *step_with_error(evaluator, points[some], before))
            factor = LENGTH_SAFETY * error ** (-1.0 / (method_of(evaluator).error_order + 1))
            factor = np.clip(factor, LEAST_LENGTH_FACTOR, LARGEST_LENGTH_FACTOR)
        h[some] = np.minimum(before * np.where(np.isfinite(error), factor, LEAST_LENGTH_FACTOR), limit[some])
        some = some[abs(h[some] - before) > CLOSE_TO_TOLERANCE * before]
        if not len(some):
            break
    return h


def in_tolerances(evaluator: Evaluator, points: Points, end: FloatArray, error: FloatArray) -> FloatArray:
    """Return the root mean square of error estimates, (n, width), in units of their tolerances: (n,)."""
    return np.asarray(np.sqrt(_sum_of_squares(evaluator, points, end, error)[:, 0] / max(evaluator.n_states, 1)))


def step_with_error(evaluator: Evaluator, points: Points, h: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ends of steps of length h, (n,) [s], from n points, and their error estimates: both (n, width)."""
    return _end_and_error(evaluator, points, h, stages(evaluator, points, h))


def _end_and_error(
    evaluator: Evaluator, points: Points, h: FloatArray, k: list[FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of steps and their error estimates from the slopes k of their stages."""
    method, step = method_of(evaluator), h[:, None]
    end = points.x + step * sum(weight * slope for weight, slope in zip(method.a[method.stages], k, strict=False))

    def estimate(weights: FloatArray) -> FloatArray:
        return np.asarray(step * sum(weight * slope for weight, slope in zip(weights, k, strict=False)))

    error = estimate(method.e)
    if method.e_third.any():  # Hairer, Norsett, Wanner (1993), II.10.17
        total = _sum_of_squares(evaluator, points, end, error)
        third = _sum_of_squares(evaluator, points, end, estimate(method.e_third))
        with np.errstate(invalid="ignore"):
            weight = np.sqrt(total / (total + 0.01 * third))
        error = np.where(total > 0.0, weight, 1.0) * error
    return np.asarray(end), error


def _sum_of_squares(evaluator: Evaluator, points: Points, end: FloatArray, error: FloatArray) -> FloatArray:
    """Return the sum over the continuous states of (error / tolerance)^2, (n, 1)."""
    n = evaluator.n_states
    scale = evaluator.is_continuous / step_tolerance(evaluator, points.x, end)[:, :n]
    return np.asarray(((error[:, :n] * scale) ** 2).sum(axis=1, keepdims=True))


def accepted_extension(
    evaluator: Evaluator, points: Points, h: FloatArray, largest_estimate: float = 1.0
) -> FloatArray:
    """Return the continuous extension of a step of length h from each point: (n, degree, width).

    The result is nan if the error estimate of the step exceeds `largest_estimate` tolerances. At a kink of the vector
    field an accepted step can have a larger error than its estimate, so that many steps are tried there (`trials`).
    """
    method = method_of(evaluator)
    with np.errstate(all="ignore"):
        k = stages(evaluator, points, h, extension=True)
        estimate = in_tolerances(evaluator, points, *_end_and_error(evaluator, points, h, k))
        extension = h[:, None, None] * np.einsum("sd,snw->ndw", method.extension, np.array(k))
    return np.asarray(np.where(estimate[:, None, None] <= largest_estimate + 1e-6, extension, np.nan))


def stages(evaluator: Evaluator, points: Points, h: FloatArray, extension: bool = False) -> list[FloatArray]:
    """Return the slopes of one step's stages and at its end, and on request those that only its extension uses."""
    method = method_of(evaluator)
    if method.gamma:
        return _rosenbrock_stages(evaluator, method, points, h)
    step, k = h[:, None], [evaluator.slopes(points)]
    for i in range(1, len(method.c) if extension else method.stages + 1):
        rise = step * sum(method.a[i, j] * k[j] for j in range(i))
        k.append(evaluator.slopes(points.moved(method.c[i] * h, rise)))
    return k


EPSILON = np.finfo(float).eps

ROUNDINGS_OF_SLOPE = 16.0
"""A slope is taken to be rounded by this many spacings."""

LENGTHS = (1.0, 2.0**-6, 2.0**-12)
"""Lengths of differences to one side, relative to those of fourth order: a kink is near, or the values are rounded."""

DIFFERENCE_SHARE = 2.0**-13
"""Lengths of a difference of fourth order relative to the state: a little less than the fifth root of the rounding."""


def _rosenbrock_stages(evaluator: Evaluator, method: Tableau, points: Points, h: FloatArray) -> list[FloatArray]:
    """Return the slope where steps of lengths h, (n,) [s], begin, the increments, and the slope at their ends.

    Each is (n, width); for the equations see `Tableau`. Where the equations cannot be solved the increments are nan.
    """
    by_state, by_time = _derivatives(evaluator, points, h)
    matrix = np.eye(points.x.shape[1]) / method.gamma - h[:, None, None] * by_state
    inverse, step, k = _inverse(matrix), h[:, None], [evaluator.slopes(points)]
    for i in range(1, method.stages + 1):
        rise = step * sum(method.a[i, j] * k[j] for j in range(i))
        slopes = evaluator.slopes(points.moved(method.c[i] * h, rise))
        if i < method.stages:
            slopes = slopes + sum(method.coupling[i, j] * k[j] for j in range(1, i))
            slopes = np.einsum("nij,nj->ni", inverse, slopes + method.time_weights[i] * step * by_time)
        k.append(slopes)
    return k


def _derivatives(evaluator: Evaluator, points: Points, h: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of the slopes by the states, (n, width, width), and by time, (n, width).

    They are differences. Where the vector field has a kink, as the force of a foot that has just come down, these mix
    both of its sides: the derivatives by dual numbers are taken where a difference to one side bears them out.
    """
    width, engine = evaluator.width, evaluator.config.engine
    exact, by_state = evaluator.exact_derivatives(points), np.zeros((len(points), width, width))
    least, none = engine.atol / max(engine.rtol, 1e-6), np.zeros(len(points))
    for m in np.flatnonzero(evaluator.is_continuous):
        delta = next_power(DIFFERENCE_SHARE * np.maximum(abs(points.x[:, m]), least))
        change = delta[:, None] * (np.arange(width) == m)
        by_state[:, :, m] = _of_one_side(evaluator, points, (none, change), delta, exact[:, :, m])
    delta = next_power(np.maximum(DIFFERENCE_SHARE * abs(h), 2.0**14 * np.spacing(abs(points.t))))
    still = np.zeros_like(points.x)
    return by_state, _of_one_side(evaluator, points, (delta, still), delta, exact[:, :, width])


def _of_one_side(
    evaluator: Evaluator, points: Points, way: tuple[FloatArray, FloatArray], delta: FloatArray, exact: FloatArray
) -> FloatArray:
    """Return the derivatives of the slopes along a way in time and state, by `delta`, (n,): `exact`, or differences.

    The exact ones, (n, width), count where differences to both sides, of one of the LENGTHS, are as far from each other
    as the nearer one from them: on a smooth piece that leaves them no room.
    """
    result, left = exact.copy(), np.arange(len(points))
    sure, slope = np.zeros(exact.shape, bool), evaluator.slopes(points)

    def slopes_at(side: float, rows: IntArray) -> FloatArray:
        return evaluator.slopes(points[rows].moved(side * way[0][rows], side * way[1][rows]))

    for length in LENGTHS:
        if not len(left):
            return result
        over, here, known = length * delta[left, None], slope[left], exact[left]
        with np.errstate(invalid="ignore"):
            behind, ahead = (side * (slopes_at(side * length, left) - here) / over for side in (-1.0, 1.0))
            room = abs(ahead - behind) + ROUNDINGS_OF_SLOPE * EPSILON * abs(here) / over
            sure[left] |= np.minimum(abs(known - ahead), abs(known - behind)) <= room
        left = left[~sure[left].all(axis=1)]
    across = fourth_order([slopes_at(side, left) for side in SIDES], delta[left, None])
    result[left] = np.where(sure[left], exact[left], across)
    return result


def _inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverses of n matrices, (n, width, width); nan of one that is singular or not finite."""
    result = np.full_like(matrix, np.nan)
    known = np.asarray(np.isfinite(matrix).all(axis=(1, 2)))
    known[known] = np.linalg.cond(matrix[known]) < 1.0 / EPSILON**2
    result[known] = np.linalg.inv(matrix[known])
    return result


def recorded_steps(evaluator: Evaluator, rows: IntArray) -> Pieces:
    """Return the whole steps that begin at these rows."""
    extension = evaluator.padded(evaluator.extension[rows])
    return Pieces(rows, evaluator.rows(rows), evaluator.step[rows], extension, np.zeros(len(rows)))


def repeat_steps(evaluator: Evaluator, steps: Pieces) -> tuple[FloatArray, FloatArray]:
    """Return the ends of whole recorded steps and their error estimates, both (n, width), by the run's own method.

    A step of Taylor's method, whose extension has terms of high degree, is taken as recorded: the derivative of the
    first missing term is what the slope at its end lacks.
    """
    method = method_of(evaluator)
    end, error = step_with_error(evaluator, steps.start, steps.span)
    if not method.series_order:
        return end, error
    series = _of_series(evaluator, steps)
    extension, span, start = steps.extension[series], steps.span[series], steps.start[series]
    end[series] = start.x + extension.sum(axis=1)
    rise = np.einsum("d,ndw->nw", np.arange(1.0, extension.shape[1] + 1.0), extension)
    slopes = evaluator.slopes(Points(start.t + span, end[series], start.chart))
    error[series] = (span[:, None] * slopes - rise) / (method.series_order + 1.0)
    return end, error


def extension_errors(
    evaluator: Evaluator, steps: Pieces, theta: FloatArray, error: FloatArray
) -> tuple[Points, FloatArray]:
    """Return how far recorded extensions are off at places theta, (n,), besides the `error` of their steps, and where.

    The errors are (n, width): what the slopes lack, integrated. In a step of a Rosenbrock method that is what its
    equations leave of it; in one of Taylor's method, at its end, what the error of the step adds to the slope there.
    """
    method, span = method_of(evaluator), steps.span[:, None]
    places = steps.points_at(theta[:, None])
    if method.gamma:
        by_state, _ = _derivatives(evaluator, steps.start, steps.span)
        matrix = np.eye(evaluator.width) / method.gamma - span[:, None] * by_state
        return places, np.einsum("nij,nj->ni", _inverse(matrix), _lacking(evaluator, steps, theta))
    if not method.e_third.any():
        return places, np.zeros_like(error)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    shares = zip(0.5 * (1.0 + nodes), 0.5 * weights, strict=True)
    off = theta[:, None] * sum(weight * _lacking(evaluator, steps, theta * node) for node, weight in shares)
    if not method.series_order:
        return places, off
    series, end = _of_series(evaluator, steps), steps.points_at(np.ones_like(theta)[:, None])
    change = evaluator.slopes(end.moved(0.0, error)) - evaluator.slopes(end)
    x = np.where(series[:, None], end.x, places.x)
    off = np.where(series[:, None], span * change / (method.series_order + 2.0), off)
    return Points(np.where(series, end.t, places.t), x, places.chart), off


def _lacking(evaluator: Evaluator, steps: Pieces, theta: FloatArray) -> FloatArray:
    """Return what the slopes of extensions lack at places theta, (n,), times the lengths of the steps: (n, width)."""
    slopes = evaluator.slopes(steps.points_at(theta[:, None]))
    return np.asarray(steps.span[:, None] * slopes - slope_at(steps.extension, theta, 1.0))


def _of_series(evaluator: Evaluator, steps: Pieces) -> NDArray[np.bool_]:
    """Return which steps follow a series: their extensions have terms of higher degree than those of the stages."""
    explicit = np.flatnonzero(method_of(evaluator).extension.any(axis=0))[-1] + 1
    return np.asarray(steps.extension[:, explicit:].any(axis=(1, 2)) & (steps.start.chart > SLIDE))
