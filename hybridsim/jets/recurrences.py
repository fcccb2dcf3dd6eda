"""The coefficients of results from those of arguments: arithmetic, roots, and what an integral gives.

The recurrences are those of Griewank and Walther (2008, tables 13.1 and 13.2), in which every convolution is split
into what is known from lower orders and the products with coefficients of orders 0 and m.
"""

from __future__ import annotations

from typing import Any

from numba import types

from hybridsim.duals.registration import intrinsic
from hybridsim.engine.compiler.jet_rows import ROW_SIZE
from hybridsim.jets.number_type import DOUBLE, INTEGER, Jet, Operation, jet


def add(op: Operation) -> Any:
    return op.add(op.coefficient(0), op.coefficient(1))


def subtract(op: Operation) -> Any:
    return op.subtract(op.coefficient(0), op.coefficient(1))


def negate(op: Operation) -> Any:
    return op.builder.fneg(op.coefficient(0))


def multiply(op: Operation) -> Any:
    a, b = op.parts
    if a is None or b is None:
        number, factor = (1, 0) if a is None else (0, 1)
        return op.multiply(op.coefficient(number), op.plain(factor))
    first = op.multiply(op.coefficient(0), op.first(1))

    def later() -> Any:
        ends = op.add(first, op.multiply(op.first(0), op.coefficient(1)))
        return op.add(ends, op.convolution(a.row, b.row))

    return op.at_start_or_later(lambda: first, later)


def choose(op: Operation, sign: str) -> Any:
    """The argument with the least value for "<", the largest for ">"; the first of equal ones."""
    value, last = op.first(0), op.coefficient(0)
    for i in range(1, len(op.parts)):
        is_better = op.builder.fcmp_ordered(sign, op.first(i), value)
        value = op.builder.select(is_better, op.first(i), value)
        last = op.builder.select(is_better, op.coefficient(i), last)
    return last


def divide(op: Operation, row: Any) -> Any:
    """C = a / b, from a = b c."""
    b = op.parts[1]
    if b is None:
        return op.divide(op.coefficient(0), op.plain(1))

    def later() -> Any:
        known = op.add(op.multiply(op.get(row, INTEGER(0)), op.coefficient(1)), op.convolution(row, b.row))
        return op.divide(op.subtract(op.coefficient(0), known), op.first(1))

    return op.at_start_or_later(lambda: op.divide(op.coefficient(0), op.coefficient(1)), later)


def square_root(op: Operation, row: Any) -> Any:
    """C = sqrt(a), from a = c c."""

    def later() -> Any:
        rest = op.subtract(op.coefficient(0), op.convolution(row, row))
        return op.divide(rest, op.multiply(DOUBLE(2.0), op.get(row, INTEGER(0))))

    return op.at_start_or_later(lambda: op.call("llvm.sqrt", op.coefficient(0)), later)


def power(op: Operation, row: Any) -> Any:
    """C = a^r for a constant r, from a c' = r c a'."""
    a, exponent = op.parts[0], op.plain(1)

    def later() -> Any:
        # m a_0 c_m = m r a_m c_0 + sum over 0 < k < m of (r (m - k) - k) c_k a_(m-k)
        known = op.multiply(op.multiply(op.real_m, exponent), op.convolution(row, a.row))
        bent = op.multiply(op.add(exponent, DOUBLE(1.0)), op.convolution(row, a.row, is_weighted=True))
        ends = op.multiply(exponent, op.multiply(op.coefficient(0), op.get(row, INTEGER(0))))
        inner = op.divide(op.subtract(known, bent), op.real_m)
        return op.divide(op.add(ends, inner), op.first(0))

    return op.at_start_or_later(lambda: op.call("llvm.pow", op.coefficient(0), exponent), later)


def integral(op: Operation, i: int, slope: Any) -> Any:
    """The coefficient of order m > 0 of the integral of slope da, where a is argument i."""
    inner = op.divide(op.convolution(op.parts[i].row, slope, is_weighted=True), op.real_m)
    return op.add(op.multiply(op.coefficient(i), op.get(slope, INTEGER(0))), inner)


def pair(op: Operation, sign: float) -> tuple[Any, Any]:
    """Two functions of argument 2, of which the second is the slope of the first, and `sign` times the first its own.

    Arguments 0 and 1 are their values.
    """
    first, second = op.new_row(), op.new_row()
    a = op.at_start_or_later(lambda: op.plain(0), lambda: integral(op, 2, second))
    b = op.at_start_or_later(lambda: op.plain(1), lambda: op.multiply(DOUBLE(sign), integral(op, 2, first)))
    return op.written(first, a), op.written(second, b)


@intrinsic
def value_of(typingctx: Any, number: Any) -> Any:
    """The coefficient of order 0 of a series; a plain number as a double."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        if isinstance(number, Jet):
            return Operation(context, builder, sig, arguments).first(0)
        return context.cast(builder, arguments[0], number, types.float64)

    return types.float64(number), codegen


@intrinsic
def order_of(typingctx: Any, number: Any) -> Any:
    """The order that is being computed."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return Operation(context, builder, sig, arguments).m

    return types.int64(jet), codegen


@intrinsic
def integrate(typingctx: Any, value: Any, number: Any) -> Any:
    """The integral of a slope that is not yet known at this order, by a series; `value` is where it starts.

    The row after that of the result is for the slope: `keep_slopes`.
    """

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        row, slope = op.new_row(), op.new_row()
        return op.written(row, op.at_start_or_later(lambda: arguments[0], lambda: integral(op, 1, slope)))

    return jet(types.float64, jet), codegen


@intrinsic
def integrate_by_two(typingctx: Any, value: Any, first: Any, second: Any) -> Any:
    """The same for a function of two series: two rows after that of the result are for its slopes."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        row, by_first, by_second = op.new_row(), op.new_row(), op.new_row()
        last = op.at_start_or_later(
            lambda: arguments[0], lambda: op.add(integral(op, 1, by_first), integral(op, 2, by_second))
        )
        return op.written(row, last)

    return jet(types.float64, jet, jet), codegen


@intrinsic
def keep_slope(typingctx: Any, result: Any, slope: Any, index: Any) -> Any:
    """Write the coefficient of a slope to its row, the one after that of the result or the next; returns the result.

    A constant, of which no row is on the tape, has none.
    """

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        with builder.if_then(builder.not_(op.is_null(op.parts[0].end))):
            row = builder.gep(op.parts[0].row, [builder.mul(INTEGER(ROW_SIZE), arguments[2])])
            op.write(row, op.m, op.coefficient(1))
        return arguments[0]

    return jet(jet, slope, types.int64), codegen
