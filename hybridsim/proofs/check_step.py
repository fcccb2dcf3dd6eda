"""One step of all states of a box, checked: the inequality that it rests on, its series, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hybridsim.proofs.check_discs import sizes_on_discs
from hybridsim.proofs.check_numbers import Ball, Disc, RefusedError, between, one
from hybridsim.proofs.check_programs import Expressions, Tape, Taylor, horner, slope_of
from hybridsim.proofs.check_second import (
    Matrix,
    Second,
    applied,
    bilinear,
    combined,
    plus,
    product,
    series_of_second,
    sharper,
    symmetric,
)

if TYPE_CHECKING:
    from hybridsim.proofs.check_period import PassCheck

POSITIVE, NEGATIVE, RISING, ZERO = "positive", "negative", "rising", "zero"


def require(holds: bool, text: str) -> None:
    """Refuse a certificate if an inequality does not hold."""
    if not holds:
        raise RefusedError(text)


def numbers(given: Sequence[Sequence[int]]) -> list[Ball]:
    """Return the numbers of a list [mantissa, exponent]."""
    return [Ball.of(*pair) for pair in given]


PROGRAMS = ("field", "watched", "transition", "conditions", "constants")
"""The programs of a leg in a certificate."""


class Leg:
    """A leg: its programs, or the expressions in their place, and derivatives, which the checker makes itself."""

    def __init__(
        self,
        made: Expressions,
        record: Mapping[str, Any],
        variables: Sequence[str],
        image: Sequence[Sequence[int]],
        with_second: bool,
        given: Mapping[str, list[int]] | None = None,
    ) -> None:
        self.record, self.watches, n = record, record["watches"], len(variables)
        known: dict[tuple[int, str], int] = {}
        self.read = read = given or {name: made.read(record[name], {}) for name in PROGRAMS}
        self.field_nodes, self.watched_nodes = read["field"][:n], read["watched"][: len(self.watches)]
        self.reset_nodes, self.condition_nodes = read["transition"][:n], read["conditions"]
        if record["ends_stride"]:
            self.reset_nodes = [self.reset_nodes[k] if s > 0 else made.neg(self.reset_nodes[k]) for k, s in image]

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
        self.field, self.watched = made.program(read["field"]), made.program(read["watched"])
        self.reset = made.program([*self.reset_nodes, *read["transition"][n:]])
        self.conditions, self.constants = (made.program(read[name]) for name in ("conditions", "constants"))
        self.jacobian, self.gradients = slopes(self.field_nodes), slopes(self.watched_nodes)
        self.reset_slopes = slopes(self.reset_nodes)

        def bends(nodes: Sequence[int]) -> Tape:
            pairs = [(a, b) for k, a in enumerate(variables) for b in variables[k:]]
            return made.program([made.slope(made.slope(node, a, known), b, known) for node in nodes for a, b in pairs])

        sets = (self.field_nodes, self.watched_nodes[:1], self.reset_nodes) if with_second else ()
        self.bends = [bends(nodes) for nodes in sets]


@dataclass(slots=True)
class States:
    """All states at one time: centre + noise + V r, and within x.

    `noise` are columns times -1 to 1, and `near` is a box with centre and noise; `v_near` are the derivatives there,
    and `second` the second derivatives, where they are used.
    """

    centre: list[Ball]
    noise: list[Matrix]
    near: list[Ball]
    v: Matrix
    x: list[Ball]
    v_near: Matrix | None = None
    second: Second | None = None


def around(centre: Sequence[Ball], noise: Sequence[Matrix]) -> list[Ball]:
    """Return a box with a point and its noise."""
    box = list(centre)
    for part in noise:
        box = [a.widened(Ball(sum(entry.size().m for entry in row))) for a, row in zip(box, part, strict=True)]
    return box


def with_noise(known: Sequence[Ball], before: Sequence[Matrix], by: Matrix) -> tuple[list[Ball], list[Matrix]]:
    """Return a point, exactly, and its noise: that of before taken along by a matrix, and what is not known of it."""
    n = len(known)
    own = [[Ball(a.r if i == j else 0) for j in range(n)] for i, a in enumerate(known)]
    return [Ball(a.m) for a in known], [*(product(by, part) for part in before), own]


class Step:
    """One step: the inequality that it rests on, its series, and bounds of what these leave out."""

    def __init__(self, check: PassCheck, leg: Leg, start: States, record: Mapping[str, Any]) -> None:
        self.check, self.leg, self.start, self.order, self.rough = check, leg, start, check.order, check.rough
        self.rho, self.rings = Ball.of(*record["rho"]), [numbers(ring) for ring in record["rings"]]
        self.region = [between(x, c) for x, c in zip(start.x, start.near, strict=True)]
        self._domain()
        self.rows, self.point_rows = (
            check.series(leg, self.region, self.rough),
            check.series(leg, start.centre, self.order),
        )
        self.inputs = check.inputs(self.rows, [[value] for value in check.constants.values()])
        a, self.v = self._variation(self.inputs)
        self._see(leg)
        if start.second is not None:
            near = check.series(leg, start.near, self.rough)
            self.v_near = self._variation(check.inputs(near, [[value] for value in check.constants.values()]))[1]
            taylor = Taylor(leg.bends[0], self.inputs)
            bends = [symmetric(taylor.extend(), len(near)) for _ in range(check.second - 1)]
            self.second_rows = series_of_second(a, bends, self.v)

    def _see(self, leg: Leg) -> None:
        """Make the series of what a leg watches, and bounds of what they leave out."""
        check, taylor = self.check, Taylor(leg.watched, self.inputs)
        region = check.on_discs([Disc(x, reach) for x, reach in zip(self.region, self.rings[-1], strict=True)])
        self.leg, n = leg, len(leg.watches)
        self.watched_sizes = [(z.r + Ball(z.c.r)).size() for z in leg.watched.on_discs(region)[:n]]
        orders = [taylor.extend() for _ in range(self.rough)]
        self.watched = [[each[k] for each in orders] for k in range(n)]

    def seen_by(self, leg: Leg) -> Step:
        """Return the same solutions with what another leg watches, which has the same field."""
        seen = copy(self)
        seen._see(leg)
        return seen

    def _domain(self) -> None:
        leg, n, check, count = self.leg, len(self.start.x), self.check, len(self.rings) - 1
        require(self.rho.low > 0, "a radius of convergence is not positive")
        require(count > 0 and all(len(ring) == n for ring in self.rings), "there is not one disc for each state")
        first, *others = self.rings
        require(all(reach.low > 0 for reach in first), "a disc has no inside")
        inner = first
        for ring in others:
            reaches = [Ball(x.r) + reach for x, reach in zip(self.region, ring, strict=True)]
            inputs = check.inputs([Ball(x.m) for x in self.region])
            sizes = sizes_on_discs(leg.field, inputs, check.variables, reaches)[:n]
            for size, reach, before in zip(sizes, ring, inner, strict=True):
                require(before.m <= reach.m, "a ring is not outside of the one before")
                enough = (self.rho * size).high <= count * (reach - before).low
                require(size.high == 0 or enough, "the states may leave their discs")
            inner = ring
        self.travels = [(reach - before).size() for reach, before in zip(inner, first, strict=True)]
        self.v_sizes = [[by / reach for reach in first] for by in self.travels]

    def _variation(self, inputs: Mapping[str, list[Ball]]) -> tuple[list[Matrix], list[Matrix]]:
        """Return the series of A and of V."""
        n, taylor = len(self.start.x), Taylor(self.leg.jacobian, inputs)
        a: list[Matrix] = []
        found: list[Matrix] = [[[one() if i == j else Ball(0) for j in range(n)] for i in range(n)]]
        for k in range(self.rough - 1):
            entries = taylor.extend()
            a.append([entries[n * i : n * i + n] for i in range(n)])
            total = [[Ball(0)] * n for _ in range(n)]
            for j in range(k + 1):
                total = plus(total, product(a[j], found[k - j]))
            found.append([[x.over(k + 1) for x in row] for row in total])
        return a, found

    def _left_out(self, t: Ball, length: int) -> Ball:
        share = t.size() / self.rho
        require(share.high < one().m, "a step is longer than its series converge")
        total = one()
        for _ in range(length):
            total = total * share
        return total / (one() - share)

    def _left_out_of_slope(self, t: Ball) -> Ball:
        share, n = t.size() / self.rho, self.rough
        require(share.high < one().m, "a step is longer than its series converge")
        total = one()
        for _ in range(n - 1):
            total = total * share
        rest = one() - share
        return total * (Ball(n * rest.m, n * rest.r) + share) / (rest * rest) / self.rho

    def at(self, rows: Sequence[Sequence[Ball]], t: Ball) -> list[Ball]:
        """Return the states at t from series."""
        left_out = self._left_out(t, len(rows[0]))
        return [horner(row, t).widened(by * left_out) for row, by in zip(rows, self.travels, strict=True)]

    def flow(self, t: Ball) -> Matrix:
        """Return the derivatives of the states at t by those at the beginning of the step."""
        return self._flow(self.v, t)

    def flow_near(self, t: Ball) -> Matrix:
        """Return the same on the solution from the centre, and near it."""
        return self._flow(self.v if self.start.second is None else self.v_near, t)

    def _flow(self, rows: Sequence[Matrix], t: Ball) -> Matrix:
        n, left_out = len(self.start.x), self._left_out(t, self.rough)
        return [
            [horner([v[i][j] for v in rows], t).widened(self.v_sizes[i][j] * left_out) for j in range(n)]
            for i in range(n)
        ]

    def second(self, t: Ball) -> Second:
        """Return the second derivatives of the states at t by those at the beginning of the step."""
        left_out, first = self._left_out(t, self.check.second), self.rings[0]
        states = range(len(first))

        def entry(i: int, j: int, k: int) -> Ball:
            rest = self.travels[i] * left_out / (first[j] * first[k])
            return horner([each[i][j][k] for each in self.second_rows], t).widened(rest + rest if j == k else rest)

        return [[[entry(i, j, k) for k in states] for j in states] for i in states]

    def centre(self, t: Ball) -> list[Ball]:
        """Return a box with the state at t on the solution from the centre."""
        return self._near(self.at(self.point_rows, t), self.flow_near(t))

    def _near(self, point: Sequence[Ball], flow: Matrix) -> list[Ball]:
        away = [a - c for a, c in zip(self.start.near, self.start.centre, strict=True)]
        return [a + b for a, b in zip(point, applied(flow, away), strict=True)]

    def states(self, t: Ball) -> States:
        """Return all states at t."""
        flow, there, point, start = self.flow(t), self.flow_near(t), self.at(self.point_rows, t), self.start
        near, v, v_near, second = self._near(point, there), product(flow, start.v), None, None
        centre, noise = with_noise(point, start.noise, there)
        if start.second is not None and start.v_near is not None:
            v_near, bent = product(there, start.v_near), bilinear(self.second(t), start.v)
            second = [plus(a, b) for a, b in zip(combined(flow, start.second), bent, strict=True)]
            v = sharper(v, v_near, second, self.check.deviations)
        return States(centre, noise, near, v, self.check.sharpened(self.at(self.rows, t), near, v), v_near, second)

    def value(self, k: int, t: Ball) -> Ball:
        """Return the values of what is watched for all t in a ball."""
        row, at = self.watched[k], Ball(t.m)
        rough = horner(row, t).common(horner(row, at) + horner(slope_of(row), t) * (t - at))
        return rough.widened(self.watched_sizes[k] * self._left_out(t, self.rough))

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
            elif word == "sinks":
                require(sign in (ZERO, NEGATIVE) and self.rate(k, t).high < 0, text)
                sign = NEGATIVE
            elif word == "falls":
                require(sign == POSITIVE and self.rate(k, t).high < 0 and self.value_at(k, b).low > 0, text)
            else:
                raise RefusedError(f"{name}: {word!r} says nothing of a sign")
            a = b
        require(a.low >= until.low, f"{name} is not watched to the end of a step")
        return sign
