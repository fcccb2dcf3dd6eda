"""`slices.subarray` and `slices.bind`, compiled.

A bound function is a value of the type `Bound`: the pointers to x and p, and the chart. The function itself is a part
of the type, so that a call is a direct one, and LLVM inlines it like any other.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, models, register_model

_intrinsic: Any = intrinsic


@_intrinsic
def shift_pointer(typingctx: Any, values: Any, first: Any, n: Any) -> Any:
    """`subarray(values, first, n)` compiled: the pointer to values[first], of a constant array, too."""
    is_array = isinstance(values, types.Array)
    found = types.CPointer(values.dtype) if is_array else values

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = arguments[0]
        data = context.make_array(values)(context, builder, array).data if is_array else array
        return builder.gep(data, [arguments[1]])

    return found(values, types.int64, types.int64), codegen


class Bound(types.Callable):
    """The type of a compiled function with fixed x, p and chart; called with t and the arguments after the chart."""

    def __init__(self, function: Any, x: Any, p: Any, chart: Any) -> None:
        self.function = function
        self.given = (("x", x), ("p", p), ("chart", chart))
        super().__init__(name=f"Bound({function}, {x}, {p}, {chart})")

    @property
    def key(self) -> Any:
        return self.function, self.given

    def whole(self, arguments: Any) -> tuple[Any, ...]:
        """Types of all arguments of the function, from those of a call."""
        return (arguments[0], *(given_type for _, given_type in self.given), *arguments[1:])

    def get_call_type(self, context: Any, arguments: Any, keywords: Any) -> Any:
        found = self.function.get_call_type(context, self.whole(arguments), keywords)
        t, rest = found.args[0], found.args[1 + len(self.given) :]
        return Signature(found.return_type, (t, *rest), recvr=self)

    def get_call_signatures(self) -> Any:
        return (), False

    def get_impl_key(self, _: Any) -> Any:
        return Bound


@register_model(Bound)
class _BoundModel(models.StructModel):
    def __init__(self, manager: Any, bound_type: Bound) -> None:
        super().__init__(manager, bound_type, list(bound_type.given))


@lower_builtin(Bound, Bound, types.VarArg(types.Any))
def _call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    bound_type = signature.args[0]
    given = cgutils.create_struct_proxy(bound_type)(context, builder, arguments[0])
    inner = bound_type.function.get_call_type(context.typing_context, bound_type.whole(signature.args[1:]), {})
    function = context.get_function(bound_type.function, inner)
    context.add_linking_libs(getattr(function, "libs", ()))
    passed = (arguments[1], given.x, given.p, given.chart, *arguments[2:])
    cast = [
        context.cast(builder, value, found, expected)
        for value, found, expected in zip(passed, bound_type.whole(signature.args[1:]), inner.args, strict=True)
    ]
    return function(builder, cast)


@_intrinsic
def bind_function(typingctx: Any, function: Any, x: Any, p: Any, chart: Any) -> Any:
    """`bind(function, x, p, chart)` compiled."""
    bound_type = Bound(function, x, p, chart)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(bound_type)(context, builder)
        made.x, made.p, made.chart = arguments[1:]
        return made._getvalue()

    return bound_type(function, x, p, chart), codegen
