"""Formulas in metrics, such as `sqrt(mean(abs(power))) / (m * g)`: parsed by Python's parser, and computed here.

A formula is a tree of operators and functions; its leaves are numbers, names, and calls of anything else. What a leaf
means is for the caller to say.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hybridsim.config.source import show
from hybridsim.errors import ConfigError, nearest
from hybridsim.typing import FloatArray

MAX_DEPTH, MAX_LENGTH, LARGEST_NUMBER = 100, 2000, 1e300
"""Deepest and longest formula, and the largest number in it."""

CONSTANTS = {"pi": math.pi}
"""Names of numbers."""

T = TypeVar("T")


class Function(NamedTuple):
    """An operator or a function: how many arguments it takes, what computes it, and how it is written in Python."""

    n: int
    compute: Callable[..., NDArray[Any]]
    source: str


def _one_by_one(name: str) -> Callable[..., NDArray[Any]]:
    """Return numpy's function, called with one number at a time: of many, the last bit depends on their places."""
    return np.vectorize(getattr(np, name), otypes=[float])


FUNCTIONS: Mapping[str, Function] = {
    "+": Function(2, np.add, "({} + {})"),
    "-": Function(2, np.subtract, "({} - {})"),
    "*": Function(2, np.multiply, "({} * {})"),
    "/": Function(2, np.divide, "({} / {})"),
    "**": Function(2, _one_by_one("power"), "math.pow({}, {})"),
    "unary -": Function(1, np.negative, "(-{})"),
    "abs": Function(1, np.abs, "abs({})"),
    "sqrt": Function(1, np.sqrt, "math.sqrt({})"),
    "min": Function(2, np.minimum, "np.minimum({}, {})"),
    "max": Function(2, np.maximum, "np.maximum({}, {})"),
    **{name: Function(1, _one_by_one(name), f"math.{name}({{}})") for name in ("exp", "log", "sin", "cos", "tan")},
    **{f"a{name}": Function(1, _one_by_one(f"arc{name}"), f"math.a{name}({{}})") for name in ("sin", "cos", "tan")},
    "atan2": Function(2, _one_by_one("arctan2"), "math.atan2({}, {})"),
}
"""Functions and operators by name."""

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.USub: "unary -",
}


_CALLS = {(name, function.n) for name, function in FUNCTIONS.items()}


def read_formula(text: str, expected: str = "a metric") -> ast.expr:
    """Parse a formula.

    Parameters
    ----------
    text : str
        The formula.
    expected : str
        What it is to be, for messages.

    Returns
    -------
    ast.expr
        Numbers, names (also dotted ones), operators, and calls with arguments by place.

    Raises
    ------
    ConfigError
        If it is none; the message says where.
    """
    text = " ".join(text.split())
    try:
        with warnings.catch_warnings(action="ignore"):  # of numbers that run into words
            tree: ast.expr = _Names().visit(ast.parse(text, mode="eval").body)
        if len(text) > MAX_LENGTH or _depth(tree) > MAX_DEPTH:
            raise RecursionError
    except SyntaxError as problem:
        closes = "close its parenthesis" if text.count("(") > text.count(")") else "mend it there"
        where = f" at character {problem.offset}" if problem.offset else ""
        raise ConfigError(f"expected {expected}, found {show(text)}: {problem.msg}{where}; {closes}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ConfigError(f"the formula {show(text)} is too long; give its parts names, NAME: METRIC") from None
    refused = next((node for node in ast.walk(tree) if isinstance(node, ast.expr) and not _is_allowed(node)), None)
    if refused is not None:
        advice = "write ** for powers" if isinstance(getattr(refused, "op", None), ast.BitXor) else "write it otherwise"
        where = f"{show(ast.unparse(refused))} at character {refused.col_offset + 1} of {show(text)}"
        raise ConfigError(f"a formula has numbers, names, calls, + - * / and **, not {where}; {advice}")
    return tree


class _Names(ast.NodeTransformer):
    """Make the name of an entry, `h.phi[2]`, one name."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        names = [each for each in ast.walk(node.value) if isinstance(each, ast.expr)]
        numbers = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        whole = all(isinstance(number, ast.Constant) and isinstance(number.value, int) for number in numbers)
        if not whole or not all(isinstance(each, ast.Name | ast.Attribute) for each in names):
            return node
        return ast.copy_location(ast.Name(ast.unparse(node).replace(" ", "")), node)


def _depth(tree: ast.AST) -> int:
    return 1 + max(map(_depth, ast.iter_child_nodes(tree)), default=0)


def _is_allowed(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float() as value):
            return not isinstance(value, bool) and abs(value) < LARGEST_NUMBER
        case ast.BinOp(op=operator) | ast.UnaryOp(op=operator):
            return type(operator) in _OPERATORS
        case ast.Call(func=ast.Name(), keywords=[]) | ast.Name() | ast.Attribute(value=ast.Name()):
            return True
    return False


@lru_cache(maxsize=1024)
def text_of(tree: ast.expr) -> str:
    """Return the text of a formula; that of leaves is needed in each computation."""
    return ast.unparse(tree)


def fold(tree: ast.expr, leaf: Callable[[float | str], T], combine: Callable[[str, list[T]], T]) -> T:
    """Compute something of a formula from its leaves upwards.

    Parameters
    ----------
    tree : ast.expr
        The formula.
    leaf : callable
        What it is of a number, or of the text of another leaf.
    combine : callable
        What it is of a function or an operator, from its name in `FUNCTIONS` and what it is of its arguments.
    """
    match tree:
        case ast.Constant(value=int() | float() as value):
            return leaf(float(value))
        case ast.BinOp():
            name, arguments = _OPERATORS[type(tree.op)], [tree.left, tree.right]
        case ast.UnaryOp():
            name, arguments = _OPERATORS[type(tree.op)], [tree.operand]
        case ast.Call(func=ast.Name(id=name), args=arguments) if (name, len(arguments)) in _CALLS:
            pass
        case _:
            return leaf(text_of(tree))
    return combine(name, [fold(argument, leaf, combine) for argument in arguments])


def compute(tree: ast.expr, value: Callable[[str], ArrayLike]) -> FloatArray:
    """Compute a formula from the values of its leaves by their texts, as numpy does: 1 / 0 is inf, 0 / 0 is nan."""

    def leaf(what: float | str) -> NDArray[Any]:
        return np.asarray(value(what) if isinstance(what, str) else what, float)

    with np.errstate(all="ignore"):
        return fold(tree, leaf, lambda name, arguments: FUNCTIONS[name].compute(*arguments))


def advice_on_call(name: str, known: Iterable[str] = ()) -> str:
    """Return the end of the message for a call that is none of a function: how many arguments it takes, or its name."""
    if name in FUNCTIONS:
        return f"; {name} takes {FUNCTIONS[name].n} argument{'s' * (FUNCTIONS[name].n > 1)}"
    return nearest(name, (*known, *filter(str.isidentifier, FUNCTIONS)))


Unit = Mapping[str, float] | float | None
"""Exponents by symbol; a number that takes the unit of what it is added to; None if it is not known."""

_SYMBOL = re.compile(r"([^\W\d]+)(?:\^(\d+))?")
_MADE_OF = {"N": "kg m/s^2", "J": "kg m^2/s^2", "W": "kg m^2/s^3"}


def unit_of(tree: ast.expr, units: Callable[[str], str]) -> str:
    """Return the unit of a formula from those of its leaves; "" if it has none, or adds what differs."""

    def leaf(what: float | str) -> Unit:
        return _exponents(units(what)) if isinstance(what, str) else what

    with np.errstate(all="ignore"):
        found = fold(tree, leaf, _combined)
    if not isinstance(found, Mapping) or not _in_base_units(found):
        return ""
    above, below = (
        [name if size == 1 else f"{name}^{size:g}" for name, power in found.items() if (size := sign * power) > 0]
        for sign in (1, -1)
    )
    divisor = f"({' '.join(below)})" if len(below) > 1 else "".join(below)
    return f"{' '.join(above) or '1'}/{divisor}" if below else " ".join(above)


def _exponents(unit: str) -> Mapping[str, float]:
    """Return the exponents of a unit such as `kg m/s^2`; one that is written otherwise is a symbol of its own."""
    above, _, below = unit.partition("/")
    found: dict[str, float] = {}
    for part, sign in ((above, 1), (below.removeprefix("(").removesuffix(")"), -1)):
        for word in part.split():
            match = _SYMBOL.fullmatch(word)
            if match is None and word != "1":
                return {unit: 1}
            if match:
                found[match[1]] = found.get(match[1], 0) + sign * int(match[2] or 1)
    return found


def _product(first: Mapping[str, float], second: Mapping[str, float], power: float) -> Mapping[str, float]:
    """Return the unit of first times second ** power."""
    joined = {name: first.get(name, 0) + power * second.get(name, 0) for name in {**first, **second}}
    return {name: exponent for name, exponent in joined.items() if exponent}


def _in_base_units(unit: Mapping[str, float]) -> Mapping[str, float]:
    for name, made_of in _MADE_OF.items():
        power = unit.get(name, 0)
        unit = _product(_product(unit, {name: 1}, -power), _exponents(made_of), power)
    return unit


def _combined(name: str, units: list[Unit]) -> Unit:
    """Return the unit of a function or an operator from those of its arguments."""
    known = [unit for unit in units if isinstance(unit, Mapping)]
    if None in units:
        return None
    if not known:
        return float(FUNCTIONS[name].compute(*units))
    if name in ("+", "-", "unary -", "abs", "min", "max"):
        alike = all(_in_base_units(unit) == _in_base_units(known[0]) for unit in known)
        return known[0] if alike else None
    if name in ("*", "/"):
        first, second = (unit if isinstance(unit, Mapping) else {} for unit in units)
        return _product(first, second, 1 if name == "*" else -1)
    if name in ("**", "sqrt"):
        power = 0.5 if name == "sqrt" else units[1]
        return _product({}, known[0], power) if isinstance(power, float) and math.isfinite(power) else None
    return {}
