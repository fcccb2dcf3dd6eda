"""The program of a chart as code in LLVM's assembly: each coefficient of each series in a straight line.

It does what `series_programs.interpret` does, sum by sum in the same order, so that its results are the same to the
last bit. Two sums with a factor in common, as those of a sine and its cosine, are one of two numbers side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsim.engine import series_programs as of
from hybridsim.engine.assembly_writer import PAIR, Writer
from hybridsim.engine.series_instructions import Instruction, write, write_pair
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.typing import IntArray

SYMBOL = "series"


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
    writer = Writer()
    body, tail = _instructions(words, chart)
    slots, spare = _in_pairs(body), max([line[1] for line in body], default=0) + ROW_SIZE
    for k in range(order):
        writer.begin(k)
        for number, slot in enumerate(slots):
            if len(slot) == 1:
                write(writer, k, *slot[0])
            else:
                write_pair(writer, k, slot, spare + number * ROW_SIZE)
    writer.begin(order)
    for line in tail:
        write(writer, order, *line)
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
