"""The flow of a leg from all states of a box, step by step, with its derivatives by the state where the period begins.

A step rests on one inequality for each of m rings. Let U_k be a box with the complex discs of radius R_k,i about it,
R_0 = 0. If (rho / m) |f_i| <= R_k,i - R_(k-1),i on U_k, all solutions from the box are analytic for |t| < rho and in
U_k for |t| <= rho k / m, as they get no further along any ray. With R = R_m and U = U_m, by Cauchy, their Taylor
coefficients are at most R_i / rho^k, of any function g of them (sup_U |g - c|) / rho^k, and those of their derivatives
V, as |V_ij| <= (w_i / w_j) exp(rho (L_1 + .. + L_m) / m) with L_k = max_i sum_j sup_U_k |df_i/dx_j| w_j / w_i for any
weights w, by that over rho^k. So series of some length, with balls as coefficients, and a bound of what is left out
hold for all of |t| < rho.

(Moore 1966; Nedialkov, Jackson and Corliss 1999; Zgliczynski 2002 for the derivatives.)
"""

from __future__ import annotations

import operator
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
    radius,
    rows_of,
    series,
    times,
    upper,
)
from hybridsim.proofs.legs import Leg
from hybridsim.proofs.refusals import TooWideError

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
    """

    centre: list[Ball]
    noise: list[Matrix]
    near: list[Ball]
    v: Matrix
    x: list[Ball]


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
        self.order, self.discs = system.accuracy.order, rings[-1]
        self.region = [hull(x, c) for x, c in zip(start.x, start.near, strict=True)]
        self._prove_domain()
        self._x = system.series(leg, self.region)
        self._point = system.series(leg, start.centre)
        self._along = [series(row, self.order) for row in self._x]
        self._v = self._first_variation(self._along)
        self._watched = self._series_of_watches(leg)

    def seen_by(self, leg: Leg) -> Step:
        """Return the same solutions with what another leg watches, which has the same field."""
        seen = copy(self)
        seen.leg, seen._watched_sizes, seen._watched = leg, self._sizes_of_watches(leg), self._series_of_watches(leg)
        return seen

    def _series_of_watches(self, leg: Leg) -> list[list[Ball]]:
        values = self.system.run(leg.watched, self._along, SERIES)[: len(leg.watches)]
        return [coefficients(value, self.order) for value in values]

    def _prove_domain(self) -> None:
        """Prove the inequality, and bound what is left out of each series, for t = rho."""
        n, before, total = len(self.region), [ball(0)] * len(self.region), ball(0)
        least = min((reach for reach in self.discs if reach > 0), default=ball(1))
        self._weights = weights = [reach if reach > 0 else least for reach in self.discs]
        for ring in self.rings:
            found, jacobian = self._on_ring(ring)
            rows = [[z.size() for z in jacobian[n * i : n * i + n]] for i in range(n)]
            slopes = [z.size() for z in found]
            for slope, reach, inner in zip(slopes, ring, before, strict=True):
                if not self.rho * slope <= len(self.rings) * (reach - inner):
                    raise TooWideError("the states may leave their discs")
            sums = [sum(map(operator.mul, row, weights), ball(0)) / w for row, w in zip(rows, weights, strict=True)]
            total, before = total + max(map(upper, sums)), ring
        grown = upper((total * self.rho / len(self.rings)).exp())
        moving = [ball(0) if slope == 0 else grown for slope in slopes]  # of states that do not change, nothing
        self._v_sizes = [[upper(size * a / b) for b in weights] for a, size in zip(weights, moving, strict=True)]
        self._watched_sizes = self._sizes_of_watches(self.leg)
        if not is_finite(grown):
            raise TooWideError("the field is not bounded on the discs about the states")

    def _on_ring(self, ring: list[Ball]) -> tuple[list[Disc], list[Disc]]:
        """Return the field and its derivatives on discs about the states."""
        region, run = [Disc(x, reach) for x, reach in zip(self.region, ring, strict=True)], self.system.run
        try:
            return run(self.leg.field, region, DISCS)[: len(ring)], run(self.leg.slopes, region, DISCS)
        except UndefinedError:
            raise TooWideError("the field is not defined on the discs about the states") from None

    def _sizes_of_watches(self, leg: Leg) -> list[Ball]:
        region = [Disc(x, reach) for x, reach in zip(self.region, self.discs, strict=True)]
        try:
            watched = self.system.run(leg.watched, region, DISCS)
        except UndefinedError:
            raise TooWideError("a boundary or a branch is not defined on the discs about the states") from None
        sizes = [upper(z.r + radius(z.c)) for z in watched[: len(leg.watches)]]
        if not is_finite(*sizes):
            raise TooWideError("a boundary or a branch is not bounded on the discs about the states")
        return sizes

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

    def point(self, t: Ball) -> list[Ball]:
        """Return the state at t on the solution from the centre without its noise."""
        return self._at(self._point, t)

    def centre(self, t: Ball) -> list[Ball]:
        """Return a box with the state at t on the solution from the centre."""
        return self._near(self.point(t), self.flow(t))

    def _near(self, point: Sequence[Ball], flow: Matrix) -> list[Ball]:
        away = [a - c for a, c in zip(self.start.near, self.start.centre, strict=True)]
        return [a + b for a, b in zip(point, times(flow, away), strict=True)]

    def box(self, t: Ball) -> list[Ball]:
        """Return a box with the states at t on all solutions."""
        return self._at(self._x, t)

    def _at(self, rows: Sequence[Sequence[Ball]], t: Ball) -> list[Ball]:
        left_out = self._left_out(t)
        return [_horner(row, t) + ball(0, reach * left_out) for row, reach in zip(rows, self.discs, strict=True)]

    def flow(self, t: Ball) -> Matrix:
        """Return the derivatives of the states at t by those at the beginning of the step."""
        total, left_out = self._v[-1], self._left_out(t)
        for v in reversed(self._v[:-1]):
            total = total * t + v
        rest = matrix([[ball(0, size * left_out) for size in row] for row in self._v_sizes])
        return total + rest

    def ensemble(self, t: Ball) -> Ensemble:
        """Return the states at t; t may be a ball, as where solutions cross at different times."""
        flow = self.flow(t)
        point, v = self.point(t), flow * self.start.v
        near = self._near(point, flow)
        return Ensemble(
            *with_noise(point, self.start.noise, flow), near, v, self.system.sharpened(self.box(t), near, v)
        )

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
