"""Expressions whose equal parts are one: a node is an operation and the numbers of the nodes it takes.

Nodes are made in a normal form that changes no value, not even by rounding: constants are not negative, signs are drawn
out of products, quotients and sums, and `a - b` is written in one order, so that `b - a` is its negative. Two
expressions that the form makes the same are equal for all real arguments; that is how a boundary is seen to be zero
after a transition. Constants are folded only where the result is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

Node = tuple[Any, ...]
"""("input", name), ("const", value), ("power", a, n), or an operation with one or two nodes."""

PARTIAL = frozenset({"div", "sqrt", "log", "asin", "acos", "tan"})
"""Operations that are not defined, or have no slope, for some arguments."""


class Graph:
    """Nodes by their numbers; a node comes after those that it takes.

    Attributes
    ----------
    nodes : list of tuple
        The nodes.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}

    def _make(self, *node: Any) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def input(self, name: str) -> int:
        """Return the node of an argument."""
        return self._make("input", name)

    def const(self, value: float) -> int:
        """Return the node of a number."""
        number = self._make("const", abs(float(value)))
        return self._make("neg", number) if value < 0.0 else number

    def constant(self, a: int) -> float | None:
        """Return the value of a node that is a constant, else None."""
        node = self.nodes[a]
        if node[0] == "const":
            return float(node[1])
        return -float(self.nodes[node[1]][1]) if node[0] == "neg" and self.nodes[node[1]][0] == "const" else None

    def _folded(self, operation: str, a: int, b: int) -> int | None:
        """Return the node of an exact result of two constants."""
        x, y = self.constant(a), self.constant(b)
        if x is None or y is None:
            return None
        exact = {"add": Fraction.__add__, "mul": Fraction.__mul__}[operation](Fraction(x), Fraction(y))
        try:
            rounded = float(exact)
        except OverflowError:
            return None
        return self.const(rounded) if Fraction(rounded) == exact else None

    def _unsigned(self, a: int) -> tuple[bool, int]:
        node = self.nodes[a]
        return (True, node[1]) if node[0] == "neg" else (False, a)

    def neg(self, a: int) -> int:
        """Return -a."""
        is_negative, inner = self._unsigned(a)
        return inner if is_negative or self.constant(a) == 0.0 else self._make("neg", a)

    def add(self, a: int, b: int) -> int:
        """Return a + b."""
        folded = self._folded("add", a, b)
        if folded is not None:
            return folded
        if self.constant(a) == 0.0 or self.constant(b) == 0.0:
            return b if self.constant(a) == 0.0 else a
        (first_negative, first), (second_negative, second) = self._unsigned(a), self._unsigned(b)
        if first_negative != second_negative:
            plus, minus = (second, first) if first_negative else (first, second)
            if plus == minus:
                return self.const(0.0)
            return self._make("sub", plus, minus) if plus < minus else self.neg(self._make("sub", minus, plus))
        total = self._make("add", min(first, second), max(first, second))
        return self.neg(total) if first_negative else total

    def sub(self, a: int, b: int) -> int:
        """Return a - b."""
        return self.add(a, self.neg(b))

    def mul(self, a: int, b: int) -> int:
        """Return a b."""
        folded = self._folded("mul", a, b)
        if folded is not None:
            return folded
        (first_negative, first), (second_negative, second) = self._unsigned(a), self._unsigned(b)
        if self.constant(first) == 0.0 or self.constant(second) == 0.0:
            return self.const(0.0)
        if self.constant(first) == 1.0 or self.constant(second) == 1.0:
            product = second if self.constant(first) == 1.0 else first
        else:
            product = self._make("mul", min(first, second), max(first, second))
        return self.neg(product) if first_negative != second_negative else product

    def div(self, a: int, b: int) -> int:
        """Return a / b."""
        (first_negative, first), (second_negative, second) = self._unsigned(a), self._unsigned(b)
        quotient = first if self.constant(second) == 1.0 else self._make("div", first, second)
        return self.neg(quotient) if first_negative != second_negative else quotient

    def power(self, a: int, n: int) -> int:
        """Return a to the power of a whole number."""
        if n < 0:
            return self.div(self.const(1.0), self.power(a, -n))
        return self.const(1.0) if n == 0 else a if n == 1 else self._make("power", a, n)

    def apply(self, operation: str, a: int) -> int:
        """Return a function of one number."""
        return self._make(operation, a)

    def arguments(self, a: int) -> tuple[int, ...]:
        """Return the nodes that a node takes."""
        node = self.nodes[a]
        return () if node[0] in ("input", "const") else node[1:2] if node[0] == "power" else node[1:]

    def reachable(self, roots: Iterable[int]) -> list[int]:
        """Return the nodes that some nodes are made of, these included, in order."""
        found, left = set(roots), list(roots)
        while left:
            for a in self.arguments(left.pop()):
                if a not in found:
                    found.add(a)
                    left.append(a)
        return sorted(found)

    def inputs(self, roots: Iterable[int]) -> frozenset[str]:
        """Return the names of the arguments that some nodes depend on."""
        return frozenset(self.nodes[a][1] for a in self.reachable(roots) if self.nodes[a][0] == "input")

    def substitute(self, roots: Iterable[int], replacements: Mapping[str, int]) -> dict[int, int]:
        """Return the nodes of the same expressions with other arguments, by the nodes without."""
        new: dict[int, int] = {}
        for a in self.reachable(roots):
            operation, *others = self.nodes[a]
            if operation == "input":
                new[a] = replacements.get(others[0], a)
            elif operation == "const":
                new[a] = a
            elif operation == "power":
                new[a] = self.power(new[others[0]], others[1])
            elif operation in ("neg", "add", "sub", "mul", "div"):
                new[a] = getattr(self, operation)(*(new[b] for b in others))
            else:
                new[a] = self.apply(operation, new[others[0]])
        return new
