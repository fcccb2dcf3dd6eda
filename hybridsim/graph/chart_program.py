"""The program of one chart: its expressions as instructions for the engine, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hybridsim.engine.series_programs import (
    ADD,
    ADVANCE,
    CHECK,
    CONSTANT,
    DIFFERENCE,
    DIVIDE,
    FILL,
    FUNCTIONS,
    HELD,
    INTEGRATE_PRODUCT,
    INTEGRATE_QUOTIENT,
    MULTIPLY,
    NEGATE,
    NEGATIVE,
    NUMBER,
    PARAMETER,
    POWER,
    PRODUCT,
    QUOTIENT,
    RECIPROCAL,
    REFLECT,
    ROOT,
    SCALE,
    SHIFT,
    SQUARE,
    SUBTRACT,
    SUM,
    WEIGH,
    WORDS,
)
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.graph.symbols import Guard
from hybridsim.graph.tracing import ChartTrace, ModelGraph, UntraceableError

MAX_ROWS = 600
"""Series beyond which a chart has no program: methods with stages take less time there."""

KINDS = ("positive", "nonnegative", "zero", "nonzero")
"""Kinds of guards, in the order of the engine's signs."""

OF_NUMBERS = {"add": SUM, "sub": DIFFERENCE, "mul": PRODUCT, "div": QUOTIENT}


class Constants:
    """The constants of all programs, each once."""

    def __init__(self) -> None:
        self._places: dict[float, int] = {}

    @property
    def values(self) -> list[float]:
        """The constants in order."""
        return [*self._places]

    def index(self, value: float) -> int:
        """Return the place of a constant, which may be new."""
        return self._places.setdefault(value, len(self._places))


class ChartProgram:
    """The program of one chart, or of several in which the slopes are the same.

    Attributes
    ----------
    numbers, body, tail : list of list of int
        Its instructions: for numbers, for each order but the last, and for the last.
    boundaries : dict of (int, int) to int
        The places of the boundaries on the tape, by the chart and their index.
    n_rows, n_numbers : int
        The room that it takes.

    Raises
    ------
    UntraceableError
        If there is none, with the reason.
    """

    def __init__(self, graph: ModelGraph, constants: Constants, traced: ChartTrace) -> None:
        self._graph, self._nodes, self._constants = graph.graph, graph.graph.nodes, constants
        model, slopes, functions = graph.model, traced.slopes, traced.boundaries
        self._places = graph.places
        self._states = {name: index for index, name in enumerate(model.states.names)}
        self._varies: dict[int, bool] = {}
        self._moves = {"t", *(model.states.names[i] for i in slopes)}
        self.numbers: list[list[int]] = []
        self.body: list[list[int]] = []
        self.n_numbers, self._row = 1, 1 + len(model.states)
        self._number_of: dict[Any, int] = {}
        self._row_of: dict[Any, int] = {}
        self._checks(traced.guards)
        for a in self._graph.reachable([*slopes.values(), *functions.values()]):
            if self._is_series(a):
                self._add(a)
        for i, a in slopes.items():
            self._emit(self.body, ADVANCE, (i + 1) * ROW_SIZE, self._as_row(a))
        self.boundaries = {i: self._as_row(a) for i, a in functions.items()}
        self.tail = self._needed_by(self.boundaries.values())
        self.n_rows = self._row

    def _checks(self, guards: Sequence[Guard]) -> None:
        for guard in guards:
            if self._is_series(guard.node):
                raise UntraceableError(f"{guard.where}: a branch on states that move, or on time")
            self._emit(self.numbers, CHECK, 0, self._number(guard.node), KINDS.index(guard.kind))

    def _is_series(self, a: int) -> bool:
        """Return whether an expression varies within the chart."""
        if a not in self._varies:
            node = self._nodes[a]
            arguments = self._graph.arguments(a)
            self._varies[a] = node[1] in self._moves if node[0] == "input" else any(map(self._is_series, arguments))
        return self._varies[a]

    @staticmethod
    def _emit(part: list[list[int]], *words: int) -> None:
        part.append([*words, *[0] * (WORDS - len(words))])

    def _new_row(self, key: Any) -> int:
        if self._row == MAX_ROWS:
            raise UntraceableError(f"more than {MAX_ROWS} series, of states and operations")
        self._row_of[key] = self._row * ROW_SIZE
        self._row += 1
        return self._row_of[key]

    # Numbers.

    def _number(self, a: int) -> int:
        """Return the place of the number that is an expression, which does not vary."""
        if a not in self._number_of:
            operation, first, *others = self._nodes[a]
            if operation == "const":
                words = [CONSTANT, self._constants.index(float(first))]
            elif operation == "input":
                known = first in self._places
                words = [PARAMETER, self._places[first]] if known else [HELD, self._states[first]]
            elif operation in OF_NUMBERS:
                words = [OF_NUMBERS[operation], self._number(first), self._number(others[0])]
            elif operation == "neg":
                words = [NEGATIVE, self._number(first)]
            elif operation == "power":
                words = [POWER, self._number(first), others[0]]
            else:
                words = [NUMBER, self._number(first), FUNCTIONS.index(operation)]
            self._number_of[a] = self._put(words)
        return self._number_of[a]

    def _put(self, words: Sequence[int]) -> int:
        self._emit(self.numbers, words[0], self.n_numbers, *words[1:])
        self.n_numbers += 1
        return self.n_numbers - 1

    def _other_number(self, operation: int, a: int) -> int:
        """Return the place of the negative or the inverse of a number."""
        key = operation, a
        if key not in self._number_of:
            taken = [self._one(), self._number(a)] if operation == QUOTIENT else [self._number(a)]
            self._number_of[key] = self._put([operation, *taken])
        return self._number_of[key]

    # Series.

    def _as_row(self, a: int) -> int:
        """Return the row of an expression, also of one that does not vary."""
        if a in self._row_of:
            return self._row_of[a]
        node = self._nodes[a]
        if node[0] == "input" and self._is_series(a):
            return 0 if node[1] == "t" else (self._states[node[1]] + 1) * ROW_SIZE
        if self._is_series(a):
            self._add(a)
        else:
            self._emit(self.body, FILL, self._new_row(a), 0, self._number(a))
        return self._row_of[a]

    def _add(self, a: int) -> None:
        """Add what computes an expression that varies."""
        operation, first, *others = self._nodes[a]
        if operation == "input" or a in self._row_of:
            return
        if operation in ("add", "sub"):
            self._add_sum(a, operation, first, others[0])
        elif operation == "mul":
            self._add_product(a, first, others[0])
        elif operation == "div":
            self._add_quotient(a, first, others[0])
        elif operation == "neg":
            x = self._as_row(first)
            self._emit(self.body, NEGATE, self._new_row(a), x)
        elif operation == "power":
            self._row_of[a] = self._power(self._as_row(first), others[0])
        else:
            self._add_function(a, operation, first)

    def _add_sum(self, a: int, operation: str, first: int, second: int) -> None:
        if self._is_series(first) and self._is_series(second):
            x, y = self._as_row(first), self._as_row(second)
            self._emit(self.body, ADD if operation == "add" else SUBTRACT, self._new_row(a), x, y)
        elif operation == "sub" and not self._is_series(first):
            x = self._as_row(second)
            self._emit(self.body, REFLECT, self._new_row(a), x, self._number(first))
        else:
            series, number = (first, second) if self._is_series(first) else (second, first)
            place = self._other_number(NEGATIVE, number) if operation == "sub" else self._number(number)
            x = self._as_row(series)
            self._emit(self.body, SHIFT, self._new_row(a), x, place)

    def _add_product(self, a: int, first: int, second: int) -> None:
        if self._is_series(first) and self._is_series(second):
            x, y = self._as_row(first), self._as_row(second)
            words = (SQUARE, self._new_row(a), x) if x == y else (MULTIPLY, self._new_row(a), x, y)
            self._emit(self.body, *words)
        else:
            series, number = (first, second) if self._is_series(first) else (second, first)
            x = self._as_row(series)
            self._emit(self.body, SCALE, self._new_row(a), x, self._number(number))

    def _add_quotient(self, a: int, first: int, second: int) -> None:
        if not self._is_series(second):
            x = self._as_row(first)
            self._emit(self.body, SCALE, self._new_row(a), x, self._other_number(QUOTIENT, second))
            return
        y = self._as_row(second)
        if self._is_series(first):
            x = self._as_row(first)
            self._emit(self.body, DIVIDE, self._new_row(a), x, y)
        else:
            self._emit(self.body, RECIPROCAL, self._new_row(a), self._number(first), y)

    def _power(self, x: int, n: int) -> int:
        """Return the row of a whole power of a row, made of squares; each power once."""
        if n == 1:
            return x
        key = "power", x, n
        if key not in self._row_of:
            factors = (self._power(x, n - 1), x) if n % 2 else (self._power(x, n // 2),)
            self._emit(self.body, MULTIPLY if n % 2 else SQUARE, self._new_row(key), *factors)
        return self._row_of[key]

    def _weighed(self, row: int) -> int:
        """Return the row of a row's coefficients times their orders."""
        key = "weighed", row
        if key not in self._row_of:
            self._emit(self.body, WEIGH, self._new_row(key), row)
        return self._row_of[key]

    def _derived(self, operation: int, *words: int) -> int:
        """Return the row of an operation on rows that no expression of the model is."""
        key = operation, *words
        if key not in self._row_of:
            self._emit(self.body, operation, self._new_row(key), *words)
        return self._row_of[key]

    def _one(self) -> int:
        return self._number(self._graph.const(1.0))

    def _add_function(self, a: int, operation: str, argument: int) -> None:
        x, code = self._as_row(argument), FUNCTIONS.index(operation)
        if operation == "sqrt":
            self._emit(self.body, ROOT, self._new_row(a), x)
        elif operation in ("exp", "tan", "tanh"):
            weighed, row = self._weighed(x), self._new_row(a)
            at = len(self.body)
            self._emit(self.body, 0)
            slope = row
            if operation != "exp":
                squared = self._derived(SQUARE, row)
                slope = self._derived(SHIFT if operation == "tan" else REFLECT, squared, self._one())
            self.body[at] = [INTEGRATE_PRODUCT, row, x, slope, weighed, code]
        elif operation in ("sin", "cos", "sinh", "cosh"):
            self._add_pair(operation, argument, x)
        else:
            slope = x
            if operation != "log":
                squared = self._derived(SQUARE, x)
                slope = self._derived(SHIFT if operation == "atan" else REFLECT, squared, self._one())
                slope = slope if operation == "atan" else self._derived(ROOT, slope)
            row = self._new_row(a)
            at = len(self.body)
            self._emit(self.body, 0)
            signed = -1 - code if operation == "acos" else code
            self.body[at] = [INTEGRATE_QUOTIENT, row, x, slope, self._weighed(row), signed]

    def _add_pair(self, operation: str, argument: int, x: int) -> None:
        """Add sine and cosine, circular or hyperbolic, of which each is the slope of the other."""
        names = ("sinh", "cosh") if operation.endswith("h") else ("sin", "cos")
        sine, cosine = (self._new_row(self._graph.apply(name, argument)) for name in names)
        weighed, (code, code_of_slope) = self._weighed(x), map(FUNCTIONS.index, names)
        self._emit(self.body, INTEGRATE_PRODUCT, sine, x, cosine, weighed, code)
        signed = code_of_slope if operation.endswith("h") else -1 - code_of_slope
        self._emit(self.body, INTEGRATE_PRODUCT, cosine, x, sine, weighed, signed)

    def _needed_by(self, rows: Any) -> list[list[int]]:
        """Return the instructions that rows need, in order: those for the last order."""
        writers = {line[1]: line for line in self.body if line[0] != ADVANCE}
        needed, left = set(), list(rows)
        while left:
            row = left.pop()
            if row in writers and row not in needed:
                needed.add(row)
                left += _rows_taken(writers[row])
        return [line for line in self.body if line[0] != ADVANCE and line[1] in needed]


def _rows_taken(line: Sequence[int]) -> list[int]:
    """Return the rows that an instruction takes."""
    operation, _, a, b, weighed, _ = line
    if operation in (ADD, SUBTRACT, MULTIPLY, DIVIDE):
        return [a, b]
    if operation == RECIPROCAL:
        return [b]
    if operation in (INTEGRATE_PRODUCT, INTEGRATE_QUOTIENT):
        return [a, b, weighed]
    return [] if operation == FILL else [a]
