"""Models that read t: what is seen to repeat with the period of what drives them, and strides that end after it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from hybridsim.proofs.check_algebra import Algebra, TooManyTermsError
from hybridsim.proofs.check_step import require

TIME = "t"
"""The name of time among the arguments of expressions."""

TIME_SECTION = "the section's time"
"""The name of the boundary of a section after a time."""


class Shift:
    """Changes of expressions where t goes on by a period.

    An expression changes by a number if it is t, a sum, or a product with what neither moves nor reads t. A sine,
    cosine or tangent repeats if its argument changes by a whole number of turns; any other function if its argument
    does not change. Of all else nothing is seen.

    Parameters
    ----------
    made : object
        How to make expressions: add, mul, ..
    lines : sequence of tuple
        The expressions, as those of `Algebra`.
    period, turn : int
        The expressions of the period and of 2 pi.
    moving : collection of str
        The names of the arguments that change with time.
    values : mapping of str to Fraction
        The values of the others.
    """

    def __init__(
        self,
        made: Any,
        lines: Sequence[Any],
        period: int,
        turn: int,
        moving: Collection[str],
        values: Mapping[str, Fraction],
    ) -> None:
        self._made, self._lines, self._period, self._turn = made, lines, period, turn
        self._moving, self._algebra = {*moving, TIME}, Algebra(lines, values)
        self._known: dict[int, int | None] = {}
        self._rests: dict[int, bool] = {}

    def of(self, a: int) -> int | None:
        """Return by how much an expression changes, which is an expression that rests; None if that is not seen."""
        for b in range(a + 1) if a not in self._known else ():
            if b not in self._known:
                word, *others = self._lines[b]
                is_argument = word == "input"
                taken = () if is_argument or word == "const" else others[:1] if word == "power" else others
                self._rests[b] = all(map(self._rests.get, taken)) and not (is_argument and others[0] in self._moving)
                self._known[b] = self._change(word, taken, is_argument and others[0] == TIME)
        return self._known[a]

    def rests(self, a: int) -> bool:
        """Return whether an expression neither moves nor reads t."""
        self.of(a)
        return self._rests[a]

    def repeats(self, a: int) -> bool:
        """Return whether an expression is seen to have the same value a period later."""
        return bool(self.of(a) == self._made.const(0.0))

    def _change(self, word: str, taken: Sequence[int], is_time: bool) -> int | None:
        zero, changes = int(self._made.const(0.0)), [c for b in taken if (c := self._known[b]) is not None]
        if is_time:
            return self._period
        if len(changes) < len(taken):
            return None
        if all(change == zero for change in changes):
            return zero
        if word in ("neg", "add", "sub"):
            return getattr(self._made, word)(*changes)  # type: ignore[no-any-return]
        for k in {"mul": (0, 1), "div": (0,)}.get(word, ()):
            if self._rests[taken[1 - k]]:
                return getattr(self._made, word)(changes[k], taken[1 - k])  # type: ignore[no-any-return]
        return zero if word in ("sin", "cos", "tan") and self._is_whole(changes[0]) else None

    def _is_whole(self, change: int) -> bool:
        """Return whether a change is seen to be a whole number of turns."""
        try:
            ratio = self._algebra.ratio(change, self._turn)
        except TooManyTermsError:
            return False
        return ratio is not None and ratio.denominator == 1


def require_clock(made: Any, legs: Sequence[Any], certificate: Mapping[str, Any]) -> None:
    """Check that time goes on as it does, that strides end after a period, and that everything repeats after it."""
    variables, clock, varied = certificate["variables"], certificate["clock"], certificate["varied"]
    require(TIME not in certificate["parameters"], "time is no parameter")
    require((TIME in variables) == bool(clock), "what reads time has no clock")
    if not clock:
        return
    at, begins, time = variables.index(TIME), made.const(float.fromhex(clock["begins"])), made.put("input", TIME)
    (period,) = made.read(clock["period"], {})
    moving = [name for name in variables if name != f"p.{varied}"]
    given = {name: value for name, value in certificate["parameters"].items() if name != f"p.{varied}"}
    values = {name: Fraction(float.fromhex(value)) for name, value in given.items()}
    turn = made.mul(made.const(8.0), made.put("atan", made.const(1.0)))
    shift = Shift(made, made.lines, period, turn, moving, values)
    require(shift.rests(period), "the period depends on states")
    for leg in legs:
        after, is_end = leg.read["transition"], leg.record["boundary"] == TIME_SECTION
        require(leg.field_nodes[at] == made.const(1.0), "time does not go on")
        if is_end:
            stays = [begins if k == at else made.put("input", name) for k, name in enumerate(variables)]
            end = made.sub(made.add(begins, period), time)
            require(after[: len(variables)] == stays, "a stride ends with a jump")
            require(leg.watched_nodes[0] == end and leg.record["ends_stride"], "a stride does not end after the period")
        require(is_end or after[at] == time, f"{leg.record['boundary']} changes the time")
        read = leg.read["watched"][is_end:], [a for k, a in enumerate(after) if k != at]
        for a in (*leg.read["field"], *leg.read["conditions"], *leg.read["constants"], *read[0], *read[1]):
            require(shift.repeats(a), f"the functions in {leg.record['chart']} are not seen to repeat")
