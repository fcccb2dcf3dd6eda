"""Identities of expressions, seen by polynomials with rational coefficients.

An expression is a quotient of polynomials, with a generator for each input and each function of an expression. A root r
of a polynomial q has the relation r^2 - q = 0, a cosine c with its sine s has c^2 + s^2 - 1 = 0. A generator is larger
than those before it, so the leading terms of the relations are squares of different generators: they are a Groebner
basis, and their multiples are the polynomials that leave no rest on division (Cox, Little and O'Shea: Ideals,
Varieties, and Algorithms, 2015, chapter 2). What leaves none vanishes wherever it is defined; what leaves one may do so
all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hybridsim.graph import Graph
from hybridsim.proofs.balls import polynomials

Polynomial = Any
"""A polynomial with rational coefficients."""

Quotient = tuple[Polynomial, Polynomial]

ARITHMETIC = frozenset({"const", "neg", "add", "sub", "mul", "div", "power"})
"""What is done with polynomials; inputs and all other functions are generators."""

MAX_TERMS = 4000
"""Products of terms beyond which nothing is seen."""


class TooManyTermsError(ArithmeticError):
    """A polynomial has become too long."""


def vanish(graph: Graph, nodes: Sequence[int], values: Mapping[str, Fraction], zero: int | None = None) -> bool:
    """Return whether expressions are seen to be zero, inputs having values, if given; where another one is zero."""
    try:
        seen = _Quotients(graph, nodes, values, zero)
        return all(not seen.less_zero(seen.known[a][0]) for a in nodes)
    except TooManyTermsError:
        return False


def ratio(graph: Graph, a: int, b: int, values: Mapping[str, Fraction]) -> Fraction | None:
    """Return the number r with a = r b, for all arguments, if it is seen."""
    try:
        seen = _Quotients(graph, (a, b), values, None)
        (above, below), (other, under) = seen.known[a], seen.known[b]
        left, right = seen.times(above, under), seen.times(other, below)
    except TooManyTermsError:
        return None
    if not (below and under and right):  # one is not defined anywhere, or b is zero
        return None
    if not left:
        return Fraction(0)
    found = left.leading_coefficient() / right.leading_coefficient()
    return Fraction(int(found.numerator), int(found.denominator)) if left == right * found else None


class _Quotients:
    """Expressions as quotients of polynomials: `known`, by their nodes."""

    def __init__(self, graph: Graph, nodes: Sequence[int], values: Mapping[str, Fraction], zero: int | None) -> None:
        of_zero = [] if zero is None else [zero]
        reached = graph.reachable([*nodes, *of_zero])
        count = sum(graph.nodes[a][0] not in ARITHMETIC for a in reached)
        # A cosine needs two generators, and two others where `zero` has made its argument simpler.
        self._number, generators = polynomials(4 * count + 1)
        self._unused, self._values = list(generators), values  # the last ones are the smallest
        self._made: dict[tuple[str, str, str], Polynomial] = {}
        self._relations: list[Polynomial] = []
        self._one, self._zero = self._number(1), self._number(0)
        self.known: dict[int, Quotient] = {}
        for a in graph.reachable(of_zero):
            self.known[a] = self._quotient(*graph.nodes[a])
        self._zero = self.known[zero][0] if zero is not None else self._zero
        for a in reached:
            self.known[a] = self._quotient(*graph.nodes[a])

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return the rest that a product leaves on division by the relations."""
        if len(a) * len(b) > MAX_TERMS:
            raise TooManyTermsError
        product = a * b
        for relation in reversed(self._relations):
            product = divmod(product, relation)[1]
        return product

    def less_zero(self, a: Polynomial) -> Polynomial:
        """Return a polynomial less a multiple, by a number, of what is zero, if that leaves a number."""
        if self._zero.is_constant():
            return a
        multiple, rest = divmod(a, self._zero)
        return rest if multiple.is_constant() and rest.is_constant() else a

    def _quotient(self, word: str, *others: Any) -> Quotient:
        if word == "const" and not math.isfinite(others[0]):
            raise TooManyTermsError  # no polynomial has it
        if word == "const" or others[0] in self._values:
            return self._number(Fraction(others[0] if word == "const" else self._values[others[0]])), self._one
        if word == "input":
            return self._generator(word, others[0]), self._one
        above, below = self.known[others[0]]
        if word not in ARITHMETIC:
            return self._function(word, above, below), self._one
        result = self._one, self._one
        for _ in range(others[1] if word == "power" else 0):
            result = self.times(result[0], above), self.times(result[1], below)
        return result if word == "power" else self._sum_or_product(word, (above, below), others)

    def _sum_or_product(self, word: str, first: Quotient, others: Sequence[int]) -> Quotient:
        (above, below), (other, under) = first, self.known[others[-1]]
        if word == "neg":
            return -above, below
        if word in ("mul", "div"):
            other, under = (other, under) if word == "mul" else (under, other)
            return self.times(above, other), self.times(below, under)
        other = other if word == "add" else -other
        if below == under:
            return above + other, below
        return self.times(above, under) + self.times(other, below), self.times(below, under)

    def _function(self, word: str, above: Polynomial, below: Polynomial) -> Polynomial:
        """Return a function of a quotient: a number if that is seen, else its generator."""
        if below and below.is_constant():
            above, below = above / below.leading_coefficient(), self._one
        is_root = word == "sqrt" and below == self._one
        if is_root and (rest := self.less_zero(above)).is_constant():
            root = _root(rest)
            if root is not None:
                return self._number(root)
        key = str(above), str(below)
        if (word, *key) in self._made:
            return self._made[word, *key]
        if word == "cos":
            sine = self._generator("sin", *key)
            cosine = self._generator(word, *key)
            self._relations.append(cosine * cosine + sine * sine - self._one)
            return cosine
        made = self._generator(word, *key)
        if is_root:
            self._relations.append(made * made - above)
        return made

    def _generator(self, word: str, above: str, below: str = "") -> Polynomial:
        if (word, above, below) not in self._made:
            self._made[word, above, below] = self._unused.pop()
        return self._made[word, above, below]


def _root(a: Polynomial) -> Fraction | None:
    """Return the root of a constant polynomial if it is rational."""
    value = a.leading_coefficient() if a else Fraction(0)
    above, below = int(value.numerator), int(value.denominator)
    if above < 0 or math.isqrt(above) ** 2 != above or math.isqrt(below) ** 2 != below:
        return None
    return Fraction(math.isqrt(above), math.isqrt(below))
