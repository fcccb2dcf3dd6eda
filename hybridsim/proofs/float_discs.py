"""How large expressions are on complex discs: by floats, to find steps, and by balls, to prove them."""

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

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "const": float,
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


SLOPES: Mapping[str, str] = {
    "over": "-v * v",
    "power": "n * c ** (n - 1)",
    "sqrt": "0.5 / v",
    "exp": "v",
    "log": "1.0 / c",
    "sin": "f['cos'](c, 0.0 * d)[0]",
    "cos": "-f['sin'](c, 0.0 * d)[0]",
    "sinh": "f['cosh'](c, 0.0 * d)[0]",
    "cosh": "f['sinh'](c, 0.0 * d)[0]",
}
"""Functions whose reach on a disc is that of the sizes of their Taylor coefficients: their slopes, of c, d and value v.

Of others the slope is not used."""


def sizes_of(program: Program, variables: Sequence[str]) -> Callable[..., list[Any]]:
    """Return the function of discs of the variables that bounds the results, or does so about, for floats.

    Each value is c + g z + a rest, with the deviations z of the variables: what cancels in g does so for the discs.

    Parameters
    ----------
    program : Program
        The program.
    variables : sequence of str
        The inputs that are discs.

    Returns
    -------
    callable
        It takes a list of pairs (centre, radius), the values of the other inputs, and `FUNCTIONS`, or such
        ones of other numbers; and raises what these raise where something is not defined.
    """
    lines = [f"    z{j} = x[{j}][1]" for j in range(len(variables))]
    moving: dict[int, tuple[str, ...]] = {}  # places of what varies: its directions
    for k, (word, first, *others) in enumerate(program.instructions):
        if word == "input" and first in variables:
            j = str(variables.index(first))
            moving[k] = (j,)
            lines.append(f"    c{k}, g{k}_{j}, r{k}, d{k} = x[{j}][0], 1.0, 0.0 * z{j}, z{j}")
        elif word in ("input", "const"):
            lines.append(f"    c{k} = " + (f"p[{first!r}]" if word == "input" else f"f['const']({first!r})"))
        else:
            lines += [f"    {line}" for line in _lines(k, word, first, others, moving)]
    last = [f"abs(c{k}) + d{k}" if k in moving else f"abs(c{k})" for k in program.results]
    made: dict[str, Any] = {}
    exec(
        compile("\n".join(["def sizes(x, p, f):", *lines, f"    return [{', '.join(last)}]"]), "<discs>", "exec"), made
    )
    found: Callable[..., list[Any]] = made["sizes"]
    return found


def _lines(k: int, word: str, a: int, others: Sequence[int], moving: dict[int, tuple[str, ...]]) -> list[str]:
    """Return the lines of an operation on discs."""
    if word in ("add", "sub", "mul"):
        return _of_two(k, word, a, others[0], moving)
    if word == "div":
        return [*_of_one("b", "over", others[0], (), moving), *_of_two(k, "mul", a, "b", moving)]
    if word == "neg":
        moving |= {k: moving[a]} if a in moving else {}
        parts = [f"g{k}_{j} = -g{a}_{j}" for j in moving.get(k, ())]
        return [f"c{k} = -c{a}", *parts, *([f"r{k}, d{k} = r{a}, d{a}"] if k in moving else [])]
    return _of_one(k, word, a, others, moving)


def _of_two(k: Any, word: str, a: Any, b: Any, moving: dict[Any, tuple[str, ...]]) -> list[str]:
    of_a, of_b = moving.get(a, ()), moving.get(b, ())
    sign = {"add": "+", "sub": "-", "mul": "*"}[word]
    lines = [f"c{k} = c{a} {sign} c{b}"]
    if not of_a and not of_b:
        return lines
    moving[k] = directions = tuple(dict.fromkeys((*of_a, *of_b)))
    by_a, by_b, second = (f"c{b} * ", f"c{a} * ", "+") if word == "mul" else ("", "", sign)
    for j in directions:
        parts = [f"{by_a}g{a}_{j}"] if j in of_a else []
        parts += [f"{second if parts or second == '-' else ''} {by_b}g{b}_{j}"] if j in of_b else []
        lines.append(f"g{k}_{j} = {' '.join(parts)}")
    sizes = (f"abs(c{b}) * ", f"abs(c{a}) * ") if word == "mul" else ("", "")
    rest = [f"{sizes[0]}r{a}"] if of_a else []
    rest += [f"{sizes[1]}r{b}"] if of_b else []
    rest += [f"d{a} * d{b}"] if word == "mul" and of_a and of_b else []
    return [*lines, f"r{k} = {' + '.join(rest)}", _reach(k, directions)]


def _of_one(k: Any, word: str, a: int, others: Sequence[int], moving: dict[Any, tuple[str, ...]]) -> list[str]:
    power = f", {others[0]}" if word == "power" else ""
    if a not in moving:
        moving.pop(k, None)
        return [f"c{k} = f[{word!r}](c{a}, 0.0 * c{a}{power})[0]"]
    moving[k] = moving[a]
    lines = [f"c, d = c{a}, d{a}", f"v, away = f[{word!r}](c, d{power})"]
    lines += [f"n = {others[0]}"] if power else []
    if word not in SLOPES:
        return [*lines, *(f"g{k}_{j} = 0.0 * g{a}_{j}" for j in moving[a]), f"c{k}, r{k}, d{k} = v, away, away"]
    lines += [f"s = {SLOPES[word]}", *(f"g{k}_{j} = s * g{a}_{j}" for j in moving[a])]
    return [*lines, f"c{k}, r{k} = v, away - abs(s) * (d - r{a})", _reach(k, moving[a])]


def _reach(k: Any, directions: Sequence[str]) -> str:
    return f"d{k} = r{k} + " + " + ".join(f"abs(g{k}_{j}) * z{j}" for j in directions)
