"""The functions that may not fall below zero along a run: the boundaries of the model, and its stops on states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator, next_power
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.points import Points
from hybridsim.verification.tolerances import EPSILON, SPACINGS_PER_INSTANT, rounding_error, time_rounding


@dataclass(frozen=True, slots=True, eq=False)
class WatchedFunctions:
    """The boundaries of the model, then the distances of states from the values that end the run.

    Attributes
    ----------
    evaluator : Evaluator
        The run and its model.
    names : tuple of str
        What the functions are called.
    armed_when_positive : (n_watched,) array of bool
        Which boundaries are declared so.
    stop_states : (n_stops,) array
        Indices of the states that have a stop.
    stop_values : (n_stops,) array
        Their values at the stop [state unit].
    sides : (n_stops,) array
        1.0 if the run begins above the value, -1.0 if it begins below.
    """

    evaluator: Evaluator
    names: tuple[str, ...]
    armed_when_positive: NDArray[np.bool_]
    stop_states: IntArray
    stop_values: FloatArray
    sides: FloatArray

    def __call__(self, points: Points) -> FloatArray:
        """Return the values, (n, n_watched); infinite where a boundary is not active."""
        distances = self.sides * (points.x[:, self.stop_states] - self.stop_values)
        return np.hstack([self.evaluator.boundaries(points), distances])


def watched_functions(evaluator: Evaluator) -> WatchedFunctions:
    """Return the boundaries and the stops on states, which are positive on the side where the run begins."""
    model = evaluator.model
    stops = [stop for stop in evaluator.config.stop if stop.state is not None]
    states = np.array([model.states.index(stop.state) for stop in stops], np.int64)
    values = np.array([float(stop.value or 0.0) for stop in stops])
    distance = evaluator.x[:, states] - values
    first = np.argmax(distance != 0.0, axis=0)
    sides = np.sign(distance[first, np.arange(len(stops))])
    names = (*model.boundary_records.names, *(f"{stop.state} = {stop.value:g}" for stop in stops))
    armed_when_positive = np.append(armed_only_when_positive(evaluator), np.zeros(len(stops), bool))
    return WatchedFunctions(evaluator, names, armed_when_positive, states, values, sides)


def armed_only_when_positive(evaluator: Evaluator) -> NDArray[np.bool_]:
    """Return which boundaries are declared `armed="when_positive"`: (n_boundaries,)."""
    return np.array([boundary.armed == "when_positive" for boundary in evaluator.model.boundary_records], bool)


def zero_tolerance(watched: WatchedFunctions, points: Points, length: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distance from zero that counts as zero, and the rates dg/dt along the flow: both (n, n_watched).

    The tolerance is `stop_precision`, plus the rounding error of the value, plus its change within one instant of t,
    along the flow and for a state that stays: the two may cancel.
    `length`, (n,) [s], is that of the steps there.
    """
    rounding = rounding_error(watched.evaluator, watched, points) + SPACINGS_PER_INSTANT * time_rounding(
        watched, points
    )
    rates = rates_along_flow(watched, points, length)
    t = points.t
    instant = SPACINGS_PER_INSTANT * (np.spacing(abs(t)) + EPSILON * np.maximum(abs(t), length))
    stop_precision = watched.evaluator.config.engine.stop_precision
    with np.errstate(invalid="ignore"):
        return stop_precision + rounding + np.nan_to_num(abs(rates)) * instant[:, None], rates


def rates_along_flow(watched: WatchedFunctions, points: Points, length: FloatArray) -> FloatArray:
    """Return the rates dg/dt by central differences along the vector field: (n, n_watched)."""
    delta = next_power(np.maximum(1e-6 * length, 64.0 * np.spacing(abs(points.t))))
    change = delta[:, None] * watched.evaluator.slopes(points)
    with np.errstate(invalid="ignore"):
        after, before = watched(points.moved(delta, change)), watched(points.moved(-delta, -change))
        return np.asarray(np.nan_to_num((after - before) / (2.0 * delta[:, None])))


def along_parabola(evaluator: Evaluator, points: Points, delta: FloatArray) -> Callable[[FloatArray], Points]:
    """Return the parabola that follows the flow from n points, bent as the slopes change within `delta`, (n,) [s]."""
    f = evaluator.slopes(points)
    bend = (evaluator.slopes(points.moved(delta, delta[:, None] * f)) - f) / delta[:, None]
    return lambda time: points.moved(time, time[:, None] * f + 0.5 * time[:, None] ** 2 * bend)


def fastest_at_instants(watched: WatchedFunctions, t: FloatArray) -> FloatArray:
    """Return the largest |dg/dt| along the flow to any event at each time t, (n,): (n, n_watched), 0 without an event.

    An event is at the float of t nearest to it, so g is off by up to half a spacing of t times this rate. A jump may
    take the rate away, but not what g is off by, which stays for all that follows at that instant.
    """
    events = watched.evaluator.run.events
    at = np.flatnonzero(np.isin(events.t, t))
    points = watched.evaluator.before_events(at)
    rates = abs(rates_along_flow(watched, points, longest_steps(watched.evaluator, points)))
    times, which = np.unique(points.t, return_inverse=True)
    fastest = np.zeros((len(times) + 1, len(watched.names)))
    np.maximum.at(fastest, which, rates)
    place = np.searchsorted(times, t)
    found = np.append(times, np.nan)[place] == t
    return np.asarray(np.where(found[:, None], fastest[place], 0.0))


def change_by_errors(watched: WatchedFunctions, points: Points, error: FloatArray) -> FloatArray:
    """Return how much the values change, in all, if each state is off by its error, (n, width): (n, n_watched)."""
    total, value = np.zeros((len(points), len(watched.names))), watched(points)
    if not error.any():
        return total
    for m in range(watched.evaluator.n_states):
        moved = points.x.copy()
        moved[:, m] += error[:, m]
        with np.errstate(invalid="ignore", over="ignore"):
            total += np.nan_to_num(abs(watched(points.with_states(moved)) - value))
    return total


def join_names(names: tuple[str, ...], which: NDArray[np.bool_]) -> str:
    """Return the names whose entry in `which` is true, separated by commas."""
    return ", ".join(names[i] for i in np.flatnonzero(which))
