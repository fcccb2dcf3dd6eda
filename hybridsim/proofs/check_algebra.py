"""Identities of expressions, seen by exact algebra: a quantity that flows and events keep.

An expression is a fraction of polynomials with rational coefficients in atoms: inputs, and functions of expressions.
Squares of roots and of cosines are replaced by what they are. What is then the polynomial 0 vanishes wherever it is
defined; what does not become 0 may do so all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Monomial = tuple[tuple[int, int], ...]
Polynomial = dict[Monomial, Fraction]
Quotient = tuple[Polynomial, Polynomial]

ONE: Polynomial = {(): Fraction(1)}
MAX_TERMS = 4000
"""Terms of a polynomial beyond which nothing is seen."""


class TooManyTermsError(ArithmeticError):
    """A polynomial has become too long."""


class Algebra:
    """Expressions as quotients.

    Parameters
    ----------
    lines : sequence of tuple
        The expressions: an operation and the numbers of those it takes.
    values : mapping of str to Fraction
        Values of inputs; the others are atoms.
    zero : int, optional
        An expression that is zero where the identity has to hold.
    """

    def __init__(
        self, lines: Sequence[tuple[Any, ...]], values: Mapping[str, Fraction], zero: int | None = None
    ) -> None:
        self._lines, self._values = lines, values
        self._atoms: dict[Any, int] = {}
        self._squares: dict[int, Polynomial] = {}
        self._known: dict[int, Quotient] = {}
        self._zero: Polynomial = {}
        self._zero = {} if zero is None else self.of(zero)[0]
        self._known = {}

    def vanishes(self, a: int) -> bool:
        """Return whether an expression is seen to be zero."""
        try:
            above = self.of(a)[0]
        except TooManyTermsError:
            return False
        return not above or not self._less_zero(above)

    def ratio(self, a: int, b: int) -> Fraction | None:
        """Return the number r with a = r b, for all arguments, if it is seen; b does not vanish."""
        (above, below), (other, under) = self.of(a), self.of(b)
        left, right = self._times(above, under), self._times(other, below)
        term = next(iter(right))
        found = left.get(term, Fraction(0)) / right[term]
        return None if _sum(left, right, -found) else found

    def of(self, a: int) -> Quotient:
        """Return an expression as a quotient."""
        left = [a]
        while left:  # no recursion, as expressions can be deep
            b = left[-1]
            word, *others = self._lines[b]
            taken = () if word in ("input", "const") else others[:1] if word == "power" else others
            missing = [c for c in taken if c not in self._known]
            left += missing
            if not missing:
                self._known[left.pop()] = self._quotient(word, others)
        return self._known[a]

    def _quotient(self, word: str, others: Sequence[Any]) -> Quotient:
        if word in ("const", "input"):
            value = Fraction(others[0]) if word == "const" else self._values.get(others[0])
            return (self._atom(word, others[0]) if value is None else self._constant(value)), ONE
        above, below = self._known[others[0]]
        if word == "neg":
            return {m: -c for m, c in above.items()}, below
        if word == "power":
            result: Quotient = (ONE, ONE)
            for _ in range(others[1]):
                result = self._times(result[0], above), self._times(result[1], below)
            return result
        if word not in ("add", "sub", "mul", "div"):
            return self._function(word, above, below), ONE
        return self._of_two(word, (above, below), self._known[others[1]])

    def _of_two(self, word: str, first: Quotient, second: Quotient) -> Quotient:
        (above, below), (other, under) = first, second
        if word == "mul":
            return self._times(above, other), self._times(below, under)
        if word == "div":
            return self._times(above, under), self._times(below, other)
        sign = Fraction(1 if word == "add" else -1)
        if below == under:
            return _sum(above, other, sign), below
        return _sum(self._times(above, under), self._times(other, below), sign), self._times(below, under)

    def _function(self, word: str, above: Polynomial, below: Polynomial) -> Polynomial:
        """Return a function of a quotient: a number if that is seen, else an atom."""
        if set(below) == {()}:
            above, below = {m: c / below[()] for m, c in above.items()}, ONE
        if word == "sqrt" and below == ONE:
            rest = self._less_zero(above)
            root = _root(rest.get((), Fraction(0))) if set(rest) <= {()} else None
            if root is not None:
                return self._constant(root)
        key = frozenset(above.items()), frozenset(below.items())
        atom = self._atom(word, key)
        number = self._atoms[word, key]
        if word == "sqrt" and below == ONE:
            self._squares[number] = above
        elif word == "cos":
            sine = self._atom("sin", key)
            self._squares[number] = _sum(ONE, self._times(sine, sine), Fraction(-1))
        return atom

    def _less_zero(self, a: Polynomial) -> Polynomial:
        """Return a polynomial less the multiple of `zero` that takes a term away, if that leaves a number."""
        for monomial, c in self._zero.items():
            if monomial:
                rest = _sum(a, self._zero, -a.get(monomial, Fraction(0)) / c)
                return rest if set(rest) <= {()} else a
        return a

    def _atom(self, word: str, key: Any) -> Polynomial:
        number = self._atoms.setdefault((word, key), len(self._atoms))
        return {((number, 1),): Fraction(1)}

    def _constant(self, value: Fraction) -> Polynomial:
        return {(): value} if value else {}

    def _times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if len(a) * len(b) > MAX_TERMS:
            raise TooManyTermsError
        total: Polynomial = {}
        for m, c in a.items():
            for n, d in b.items():
                total = _sum(total, self._product(m, n), c * d)
        return total

    def _product(self, m: Monomial, n: Monomial) -> Polynomial:
        """Return the product of two monomials, squares of roots and cosines replaced."""
        exponents = dict(m)
        for atom, exponent in n:
            exponents[atom] = exponents.get(atom, 0) + exponent
        for atom, square in self._squares.items():
            if exponents.get(atom, 0) >= 2:
                exponents[atom] -= 2
                rest = tuple(sorted((k, e) for k, e in exponents.items() if e))
                return self._times({rest: Fraction(1)}, square)
        return {tuple(sorted((k, e) for k, e in exponents.items() if e)): Fraction(1)}


def _sum(a: Polynomial, b: Polynomial, factor: Fraction) -> Polynomial:
    """Return a + factor b."""
    total = dict(a)
    for monomial, c in b.items():
        value = total.get(monomial, Fraction(0)) + factor * c
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def _root(value: Fraction) -> Fraction | None:
    """Return the root of a number if that is rational."""
    above, below = math.isqrt(max(value.numerator, 0)), math.isqrt(value.denominator)
    exact = value >= 0 and above * above == value.numerator and below * below == value.denominator
    return Fraction(above, below) if exact else None
