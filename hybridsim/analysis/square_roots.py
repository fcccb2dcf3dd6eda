"""What is born where an impact is grazed: cycles with one impact in n periods.

Near the grazing z* = (v*, q*), with y = v - v*, m = q - q* and the depth H = h' y + k m, the return map is

    y -> A y + b m + c sqrt(H)  where H > 0,   A y + b m  elsewhere

(A. B. Nordmark 1991). Where one of n periods has an impact, s = sqrt(H) follows from

    s^2 = (h' (I - A)^-1 b + k) m + h' (I - A^n)^-1 A^(n-1) c s,

so near the grazing s, y and m grow in proportion. Such a cycle begins there if H < 0 in its other periods, and it is
unstable near by, as the root's slope is infinite. What attracts beyond depends on the largest multiplier of the orbit
without impacts, if it is real and positive (W. Chin, E. Ott, H. E. Nusse, C. Grebogi, Physical Review E 50, 1994).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.border_collisions import FIRST_DISTANCES
from hybridsim.analysis.corners import across_border, last_and_first
from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.newton import Equations, shortest_step
from hybridsim.analysis.return_map import Return, signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import FloatArray

INSIDE = 1e-5
"""Distance from the grazing, in the units of the curve, at which the coefficients c and h are measured."""

LARGEST_MISFIT = 0.05
"""Part of the roots in all directions that is not along c: more than that, and more than one impact is grazed."""

MOST_PERIODS = 8
"""Most periods of a cycle with one impact that is looked for."""

MAX_PUSHES = 50
"""Most corrections of the depth of a first impact."""

BESIDE = 1e-4
"""Distance from a grazing at which an orbit without the impact is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareRoot:
    """The map at a grazing: z*, the derivatives of its residuals without the root, c, and (h, k) of unit length."""

    z: FloatArray
    jacobian: FloatArray
    c: FloatArray
    h: FloatArray

    def first_order(self, periods: int) -> tuple[FloatArray, FloatArray] | None:
        """Return how (y, m) of the cycle with an impact in the first of n periods grow with s, and H in the others."""
        n = len(self.z) - 1
        a, b = self.jacobian[:, :n] + np.eye(n), self.jacobian[:, n]
        others = np.linalg.matrix_power(a, periods - 1)
        try:
            by_m, by_s = (
                np.linalg.solve(np.eye(n) - a, b),
                np.linalg.solve(np.eye(n) - others @ a, others @ self.c),
            )
        except np.linalg.LinAlgError:
            return None
        m = -(self.h[:n] @ by_s) / (self.h[:n] @ by_m + self.h[n])
        y = by_m * m + by_s
        direction, depths = np.append(y, m), []
        for period in range(periods - 1):
            y = a @ y + b * m + (self.c if period == 0 else 0.0)
            depths.append(float(self.h @ np.append(y, m)))
        return direction, np.array(depths)

    def place_with(self, curve: Curve, z: FloatArray, s: float) -> tuple[FloatArray, FloatArray]:
        """Return a place near z with the root s of the depth, and the direction in which the impact becomes deeper."""
        unit = self.c / (self.c @ self.c)
        z = z + s * s * self.h
        for _ in range(MAX_PUSHES):
            _, there = curve.evaluate(z)
            root = max(float(unit @ (there.residual - self.jacobian @ (z - self.z))), 0.0)
            if abs(root - s) < 0.1 * s:
                return z, np.asarray(unit @ (there.jacobian - self.jacobian))
            z = z + (s * s - root * root) * self.h
        raise CorrectionError("too far", "no impact is as shallow as it has to be")


@dataclass(frozen=True, slots=True, eq=False)
class GrazingCycle:
    """A cycle that begins at a grazing.

    Attributes
    ----------
    word : str
        Its sides of the border, one for each period: "L" is the side of the curve, "R" the other one.
    side : int
        1 if it exists for larger values of the parameter, -1 for smaller ones.
    direction : (n + 1,) array
        Change of the free states and the parameter with the root s of the depth; without impacts, of any length.
    has_impact : bool
        Whether its first period has an impact.
    root : SquareRoot
        The map there.
    """

    word: str
    side: int
    direction: FloatArray
    has_impact: bool
    root: SquareRoot

    def begin(self, curve: Curve) -> tuple[Curve, CurvePoint] | None:
        """Return the curve of the cycle, with its first point; None if none is found.

        With an impact, the first point is looked for in the plane in which the depth of the impact stays the same:
        there the map is smooth.
        """
        longer = curve.with_strides(len(self.word) * curve.strides)
        for distance in FIRST_DISTANCES:
            s = distance / float(np.linalg.norm(self.direction))
            guess, across = self.root.z + s * self.direction, self.direction
            try:
                if self.has_impact:
                    guess, across = self.root.place_with(curve, guess, s)
                first = longer.correct(guess, across / np.linalg.norm(across), self.direction)
            except (StrideError, CorrectionError):
                continue
            if np.linalg.norm(first.z - guess) < 0.5 * distance:
                return longer, first
        return None


def born_at_root(curve: Curve, before: CurvePoint, after: CurvePoint | None) -> list[GrazingCycle]:
    """Return the cycles that begin at a grazing between two points; none if more is grazed than one impact.

    Where there is no point after it, a curve ends.
    """
    if curve.family or len(curve.problem.fixed):
        return []
    quiet = _without_impact(curve, before, after)
    root = None if quiet is None else _measure(curve, quiet)
    if quiet is None or root is None:
        return []
    outside, inside = ("L", "R") if _count(quiet.found) == _count(before.found) else ("R", "L")
    away = -np.sign(root.h @ quiet.tangent) * quiet.tangent
    born = [GrazingCycle(outside, int(np.sign(away[-1])), away, False, root)]
    for periods in range(1, MOST_PERIODS + 1):
        grows = root.first_order(periods)
        if grows is not None and (grows[1] < 0.0).all():
            word = inside + (periods - 1) * outside
            born.append(GrazingCycle(word, int(np.sign(grows[0][-1])), grows[0], True, root))
    return born


def describe_root(cycles: Sequence[GrazingCycle], parameter: str, strides: int) -> str:
    """Return a sentence about what begins at a grazing; "" if there is nothing to say."""
    if not {"L", "R"} <= {cycle.word for cycle in cycles}:
        return ""
    quiet, (one, *longer) = cycles[0], cycles[1:]
    goes_on = quiet.side != one.side
    more, other = ("more", "an unstable one") if quiet.word == "L" else ("less", "one")
    parts = [
        f"the orbit goes on beyond it, with an impact {more}; with the impact it is unstable near by"
        if goes_on
        else f"the orbit and {other} with an impact {more} meet and vanish there"
    ]
    for side, word in ((1, "larger"), (-1, "smaller")):
        lengths = ", ".join(str(strides * len(cycle.word)) for cycle in longer if cycle.side == side)
        if lengths:
            parts.append(f"for {word} {parameter} cycles with this impact once in {lengths} strides begin, too")
    multipliers = np.linalg.eigvals(quiet.root.jacobian[:, :-1] + np.eye(len(quiet.root.z) - 1))
    largest = complex(multipliers[np.argmax(np.abs(multipliers))])
    if goes_on and len(longer) == MOST_PERIODS - 1 and largest.imag == 0.0 < largest.real < 1.0:
        beyond = next(words for limit, words in BEYOND if largest.real < limit)
        parts.append(f"with the multiplier {largest.real:.3g} of the orbit without it, {beyond}")
    return "; ".join(parts)


BEYOND = (
    (
        0.25,
        "stable cycles with ever more periods follow one another towards the grazing, without chaos (period adding)",
    ),
    (2.0 / 3.0, "stable cycles with ever more periods, and chaos between them, come towards the grazing"),
    (1.0, "chaos begins right at the grazing"),
)
"""Bounds of the largest multiplier, and what attracts beyond the grazing."""


def _without_impact(curve: Curve, before: CurvePoint, after: CurvePoint | None) -> CurvePoint | None:
    """Return the last orbit without the impact before a grazing, or the first one after it."""
    if after is not None:
        return min((before, after), key=lambda point: _count(point.found))
    across = across_border(curve, before)
    if across is None or _count(across[1]) > _count(before.found):
        return before
    step, _, there = across
    return _quiet_beside(curve, before, before.z + step + shortest_step(there), there)


def _quiet_beside(curve: Curve, point: CurvePoint, z: FloatArray, there: Equations) -> CurvePoint | None:
    """Return the last orbit without the impact, near the place where a curve of orbits with it ends."""
    tangent = curve.tangent(there, point.tangent)
    for sign in (1.0, -1.0):
        try:
            orbit = curve.correct(z + sign * BESIDE * tangent, tangent, -sign * tangent)
        except CorrectionError:
            continue
        if _count(orbit.found) < _count(point.found):
            return last_and_first(curve, orbit, dataclasses.replace(orbit, z=z - sign * BESIDE * tangent))[0]
    return None


def _count(found: Return) -> int:
    return sum(map(sum, signature(found)))


def _measure(curve: Curve, point: CurvePoint) -> SquareRoot | None:
    """Return the map at a grazing from what it has beyond its derivative in all directions."""
    n = len(point.z) - 1
    _, at = curve.evaluate(point.z)

    def beyond(step: FloatArray) -> FloatArray:
        _, there = curve.evaluate(point.z + step)
        return np.asarray((there.residual - at.residual - at.jacobian @ step) / np.sqrt(np.linalg.norm(step)))

    signs, roots = np.ones(n + 1), np.zeros((n + 1, n))
    try:
        for i, unit in enumerate(INSIDE * np.eye(n + 1)):
            both = [2.0 * beyond(sign * unit) - beyond(4.0 * sign * unit) for sign in (1.0, -1.0)]
            roots[i] = max(both, key=np.linalg.norm)
            signs[i] = 1.0 if roots[i] is both[0] or (roots[i] == both[0]).all() else -1.0
    except StrideError:
        return None
    largest = max(roots, key=np.linalg.norm)
    c = largest / np.linalg.norm(largest)
    along = roots @ c
    if np.linalg.norm(roots - np.outer(along, c)) > LARGEST_MISFIT * np.linalg.norm(roots):
        return None
    h = signs * along * np.abs(along)
    size = float(np.linalg.norm(h))
    return SquareRoot(point.z, at.jacobian, np.sqrt(size) * c, h / size)
