"""Boundaries at events: what crosses is zero and on its way out of the chart, and all that crosses is listed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import CERTIFICATES, TIME
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import Locations, locate_all
from hybridsim.verification.gaps import report_gaps
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.points import Points
from hybridsim.verification.reference import follow_all
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import (
    ROUNDING_TRIALS,
    SPACINGS_PER_INSTANT,
    reference_tolerance,
    rounding_error,
    time_rounding,
)
from hybridsim.verification.watched import (
    WatchedFunctions,
    along_parabola,
    armed_only_when_positive,
    fastest_at_instants,
    join_names,
    watched_functions,
    zero_tolerance,
)

EVENTS_CHECK = "events on their surfaces"

CLEAR_MOTION = 1e3
"""A boundary clearly rises or falls if a step changes it by this many times what counts as zero."""

RISE_SHARES = 0.5 ** np.arange(40)
"""Shares of a step after which a boundary may be highest, each half of the one before."""

BEFORE_END = 1.0 - 2.0**-4
"""Place on the last piece of the flow to an event at which a boundary is compared with its value at the end."""

FAR_OFF = 1e-3
"""Distance of a state from the end of the flow, as a fraction of its size, at which the flow does not lead to it."""


@dataclass(frozen=True, eq=False)
class Crossings:
    """n events of the kinds `crossing` and `entry`, and the boundaries there.

    Attributes
    ----------
    watched : WatchedFunctions
        The boundaries and the state stops.
    events : (n,) array
        Indices of the events.
    where : Locations
        The same, for reports.
    points : Points
        The states before the events.
    crossed : (n, n_boundaries) array of bool
        What crosses in each, as recorded.
    """

    watched: WatchedFunctions
    events: IntArray
    where: Locations
    points: Points
    crossed: NDArray[np.bool_]

    @property
    def evaluator(self) -> Evaluator:
        return self.watched.evaluator

    @cached_property
    def step_length(self) -> FloatArray:
        """Length of the steps there, (n,) [s]."""
        return longest_steps(self.evaluator, self.points)

    @cached_property
    def value(self) -> FloatArray:
        """The boundaries, (n, n_boundaries)."""
        return self.watched(self.points)[:, : self.evaluator.n_boundaries]

    @cached_property
    def zero_and_rates(self) -> tuple[FloatArray, FloatArray]:
        """Return the distance from zero that counts as zero, and dg/dt along the flow: both (n, n_boundaries)."""
        zero, rates = zero_tolerance(self.watched, self.points, self.step_length)
        return zero[:, : self.evaluator.n_boundaries], rates[:, : self.evaluator.n_boundaries]

    @cached_property
    def rounding(self) -> FloatArray:
        """Rounding errors of the boundaries, (n, n_boundaries)."""
        boundaries = self.evaluator.boundaries
        of_states = rounding_error(self.evaluator, boundaries, self.points, ROUNDING_TRIALS)
        return of_states + time_rounding(boundaries, self.points)


def check_events(evaluator: Evaluator, report: Report) -> None:
    """Check that the crossing boundaries, and no others, are active, zero, falling, with the declared certificate."""
    events = evaluator.run.events
    declared = np.array(CERTIFICATES)[evaluator.boundary_certificates]
    has_certificate = has_kind(events, "crossing", "touch", "entry")
    proper = [
        not has_certificate[k] or _may_be(name, declared[events.crossed[k]])
        for k, name in enumerate(events.certificate)
    ]
    where = locate_all("event", events.t)
    report.require("certificates", proper, where, "the certificate is not that of any boundary that crosses")
    some = np.flatnonzero(has_kind(events, "crossing", "entry"))
    if len(some):
        points = evaluator.before_events(some)
        found = Crossings(watched_functions(evaluator), some, where[some], points, events.crossed[some])
        _check_on_surfaces(found, report)
        _check_all_listed(found, report)


def _may_be(certificate: str, declared: NDArray[np.str_]) -> bool:
    """Return whether one of the boundaries has this certificate; a bounded one that rests on zero may be `sampled`."""
    return certificate in declared or (certificate == "sampled" and "bounded" in declared)


def _check_on_surfaces(found: Crossings, report: Report) -> None:
    """Check that the boundaries that cross are active, are zero, and do not rise."""
    crossed, value, t = found.crossed, found.value, found.points.t
    names, (allowed, rates) = found.watched.names, found.zero_and_rates
    of_time = found.evaluator.boundary_certificates == TIME
    # Time boundaries are zero to the spacing of t; a boundary that rests below zero fires below its resting value.
    instant = SPACINGS_PER_INSTANT * np.spacing(abs(t))[:, None]
    below = np.where(of_time, found.rounding + instant, 2.0 * allowed) + _below_at_begin(found)
    inactive = crossed & np.isinf(value)
    report.require(
        EVENTS_CHECK,
        ~inactive.any(axis=1),
        found.where,
        lambda k: f"{join_names(names, inactive[k])} is not active there",
    )
    g = np.where(crossed & ~inactive, value, 0.0)
    pushed = _pushed_by_inputs(found, report)
    g[pushed] = np.maximum(g[pushed], 0.0)
    # The event is at the float of t nearest to the crossing, where the boundary may not quite have reached zero.
    fastest = fastest_at_instants(found.watched, t)[:, : found.evaluator.n_boundaries]
    above = 4.0 * found.rounding + 2.0 * np.spacing(abs(t))[:, None] * np.maximum(abs(rates), fastest)
    report.compare(EVENTS_CHECK, g, np.zeros_like(g), np.where(g > 0.0, above, below), found.where, names)
    rising = crossed & ~inactive & (rates * found.step_length[:, None] > CLEAR_MOTION * below) & ~pushed[:, None]
    again = np.flatnonzero(rising.any(axis=1))
    rising[again] &= _rise(found.evaluator, found.points[again], found.step_length[again]) > 2.0 * below[again]
    again = np.flatnonzero(rising.any(axis=1))
    rising[again] &= ~_falls_before(found, report, again)
    report.require(
        EVENTS_CHECK, ~rising.any(axis=1), found.where, lambda k: f"{join_names(names, rising[k])} rises there"
    )


def _below_at_begin(found: Crossings) -> FloatArray:
    """Return how far below zero each boundary was where the epoch of each event began, (n, n_boundaries).

    They are by rounding, or where a slide ended, whose states are off its surface by the tolerance.
    """
    evaluator, run = found.evaluator, found.evaluator.run
    first = np.searchsorted(run.j, run.events.j[found.events])
    begin = Points(run.t[first], evaluator.x[first], found.points.chart)
    return np.maximum(-evaluator.boundaries(begin), 0.0)


def _pushed_by_inputs(found: Crossings, report: Report) -> NDArray[np.bool_]:
    """Return which events are caused by a change of inputs at the same instant, (n,).

    The change may take a boundary below zero. The boundary must have been positive before, or at rest on zero.
    """
    evaluator, events = found.evaluator, found.evaluator.run.events
    before = np.maximum(found.events - 1, 0)
    pushed = (found.events > 0) & has_kind(events, "input")[before] & (events.t[before] == found.points.t)
    rows = np.flatnonzero(pushed)
    old_inputs = evaluator.functions.code(events.chart_before[found.events[rows]], events.j[before[rows]])
    value = evaluator.boundaries(Points(found.points.t[rows], found.points.x[rows], old_inputs))
    allowed, _ = found.zero_and_rates
    negative = found.crossed[rows] & (value < -2.0 * allowed[rows])
    report.require(EVENTS_CHECK, ~negative.any(axis=1), found.where[rows], "was not positive before the inputs changed")
    return np.asarray(pushed)


def _rise(evaluator: Evaluator, points: Points, length: FloatArray) -> FloatArray:
    """Return how far each boundary rises within a step, (n, n_boundaries), along the parabola that follows the flow."""
    later = along_parabola(evaluator, points, 1e-3 * length)
    value, rise = evaluator.boundaries(points), np.zeros((len(points), evaluator.n_boundaries))
    for share in RISE_SHARES:
        with np.errstate(invalid="ignore"):
            rise = np.fmax(rise, evaluator.boundaries(later(share * length)) - value)
    return rise


def _falls_before(found: Crossings, report: Report, some: IntArray) -> NDArray[np.bool_]:
    """Return which boundaries fall, as far as is known, on the flow that leads to k of the events: (k, n_boundaries).

    Where the vector field jumps at a boundary, its value at the event alone does not show how the boundary is crossed.
    Where the flow cannot be followed, nothing is known, which is reported.
    """
    evaluator, run, points = found.evaluator, found.evaluator.run, found.points[some]
    result = np.zeros((len(some), evaluator.n_boundaries), bool)
    j = run.events.j[found.events[some]]
    first, last = np.searchsorted(run.j, j), np.searchsorted(run.j, j, side="right") - 1
    row = np.minimum(np.searchsorted(run.t, points.t) - 1, last)
    leads = np.flatnonzero(row >= first)
    start = evaluator.rows(row[leads])
    span = points.t[leads] - start.t
    flow = follow_all(evaluator, start, span, reference_tolerance(evaluator, start, span))
    followed = report_gaps(evaluator, report, flow, locate_all("row", run.t)[row[leads]])
    last_piece = flow.pieces[np.append(np.diff(flow.pieces.row) > 0, True)[: len(flow.pieces)]]
    before, end = (evaluator.boundaries(last_piece.points_at(np.array([theta]))) for theta in (BEFORE_END, 1.0))
    result[leads[last_piece.row]] = before > end
    result[leads[~followed]] = True
    # A state that the flow does not lead to is judged by itself.
    far = abs(flow.end - points.x[leads]) > FAR_OFF * abs(points.x[leads]).max(axis=1, keepdims=True)
    result[leads[followed & far.any(axis=1)]] = False
    return result


def _check_all_listed(found: Crossings, report: Report) -> None:
    """Check that each falling boundary at zero crosses with the others, unless it must become positive first."""
    evaluator, events = found.evaluator, found.evaluator.run.events
    allowed, rates = found.zero_and_rates
    value = found.value
    outward = (rates * found.step_length[:, None] < -CLEAR_MOTION * allowed) & ~found.crossed
    missing = outward & (value <= -found.rounding) & (value >= -evaluator.config.engine.stop_precision)
    missing &= ~armed_only_when_positive(evaluator)
    for k in np.flatnonzero(missing.any(axis=1)):
        event = found.events[k]
        # A boundary whose crossing was declined in this epoch has to become positive first.
        same_epoch = (events.j == events.j[event]) & events.declined & (events.t <= events.t[event])
        missing[k] &= ~events.crossed[same_epoch].any(axis=0)
        # After a slide the state is off its surface by as much as the slide was.
        if event and events.kind[event - 1] == "exit":
            missing[k] &= ~events.crossed[event - 1]
    names = found.watched.names
    report.require(
        EVENTS_CHECK,
        ~missing.any(axis=1),
        found.where,
        lambda k: f"{join_names(names, missing[k])} crosses too but is not listed",
    )
