"""Formulas as trees: what they vary with, of which degree they are, and as Python text.

A tree is a tuple: an operator and its arguments, which are trees. Its leaves are ("number", value), ("name", id),
("time",), ("state", i) and ("truth", k), the truth value of the k-th tracked relation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from typing import Any

Tree = tuple[Any, ...]

LEAVES = frozenset(["number", "name", "time", "state", "truth", "rateOf"])
RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "!=": "!="}
LOGIC = frozenset(["and", "or", "xor", "not", "implies"])
STEPPED = frozenset(["floor", "ceil", "quotient", "rem", "factorial"])
"""Functions that jump: their arguments may change at events only."""

FUNCTIONS = {
    "abs": "abs({0})",
    "exp": "math.exp({0})",
    "ln": "math.log({0})",
    "log": "(math.log({1}) / math.log({0}))",
    "root": "math.pow({1}, 1.0 / {0})",
    "power": "math.pow({0}, {1})",
    "floor": "float(math.floor({0}))",
    "ceil": "float(math.ceil({0}))",
    "factorial": "math.gamma({0} + 1.0)",
    "quotient": "float(math.trunc({0} / {1}))",
    "rem": "({0} - {1} * math.trunc({0} / {1}))",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
    **{name: f"math.{name}({{0}})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"arc{name}": f"math.a{name}({{0}})" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "sec": "(1.0 / math.cos({0}))",
    "csc": "(1.0 / math.sin({0}))",
    "cot": "(1.0 / math.tan({0}))",
    "sech": "(1.0 / math.cosh({0}))",
    "csch": "(1.0 / math.sinh({0}))",
    "coth": "(1.0 / math.tanh({0}))",
    "arcsec": "math.acos(1.0 / {0})",
    "arccsc": "math.asin(1.0 / {0})",
    "arccot": "math.atan(1.0 / {0})",
    "arcsech": "math.acosh(1.0 / {0})",
    "arccsch": "math.asinh(1.0 / {0})",
    "arccoth": "math.atanh(1.0 / {0})",
}


def number(value: float) -> Tree:
    return ("number", float(value))


def replaced(tree: Tree, leaf: Callable[[Tree], Tree]) -> Tree:
    """The tree with every leaf put through a function."""
    if tree[0] in LEAVES:
        return leaf(tree)
    return (tree[0], *(replaced(argument, leaf) for argument in tree[1:]))


def leaves(tree: Tree) -> Iterator[Tree]:
    if tree[0] in LEAVES:
        yield tree
    else:
        for argument in tree[1:]:
            yield from leaves(argument)


def varies(tree: Tree, moving: Collection[int]) -> bool:
    """Return whether its value changes between events, where the states in `moving` do."""
    return any(leaf[0] == "time" or (leaf[0] == "state" and leaf[1] in moving) for leaf in leaves(tree))


def degree(tree: Tree, moving: Collection[int]) -> int | None:
    """The degree of a polynomial in t and the moving states; None for what is no polynomial."""
    if not varies(tree, moving):
        return 0
    if tree[0] in LEAVES:
        return 1
    degrees = [degree(argument, moving) for argument in tree[1:]]
    if None in degrees:
        return None
    if tree[0] in ("+", "-"):
        return max(degrees)
    if tree[0] == "*":
        return sum(degrees)
    if tree[0] == "/":
        return degrees[0] if degrees[1] == 0 else None
    if tree[0] == "power" and tree[2][0] == "number" and tree[2][1] in (1.0, 2.0, 3.0, 4.0):
        return degrees[0] * int(tree[2][1])
    if tree[0] == "piecewise" and not any(degrees[1::2]):
        return max(degrees[::2])
    return None


def text(tree: Tree) -> str:
    """A Python expression for its value, a float; truth is 1.0."""
    operator, *arguments = tree
    if operator == "number":
        return repr(tree[1]) if math.isfinite(tree[1]) else f"math.{tree[1]}".replace("math.-", "-math.")
    if operator == "time":
        return "t"
    if operator == "state":
        return f"x[{tree[1]}]"
    if operator == "truth":
        return f"x[TRUTH + {tree[1]}]"
    if operator in RELATIONS or operator in LOGIC:
        return f"(1.0 if {condition(tree)} else 0.0)"
    if operator == "piecewise":
        return _piecewise([*arguments])
    if operator in ("+", "*"):
        return f"({f' {operator} '.join(text(argument) for argument in arguments)})" if arguments else _empty(operator)
    if operator in ("-", "/"):
        values = [text(argument) for argument in arguments]
        return f"(-{values[0]})" if len(values) == 1 else f"({values[0]} {operator} {values[1]})"
    if operator in ("min", "max") and len(arguments) > 2:
        return text((operator, arguments[0], (operator, *arguments[1:])))
    return FUNCTIONS[operator].format(*(text(argument) for argument in arguments))


def _empty(operator: str) -> str:
    return "0.0" if operator == "+" else "1.0"


def _piecewise(arguments: list[Tree]) -> str:
    otherwise = arguments.pop() if len(arguments) % 2 else number(math.nan)
    result = text(otherwise)
    for place in range(len(arguments) - 2, -1, -2):
        result = f"({text(arguments[place])} if {condition(arguments[place + 1])} else {result})"
    return result


def condition(tree: Tree) -> str:
    """A Python expression for its truth, a bool."""
    operator, *arguments = tree
    if operator in RELATIONS:
        return f"({text(arguments[0])} {operator} {text(arguments[1])})"
    if operator == "not":
        return f"(not {condition(arguments[0])})"
    if operator == "implies":
        return f"(not {condition(arguments[0])} or {condition(arguments[1])})"
    if operator in LOGIC:
        if not arguments:
            return str(operator == "and")
        joint = " != " if operator == "xor" else f" {operator} "
        result = condition(arguments[0])
        for argument in arguments[1:]:
            result = f"({result}{joint}{condition(argument)})"
        return result
    return f"({text(tree)} != 0.0)"


def value(tree: Tree) -> float:
    """The value of a tree without names, states and time."""
    return float(eval(text(tree), {"math": math}))
