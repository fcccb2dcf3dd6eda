"""The flow of a leg from all states of a box, step by step, with its derivatives by the state where the period begins.

A step rests on one inequality. Let U be a box with the complex discs of radius R_i about it. If rho |f_i| <= R_i on U,
all solutions from the box are analytic for |t| < rho and stay in U, so that by Cauchy their Taylor coefficients are at
most R_i / rho^k, of any function g of them (sup_U |g - c|) / rho^k, and those of their derivatives V, as |V_ij|
<= (w_i / w_j) exp(L rho) with L = max_i sum_j sup_U |df_i/dx_j| w_j / w_i for any weights w, by that over rho^k. So
series of some length, with balls as coefficients, and a bound of what is left out hold for all of |t| < rho.

(Moore 1966; Nedialkov, Jackson and Corliss 1999; Zgliczynski 2002 for the derivatives.)
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from hybridsim.graph import Operations, Program
from hybridsim.proofs.balls import (
    DISCS,
    REALS,
    SERIES,
    Ball,
    Disc,
    Matrix,
    UndefinedError,
    ball,
    coefficients,
    common,
    identity,
    is_finite,
    matrix,
    middle,
    radius,
    series,
    times,
    upper,
)
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.refusals import TooWideError

GROWTH, SHRINKING = 1.25, 0.8
"""By how much the radius of convergence is tried larger than that of the step before, and smaller where it fails."""

MARGIN, SLACK = 1.02, 1.001
"""Discs larger by the first than rho |f| are tried, and taken if by the second: a checker rounds otherwise."""

MAX_TRIES, ITERATIONS = 60, 6
"""Radii of convergence that are tried, and discs for each."""


@dataclass(slots=True)
class Ensemble:
    """States at one time: x_centre + V r, and within x.

    Attributes
    ----------
    centre : list of Ball
        Where the flow has taken the centre of the box where the period begins.
    v : Matrix
        The derivatives by the coordinates of that box, for all of its states.
    x : list of Ball
        A box with all states.
    """

    centre: list[Ball]
    v: Matrix
    x: list[Ball]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How finely is calculated.

    Attributes
    ----------
    bits : int
        Bits of numbers.
    order : int
        Coefficients of series.
    tail : float
        What a step leaves out of a series, in the radii of the discs.
    """

    bits: int
    order: int
    tail: float

    @property
    def share(self) -> float:
        """The length of a step in radii of convergence."""
        return float(self.tail ** (1.0 / self.order))


class Step:
    """The solutions from all states of an ensemble for |t| < rho.

    Parameters
    ----------
    chain : Chain
        The expressions.
    leg : Leg
        The leg.
    start : Ensemble
        Where the step begins.
    accuracy : Accuracy
        The number of coefficients.
    rho : Ball
        The radius of convergence that is tried.
    discs : list of Ball
        The radii R of the discs.

    Raises
    ------
    TooWideError
        If the inequality does not hold.
    """

    def __init__(self, system: System, leg: Leg, start: Ensemble, rho: Ball, discs: list[Ball]) -> None:
        self.system, self.leg, self.start, self.rho, self.discs = system, leg, start, rho, discs
        self.order = system.accuracy.order
        self._prove_domain()
        self._x = system.series(leg, start.x)
        self._centre = system.series(leg, start.centre)
        along = [series(row, self.order) for row in self._x]
        self._v = self._first_variation(along)
        values = system.run(leg.watched, along, SERIES)[: len(leg.watches)]
        self._watched = [coefficients(value, self.order) for value in values]

    def _prove_domain(self) -> None:
        """Prove the inequality, and bound what is left out of each series, for t = rho."""
        leg, n = self.leg, len(self.start.x)
        region, run = [Disc(x, reach) for x, reach in zip(self.start.x, self.discs, strict=True)], self.system.run
        try:
            slopes, jacobian = run(leg.field, region, DISCS)[:n], run(leg.slopes, region, DISCS)
            watched = run(leg.watched, region, DISCS)
        except UndefinedError:
            raise TooWideError("the field is not defined on the discs about the states") from None
        if not all(self.rho * slope.size() <= reach for slope, reach in zip(slopes, self.discs, strict=True)):
            raise TooWideError("the states may leave their discs")
        least = min((reach for reach in self.discs if reach > 0), default=ball(1))
        weights = [reach if reach > 0 else least for reach in self.discs]
        sums = [
            sum((jacobian[n * i + j].size() * weights[j] for j in range(n)), ball(0)) / weights[i] for i in range(n)
        ]
        grown = upper((max(map(upper, sums)) * self.rho).exp())
        self._v_sizes = [[upper(grown * a / b) for b in weights] for a in weights]
        self._watched_sizes = [upper(z.r + radius(z.c)) for z in watched[: len(leg.watches)]]
        if not is_finite(grown, *self._watched_sizes):
            raise TooWideError("the field is not bounded on the discs about the states")

    def _first_variation(self, along: Sequence[Any]) -> list[Matrix]:
        """Return the series of V from V' = A V, V(0) = 1, with A along the solutions."""
        n, order = len(self.start.x), self.order
        entries = [coefficients(value, order) for value in self.system.run(self.leg.slopes, along, SERIES)]
        a = [matrix([[entries[n * i + j][k] for j in range(n)] for i in range(n)]) for k in range(order - 1)]
        v = [identity(n)]
        for k in range(order - 1):
            total = a[0] * v[k]
            for j in range(1, k + 1):
                total += a[j] * v[k - j]
            v.append(total / ball(k + 1))
        return v

    def _left_out(self, t: Ball) -> Ball:
        """Return what is left out of a series of size 1 up to t."""
        share = upper(t) / self.rho
        if not share < 1:
            raise TooWideError("a step is longer than its series converge")
        total = ball(1)
        for _ in range(self.order):
            total *= share
        return upper(total / (1 - share))

    def _left_out_of_slope(self, t: Ball) -> Ball:
        """Return what is left out of the slope of a series of size 1 up to t."""
        share, n = upper(t) / self.rho, self.order
        before = ball(1)
        for _ in range(n - 1):
            before *= share
        return upper(before * (n * (1 - share) + share) / ((1 - share) * (1 - share)) / self.rho)

    def centre(self, t: Ball) -> list[Ball]:
        """Return the state at t on the solution from the centre."""
        return self._at(self._centre, t)

    def box(self, t: Ball) -> list[Ball]:
        """Return a box with the states at t on all solutions."""
        return self._at(self._x, t)

    def _at(self, rows: Sequence[Sequence[Ball]], t: Ball) -> list[Ball]:
        left_out = self._left_out(t)
        return [_horner(row, t) + ball(0, reach * left_out) for row, reach in zip(rows, self.discs, strict=True)]

    def derivatives(self, t: Ball) -> Matrix:
        """Return the derivatives of the states at t by those where the period begins."""
        total, left_out = self._v[-1], self._left_out(t)
        for v in reversed(self._v[:-1]):
            total = total * t + v
        rest = matrix([[ball(0, size * left_out) for size in row] for row in self._v_sizes])
        return (total + rest) * self.start.v

    def ensemble(self, t: Ball) -> Ensemble:
        """Return the states at t; t may be a ball, as where solutions cross at different times."""
        centre, v = self.centre(t), self.derivatives(t)
        return Ensemble(centre, v, self.system.sharpened(self.box(t), centre, v))

    def value(self, index: int, t: Ball) -> Ball:
        """Return the values of what is watched for all t in a ball and all solutions."""
        row, at = self._watched[index], middle(t)
        rest = ball(0, self._watched_sizes[index] * self._left_out(t))
        return common(_horner(row, t), _horner(row, at) + _horner(_slope(row), t) * (t - at)) + rest

    def value_at(self, index: int, t: Ball) -> Ball:
        """Return the values of what is watched at one instant, an exact number, from the states then."""
        return common(self.value(index, t), self.system.run(self.leg.watched, self.ensemble(t).x, REALS)[index])

    def rate(self, index: int, t: Ball) -> Ball:
        """Return the slopes in time of what is watched for all t in a ball and all solutions."""
        rest = ball(0, self._watched_sizes[index] * self._left_out_of_slope(t))
        return _horner(_slope(self._watched[index]), t) + rest


def _horner(row: Sequence[Ball], t: Ball) -> Ball:
    total = row[-1]
    for coefficient in reversed(row[:-1]):
        total = total * t + coefficient
    return total


def _slope(row: Sequence[Ball]) -> list[Ball]:
    return [k * coefficient for k, coefficient in enumerate(row)][1:]


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
            rows = [
                series([start, *(a / k for k, a in enumerate(coefficients(slope, length), 1))], length + 1)
                for start, slope in zip(x, slopes, strict=True)
            ]
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
        n, rho = len(start.x), middle(guess * GROWTH)
        slopes = self.run(leg.field, start.x, REALS)[:n]
        if not is_finite(*slopes):
            raise TooWideError("the field is not defined on the states")
        first = list(map(upper, slopes))
        for _ in range(MAX_TRIES):
            discs = self._discs(leg, start, rho, first)
            if discs is not None:
                with suppress(TooWideError):  # what is watched, or a derivative, may be defined on smaller discs
                    return Step(self, leg, start, rho, discs)
            rho = middle(rho * SHRINKING)
        raise TooWideError("no disc about the states can be proven to contain the motion")

    def _discs(self, leg: Leg, start: Ensemble, rho: Ball, slopes: list[Ball]) -> list[Ball] | None:
        """Return radii R with rho |f| <= R, None if they grow without end."""
        for _ in range(ITERATIONS):
            discs = [upper(rho * slope * MARGIN) for slope in slopes]
            region = [Disc(x, reach) for x, reach in zip(start.x, discs, strict=True)]
            try:
                slopes = [z.size() for z in self.run(leg.field, region, DISCS)[: len(start.x)]]
            except UndefinedError:
                return None
            if not is_finite(*slopes):
                return None
            if all(rho * slope * SLACK <= reach for slope, reach in zip(slopes, discs, strict=True)):
                return discs
        return None
