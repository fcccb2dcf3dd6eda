"""Plain numbers that become numbers of another type, also within named tuples.

A function of a plug-in may return constants on one path and variables on another; where variables have a type of their
own, both must become one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hybridsim.engine.compiler.backend.linking import plugin_helper

_intrinsic: Any = intrinsic


def promote_type(number: Any, plain: Any) -> Any:
    """Return the type of a value after its promotion: `number` for a real one, and within a named tuple."""
    if isinstance(plain, types.Float):
        return number
    if isinstance(plain, types.BaseNamedTuple):
        fields: Any = plain
        members = [promote_type(number, each) for each in fields.types]
        return types.BaseTuple.from_types(members, fields.instance_class)
    return plain


def _emit(number: Any, context: Any, builder: Any, plain: Any, value: Any) -> Any:
    if isinstance(plain, types.BaseNamedTuple):
        fields: Any = plain
        parts = zip(fields.types, cgutils.unpack_tuple(builder, value), strict=True)
        members = [_emit(number, context, builder, *part) for part in parts]
        return context.make_tuple(builder, promote_type(number, plain), members)
    return context.cast(builder, value, plain, number) if isinstance(plain, types.Float) else value


def promotion(number: Any) -> Any:
    """Make the function that turns a real number, also within a named tuple, into one of this type."""

    @_intrinsic
    def promoted(typingctx: Any, plain: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _emit(number, context, builder, plain, arguments[0])

        return promote_type(number, plain)(plain), codegen

    return promoted


def promoting_constructor(number: Any) -> Callable[[Any], Any]:
    """Make the function that makes what is called in place of the class of a named tuple."""
    promoted = promotion(number)

    @cache
    def constructor(tuple_class: Any) -> Any:
        fields = tuple_class._fields
        namespace = {"made": tuple_class, "promoted": promoted}
        promotions = ", ".join(f"promoted({name})" for name in fields)
        exec(f"def construct({', '.join(fields)}):\n    return made({promotions})", namespace)
        construct: Any = namespace["construct"]
        construct.__defaults__ = tuple(tuple_class._field_defaults.values()) or None
        return plugin_helper(construct)

    return constructor
