"""A period from all states of a box, checked leg by leg, and Krawczyk's operator: each line is an inequality."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridsim.proofs.check_numbers import Ball, Disc, RefusedError, between, dot, one
from hybridsim.proofs.check_programs import Taylor
from hybridsim.proofs.check_second import (
    Matrix,
    Second,
    applied,
    bilinear,
    combined,
    crossing,
    plus,
    product,
    sharper,
    symmetric,
    transposed,
)
from hybridsim.proofs.check_step import (
    NEGATIVE,
    POSITIVE,
    RISING,
    ZERO,
    Leg,
    States,
    Step,
    around,
    numbers,
    require,
    with_noise,
)

GUARD_BITS = 64


class PassCheck:
    """A period from a box, checked leg by leg: `image` is K as deviations, `slopes` DP, `duration` the time."""

    def __init__(
        self, certificate: Mapping[str, Any], legs: Sequence[Leg], record: Mapping[str, Any], level: Any
    ) -> None:
        Ball.bits = int(record["bits"]) + GUARD_BITS
        self.order, self.rough, self.second = (int(record[name]) for name in ("order", "rough", "second"))
        require(min(self.order, self.rough) > 1 and 0 <= self.second <= self.rough, "series have other lengths")
        self.variables = certificate["variables"]
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
        self.signs: list[str] = []
        for leg, following, steps in zip(legs, [*legs[1:], None], record["legs"], strict=True):
            state = self._leg(leg, following if leg.record["transparent"] else None, state, steps)
        self._krawczyk(state, [numbers(row) for row in record["inverse"]], level)

    def inputs(self, x: Sequence[Any], constants: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the arguments of programs."""
        return dict(zip(self.constants, constants or self.constants.values(), strict=True)) | dict(
            zip(self.variables, x, strict=True)
        )

    def on_discs(self, x: Sequence[Disc]) -> dict[str, Any]:
        """Return the arguments of programs as discs."""
        return self.inputs(x, [Disc(value, Ball(0)) for value in self.constants.values()])

    def series(self, leg: Leg, x: Sequence[Ball], length: int) -> list[list[Ball]]:
        """Return the Taylor coefficients of the solutions from x."""
        rows = [[start] for start in x]
        taylor = Taylor(leg.field, self.inputs(rows, [[value] for value in self.constants.values()]))
        for k in range(1, length):
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
        x = [c + d for c, d in zip(self.centre, applied(v, self.deviations), strict=True)]
        second = [[[Ball(0)] * m for _ in range(m)] for _ in range(n)] if self.second else None
        return States(self.centre, [], self.centre, v, x, v, second)

    def _leg(self, leg: Leg, following: Leg | None, state: States, record: Mapping[str, Any]) -> States:
        """Check a leg; if only the chart changes at its end, the next, `following`, begins before its event is over."""
        values = [] if self.signs else leg.watched.on(self.inputs(state.x))
        signs = self.signs or [self._first_sign(w, g) for w, g in zip(leg.watches, values, strict=False)]
        self.signs = []
        for k, each in enumerate(record["steps"]):
            step, is_last = Step(self, leg, state, each), k == len(record["steps"]) - 1
            begin, end = numbers(record["bracket"]) if is_last else [Ball.of(*each["length"])] * 2
            ends = [begin, *[end] * (len(signs) - 1)]
            pieces = zip(signs, each["pieces"], ends, strict=True)
            signs = [step.watch(i, *one_of_them) for i, one_of_them in enumerate(pieces)]
            if is_last:
                require(signs[0] == POSITIVE, "the boundary has not been positive before it is crossed")
                of_centre = numbers(record["of_centre"])
                arriving, near = self._brackets(step, (begin, end), of_centre)
                if following is not None:
                    return self._pass(step, following, arriving, record)
                self.duration += between(begin, end)
                centre = self._centre_crossed(step, between(*of_centre), near)
                return self._transition(leg, self._crossed(step, step.states(between(begin, end)), arriving, centre))
            require(end.low > 0, "a step does not lead ahead")
            state, self.duration = step.states(end), self.duration + end
        raise RefusedError("a leg has no steps")

    def _pass(self, step: Step, following: Leg, x: Sequence[Ball], record: Mapping[str, Any]) -> States:
        """Check what the next leg watches while solutions cross, and return the states at one time behind that."""
        self._require_guards(step.leg, x)
        step.leg.reset.on(self.inputs(x))  # it changes nothing, and has to be defined
        (begin, end), seen = numbers(record["bracket"]), step.seen_by(following)
        moment, pieces = between(begin, end), record["pieces_behind"]
        require(len(pieces) == len(following.watches), "what the next leg watches is not said")
        for k, (watch, said) in enumerate(zip(following.watches, pieces, strict=True)):
            sign = self._first_sign(watch, seen.value(k, moment))
            self.signs.append(seen.watch(k, sign, said, end, begin))
        self.duration += end
        return step.states(end)

    def _first_sign(self, watch: Mapping[str, Any], value: Ball) -> str:
        if watch["begins_at_zero"] and watch["may_be_zero"]:
            return ZERO if watch["may_be_negative"] else RISING
        if value.low > 0:
            return POSITIVE
        require(watch["may_be_negative"], f"{watch['name']} is not proven to be positive where its chart begins")
        return NEGATIVE if value.high < 0 else RISING

    def _value_and_rate(self, leg: Leg, x: Sequence[Ball]) -> tuple[Ball, Ball]:
        n, inputs = len(x), self.inputs(x)
        slopes = leg.field.on(inputs)[:n]
        return leg.watched.on(inputs)[0], dot(leg.gradients.on(inputs)[:n], slopes)

    def _brackets(self, step: Step, everywhere: Sequence[Ball], of_centre: Sequence[Ball]) -> list[list[Ball]]:
        """Check both brackets, and return the states in them."""
        found = []
        ways: list[tuple[Sequence[Ball], Callable[[Ball], list[Ball]]]] = [
            (everywhere, lambda t: step.states(t).x),
            (of_centre, step.centre),
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
        return found

    def _centre_crossed(self, step: Step, moment: Ball, near: Sequence[Ball]) -> States:
        """Return the state where the solution from the centre crosses, and its noise; in the bracket it is `near`."""
        at, flow = step.at(step.point_rows, Ball(moment.m)), step.flow_near(moment)
        slopes = step.leg.field.on(self.inputs(near))[: len(near)]
        late = self._value_and_rate(step.leg, at)[0] / self._value_and_rate(step.leg, near)[1]
        crossed = [a - f * late for a, f in zip(at, slopes, strict=True)]
        centre, noise = with_noise(crossed, step.start.noise, self._projected(step.leg, near, flow)[0])
        box, v = around(centre, noise), step.start.v_near
        v_near = self._projected(step.leg, near, product(flow, v))[0] if self.second and v is not None else None
        return States(centre, noise, box, [], box, v_near)

    def _crossed(self, step: Step, arriving: States, x: list[Ball], centre: States) -> States:
        """Return the states at the crossing, given those in its bracket, all and those of the centre."""
        second = None
        for _ in range(3):
            projected, late = self._projected(step.leg, x, arriving.v)
            if arriving.second is not None and centre.v_near is not None:
                second = self._second_crossed(step.leg, x, arriving.second, projected, late)
                projected = sharper(projected, centre.v_near, second, self.deviations)
            x = self.sharpened(x, centre.near, projected)
        return States(centre.centre, centre.noise, centre.near, projected, list(x), centre.v_near, second)

    def _projected(self, leg: Leg, x: Sequence[Ball], v: Matrix) -> tuple[Matrix, list[Ball]]:
        """Return (1 - f g_x / (g_x f)) V, and the derivatives of the time."""
        n, inputs = len(x), self.inputs(x)
        slopes, gradient = leg.field.on(inputs)[:n], leg.gradients.on(inputs)[:n]
        rate = dot(gradient, slopes)
        late = [-(dot(gradient, column) / rate) for column in transposed(v)]
        return [
            [a + slope * t for a, t in zip(row, late, strict=True)] for row, slope in zip(v, slopes, strict=True)
        ], late

    def _second_crossed(self, leg: Leg, x: Sequence[Ball], w: Second, s: Matrix, late: Sequence[Ball]) -> Second:
        n, inputs = len(x), self.inputs(x)
        slopes, gradient, a = leg.field.on(inputs)[:n], leg.gradients.on(inputs)[:n], leg.jacobian.on(inputs)
        (bends,) = symmetric(leg.bends[1].on(inputs), n)
        return crossing([a[n * i : n * i + n] for i in range(n)], slopes, gradient, bends, w, s, late)

    def _transition(self, leg: Leg, state: States) -> States:
        inputs, n = self.inputs(state.x), len(state.x)
        self._require_guards(leg, state.x)
        after, slopes = leg.reset.on(inputs)[:n], leg.reset_slopes.on(inputs)
        by_state = [slopes[n * i : n * i + n] for i in range(n)]
        v, v_near, second = product(by_state, state.v), None, None
        there = leg.reset_slopes.on(self.inputs(state.near))
        moved = [there[n * i : n * i + n] for i in range(n)]
        centre, noise = with_noise(leg.reset.on(self.inputs(state.centre))[:n], state.noise, moved)
        near = around(centre, noise)
        if state.second is not None and state.v_near is not None:
            bent = bilinear(symmetric(leg.bends[2].on(inputs), n), state.v)
            second = [plus(a, b) for a, b in zip(combined(by_state, state.second), bent, strict=True)]
            v_near = product(moved, state.v_near)
            v = sharper(v, v_near, second, self.deviations)
        return States(centre, noise, near, v, self.sharpened(after, near, v), v_near, second)

    def _require_guards(self, leg: Leg, x: Sequence[Ball]) -> None:
        for guard, value in zip(leg.record["reset_guards"], leg.conditions.on(self.inputs(x)), strict=True):
            require_guard(guard, value)

    def _krawczyk(self, end: States, inverse: Matrix, level: Any) -> None:
        m = len(self.free)
        require(len(inverse) == m and all(len(row) == m for row in inverse), "the inverse is of another size")
        self.slopes = [end.v[i][:m] for i in self.free]
        miss = [end.near[i] - self.centre[i] for i in self.free]
        gradient = None
        if level is not None:
            miss[level[0]], gradient = self._on_level(end, level)
        left = self._left(end.v, inverse, gradient, level)
        if end.second is not None and end.v_near is not None:
            bent = [end.second[i] for i in self.free]
            if level is not None:
                bent[level[0]] = [[Ball(0)] * len(row) for row in bent[level[0]]]
            moved = combined([[-x for x in row] for row in inverse], bent)
            left = sharper(left, self._left(end.v_near, inverse, gradient, level), moved, self.deviations)
        self.image = [a - b for a, b in zip(applied(left, self.deviations), applied(inverse, miss), strict=True)]
        for k, reach in zip(self.image, self.reach, strict=False):
            require(k.size().high < reach.low, "Krawczyk's operator does not map the box into its interior")

    def _left(self, v: Matrix, inverse: Matrix, gradient: Any, level: Any) -> Matrix:
        """Return 1 - C (DP - 1); the column of a varied parameter is -C (dP/dq + DP x' - x')."""
        rest = []
        for k, i in enumerate(self.free):
            by = [one() if j == k else Ball(0) for j in range(len(self.free))] + self.tilt[k : k + 1]
            rest.append([a - b for a, b in zip(v[i], by, strict=True)])
        if level is not None:
            rest[level[0]] = gradient
        moved = product(inverse, rest)
        return [[(one() if i == j else Ball(0)) - a for j, a in enumerate(row)] for i, row in enumerate(moved)]

    def _on_level(self, end: States, level: Any) -> tuple[Ball, list[Ball]]:
        """Return what stands for the return of one state, which the kept quantity has to determine."""
        replaced, quantity, slopes, value = level
        require(0 <= replaced < len(self.free), "there is no such state")
        start = self._begin().x
        everywhere = slopes.on(self.inputs([between(a, b) for a, b in zip(start, end.x, strict=True)]))
        slope = everywhere[self.free[replaced]]
        require(slope.low > 0 or slope.high < 0, "the kept quantity does not determine the state that it replaces")
        gradient = slopes.on(self.inputs(start))
        miss = quantity.on(self.inputs(self.centre))[0] - Ball.of_float(value)
        return miss, [gradient[i] for i in self.free]


def require_guard(guard: Mapping[str, str], value: Ball) -> None:
    """Refuse a branch that is not proven."""
    holds = {"positive": value.low > 0, "nonnegative": value.low >= 0, "zero": value.m == value.r == 0}
    require(holds[guard["kind"]], f"{guard['where']}: a branch is not proven")
