"""Steps along power series, as they are recorded: their ends and error estimates."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.methods import Tableau
from hybridsim.typing import FloatArray
from hybridsim.verification.collocation import Pieces
from hybridsim.verification.evaluator import SLIDE, Evaluator
from hybridsim.verification.points import Points


def are_series(method: Tableau, steps: Pieces) -> FloatArray:
    """Return which of n steps are those of Taylor's method, whose extensions have terms of high degree: (n,)."""
    if not method.series_order:
        return np.zeros(len(steps.span), bool)
    explicit = np.flatnonzero(method.extension.any(axis=0))[-1] + 1
    has_more = steps.extension[:, explicit:].any(axis=(1, 2))
    return np.asarray(has_more & (steps.start.chart > SLIDE))


def end_and_error(evaluator: Evaluator, method: Tableau, steps: Pieces) -> tuple[FloatArray, FloatArray]:
    """Return the ends of steps along series, and the error estimates there: both (n, width).

    The derivative of the first missing term is what the slope at the end lacks.
    """
    end = steps.start.x + steps.extension.sum(axis=1)
    orders = np.arange(1.0, steps.extension.shape[1] + 1.0)
    rise = np.einsum("d,ndw->nw", orders, steps.extension)
    slopes = evaluator.slopes(Points(steps.start.t + steps.span, end, steps.start.chart))
    return end, (steps.span[:, None] * slopes - rise) / (method.series_order + 1.0)
