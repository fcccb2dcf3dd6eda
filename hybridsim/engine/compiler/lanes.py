"""Vectors of some doubles (SIMD lanes): the loops over states load, combine and store four doubles at a time.

Given bare pointers, a compiler must assume that they overlap, and does not vectorise the loops; explicit vectors need
no assumption. Without compilation a vector is an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from hybridsim.engine.compiler.options import JIT

LANES = 4
"""Doubles in a vector of the engine."""

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


class Operations(NamedTuple):
    """What compiled code does with vectors.

    Attributes
    ----------
    zeros : callable
        `zeros()` makes the vector of zeros.
    load : callable
        `load(data, index)` reads it from data[index:].
    store : callable
        `store(data, index, lanes)` writes it to data[index:].
    plus : callable
        `plus(lanes, factor, more)` returns lanes + factor * more.
    """

    zeros: Callable[..., Any]
    load: Callable[..., Any]
    store: Callable[..., Any]
    plus: Callable[..., Any]


def operations(count: int) -> Operations:
    """Make the operations on vectors of so many doubles."""
    return _compiled(count) if JIT else _interpreted(count)


def _compiled(count: int) -> Operations:
    vector, lanes_type = vector_of(count), Lanes(count)

    def vector_pointer(builder: Any, data: Any, index: Any) -> Any:
        return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())

    @_intrinsic
    def zeros(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return ir.Constant(vector, [0.0] * count)

        return lanes_type(), codegen

    @_intrinsic
    def load(typingctx: Any, data: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load(vector_pointer(builder, *values), align=_ALIGNMENT)

        return lanes_type(data, types.int64), codegen

    @_intrinsic
    def store(typingctx: Any, data: Any, index: Any, lanes: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            builder.store(values[2], vector_pointer(builder, values[0], values[1]), align=_ALIGNMENT)
            return context.get_dummy_value()

        return types.void(data, types.int64, lanes_type), codegen

    @_intrinsic
    def plus(typingctx: Any, lanes: Any, factor: Any, more: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            product = builder.fmul(spread(builder, values[1], count), values[2], flags=("contract",))
            return builder.fadd(values[0], product, flags=("contract",))

        return lanes_type(lanes_type, types.float64, lanes_type), codegen

    return Operations(zeros, load, store, plus)


def _interpreted(count: int) -> Operations:
    def zeros():
        return np.zeros(count)

    def load(data, index):
        return data[index : index + count].copy()

    def store(data, index, lanes):
        data[index : index + count] = lanes

    def plus(lanes, factor, more):
        return lanes + factor * more

    return Operations(zeros, load, store, plus)


zeros, load, store, plus = operations(LANES)
