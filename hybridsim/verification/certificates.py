"""How steps and events were decided, and what a reader is told of it: certificates, values, depths, errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import BOUNDED, EXACT, NOWHERE, SAMPLED, TIME, UNDECIDED
from hybridsim.engine.methods import METHODS
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import Pieces
from hybridsim.verification.evaluator import EPSILON, SLIDE, Replay, kind_of, rounding
from hybridsim.verification.report import Places, Report, places
from hybridsim.verification.tolerances import error_vector

FINE = np.unique(np.concatenate([[0.0], np.logspace(-10.0, 0.0, 120), np.linspace(0.0, 1.0, 41)]))
"""Where the rest of a step is looked at for the depth of a crossing, which may be over soon."""

ZOOM, TOGETHER = np.linspace(0.0, 1.0, 33), 1024

DIGITS = 1e-3
"""Depths and errors are told to this share of themselves: the one is sampled, the other a difference that cancels."""


def check_certificates(replay: Replay, report: Report) -> None:
    """A step is decided no better than the weakest of the boundaries that are active in its chart."""
    run = replay.run
    if run.certificate is None or run.step is None:
        return
    expected = np.full(len(run.t), UNDECIDED, np.int64)
    surface = np.array([slide.surface for slide in replay.slides] + [NOWHERE])
    along = surface[np.where(replay.chart <= SLIDE, SLIDE - replay.chart, -1)]
    # Which boundaries are active, no input decides.
    alike = np.stack([replay.number(replay.first_chart(replay.chart)), run.adjacent_chart, along], axis=1)
    begins = (run.step > 0.0) & ~replay.straight
    for one in np.unique(alike, axis=0):
        rows = np.flatnonzero((alike == one).all(axis=1) & begins)
        if len(rows):
            expected[rows] = _weakest(replay, int(replay.chart[rows[0]]), int(rows[0]))
    # A bounded boundary at rest on zero may leave its proof, and says so.
    expected[(expected == BOUNDED) & (run.certificate == SAMPLED)] = SAMPLED
    here = places("row", run.t)
    report.compare("certificates", run.certificate[:, None], expected[:, None], np.zeros((1, 1)), here, ["certificate"])


def _weakest(replay: Replay, code: int, row: int) -> int:
    at = replay.run.t[row : row + 1], replay.x[row : row + 1], np.array([code])
    active = ~np.isposinf(replay.boundaries(*at)[0])
    kinds = replay.packed.problem.certificate[: replay.n_boundaries][active].tolist()
    kinds += [EXACT] * sum(stop.state is not None for stop in replay.config.stop)
    kinds += [SAMPLED] if code <= SLIDE else []
    searched = [kind for kind in kinds if kind != TIME]
    return min(searched) if searched else TIME if kinds else UNDECIDED


def check_values(replay: Replay, report: Report) -> None:
    """The value is that of a boundary that crosses, at the state before; an accumulation has none."""
    events, name = replay.run.events, "values at events"
    if not len(events):
        return
    none = kind_of(events, "zeno", "input")
    here = places("event", events.t)
    told = np.where(none, np.isnan(events.value), np.isfinite(events.value))
    report.require(name, told, here, lambda k: f"value is {events.value[k]!s}")
    some = np.flatnonzero(~none)
    if not len(some):
        return
    t, x = events.t[some], replay.padded(events.x_before[some])
    chart = replay.chart_at(events.j[some])
    exits = kind_of(events, "exit")[some]
    chart = np.where(exits, replay.first_chart(chart), chart)  # the surface itself is no boundary of the slide
    g, noise = replay.boundaries(t, x, chart), rounding(replay.boundaries, t, x, chart)
    noise += 8.0 * np.spacing(abs(t))[:, None] * _slope_of_boundaries(replay, t, x, chart)
    with np.errstate(invalid="ignore"):
        off = np.where(events.crossed[some] & np.isfinite(g), abs(g - events.value[some, None]), np.inf)
    best = np.where(np.isnan(off), np.inf, off).argmin(axis=1)[:, None]
    expected, allowed = (np.take_along_axis(values, best, axis=1) for values in (g, noise))
    report.compare(name, events.value[some, None], expected, allowed, here[some], ["value"])


def _slope_of_boundaries(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
    """|dg/dt| along the flow, (n, n_boundaries)."""
    delta = 2.0**-20
    step = delta * replay.slopes(t, x, chart)
    with np.errstate(invalid="ignore"):
        change = replay.boundaries(t + delta, x + step, chart) - replay.boundaries(t - delta, x - step, chart)
        return np.asarray(np.nan_to_num(abs(change) / (2.0 * delta)))


def check_depths(replay: Replay, report: Report) -> None:
    """Depths and errors are those of the rest of the step, where it was recorded; elsewhere no less than zero."""
    events = replay.run.events
    here = places("event", events.t)
    for name in ("depth", "error"):
        values = getattr(events, name)
        report.require("depths and errors", ~(values < 0.0) & ~np.isinf(values), here, f"{name} is no depth or error")
    outside = kind_of(events, "exit", "zeno", "input")
    unknown = np.isnan(events.depth) | ~(outside | kind_of(events, "touch") & events.declined)
    report.require("depths and errors", unknown, here, "depth is given where nothing crosses")
    report.require("depths and errors", np.isnan(events.error) | ~outside, here, "error is given where no step is cut")
    fixed = not METHODS[replay.config.engine.method]().adaptive
    report.require("depths and errors", np.isnan(events.error) | (not fixed), here, "a fixed step estimates no error")
    if replay.every_step:
        _check_in_steps(replay, report)


def _check_in_steps(replay: Replay, report: Report) -> None:
    """Compare with the extensions of the steps that the events have cut."""
    run, events = replay.run, replay.run.events
    assert run.step is not None
    some = np.flatnonzero(kind_of(events, "crossing", "touch", "entry"))
    first = np.searchsorted(run.j, events.j[some])
    rows = np.searchsorted(run.t, events.t[some]) - 1
    last = np.searchsorted(run.j, events.j[some], side="right") - 1
    rows = np.minimum(rows, last)
    cut = (rows >= first) & (run.step[np.maximum(rows, 0)] > 0.0)
    begins = Places("event", some[~cut], events.t[some[~cut]])
    known = ~np.isnan(events.depth[some[~cut]]) | ~np.isnan(events.error[some[~cut]])
    report.require("depths and errors", ~known, begins, "depth or error is given where a chart begins")
    some, rows = some[cut], rows[cut]
    if not len(some):
        return
    down = kind_of(events, "crossing", "entry")[some]
    _check_depth(replay, report, some[down], rows[down])
    _check_error(replay, report, some, rows)


def _steps(replay: Replay, rows: IntArray) -> Pieces:
    run = replay.run
    assert run.step is not None
    assert run.extension is not None
    extension = np.zeros((len(rows), run.extension.shape[1], replay.width))
    extension[:, :, : replay.n_states] = run.extension[rows]
    return Pieces(rows, run.t[rows], run.step[rows], replay.chart[rows], replay.x[rows], extension)


def _check_depth(replay: Replay, report: Report, some: IntArray, rows: IntArray) -> None:
    """How far below zero the shallowest of what crosses goes on in the rest of its step."""
    events = replay.run.events
    t, x = events.t[some], replay.padded(events.x_before[some])
    searched = events.crossed[some] & (replay.packed.problem.certificate[: replay.n_boundaries] != TIME)
    noise = rounding(replay.boundaries, t, x, replay.chart[rows])
    noise += 16.0 * np.spacing(abs(t))[:, None] * _slope_of_boundaries(replay, t, x, replay.chart[rows])
    noise = np.where(searched, noise, 0.0)
    expected = np.full(len(some), np.nan)
    for first in range(0, len(some), TOGETHER):
        part = slice(first, first + TOGETHER)
        above = noise[part] + replay.config.engine.stop_precision
        deep = _depths(replay, _steps(replay, rows[part]), t[part], above, searched[part])
        expected[part] = deep.min(axis=1, initial=np.inf)
    expected = np.where(np.isinf(expected), np.nan, expected)[:, None]
    allowed = DIGITS * abs(expected) + 64.0 * noise.max(axis=1, keepdims=True) + replay.config.engine.stop_precision
    here = places("event", events.t)[some]
    report.compare("depths and errors", events.depth[some, None], expected, allowed, here, ["depth"])


def _depths(replay: Replay, steps: Pieces, t: FloatArray, above: FloatArray, searched: NDArray[np.bool_]) -> FloatArray:
    """How low the boundaries that are searched get between t and the end of the step, or their next rise above zero.

    `above`, (n, n_boundaries): from where on they are above zero, as far as their numbers tell. The result is infinite
    where nothing is searched.
    """
    deep = np.full(above.shape, np.inf)
    for i in np.flatnonzero(searched.any(axis=0)).tolist():
        some = np.flatnonzero(searched[:, i])
        deep[some, i] = _depth(replay, steps[some], t[some], above[some, i], i)
    return deep


def _depth(replay: Replay, steps: Pieces, t: FloatArray, above: FloatArray, i: int) -> FloatArray:
    """The same for one boundary at n steps: (n,)."""
    deep = np.zeros(len(t))
    begin = np.minimum((t - steps.t) / steps.span, 1.0)[:, None]
    theta = begin + FINE * (1.0 - begin)
    g = _along(replay, steps, theta, i)
    low = np.where(np.maximum.accumulate(g > above[:, None], axis=1), np.inf, g)
    for _ in range(2):
        place = low.argmin(axis=1)[:, None]
        deep = np.fmax(deep, -np.take_along_axis(low, place, axis=1)[:, 0])
        sides = (np.clip(place + side, 0, theta.shape[1] - 1) for side in (-1, 1))
        low_end, high_end = (np.take_along_axis(theta, side, axis=1) for side in sides)
        theta = low_end + ZOOM * (high_end - low_end)
        low = _along(replay, steps, theta, i)
    lowest: FloatArray = np.fmax(deep, -low.min(axis=1))
    return lowest


def _along(replay: Replay, steps: Pieces, theta: FloatArray, i: int) -> FloatArray:
    """Boundary i at places theta, (n, k), of n steps."""
    t, x = steps.at(theta)
    chart = np.repeat(steps.chart, theta.shape[1])
    return replay.boundaries(t.ravel(), x.reshape(-1, x.shape[2]), chart)[:, i].reshape(theta.shape)


def _check_error(replay: Replay, report: Report, some: IntArray, rows: IntArray) -> None:
    events = replay.run.events
    kind = replay.packed.problem.certificate[: replay.n_boundaries]
    searched = events.crossed[some] & (kind != TIME)
    here = places("event", events.t)[some]
    fixed = not METHODS[replay.config.engine.method]().adaptive
    if fixed:
        return  # nan, and that has been asked
    steps = _steps(replay, rows)
    end, error = error_vector(replay, steps.t, steps.x, steps.chart, steps.span)
    t = steps.t + steps.span
    there = end + error * _continuous(replay)
    value = replay.boundaries(t, end, steps.chart)
    with np.errstate(invalid="ignore"):
        expected = np.where(searched, abs(replay.boundaries(t, there, steps.chart) - value), np.nan)
        off = np.nan_to_num(abs(expected - events.error[some, None]), nan=1e300)
    best = np.where(searched, off, np.inf).argmin(axis=1)[:, None]
    expected = np.take_along_axis(expected, best, axis=1)
    weights = abs(METHODS[replay.config.engine.method]().e).sum()
    size = EPSILON * weights * steps.span[:, None] * abs(replay.slopes(steps.t, steps.x, steps.chart))
    noise = rounding(replay.boundaries, t, end, steps.chart)
    with np.errstate(invalid="ignore"):
        noise += 16.0 * np.nan_to_num(abs(replay.boundaries(t, end + size, steps.chart) - value))
    allowed = DIGITS * abs(expected) + 4.0 * np.take_along_axis(noise, best, axis=1)
    report.compare("depths and errors", events.error[some, None], expected, allowed, here, ["error"])


def _continuous(replay: Replay) -> FloatArray:
    flags = np.zeros(replay.width)
    flags[: replay.n_states] = replay.packed.problem.continuous[: replay.n_states]
    return flags
