"""Programs of a certificate, as the checker reads them: values, Taylor coefficients, derivatives, identities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybridsim.proofs.check_numbers import ON_BALLS, ON_DISCS, Ball, RefusedError, dot, one, power

ARITHMETIC: dict[str, Callable[..., Any]] = {
    "neg": lambda x: -x,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "power": power,
}

Line = tuple[Any, ...]


class Expressions:
    """Expressions in a normal form in which equal ones are often the same: lines by their numbers.

    Constants are not negative; signs are drawn out of sums, products and quotients; sums and products are in one order.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._numbers: dict[Line, int] = {}

    def put(self, *line: Any) -> int:
        """Return the number of a line."""
        if line not in self._numbers:
            self._numbers[line] = len(self.lines)
            self.lines.append(line)
        return self._numbers[line]

    def const(self, value: float) -> int:
        """Return a number."""
        a = self.put("const", abs(value))
        return self.put("neg", a) if value < 0.0 else a

    def sign_of(self, a: int) -> tuple[int, int]:
        """Return the sign that is drawn out, and the rest."""
        return (-1, self.lines[a][1]) if self.lines[a][0] == "neg" else (1, a)

    def is_const(self, a: int, value: float) -> bool:
        """Return whether an expression is this number, not below 0."""
        return self.lines[a] == ("const", value)

    def neg(self, a: int) -> int:
        """Return -a."""
        sign, inner = self.sign_of(a)
        return inner if sign < 0 or self.is_const(a, 0.0) else self.put("neg", a)

    def add(self, a: int, b: int) -> int:
        """Return a + b."""
        if self.is_const(a, 0.0) or self.is_const(b, 0.0):
            return b if self.is_const(a, 0.0) else a
        (s, x), (t, y) = self.sign_of(a), self.sign_of(b)
        if s == t:
            total = self.put("add", min(x, y), max(x, y))
        elif x == y:
            return self.const(0.0)
        else:
            total = self.put("sub", min(x, y), max(x, y))
            s = s if x < y else -s
        return total if s > 0 else self.neg(total)

    def sub(self, a: int, b: int) -> int:
        """Return a - b."""
        return self.add(a, self.neg(b))

    def mul(self, a: int, b: int) -> int:
        """Return a b."""
        (s, x), (t, y) = self.sign_of(a), self.sign_of(b)
        if self.is_const(x, 1.0) or self.is_const(y, 1.0):
            product = y if self.is_const(x, 1.0) else x
        elif self.is_const(x, 0.0) or self.is_const(y, 0.0):
            product = self.const(0.0)
        else:
            product = self.put("mul", min(x, y), max(x, y))
        return product if s == t else self.neg(product)

    def div(self, a: int, b: int) -> int:
        """Return a / b."""
        (s, x), (t, y) = self.sign_of(a), self.sign_of(b)
        quotient = x if self.is_const(y, 1.0) else self.put("div", x, y)
        return quotient if s == t else self.neg(quotient)

    def power(self, a: int, n: int) -> int:
        """Return a to the power of a whole number, not below 0."""
        return self.const(1.0) if n == 0 else a if n == 1 else self.put("power", a, n)

    def read(self, program: Mapping[str, Any], inputs: Mapping[str, int]) -> list[int]:
        """Return the results of a program of a certificate, with expressions in place of its inputs."""
        values: list[int] = []
        for word, *others in program["lines"]:
            if word == "input":
                values.append(inputs[others[0]] if others[0] in inputs else self.put("input", others[0]))
            elif word == "const":
                values.append(self.const(float.fromhex(others[0])))
            elif word == "power":
                if type(others[1]) is not int or others[1] < 0:
                    raise RefusedError("a power is no whole number")
                values.append(self.power(values[others[0]], others[1]))
            elif word in ARITHMETIC:
                values.append(getattr(self, word)(*(values[k] for k in others)))
            elif word in ON_BALLS:
                values.append(self.put(word, values[others[0]]))
            else:
                raise RefusedError(f"there is no operation {word!r}")
        return [values[k] for k in program["results"]]

    def slope(self, a: int, by: str, known: dict[tuple[int, str], int]) -> int:
        """Return the derivative of an expression by an input."""
        for b in range(a + 1) if (a, by) not in known else ():
            if (b, by) not in known:
                known[b, by] = self._slope(b, by, known)
        return known[a, by]

    def _slope(self, a: int, by: str, known: dict[tuple[int, str], int]) -> int:
        word, *others = self.lines[a]
        if word in ("input", "const"):
            return self.const(1.0 if (word, others[0]) == ("input", by) else 0.0)
        x, d = others[0], known[others[0], by]
        if word == "neg":
            return self.neg(d)
        if word in ("add", "sub"):
            return self.add(d, known[others[1], by]) if word == "add" else self.sub(d, known[others[1], by])
        if word == "mul":
            return self.add(self.mul(d, others[1]), self.mul(x, known[others[1], by]))
        if word == "div":
            return self.div(self.sub(d, self.mul(a, known[others[1], by])), others[1])
        return self.mul(self._rule(a, word, others), d) if not self.is_const(d, 0.0) else d

    def _rule(self, a: int, word: str, others: Sequence[Any]) -> int:
        x, unit = others[0], self.const(1.0)
        if word == "power":
            return self.mul(self.const(float(others[1])), self.power(x, others[1] - 1))
        if word in ("asin", "acos"):
            rule = self.div(unit, self.put("sqrt", self.sub(unit, self.power(x, 2))))
            return rule if word == "asin" else self.neg(rule)
        return {
            "sin": lambda: self.put("cos", x),
            "cos": lambda: self.neg(self.put("sin", x)),
            "tan": lambda: self.add(unit, self.power(a, 2)),
            "atan": lambda: self.div(unit, self.add(unit, self.power(x, 2))),
            "sinh": lambda: self.put("cosh", x),
            "cosh": lambda: self.put("sinh", x),
            "tanh": lambda: self.sub(unit, self.power(a, 2)),
            "exp": lambda: a,
            "log": lambda: self.div(unit, x),
            "sqrt": lambda: self.div(self.const(0.5), a),
        }[word]()

    def reached(self, results: Sequence[int]) -> set[int]:
        """Return the expressions that some are made of, these included."""
        found, left = set(results), list(results)
        while left:
            word, *others = self.lines[left.pop()]
            arguments = () if word in ("input", "const") else others[:1] if word == "power" else others
            new = {*arguments} - found
            found |= new
            left += new
        return found

    def program(self, results: Sequence[int]) -> Tape:
        """Return the program of some expressions."""
        order = sorted(self.reached(results))
        place = {a: k for k, a in enumerate(order)}
        lines = []
        for a in order:
            word, *others = self.lines[a]
            n = 0 if word in ("input", "const") else 1 if word == "power" else len(others)
            lines.append((word, *(place[b] for b in others[:n]), *others[n:]))
        return Tape(lines, [place[a] for a in results])


class Tape:
    """A program: lines that take the results of earlier ones."""

    def __init__(self, lines: Sequence[Line], results: Sequence[int]) -> None:
        self.lines, self.results = lines, results

    def on(self, inputs: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] = ON_BALLS) -> list[Any]:
        """Return the results on balls, or on discs."""
        values: list[Any] = []
        for word, first, *others in self.lines:
            if word == "input":
                values.append(inputs[first])
            elif word == "const":
                values.append(functions["const"](first))
            elif word == "power":
                values.append(power(values[first], others[0]))
            elif word in ARITHMETIC:
                values.append(ARITHMETIC[word](values[first], *(values[k] for k in others)))
            else:
                values.append(functions[word](values[first]))
        return [values[k] for k in self.results]

    def on_discs(self, inputs: Mapping[str, Any]) -> list[Any]:
        """Return the results on discs."""
        return self.on(inputs, ON_DISCS)


class Taylor:
    """The Taylor coefficients of a program along given series, one order after the other.

    Parameters
    ----------
    tape : Tape
        The program.
    inputs : mapping of str to list of Ball
        The coefficients of its inputs; those of a constant are its value alone.
    """

    def __init__(self, tape: Tape, inputs: Mapping[str, list[Ball]]) -> None:
        self.tape, self.inputs = tape, inputs
        self.rows: list[list[Ball]] = [[] for _ in tape.lines]
        self._helpers: list[list[list[Ball]]] = [[] for _ in tape.lines]

    def extend(self) -> list[Ball]:
        """Return the next coefficient of each result."""
        for place, line in enumerate(self.tape.lines):
            self.rows[place].append(self._next(place, line))
        return [self.rows[k][-1] for k in self.tape.results]

    def _next(self, place: int, line: Line) -> Ball:
        word, first, *others = line
        own, k = self.rows[place], len(self.rows[place])
        if word in ("input", "const"):
            given = self.inputs[first] if word == "input" else [Ball.of_float(first)]
            return given[k] if k < len(given) else Ball(0)
        a = self.rows[first]
        b = self.rows[others[0]] if others and word != "power" else a
        if word in ("neg", "add", "sub"):
            return -a[k] if word == "neg" else ARITHMETIC[word](a[k], b[k])
        if word == "mul":
            return dot(a, reversed(b))
        if word == "div":
            return (a[k] - dot(b[1:], reversed(own))) / b[0]
        if word == "power":
            return self._power(place, a, others[0])
        return self._function(place, word, a, own, k)

    def _power(self, place: int, a: list[Ball], n: int) -> Ball:
        """Return the next coefficient of a^n from those of a, a^2, .."""
        helpers = self._helpers[place]
        helpers += [[] for _ in range(n - 1 - len(helpers))]
        before = a
        for helper in helpers:
            helper.append(dot(a, reversed(before)))
            before = helper
        return before[-1]

    def _function(self, place: int, word: str, a: list[Ball], own: list[Ball], k: int) -> Ball:
        """Return the next coefficient of a function, by the differential equation that it solves (Moore 1966)."""
        if word in PAIRS:
            other, sign, sign_of_other = PAIRS[word]
            helper = self._helper(place, 1)[0]
            if k == 0:
                helper.append(ON_BALLS[other](a[0]))
                return ON_BALLS[word](a[0])  # type: ignore[no-any-return]
            here = _integrated(a, helper, k)
            helper.append(_signed(_integrated(a, own, k), sign_of_other))
            return _signed(here, sign)
        if k == 0:
            return ON_BALLS[word](a[0])  # type: ignore[no-any-return]
        if word == "exp":
            return _integrated(a, own, k)
        if word == "sqrt":
            return (a[k] - dot(own[1:], reversed(own[1:]))) / (own[0] + own[0])
        if word == "log":
            weighted = [Ball(j * c.m, j * c.r) for j, c in enumerate(own)]
            return (a[k] - dot(weighted[1:], reversed(a[1:k])).over(k)) / a[0]
        return self._of_slope(place, word, a, own, k)

    def _of_slope(self, place: int, word: str, a: list[Ball], own: list[Ball], k: int) -> Ball:
        """Return the next coefficient of tan and tanh, f' = a' (1 +- f^2), or of an inverse function, q f' = a'."""
        (q,) = self._helper(place, 1)
        if word in ("tan", "tanh"):
            square = dot(own, reversed(own))
            q.append((one() if k == 1 else Ball(0)) + (square if word == "tan" else -square))
            return _integrated(a, q, k)
        while len(q) < k:
            j = len(q)
            square = dot(a[: j + 1], reversed(a[: j + 1]))
            inner = (one() if j == 0 else Ball(0)) + (square if word == "atan" else -square)
            if word == "atan":
                q.append(inner)
            else:
                q.append(ON_BALLS["sqrt"](inner) if j == 0 else (inner - dot(q[1:], reversed(q[1:]))) / (q[0] + q[0]))
        slope_before = [Ball(j * c.m, j * c.r) for j, c in enumerate(own)]
        change = -a[k] if word == "acos" else a[k]
        return (change - dot(slope_before[1:], reversed(q[1:k])).over(k)) / q[0]

    def _helper(self, place: int, count: int) -> list[list[Ball]]:
        helpers = self._helpers[place]
        helpers += [[] for _ in range(count - len(helpers))]
        return helpers


PAIRS = {"sin": ("cos", 1, -1), "cos": ("sin", -1, 1), "sinh": ("cosh", 1, 1), "cosh": ("sinh", 1, 1)}
"""Function f -> the function g and the signs with f' = +-g a', g' = +-f a'."""


def _signed(x: Ball, sign: int) -> Ball:
    return x if sign > 0 else -x


def _integrated(a: list[Ball], factor: list[Ball], k: int) -> Ball:
    """Return coefficient k of the integral of a' times a factor: (1 / k) sum_j j a_j factor_(k - j)."""
    return dot([Ball(j * a[j].m, j * a[j].r) for j in range(1, k + 1)], reversed(factor[:k])).over(k)


def horner(row: Sequence[Ball], t: Ball) -> Ball:
    """Return the value of a polynomial."""
    total = row[-1]
    for c in reversed(row[:-1]):
        total = total * t + c
    return total


def slope_of(row: Sequence[Ball]) -> list[Ball]:
    """Return the coefficients of a polynomial's slope."""
    return [Ball(k * c.m, k * c.r) for k, c in enumerate(row)][1:]
