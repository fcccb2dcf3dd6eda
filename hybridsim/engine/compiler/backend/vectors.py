"""Vectors of some doubles as a type of numba's, and `lanes.Operations` on them, compiled."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

_ALIGNMENT = 8
"""Alignment of a vector in memory [byte]: that of a double, because rows of states begin at any double."""

_intrinsic: Any = intrinsic


def vector_of(count: int) -> ir.VectorType:
    """The LLVM type of a vector of so many doubles."""
    return ir.VectorType(ir.DoubleType(), count)


def spread(builder: Any, value: Any, count: int) -> Any:
    """Emit the vector that has the same double in all its lanes."""
    vector = vector_of(count)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)


class Lanes(types.Type):
    """The numba type of a vector of so many doubles."""

    def __init__(self, count: int) -> None:
        super().__init__(name=f"lanes({count})")
        self.count = count


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, numba_type: Lanes) -> None:
        super().__init__(dmm, numba_type, vector_of(numba_type.count))


def _vector_pointer(builder: Any, data: Any, index: Any, count: int) -> Any:
    return builder.bitcast(builder.gep(data, [index]), vector_of(count).as_pointer())


def zeros(count: int) -> Any:
    """Make `zeros()`."""

    @_intrinsic
    def zeros(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return ir.Constant(vector_of(count), [0.0] * count)

        return Lanes(count)(), codegen

    return zeros


def load(count: int) -> Any:
    """Make `load(data, index)`."""

    @_intrinsic
    def load(typingctx: Any, data: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load(_vector_pointer(builder, values[0], values[1], count), align=_ALIGNMENT)

        return Lanes(count)(data, types.int64), codegen

    return load


def store(count: int) -> Any:
    """Make `store(data, index, lanes)`."""

    @_intrinsic
    def store(typingctx: Any, data: Any, index: Any, lanes: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            builder.store(values[2], _vector_pointer(builder, values[0], values[1], count), align=_ALIGNMENT)
            return context.get_dummy_value()

        return types.void(data, types.int64, Lanes(count)), codegen

    return store


def plus(count: int) -> Any:
    """Make `plus(lanes, factor, more)`."""

    @_intrinsic
    def plus(typingctx: Any, lanes: Any, factor: Any, more: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _multiply_add(builder, spread(builder, values[1], count), values[2], values[0])

        return Lanes(count)(Lanes(count), types.float64, Lanes(count)), codegen

    return plus


@_intrinsic
def fused(typingctx: Any, number: Any, factor: Any, more: Any) -> Any:
    """`lanes.fused` compiled."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _multiply_add(builder, values[1], values[2], values[0])

    return types.float64(types.float64, types.float64, types.float64), codegen


def _multiply_add(builder: Any, factor: Any, more: Any, number: Any) -> Any:
    """Emit number + factor * more, rounded once on each processor that can, and twice on the others."""
    kind = factor.type
    name = f"llvm.fmuladd.v{kind.count}f64" if isinstance(kind, ir.VectorType) else "llvm.fmuladd.f64"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(function, [factor, more, number])
