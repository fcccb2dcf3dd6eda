"""Orbits at a bifurcation, as two parameters vary: the equations of such a curve.

Beside the equations R of an orbit, a matrix M of the derivatives of the return map has lost a rank:

| kind | M |
|---|---|
| fold | A - 1, the derivatives of R by the states |
| branch | the same, and the derivatives by the first parameter |
| flip | A + 1 |
| torus | 2 A o A - 1, o the bialternate product: the product of two multipliers is 1 |

With borders w and u near its null vectors, g is zero there, and smooth:

    | M   w | | x |   | 0 |
    | u'  0 | | g | = | 1 |,   and the same with the transposed matrix for p;   dg = -p' dM x

As the Jacobian of a return map is exact, dM x comes from two more maps, a step along x to both sides (two such lines
for a torus). (W. Govaerts: Numerical Methods for Bifurcations of Dynamical Equilibria, 2000, sections 4.2 and 4.4;
Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, section 10.2.)
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.newton import Equations, is_finite, norm
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import FloatArray, IntArray

LINE_STEP = 1e-4
"""Step along a null vector, in sizes of the states: only the speed of Newton's method depends on it."""

SMALL_WEIGHT = 1e-9
"""Singular value of dg/dM, relative to the largest, below which a line changes nothing."""

OFF_CIRCLE = 1e-3
"""Distance of the critical multiplier, or product of two, from 1 or -1, at which A is too steep for g."""

LARGEST_GAP = 1e-7
"""Largest residual of an orbit where two curves cross: else they only come near."""


class BifurcationCurve(Curve):
    """Orbits at a bifurcation of one kind: z = (v, first parameter, second parameter).

    Parameters
    ----------
    problem : Problem
        What has to hold for an orbit.
    parameters : (str, str)
        The two parameters.
    sizes : (float, float)
        Their units.
    limits : ((float, float), (float, float))
        Their ranges: no point is outside.
    family : int
        Dimension of the families of orbits.
    kind : str
        "fold", "branch", "flip" or "torus".
    """

    def __init__(
        self,
        problem: Problem,
        parameters: tuple[str, str],
        sizes: tuple[float, float],
        limits: tuple[tuple[float, float], tuple[float, float]],
        family: int,
        kind: str,
    ) -> None:
        super().__init__(problem, parameters[1], sizes[1], family, limits[1])
        self.first = Curve(problem, parameters[0], sizes[0], family, limits[0])
        self.kind, self.n_tests = kind, 2 if kind == "branch" else 1
        self.border: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def values(self, z: FloatArray) -> tuple[float, float]:
        """Return the values of both parameters."""
        return self.first.value(z[:-1]), self.value(z)

    def set_values(self, z: FloatArray) -> None:
        """Give both parameters their values."""
        for curve, value in zip((self.first, self), self.values(z), strict=True):
            curve.set_value(value)

    def evaluate(self, z: FloatArray) -> tuple[Return, Equations]:
        """Make the strides at z; the residuals are those of an orbit and, with gradients of size 1, the functions g."""
        found, orbit = self.orbit_equations(z)
        if not is_finite(orbit):
            return found, orbit
        tests, gradients = self.tests(z, found, orbit.jacobian)
        self.set_values(z)
        scale = np.maximum(np.abs(gradients).max(axis=1), 1e-300)
        keep = np.eye(len(orbit.residual))
        if self.kind == "branch":  # what the other equations imply where curves cross
            assert self.border is not None
            gap = self.border[0].T @ self.border[1]
            keep -= np.outer(gap, gap)
        residual = np.concatenate([keep @ orbit.residual, tests / scale])
        return found, Equations(residual, np.vstack([keep @ orbit.jacobian, gradients / scale[:, None]]))

    def orbit_equations(self, z: FloatArray) -> tuple[Return, Equations]:
        """Make the strides at z; the residuals are those of an orbit."""
        self.set_values(z)
        found = self.problem.make_strides(z[:-2])
        by_v = self.problem.equations(found)
        columns = [curve.size * self.problem.by_parameter(found, curve.parameter) for curve in (self.first, self)]
        return found, Equations(by_v.residual, np.column_stack([by_v.jacobian, *columns]))

    def tests(self, z: FloatArray, found: Return, jacobian: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the functions g, (n_tests,), and their gradients by z."""
        tests, right, left = self._bordered(jacobian)
        return tests, np.array([self._gradient(z, found, self._weight(jacobian, x, left)) for x in right.T])

    def null_vectors(self, point: CurvePoint) -> tuple[FloatArray, FloatArray]:
        """Return the right and the left null vector of M at a point, of length 1; they are continuous along a curve.

        The left one is that of the equations of an orbit; for a torus, both are skew-symmetric matrices.
        """
        jacobian = point.jacobian[: -self.n_tests]
        _, right, left = self._bordered(jacobian)
        n = len(point.z) - 2
        if self.kind == "torus":
            return _skew(right[:, 0] / np.linalg.norm(right), n), _skew(left / np.linalg.norm(left), n)
        left = self._reduction(jacobian).T @ left
        return right[:n, 0] / np.linalg.norm(right), left / np.linalg.norm(left)

    def renew(self, point: CurvePoint) -> None:
        """Take the null vectors at a point as borders from now on."""
        jacobian = point.jacobian[: -self.n_tests]
        _, right, left = self._bordered(jacobian)
        left = self._reduction(jacobian).T @ left
        self.border = None
        reduction = self._reduction(jacobian)
        turned, _, back = np.linalg.svd(right, full_matrices=False)
        left = reduction @ left
        self.border = reduction, left / np.linalg.norm(left), turned @ back

    def step(self, point: CurvePoint, length: float) -> CurvePoint:
        """Return the point of the curve this far along the tangent, or the one at the first limit on the way."""
        ahead = point.z + length * point.tangent
        leaves = self._leaving(point.z, ahead)
        if leaves is None:
            there = self.correct(ahead, point.tangent)
            leaves = self._leaving(point.z, there.z)
            if leaves is None:
                return there
        across, z = leaves
        there = self.correct(z, across, point.tangent)
        if self._leaving(point.z, there.z) is not None:
            raise CorrectionError("too far", "the end of both ranges is near")
        return there

    def _leaving(self, begin: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the first limit between two places: the direction across it, and the place; None if there is none."""
        limits = []
        for index, curve, value in zip((-2, -1), (self.first, self), self.values(end), strict=True):
            low, high = curve.limits
            if not low <= value <= high:
                limit = (low if value < low else high) / curve.size
                share = (limit - begin[index]) / (end[index] - begin[index])
                place = begin + share * (end - begin)
                place[index] = limit
                limits.append((share, np.eye(len(end))[index], place))
        return min(limits, key=lambda each: each[0])[1:] if limits else None

    def _point(
        self, z: FloatArray, tangent: FloatArray, found: Return, here: Equations, corrections: int
    ) -> CurvePoint:
        if norm(self.problem.equations(found).residual) > LARGEST_GAP:
            raise CorrectionError("too far", "the two curves of orbits do not meet there")
        point = super()._point(z, tangent, found, here, corrections)
        critical = [a * b for a, b in combinations(point.multipliers, 2)] if self.kind == "torus" else point.multipliers
        distances = np.abs(np.array(critical) - (-1.0 if self.kind == "flip" else 1.0))
        if distances.min() > OFF_CIRCLE:
            raise CorrectionError("too far", f"the multipliers there are not those of a {self.kind}")
        return point

    def _matrix(self, jacobian: FloatArray) -> FloatArray:
        """Return M."""
        n = jacobian.shape[1] - 2
        if self.kind == "torus":
            return bialternate(jacobian[:n, :n] + np.eye(n)) - np.eye(n * (n - 1) // 2)
        if self.kind == "flip":
            return np.asarray(jacobian[:n, :n] + 2.0 * np.eye(n))
        return np.asarray(self._reduction(jacobian) @ jacobian[:, : n + self.n_tests - 1])

    def _reduction(self, jacobian: FloatArray) -> FloatArray:
        """Return combinations of the residuals that are as many as the rows of M; the same until borders are renewed.

        A quantity that the map conserves makes one of the residuals follow from the others.
        """
        if self.border is not None:
            return self.border[0]
        m, n = len(jacobian), jacobian.shape[1] - 2
        if self.kind == "torus":
            return np.eye(n * (n - 1) // 2)
        return np.eye(n, m) if self.kind == "flip" or m == n else np.linalg.svd(jacobian)[0][:, :n].T

    def _bordered(self, jacobian: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the functions g, (n_tests,), and the vectors x, (n, n_tests), and p."""
        matrix = self._matrix(jacobian)
        rows, columns = matrix.shape
        if self.border is None:
            left, _, right = np.linalg.svd(matrix)
            self.border = self._reduction(jacobian), left[:, -1], right[rows - 1 :].T
        _, w, u = self.border
        whole = np.block([[matrix, w[:, None]], [u.T, np.zeros((self.n_tests, 1))]])
        unit = np.eye(columns + 1)
        solved, left = np.linalg.solve(whole, unit[:, rows:]), np.linalg.solve(whole.T, unit[:, -1])
        return solved[-1], solved[:-1], left[:rows]

    def _weight(self, jacobian: FloatArray, x: FloatArray, p: FloatArray) -> FloatArray:
        """Return the matrix W with dg = -sum of W * dJ, J the derivatives of the residuals."""
        n = jacobian.shape[1] - 2
        if self.kind == "torus":
            return np.asarray(_skew(p, n) @ (jacobian[:n, :n] + np.eye(n)) @ _skew(x, n).T)
        return np.outer(self._reduction(jacobian).T @ p, x)

    def _gradient(self, z: FloatArray, found: Return, weight: FloatArray) -> FloatArray:
        """Return the gradient of g: along each line, the second derivatives of the map are those of its Jacobian."""
        left, sizes, lines = np.linalg.svd(weight)
        gradient = np.zeros(len(z))
        for i in np.flatnonzero(sizes > SMALL_WEIGHT * sizes[0]):
            slope = self._slope_along(z, found, np.pad(lines[i], (0, len(z) - len(lines[i]))))
            gradient -= sizes[i] * left[:, i] @ slope[: len(left)]
        return gradient

    def _slope_along(self, z: FloatArray, found: Return, line: FloatArray) -> FloatArray:
        """Return the derivative of the Jacobian along a line; from one side where the events are others beyond."""
        ends = []
        for step in (LINE_STEP, -LINE_STEP):
            try:
                there, here = self.orbit_equations(z + step * line)
            except StrideError:
                continue
            if signature(there) == signature(found):
                ends.append((step, here.jacobian))
        if not ends:
            raise StrideError("the events of a stride change too near to it")
        if len(ends) == 1:
            ends.append((0.0, self.orbit_equations(z)[1].jacobian))
        (first, at_first), (second, at_second) = ends
        return np.asarray((at_first - at_second) / (first - second))


def bialternate(matrix: FloatArray) -> FloatArray:
    """Return the bialternate product 2 A o A: its eigenvalues are the products of two of A's, (n (n - 1) / 2,) each."""
    i, j = _pairs(len(matrix))
    return np.asarray(matrix[np.ix_(i, i)] * matrix[np.ix_(j, j)] - matrix[np.ix_(i, j)] * matrix[np.ix_(j, i)])


def _skew(vector: FloatArray, n: int) -> FloatArray:
    """Return the skew-symmetric matrix with these entries above the diagonal."""
    matrix, (i, j) = np.zeros((n, n)), _pairs(n)
    matrix[i, j], matrix[j, i] = vector, -vector
    return matrix


def _pairs(n: int) -> IntArray:
    """Return the indices of all pairs, (2, n (n - 1) / 2)."""
    return np.array([*combinations(range(n), 2)], np.int64).reshape(-1, 2).T
