"""How exact the numbers of an orbit are, and with how many digits they are printed.

The strides of a period end within the tolerances of the steps, d = rtol |x| + atol, and what the derivative A of the
return map makes of them. The orbit is then wrong by (1 - A)^-1 d, its period by what this changes and by the tolerance
of time, and a multiplier by the error of A times its condition number, 1 / |a e| of its left and right eigenvectors of
size 1.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import FAMILY_RANK_TOLERANCE
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.return_map import Return, sizes_of
from hybridsim.typing import FloatArray

CURVATURE = 30.0
"""Change of a derivative of the return map, in its own size, as the states change by theirs."""

MOST_DIGITS, DIGITS_OF_FIXED_STEPS = 14, 7
"""Digits that are printed at most, and where the steps have no tolerances."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Estimated errors of the state (n_states,), the largest of them in its sizes, of period and multipliers (n,)."""

    x: FloatArray
    relative: float
    period: float
    multipliers: FloatArray


def errors_of(orbit: Orbit) -> Errors:
    """Estimate how exact an orbit is."""
    found, free, engine = orbit.found, orbit.free_states.free, orbit.config.engine
    rounding, n_events = float(np.finfo(float).eps), len(orbit.events)
    rtol, atol = (engine.rtol, engine.atol) if engine.tableau.adaptive else (10.0**-DIGITS_OF_FIXED_STEPS, 0.0)
    places = dataclasses.replace(found, shifts={})  # rtol is relative to where a state is
    sizes = np.maximum(sizes_of(places), atol / rtol)  # a state that stays zero but for rounding has no size
    late = float(np.spacing(abs(orbit.config.initial_time) + orbit.period))
    of_step = (rtol + rounding * sum(len(stride.rows.t) for stride in found.strides)) * sizes + atol
    of_step += late * (n_events + 1) * _largest_slopes(found)
    of_period = of_step + np.abs(found.by_state) @ of_step
    units = sizes[free] / sizes[free, None]
    matrix = found.by_state[np.ix_(free, free)] * units
    inverse = np.linalg.pinv(matrix - np.eye(len(free)), rcond=FAMILY_RANK_TOLERANCE)
    x, by_error = of_period.copy(), inverse / units
    x[free] = of_step[free] + np.abs(by_error) @ of_period[free]
    relative = float(np.max(x / sizes, initial=rounding))
    period = float(np.abs(found.duration_by_state[free] @ by_error) @ of_period[free])
    period += orbit.period * float(np.max(of_step / sizes, initial=rounding)) + late * (n_events + 1)
    values, right = np.linalg.eig(matrix)
    conditions = np.linalg.norm(right, axis=0) * np.linalg.norm(np.linalg.pinv(right), axis=1)
    nearest = [int(np.argmin(np.abs(values - value))) for value in orbit.multipliers]
    return Errors(x, relative, period, CURVATURE * relative * np.linalg.norm(matrix) * conditions[nearest])


def _largest_slopes(found: Return) -> FloatArray:
    """Return how fast the states change at most from row to row, (n_states,) [state unit/s]."""
    slopes = np.zeros(len(found.x0))
    for stride in found.strides:
        step = np.diff(stride.rows.t)
        change = np.abs(np.diff(stride.rows.x, axis=0))[step > 0.0]
        slopes = np.maximum(slopes, (change / step[step > 0.0, None]).max(axis=0, initial=0.0))
    return slopes


def rounded(value: float, error: float) -> str:
    """Return a number with the digits that are known, 0 if none is."""
    if not abs(value) > error:
        return "0"
    digits = min(MOST_DIGITS, math.floor(math.log10(abs(value))) - math.floor(math.log10(max(error, 1e-300))))
    return f"{value:.{max(digits, 1)}g}"
