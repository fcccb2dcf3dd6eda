"""The stages of steps by a Rosenbrock method, repeated with numpy, and with differences for the derivatives.

The engine differentiates the vector field by dual numbers, and eliminates the unknowns itself: neither takes part here.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.methods import Tableau
from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.points import Points

EPSILON = np.finfo(float).eps

DIFFERENCE = 2.0**-17
"""Half the length of a central difference relative to the state: the cube root of the rounding, nearly."""


def rosenbrock_stages(evaluator: Evaluator, method: Tableau, points: Points, h: FloatArray) -> list[FloatArray]:
    """Return the slope where steps of lengths h, (n,) [s], begin, the increments, and the slope at their ends.

    Each is (n, width); for the equations see `Tableau`. Where the equations cannot be solved the increments are nan.
    """
    by_state, by_time = _derivatives(evaluator, points, h)
    matrix = np.eye(points.x.shape[1]) / method.gamma - h[:, None, None] * by_state
    step, k = h[:, None], [evaluator.slopes(points)]
    for i in range(1, method.stages + 1):
        rise = step * sum(method.a[i, j] * k[j] for j in range(i))
        slopes = evaluator.slopes(points.moved(method.c[i] * h, rise))
        if i < method.stages:
            slopes = slopes + sum(method.coupling[i, j] * k[j] for j in range(1, i))
            slopes = _solved(matrix, slopes + method.time_weights[i] * step * by_time)
        k.append(slopes)
    return k


def _derivatives(evaluator: Evaluator, points: Points, h: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of the slopes by the states, (n, width, width), and by time, (n, width)."""
    n, width = points.x.shape
    by_state, still = np.zeros((n, width, width)), np.zeros(n)
    engine = evaluator.config.engine
    least = engine.atol / max(engine.rtol, 1e-6)
    for m in np.flatnonzero(evaluator.is_continuous):
        delta = np.zeros((n, width))
        delta[:, m] = DIFFERENCE * np.maximum(abs(points.x[:, m]), least)
        ahead, behind = points.moved(still, delta), points.moved(still, -delta)
        length = (ahead.x - behind.x)[:, m, None]
        by_state[:, :, m] = (evaluator.slopes(ahead) - evaluator.slopes(behind)) / length
    delta = np.maximum(DIFFERENCE * abs(h), 2.0**16 * np.spacing(abs(points.t)))
    ahead, behind = points.moved(delta, np.zeros((n, width))), points.moved(-delta, np.zeros((n, width)))
    by_time = (evaluator.slopes(ahead) - evaluator.slopes(behind)) / (ahead.t - behind.t)[:, None]
    return by_state, by_time


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Return the solutions, (n, width), of n systems of equations; nan where a matrix is singular or not finite."""
    result = np.full_like(right, np.nan)
    known = np.asarray(np.isfinite(matrix).all(axis=(1, 2)) & np.isfinite(right).all(axis=1))
    known[known] = np.linalg.cond(matrix[known]) < 1.0 / EPSILON**2
    result[known] = np.linalg.solve(matrix[known], right[known, :, None])[:, :, 0]
    return result
