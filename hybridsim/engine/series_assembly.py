"""The program of a chart as code in LLVM's assembly: each coefficient of each series in a straight line.

It does what `series_programs.interpret` does, sum by sum in the same order, so that its results are the same to the
last bit. Two sums with a factor in common, as those of a sine and its cosine, are one of two numbers side by side.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from hybridsim.engine import series_programs as of
from hybridsim.engine.compiler.jet_rows import ROW_SIZE
from hybridsim.typing import IntArray

SYMBOL = "series"

Instruction = tuple[int, ...]
"""The words of an instruction."""

PAIR = "<2 x double>"

INTRINSIC = frozenset({"sqrt", "exp", "log", "sin", "cos"})
"""Functions of LLVM's own, as numba has them; the others are those of the C library."""


def assembly(words: IntArray, chart: int, order: int) -> str:
    """Return a function of tape and numbers in LLVM's assembly, that executes the program of a chart.

    Parameters
    ----------
    words : (n,) int array
        The programs of all charts.
    chart : int
        The chart.
    order : int
        The order of the series.
    """
    writer = _Writer()
    body, tail = _instructions(words, chart)
    slots, spare = _in_pairs(body), max([line[1] for line in body], default=0) + ROW_SIZE
    for k in range(order):
        writer.begin(k)
        for number, slot in enumerate(slots):
            if len(slot) == 1:
                _write(writer, k, *slot[0])
            else:
                _write_pair(writer, k, slot, spare + number * ROW_SIZE)
    writer.begin(order)
    for line in tail:
        _write(writer, order, *line)
    heads = [f"declare double @{name}(double)" for name in sorted(writer.called)]
    heads += ["declare double @llvm.fmuladd.f64(double, double, double)"]
    heads += [f"declare {PAIR} @llvm.fmuladd.v2f64({PAIR}, {PAIR}, {PAIR})"]
    heads += [f"define void @{SYMBOL}(ptr noalias %tape, ptr noalias %numbers) {{"]
    return "\n".join([*heads, *writer.lines, "  ret void", "}"])


def _instructions(words: IntArray, chart: int) -> tuple[list[Instruction], list[Instruction]]:
    """Return the instructions for each order but the last, and those for the last."""
    first = chart * of.HEADER
    body, tail, end = (int(words[first + part]) for part in (of.BODY, of.TAIL, of.END))
    lines = [tuple(int(word) for word in words[at : at + of.WORDS]) for at in range(body, end, of.WORDS)]
    n = (tail - body) // of.WORDS
    return lines[:n], lines[n:]


def _in_pairs(body: Sequence[Instruction]) -> list[tuple[Instruction, ...]]:
    """Return the instructions in an order of execution, those together that are one of two numbers side by side.

    The second one of a pair comes earlier, if what it takes is there then, or the first one later, if nothing before
    needs it.
    """
    slots: list[tuple[Instruction, ...]] = []
    early: set[int] = set()
    late: dict[int, Instruction] = {}
    for i, line in enumerate(body):
        if i in early:
            continue
        if i in late:
            slots.append((late.pop(i), line))
            continue
        for j in range(i + 1, len(body)):
            other, missing = body[j], {row for _, row, *_ in [*body[i:j], *late.values()]}
            if j in early or j in late or not _is_pair(line, other):
                continue
            if not missing & _taken(other):
                early.add(j)
                slots.append((line, other))
                break
            if not any(line[1] in _taken(reader) for reader in body[i + 1 : j + 1]):
                late[j] = line
                break
        else:
            slots.append((line,))
    return slots


def _is_pair(line: Instruction, other: Instruction) -> bool:
    """Return whether two instructions have sums of products, in the same order, with one factor in common."""
    if line[0] != other[0]:
        return False
    if line[0] == of.INTEGRATE_PRODUCT:  # sine and cosine
        return line[4] == other[4] and line[3] == other[1] and other[3] == line[1]
    return (line[0] == of.DIVIDE and line[3] == other[3]) or (
        line[0] == of.MULTIPLY and (line[2] == other[2] or line[3] == other[3])
    )


def _taken(line: Instruction) -> set[int]:
    """Return the rows whose coefficient of the same order an instruction takes."""
    operation, _, a, b, weighed, _ = line
    if operation in (of.ADD, of.SUBTRACT, of.MULTIPLY, of.DIVIDE, of.INTEGRATE_QUOTIENT):
        return {a, b}
    if operation == of.INTEGRATE_PRODUCT:
        return {a, weighed}
    return {b} if operation == of.RECIPROCAL else set() if operation == of.FILL else {a}


class _Writer:
    """LLVM's assembly, line by line; a block for each order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.called: set[str] = set()
        self.order = -1
        self._count = 0

    def begin(self, order: int) -> None:
        """Begin the block of an order."""
        self.lines += [f"  br label %order{order}"] * (self.order >= 0) + [f"order{order}:"]
        self.order = order

    def new(self, text: str) -> str:
        """Write a line that computes something; return its name."""
        self._count += 1
        self.lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def read(self, index: int, table: str = "tape") -> str:
        return self.new(f"load double, ptr {self._place(index, table)}, align 8")

    def write(self, index: int, value: str) -> None:
        self.lines.append(f"  store double {value}, ptr {self._place(index, 'tape')}, align 8")

    def _place(self, index: int, table: str) -> str:
        return self.new(f"getelementptr double, ptr %{table}, i64 {index}")

    def do(self, operation: str, *numbers: str) -> str:
        return self.new(f"{operation} double {', '.join(numbers)}")

    def call(self, function: str, x: str) -> str:
        name = f"llvm.{function}.f64" if function in INTRINSIC else function
        self.called.add(name)
        return self.new(f"call double @{name}(double {x})")

    def sum(self, *products: Sequence[tuple[int, int]]) -> str:
        """Write the sum of products of entries of the tape: of two chains, which are added."""
        return self.do("fadd", *(self.chain(ZERO, chain) for chain in products))

    def chain(self, total: str, products: Sequence[tuple[int, int]]) -> str:
        for a, b in products:
            numbers = ", ".join(f"double {value}" for value in (self.read(a), self.read(b), total))
            total = self.new(f"call double @llvm.fmuladd.f64({numbers})")
        return total

    def convolution(self, a: int, b: int, first: int, last: int, k: int) -> str:
        """Write `series_programs.convolution`."""
        inside = [(a + i, b + k - i) for i in range(first + 1, last)]
        at_first, at_last = [(a + first, b + k - first)] * (first <= last), [(a + last, b + k - last)] * (first < last)
        return self.sum([*inside[::2], *at_last], [*inside[1::2], *at_first])

    def square(self, a: int, first: int, k: int) -> str:
        """Write `series_programs.square`."""
        last = (k + 1) // 2 - 1
        inside = [(a + i, a + k - i) for i in range(first + 1, last + 1)]
        total = self.sum(inside[::2], [*inside[1::2], *[(a + first, a + k - first)] * (first <= last)])
        total = self.do("fmul", constant(2.0), total)
        return self.chain(total, [(a + k // 2, a + k // 2)]) if k % 2 == 0 and k // 2 >= first else total

    def load_pair(self, index: int) -> str:
        return self.new(f"load {PAIR}, ptr {self._place(index, 'tape')}, align 8")

    def store_pair(self, index: int, pair: str) -> None:
        self.lines.append(f"  store {PAIR} {pair}, ptr {self._place(index, 'tape')}, align 8")

    def pair(self, first: str, second: str) -> str:
        """Write the pair of two numbers."""
        half = self.new(f"insertelement {PAIR} undef, double {first}, i32 0")
        return self.new(f"insertelement {PAIR} {half}, double {second}, i32 1")

    def swapped(self, pair: str) -> str:
        return self.new(f"shufflevector {PAIR} {pair}, {PAIR} undef, <2 x i32> <i32 1, i32 0>")

    def halves(self, pair: str) -> tuple[str, str]:
        """Write the two numbers of a pair."""
        first, second = (self.new(f"extractelement {PAIR} {pair}, i32 {lane}") for lane in (0, 1))
        return first, second

    def both(self, operation: str, *pairs: str) -> str:
        return self.new(f"{operation} {PAIR} {', '.join(pairs)}")

    def chain_of_pairs(self, products: Sequence[tuple[int, str]]) -> str:
        """Write a sum of products of an entry of the tape with a pair, for both of its numbers."""
        total = f"<double {ZERO}, double {ZERO}>"
        for common, pair in products:
            factor = self.read(common)
            numbers = ", ".join(f"{PAIR} {value}" for value in (self.pair(factor, factor), pair, total))
            total = self.new(f"call {PAIR} @llvm.fmuladd.v2f64({numbers})")
        return total


def constant(value: float) -> str:
    """Return a double as LLVM's assembly has it, exactly."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


ZERO = constant(0.0)


def _write(w: _Writer, k: int, operation: int, result: int, a: int, b: int, weighed: int, code: int) -> None:
    """Write what `series_programs.execute` does."""
    if operation == of.ADVANCE:
        w.write(result + k + 1, w.do("fmul", w.read(a + k), constant(1.0 / (k + 1))))
        return
    if operation in (of.MULTIPLY, of.SQUARE):
        value = w.convolution(a, b, 0, k, k) if operation == of.MULTIPLY else w.square(a, 0, k)
    elif operation in (of.ADD, of.SUBTRACT):
        value = w.do("fadd" if operation == of.ADD else "fsub", w.read(a + k), w.read(b + k))
    elif operation == of.SCALE:
        value = w.do("fmul", w.read(b, "numbers"), w.read(a + k))
    elif operation == of.SHIFT:
        value = w.read(a + k) if k else w.do("fadd", w.read(a), w.read(b, "numbers"))
    elif operation == of.REFLECT:
        value = w.do("fneg", w.read(a + k)) if k else w.do("fsub", w.read(b, "numbers"), w.read(a))
    elif operation == of.NEGATE:
        value = w.do("fneg", w.read(a + k))
    elif operation == of.WEIGH:
        value = w.do("fmul", constant(k), w.read(a + k))
    elif operation == of.FILL:
        value = ZERO if k else w.read(b, "numbers")
    elif operation in (of.DIVIDE, of.RECIPROCAL):
        value = _quotient(w, k, operation, result, a, b)
    elif operation == of.ROOT:
        value = _root(w, k, result, a)
    else:
        value = _integral(w, k, operation, result, a, b, weighed, code)
    w.write(result + k, value)


def _quotient(w: _Writer, k: int, operation: int, result: int, a: int, b: int) -> str:
    if k == 0:
        above, below = w.read(a, "tape" if operation == of.DIVIDE else "numbers"), w.read(b)
        w.write(result + of.INVERSE, w.do("fdiv", constant(1.0), below))
        return w.do("fdiv", above, below)
    rest = w.convolution(b, result, 1, k, k)
    above = w.read(a + k) if operation == of.DIVIDE else ZERO
    return w.do("fmul", w.do("fsub", above, rest), w.read(result + of.INVERSE))


def _root(w: _Writer, k: int, result: int, a: int) -> str:
    if k == 0:
        value = w.call("sqrt", w.read(a))
        w.write(result + of.INVERSE, w.do("fdiv", constant(0.5), value))
        return value
    return w.do("fmul", w.do("fsub", w.read(a + k), w.square(result, 1, k)), w.read(result + of.INVERSE))


def _integral(w: _Writer, k: int, operation: int, result: int, a: int, b: int, weighed: int, code: int) -> str:
    sign, code = (-1.0, -1 - code) if code < 0 else (1.0, code)
    if k == 0:
        if operation == of.INTEGRATE_QUOTIENT:
            w.write(result + of.INVERSE, w.do("fdiv", constant(1.0), w.read(b)))
        return w.call(of.FUNCTIONS[code], w.read(a))
    if operation == of.INTEGRATE_PRODUCT:
        return w.do("fmul", w.convolution(weighed, b, 1, k, k), constant(sign * (1.0 / k)))
    rest = w.do("fmul", w.convolution(weighed, b, 1, k - 1, k), constant(1.0 / k))
    signed = w.do("fmul", constant(sign), w.read(a + k))
    return w.do("fmul", w.do("fsub", signed, rest), w.read(result + of.INVERSE))


def _write_pair(w: _Writer, k: int, lines: tuple[Instruction, ...], spare: int) -> None:
    """Write two instructions whose sums have a factor in common; the others are kept side by side in `spare`."""
    (operation, first, a, b, weighed, code), (_, second, other_a, other_b, _, other_code) = lines
    if operation == of.MULTIPLY:
        is_first = a == other_a
        newest = w.pair(*(w.read(row + k) for row in ((b, other_b) if is_first else (a, other_a))))
        w.store_pair(spare + 2 * k, newest)
        found = _sum_of_pairs(w, a if is_first else b, spare, 0, k, newest, is_first)
    elif k == 0:
        for line in lines:
            _write(w, k, *line)
        numbers = [w.read(row) for row in (first, second)]
        w.store_pair(spare, w.pair(*(numbers if operation == of.DIVIDE else numbers[::-1])))
        return
    elif operation == of.DIVIDE:
        above, inverse = w.pair(w.read(a + k), w.read(other_a + k)), w.read(first + of.INVERSE)
        rest = w.both("fsub", above, _sum_of_pairs(w, b, spare, 1, k, "", True))
        found = w.both("fmul", rest, w.pair(inverse, inverse))
        w.store_pair(spare + 2 * k, found)
    else:
        weights = [constant((-1.0 if each < 0 else 1.0) * (1.0 / k)) for each in (code, other_code)]
        total = _sum_of_pairs(w, weighed, spare, 1, k, "", True)
        found = w.both("fmul", total, f"<double {weights[0]}, double {weights[1]}>")
        w.store_pair(spare + 2 * k, w.swapped(found))
    for row, value in zip((first, second), w.halves(found), strict=True):
        w.write(row + k, value)


def _sum_of_pairs(w: _Writer, common: int, spare: int, first: int, k: int, newest: str, is_first: bool) -> str:
    """Write `series_programs.convolution` for two sums with a factor in common, which is their first or second one."""

    def product(i: int) -> tuple[int, str]:
        of_pair = k - i if is_first else i
        pair = newest if of_pair == k else w.load_pair(spare + 2 * of_pair)
        return common + k - of_pair, pair

    inside = range(first + 1, k)
    even, odd = [*inside[::2], *[k] * (first < k)], [*inside[1::2], *[first] * (first <= k)]
    return w.both("fadd", *(w.chain_of_pairs([product(i) for i in chain]) for chain in (even, odd)))
