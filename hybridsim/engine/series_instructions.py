"""The instructions of a program on power series in LLVM's assembly, one by one and in pairs, for one order each.

Each does what `series_programs.execute` does. Two sums with a factor in common are one of two numbers side by side.
"""

from __future__ import annotations

from hybridsim.engine import series_programs as of
from hybridsim.engine.assembly_writer import ZERO, Writer, chains, constant
from hybridsim.engine.series_rows import ROW_SIZE

Instruction = tuple[int, ...]
"""The words of an instruction."""


def write(w: Writer, k: int, operation: int, result: int, a: int, b: int, weighed: int, code: int) -> None:
    """Write what `series_programs.execute` does."""
    if operation == of.ADVANCE:
        w.write(result + k + 1, w.do("fmul", w.read(a + k), constant(1.0 / (k + 1))))
        return
    if operation == of.MULTIPLY:
        value = _product(w, k, a, b)
    elif operation == of.SQUARE:
        value = _square(w, k, a)
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


def _product(w: Writer, k: int, a: int, b: int) -> str:
    if k == 0:
        return w.do("fmul", w.read(a), w.read(b))
    return w.chain(w.inner(a, b, k), [(a + k, b), (a, b + k)])


def _square(w: Writer, k: int, a: int) -> str:
    first = w.read(a)
    if k == 0:
        return w.do("fmul", first, first)
    return w.fused(w.inner_square(a, k), w.do("fadd", first, first), w.read(a + k))


def _quotient(w: Writer, k: int, operation: int, result: int, a: int, b: int) -> str:
    if k == 0:
        above, below = w.read(a, "tape" if operation == of.DIVIDE else "numbers"), w.read(b)
        w.write(result + of.INVERSE, w.do("fdiv", constant(1.0), below))
        return w.do("fdiv", above, below)
    inverse = w.read(result + of.INVERSE)
    rest = w.less(w.inner(b, result, k), inverse)
    if operation == of.DIVIDE:
        rest = w.fused(rest, w.read(a + k), inverse)
    return w.fused(rest, w.less(w.read(result), w.read(b + k)), inverse)


def _root(w: Writer, k: int, result: int, a: int) -> str:
    if k == 0:
        value = w.call("sqrt", w.read(a))
        w.write(result + of.INVERSE, w.do("fdiv", constant(0.5), value))
        return value
    inverse = w.read(result + of.INVERSE)
    return w.fused(w.less(w.inner_square(result, k), inverse), w.read(a + k), inverse)


def _integral(w: Writer, k: int, operation: int, result: int, a: int, b: int, weighed: int, code: int) -> str:
    sign, code = (-1.0, -1 - code) if code < 0 else (1.0, code)
    if k == 0:
        if operation == of.INTEGRATE_QUOTIENT:
            w.write(result + of.INVERSE, w.do("fdiv", constant(1.0), w.read(b)))
        return w.call(of.FUNCTIONS[code], w.read(a))
    if operation == of.INTEGRATE_PRODUCT:
        rest = w.do("fmul", w.inner(weighed, b, k), constant(sign * (1.0 / k)))
        return w.fused(rest, w.read(a + k), w.do("fmul", constant(sign), w.read(b)))
    inverse = w.read(result + of.INVERSE)
    rest = w.less(w.do("fmul", w.inner(weighed, b, k), constant(1.0 / k)), inverse)
    return w.fused(rest, w.read(a + k), w.do("fmul", constant(sign), inverse))


KEPT = 2 * ROW_SIZE // 3
"""Where a row of pairs keeps one that is the same in all orders."""


def write_pair(w: Writer, k: int, lines: tuple[Instruction, ...], spare: int) -> None:
    """Write two instructions whose sums have a factor in common; the others are kept side by side in `spare`."""
    (operation, first, a, b, weighed, code), (_, second, other_a, other_b, _, other_code) = lines
    if operation == of.MULTIPLY:
        is_first = a == other_a
        newest = w.pair(*(w.read(row + k) for row in ((b, other_b) if is_first else (a, other_a))))
        w.store_pair(spare + 2 * k, newest)
        found = _products(w, k, a if is_first else b, spare, newest, is_first)
    elif k == 0:
        for line in lines:
            write(w, k, *line)
        _keep_pairs(w, operation, (first, second), (code, other_code), spare)
        return
    elif operation == of.DIVIDE:
        inverse = w.broadcast(first + of.INVERSE)
        rest = w.both("fneg", w.both("fmul", _sum_of_pairs(w, k, b, spare, True), inverse))
        rest = w.fused_pairs(rest, w.pair(w.read(a + k), w.read(other_a + k)), inverse)
        newest = w.both("fneg", w.both("fmul", w.load_pair(spare), w.broadcast(b + k)))
        found = w.fused_pairs(rest, newest, inverse)
        w.store_pair(spare + 2 * k, found)
    else:
        weights = [constant(_sign(each) * (1.0 / k)) for each in (code, other_code)]
        total = _sum_of_pairs(w, k, weighed, spare, True)
        rest = w.both("fmul", total, f"<double {weights[0]}, double {weights[1]}>")
        found = w.fused_pairs(rest, w.broadcast(a + k), w.load_pair(spare + KEPT))
        w.store_pair(spare + 2 * k, w.swapped(found))
    for row, value in zip((first, second), w.halves(found), strict=True):
        w.write(row + k, value)


def _sign(code: int) -> float:
    return -1.0 if code < 0 else 1.0


def _keep_pairs(w: Writer, operation: int, rows: tuple[int, int], codes: tuple[int, int], spare: int) -> None:
    """Keep the first coefficients of two quotients, or of two functions that are each other's slopes; and factors."""
    numbers = [w.read(row) for row in rows]
    if operation == of.DIVIDE:
        w.store_pair(spare, w.pair(*numbers))
    else:
        w.store_pair(spare, w.pair(*numbers[::-1]))
        signed = (w.do("fmul", constant(_sign(code)), n) for code, n in zip(codes, numbers[::-1], strict=True))
        w.store_pair(spare + KEPT, w.pair(*signed))


def _products(w: Writer, k: int, common: int, spare: int, newest: str, is_first: bool) -> str:
    """Write `series_programs.product` for two products with a factor in common, their first or their second one."""
    if k == 0:
        return w.both("fmul", w.broadcast(common), newest)
    total = _sum_of_pairs(w, k, common, spare, is_first)
    ends = [(w.broadcast(common + k), w.load_pair(spare)), (w.broadcast(common), newest)]
    for factor, pair in ends if is_first else ends[::-1]:
        total = w.fused_pairs(total, factor, pair)
    return total


def _sum_of_pairs(w: Writer, k: int, common: int, spare: int, is_first: bool) -> str:
    """Write `series_programs.inner` for two sums with a factor in common, which is their first or second one."""
    even, odd = ([i if is_first else k - i for i in chain] for chain in chains(k))
    return w.both(
        "fadd", *(w.chain_of_pairs([(common + i, spare + 2 * (k - i)) for i in chain]) for chain in (even, odd))
    )
