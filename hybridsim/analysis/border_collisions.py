"""What is born where the return map has a corner: the cycles of the piecewise-linear map on both sides of it.

At the corner z* = (v*, q*) the derivatives J- and J+ of the map on the two sides differ by a matrix c h' of rank one:
the map is continuous. The border is h' (z - z*) = 0. With y = v - v* and m = q - q* the map is

    y -> A- y + b- m  where h' (y, m) < 0,   A+ y + b+ m  elsewhere,

and all its cycles grow in proportion to m. A cycle with the word LR is on the side - first, then on the side +. It
exists for those m for which its points are on the sides that its word says. (M. di Bernardo, C. J. Budd,
A. R. Champneys, P. Kowalczyk: Piecewise-smooth Dynamical Systems, 2008, chapter 3.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.return_map import signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import FloatArray

ACROSS = 1e-6
"""Distance from the border, in the units of the curve, from which the derivatives there are extrapolated."""

LARGEST_SECOND_VALUE = 1e-3
"""Second singular value of the difference of the derivatives, relative to the first, that is the error of both."""

LONGEST_WORD = 8
"""Most periods of a cycle that is looked for."""

FIRST_DISTANCES = (1e-3, 1e-4, 1e-5, 1e-6)
"""Distances of the parameter from the corner, in its unit, at which a cycle is looked for, one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class BornCycle:
    """A cycle that begins at a corner.

    Attributes
    ----------
    word : str
        Its sides of the border, one for each period: "L" is the side of the curve, "R" the other one.
    side : int
        1 if it exists for larger values of the parameter, -1 for smaller ones.
    growth : float
        Size of its largest multiplier.
    direction : (n,) array
        Change of the free states for a unit of the parameter.
    corner : (n + 1,) array
        Where it begins.
    """

    word: str
    side: int
    growth: float
    direction: FloatArray
    corner: FloatArray

    def begin(self, curve: Curve) -> tuple[Curve, CurvePoint] | None:
        """Return the curve of the cycle, with its first point; None if none is found."""
        longer = curve.with_strides(len(self.word) * curve.strides)
        direction = self.side * np.append(self.direction, 1.0)
        for distance in FIRST_DISTANCES:
            guess = self.corner + distance * direction
            try:
                first = longer.correct(guess, self.side * np.eye(len(guess))[-1], direction)
            except CorrectionError:
                continue
            if np.linalg.norm(first.z - guess) < 0.5 * distance * np.linalg.norm(direction):
                return longer, first
        return None


def born_at(curve: Curve, point: CurvePoint) -> list[BornCycle]:
    """Return the cycles that begin at a corner just ahead of a point; none if there is more than one border there."""
    derivatives = _both_sides(curve, point)
    if derivatives is None or curve.family or len(curve.problem.fixed):
        return []
    here, there = derivatives
    _, values, right = np.linalg.svd(there - here)
    if len(values) > 1 and values[1] > LARGEST_SECOND_VALUE * values[0]:
        return []
    border = right[0] * np.sign(right[0] @ point.tangent)  # positive on the other side
    return [cycle for word in _words() if (cycle := _cycle(word, {"L": here, "R": there}, border, point.z)) is not None]


def describe(cycles: list[BornCycle], parameter: str, periods: int) -> str:
    """Return a sentence about what begins at a corner; "" if there is nothing to say."""
    sides = {cycle.word: cycle.side for cycle in cycles}
    if not {"L", "R"} <= {*sides}:
        return ""
    parts = ["the orbit goes on beyond it" if sides["L"] != sides["R"] else "two orbits meet and vanish there"]
    for side, word in ((1, "larger"), (-1, "smaller")):
        stable = [cycle for cycle in cycles if cycle.side == side and cycle.growth < 1.0]
        known = [cycle for cycle in stable if len(cycle.word) == 1]
        born = [cycle for cycle in cycles if cycle.side == side and len(cycle.word) > 1]
        for cycle in sorted(born, key=lambda cycle: cycle.growth)[:MOST_DESCRIBED]:
            kind = "a stable" if cycle.growth < 1.0 else "an unstable"
            parts.append(
                f"for {word} {parameter} {kind} cycle of {periods * len(cycle.word)} strides begins "
                f"({cycle.word}, largest multiplier {cycle.growth:.4g})"
            )
        if not stable and not known:
            parts.append(f"for {word} {parameter} no stable cycle of up to {LONGEST_WORD} periods begins")
    return "; ".join(parts)


MOST_DESCRIBED = 3
"""Most cycles of one side that a note names."""


def _both_sides(curve: Curve, point: CurvePoint) -> tuple[FloatArray, FloatArray] | None:
    """Return the derivatives of the map on both sides of the border, (n, n + 1) each."""
    n, others = len(point.z) - 1, []
    for multiple in (1.0, 2.0, 3.0):
        try:
            found, there = curve.evaluate(point.z + multiple * ACROSS * point.tangent)
        except StrideError:
            return None
        if signature(found) == signature(point.found):
            return None
        others.append(there.jacobian)
    beyond = 3.0 * others[0] - 3.0 * others[1] + others[2]
    identity = np.eye(n, n + 1)
    return point.jacobian[:n] + identity, beyond[:n] + identity


def _words() -> Iterator[str]:
    """Return the words that are no power of a shorter one, one of those that are the same but for where they begin."""
    for length in range(1, LONGEST_WORD + 1):
        for letters in product("LR", repeat=length):
            word = "".join(letters)
            turns = [word[i:] + word[:i] for i in range(length)]
            if word == min(turns) and turns.count(word) == 1:
                yield word


def _cycle(word: str, sides: dict[str, FloatArray], border: FloatArray, corner: FloatArray) -> BornCycle | None:
    """Return the cycle with a word; None if its points are not on the sides that the word says."""
    n = len(border) - 1
    matrix, shift = np.eye(n), np.zeros(n)
    for letter in word:
        step = sides[letter]
        matrix, shift = step[:, :n] @ matrix, step[:, :n] @ shift + step[:, n]
    try:
        begin = np.linalg.solve(np.eye(n) - matrix, shift)
    except np.linalg.LinAlgError:
        return None
    y, places = begin, []
    for letter in word:
        places.append(float(border @ np.append(y, 1.0)) * (1.0 if letter == "R" else -1.0))
        y = sides[letter][:, :n] @ y + sides[letter][:, n]
    if min(places) <= 0.0 <= max(places):
        return None
    growth = float(np.abs(np.linalg.eigvals(matrix)).max())
    return BornCycle(word, int(np.sign(places[0])), growth, np.asarray(begin), corner)
