"""The recorded value, depth and error of the boundaries at events."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.events.crossing_depth import HALF_DIFFERENCE_AT_MINIMUM
from hybridsim.engine.memory import TIME
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import Locations, locate_all
from hybridsim.verification.method_steps import (
    extension_errors,
    longest_steps,
    method_of,
    recorded_steps,
    repeat_steps,
    stages,
)
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points
from hybridsim.verification.reference import follow_all
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import (
    EPSILON,
    ROUNDING_FACTOR,
    ROUNDING_TRIALS,
    SPACINGS_PER_INSTANT,
    reference_tolerance,
    rounding_error,
    slope_rounding,
    time_rounding,
)

DEPTHS_CHECK, DEPTH_COLUMNS = "depths and errors", ("depth", "error")

STEPS_BEYOND = 4.0
"""How far the flow is followed beyond an event that lacks a depth or an error, in lengths of the longest step there."""

MAX_PIECES_BEYOND = 400
"""That flow is given up if it would need more pieces than this: then nothing is known of its boundaries."""

SAMPLES_BEYOND = np.linspace(0.0, 1.0, 9)
"""Places at which each piece of that flow is sampled."""

DEPTH_SAMPLES = np.unique(np.concatenate([[0.0], np.logspace(-10.0, 0.0, 120), np.linspace(0.0, 1.0, 41)]))
"""Places in the rest of a step at which the depth of a crossing is sampled; dense at its start, for short dips."""

ZOOM_POINTS = np.linspace(0.0, 1.0, 33)
"""Places in the interval around the lowest sample at which it is sampled again."""

ZOOMS = 6
"""How often, each time in a sixteenth of the interval: a minimum where a boundary has a kink is as sharp as its slope.
"""

BATCH_STEPS = 1024
"""Steps that are sampled side by side."""

RELATIVE_ERROR = 1e-5
"""Relative error allowed in a depth, which is sampled, and in an error, which is a difference of nearly equal numbers.
"""


def check_values(evaluator: Evaluator, report: Report) -> None:
    """Check that the value of each event is that of a crossing boundary; accumulations and inputs have none."""
    events, name = evaluator.run.events, "values at events"
    if not len(events):
        return
    without = has_kind(events, "zeno", "input")
    where = locate_all("event", events.t)
    present = np.where(without, np.isnan(events.value), np.isfinite(events.value))
    report.require(name, present, where, lambda k: f"value is {events.value[k]!s}")
    some = np.flatnonzero(~without)
    if not len(some):
        return
    points = evaluator.before_events(some)
    # The surface itself is no boundary of a slide, but the value at its end is that of the surface.
    exits = has_kind(events, "exit")[some]
    chart = np.where(exits, evaluator.first_chart(points.chart), points.chart)
    points = Points(points.t, points.x, chart)
    g, rounding = evaluator.boundaries(points), rounding_error(evaluator, evaluator.boundaries, points)
    rounding += time_rounding(evaluator.boundaries, points)
    with np.errstate(invalid="ignore"):
        off = np.where(events.crossed[some] & np.isfinite(g), abs(g - events.value[some, None]), np.inf)
    best = np.where(np.isnan(off), np.inf, off).argmin(axis=1)[:, None]
    expected, allowed = (np.take_along_axis(values, best, axis=1) for values in (g, rounding))
    report.compare(name, events.value[some, None], expected, allowed, where[some], ["value"])


def _rates(evaluator: Evaluator, points: Points) -> FloatArray:
    """Return |dg/dt| along the flow, (n, n_boundaries)."""
    delta = 2.0**-20
    change = delta * evaluator.slopes(points)
    with np.errstate(invalid="ignore"):
        after, before = (evaluator.boundaries(points.moved(s * delta, s * change)) for s in (1.0, -1.0))
        return np.asarray(np.nan_to_num(abs(after - before) / (2.0 * delta)))


def check_depths(evaluator: Evaluator, report: Report) -> None:
    """Check the signs of depths and errors, and where they are given; those of recorded steps are evaluated again."""
    events = evaluator.run.events
    where = locate_all("event", events.t)
    for name, defined in zip(DEPTH_COLUMNS, _where_defined(evaluator), strict=True):
        values = getattr(events, name)
        report.require(DEPTHS_CHECK, ~(values < 0.0) & ~np.isinf(values), where, f"{name} is negative or infinite")
        report.require(DEPTHS_CHECK, defined | np.isnan(values), where, f"{name} is given where there is none")
    some = np.flatnonzero(has_kind(events, "crossing", "touch", "entry") & ~_begins_epoch(evaluator))
    if not len(some):
        return
    if evaluator.every_step:
        _check_in_steps(evaluator, report, some)
    else:
        _check_presence(evaluator, report, some)


def _check_presence(evaluator: Evaluator, report: Report, some: IntArray) -> None:
    """Check that the depths and errors of these events are nan only where a boundary may not be finite beyond its zero.

    How large they are depends on the step that the event cuts, which is not known.
    """
    events = evaluator.run.events
    defined = [which[some] for which in _where_defined(evaluator)]
    absent = [which & np.isnan(getattr(events, name)[some]) for which, name in zip(defined, DEPTH_COLUMNS, strict=True)]
    some, *absent = (each[absent[0] | absent[1]] for each in (some, *absent))
    if not len(some):
        return
    points, searched = evaluator.before_events(some), _searched_boundaries(evaluator, some)
    span = STEPS_BEYOND * longest_steps(evaluator, points)
    with np.errstate(all="ignore"):
        flow = follow_all(evaluator, points, span, reference_tolerance(evaluator, points, span), MAX_PIECES_BEYOND)
    pieces = flow.pieces
    g = evaluator.boundaries(pieces.points_at(SAMPLES_BEYOND)).reshape(len(pieces), -1, evaluator.n_boundaries)
    finite = np.asarray(np.isfinite(flow.end).all(axis=1))
    np.logical_and.at(finite, pieces.row, (np.isfinite(g) | ~searched[pieces.row, None]).all(axis=(1, 2)))
    for name, which in zip(DEPTH_COLUMNS, absent, strict=True):
        report.require(
            DEPTHS_CHECK, ~(which & finite), locate_all("event", events.t)[some], f"{name} is nan, and has a value"
        )


def _begins_epoch(evaluator: Evaluator) -> NDArray[np.bool_]:
    """Return which events happen at the instant at which their epoch begins: (m,)."""
    run = evaluator.run
    return np.asarray(run.events.t <= run.t[np.searchsorted(run.j, run.events.j)])


def _where_defined(evaluator: Evaluator) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which events may have a depth and which an error: both (m,).

    They are about boundaries in a step, so there are none at time boundaries, nor where an epoch begins. A touch has no
    depth, and a step of fixed length no error. Both may be nan where a boundary is not finite beyond its zero.
    """
    events = evaluator.run.events
    searched = _searched_boundaries(evaluator, np.arange(len(events))).any(axis=1) & ~_begins_epoch(evaluator)
    crosses = has_kind(events, "crossing", "entry")
    return searched & crosses, searched & (crosses | has_kind(events, "touch")) & method_of(evaluator).adaptive


def _check_in_steps(evaluator: Evaluator, report: Report, some: IntArray) -> None:
    """Check depths and errors of these events against the steps that they have cut."""
    run, events = evaluator.run, evaluator.run.events
    rows = np.searchsorted(run.t, events.t[some]) - 1
    rows = np.minimum(rows, np.searchsorted(run.j, events.j[some], side="right") - 1)
    cut, where = evaluator.step[rows] > 0.0, locate_all("event", events.t)
    report.require(DEPTHS_CHECK, cut, where[some], "no step leads there")
    some, rows = some[cut], rows[cut]
    crosses = has_kind(events, "crossing", "entry")[some]
    _check_depth(evaluator, report, some[crosses], rows[crosses])
    if method_of(evaluator).adaptive:  # fixed steps have no error estimate
        _check_error(evaluator, report, some, rows)


def _searched_boundaries(evaluator: Evaluator, some: IntArray) -> NDArray[np.bool_]:
    """Return which boundaries cross in these events, without time boundaries: (n, n_boundaries)."""
    return np.asarray(evaluator.run.events.crossed[some] & (evaluator.boundary_certificates != TIME))


def _check_depth(evaluator: Evaluator, report: Report, some: IntArray, rows: IntArray) -> None:
    """Check the depths: the least distance below zero that any crossing boundary reaches in the rest of its step."""
    events, stop_precision = evaluator.run.events, evaluator.config.engine.stop_precision
    t, x = events.t[some], evaluator.padded(events.x_before[some])
    points = Points(t, x, evaluator.chart[rows])
    searched = _searched_boundaries(evaluator, some)
    rounding = rounding_error(evaluator, evaluator.boundaries, points)
    rounding += 16.0 * np.spacing(abs(t))[:, None] * _rates(evaluator, points)
    rounding += SPACINGS_PER_INSTANT * time_rounding(evaluator.boundaries, points)
    rounding = np.where(searched, rounding, 0.0)
    expected, kink = np.full(len(some), np.nan), np.zeros(len(some))
    for first in range(0, len(some), BATCH_STEPS):
        part = slice(first, first + BATCH_STEPS)
        steps, above = recorded_steps(evaluator, rows[part]), rounding[part] + stop_precision
        expected[part], kink[part] = _least_depths(evaluator, steps, t[part], above, searched[part])
    depth = events.depth[some]
    allowed = RELATIVE_ERROR * abs(expected) + 64.0 * rounding.max(axis=1) + stop_precision
    allowed += HALF_DIFFERENCE_AT_MINIMUM * kink
    # The engine looks for one minimum. It need not be the lowest, and a short rise above zero before it may be missed.
    for k in np.flatnonzero(abs(depth - expected) > allowed):
        minima = _depths_of_minima(
            evaluator, recorded_steps(evaluator, rows[k : k + 1]), t[k], rounding[k], searched[k]
        )
        expected[k] = min([expected[k], *minima], key=lambda minimum: abs(minimum - depth[k]))
    where = locate_all("event", events.t)[some]
    report.compare(DEPTHS_CHECK, depth[:, None], expected[:, None], allowed[:, None], where, ["depth"])


def _depths_of_minima(
    evaluator: Evaluator, step: Pieces, t: float, rounding: FloatArray, searched: NDArray[np.bool_]
) -> list[float]:
    """Return the depths at all minima of the searched boundaries after t in a step.

    What rises again by no more than 64 roundings, (n_boundaries,), is no minimum.
    """
    depths = []
    begin = min((t - step.start.t[0]) / step.span[0], 1.0)
    theta = begin + DEPTH_SAMPLES * (1.0 - begin)
    for i in np.flatnonzero(searched).tolist():
        g = _along(evaluator, step, theta[None], i)[0]
        for k in _minima(g, 64.0 * rounding[i]):
            sides = theta[[max(k - 1, 0), min(k + 1, len(theta) - 1)]]
            near = _along(evaluator, step, (sides[0] + ZOOM_POINTS * (sides[1] - sides[0]))[None], i)[0]
            depths.append(-min(near.min(), g[k]))
    return depths


def _minima(g: FloatArray, rise: float) -> list[int]:
    """Return the indices of the minima of g, (n,), before and after which it is higher by more than `rise`, or ends."""
    found, lowest, highest = [], -1, -np.inf
    for k, value in enumerate(g.tolist()):
        if (lowest < 0 and value < highest - rise) or k == 0:
            lowest = k
        if lowest >= 0 and value < g[lowest]:
            lowest = k
        if lowest >= 0 and value > g[lowest] + rise:
            found.append(lowest)
            lowest, highest = -1, value
        highest = max(highest, value)
    return [*found, lowest] if lowest >= 0 else found


def _least_depths(
    evaluator: Evaluator, steps: Pieces, t: FloatArray, above: FloatArray, searched: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Return how low the searched boundaries get between t and the end of the step, or their next rise above zero.

    Values beyond `above`, (n, n_boundaries), are certainly above zero. Of several boundaries the highest counts. The
    results are (n,): depths, nan where nothing is searched, and by how much dg/dtheta jumps at these minima.
    """
    depth, kink = np.full(len(t), np.inf), np.zeros(len(t))
    for i in np.flatnonzero(searched.any(axis=0)).tolist():
        some = np.flatnonzero(searched[:, i])
        of_boundary, its_kink = _depth(evaluator, steps[some], t[some], above[some, i], i)
        kink[some] = np.where(of_boundary < depth[some], its_kink, kink[some])
        depth[some] = np.minimum(of_boundary, depth[some])
    return np.where(np.isinf(depth), np.nan, depth), kink


def _depth(
    evaluator: Evaluator, steps: Pieces, t: FloatArray, above: FloatArray, i: int
) -> tuple[FloatArray, FloatArray]:
    """Return the depths of boundary i in n steps, (n,), and the jumps of dg/dtheta there; see `_least_depths`."""
    depth = np.zeros(len(t))
    begin = np.minimum((t - steps.start.t) / steps.span, 1.0)[:, None]
    theta = begin + DEPTH_SAMPLES * (1.0 - begin)
    g = _along(evaluator, steps, theta, i)
    low = np.where(np.maximum.accumulate(g > above[:, None], axis=1), np.inf, g)
    for _ in range(ZOOMS):
        lowest = low.argmin(axis=1)[:, None]
        depth = np.fmax(depth, -np.take_along_axis(low, lowest, axis=1)[:, 0])
        sides = (np.clip(lowest + side, 0, theta.shape[1] - 1) for side in (-1, 1))
        low_end, high_end = (np.take_along_axis(theta, side, axis=1) for side in sides)
        theta = low_end + ZOOM_POINTS * (high_end - low_end)
        low = _along(evaluator, steps, theta, i)
    bottom = low.argmin(axis=1)[:, None]
    with np.errstate(invalid="ignore"):  # the boundary may not be finite there
        rise, run = (abs(v[:, [0, -1]] - np.take_along_axis(v, bottom, axis=1)) for v in (low, theta))
    kink = np.divide(rise, run, out=np.zeros_like(rise), where=run > 0.0).sum(axis=1)
    return np.asarray(np.fmax(depth, -low.min(axis=1))), np.nan_to_num(kink, posinf=0.0)


def _along(evaluator: Evaluator, steps: Pieces, theta: FloatArray, i: int) -> FloatArray:
    """Return boundary i at samples theta, (n, k), of n steps."""
    return evaluator.boundaries(steps.points_at(theta))[:, i].reshape(theta.shape)


def _check_error(evaluator: Evaluator, report: Report, some: IntArray, rows: IntArray) -> None:
    """Check the errors: how far those of the state, at the end of the step and of its extension, move the boundary."""
    events, steps = evaluator.run.events, recorded_steps(evaluator, rows)
    end, error = repeat_steps(evaluator, steps)
    at_end = Points(steps.start.t + steps.span, end, steps.start.chart)
    continuous = evaluator.padded(evaluator.is_continuous[None])
    searched, value = _searched_boundaries(evaluator, some), evaluator.boundaries(at_end)
    with np.errstate(invalid="ignore"):
        moved = evaluator.boundaries(at_end.moved(0.0, error * continuous))
        expected = abs(moved - value)
        theta = (events.t[some] - steps.start.t) / steps.span
        places, off_inside = extension_errors(evaluator, steps, theta, error)
        inside = abs(evaluator.boundaries(places.moved(0.0, off_inside * continuous)) - evaluator.boundaries(places))
        expected = np.where(searched, expected + inside, np.nan)
        off = np.nan_to_num(abs(expected - events.error[some, None]), nan=1e300)
    best = np.where(searched, off, np.inf).argmin(axis=1)[:, None]
    expected = np.take_along_axis(expected, best, axis=1)
    allowed = RELATIVE_ERROR * abs(expected)
    allowed += 4.0 * np.take_along_axis(_rounding_of_error(evaluator, steps, at_end, value), best, axis=1)
    where: Locations = locate_all("event", events.t)[some]
    report.compare(DEPTHS_CHECK, events.error[some, None], expected, allowed, where, ["error"])


def _rounding_of_error(evaluator: Evaluator, steps: Pieces, at_end: Points, value: FloatArray) -> FloatArray:
    """Return the rounding of the errors, from the boundaries, whose values at the ends are given, and the estimates.

    An estimate is a small sum of large terms: it is rounded as the largest slope of the step is.
    """
    method = method_of(evaluator)
    # The estimate of a Rosenbrock method is an increment, into which the roundings of the others go by their coupling.
    weights = abs(method.coupling).sum(axis=1).max() if method.gamma else abs(method.e).sum()
    with np.errstate(all="ignore"):
        largest = abs(np.array(stages(evaluator, steps.start, steps.span))).max(axis=0)
    step, noise = steps.span[:, None], slope_rounding(evaluator, steps.start) + ROUNDING_FACTOR * EPSILON * largest
    # A stage begins where the slopes before it lead, and passes on their rounding: of accelerations, to the speeds.
    moved = evaluator.slopes(steps.start.moved(0.0, step * noise)) - evaluator.slopes(steps.start)
    size = weights * step * (noise + np.nan_to_num(abs(moved), posinf=0.0))
    rounding = rounding_error(evaluator, evaluator.boundaries, at_end, ROUNDING_TRIALS)
    with np.errstate(invalid="ignore"):
        rounding += np.nan_to_num(abs(evaluator.boundaries(at_end.moved(0.0, size)) - value))
    return rounding
