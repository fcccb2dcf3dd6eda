"""Curves of folds and of period doublings through two parameters."""

from __future__ import annotations

import contextlib

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint, follow
from hybridsim.analysis.diagram import Bifurcation, Points
from hybridsim.analysis.newton import Equations
from hybridsim.analysis.parameters import problem_of, refuse_end, refuse_parameter, value_of
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return
from hybridsim.analysis.stride import StrideError
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import BranchProgress, Progress, shown
from hybridsim.typing import FloatArray

CRITICAL_MULTIPLIERS = {"fold": 1.0, "branch": 1.0, "flip": -1.0}
"""Kind of a bifurcation -> the multiplier that an orbit has there."""

DIFFERENCE_STEP = 1e-5
"""Step of the differences by which the multipliers' equation is differentiated: only the speed of Newton's method
depends on them, not what it finds."""

BIFURCATION_STEPS = 0.01, 1e-6, 0.05
"""The first, the shortest and the longest step along a curve, in the units of the curve."""

MAX_BIFURCATION_POINTS = 500
"""Most points of a curve of bifurcations."""


class BifurcationCurve(Curve):
    """Orbits with a multiplier of 1 or -1, as two parameters vary: z = (v, q, second).

    Parameters
    ----------
    problem : Problem
        What has to hold for an orbit.
    parameters : (str, str)
        The two parameters.
    sizes : (float, float)
        Their units.
    family : int
        Dimension of the families of orbits.
    multiplier : float
        1 for folds, -1 for period doublings.
    """

    def __init__(
        self, problem: Problem, parameters: tuple[str, str], sizes: tuple[float, float], family: int, multiplier: float
    ) -> None:
        super().__init__(problem, parameters[1], sizes[1], family)
        self.first = Curve(problem, parameters[0], sizes[0], family)
        self.multiplier = multiplier

    def evaluate(self, z: FloatArray) -> tuple[Return, Equations]:
        """Make the strides at z; the residuals are those of an orbit, and the distance from the critical multiplier."""
        found, orbit, test = self._evaluate_with_test(z)
        row = np.array([self._slope_of_test(z, direction, test) for direction in np.eye(len(z))])
        self._set_values(z)
        scale = max(float(np.abs(row).max()), 1e-300)
        residual = np.append(orbit.residual, test / scale)
        return found, Equations(residual, np.vstack([orbit.jacobian, row / scale]))

    def _slope_of_test(self, z: FloatArray, direction: FloatArray, here: float) -> float:
        """Return the derivative of the test function; from one side where the other is outside the chart."""
        slopes = []
        for step in (DIFFERENCE_STEP, -DIFFERENCE_STEP):
            try:
                slopes.append((self._evaluate_with_test(z + step * direction)[2] - here) / step)
            except StrideError:
                continue
        return float(np.mean(slopes)) if slopes else 0.0

    def _evaluate_with_test(self, z: FloatArray) -> tuple[Return, Equations, float]:
        self._set_values(z)
        found = self.problem.make_strides(z[:-2])
        by_v = self.problem.equations(found)
        columns = [curve.size * self.problem.by_parameter(found, curve.parameter) for curve in (self.first, self)]
        distances = self.problem.multipliers(found) - self.multiplier
        kept = distances[np.argsort(np.abs(distances))][self.family if self.multiplier == 1.0 else 0 :]
        return found, Equations(by_v.residual, np.column_stack([by_v.jacobian, *columns])), float(np.prod(kept).real)

    def _set_values(self, z: FloatArray) -> None:
        self.first.set_value(float(z[-2] * self.first.size))
        self.set_value(float(z[-1] * self.size))


@explains_keywords()
def continue_bifurcation(
    bifurcation: Bifurcation,
    parameters: tuple[str, str],
    *,
    to: float,
    progress: Progress = None,
) -> Points:
    """Follow a fold or a period doubling through two parameters.

    Parameters
    ----------
    bifurcation : Bifurcation
        Of the kind "fold", "branch" or "flip".
    parameters : (str, str)
        The parameter in which it was found, and the second one: real parameters of the model, or states that the
        strides leave as they are (`Orbit.kept`).
    to : float
        Value of the second parameter at which the curve ends.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the value of the second parameter and the number of strides at every point.

    Returns
    -------
    Points
        Columns: both parameters, `period`, the states, and `multiplier_0`, ... by their sizes.

    Raises
    ------
    ConfigError
        If the bifurcation is of another kind, or a parameter does not exist, is no real number,
        or cannot have the value.
    """
    curve, z, direction = _first_point(bifurcation, parameters, to)
    orbit, name = bifurcation.orbit, parameters[1]
    begin = value_of(orbit, name)
    points = [curve.correct(z, direction)]
    with shown(progress, lambda: BranchProgress(name, begin, to)) as report, contextlib.suppress(CorrectionError):
        for point, _ in follow(curve, points[0], *BIFURCATION_STEPS):
            points.append(point)
            if report is not None:
                report(curve.value(point.z), orbit.strides)
            if not min(begin, to) <= curve.value(point.z) <= max(begin, to) or len(points) > MAX_BIFURCATION_POINTS:
                break
    return _table(curve, parameters, points)


def _first_point(
    bifurcation: Bifurcation, parameters: tuple[str, str], to: float
) -> tuple[BifurcationCurve, FloatArray, FloatArray]:
    if not isinstance(bifurcation, Bifurcation):
        raise ConfigError(
            f"bifurcation: expected one of those of a branch, branch.bifurcations[0], found a "
            f"{type(bifurcation).__name__}"
        )
    orbit = bifurcation.orbit
    if bifurcation.kind not in CRITICAL_MULTIPLIERS:
        raise ConfigError(f"only folds, branch points and flips can be followed, not a {bifurcation.kind}")
    for name in parameters:
        refuse_parameter(orbit, name)
    refuse_end(orbit, "to", parameters[1], to)
    problem = problem_of(orbit, parameters)
    values = [value_of(orbit, name) for name in parameters]
    sizes = (max(abs(values[0]), 1e-300), abs(to - values[1]))
    curve = BifurcationCurve(problem, parameters, sizes, orbit.family, CRITICAL_MULTIPLIERS[bifurcation.kind])
    z = np.concatenate([problem.x[problem.free.free] / problem.sizes, [values[0] / sizes[0], values[1] / sizes[1]]])
    direction = np.zeros(len(z))
    direction[-1] = np.sign(to - values[1])
    return curve, z, direction


def _table(curve: BifurcationCurve, parameters: tuple[str, str], points: list[CurvePoint]) -> Points:
    names = curve.problem.return_map.stride_map.model.states.names
    columns = {
        parameters[0]: np.array([point.z[-2] * curve.first.size for point in points]),
        parameters[1]: np.array([curve.value(point.z) for point in points]),
        "period": np.array([point.found.duration for point in points]),
        **{name: np.array([point.found.x0[i] for point in points]) for i, name in enumerate(names)},
    }
    n = min(len(point.multipliers) for point in points)
    columns |= {f"multiplier_{i}": np.array([point.multipliers[i] for point in points]) for i in range(n)}
    return Points(columns)
