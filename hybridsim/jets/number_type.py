"""Power series in time as a type of numba: a row of coefficients on a tape, of which one order is being computed.

A function that is compiled on series is called once for each order m, from 0 on. Each of its operations takes a row of
the tape, the same one at every order, and writes the coefficient of order m of its result from coefficients of lower
orders, and those of order m of its arguments, which are at hand in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_cast, models, register_model

from hybridsim.duals.registration import RealType
from hybridsim.engine.compiler.backend.vectors import vector_of
from hybridsim.engine.compiler.jet_rows import LAST_BACKWARD, ROW_SIZE
from hybridsim.engine.compiler.lanes import LANES

DOUBLE, INTEGER = ir.DoubleType(), ir.IntType(64)
POINTER = types.CPointer(types.float64)
_FAST = ("reassoc", "contract")
_VECTOR = vector_of(LANES)


class Jet(RealType):
    """The type of a series.

    A constant series, of a plain number, has no place on the tape and knows no order: its `end` is null, `last` its
    value.
    """


class States(types.Type):
    """The type of `x`: an array of series, whose coefficients are known up to the order that is being computed."""


class Slopes(types.Type):
    """The type of `xdot`: the same series, whose next coefficients are what is written there."""


class Results(types.Type):
    """The type of `g`: series that are written where nothing was before."""


jet, states, slopes, results = Jet("Jet"), States("States"), Slopes("Slopes"), Results("Results")
ARRAYS = (States, Slopes, Results)

CONTEXT = [("m", types.int64), ("blocks", types.int64), ("end", types.CPointer(POINTER))]
"""What every operation has to know: the order, how many vectors of coefficients lie below it, and where two places on
the tape are kept: that of the next row, and that of the last one there is."""


@register_model(Jet)
class _JetModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("row", POINTER), ("last", types.float64), *CONTEXT])


@register_model(States)
@register_model(Slopes)
@register_model(Results)
class _ArrayModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("row", POINTER), *CONTEXT])


def zeros_of(builder: Any) -> Any:
    """The row of a constant series, which is read from order 1 on."""
    name, kind = "zeros_of_a_series", ir.ArrayType(DOUBLE, ROW_SIZE)
    found = builder.module.globals.get(name)
    if found is None:
        found = cgutils.add_global_variable(builder.module, kind, name)
        found.initializer, found.global_constant, found.linkage = ir.Constant(kind, None), True, "internal"
    return builder.bitcast(found, DOUBLE.as_pointer())


@lower_cast(types.Float, Jet)
@lower_cast(types.Integer, Jet)
@lower_cast(types.Boolean, Jet)
def _from_plain_number(context: Any, builder: Any, found: Any, expected: Any, number: Any) -> Any:
    made = cgutils.create_struct_proxy(jet)(context, builder)
    made.row, made.last = zeros_of(builder), context.cast(builder, number, found, types.float64)
    made.m = made.blocks = INTEGER(0)
    made.end = ir.Constant(made.end.type, None)
    return made._getvalue()


class Operation:
    """One operation where it is compiled: its arguments, some of which are series.

    Attributes
    ----------
    m, real_m : LLVM values
        The order, and the same as a double; a constant in the copy of the function for order 0.
    parts : list
        For each argument the row and the coefficient of order m of a series, or None for a plain number.
    """

    def __init__(self, context: Any, builder: Any, sig: Any, arguments: Any) -> None:
        self.context, self.builder = context, builder
        self._arguments = list(zip(sig.args, arguments, strict=True))
        made = [self._proxy(*pair) for pair in self._arguments]
        known = [proxy for proxy in made if proxy is not None]
        self.m, self._blocks, self._end = known[-1].m, known[-1].blocks, known[-1].end
        for proxy in known[:-1]:
            is_known = builder.not_(self.is_null(proxy.end))
            self.m = builder.select(is_known, proxy.m, self.m)
            self._blocks = builder.select(is_known, proxy.blocks, self._blocks)
            self._end = builder.select(is_known, proxy.end, self._end)
        self.parts: list[Any] = [
            proxy if isinstance(kind, Jet) else None for kind, proxy in zip(sig.args, made, strict=True)
        ]

    def _proxy(self, kind: Any, value: Any) -> Any:
        if not isinstance(kind, (Jet, *ARRAYS)):
            return None
        return cgutils.create_struct_proxy(kind)(self.context, self.builder, value)

    def is_null(self, pointer: Any) -> Any:
        return self.builder.icmp_unsigned("==", pointer, ir.Constant(pointer.type, None))

    @property
    def real_m(self) -> Any:
        return self.builder.sitofp(self.m, DOUBLE)

    def plain(self, i: int) -> Any:
        """An argument as a double."""
        kind, value = self._arguments[i]
        return self.context.cast(self.builder, value, kind, types.float64)

    def is_start(self) -> Any:
        """Whether the order is 0."""
        return self.builder.icmp_signed("==", self.m, INTEGER(0))

    def coefficient(self, i: int) -> Any:
        """The coefficient of order m of an argument."""
        part = self.parts[i]
        value = self.plain(i) if part is None else part.last
        of_constant = self.builder.select(self.is_start(), value, DOUBLE(0.0))
        return of_constant if part is None else self.builder.select(self.is_null(part.end), of_constant, part.last)

    def first(self, i: int) -> Any:
        """The coefficient of order 0 of an argument."""
        part = self.parts[i]
        if part is None:
            return self.plain(i)
        return self.builder.select(self.is_null(part.end), part.last, self.get(part.row, INTEGER(0)))

    def get(self, row: Any, k: Any) -> Any:
        return self.builder.load(self.builder.gep(row, [k]))

    def new_row(self) -> Any:
        """Take a row from the end of the tape; where all arguments are constants, one that is not used again."""
        builder = self.builder
        unused = builder.bitcast(cgutils.alloca_once(builder, ir.ArrayType(DOUBLE, ROW_SIZE)), DOUBLE.as_pointer())
        found = cgutils.alloca_once(builder, unused.type)
        builder.store(unused, found)
        with builder.if_then(builder.not_(self.is_null(self._end))):
            row, last = builder.load(self._end), builder.load(builder.gep(self._end, [INTEGER(1)]))
            builder.store(row, found)
            after = builder.gep(row, [INTEGER(ROW_SIZE)])
            builder.store(builder.select(builder.icmp_unsigned("<", row, last), after, last), self._end)
        return builder.load(found)

    def write(self, row: Any, k: Any, value: Any) -> None:
        """Write the coefficient of order k, forwards and, unless k is 0, backwards."""
        self.builder.store(value, self.builder.gep(row, [k]))
        is_start = self.builder.icmp_signed("==", k, INTEGER(0))
        mirrored = self.builder.select(is_start, DOUBLE(0.0), value)
        self.builder.store(mirrored, self.builder.gep(row, [self.builder.sub(INTEGER(LAST_BACKWARD), k)]))

    def series(self, row: Any, last: Any) -> Any:
        """Make a series from its row and its coefficient of order m."""
        made = cgutils.create_struct_proxy(jet)(self.context, self.builder)
        made.row = self.builder.select(self.is_null(self._end), zeros_of(self.builder), row)
        made.last, made.m, made.blocks, made.end = last, self.m, self._blocks, self._end
        return made._getvalue()

    def written(self, row: Any, last: Any) -> Any:
        """Write the coefficient of order m to a row, and make a series of it."""
        self.write(row, self.m, last)
        return self.series(row, last)

    def result(self, last: Any) -> Any:
        """Write the coefficient of order m to a new row."""
        return self.written(self.new_row(), last)

    def convolution(self, a: Any, b: Any, is_weighted: bool = False) -> Any:
        """The sum of a_k b_(m-k), times k if it is weighted, for k from 1 to m - 1: of what is known from lower orders.

        The coefficients of whole blocks below m are loaded as vectors, the up to three others one by one: a vector that
        contains one just stored would have to wait for it.
        """
        builder = self.builder
        backwards = builder.gep(b, [builder.sub(INTEGER(LAST_BACKWARD), self.m)])
        total = cgutils.alloca_once(builder, _VECTOR)
        builder.store(ir.Constant(_VECTOR, [0.0] * LANES), total)
        with cgutils.for_range_slice(builder, INTEGER(0), self._blocks, INTEGER(1), INTEGER) as (j, _):
            k = builder.add(builder.mul(j, INTEGER(LANES)), INTEGER(1))
            term = self._vector(builder.gep(a, [k]))
            if is_weighted:
                term = builder.fmul(term, self._numbers_from(k), flags=_FAST)
            term = builder.fmul(term, self._vector(builder.gep(backwards, [k])), flags=_FAST)
            builder.store(builder.fadd(builder.load(total), term, flags=_FAST), total)
        kind = ir.FunctionType(DOUBLE, [DOUBLE, _VECTOR])
        reduce = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{LANES}f64")
        found = builder.call(reduce, [DOUBLE(0.0), builder.load(total)], fastmath=_FAST)
        for i in range(1, LANES):
            k = builder.add(builder.mul(self._blocks, INTEGER(LANES)), INTEGER(i))
            term = builder.fmul(self.get(a, k), self.get(backwards, k), flags=_FAST)
            if is_weighted:
                term = builder.fmul(term, builder.sitofp(k, DOUBLE), flags=_FAST)
            found = builder.fadd(found, term, flags=_FAST)
        return found

    def _vector(self, pointer: Any) -> Any:
        return self.builder.load(self.builder.bitcast(pointer, _VECTOR.as_pointer()), align=8)

    def _numbers_from(self, k: Any) -> Any:
        """The vector k, k + 1, k + 2, k + 3 of doubles."""
        made = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            number = self.builder.sitofp(self.builder.add(k, INTEGER(lane)), DOUBLE)
            made = self.builder.insert_element(made, number, ir.Constant(ir.IntType(32), lane))
        return made

    def at_start_or_later(self, at_start: Callable[[], Any], later: Callable[[], Any]) -> Any:
        """A number that is computed in one way for the order 0, and in another one for all others."""
        found = cgutils.alloca_once(self.builder, DOUBLE)
        with self.builder.if_else(self.is_start()) as (first, others):
            with first:
                self.builder.store(at_start(), found)
            with others:
                self.builder.store(later(), found)
        return self.builder.load(found)

    def add(self, a: Any, b: Any) -> Any:
        return self.builder.fadd(a, b, flags=_FAST)

    def subtract(self, a: Any, b: Any) -> Any:
        return self.builder.fsub(a, b, flags=_FAST)

    def multiply(self, a: Any, b: Any) -> Any:
        return self.builder.fmul(a, b, flags=_FAST)

    def divide(self, a: Any, b: Any) -> Any:
        return self.builder.fdiv(a, b)

    def call(self, name: str, *arguments: Any) -> Any:
        return self.builder.call(self.builder.module.declare_intrinsic(name, [DOUBLE]), arguments)
