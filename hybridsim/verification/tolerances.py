"""How far a correct run may be from the exact solution, derived from its tolerances and its integration method.

The engine accepts a step if the error estimate, as root mean square over the n continuous states, is below
atol + rtol |x|. A single state may carry all of that error, which is sqrt(n) times the tolerance. The estimate is no
bound, and it applies to the end of the step, not to its interior: over many models, methods and tolerances the true
error of a step reaches thirty times the tolerance and that of the continuous extension sixty times, hence
`SAFETY_FACTOR`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import SLIDE, Evaluator
from hybridsim.verification.method_steps import accepted_extension, method_of, step_tolerance
from hybridsim.verification.points import Points
from hybridsim.verification.reference import QUARTERS, at_quarters, follow_all

EPSILON = 2.0**-52
"""Spacing of float64 numbers at 1."""

ROUNDING_FACTOR = 16.0
"""Largest error of a correct value, in roundings of the state."""

ROUNDING_TRIALS = 6
"""Trials for the rounding errors at an event: there are few events, and none may be rejected by chance."""

SPACINGS_PER_INSTANT = 4.0
"""Times that differ by at most this many floats count as one instant."""

SPACINGS_OF_MEAN = 8.0
"""Floats of t over which the change of a value with the time is averaged: its rounding hides a quarter at most."""

SAFETY_FACTOR = 100.0
"""Error that is allowed in a step, in units of the tolerance."""

REFERENCE_SHARE = 0.01
"""The reference solution is integrated to this fraction of the run's tolerance."""

CUBIC = 3
"""Degree of extensions whose error no step size control limits: it grows faster with the step than that of its end."""


def rounding_error(
    evaluator: Evaluator, function: Callable[[Points], FloatArray], points: Points, trials: int = 2
) -> FloatArray:
    """Return how much the rounding of x can change each value of a function of points.

    The function is evaluated at states that are moved by one spacing: all of them up, then up and down in turn, one by
    one, in pairs, in fours, and so on. Where terms cancel, the change is far larger than the spacing of the value. Of
    thousands of points there are some where the changes in two trials happen to cancel as well. States that are not
    continuous, as counts, are held, not integrated: they have no rounding.
    """
    value = function(points)
    change = np.zeros_like(value)
    rounded = EPSILON * evaluator.padded(evaluator.is_continuous[None])[0]
    for trial in range(trials):
        falls = np.arange(len(rounded)) >> (trial - 1) & 1 if trial else 0
        moved = points.with_states(points.x * (1.0 + np.where(falls, -rounded, rounded)))
        with np.errstate(invalid="ignore"):
            change += abs(function(moved) - value)
    total = EPSILON * abs(value) + 2.0 * change / trials
    return np.asarray(ROUNDING_FACTOR * np.where(np.isfinite(total), total, 0.0))


def rounding_of_each(evaluator: Evaluator, function: Callable[[Points], FloatArray], points: Points) -> FloatArray:
    """Return how much the rounding of x can change each value of a function of points, at most.

    Each state alone is moved by ROUNDING_FACTOR spacings, and what each changes is added: none cancels another, as the
    heights do of a point that moves along a slope, and the rounding of the value itself hides no change. It takes one
    evaluation for each state, where `rounding_error` takes two in all.
    """
    value = function(points)
    total = ROUNDING_FACTOR * EPSILON * abs(value)
    for state in np.flatnonzero(evaluator.padded(evaluator.is_continuous[None])[0]):
        x = points.x.copy()
        x[:, state] *= 1.0 + ROUNDING_FACTOR * EPSILON
        with np.errstate(invalid="ignore"):
            total += np.nan_to_num(abs(function(points.with_states(x)) - value), posinf=0.0)
    return np.asarray(np.where(np.isfinite(total), total, 0.0))


def time_rounding(function: Callable[[Points], FloatArray], points: Points) -> FloatArray:
    """Return how much the rounding of t alone can change each value of a function of points.

    A product with t, as the phase omega t, is rounded as coarsely as t is: from one float of t to the next it may stay
    the same, or change by twice its share. So the mean change over several spacings counts, too. The smaller change of
    those to both sides is returned: a jump at this very instant is no rounding.
    """
    value, spacing = function(points), np.spacing(abs(points.t))

    def change(spacings: float) -> FloatArray:
        with np.errstate(all="ignore"):
            moved = function(points.moved(spacings * spacing, 0.0))
            return np.asarray(abs(moved - value) / abs(spacings))

    sides = [np.fmax(change(side), change(side * SPACINGS_OF_MEAN)) for side in (1.0, -1.0)]
    smaller = np.fmin(*sides)
    return np.asarray(np.where(np.isfinite(smaller), smaller, 0.0))


def slope_rounding(evaluator: Evaluator, points: Points) -> FloatArray:
    """Return how much the rounding of x, and of the times of a step's stages, can change the slopes: (n, width)."""
    return rounding_error(evaluator, evaluator.slopes, points) + time_rounding(evaluator.slopes, points)


def reference_tolerance(evaluator: Evaluator, points: Points, span: FloatArray) -> FloatArray:
    """Return the tolerance of the reference solution over `span`, (n,) [s], from n points: (n, width).

    It is REFERENCE_SHARE of the run's tolerance, but at least the rounding of the states and slopes.
    """
    tolerance = REFERENCE_SHARE * step_tolerance(evaluator, points.x)
    tolerance = np.maximum(tolerance, 16.0 * EPSILON * abs(points.x))
    return np.asarray(tolerance + span[:, None] * slope_rounding(evaluator, points) + 1e-300)


def step_error(evaluator: Evaluator, *states: FloatArray) -> FloatArray:
    """Return the error allowed in an adaptive step, (n, width).

    It is SAFETY_FACTOR sqrt(n_continuous) times the tolerance; 0 for a method with fixed steps.
    """
    n = max(sum(state.continuous for state in evaluator.model.states), 1)
    if not method_of(evaluator).adaptive:
        return np.zeros_like(states[0])
    return np.asarray(SAFETY_FACTOR * np.sqrt(n) * step_tolerance(evaluator, *states))


def slide_error(evaluator: Evaluator, points: Points) -> FloatArray:
    """Return the error allowed across a slide's surface, (n, width): every method pulls the state to the tolerance."""
    slides = points.chart <= SLIDE
    return np.asarray(slides[:, None] * SAFETY_FACTOR * step_tolerance(evaluator, points.x) + evaluator.pulled(points))


def extension_error(evaluator: Evaluator, points: Points, length: FloatArray) -> FloatArray:
    """Return the error allowed inside steps of this length in addition to `step_error`, (n, width).

    It is 0 where `has_free_error` is False.
    """
    if not has_free_error(evaluator):
        return np.zeros_like(points.x)
    tolerance = reference_tolerance(evaluator, points, length)
    flow = follow_all(evaluator, points, length, tolerance)
    return np.asarray(method_error(evaluator, points, length, at_quarters(flow)).max(axis=1))


def has_free_error(evaluator: Evaluator) -> bool:
    """Return whether no tolerance limits the error of the run's steps, or of their continuous extensions."""
    method = method_of(evaluator)
    return not method.adaptive or method.extension.shape[1] <= CUBIC


def method_error(evaluator: Evaluator, points: Points, length: FloatArray, flow: FloatArray) -> FloatArray:
    """Return the error allowed where `has_free_error`: twice that of the method's own step from the same point.

    Parameters
    ----------
    evaluator : Evaluator
        The run and its model.
    points : Points
        Where n steps begin.
    length : (n,) array
        Lengths of the steps [s].
    flow : (n, 4, width) array
        The true flow at the quarters of the steps; the last one is their end.

    Returns
    -------
    (n, 4, width) array
        The error at the quarters.
    """
    extension = accepted_extension(evaluator, points, length, np.inf)
    own = points.x[:, None] + rise_at(extension[:, None], QUARTERS)
    return np.asarray(np.nan_to_num(2.0 * abs(own - flow), nan=0.0))
