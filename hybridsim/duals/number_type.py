"""Dual numbers as a type of numba: a value and its derivatives in eight directions.

A dual number is the struct {double, <8 x double>}, 128 bytes in memory with an alignment of 64. Arithmetic on it is
emitted as LLVM instructions on the whole vector, so eight derivatives cost little more than one.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_cast, models, register_model

from hybridsim.duals.registration import RealType, intrinsic
from hybridsim.engine.compiler.backend.vectors import Lanes, spread, vector_of
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES

lanes_type = Lanes(DUAL_LANES)
"""The numba type of the derivatives of a dual number."""

_ZEROS = ir.Constant(vector_of(DUAL_LANES), [0.0] * DUAL_LANES)
FUSED = ("contract",)


class Dual(RealType):
    """The type of dual numbers."""


dual = Dual("Dual")


@register_model(Dual)
class _DualModel(models.StructModel):
    def __init__(self, manager: Any, dual_type: Dual) -> None:
        super().__init__(manager, dual_type, [("value", types.float64), ("lanes", lanes_type)])


def make_dual(context: Any, builder: Any, value: Any, lanes: Any) -> Any:
    """Emit the dual number of a double and a vector."""
    made = cgutils.create_struct_proxy(dual)(context, builder)
    made.value, made.lanes = value, lanes
    return made._getvalue()


def split(context: Any, builder: Any, number_type: Any, number: Any) -> tuple[Any, Any]:
    """Emit the value of a number and its vector of derivatives; None in its place for a plain number."""
    if isinstance(number_type, Dual):
        parts = cgutils.create_struct_proxy(dual)(context, builder, number)
        return parts.value, parts.lanes
    return context.cast(builder, number, number_type, types.float64), None


@lower_cast(types.Float, Dual)
@lower_cast(types.Integer, Dual)
@lower_cast(types.Boolean, Dual)
def _from_plain_number(context: Any, builder: Any, found: Any, expected: Any, number: Any) -> Any:
    return make_dual(context, builder, context.cast(builder, number, found, types.float64), _ZEROS)


def scale(builder: Any, lanes: Any, factor: Any) -> Any:
    """Emit a vector times a double; None stands for the vector zero."""
    return None if lanes is None else builder.fmul(lanes, spread(builder, factor, DUAL_LANES), flags=FUSED)


def add(builder: Any, first: Any, second: Any) -> Any:
    """Emit the sum of two vectors; None stands for the vector zero."""
    if first is None or second is None:
        return second if first is None else first
    return builder.fadd(first, second, flags=FUSED)


def negate(builder: Any, lanes: Any) -> Any:
    """Emit the negative of a vector; None stands for the vector zero."""
    return None if lanes is None else builder.fneg(lanes)


def multiply_by_slope(builder: Any, lanes: Any, slope: Any) -> Any:
    """Emit a vector times a slope, which may be infinite: zeros stay zero."""
    if lanes is None:
        return None
    is_zero = builder.fcmp_ordered("==", lanes, _ZEROS)
    return builder.select(is_zero, _ZEROS, builder.fmul(lanes, spread(builder, slope, DUAL_LANES), flags=FUSED))


def bound_factor(builder: Any, factor: Any) -> Any:
    """Emit the largest finite double in place of infinity: times zero it is zero, times anything else infinite."""
    largest = factor.type(sys.float_info.max)
    below = builder.select(builder.fcmp_ordered(">", factor, largest), largest, factor)
    return builder.select(builder.fcmp_ordered("<", below, builder.fneg(largest)), builder.fneg(largest), below)


@intrinsic
def value_of(typingctx: Any, number: Any) -> Any:
    """The value of a dual or plain number, as a double."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return split(context, builder, signature.args[0], arguments[0])[0]

    return types.float64(number), codegen


@intrinsic
def chain(typingctx: Any, value: Any, number: Any, slope: Any) -> Any:
    """The dual number with this value, and the derivatives of `number` times a slope."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = split(context, builder, signature.args[1], arguments[1])[1]
        return make_dual(context, builder, arguments[0], multiply_by_slope(builder, lanes, arguments[2]))

    return dual(types.float64, number, types.float64), codegen


@intrinsic
def chain_two(typingctx: Any, value: Any, first: Any, slope: Any, second: Any, slope_of_second: Any) -> Any:
    """The dual number with this value, and the derivatives of two numbers times a slope each; one may be plain."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = split(context, builder, signature.args[1], arguments[1])[1]
        others = split(context, builder, signature.args[3], arguments[3])[1]
        total = add(
            builder, multiply_by_slope(builder, lanes, arguments[2]), multiply_by_slope(builder, others, arguments[4])
        )
        return make_dual(context, builder, arguments[0], total)

    return dual(types.float64, first, types.float64, second, types.float64), codegen
