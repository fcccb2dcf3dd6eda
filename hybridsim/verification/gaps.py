"""Places from which the flow could not be followed: where it was given up, and what the vector field does there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.findings import Gap, Locations
from hybridsim.verification.method_steps import method_of, step_tolerance
from hybridsim.verification.points import Points
from hybridsim.verification.reference import Flow
from hybridsim.verification.report import Report

PROBE_LENGTHS = 2.0 ** np.arange(-2, 13)
"""Distances at which the vector field is probed, in units of the piece that was tried last."""


def report_gaps(evaluator: Evaluator, report: Report, flow: Flow, where: Locations) -> NDArray[np.bool_]:
    """Report the points from which the flow could not be followed; return from which it was, (n,).

    `where` are the rows and events that the n points of the flow belong to.
    """
    followed = np.isfinite(flow.end).all(axis=1)
    for k in np.flatnonzero(~followed).tolist():
        what = _reason(evaluator, flow.reached[[k]], float(flow.length[k]))
        report.add_gap(Gap(where.name(k), float(flow.reached.t[k]), what))
    return np.asarray(followed)


def _reason(evaluator: Evaluator, point: Points, length: float) -> str:
    """Describe the vector field at the point where the flow was given up, after a piece of this length [s]."""
    field = evaluator.slopes(point)
    if not np.isfinite(field).all():
        return "the vector field is not finite there"
    time = PROBE_LENGTHS * length
    ahead = Points(point.t + time, point.x + time[:, None] * field, np.repeat(point.chart, len(time)))
    slopes = evaluator.slopes(ahead)[:, : evaluator.n_states]
    tolerance = step_tolerance(evaluator, point.x)[0, : evaluator.n_states]
    k, m = _jump(abs(slopes - field[0, : evaluator.n_states]) / tolerance)
    name = evaluator.run.states.names[m]
    stiff = "; the flow is followed by an explicit method, which stiff models are too much for"
    return (
        f"a piece of {length:.1g} s was too long there; the slope of {name} changes from {field[0, m]:.4g} to "
        f"{slopes[k, m]:.4g} within {time[k]:.1g} s"
        f"{stiff if method_of(evaluator).gamma else ''}"
    )


def _jump(change: FloatArray) -> tuple[int, int]:
    """Return in which state the slopes change most, and the first probe that shows half of that: (probe, state)."""
    change = np.nan_to_num(change)
    m = int(change.max(axis=0).argmax())
    return int(np.argmax(change[:, m] >= 0.5 * change[:, m].max())), m
