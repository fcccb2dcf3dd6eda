"""The flow that leads to points of a run, from rows before them.

Backwards from a point it cannot always be followed: where a slope is not Lipschitz continuous, as at a fold of a slip
velocity, several flows lead to the same state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import Pieces
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.points import Points
from hybridsim.verification.reference import follow_all
from hybridsim.verification.tolerances import reference_tolerance

STEPS_BACK = 2.0
"""How far back a flow begins, in lengths of the longest step from the last row before its point."""


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """The reference solution that leads to n points.

    Attributes
    ----------
    pieces : Pieces
        Its pieces, those of one point in succession, in the order of time; their `row` is the number of the point.
    span : (n,) array
        Time from the rows before to the points [s]; 0 for a point that begins its epoch.
    end : (n, width) array
        The states at the points; nan where the flow was lost.
    """

    pieces: Pieces
    span: FloatArray
    end: FloatArray

    def before(self, which: IntArray, back: FloatArray) -> FloatArray:
        """Return the states (m, width) at the times `back`, (m,) [s], before the points `which`, (m,).

        They are nan at the points themselves, before the rows that the flow comes from, and where it was lost.
        """
        pieces, result = self.pieces, np.full((len(back), self.pieces.start.x.shape[1]), np.nan)
        span = self.span[which]
        asked = np.flatnonzero((back > 0.0) & (back <= span))
        after = (span - back)[asked]
        # A point's number plus the share of the way to it orders all pieces.
        place = pieces.row + pieces.offset / (2.0 * self.span[pieces.row])
        i = np.searchsorted(place, which[asked] + after / (2.0 * span[asked]), side="right") - 1
        known = np.flatnonzero(i >= 0)
        known = known[pieces.row[i[known]] == which[asked[known]]]
        i, asked = i[known], asked[known]
        theta = (after[known] - pieces.offset[i]) / pieces.span[i]
        x = pieces.start.x[i] + rise_at(pieces.extension[i], theta)
        result[asked] = np.where((theta <= 1.0 + 1e-9)[:, None], x, np.nan)
        return result


def approach(evaluator: Evaluator, points: Points, j: IntArray) -> Approach:
    """Follow the flow to each of n points of the epochs j, (n,), from a row so far back that a step fits in between."""
    before = _last_rows(evaluator, points.t, j)
    longest = longest_steps(evaluator, evaluator.rows(before))
    start = evaluator.rows(_last_rows(evaluator, points.t - STEPS_BACK * longest, j))
    span = np.maximum(points.t - start.t, 0.0)
    flow = follow_all(evaluator, start, span, reference_tolerance(evaluator, start, span))
    return Approach(flow.pieces, span, flow.end)


def _last_rows(evaluator: Evaluator, t: FloatArray, j: IntArray) -> IntArray:
    """Return the last row before each time t, (n,) [s], of the epochs j, (n,); or their first row."""
    run = evaluator.run
    first, last = np.searchsorted(run.j, j), np.searchsorted(run.j, j, side="right")
    inside = [np.searchsorted(run.t[a:b], limit) for a, b, limit in zip(first, last, t, strict=True)]
    return np.asarray(first + np.maximum(np.array(inside, np.int64) - 1, 0))
