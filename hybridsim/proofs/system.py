"""What all steps of a proof have in common: programs put on sets, series of solutions, and the search of a step."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from hybridsim.graph import Operations, Program
from hybridsim.proofs.balls import (
    PAIRS,
    SERIES,
    Ball,
    Disc,
    Matrix,
    ball,
    coefficients,
    common,
    matrix,
    middle,
    radius,
    series,
    times,
    upper,
)
from hybridsim.proofs.chart_flow import Ensemble, Step
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.float_discs import FUNCTIONS, sizes_of
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.refusals import TooWideError

DEVIATION = "w."
"""What the names of deviations from states begin with, where these are variables, too."""

GROWTH, SHRINKING = 1.1, 0.9
"""By how much the radius of convergence is tried larger than that of the step before, and smaller where it fails."""

MARGIN, SLACK = 1.04, 1.004
"""Discs larger by the first than rho |f| are tried, and taken if by the second: a checker rounds otherwise."""

EVEN = 1e-3
"""Least slope of a deviation in those of the largest one: bounds of derivatives are by ratios of radii of discs."""

MAX_TRIES, ITERATIONS, RINGS = 80, 5, 6
"""Radii of convergence that are tried, discs for each ring, and rings."""

FIRST_RING, AT_REST, NEARLY_ZERO = 0.2, 0.01, 0.1
"""The first ring: in the sizes of the last one, about, and of states that do not move in their own, or in this part of
the largest one's if they are smaller."""


class System:
    """What all steps of a proof have in common.

    Parameters
    ----------
    chain : Chain
        The legs.
    accuracy : Accuracy
        How finely is calculated.
    deviations : list of Ball
        The coordinates of the box where the period begins, about its centre.
    is_proven : bool
        Whether what series leave out is bounded, or neglected, for one state.
    """

    def __init__(self, chain: Chain, accuracy: Accuracy, deviations: list[Ball], is_proven: bool = True) -> None:
        self.chain, self.accuracy, self.deviations, self.is_proven = chain, accuracy, deviations, is_proven
        self._sizes: dict[Leg, Any] = {}
        self._prepared: dict[tuple[Program, int], list[Any]] = {}
        self._deviations = {i for i, name in enumerate(chain.variables) if name.startswith(DEVIATION)}
        self._constants = {name: ball(value) for name, value in chain.traced.values.items()}

    def inputs(self, x: Sequence[Any]) -> dict[str, Any]:
        """Return the arguments of programs, given the variables, as numbers of one kind."""
        constants: dict[str, Any] = dict(self._constants)
        if isinstance(x[0], Disc):
            constants = {name: Disc(value, ball(0)) for name, value in constants.items()}
        return constants | dict(zip(self.chain.variables, x, strict=True))

    def run(self, program: Program, x: Sequence[Any], operations: Operations) -> list[Any]:
        """Put the variables through a program; what depends on parameters alone is computed once."""
        inputs, key = self.inputs(x), (program, id(operations))
        if key not in self._prepared:
            self._prepared[key] = program.prepare(inputs, operations)
        return program(inputs, operations, self._prepared[key])

    def series(self, leg: Leg, x: Sequence[Ball], length: int) -> list[list[Ball]]:
        """Return the Taylor coefficients of the solutions from x, about twice as many each time.

        With d = x - x_k, which begins with t^k, the slopes are f(x_k) + A(x_k) d up to t^(2k - 1).
        """
        n, rows = len(x), [[start] for start in x]
        new: list[Matrix]
        for known, more in _doublings(length):
            along = [series(row, known + more) for row in rows]
            slopes = [coefficients(each, known + more) for each in self.run(leg.field, along, SERIES)[:n]]
            a = self.matrices(leg, [series(row, more) for row in rows], more - 1) if more > 1 else []
            new = []
            for j in range(known, known + more):
                total = matrix([[row[j - 1]] for row in slopes])
                for i in range(j - known):
                    total += a[i] * new[j - 1 - i - known]
                new.append(total / ball(j))
            for row, *found in zip(rows, *(each.entries() for each in new), strict=True):
                row.extend(found)
        return rows

    def matrices(self, leg: Leg, along: Sequence[Any], length: int) -> list[Matrix]:
        """Return the series of the field's derivatives along solutions."""
        n, entries = len(along), [coefficients(value, length) for value in self.run(leg.slopes, along, SERIES)]
        return [matrix([[entries[n * i + j][k] for j in range(n)] for i in range(n)]) for k in range(length)]

    def sharpened(self, box: Sequence[Ball], centre: Sequence[Ball], v: Matrix) -> list[Ball]:
        """Return what a box has in common with the states centre + V r."""
        near = times(v, self.deviations)
        found = [c + d for c, d in zip(centre, near, strict=True)]
        return [common(a, b) for a, b in zip(box, found, strict=True)] if self.is_proven else found

    def step(self, leg: Leg, start: Ensemble, guess: Ball) -> Step:
        """Make a step with about the largest radius of convergence that can be proven.

        Raises
        ------
        TooWideError
            If there is none.
        """
        x = [(float(middle(a)), float(radius(a))) for a in start.x]
        if not all(map(isfinite, [value for pair in x for value in pair])):
            raise TooWideError("the states are not bounded")
        if not self.is_proven:
            return Step(self, leg, start, ball(self._radius(leg, start)), [])
        rho, why = float(guess) * GROWTH, "no disc about the states can be proven to contain the motion"
        for _ in range(MAX_TRIES):
            rings = self._rings(leg, x, rho, rho / float(guess))
            if rings is not None:
                try:
                    return Step(self, leg, start, ball(rho), [[ball(reach) for reach in ring] for ring in rings])
                except TooWideError as problem:  # what is watched may be defined on smaller discs
                    why = str(problem)
            rho *= SHRINKING
        raise TooWideError(why)

    def _sizes_of(self, leg: Leg) -> Any:
        if leg not in self._sizes:
            self._sizes[leg] = sizes_of(leg.field, self.chain.variables)
        return self._sizes[leg]

    def sizes_on_discs(self, leg: Leg, x: Sequence[Ball], ring: Sequence[Ball]) -> list[Ball]:
        """Return bounds of the field on discs about states."""
        discs = [(middle(a), upper(radius(a) + reach)) for a, reach in zip(x, ring, strict=True)]
        sizes = self._sizes_of(leg)(discs, self._constants, PAIRS)
        return [upper(ball(size)) for size in sizes[: len(x)]]

    def _radius(self, leg: Leg, start: Ensemble) -> float:
        """Return about the radius of convergence of the solution from the centre."""
        found = [float(leg.event.duration)]
        for row in self.series(leg, start.centre, self.accuracy.order):
            sizes = [abs(float(middle(c))) for c in row]
            last = [(len(row) - k, sizes[-k]) for k in (1, 2) if sizes[-k]]
            found += [((sizes[0] + sizes[1] or 1.0) / size) ** (1.0 / k) for k, size in last]
        return min(found)

    def _rings(self, leg: Leg, x: Sequence[tuple[float, float]], rho: float, share: float) -> list[list[float]] | None:
        """Return radii that seem to contain the motion, ring by ring, by floats; None if they grow without end."""
        sizes, values = self._sizes_of(leg), self.chain.traced.values

        def slopes_on(ring: Sequence[float]) -> list[float]:
            found: list[float] = sizes(
                [(c, r + reach) for (c, r), reach in zip(x, ring, strict=True)], values, FUNCTIONS
            )
            slopes = found[: len(x)]
            least = EVEN * max((slopes[i] for i in self._deviations), default=0.0)
            return [max(slope, least) if i in self._deviations else slope for i, slope in enumerate(slopes)]

        part = rho / RINGS
        try:
            slopes = slopes_on([rho * slope for slope in slopes_on([0.0] * len(x))])
            least = NEARLY_ZERO * (max(abs(c) for c, _ in x) or 1.0)
            inner = [
                FIRST_RING * rho * slope or AT_REST * share * max(abs(c), least)
                for slope, (c, _) in zip(slopes, x, strict=True)
            ]
            rings, slopes = [inner], slopes_on(inner)
            for _ in range(RINGS):
                for _ in range(ITERATIONS):
                    ring = [reach + part * slope * MARGIN for reach, slope in zip(inner, slopes, strict=True)]
                    slopes = slopes_on(ring)
                    if all(part * s * SLACK <= reach - a for s, reach, a in zip(slopes, ring, inner, strict=True)):
                        break
                else:
                    return None
                rings.append(ring)
                inner = ring
        except (ArithmeticError, ValueError):
            return None
        return rings


def _doublings(length: int) -> list[tuple[int, int]]:
    """Return how many coefficients are known each time, and how many more are found, up to a length."""
    found: list[tuple[int, int]] = []
    while length > 1:
        known = (length + 1) // 2
        found.insert(0, (known, length - known))
        length = known
    return found
