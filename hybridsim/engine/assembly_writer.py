"""LLVM's assembly, line by line: numbers, pairs of them side by side, and sums of products of what lies on a tape."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from hybridsim.engine.series_rows import ROW_SIZE

PAIR = "<2 x double>"

INTRINSIC = frozenset({"sqrt", "exp", "log", "sin", "cos"})
"""Functions of LLVM's own, as numba has them; the others are those of the C library."""


def constant(value: float) -> str:
    """Return a double as LLVM's assembly has it, exactly."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


ZERO = constant(0.0)


class Writer:
    """LLVM's assembly, line by line; a block for each order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.called: set[str] = set()
        self.order = -1
        self._count = 0
        self._written: dict[int, str] = {}  # the coefficients of this order, which need not be loaded

    def begin(self, order: int) -> None:
        """Begin the block of an order."""
        self.lines += [f"  br label %order{order}"] * (self.order >= 0) + [f"order{order}:"]
        self.order = order
        self._written = {index: value for index, value in self._written.items() if index % ROW_SIZE == order}

    def new(self, text: str) -> str:
        """Write a line that computes something; return its name."""
        self._count += 1
        self.lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def read(self, index: int, table: str = "tape") -> str:
        if table == "tape" and index in self._written:
            return self._written[index]
        return self.new(f"load double, ptr {self._place(index, table)}, align 8")

    def write(self, index: int, value: str) -> None:
        self._written[index] = value
        self.lines.append(f"  store double {value}, ptr {self._place(index, 'tape')}, align 8")

    def _place(self, index: int, table: str) -> str:
        return self.new(f"getelementptr double, ptr %{table}, i64 {index}")

    def do(self, operation: str, *numbers: str) -> str:
        return self.new(f"{operation} double {', '.join(numbers)}")

    def call(self, function: str, x: str) -> str:
        name = f"llvm.{function}.f64" if function in INTRINSIC else function
        self.called.add(name)
        return self.new(f"call double @{name}(double {x})")

    def fused(self, number: str, factor: str, more: str) -> str:
        """Write number + factor * more, rounded once."""
        return self.new(f"call double @llvm.fmuladd.f64(double {factor}, double {more}, double {number})")

    def sum(self, *products: Sequence[tuple[int, int]]) -> str:
        """Write the sum of products of entries of the tape: of two chains, which are added."""
        return self.do("fadd", *(self.chain(ZERO, chain) for chain in products))

    def chain(self, total: str, products: Sequence[tuple[int, int]]) -> str:
        for a, b in products:
            total = self.fused(total, self.read(a), self.read(b))
        return total

    def inner(self, a: int, b: int, k: int) -> str:
        """Write `series_programs.inner`."""
        even, odd = chains(k)
        return self.sum([(a + i, b + k - i) for i in even], [(a + i, b + k - i) for i in odd])

    def inner_square(self, a: int, k: int) -> str:
        """Write `series_programs.inner_square`."""
        last = (k + 1) // 2 - 1
        inside = [(a + i, a + k - i) for i in range(2, last + 1)]
        total = self.sum(inside[::2], [*inside[1::2], *[(a + 1, a + k - 1)] * (last >= 1)])
        total = self.do("fmul", constant(2.0), total)
        return self.chain(total, [(a + k // 2, a + k // 2)]) if k % 2 == 0 else total

    def less(self, rest: str, inverse: str) -> str:
        """Write -(rest * inverse)."""
        return self.do("fneg", self.do("fmul", rest, inverse))

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

    def broadcast(self, index: int) -> str:
        """Write the pair of an entry of the tape, twice."""
        factor = self.read(index)
        return self.pair(factor, factor)

    def fused_pairs(self, number: str, factor: str, more: str) -> str:
        return self.new(f"call {PAIR} @llvm.fmuladd.v2f64({PAIR} {factor}, {PAIR} {more}, {PAIR} {number})")

    def chain_of_pairs(self, products: Sequence[tuple[int, int]]) -> str:
        """Write a sum of products of an entry of the tape with a pair that is kept, for both of its numbers."""
        total = f"<double {ZERO}, double {ZERO}>"
        for common, pair in products:
            total = self.fused_pairs(total, self.broadcast(common), self.load_pair(pair))
        return total


def chains(k: int) -> tuple[list[int], list[int]]:
    """Return the indices of `series_programs.inner` in the order in which its two chains take them."""
    inside = range(2, k - 1)
    return [*inside[::2], *[k - 1] * (k > 2)], [*inside[1::2], *[1] * (k > 1)]
