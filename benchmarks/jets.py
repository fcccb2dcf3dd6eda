"""Jets: power series in time as a number type of numba, computed one order at a time.

A function of a plug-in that is compiled on jets computes with each call the coefficients of one order m of all that it
computes, from the coefficients of lower orders, which stand in rows on a tape. Its source is what it is; it has to come
by the same operations at every order, so its branches may depend on charts and parameters only. The recurrences are
those of Jorba and Zou (2005, proposition 2.1).
"""

from __future__ import annotations

import math
import operator
import types as python_types
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

ROW = 32  # doubles between the rows of two series; the highest order is ROW - 1
OPTIONS = {"error_model": "numpy", "fastmath": {"contract"}, "forceinline": True}
_FAST = ("reassoc", "contract")
_DOUBLE, _INTEGER = ir.DoubleType(), ir.IntType(64)
_PLAIN = (types.Float, types.Integer, types.Boolean)
_POINTER = types.CPointer(types.float64)


class Jet(types.Type):
    """A series: its row on the tape, the order that is being computed, and where the tape's end is kept."""


class States(types.Type):
    """What a plug-in reads as `x`: an array of series."""


class Slopes(types.Type):
    """What a plug-in writes as `xdot`: the series are those of `x`, whose next coefficients it gives."""


jet, states, slopes = Jet("Jet"), States("States"), Slopes("Slopes")
for number_type in (Jet, States, Slopes):

    @register_model(number_type)
    class _Model(models.StructModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, [("row", _POINTER), ("m", types.int64), ("end", types.CPointer(_POINTER))])


class Operation:
    """One operation where it is compiled: its arguments, and the row of its result."""

    def __init__(self, context: Any, builder: Any, sig: Any, arguments: Any) -> None:
        self.builder, self._context = builder, context
        self._arguments = list(zip(sig.args, arguments, strict=True))
        proxies = [self._parts(*pair) for pair in self._arguments if isinstance(pair[0], (Jet, States, Slopes))]
        self.m, self._end = proxies[0].m, proxies[0].end
        self.rows = [self._parts(*pair).row if isinstance(pair[0], Jet) else None for pair in self._arguments]

    def _parts(self, kind: Any, value: Any) -> Any:
        return cgutils.create_struct_proxy(kind)(self._context, self.builder, value)

    def new_row(self) -> Any:
        """Take a row from the end of the tape: the same one at every order."""
        row = self.builder.load(self._end)
        self.builder.store(self.builder.gep(row, [_INTEGER(ROW)]), self._end)
        return row

    def jet(self, row: Any) -> Any:
        made = cgutils.create_struct_proxy(jet)(self._context, self.builder)
        made.row, made.m, made.end = row, self.m, self._end
        return made._getvalue()

    def plain(self, i: int) -> Any:
        kind, value = self._arguments[i]
        return self._context.cast(self.builder, value, kind, types.float64)

    def get(self, row: Any, k: Any) -> Any:
        return self.builder.load(self.builder.gep(row, [k]))

    def put(self, row: Any, k: Any, value: Any) -> None:
        self.builder.store(value, self.builder.gep(row, [k]))

    def coefficient(self, i: int) -> Any:
        """The coefficient of order m of an argument."""
        if self.rows[i] is not None:
            return self.get(self.rows[i], self.m)
        is_first = self.builder.icmp_signed("==", self.m, _INTEGER(0))
        return self.builder.select(is_first, self.plain(i), _DOUBLE(0.0))

    def convolution(self, a: Any, b: Any, first: int, beyond: Any, weigh: Any = None) -> Any:
        """The sum of weigh(k) a_k b_(m-k) from k = first up to, not including, `beyond`."""
        builder = self.builder
        total = cgutils.alloca_once_value(builder, _DOUBLE(0.0))
        builder.store(_DOUBLE(0.0), total)
        with cgutils.for_range_slice(builder, _INTEGER(first), beyond, _INTEGER(1), _INTEGER) as (k, _):
            term = builder.fmul(self.get(a, k), self.get(b, builder.sub(self.m, k)), flags=_FAST)
            if weigh:
                term = builder.fmul(weigh(k), term, flags=_FAST)
            builder.store(builder.fadd(builder.load(total), term, flags=_FAST), total)
        return builder.load(total)

    def by_order(self, row: Any, at_zero: Any, later: Any) -> Any:
        """Write one coefficient if m is 0, and another one if it is not."""
        with self.builder.if_else(self.builder.icmp_signed("==", self.m, _INTEGER(0))) as (first, others):
            with first:
                self.put(row, self.m, at_zero())
            with others:
                self.put(row, self.m, later())

    def call(self, name: str, *arguments: Any) -> Any:
        return self.builder.call(self.builder.module.declare_intrinsic(name, [_DOUBLE]), arguments)

    def real(self, k: Any) -> Any:
        return self.builder.sitofp(k, _DOUBLE)


def _sum(op: Operation, row: Any) -> None:
    op.put(row, op.m, op.builder.fadd(op.coefficient(0), op.coefficient(1), flags=_FAST))


def _difference(op: Operation, row: Any) -> None:
    op.put(row, op.m, op.builder.fsub(op.coefficient(0), op.coefficient(1), flags=_FAST))


def _opposite(op: Operation, row: Any) -> None:
    op.put(row, op.m, op.builder.fneg(op.coefficient(0)))


def _product(op: Operation, row: Any) -> None:
    a, b = op.rows
    if a is None or b is None:
        number, factor = (1, 0) if a is None else (0, 1)
        value = op.builder.fmul(op.coefficient(number), op.plain(factor), flags=_FAST)
    else:
        value = op.convolution(a, b, 0, op.builder.add(op.m, _INTEGER(1)))
    op.put(row, op.m, value)


def _quotient(op: Operation, row: Any) -> None:
    b = op.rows[1]
    if b is None:
        op.put(row, op.m, op.builder.fdiv(op.coefficient(0), op.plain(1)))
        return
    rest = op.builder.fsub(op.coefficient(0), op.convolution(row, b, 0, op.m), flags=_FAST)
    op.put(row, op.m, op.builder.fdiv(rest, op.get(b, _INTEGER(0))))


def _square_root(op: Operation, row: Any) -> None:
    def later() -> Any:
        rest = op.builder.fsub(op.coefficient(0), op.convolution(row, row, 1, op.m), flags=_FAST)
        return op.builder.fdiv(rest, op.builder.fmul(_DOUBLE(2.0), op.get(row, _INTEGER(0))))

    op.by_order(row, lambda: op.call("llvm.sqrt", op.coefficient(0)), later)


def _power(op: Operation, row: Any) -> None:
    """A series to a constant power."""
    a, exponent = op.rows[0], op.plain(1)

    def weigh(k: Any) -> Any:
        forwards = op.builder.fmul(op.real(k), exponent)
        return op.builder.fsub(forwards, op.real(op.builder.sub(op.m, k)))

    def later() -> Any:
        total = op.convolution(a, row, 1, op.builder.add(op.m, _INTEGER(1)), weigh)
        return op.builder.fdiv(total, op.builder.fmul(op.real(op.m), op.get(a, _INTEGER(0))))

    op.by_order(row, lambda: op.call("llvm.pow", op.coefficient(0), exponent), later)


def _sine_and_cosine(op: Operation, sine: Any, cosine: Any) -> None:
    a, beyond = op.rows[0], op.builder.add(op.m, _INTEGER(1))

    def later(other: Any) -> Any:
        return op.builder.fdiv(op.convolution(a, other, 1, beyond, op.real), op.real(op.m))

    op.by_order(sine, lambda: op.call("llvm.sin", op.coefficient(0)), lambda: later(cosine))
    op.by_order(cosine, lambda: op.call("llvm.cos", op.coefficient(0)), lambda: op.builder.fneg(later(sine)))


def _sine(op: Operation, row: Any) -> None:
    _sine_and_cosine(op, row, op.new_row())


def _cosine(op: Operation, row: Any) -> None:
    _sine_and_cosine(op, op.new_row(), row)


def _register(name: Any, rule: Any, *kinds: tuple[Any, ...]) -> None:
    """Tell numba what a function of jets returns, and how it is compiled."""

    class Template(AbstractTemplate):
        key = name

        def generic(self, args: Any, _: Any) -> Any:
            is_known = any(len(args) == len(kind) and all(map(isinstance, args, kind)) for kind in kinds)
            return signature(jet, *args) if is_known else None

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        row = op.new_row()
        rule(op, row)
        return op.jet(row)

    infer_global(name)(Template)
    for kind in kinds:
        lower_builtin(name, *kind)(lower)


_BOTH = ((Jet, Jet), *((Jet, plain) for plain in _PLAIN), *((plain, Jet) for plain in _PLAIN))
for sign, its_rule in (
    (operator.add, _sum),
    (operator.sub, _difference),
    (operator.mul, _product),
    (operator.truediv, _quotient),
):
    _register(sign, its_rule, *_BOTH)
_register(operator.neg, _opposite, (Jet,))
_register(operator.pow, _power, *((Jet, plain) for plain in _PLAIN))
for function, its_rule in ((math.sqrt, _square_root), (math.sin, _sine), (math.cos, _cosine)):
    _register(function, its_rule, (Jet,))


@infer_global(operator.getitem)
class _Get(AbstractTemplate):
    def generic(self, args: Any, _: Any) -> Any:
        return signature(jet, args[0], types.int64) if isinstance(args[0], States) else None


@infer_global(operator.setitem)
class _Set(AbstractTemplate):
    def generic(self, args: Any, _: Any) -> Any:
        return signature(types.none, args[0], types.int64, args[2]) if isinstance(args[0], Slopes) else None


def _row_of(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    first = cgutils.create_struct_proxy(sig.args[0])(context, builder, arguments[0]).row
    index = context.cast(builder, arguments[1], sig.args[1], types.int64)
    return builder.gep(first, [builder.mul(index, _INTEGER(ROW))])


@lower_builtin(operator.getitem, States, types.Integer)
def _get(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return Operation(context, builder, sig, arguments).jet(_row_of(context, builder, sig, arguments))


def _set(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    op = Operation(context, builder, sig, arguments)
    after = builder.add(op.m, _INTEGER(1))
    op.put(_row_of(context, builder, sig, arguments), after, builder.fdiv(op.coefficient(2), op.real(after)))
    return context.get_dummy_value()


for value_type in (Jet, types.Float, types.Integer):
    lower_builtin(operator.setitem, Slopes, types.Integer, value_type)(_set)


def _of(kind: Any) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def make(typingctx: Any, rows: Any, m: Any, end: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            made = cgutils.create_struct_proxy(kind)(context, builder)
            made.row, made.m, made.end = arguments
            return made._getvalue()

        return kind(_POINTER, types.int64, types.CPointer(_POINTER)), codegen

    return make


states_of, slopes_of = _of(states), _of(slopes)
"""The arrays `x` and `xdot` at an order: rows, order, where the end of the tape is kept."""


def memory(doubles: int) -> Any:
    """Make a function for numba that returns memory of the function that calls it."""

    @intrinsic  # type: ignore[untyped-decorator]
    def allocate(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            allocated = cgutils.alloca_once(builder, ir.ArrayType(_DOUBLE, doubles))
            return builder.bitcast(allocated, _DOUBLE.as_pointer())

        return _POINTER(), codegen

    return allocate


@intrinsic  # type: ignore[untyped-decorator]
def tape_end(typingctx: Any) -> Any:
    """Where the end of the tape is kept: a variable of the function that calls it."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return cgutils.alloca_once(builder, _DOUBLE.as_pointer())

    return types.CPointer(_POINTER)(), codegen


def with_callees(function: Any, **options: Any) -> Any:
    """Compile a function of a plug-in, and those it calls, as they are."""
    namespace = dict(function.__globals__)
    for name in function.__code__.co_names:
        if isinstance(namespace.get(name), python_types.FunctionType):
            namespace[name] = with_callees(namespace[name], **options)
    copied = python_types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    return njit(**options)(copied)
