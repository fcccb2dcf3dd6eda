"""The continuous extension of a step, for numpy: states and slopes between recorded rows.

From a row at t0 whose step has length h, x(t) = x(t0) + sum_d c[d] theta^(d+1) with theta = (t - t0) / h, where c are
the recorded coefficients. Compiled code evaluates the same polynomial with `runge_kutta.extension_at`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.typing import FloatArray

FEW_STATES = 8
"""So many states of one step are evaluated as plain numbers."""


def rise_at(extension: FloatArray, theta: Any) -> FloatArray:
    """Evaluate how much the state has changed since the beginning of the step.

    Parameters
    ----------
    extension : (..., degree, n_states) array
        Coefficients of one step or of several [state unit].
    theta : (...) array or float
        Part of the step that has passed, one for each step.

    Returns
    -------
    (..., n_states) array
        x(t) - x(t0) [state unit].
    """
    if extension.ndim == 2 and extension.shape[1] <= FEW_STATES:
        return _rise_of_few(extension, float(theta))
    theta = np.asarray(theta)[..., None]
    rise: FloatArray = np.zeros(extension.shape[:-2] + extension.shape[-1:])
    for d in range(extension.shape[-2] - 1, -1, -1):
        rise = theta * (rise + extension[..., d, :])
    return rise


def _rise_of_few(extension: FloatArray, theta: float) -> FloatArray:
    """Evaluate one step for few states: plain numbers are several times as fast, with the same bits."""
    rises = [0.0] * extension.shape[1]
    for row in extension[::-1].tolist():
        rises = [theta * (rise + term) for rise, term in zip(rises, row, strict=True)]
    return np.array(rises)


def slope_at(extension: FloatArray, theta: Any, step: Any) -> FloatArray:
    """Evaluate the slope of the continuous extension.

    Parameters
    ----------
    extension : (..., degree, n_states) array
        Coefficients of one step or of several [state unit].
    theta : (...) array or float
        Part of the step that has passed, one for each step.
    step : (...) array or float
        Lengths of the steps [s].

    Returns
    -------
    (..., n_states) array
        Slopes [state unit/s].
    """
    theta = np.asarray(theta)[..., None]
    slope: FloatArray = np.zeros(extension.shape[:-2] + extension.shape[-1:])
    for d in range(extension.shape[-2] - 1, -1, -1):
        slope = (d + 1) * extension[..., d, :] + theta * slope
    return slope / np.asarray(step)[..., None]
