"""How large expressions are on complex discs, about, by floats: to find steps, which are proven with other numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridsim.graph import Program

Pair = tuple[float, float]
"""A disc: its centre, a real number, and its radius."""


def _least(value: float) -> float:
    """Return a distance from what is not defined."""
    if not value > 0.0:
        raise ZeroDivisionError
    return value


def _over(c: float, r: float) -> Pair:
    return 1.0 / c, r / (abs(c) * _least(abs(c) - r))


def _power(c: float, r: float, n: int) -> Pair:
    return c**n, (abs(c) + r) ** n - abs(c) ** n


def _by_parts(function: Callable[[float], float], slope: Callable[[float], float]) -> Callable[[float, float], Pair]:
    def on_disc(c: float, r: float) -> Pair:
        at = function(c)
        return at, abs(slope(c)) * math.sinh(r) + abs(at) * (math.cosh(r) - 1.0)

    return on_disc


def _quotient(above: Callable[[float, float], Pair], below: Callable[[float, float], Pair]) -> Any:
    def on_disc(c: float, r: float) -> Pair:
        (a, p), (b, q) = above(c, r), _over(*below(c, r))
        return a * b, abs(a) * q + abs(b) * p + p * q

    return on_disc


def _arc(function: Callable[[float], float]) -> Callable[[float, float], Pair]:
    return lambda c, r: (function(c), r / math.sqrt(_least(1.0 - c - r) * _least(1.0 + c - r)))


SIN, COS = _by_parts(math.sin, math.cos), _by_parts(math.cos, math.sin)
SINH, COSH = _by_parts(math.sinh, math.cosh), _by_parts(math.cosh, math.sinh)

FUNCTIONS: Mapping[str, Callable[..., Pair]] = {
    "over": _over,
    "power": _power,
    "sqrt": lambda c, r: (math.sqrt(c), math.sqrt(c) - math.sqrt(_least(c - r))),
    "exp": lambda c, r: (math.exp(c), math.exp(c) * math.expm1(r)),
    "log": lambda c, r: (math.log(c), -math.log(_least(1.0 - r / c))),
    "sin": SIN,
    "cos": COS,
    "sinh": SINH,
    "cosh": COSH,
    "tan": _quotient(SIN, COS),
    "tanh": _quotient(SINH, COSH),
    "atan": lambda c, r: (math.atan(c), r / _least(math.sqrt(1.0 + c * c) - r) ** 2),
    "asin": _arc(math.asin),
    "acos": _arc(math.acos),
}


def sizes_of(program: Program, variables: Sequence[str], values: Mapping[str, float]) -> Callable[..., list[float]]:
    """Return the function of discs of the variables that tells how large the results are.

    Parameters
    ----------
    program : Program
        The program.
    variables : sequence of str
        The inputs that are discs.
    values : mapping of str to float
        The values of the others.

    Returns
    -------
    callable
        It takes a list of pairs (centre, radius), and raises an ArithmeticError or a ValueError where something is
        not defined.
    """
    places = {name: k for k, name in enumerate(variables)}
    lines = ["def sizes(x, f):"]
    for k, (word, first, *others) in enumerate(program.instructions):
        if word == "input":
            line = f"c{k}, r{k} = " + (f"x[{places[first]}]" if first in places else f"{values[first]!r}, 0.0")
        elif word == "const":
            line = f"c{k}, r{k} = {first!r}, 0.0"
        elif word == "neg":
            line = f"c{k}, r{k} = -c{first}, r{first}"
        elif word in ("add", "sub"):
            line = f"c{k}, r{k} = c{first} {'+' if word == 'add' else '-'} c{others[0]}, r{first} + r{others[0]}"
        elif word in ("mul", "div"):
            b, s = (f"c{others[0]}", f"r{others[0]}") if word == "mul" else ("b", "s")
            line = "" if word == "mul" else f"b, s = f['over'](c{others[0]}, r{others[0]}); "
            line += f"c{k}, r{k} = c{first} * {b}, abs(c{first}) * {s} + abs({b}) * r{first} + r{first} * {s}"
        else:
            line = f"c{k}, r{k} = f[{word!r}](c{first}, r{first}{''.join(f', {n}' for n in others)})"
        lines.append(f"    {line}")
    lines.append(f"    return [{', '.join(f'abs(c{k}) + r{k}' for k in program.results)}]")
    made: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<discs>", "exec"), made)
    return lambda x: made["sizes"](x, FUNCTIONS)
