"""Certificates of steps: how well the search for crossings covers each step, as the boundaries of its chart declare."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.memory import BOUNDED, EXACT, NOWHERE, SAMPLED, TIME, UNDECIDED
from hybridsim.verification.evaluator import SLIDE, Evaluator
from hybridsim.verification.locations import locate_all
from hybridsim.verification.report import Report


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
    begins_step = (run.step > 0.0) & ~evaluator.extrapolated
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
