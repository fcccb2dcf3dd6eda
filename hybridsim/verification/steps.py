"""Runs with every step: does each continuous extension follow the flow, and does it lead from row to row?

The extension of each whole step is compared with the reference solution at the quarters of the step. To rounding, it
begins with the slope of the vector field and leads to the next row.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hybridsim.engine.extension import rise_at
from hybridsim.engine.memory import BOUNDED, EXACT, NOWHERE, SAMPLED, TIME, UNDECIDED
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import SLIDE, WEIGHT_ERROR, Evaluator, has_kind
from hybridsim.verification.findings import locate_all
from hybridsim.verification.gaps import report_gaps
from hybridsim.verification.method_steps import (
    accepted_extension,
    in_tolerances,
    method_of,
    recorded_steps,
    repeat_steps,
    stages,
)
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points
from hybridsim.verification.reference import BATCH_ROWS, QUARTERS, at_quarters, follow_all
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import (
    EPSILON,
    has_free_error,
    method_error,
    reference_tolerance,
    rounding_error,
    slide_error,
    slope_rounding,
    step_error,
)

REPETITION_ERROR = 1e-5
"""Relative difference of the extension of a Rosenbrock step from its repetition, whose Jacobian is of differences."""

MAX_PIECES_PER_STEP = 4_000
"""A step in which the reference solution would need more pieces than this is given up: there the vector field jumps to
and fro."""


def check_steps(evaluator: Evaluator, report: Report) -> Iterator[tuple[Pieces, FloatArray]]:
    """Check all steps of a run that recorded them.

    Yields
    ------
    pieces : Pieces
        The extensions of n steps, each up to the next row; their rows are 0 .. n - 1.
    allowed : (n, width) array
        Zeros: the boundaries were searched on these very pieces.
    """
    run = evaluator.run
    step, where = evaluator.step, locate_all("row", run.t)
    begins = np.append(np.diff(run.j) == 0, False)
    empty = (step == 0.0) & (evaluator.extension == 0.0).all(axis=(1, 2))
    report.require(
        "steps",
        np.where(begins, step > 0.0, empty),
        where,
        lambda k: f"step is {step[k]!s}; expected a positive one where a step begins, and zeros elsewhere",
    )
    rows = np.flatnonzero(begins & (step > 0.0))
    if len(rows) != begins.sum():
        return
    _check_lengths(evaluator, report, rows)
    _check_starts(evaluator, report, rows)
    _check_ends(evaluator, report, rows)
    _check_declined(evaluator, report)
    _check_touches(evaluator, report)
    rows = rows[~evaluator.extrapolated[rows]]
    for first in range(0, len(rows), BATCH_ROWS):
        some = rows[first : first + BATCH_ROWS]
        _check_extensions(evaluator, report, some)
        yield _extensions(evaluator, some), np.zeros((len(some), evaluator.width))


def check_flow_of_steps(evaluator: Evaluator, report: Report) -> None:
    """Check that all recorded steps follow the vector field, of a run that neither slides nor comes to rest."""
    rows = np.flatnonzero(np.append(np.diff(evaluator.run.j) == 0, False) & (evaluator.step > 0.0))
    _check_starts(evaluator, report, rows)
    _check_ends(evaluator, report, rows)
    for first in range(0, len(rows), BATCH_ROWS):
        _check_extensions(evaluator, report, rows[first : first + BATCH_ROWS])


def _extensions(evaluator: Evaluator, rows: IntArray) -> Pieces:
    """Return the recorded extensions as pieces that end at the next row."""
    run = evaluator.run
    span = run.t[rows + 1] - run.t[rows]
    theta = span / evaluator.step[rows]
    scale = theta[:, None] ** np.arange(1, evaluator.extension.shape[1] + 1)
    extension = evaluator.padded(evaluator.extension[rows] * scale[:, :, None])
    return Pieces(np.arange(len(rows)), evaluator.rows(rows), span, extension, np.zeros(len(rows)))


def _check_lengths(evaluator: Evaluator, report: Report, rows: IntArray) -> None:
    """Check that each step ends at the next row unless an event, a stop or the end cuts it, and keeps to its limits."""
    run, engine = evaluator.run, evaluator.config.engine
    step, left = evaluator.step[rows], run.t[rows + 1] - run.t[rows]
    spacings = 4.0 * np.spacing(abs(run.t[rows + 1]))
    cut = np.isin(run.t[rows + 1], run.events.t) | (rows + 1 == len(run.t) - 1)
    where = locate_all("row", run.t)[rows]
    report.require(
        "steps",
        np.where(cut, left <= step + spacings, abs(left - step) <= spacings),
        where,
        lambda k: f"step is {step[k]!s}, but the next row comes after {left[k]!s}",
    )
    longest = engine.max_step if engine.tableau.adaptive else engine.first_step or engine.max_step
    report.require(
        "steps", step <= longest + spacings, where, lambda k: f"step is {step[k]!s}, expected at most {longest!r}"
    )


def _check_starts(evaluator: Evaluator, report: Report, rows: IntArray) -> None:
    """Check that extensions begin with the slope of the vector field, or lead straight to an accumulation."""
    run, name = evaluator.run, "extensions begin"
    points, step = evaluator.rows(rows), evaluator.step[rows, None]
    where = locate_all("row", run.t)[rows]
    rise = step * evaluator.slopes(points)
    allowed = step * rounding_error(evaluator, evaluator.slopes, points) + 16.0 * EPSILON * abs(rise)
    # The slope of a slide also pulls the state back to the surface, and its weight is a difference quotient.
    allowed += evaluator.pulled(points) + step * WEIGHT_ERROR * evaluator.difference(evaluator.functions.slopes, points)
    if method_of(evaluator).gamma:  # its extension begins with that slope only where nothing is stiff: repeat the step
        extension = accepted_extension(evaluator, points, evaluator.step[rows], np.inf)
        rise = extension[:, 0]
        allowed += step_error(evaluator, points.x) + REPETITION_ERROR * abs(extension).sum(axis=1)
    straight = evaluator.extrapolated[rows]
    next_x = evaluator.x[rows[straight] + 1]
    rise[straight] = next_x - points.x[straight]
    allowed[straight] = 4.0 * EPSILON * (abs(points.x[straight]) + abs(next_x))
    bends = straight & (evaluator.extension[rows, 1:] != 0.0).any(axis=(1, 2))
    report.require(name, ~bends, where, "the extension up to an accumulation is not straight")
    names, n = [f"the slope of {name} times the step" for name in run.states.names], evaluator.n_states
    report.compare(name, evaluator.extension[rows, 0], rise[:, :n], allowed[:, :n], where, names)


def _check_ends(evaluator: Evaluator, report: Report, rows: IntArray) -> None:
    """Check that extensions lead to the next row."""
    run = evaluator.run
    t, step, extension = run.t[rows], evaluator.step[rows, None], evaluator.extension[rows]
    reached = run.x[rows] + rise_at(extension, (run.t[rows + 1] - t) / step[:, 0])
    size = abs(run.x[rows]) + abs(extension).sum(axis=1)
    weight = abs(method_of(evaluator).extension).max()
    units = 16.0 * EPSILON * weight + 4.0 * EPSILON * abs(run.t[rows + 1])[:, None] / step
    # A state that does not move must be equal to the bit; the terms of a moving one cancel.
    moves = abs(extension).sum(axis=1) > 0.0
    allowed = units * size * moves
    # Slopes at the stages may be far larger than what they add up to, as where their accelerations cancel: they round.
    doubtful = (abs(reached - run.x[rows + 1]) > allowed).any(axis=1) & ~evaluator.extrapolated[rows]
    if doubtful.any() and not method_of(evaluator).series_order:
        points, of_stages = evaluator.rows(rows[doubtful]), step[doubtful]
        terms = of_stages * sum(abs(k) for k in stages(evaluator, points, of_stages[:, 0]))
        allowed[doubtful] += 16.0 * EPSILON * weight * terms[:, : evaluator.n_states] * moves[doubtful]
    names = [f"{name} reached" for name in run.states.names]
    where = locate_all("row", run.t)[rows]
    report.compare("extensions end", reached, run.x[rows + 1], allowed, where, names)


def _check_extensions(evaluator: Evaluator, report: Report, rows: IntArray) -> None:
    """Compare whole steps, also beyond an event that has cut them, with the reference solution at their quarters."""
    run, n = evaluator.run, evaluator.n_states
    points, step = evaluator.rows(rows), evaluator.step[rows]
    tolerance = reference_tolerance(evaluator, points, step)
    where = locate_all("row", run.t)[rows]
    marched = follow_all(evaluator, points, step, tolerance, MAX_PIECES_PER_STEP)
    followed = report_gaps(evaluator, report, marched, where)
    flow = at_quarters(marched)
    found = run.x[rows, None] + rise_at(evaluator.extension[rows, None], QUARTERS)
    allowed = _allowed_at_quarters(evaluator, rows, flow)
    if method_of(evaluator).adaptive:
        end, error = repeat_steps(evaluator, recorded_steps(evaluator, rows))
        report.measure_steps(in_tolerances(evaluator, points, end, error), where, "by its own error estimate")
    far = np.flatnonzero(followed & (abs(found - flow[:, :, :n]) > allowed[:, :, :n]).any(axis=(1, 2)))
    if len(far) and method_of(evaluator).adaptive:
        # At a kink of the vector field, an accepted step of the method may be off by more than its tolerance.
        extension = accepted_extension(evaluator, points[far], step[far])
        accepted = points.x[far, None] + rise_at(extension[:, None], QUARTERS)
        allowed[far] = np.fmax(allowed[far], 2.0 * abs(accepted - flow[far]))
    names = [f"{name} after {q:g} of the step" for q in QUARTERS for name in run.states.names]
    flat = int(followed.sum()), len(names)
    report.compare(
        "flow",
        found[followed].reshape(flat),
        flow[followed, :, :n].reshape(flat),
        allowed[followed, :, :n].reshape(flat),
        where[followed],
        names,
    )


def _allowed_at_quarters(evaluator: Evaluator, rows: IntArray, flow: FloatArray) -> FloatArray:
    """Return the error allowed at the quarters of the steps from these rows; it and `flow` are (n, 4, width)."""
    points, step, end = evaluator.rows(rows), evaluator.step[rows], flow[:, -1]
    error = step_error(evaluator, points.x, end) + slide_error(evaluator, points) + _rounding_of_steps(evaluator, rows)
    error += step[:, None] * slope_rounding(evaluator, points)
    allowed = np.repeat(error[:, None], len(QUARTERS), axis=1)
    return allowed + method_error(evaluator, points, step, flow) if has_free_error(evaluator) else allowed


def _rounding_of_steps(evaluator: Evaluator, rows: IntArray) -> FloatArray:
    """Return the rounding errors of the terms of the extensions and of their weights: (n, width)."""
    run = evaluator.run
    weight = abs(method_of(evaluator).extension).max()
    size = abs(run.x[rows]) + weight * abs(evaluator.extension[rows, 0]) + abs(evaluator.extension[rows]).sum(axis=1)
    return evaluator.padded(64.0 * EPSILON * size)


def _check_declined(evaluator: Evaluator, report: Report) -> None:
    """Check that each declined crossing has a row, at which the step that it cuts ends."""
    run, events = evaluator.run, evaluator.run.events
    declined = np.flatnonzero(events.declined & has_kind(events, "crossing"))
    first = np.searchsorted(run.j, events.j[declined])
    last = np.searchsorted(run.j, events.j[declined], side="right") - 1
    rows = np.clip(np.searchsorted(run.t, events.t[declined]), first, last)
    where = locate_all("event", events.t)[declined]
    states = [f"{name} before" for name in run.states.names]
    report.compare_exactly("flow", events.t[declined], run.t[rows], where, "t")
    report.compare_exactly("flow", events.x_before[declined], run.x[rows], where, states)
    report.compare_exactly("flow", events.chart_before[declined], run.chart[rows], where, "chart before")


def _check_touches(evaluator: Evaluator, report: Report) -> None:
    """Check that the states of touches, which cut no step, lie on the extension of their step."""
    run, events, n = evaluator.run, evaluator.run.events, evaluator.n_states
    some = np.flatnonzero(events.declined & has_kind(events, "touch"))
    t = events.t[some]
    first, last = (np.searchsorted(run.j, events.j[some], side) for side in ("left", "right"))
    rows = np.clip(np.searchsorted(run.t, t, side="right") - 1, first, np.maximum(last - 2, first))
    step = np.where(evaluator.step[rows] > 0.0, evaluator.step[rows], 1.0)
    x = run.x[rows] + rise_at(evaluator.extension[rows], (t - run.t[rows]) / step)
    slopes = evaluator.slopes(Points(t, evaluator.padded(x), evaluator.chart[rows]))
    allowed = _rounding_of_steps(evaluator, rows) + 8.0 * np.spacing(abs(t))[:, None] * abs(slopes)
    where = locate_all("event", events.t)[some]
    report.compare("touches", events.x_before[some], x, allowed[:, :n], where, run.states.names)
    report.compare_exactly("touches", events.chart_before[some], run.chart[rows], where, "chart before")


def check_certificates(evaluator: Evaluator, report: Report) -> None:
    """Check that the certificate of each step is the weakest of the boundaries that are active in its chart."""
    run = evaluator.run
    if run.certificate is None or run.step is None:
        return
    expected = np.full(len(run.t), UNDECIDED, np.int64)
    surface = np.array([slide.surface for slide in evaluator.slides] + [NOWHERE])
    along = surface[np.where(evaluator.chart <= SLIDE, SLIDE - evaluator.chart, -1)]
    # Inputs do not decide which boundaries are active, so charts are compared by their numbers.
    number = evaluator.functions.number(evaluator.first_chart(evaluator.chart))
    situations = np.stack([number, run.adjacent_chart, along], axis=1)
    begins_step = (evaluator.step > 0.0) & ~evaluator.extrapolated
    for situation in np.unique(situations, axis=0):
        rows = np.flatnonzero((situations == situation).all(axis=1) & begins_step)
        if len(rows):
            expected[rows] = _weakest(evaluator, int(rows[0]))
    # Where a bounded boundary rests on zero, the bound may prove nothing, and the step is sampled.
    expected[(expected == BOUNDED) & (run.certificate == SAMPLED)] = SAMPLED
    report.compare_exactly("certificates", run.certificate, expected, locate_all("row", run.t), "certificate")


def _weakest(evaluator: Evaluator, row: int) -> int:
    """Return the weakest certificate (sampled < bounded < exact) of the functions active in the step from a row.

    It is TIME if all are time boundaries, UNDECIDED if there are none.
    """
    active = ~np.isposinf(evaluator.boundaries(evaluator.rows([row]))[0])
    certificates = evaluator.boundary_certificates[active].tolist()
    certificates += [EXACT] * sum(stop.state is not None for stop in evaluator.config.stop)
    certificates += [SAMPLED] if evaluator.chart[row] <= SLIDE else []
    searched = [certificate for certificate in certificates if certificate != TIME]
    return min(searched) if searched else TIME if certificates else UNDECIDED
