"""A period doubling or a fold as a theorem: Krawczyk's operator for state, parameter and eigenvector together.

The unknowns are a state x, the parameter p and a vector v of which one entry is 1, the equations, with the multiplier
mu = -1 or 1,

    P(x, p) - x = 0,    DP(x, p) v - mu v = 0.

Both come from one map, that of the states with deviations (`tangent`). Krawczyk's operator shows that the matrix of
derivatives is regular. At a flip, the multiplier mu(p) that is -1 there has then mu' != 0 if it is simple: along the
orbits x(p), with their eigenvectors v(p), the derivatives (x', 1, v') would solve the linear equations if mu' were 0.
At a fold, P_p is then not in the range of DP - 1, and the second derivative of P in the direction of v is not, either:
the curve of orbits has a tangent without a part along p, and turns round (Y. A. Kuznetsov: Elements of Applied
Bifurcation Theory, 2004, section 10.3).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.proofs import balls, certificate, multipliers
from hybridsim.proofs.api import (
    COARSE,
    NEAR,
    accuracy_of,
    chain_of,
    record_of,
    words_of,
)
from hybridsim.proofs.balls import Ball, Matrix, ball, identity, matrix, middle, radius, rows_of, times, upper
from hybridsim.proofs.bifurcation_theorem import BifurcationTheorem
from hybridsim.proofs.enclosure import Accuracy, Enclosure, below
from hybridsim.proofs.krawczyk import contains_one, floats
from hybridsim.proofs.refusals import NotProvenError, TooWideError
from hybridsim.proofs.shooting import Box, Period, period
from hybridsim.proofs.system import DEVIATION
from hybridsim.proofs.tangent import with_deviations

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

FORMAT = "hybridsim bifurcation proof 1"
"""What a certificate begins with."""

LARGEST, SMALLEST, FACTOR = 1e-4, 1e-10, 0.3
"""Reaches of boxes that are tried, in the sizes of the states, and by which steps."""

OF_VECTOR, WIDER = 100.0, 1.3
"""The size of an entry of the eigenvector at first, as equations are linear in them; then by how much it is larger than
how far the eigenvectors of the box reach.
"""

CORRECTIONS, ENLARGEMENTS = 2, 4
"""Corrections of the centre by Newton's method, and boxes that are tried about it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A box in which there is one solution.

    Attributes
    ----------
    box : Box
        The box.
    found : Period
        Its period.
    image : list of Ball
        Where the solution is, about the centre.
    inverse : Matrix
        A matrix near the inverse of the derivatives.
    accuracy : Accuracy
        How finely was calculated.
    """

    box: Box
    found: Period
    image: list[Ball]
    inverse: Matrix
    accuracy: Accuracy


class Critical:
    """The equations of an orbit with a multiplier of -1 or 1, near a computed one."""

    def __init__(self, orbit: Orbit, parameter: str, multiplier: int) -> None:
        self.orbit, self.parameter, self.multiplier = orbit, parameter, multiplier
        self.single = chain_of(orbit, parameter)
        self.chain = with_deviations(self.single)
        variables = self.chain.variables
        self.x = tuple(variables.index(name) for name in orbit.free)
        self.w = tuple(variables.index(f"{DEVIATION}{name}") for name in orbit.free)
        self.p = variables.index(f"p.{parameter}")
        vector = self._vector()
        self.vector_rows: dict[str, Any] = {}
        self.one = int(np.argmax(np.abs(vector)))
        self.free = (*self.x, self.p, *(i for k, i in enumerate(self.w) if k != self.one))
        start = dict(zip(orbit.model.states.names, map(float, orbit.found.x0), strict=True))
        start[f"p.{parameter}"] = float(orbit.parameters[parameter])
        start |= {variables[i]: float(v) for i, v in zip(self.w, vector / vector[self.one], strict=True)}
        self.centre = [ball(start.get(name, 0.0)) for name in variables]
        rows = np.concatenate([stride.rows.x for stride in orbit.found.strides])
        sizes = [float(np.abs(rows[:, orbit.model.states.index(name)]).max()) for name in orbit.free]
        value = abs(start[f"p.{parameter}"]) or 1.0
        self.sizes = [*sizes, value, *[OF_VECTOR] * (len(self.x) - 1)]

    def _vector(self) -> Any:
        """Return the eigenvector of the multiplier of the computed orbit."""
        indices = self.orbit.free_states.free
        values, vectors = np.linalg.eig(self.orbit.found.by_state[np.ix_(indices, indices)])
        k = int(np.argmin(np.abs(values - self.multiplier)))
        if not abs(values[k] - self.multiplier) < NEAR:
            raise NotProvenError(f"no multiplier is near to {self.multiplier}: the nearest is {values[k]:.6g}")
        return vectors[:, k].real

    def equations(self, box: Box, found: Period) -> tuple[list[Ball], Matrix]:
        """Return by how much the centre misses the equations, and the derivatives of these by the unknowns."""
        rows, values, slopes = rows_of(found.end.v), [], []
        for indices, sign in ((self.x, -1), (self.w, -self.multiplier)):
            for i in indices:
                values.append(found.end.near[i] + sign * box.x[i])
                slopes.append([rows[i][j] + (sign if unknown == i else 0) for j, unknown in enumerate(self.free)])
        return values, matrix(slopes)

    def image(self, box: Box, found: Period, inverse: Matrix) -> list[Ball]:
        """Return K as deviations from the centre."""
        values, slopes = self.equations(box, found)
        left = identity(len(self.free)) - inverse * slopes
        return [a - b for a, b in zip(times(left, box.deviations), times(inverse, values), strict=True)]

    def corrected(
        self, accuracy: Accuracy, centre: Sequence[Ball], corrections: int = CORRECTIONS
    ) -> tuple[Box, Matrix]:
        """Return the point at the solution, about, and a matrix near the inverse of the derivatives there."""
        box = Box(list(centre), self.free, [ball(0)] * len(self.free), [])
        for _ in range(corrections):
            values, slopes = self.equations(box, period(self.chain, box, accuracy))
            a = floats(slopes)
            if not np.isfinite(a).all() or np.linalg.cond(a) > 1e14:
                raise NotProvenError("the equations are singular: the bifurcation is degenerate, or there is none")
            inverse = matrix(np.linalg.inv(a).tolist())
            for i, by in zip(self.free, times(inverse, values), strict=True):
                box.x[i] = middle(box.x[i] - by)
        return box, inverse

    def unique(self) -> Found:
        """Return a box as large as is found, in which there is one solution."""
        with balls.working(COARSE.bits, COARSE.order):
            try:
                box, inverse = self.corrected(COARSE, self.centre)
            except TooWideError as problem:
                raise NotProvenError(str(problem)) from None
            reach, why, m = LARGEST, "", len(self.x)
            while reach > SMALLEST:
                tried = dataclasses.replace(box, reach=[ball(reach * size) for size in self.sizes])
                try:
                    found = period(self.chain, tried, COARSE)
                    image = self.image(tried, found, inverse)
                    away, is_one = self.vectors_reach(tried, found), contains_one(tried, image)
                    if is_one and all(away < side for side in tried.reach[m + 1 :]):
                        return Found(tried, found, image, inverse, COARSE)
                    why = "K is larger than the box" if not is_one else "it may not have all eigenvectors"
                    if away.is_finite():
                        self.sizes[m + 1 :] = [WIDER * float(away) / reach] * (m - 1)
                except TooWideError as problem:
                    why = str(problem)
                reach *= FACTOR
        raise NotProvenError(f"no box is proven to contain one bifurcation: {why}")

    def vectors_reach(self, box: Box, found: Period) -> Ball:
        """Return how far eigenvectors of mu of all DP of a box, scaled so that one entry is 1, are from its centre.

        With A the columns of DP - mu without that of this entry, B near an inverse of A without a row, and v_c the
        vector of the centre, v = v_c + e has A e = -(DP - mu) v_c, so that |e| <= |B (DP - mu) v_c| / (1 - |1 - B A|).
        """
        m, (values, by_unknown) = len(self.x), self.equations(box, found)
        rows = [
            [a - (self.multiplier if i == j else 0) for j, a in enumerate(row)]
            for i, row in enumerate(self.slopes(found))
        ]
        of_states = [row[: m + 1] for row in rows_of(by_unknown)[m:]]
        moved = times(matrix(of_states), box.deviations[: m + 1])
        misses = [a + b for a, b in zip(values[m:], moved, strict=True)]
        others = [k for k in range(m) if k != self.one]
        if not others:
            self.vector_rows = {"left out": 0, "inverse": []}
            return ball(0)
        for left_out in range(m):
            kept = [i for i in range(m) if i != left_out]
            a = matrix([[rows[i][k] for k in others] for i in kept])
            if np.linalg.cond(floats(a)) > 1e10:
                continue
            near = matrix(np.linalg.inv(floats(a)).tolist())
            error = max(sum(map(upper, row), ball(0)) for row in rows_of(identity(m - 1) - near * a))
            if not error < 1:
                continue
            self.vector_rows = {
                "left out": left_out,
                "inverse": [[float(x).hex() for x in row] for row in rows_of(near)],
            }
            return max(map(upper, times(near, [misses[i] for i in kept]))) / (1 - error)
        return ball(0, float("inf"))

    def slopes(self, found: Period) -> list[list[Ball]]:
        """Return DP."""
        rows, m = rows_of(found.end.v), len(self.x)
        return [[rows[i][j] for j in range(m)] for i in self.x]

    def sharp(self, large: Found, digits: int) -> Found:
        """Return a small box about the solution, within the large one."""
        accuracy = accuracy_of(digits)
        with balls.working(accuracy.bits, accuracy.order):
            try:
                box, inverse = self.corrected(accuracy, large.box.x, 1)
                reach = [ball(0)] * len(self.free)
                for _ in range(ENLARGEMENTS):
                    tried = dataclasses.replace(box, reach=reach)
                    found = period(self.chain, tried, accuracy)
                    image = self.image(tried, found, inverse)
                    known = all(radius(k) <= size * 10.0**-digits for k, size in zip(image, self.sizes, strict=True))
                    if known and contains_one(tried, image) and _within(tried, large.box):
                        return Found(tried, found, image, inverse, accuracy)
                    reach = [
                        middle(upper(k) * 4 + size * 10.0 ** -(digits + 4))
                        for k, size in zip(image, self.sizes, strict=True)
                    ]
            except TooWideError as problem:
                raise NotProvenError(str(problem)) from None
        raise NotProvenError("the bifurcation is not known to the digits asked for; give fewer --digits")

    def theorem(self, digits: int) -> BifurcationTheorem:
        """Prove it."""
        large = self.unique()
        small = self.sharp(large, digits)
        with balls.working(small.accuracy.bits, small.accuracy.order):
            at = [small.box.x[i] + by for i, by in zip(self.free, small.image, strict=True)]
            discs, vectors = multipliers.multiplier_discs(matrix(self.slopes(small.found)))
            record = {**record_of(self.orbit, self.single, self.parameter, ()), "format": FORMAT}
            record |= {
                "multiplier": self.multiplier,
                "one": self.one,
                "free states": list(self.x),
                "vector rows": self.vector_rows,
            }
            for name, each in (("unique", large), ("sharp", small)):
                record[name] = certificate.pass_of(each.box, each.found, each.inverse, each.accuracy)
            period_of = Enclosure(*balls.ends(small.found.moments[-1]))
        critical, others = _without(discs, self.multiplier)
        counts, m, ends = multipliers.count(others), len(self.x), [Enclosure(*balls.ends(value)) for value in at]
        record |= certificate.claims(vectors, discs, counts, period_of)
        record["claims"]["value"] = certificate.wider(ends[m])
        sides = [_side(large.box.x[i], reach) for i, reach in zip(self.free, large.box.reach, strict=True)]
        words = words_of(self.orbit, self.single)
        del words["fixed"], words["parameters"][self.parameter]
        return BifurcationTheorem(
            **words,
            parameter=self.parameter,
            value=ends[m],
            within=sides[m],
            unique_in=dict(zip(self.orbit.free, sides, strict=False)),
            box=dict(zip(self.orbit.free, ends, strict=False)),
            period=period_of,
            multiplier=self.multiplier,
            disc=critical,
            others=tuple(others),
            inside=counts[0],
            outside=counts[1],
            undecided=counts[2],
            certificate=record,
        )


def _side(centre: Ball, reach: Ball) -> tuple[float, float]:
    """Return the middle and the reach of a side as floats; these give an interval within it."""
    (at, _), (by, _) = balls.ends(centre), balls.ends(reach)
    return float(at), below(by - abs(at - Fraction(float(at))))


def _without(discs: Sequence[Any], multiplier: int) -> tuple[Any, list[Any]]:
    """Return the disc of a multiplier, which has to be apart from all others, and the others."""
    there = [disc for disc in discs if abs(disc.centre - multiplier) <= disc.radius * (1.0 + 1e-14)]
    others = [disc for disc in discs if disc not in there]
    if len(there) != 1 or any(not multipliers.apart(there[0], disc) for disc in others):
        raise NotProvenError(f"the multiplier {multiplier} is not apart from others")
    return there[0], others


def _within(small: Box, large: Box) -> bool:
    return all(
        upper(small.x[i] - large.x[i]) + reach < outer
        for i, reach, outer in zip(small.free, small.reach, large.reach, strict=True)
    )
