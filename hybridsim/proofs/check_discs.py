"""Functions on discs about the states, checked: each value is c + g z + a rest, z the deviations of the states.

What cancels in g does so for the discs. A function with the Taylor coefficients f_k at c, applied to what is at most d
away from c, leaves the rest sum_(k >= 2) |f_k| d^k, which is how far the discs of `check_numbers` reach, less |f_1| d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hybridsim.proofs.check_numbers import ON_BALLS, ON_DISCS, Ball, Disc, dot, one, power
from hybridsim.proofs.check_programs import Tape

SLOPES: dict[str, Callable[[Ball, Ball], Ball]] = {
    "sqrt": lambda _, v: one() / (v + v),
    "exp": lambda _, v: v,
    "log": lambda c, _: one() / c,
    "sin": lambda c, _: ON_BALLS["cos"](c),
    "cos": lambda c, _: -ON_BALLS["sin"](c),
    "sinh": lambda c, _: ON_BALLS["cosh"](c),
    "cosh": lambda c, _: ON_BALLS["sinh"](c),
}
"""Functions whose discs are those of the sizes of their Taylor coefficients -> their slopes at c, with the value v."""


class Near:
    """All numbers c + sum_j g_j z_j + a rest of at most r, for |z_j| <= ring_j; `d` is how far they are from c."""

    __slots__ = ("c", "d", "g", "r", "ring")

    def __init__(self, c: Ball, g: Mapping[int, Ball], r: Ball, ring: Sequence[Ball]) -> None:
        self.c, self.g, self.r, self.ring = c, g, r, ring
        self.d = (r + dot([abs(x) for x in g.values()], [ring[j] for j in g])).size()

    def plus(self, other: Near, sign: int) -> Near:
        """Return the sum, or the difference."""
        c = self.c + other.c if sign > 0 else self.c - other.c
        return _joined(self, other, c, (one(), one() if sign > 0 else -one()), self.r + other.r)

    def times(self, other: Near) -> Near:
        """Return the product."""
        rest = abs(self.c) * other.r + abs(other.c) * self.r + self.d * other.d
        return _joined(self, other, self.c * other.c, (other.c, self.c), rest)


def _joined(a: Near, b: Near, c: Ball, factors: tuple[Ball, Ball], rest: Ball) -> Near:
    g = {j: x * factors[0] for j, x in a.g.items()}
    for j, x in b.g.items():
        g[j] = g[j] + x * factors[1] if j in g else x * factors[1]
    return Near(c, g, rest.size(), a.ring)


def _applied(a: Near, disc: Disc, slope: Ball | None) -> Near:
    """Return a function, given its disc and its slope at c, if that is used."""
    if slope is None:
        return Near(disc.c, {}, disc.r.size(), a.ring)
    rest = disc.r - abs(slope) * (a.d - a.r)
    return Near(disc.c, {j: x * slope for j, x in a.g.items()}, rest.size(), a.ring)


def _function(word: str, a: Near, n: int) -> Near:
    disc = Disc(a.c, a.d)
    if word == "power":
        return _applied(a, power(disc, n), Ball(n * one().m) * power(a.c, n - 1))
    if word == "over":
        found = Disc(one(), Ball(0)) / disc
        return _applied(a, found, -(found.c * found.c))
    found = ON_DISCS[word](disc)
    return _applied(a, found, SLOPES[word](a.c, found.c) if word in SLOPES else None)


def sizes_on_discs(
    tape: Tape, inputs: Mapping[str, Ball], variables: Sequence[str], ring: Sequence[Ball]
) -> list[Ball]:
    """Return bounds of the results for all inputs that are as far as `ring` says from those given.

    Parameters
    ----------
    tape : Tape
        The program.
    inputs : mapping of str to Ball
        The centres of the variables, and the values of all other inputs.
    variables : sequence of str
        The variables.
    ring : sequence of Ball
        The radii of their discs.

    Returns
    -------
    list of Ball
        The bounds.
    """
    values: list[Near] = []
    for word, first, *others in tape.lines:
        if word in ("input", "const"):
            c = inputs[first] if word == "input" else Ball.of_float(first)
            moves = word == "input" and first in variables
            values.append(Near(c, {variables.index(first): one()} if moves else {}, Ball(0), ring))
        elif word in ("add", "sub", "neg"):
            a = values[first] if word != "neg" else Near(Ball(0), {}, Ball(0), ring)
            values.append(a.plus(values[others[0] if word != "neg" else first], 1 if word == "add" else -1))
        elif word in ("mul", "div"):
            b = values[others[0]]
            values.append(values[first].times(b if word == "mul" else _function("over", b, 0)))
        else:
            values.append(_function(word, values[first], others[0] if others else 0))
    return [(abs(values[k].c) + values[k].d).size() for k in tape.results]
