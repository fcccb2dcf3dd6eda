"""One step of all states of a box, checked: the inequality that it rests on, its series, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hybridsim.proofs.check_numbers import Ball, Disc, RefusedError, between, dot, exp, one
from hybridsim.proofs.check_programs import Expressions, Tape, Taylor, horner, slope_of

if TYPE_CHECKING:
    from hybridsim.proofs.check_period import PassCheck

Matrix = list[list[Ball]]
POSITIVE, NEGATIVE, RISING = "positive", "negative", "rising"


def require(holds: bool, text: str) -> None:
    """Refuse a certificate if an inequality does not hold."""
    if not holds:
        raise RefusedError(text)


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return the product of two matrices."""
    columns = list(zip(*b, strict=True))
    return [[dot(row, column) for column in columns] for row in a]


def applied(a: Matrix, v: Sequence[Ball]) -> list[Ball]:
    """Return a matrix times a vector."""
    return [dot(row, v) for row in a]


def numbers(given: Sequence[Sequence[int]]) -> list[Ball]:
    """Return the numbers of a list [mantissa, exponent]."""
    return [Ball.of(*pair) for pair in given]


class Leg:
    """A leg: its programs, and their derivatives, which the checker makes itself."""

    def __init__(self, made: Expressions, record: Mapping[str, Any], variables: Sequence[str]) -> None:
        self.record, self.watches, n = record, record["watches"], len(variables)
        known: dict[tuple[int, str], int] = {}
        read = {name: made.read(record[name], {}) for name in ("field", "watched", "reset", "conditions", "constants")}
        self.all_of_field = read["field"]
        self.field_nodes, self.watched_nodes = read["field"][:n], read["watched"][: len(self.watches)]
        self.reset_nodes, self.condition_nodes = read["reset"][:n], read["conditions"]

        def slopes(nodes: Sequence[int]) -> Tape:
            return made.program([made.slope(a, v, known) for a in nodes for v in variables])

        self.slope_nodes = {
            name: [[made.slope(a, v, known) for v in variables] for a in nodes]
            for name, nodes in (
                ("field", self.field_nodes),
                ("watched", self.watched_nodes),
                ("conditions", self.condition_nodes),
                ("reset", self.reset_nodes),
            )
        }
        self.field, self.watched, self.reset = (made.program(read[name]) for name in ("field", "watched", "reset"))
        self.conditions, self.constants = (made.program(read[name]) for name in ("conditions", "constants"))
        self.jacobian, self.gradients = slopes(self.field_nodes), slopes(self.watched_nodes)
        self.reset_slopes = slopes(self.reset_nodes)


@dataclass(slots=True)
class States:
    """All states at one time: centre + V r, and within x."""

    centre: list[Ball]
    v: Matrix
    x: list[Ball]


class Step:
    """One step: the inequality that it rests on, its series, and bounds of what these leave out."""

    def __init__(self, check: PassCheck, leg: Leg, start: States, record: Mapping[str, Any]) -> None:
        self.check, self.leg, self.start, self.order = check, leg, start, check.order
        self.rho, self.rings = Ball.of(*record["rho"]), [numbers(ring) for ring in record["rings"]]
        self.discs = self.rings[-1]
        self._domain()
        self.rows, self.centre_rows = check.series(leg, start.x), check.series(leg, start.centre)
        self.inputs = check.inputs(self.rows, [[value] for value in check.constants.values()])
        self._variation(self.inputs)
        self._see(leg)

    def _see(self, leg: Leg) -> None:
        """Make the series of what a leg watches, and bounds of what they leave out."""
        check, taylor = self.check, Taylor(leg.watched, self.inputs)
        region = check.on_discs([Disc(x, reach) for x, reach in zip(self.start.x, self.discs, strict=True)])
        self.leg, n = leg, len(leg.watches)
        self.watched_sizes = [(z.r + Ball(z.c.r)).size() for z in leg.watched.on_discs(region)[:n]]
        orders = [taylor.extend() for _ in range(self.order)]
        self.watched = [[each[k] for each in orders] for k in range(n)]

    def seen_by(self, leg: Leg) -> Step:
        """Return the same solutions with what another leg watches, which has the same field."""
        seen = copy(self)
        seen._see(leg)
        return seen

    def _domain(self) -> None:
        leg, n, check, count = self.leg, len(self.start.x), self.check, len(self.rings)
        require(self.rho.low > 0, "a radius of convergence is not positive")
        least = min((reach for reach in self.discs if reach.low > 0), key=lambda reach: reach.low, default=one())
        weights = [reach if reach.low > 0 else least for reach in self.discs]
        inner, total = [Ball(0)] * n, Ball(0)
        for ring in self.rings:
            require(len(ring) == n, "there is not one disc for each state")
            region = check.on_discs([Disc(x, reach) for x, reach in zip(self.start.x, ring, strict=True)])
            slopes, jacobian = leg.field.on_discs(region)[:n], leg.jacobian.on_discs(region)
            for slope, reach, before in zip(slopes, ring, inner, strict=True):
                size = slope.size()
                require(before.m <= reach.m, "a ring is not outside of the one before")
                enough = (self.rho * size).high <= count * (reach - before).low
                require(size.high == 0 or enough, "the states may leave their discs")
            sums = [dot([jacobian[n * i + j].size() for j in range(n)], weights) / weights[i] for i in range(n)]
            total, inner = total + max(sums, key=lambda each: each.high).size(), ring
        grown = exp((total * self.rho).over(count).size()).size()
        self.v_sizes = [[grown * a / b for b in weights] for a in weights]

    def _variation(self, inputs: Mapping[str, list[Ball]]) -> None:
        n, taylor = len(self.start.x), Taylor(self.leg.jacobian, inputs)
        a: list[Matrix] = []
        self.v: list[Matrix] = [[[one() if i == j else Ball(0) for j in range(n)] for i in range(n)]]
        for k in range(self.order - 1):
            entries = taylor.extend()
            a.append([entries[n * i : n * i + n] for i in range(n)])
            total = [[Ball(0)] * n for _ in range(n)]
            for j in range(k + 1):
                part = product(a[j], self.v[k - j])
                total = [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(total, part, strict=True)]
            self.v.append([[x.over(k + 1) for x in row] for row in total])

    def _left_out(self, t: Ball) -> Ball:
        share = t.size() / self.rho
        require(share.high < one().m, "a step is longer than its series converge")
        total = one()
        for _ in range(self.order):
            total = total * share
        return total / (one() - share)

    def _left_out_of_slope(self, t: Ball) -> Ball:
        share, n = t.size() / self.rho, self.order
        require(share.high < one().m, "a step is longer than its series converge")
        total = one()
        for _ in range(n - 1):
            total = total * share
        rest = one() - share
        return total * (Ball(n * rest.m, n * rest.r) + share) / (rest * rest) / self.rho

    def at(self, rows: Sequence[Sequence[Ball]], t: Ball) -> list[Ball]:
        """Return the states at t from series."""
        left_out = self._left_out(t)
        return [horner(row, t).widened(reach * left_out) for row, reach in zip(rows, self.discs, strict=True)]

    def states(self, t: Ball) -> States:
        """Return all states at t."""
        n, left_out = len(self.start.x), self._left_out(t)
        flow = [
            [horner([v[i][j] for v in self.v], t).widened(self.v_sizes[i][j] * left_out) for j in range(n)]
            for i in range(n)
        ]
        centre, v = self.at(self.centre_rows, t), product(flow, self.start.v)
        return States(centre, v, self.check.sharpened(self.at(self.rows, t), centre, v))

    def value(self, k: int, t: Ball) -> Ball:
        """Return the values of what is watched for all t in a ball."""
        row, at = self.watched[k], Ball(t.m)
        rough = horner(row, t).common(horner(row, at) + horner(slope_of(row), t) * (t - at))
        return rough.widened(self.watched_sizes[k] * self._left_out(t))

    def value_at(self, k: int, t: Ball) -> Ball:
        """Return the values of what is watched at one instant."""
        return self.value(k, t).common(self.leg.watched.on(self.check.inputs(self.states(t).x))[k])

    def rate(self, k: int, t: Ball) -> Ball:
        """Return the slopes in time of what is watched for all t in a ball."""
        return horner(slope_of(self.watched[k]), t).widened(self.watched_sizes[k] * self._left_out_of_slope(t))

    def watch(self, k: int, sign: str, pieces: Sequence[Any], until: Ball, since: Ball | None = None) -> str:
        """Check what is said of the sign of what is watched, piece by piece, and return what is known at the end."""
        name, a = self.leg.watches[k]["name"], Ball(0) if since is None else since
        for end, word in pieces:
            b = Ball.of(*end)
            t, text = between(a, b), f"{name} is not proven to be {word}"
            if word == "positive":
                require(self.value(k, t).low > 0, text)
                sign = POSITIVE
            elif word == "negative":
                require(sign == NEGATIVE and self.value(k, t).high < 0, text)
            elif word == "rises":
                require(self.rate(k, t).low > 0, text)
                sign = POSITIVE if sign == POSITIVE or self.value_at(k, b).low > 0 else RISING
            elif word == "falls":
                require(sign == POSITIVE and self.rate(k, t).high < 0 and self.value_at(k, b).low > 0, text)
            else:
                raise RefusedError(f"{name}: {word!r} says nothing of a sign")
            a = b
        require(a.low >= until.low, f"{name} is not watched to the end of a step")
        return sign
