"""Vectors of four doubles (SIMD lanes), which the loops over states load, combine and store.

Given bare pointers, a compiler must assume that they overlap, and does not vectorise the loops; explicit vectors need
no assumption. Without compilation a vector is an array of four.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from hybridsim.engine.compiler.signatures import JIT

LANES = 4
"""Doubles in a vector."""

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_ALIGNMENT = 8
"""Alignment of a vector in memory [byte]: that of a double, because rows of states begin at any double."""


class _Lanes(types.Type):
    """The type of a vector of four doubles."""

    def __init__(self) -> None:
        super().__init__(name="lanes")


lanes_type = _Lanes()
_intrinsic: Any = intrinsic


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, numba_type: Any) -> None:
        super().__init__(dmm, numba_type, _VECTOR)


def _vector_pointer(builder: Any, data: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _spread(builder: Any, value: Any) -> Any:
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), everywhere)


@_intrinsic
def _zeros(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return ir.Constant(_VECTOR, [0.0] * LANES)

    return lanes_type(), codegen


@_intrinsic
def _load(typingctx: Any, data: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_vector_pointer(builder, *values), align=_ALIGNMENT)

    return lanes_type(data, types.int64), codegen


@_intrinsic
def _store(typingctx: Any, data: Any, index: Any, lanes: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.store(values[2], _vector_pointer(builder, values[0], values[1]), align=_ALIGNMENT)
        return context.get_dummy_value()

    return types.void(data, types.int64, lanes_type), codegen


@_intrinsic
def _plus(typingctx: Any, lanes: Any, factor: Any, more: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        product = builder.fmul(_spread(builder, values[1]), values[2], flags=("contract",))
        return builder.fadd(values[0], product, flags=("contract",))

    return lanes_type(lanes_type, types.float64, lanes_type), codegen


if JIT:
    zeros, load, store, plus = _zeros, _load, _store, _plus
else:

    def zeros():
        return np.zeros(LANES)

    def load(data, index):
        """Read data[index : index + 4]."""
        return data[index : index + LANES].copy()

    def store(data, index, lanes):
        """Write data[index : index + 4]."""
        data[index : index + LANES] = lanes

    def plus(lanes, factor, more):
        """Add a multiple of a vector: lanes + factor * more."""
        return lanes + factor * more
