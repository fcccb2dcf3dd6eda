"""Pseudo-arclength continuation: a curve of periodic orbits through a parameter (H. B. Keller 1977).

A point of the curve is z = (v, q): the free states and the parameter, each in units of its own size. From a point the
curve is followed along its tangent, and corrected in the plane across the tangent, so that it can turn round.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import FAMILY_RANK_TOLERANCE, NOT_FINITE, Equations, NoOrbitError, is_finite, norm
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return
from hybridsim.analysis.stride import StrideError
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

MAX_CORRECTIONS = 10
"""Iterations of Newton's method back to the curve; a step that needs more is halved."""

FEW_CORRECTIONS = 3
"""Iterations after which the next step is longer."""

CURVE_TOLERANCE = 1e-10
"""Residual at which a point is on the curve; the corrections go on until it grows no smaller."""


class CorrectionError(NoOrbitError):
    """A predicted point leads to no point of the curve."""


@dataclass(frozen=True, slots=True, eq=False)
class CurvePoint:
    """A point of a curve of orbits.

    Attributes
    ----------
    z : (n + 1,) array
        Free states and parameter, in units of their sizes.
    tangent : (n + 1,) array
        Unit tangent of the curve.
    found : Return
        The strides of the orbit.
    multipliers : (m,) complex array
        Its multipliers.
    family : int
        Dimension of the family of orbits at this value of the parameter.
    corrections : int
        Iterations that it took.
    """

    z: FloatArray
    tangent: FloatArray
    found: Return
    multipliers: FloatArray
    family: int
    corrections: int


class Curve:
    """Orbits of so many strides, as one parameter varies.

    Parameters
    ----------
    problem : Problem
        What has to hold; its stride map differentiates with respect to the parameter.
    parameter : str
        Name of the parameter, or of a state that strides leave as it is.
    size : float
        Unit of the parameter.
    family : int
        Dimension of the families of orbits that there are at every value of the parameter.
    """

    def __init__(self, problem: Problem, parameter: str, size: float, family: int) -> None:
        self.problem, self.parameter, self.size, self.family = problem, parameter, size, family

    def with_strides(self, strides: int) -> Curve:
        """Return curves of orbits with another number of strides."""
        problem = dataclasses.replace(self.problem, return_map=self.problem.return_map.with_strides(strides))
        return Curve(problem, self.parameter, self.size, self.family)

    def value(self, z: FloatArray) -> float:
        """Return the parameter's value at z."""
        return float(z[-1] * self.size)

    def evaluate(self, z: FloatArray) -> tuple[Return, Equations]:
        """Make the strides at z; returns them, and the residuals with their derivatives by z."""
        self.set_value(self.value(z))
        found = self.problem.make_strides(z[:-1])
        by_v = self.problem.equations(found)
        by_q = self.size * self.problem.by_parameter(found, self.parameter)
        return found, Equations(by_v.residual, np.column_stack([by_v.jacobian, by_q]))

    def set_value(self, value: float) -> None:
        """Give the parameter a value."""
        self.problem.set_value(self.parameter, value)

    def tangent(self, here: Equations, towards: FloatArray) -> FloatArray:
        """Return the unit tangent of the curve nearest to a direction."""
        directions = np.linalg.svd(here.jacobian)[2][-1 - self.family :]
        tangent = directions.T @ (directions @ towards)
        return np.asarray(tangent / np.linalg.norm(tangent))

    def direction_across(self, point: CurvePoint) -> FloatArray:
        """Return the direction, across the tangent, of another curve that crosses this one at a point."""
        _, here = self.evaluate(point.z)
        directions = np.linalg.svd(here.jacobian)[2][-2 - self.family :]
        across = directions - np.outer(directions @ point.tangent, point.tangent)
        return np.asarray(np.linalg.svd(across)[2][0])

    def correct(self, z: FloatArray, across: FloatArray) -> CurvePoint:
        """Find the point of the curve in the plane through z across a direction, and its tangent.

        Raises
        ------
        CorrectionError
            If there is none near z.
        """
        start, best = z, np.inf
        for corrections in range(MAX_CORRECTIONS + 1):
            try:
                found, here = self.evaluate(z)
            except (StrideError, ConfigError) as problem:
                raise CorrectionError("too far", str(problem)) from None
            if not is_finite(here):
                raise CorrectionError("too far", NOT_FINITE)
            size = norm(here.residual)
            if size <= CURVE_TOLERANCE and size >= 0.5 * best:
                return self._point(z, across, found, here, corrections)
            best = min(best, size)
            if corrections == MAX_CORRECTIONS or size > 1.0:
                break
            matrix = np.vstack([here.jacobian, across])
            target = np.append(here.residual, across @ (z - start))
            z = z - np.linalg.pinv(matrix, rcond=FAMILY_RANK_TOLERANCE) @ target
        if size <= CURVE_TOLERANCE:
            return self._point(z, across, found, here, corrections)
        raise CorrectionError("too far", f"a stride still misses by {size:.3g}")

    def _point(
        self, z: FloatArray, towards: FloatArray, found: Return, here: Equations, corrections: int
    ) -> CurvePoint:
        found = self.problem.settle(found)
        tangent, multipliers = self.tangent(here, towards), self.problem.multipliers(found)
        return CurvePoint(z, tangent, found, multipliers, self.family, corrections)

    def step(self, point: CurvePoint, length: float) -> CurvePoint:
        """Return the point of the curve this far along the tangent."""
        return self.correct(point.z + length * point.tangent, point.tangent)


def follow(
    curve: Curve, point: CurvePoint, lengths: tuple[float, float, float], goes_on: Callable[[CurvePoint], bool]
) -> tuple[list[CurvePoint], str]:
    """Follow a curve from a point, as long as `goes_on` says so of the point reached last.

    `lengths` are the first, the shortest and the longest step.

    Returns
    -------
    points : list of CurvePoint
        The points, the first included.
    reason : str
        Why no further point is found; "" if `goes_on` ended the curve.
    """
    length, shortest, longest = lengths
    points = [point]
    while True:
        try:
            there = curve.step(points[-1], length)
        except CorrectionError as problem:
            length *= 0.5
            if length < shortest:
                return points, str(problem)
            continue
        if there.tangent @ points[-1].tangent < LEAST_COSINE_OF_BEND and length > 8.0 * shortest:
            length *= 0.5  # the curve bends too much to be sure that it is the same one
            continue
        points.append(there)
        if not goes_on(there):
            return points, ""
        if there.corrections <= FEW_CORRECTIONS + 1:
            length = min(1.4 * length, longest)


LEAST_COSINE_OF_BEND = 0.95
"""Cosine of the largest angle between the tangents at two neighbouring points."""
