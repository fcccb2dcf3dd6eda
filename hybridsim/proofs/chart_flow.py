"""The flow of a leg from all states of a box, step by step, with its derivatives by the state where the period begins.

A step rests on one inequality for each of m rings. Let U_k be a box with the complex discs of radius R_k,i about it,
R_0,i > 0. If (rho / m) |f_i| <= R_k,i - R_(k-1),i on U_k, all solutions from U_0 are analytic in t and in the state
where they begin for |t| < rho, and in U_k for |t| <= rho k / m, as they get no further along any ray: not further than
D_i = R_m,i - R_0,i. So, by Cauchy in time and in the states, the Taylor coefficients from the box are at most
D_i / rho^k, those of the derivatives by state j D_i / (R_0,j rho^k), those of the second ones by j and l
D_i / (R_0,j R_0,l rho^k), twice that for j = l, and of any function g of the states (sup_U_m |g - c|) / rho^k. Series
of some length, with balls as coefficients, and a bound of what is left out thus hold for all of |t| < rho.

(Moore 1966; Nedialkov, Jackson and Corliss 1999; Zgliczynski 2002 for the derivatives.)
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    hull,
    identity,
    is_finite,
    matrix,
    middle,
    power,
    radius,
    rows_of,
    series,
    times,
    upper,
)
from hybridsim.proofs.legs import Leg
from hybridsim.proofs.refusals import TooWideError
from hybridsim.proofs.second_order import Second, bilinear, combined, series_of_second, sharper, symmetric

if TYPE_CHECKING:
    from hybridsim.proofs.system import System


@dataclass(slots=True)
class Ensemble:
    """States at one time: x_centre + V r, and within x.

    Attributes
    ----------
    centre : list of Ball
        Where the flow has taken the centre of the box where the period begins, about, exact numbers.
    noise : list of Matrix
        By how much it may be elsewhere: sums of the columns with factors from -1 to 1. What a step leaves out becomes
        new columns, which the flow then takes along; a box of it would grow with each step.
    near : list of Ball
        A box with the centre, not the smallest.
    v : Matrix
        The derivatives by the coordinates of that box, for all of its states.
    x : list of Ball
        A box with all states.
    v_near : Matrix, optional
        The derivatives at the centre of that box.
    second : list of Matrix, optional
        The second derivatives, for all of its states: one matrix for each state.
    """

    centre: list[Ball]
    noise: list[Matrix]
    near: list[Ball]
    v: Matrix
    x: list[Ball]
    v_near: Matrix = None
    second: Second | None = None


def around(centre: Sequence[Ball], noise: Sequence[Matrix]) -> list[Ball]:
    """Return a box with a point and its noise."""
    spreads = [ball(0)] * len(centre)
    for part in noise:
        spreads = [sum(map(upper, row), spread) for row, spread in zip(rows_of(part), spreads, strict=True)]
    return [ball(c, spread) for c, spread in zip(centre, spreads, strict=True)]


def with_noise(known: Sequence[Ball], before: Sequence[Matrix], by: Matrix) -> tuple[list[Ball], list[Matrix]]:
    """Return a point, exactly, and its noise: that of before taken along by a matrix, and what is not known of it."""
    n = len(known)
    own = matrix([[radius(a) if i == j else ball(0) for j in range(n)] for i, a in enumerate(known)])
    return [middle(a) for a in known], [*(by * part for part in before), own]


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
    rings : list of list of Ball
        The radii R_k of the discs, ring by ring.

    Raises
    ------
    TooWideError
        If the inequality does not hold.
    """

    def __init__(self, system: System, leg: Leg, start: Ensemble, rho: Ball, rings: list[list[Ball]]) -> None:
        self.system, self.leg, self.start, self.rho, self.rings = system, leg, start, rho, rings
        self.order, self.rough = system.accuracy.order, system.accuracy.of_sets
        self.region = [hull(x, c) for x, c in zip(start.x, start.near, strict=True)]
        self._prove_domain()
        self._x = system.series(leg, self.region, self.rough)
        self._point = system.series(leg, start.centre, self.order)
        self._along = [series(row, self.rough) for row in self._x]
        self._slopes, self._v = self._first_variation(self._along)
        self._watched = self._series_of_watches(leg) if system.is_proven else []
        if start.second is not None:
            near = system.series(leg, start.near, self.rough)
            self._v_near = self._first_variation([series(row, self.rough) for row in near])[1]
            self._second = self._second_variation()

    def seen_by(self, leg: Leg) -> Step:
        """Return the same solutions with what another leg watches, which has the same field."""
        seen = copy(self)
        seen.leg = leg
        if self.system.is_proven:
            seen._watched_sizes, seen._watched = self._sizes_of_watches(leg), self._series_of_watches(leg)
        return seen

    def _series_of_watches(self, leg: Leg) -> list[list[Ball]]:
        values = self.system.run(leg.watched, self._along, SERIES)[: len(leg.watches)]
        return [coefficients(value, self.rough) for value in values]

    def _prove_domain(self) -> None:
        """Prove the inequality, and bound the coefficients of each series, times rho^k."""
        if not self.system.is_proven:
            nothing = [ball(0)] * len(self.region)
            self._travels, self._v_sizes, self._watched_sizes = nothing, [nothing] * len(nothing), []
            return
        inner, *others = self.rings
        if not all(reach > 0 for reach in inner):
            raise TooWideError("a disc has no inside")
        for ring in others:
            for slope, reach, before in zip(self._on_ring(ring), ring, inner, strict=True):
                if not self.rho * slope <= len(others) * (reach - before):
                    raise TooWideError("the states may leave their discs")
            inner = ring
        self._travels = [upper(reach - first) for reach, first in zip(inner, self.rings[0], strict=True)]
        self._v_sizes = [[upper(by / reach) for reach in self.rings[0]] for by in self._travels]
        self._watched_sizes = self._sizes_of_watches(self.leg)

    def _on_ring(self, ring: list[Ball]) -> list[Ball]:
        """Return how large the field is on discs about the states."""
        try:
            return self.system.sizes_on_discs(self.leg, self.region, ring)
        except UndefinedError:
            raise TooWideError("the field is not defined on the discs about the states") from None

    def _sizes_of_watches(self, leg: Leg) -> list[Ball]:
        region = [Disc(x, reach) for x, reach in zip(self.region, self.rings[-1], strict=True)]
        try:
            watched = self.system.run(leg.watched, region, DISCS)
        except UndefinedError:
            raise TooWideError("a boundary or a branch is not defined on the discs about the states") from None
        sizes = [upper(z.r + radius(z.c)) for z in watched[: len(leg.watches)]]
        if not is_finite(*sizes):
            raise TooWideError("a boundary or a branch is not bounded on the discs about the states")
        return sizes

    def _first_variation(self, along: Sequence[Any]) -> tuple[list[Matrix], list[Matrix]]:
        """Return the series of A along solutions, and of V from V' = A V, V(0) = 1."""
        n, a = len(self.start.x), self.system.matrices(self.leg, along, self.rough - 1)
        v = [identity(n)]
        for k in range(self.rough - 1):
            total = a[0] * v[k]
            for j in range(1, k + 1):
                total += a[j] * v[k - j]
            v.append(total / ball(k + 1))
        return a, v

    def _second_variation(self) -> list[Second]:
        """Return the series of the second derivatives by the states at the beginning of the step."""
        n, length = len(self.start.x), self.system.accuracy.second - 1
        program = self.system.chain.bends(self.leg)[0]
        values = self.system.run(program, [series(row[:length], length) for row in self._x], SERIES)
        entries = [coefficients(value, length) for value in values]
        bends = [symmetric([entry[k] for entry in entries], n) for k in range(length)]
        return series_of_second(self._slopes, bends, self._v)

    def _left_out(self, t: Ball, length: int = 0) -> Ball:
        """Return what is left out of a series of size 1 up to t, of those of sets if no length is given."""
        share = upper(t) / self.rho
        if not share < 1:
            raise TooWideError("a step is longer than its series converge")
        return upper(power(share, length or self.rough) / (1 - share))

    def _left_out_of_slope(self, t: Ball) -> Ball:
        """Return what is left out of the slope of a series of size 1 up to t."""
        share, n = upper(t) / self.rho, self.rough
        before = power(share, n - 1)
        return upper(before * (n * (1 - share) + share) / ((1 - share) * (1 - share)) / self.rho)

    def point(self, t: Ball) -> list[Ball]:
        """Return the state at t on the solution from the centre without its noise."""
        return self._at(self._point, t, self.order)

    def centre(self, t: Ball) -> list[Ball]:
        """Return a box with the state at t on the solution from the centre."""
        return self._near(self.point(t), self.flow_near(t))

    def _near(self, point: Sequence[Ball], flow: Matrix) -> list[Ball]:
        away = [a - c for a, c in zip(self.start.near, self.start.centre, strict=True)]
        return [a + b for a, b in zip(point, times(flow, away), strict=True)]

    def box(self, t: Ball) -> list[Ball]:
        """Return a box with the states at t on all solutions."""
        return self._at(self._x, t, self.rough)

    def _at(self, rows: Sequence[Sequence[Ball]], t: Ball, length: int) -> list[Ball]:
        left_out = self._left_out(t, length)
        return [_horner(row, t) + ball(0, size * left_out) for row, size in zip(rows, self._travels, strict=True)]

    def flow(self, t: Ball) -> Matrix:
        """Return the derivatives of the states at t by those at the beginning of the step."""
        return self._flow(self._v, t)

    def flow_near(self, t: Ball) -> Matrix:
        """Return the same on the solution from the centre, and near it."""
        return self._flow(self._v if self.start.second is None else self._v_near, t)

    def _flow(self, series_of_flow: Sequence[Matrix], t: Ball) -> Matrix:
        left_out = self._left_out(t)
        rest = matrix([[ball(0, size * left_out) for size in row] for row in self._v_sizes])
        return _horner(series_of_flow, t) + rest

    def second(self, t: Ball) -> Second:
        """Return the second derivatives of the states at t by those at the beginning of the step."""
        left_out, first, found = self._left_out(t, self.system.accuracy.second), self.rings[0], []
        for i, by in enumerate(self._travels):
            rest = [
                [ball(0, by * left_out * (2 if j == k else 1) / (a * b)) for k, b in enumerate(first)]
                for j, a in enumerate(first)
            ]
            found.append(_horner([each[i] for each in self._second], t) + matrix(rest))
        return found

    def ensemble(self, t: Ball) -> Ensemble:
        """Return the states at t; t may be a ball, as where solutions cross at different times."""
        flow, there, point, start = self.flow(t), self.flow_near(t), self.point(t), self.start
        near, v, v_near, second = self._near(point, there), flow * start.v, None, None
        if start.second is not None:
            v_near = there * start.v_near
            bent = bilinear(self.second(t), start.v)
            second = [a + b for a, b in zip(combined(flow, start.second), bent, strict=True)]
            v = sharper(v, v_near, second, self.system.deviations)
        x = self.system.sharpened(self.box(t), near, v)
        return Ensemble(*with_noise(point, start.noise, there), near, v, x, v_near, second)

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


def _horner(row: Sequence[Any], t: Ball) -> Any:
    total = row[-1]
    for coefficient in reversed(row[:-1]):
        total = total * t + coefficient
    return total


def _slope(row: Sequence[Ball]) -> list[Ball]:
    return [k * coefficient for k, coefficient in enumerate(row)][1:]
