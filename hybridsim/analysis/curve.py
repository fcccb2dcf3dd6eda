"""Pseudo-arclength continuation: a curve of periodic orbits through a parameter (H. B. Keller 1977).

A point of the curve is z = (v, q): the free states and the parameter, each in units of its own size. From a point the
curve is followed along its tangent, and corrected in the plane across the tangent, so that it can turn round.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import (
    FAMILY_RANK_TOLERANCE,
    NOT_FINITE,
    Equations,
    NoOrbitError,
    is_finite,
    norm,
    null_directions,
)
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, shrinks_to_equilibrium, sizes_of
from hybridsim.analysis.stride import StrideError
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

MAX_CORRECTIONS = 10
"""Iterations of Newton's method back to the curve; a step that needs more is halved."""

FEW_CORRECTIONS = 3
"""Iterations after which the next step is longer."""

MAX_APPROACH, LEAST_APPROACH = 30, 0.5
"""Steps towards the curve without derivatives; one after which the residual is not so much smaller is the last."""

CURVE_TOLERANCE = 1e-10
"""Residual at which a point is on the curve; the corrections go on until it grows no smaller."""


STEP_TOLERANCE = 1e-12
"""Newton's step, in units of the curve, that is rounding if it becomes no shorter."""

ACROSS = 1e-7
"""Cosine of the angle between a direction and a tangent that are across each other, as at a fold: no side is nearer."""

EVERYWHERE = (-np.inf, np.inf)
"""The limits of a curve without limits."""

EQUILIBRIUM = "equilibrium"
"""Cause of an error where the motion stands still."""


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
    jacobian : (m, n + 1) array
        Derivatives of the residuals by z.
    found : Return
        The strides of the orbit.
    multipliers : (m,) complex array
        Its multipliers; of an equilibrium, its eigenvalues.
    family : int
        Dimension of the family of orbits at this value of the parameter.
    corrections : int
        Iterations that it took.
    """

    z: FloatArray
    tangent: FloatArray
    jacobian: FloatArray
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
        Dimension of the family of the first orbit; at other values of the parameter it may be smaller.
    limits : (float, float)
        Values of the parameter at which the curve ends; no orbit is looked for beyond the bounds of the parameter.
    """

    approaches = False
    """Whether derivatives take so long that most of a step is made without them."""

    def __init__(
        self, problem: Problem, parameter: str, size: float, family: int, limits: tuple[float, float] = EVERYWHERE
    ) -> None:
        self.problem, self.parameter, self.size, self.family = problem, parameter, size, family
        self.limits = min(limits), max(limits)
        self.approaches = problem.return_map.stride_map.variables.passes > 1

    @property
    def strides(self) -> int:
        """Strides of an orbit."""
        return self.problem.return_map.strides

    def with_strides(self, strides: int) -> Curve:
        """Return curves of orbits with another number of strides."""
        problem = dataclasses.replace(self.problem, return_map=self.problem.return_map.with_strides(strides))
        return Curve(problem, self.parameter, self.size, self.family, self.limits)

    def value(self, z: FloatArray) -> float:
        """Return the parameter's value at z: at a limit but for rounding, it is the limit."""
        value = float(z[-1] * self.size)
        return next(
            (end for end in self.limits if math.isclose(value, end, rel_tol=1e-14, abs_tol=1e-15 * self.size)), value
        )

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
        family = self.family and min(self.family, null_directions(here.jacobian) - 1)  # it may dissolve on the way
        directions = np.linalg.svd(here.jacobian)[2][-1 - family :]
        tangent = directions.T @ (directions @ towards)
        if np.linalg.norm(tangent) < ACROSS:
            tangent = directions[-1] * np.copysign(1.0, directions[-1] @ towards)
        return np.asarray(tangent / np.linalg.norm(tangent))

    def reduction(self, point: CurvePoint) -> Reduction:
        """Return how the equations near a regular point become as many as a curve in n + 1 unknowns has."""
        rank = len(point.z) - 1 - point.family
        left, _, right = np.linalg.svd(point.jacobian)
        null = right[rank:]
        across = null - np.outer(null @ point.tangent, point.tangent)
        return Reduction(left[:, :rank].T, np.linalg.svd(across)[2][: point.family], point.z)

    def approach(self, z: FloatArray, across: FloatArray, jacobian: FloatArray) -> tuple[FloatArray, float, int]:
        """Go towards the curve in the plane through z across a direction, without derivatives of strides.

        From the derivatives of the residuals at a point nearby, by Broyden's method (1965).

        Returns
        -------
        z : (n + 1,) array
            The last place at which the residual became smaller; the same z if it does not.
        size : float
            The residual there if it is rounding, else infinite.
        steps : int
            Steps of the method.
        """
        matrix, start = np.vstack([jacobian, across]), z
        try:
            here = np.append(self._plain_residual(z), 0.0)
            for steps in range(MAX_APPROACH):
                move = -np.linalg.pinv(matrix, rcond=FAMILY_RANK_TOLERANCE) @ here
                there = np.append(self._plain_residual(z + move), across @ (z + move - start))
                if not norm(there) < LEAST_APPROACH * norm(here):
                    return z, norm(here) if norm(here) <= CURVE_TOLERANCE else np.inf, steps
                matrix += np.outer(there - here - matrix @ move, move / (move @ move))
                z, here = z + move, there
        except (StrideError, ConfigError):
            pass
        return z, np.inf, MAX_APPROACH

    def _plain_residual(self, z: FloatArray) -> FloatArray:
        self.set_value(self.value(z))
        return self.problem.plain_residual(z[:-1])

    def correct(
        self,
        z: FloatArray,
        across: FloatArray,
        towards: FloatArray | None = None,
        nearby: FloatArray | None = None,
    ) -> CurvePoint:
        """Find the point of the curve in the plane through z across a direction, and its tangent.

        The tangent points towards a direction, by default the same one. `nearby` are the derivatives of the residuals
        at a point nearby, with which most of the way can be made without those here. A point is found when its residual
        is that of rounding; or, as the residual of a very unstable orbit is large at any distance, Newton's step.

        Raises
        ------
        CorrectionError
            If there is none near z.
        """
        start, best, shortest, towards = z, np.inf, np.inf, across if towards is None else towards
        steps = 0
        if nearby is not None and self.approaches:
            z, best, steps = self.approach(z, across, nearby)
        for corrections in range(MAX_CORRECTIONS + 1):
            try:
                found, here = self.evaluate(z)
            except (StrideError, ConfigError) as problem:
                raise CorrectionError("too far", str(problem)) from None
            if not is_finite(here):
                raise CorrectionError("too far", NOT_FINITE)
            size = norm(here.residual)
            target = np.append(here.residual, across @ (z - start))
            move = np.linalg.pinv(np.vstack([here.jacobian, across]), rcond=FAMILY_RANK_TOLERANCE) @ target
            moved = norm(move)
            falls = size < 0.5 * best if size <= CURVE_TOLERANCE else moved < 0.5 * shortest or moved > STEP_TOLERANCE
            if not falls:
                return self._point(z, self.tangent(here, towards), found, here, corrections + steps // 2)
            best, shortest = min(best, size), min(shortest, moved)
            if corrections == MAX_CORRECTIONS or moved > 1.0:
                break
            z = z - move
        if size <= CURVE_TOLERANCE:
            return self._point(z, self.tangent(here, towards), found, here, corrections)
        raise CorrectionError("too far", f"a stride still misses by {size:.3g}")

    def size_of(self, point: CurvePoint) -> float:
        """Return how large the largest of the free states becomes along an orbit, in the units of the curve."""
        return float((sizes_of(point.found)[self.problem.free.free] / self.problem.sizes).max(initial=0.0))

    def point_at(self, z: FloatArray, tangent: FloatArray) -> CurvePoint:
        """Return a known point of the curve with its tangent, without correcting it."""
        return self._point(z, tangent, *self.evaluate(z), 0)

    def _point(
        self, z: FloatArray, tangent: FloatArray, found: Return, here: Equations, corrections: int
    ) -> CurvePoint:
        if found.duration <= 0.0 or shrinks_to_equilibrium(found, self.problem.sizes_along(found)):
            raise CorrectionError(EQUILIBRIUM, "the motion stands still there: it is an equilibrium")
        found = self.problem.settle(found)
        multipliers = self.problem.multipliers(found)
        family = self.family and min(self.family, null_directions(self.problem.equations(found).jacobian))
        return CurvePoint(z, tangent, here.jacobian, found, multipliers, family, corrections)

    def step(self, point: CurvePoint, length: float) -> CurvePoint:
        """Return the point of the curve this far along the tangent; at a limit of the parameter, the point there."""
        ahead = point.z + length * point.tangent
        begin, end = self.value(point.z), self.value(ahead)
        for limit in self.limits:
            if (begin - limit) * (end - limit) < 0.0:
                share = (limit - begin) / (end - begin)
                z = np.append(point.z + share * (ahead - point.z), 0.0)[:-1]
                z[-1] = limit / self.size
                return self.correct(z, np.eye(len(z))[-1], point.tangent, point.jacobian)
        return self.correct(ahead, point.tangent, nearby=point.jacobian)


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """The equations near a regular point of a curve, without those that follow from the others.

    A quantity that the map conserves makes one of the residuals follow from the others; a family of orbits leaves
    directions free, in which nothing may change then.

    Attributes
    ----------
    left : (n - family, m) array
        Combinations of the residuals.
    family : (family, n + 1) array
        Directions of the family.
    z : (n + 1,) array
        The regular point.
    """

    left: FloatArray
    family: FloatArray
    z: FloatArray

    def residual(self, z: FloatArray, residual: FloatArray) -> FloatArray:
        """Return the reduced residuals, (n,)."""
        return np.concatenate([self.left @ residual, self.family @ (z - self.z)])

    def jacobian(self, jacobian: FloatArray) -> FloatArray:
        """Return the derivatives of the reduced residuals by z, (n, n + 1)."""
        return np.vstack([self.left @ jacobian, self.family])


def follow(
    curve: Curve, point: CurvePoint, length: float, shortest: float, longest: float
) -> Iterator[tuple[CurvePoint, float]]:
    """Follow a curve from a point with steps of these lengths.

    Yields
    ------
    point : CurvePoint
        The next point.
    length : float
        Length of the step after it.

    Raises
    ------
    CorrectionError
        If the shortest step leads to no point.
    """
    while True:
        try:
            there = curve.step(point, length)
            _refuse_other_duration(point, there)
        except CorrectionError:
            length *= 0.5
            if length < shortest:
                raise
            continue
        if there.tangent @ point.tangent < LEAST_COSINE_OF_BEND and length > 8.0 * shortest:
            length *= 0.5  # the curve bends too much to be sure that it is the same one
            continue
        point = there
        if there.corrections <= FEW_CORRECTIONS + 1:
            length = min(1.4 * length, longest)
        yield point, length


LEAST_COSINE_OF_BEND = 0.95
"""Cosine of the largest angle between the tangents at two neighbouring points."""

LARGEST_CHANGE_OF_DURATION = 0.25
"""Part by which the duration of neighbouring orbits differs at most."""


def _refuse_other_duration(here: CurvePoint, there: CurvePoint) -> None:
    """Raise a CorrectionError if strides take another time: they have missed the section once more, or once less."""
    durations = here.found.duration, there.found.duration
    if max(durations) - min(durations) > LARGEST_CHANGE_OF_DURATION * max(durations):
        raise CorrectionError("too far", f"a period takes {durations[1]:.6g} s instead of {durations[0]:.6g} s there")
