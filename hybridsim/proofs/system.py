"""What all steps of a proof have in common: programs put on sets, series of solutions, and the search of a step."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from hybridsim.graph import Operations, Program
from hybridsim.proofs.balls import (
    SERIES,
    Ball,
    Disc,
    Matrix,
    ball,
    coefficients,
    common,
    integrated,
    middle,
    radius,
    series,
    times,
)
from hybridsim.proofs.chart_flow import Ensemble, Step
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.float_discs import sizes_of
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.refusals import TooWideError

GROWTH, SHRINKING = 1.1, 0.9
"""By how much the radius of convergence is tried larger than that of the step before, and smaller where it fails."""

MARGIN, SLACK = 1.04, 1.004
"""Discs larger by the first than rho |f| are tried, and taken if by the second: a checker rounds otherwise."""

MAX_TRIES, ITERATIONS, RINGS = 80, 5, 6
"""Radii of convergence that are tried, discs for each ring, and rings."""


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
    """

    def __init__(self, chain: Chain, accuracy: Accuracy, deviations: list[Ball]) -> None:
        self.chain, self.accuracy, self.deviations = chain, accuracy, deviations
        self._sizes: dict[Leg, Any] = {}
        self._prepared: dict[tuple[Program, int], list[Any]] = {}
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

    def series(self, leg: Leg, x: Sequence[Ball]) -> list[list[Ball]]:
        """Return the Taylor coefficients of the solutions from x, by Picard's iteration: each gives one more."""
        n, rows = len(x), [series([start], 1) for start in x]
        for length in range(1, self.accuracy.order):
            slopes = self.run(leg.field, rows, SERIES)[:n]
            rows = [integrated(start, slope, length) for start, slope in zip(x, slopes, strict=True)]
        return [coefficients(row, self.accuracy.order) for row in rows]

    def sharpened(self, box: Sequence[Ball], centre: Sequence[Ball], v: Matrix) -> list[Ball]:
        """Return what a box has in common with the states centre + V r."""
        near = times(v, self.deviations)
        return [common(a, c + d) for a, c, d in zip(box, centre, near, strict=True)]

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
        rho, why = float(guess) * GROWTH, "no disc about the states can be proven to contain the motion"
        for _ in range(MAX_TRIES):
            rings = self._rings(leg, x, rho)
            if rings is not None:
                try:
                    return Step(self, leg, start, ball(rho), [[ball(reach) for reach in ring] for ring in rings])
                except TooWideError as problem:  # what is watched, or a derivative, may be defined on smaller discs
                    why = str(problem)
            rho *= SHRINKING
        raise TooWideError(why)

    def _rings(self, leg: Leg, x: Sequence[tuple[float, float]], rho: float) -> list[list[float]] | None:
        """Return radii that seem to contain the motion, ring by ring, by floats; None if they grow without end."""
        if leg not in self._sizes:
            self._sizes[leg] = sizes_of(leg.field, self.chain.variables, self.chain.traced.values)
        sizes, inner, rings, part = self._sizes[leg], [0.0] * len(x), [], rho / RINGS
        try:
            slopes = sizes(x)[: len(x)]
            for _ in range(RINGS):
                for _ in range(ITERATIONS):
                    ring = [reach + part * slope * MARGIN for reach, slope in zip(inner, slopes, strict=True)]
                    slopes = sizes([(c, r + reach) for (c, r), reach in zip(x, ring, strict=True)])[: len(x)]
                    if all(part * s * SLACK <= reach - a for s, reach, a in zip(slopes, ring, inner, strict=True)):
                        break
                else:
                    return None
                rings.append(ring)
                inner = ring
        except (ArithmeticError, ValueError):
            return None
        return rings
