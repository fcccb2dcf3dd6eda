"""A period from all states of a box, checked step by step, and Krawczyk's operator: each line is an inequality."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridsim.proofs.check_numbers import Ball, Disc, RefusedError, between, dot, exp, one
from hybridsim.proofs.check_programs import Expressions, Tape, Taylor, horner, slope_of

Matrix = list[list[Ball]]
GUARD_BITS = 64
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
        self.rho, self.discs = Ball.of(*record["rho"]), numbers(record["discs"])
        require(self.rho.low > 0 and all(r.m >= 0 for r in self.discs), "a radius is negative")
        require(len(self.discs) == len(start.x), "there is not one disc for each state")
        self._domain()
        self.rows, self.centre_rows = check.series(leg, start.x), check.series(leg, start.centre)
        inputs = check.inputs(self.rows, [[value] for value in check.constants.values()])
        self._variation(inputs)
        taylor = Taylor(leg.watched, inputs)
        orders = [taylor.extend() for _ in range(self.order)]
        self.watched = [[each[k] for each in orders] for k in range(len(leg.watches))]

    def _domain(self) -> None:
        leg, n, check = self.leg, len(self.start.x), self.check
        region = check.on_discs([Disc(x, reach) for x, reach in zip(self.start.x, self.discs, strict=True)])
        slopes, jacobian = leg.field.on_discs(region)[:n], leg.jacobian.on_discs(region)
        for slope, reach in zip(slopes, self.discs, strict=True):
            size = slope.size()
            require(size.high == 0 or (self.rho * size).high <= reach.low, "the states may leave their discs")
        least = min((reach for reach in self.discs if reach.low > 0), key=lambda reach: reach.low, default=one())
        weights = [reach if reach.low > 0 else least for reach in self.discs]
        sums = [dot([jacobian[n * i + j].size() for j in range(n)], weights) / weights[i] for i in range(n)]
        grown = exp(max(sums, key=lambda total: total.high).size() * self.rho).size()
        self.v_sizes = [[grown * a / b for b in weights] for a in weights]
        self.watched_sizes = [(z.r + Ball(z.c.r)).size() for z in leg.watched.on_discs(region)[: len(leg.watches)]]

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

    def watch(self, k: int, sign: str, pieces: Sequence[Any], until: Ball) -> str:
        """Check what is said of the sign of what is watched, piece by piece, and return what is known at the end."""
        name, a = self.leg.watches[k]["name"], Ball(0)
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


class PassCheck:
    """A period from a box, checked leg by leg: `image` is K as deviations, `slopes` DP, `duration` the time."""

    def __init__(self, certificate: Mapping[str, Any], legs: Sequence[Leg], record: Mapping[str, Any]) -> None:
        Ball.bits = int(record["bits"]) + GUARD_BITS
        self.order, self.variables = int(record["order"]), certificate["variables"]
        self.constants = {
            name: Ball.of_float(float.fromhex(value))
            for name, value in certificate["parameters"].items()
            if name not in self.variables
        }
        self.centre, self.reach, self.tilt = (numbers(record[name]) for name in ("centre", "reach", "tilt"))
        self.free = list(record["free"])
        n, m, varied = len(self.variables), len(self.free), bool(certificate["varied"])
        require(len(set(self.variables)) == n == len(self.centre), "there is not one centre for each variable")
        require(
            len(set(self.free)) == m > 0 and all(0 <= i < n - varied for i in self.free), "there are no such states"
        )
        require(not varied or self.variables[-1] == f"p.{certificate['varied']}", "the varied parameter is no variable")
        require(len(self.reach) == m + varied and len(self.tilt) == m * varied, "a box has other sides")
        require(all(r.low > 0 for r in self.reach), "a box has no inside")
        self.deviations = [Ball(0, reach.high) for reach in self.reach]
        state, self.duration = self._begin(), Ball(0)
        require(len(record["legs"]) == len(legs), "there is not one record for each leg")
        for leg, steps in zip(legs, record["legs"], strict=True):
            state, moment = self._leg(leg, state, steps)
            self.duration += moment
        self._krawczyk(state, [numbers(row) for row in record["inverse"]])

    def inputs(self, x: Sequence[Any], constants: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the arguments of programs."""
        return dict(zip(self.constants, constants or self.constants.values(), strict=True)) | dict(
            zip(self.variables, x, strict=True)
        )

    def on_discs(self, x: Sequence[Disc]) -> dict[str, Any]:
        """Return the arguments of programs as discs."""
        return self.inputs(x, [Disc(value, Ball(0)) for value in self.constants.values()])

    def series(self, leg: Leg, x: Sequence[Ball]) -> list[list[Ball]]:
        """Return the Taylor coefficients of the solutions from x."""
        rows = [[start] for start in x]
        taylor = Taylor(leg.field, self.inputs(rows, [[value] for value in self.constants.values()]))
        for k in range(1, self.order):
            for row, slope in zip(rows, taylor.extend(), strict=False):
                row.append(slope.over(k))
        return rows

    def sharpened(self, box: Sequence[Ball], centre: Sequence[Ball], v: Matrix) -> list[Ball]:
        """Return what a box has in common with centre + V r."""
        near = applied(v, self.deviations)
        return [a.common(c + d) for a, c, d in zip(box, centre, near, strict=True)]

    def _begin(self) -> States:
        n, m = len(self.variables), len(self.reach)
        v = [[Ball(0)] * m for _ in range(n)]
        for j, i in enumerate(self.free):
            v[i][j] = one()
            if self.tilt:
                v[i][-1] = self.tilt[j]
        if self.tilt:
            v[-1][-1] = one()
        return States(self.centre, v, [c + d for c, d in zip(self.centre, applied(v, self.deviations), strict=True)])

    def _leg(self, leg: Leg, state: States, record: Mapping[str, Any]) -> tuple[States, Ball]:
        signs = [
            self._first_sign(w, g) for w, g in zip(leg.watches, leg.watched.on(self.inputs(state.x)), strict=False)
        ]
        passed = Ball(0)
        for k, each in enumerate(record["steps"]):
            step, is_last = Step(self, leg, state, each), k == len(record["steps"]) - 1
            begin, end = numbers(record["bracket"]) if is_last else [Ball.of(*each["length"])] * 2
            ends = [begin, *[end] * (len(signs) - 1)]
            pieces = zip(signs, each["pieces"], ends, strict=True)
            signs = [step.watch(i, *one_of_them) for i, one_of_them in enumerate(pieces)]
            if is_last:
                require(signs[0] == POSITIVE, "the boundary has not been positive before it is crossed")
                state = self._cross(step, (begin, end), numbers(record["of_centre"]))
                return self._transition(leg, state), passed + between(begin, end)
            require(end.low > 0, "a step does not lead ahead")
            state, passed = step.states(end), passed + end
        raise RefusedError("a leg has no steps")

    def _first_sign(self, watch: Mapping[str, Any], value: Ball) -> str:
        if watch["begins_at_zero"] and watch["may_be_zero"]:
            return RISING
        if value.low > 0:
            return POSITIVE
        require(watch["may_be_negative"], f"{watch['name']} is not proven to be positive where its chart begins")
        return NEGATIVE if value.high < 0 else RISING

    def _value_and_rate(self, leg: Leg, x: Sequence[Ball]) -> tuple[Ball, Ball]:
        n, inputs = len(x), self.inputs(x)
        slopes = leg.field.on(inputs)[:n]
        return leg.watched.on(inputs)[0], dot(leg.gradients.on(inputs)[:n], slopes)

    def _cross(self, step: Step, everywhere: Sequence[Ball], of_centre: Sequence[Ball]) -> States:
        """Check both brackets, and return the states at the crossing."""
        found = []
        ways: list[tuple[Sequence[Ball], Callable[[Ball], list[Ball]]]] = [
            (everywhere, lambda t: step.states(t).x),
            (of_centre, lambda t: step.at(step.centre_rows, t)),
        ]
        for (begin, end), states in ways:
            require(begin.low >= 0 and begin.high <= end.low, "a bracket of time does not lie ahead")
            require(self._value_and_rate(step.leg, states(begin))[0].low > 0, "the boundary is not positive before it")
            require(self._value_and_rate(step.leg, states(end))[0].high < 0, "the boundary is not negative behind it")
            found.append(states(between(begin, end)))
            require(begin.high <= everywhere[1].low and everywhere[0].high <= end.low, "the brackets are apart")
            require(
                self._value_and_rate(step.leg, found[-1])[1].high < 0, "the boundary is not falling while it is crossed"
            )
        x, v = found[0], step.states(between(*everywhere)).v
        for _ in range(3):
            projected = self._projected(step.leg, x, v)
            x = self.sharpened(x, found[1], projected)
        return States(found[1], projected, x)

    def _projected(self, leg: Leg, x: Sequence[Ball], v: Matrix) -> Matrix:
        """Return (1 - f g_x / (g_x f)) V."""
        n, inputs = len(x), self.inputs(x)
        slopes, gradient = leg.field.on(inputs)[:n], leg.gradients.on(inputs)[:n]
        rate = dot(gradient, slopes)
        moments = [dot(gradient, column) / rate for column in zip(*v, strict=True)]
        return [
            [a - slope * moment for a, moment in zip(row, moments, strict=True)]
            for row, slope in zip(v, slopes, strict=True)
        ]

    def _transition(self, leg: Leg, state: States) -> States:
        inputs, n = self.inputs(state.x), len(state.x)
        for guard, value in zip(leg.record["reset_guards"], leg.conditions.on(inputs), strict=True):
            require_guard(guard, value)
        after, slopes = leg.reset.on(inputs)[:n], leg.reset_slopes.on(inputs)
        v = product([slopes[n * i : n * i + n] for i in range(n)], state.v)
        centre = leg.reset.on(self.inputs(state.centre))[:n]
        return States(centre, v, self.sharpened(after, centre, v))

    def _krawczyk(self, end: States, inverse: Matrix) -> None:
        m = len(self.free)
        require(len(inverse) == m and all(len(row) == m for row in inverse), "the inverse is of another size")
        self.slopes = [end.v[i][:m] for i in self.free]
        rest = [[a - (one() if i == j else Ball(0)) for j, a in enumerate(row)] for i, row in enumerate(self.slopes)]
        moved = product(inverse, rest)
        left = [[(one() if i == j else Ball(0)) - a for j, a in enumerate(row)] for i, row in enumerate(moved)]
        miss = [end.centre[i] - self.centre[i] for i in self.free]
        self.image = [a - b for a, b in zip(applied(left, self.deviations[:m]), applied(inverse, miss), strict=True)]
        if self.tilt:
            by = applied(inverse, [end.v[i][-1] - t for i, t in zip(self.free, self.tilt, strict=True)])
            self.image = [a - b * self.deviations[-1] for a, b in zip(self.image, by, strict=True)]
        for k, reach in zip(self.image, self.reach, strict=False):
            require(k.size().high < reach.low, "Krawczyk's operator does not map the box into its interior")


def require_guard(guard: Mapping[str, str], value: Ball) -> None:
    """Refuse a branch that is not proven."""
    holds = {"positive": value.low > 0, "nonnegative": value.low >= 0, "zero": value.m == value.r == 0}
    require(holds[guard["kind"]], f"{guard['where']}: a branch is not proven")
