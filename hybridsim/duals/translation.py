"""What stands for a plug-in's functions and tuples where they are compiled on dual numbers.

Tuples of plain and dual numbers, as in `for force in (0.0, x[S.y])`, can be looped over, and indexed. numba does both
with tuples whose members have one type. On dual numbers, constants and variables differ in type; such a tuple is taken
as one of the type that all members can have.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature

from hybridsim.duals import operators
from hybridsim.duals.number_type import Dual, dual
from hybridsim.engine.compiler.backend.binding import shift_pointer
from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES
from hybridsim.engine.compiler.backend.calls import intrinsic_like, separate_call
from hybridsim.engine.compiler.backend.linking import plugin_helper
from hybridsim.engine.compiler.backend.plugin_functions import Translation, stand_ins
from hybridsim.engine.compiler.backend.promotion import promoting_constructor
from hybridsim.engine.compiler.separate import returns_of
from hybridsim.engine.compiler.signatures import dual as c_dual
from hybridsim.engine.compiler.signatures import dual_pointer, real, void


def _contains_dual(value: Any) -> bool:
    members = value.types if isinstance(value, types.Tuple | types.UniTuple) else ()
    return isinstance(value, Dual) or any(map(_contains_dual, members))


def _of_one_type(typing_context: Any, value: Any) -> Any:
    """Return the type of a tuple of one type that a mixed one can become; None if there is none."""
    if not isinstance(value, types.Tuple) or not _contains_dual(value):
        return None
    common = typing_context.unify_types(*value.types)
    return None if common is None else types.UniTuple(common, len(value.types))


def _convert(context: Any, builder: Any, found: Any, value: Any) -> tuple[Any, Any]:
    """Emit the tuple of one type; returns its type and value."""
    expected = _of_one_type(context.typing_context, found)
    members = zip(cgutils.unpack_tuple(builder, value), found.types, strict=True)
    cast = [context.cast(builder, member, kind, expected.dtype) for member, kind in members]
    return expected, context.make_tuple(builder, expected, cast)


@infer
class _IterationOverMixedTuple(AbstractTemplate):
    key = "getiter"

    def generic(self, args: Any, kws: Any) -> Any:
        uniform = _of_one_type(self.context, args[0])
        return None if uniform is None else signature(uniform.iterator_type, *args)


@lower_builtin("getiter", types.Tuple)
def _iterate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    uniform, value = _convert(context, builder, sig.args[0], arguments[0])
    found = signature(uniform.iterator_type, uniform)
    return context.get_function("getiter", found)(builder, (value,))


@infer_global(operator.getitem)
class _IndexOfMixedTuple(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        uniform = _of_one_type(self.context, args[0])
        if uniform is None or not isinstance(args[1], types.Integer) or isinstance(args[1], types.IntegerLiteral):
            return None
        return signature(uniform.dtype, args[0], types.intp)


@lower_builtin(operator.getitem, types.Tuple, types.Integer)
def _get(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    uniform, value = _convert(context, builder, sig.args[0], arguments[0])
    found = signature(uniform.dtype, uniform, sig.args[1])
    return context.get_function(operator.getitem, found)(builder, (value, arguments[1]))


assert operators  # imported for what it registers
NUMBA_TYPES[c_dual], NUMBA_TYPES[dual_pointer] = dual, types.CPointer(dual)


def _entry(function: Any) -> Any:
    """Make the function that takes time as a pointer."""
    inner = plugin_helper(function)

    def of_four(result, t, x, p):
        return inner(result, t[0], x, p)

    def of_five(result, t, x, p, chart):
        return inner(result, t[0], x, p, chart)

    def of_six(result, t, x, p, chart, last):
        return inner(result, t[0], x, p, chart, last)

    entry: Any = {4: of_four, 5: of_five, 6: of_six}[function.__code__.co_argcount]
    # Where numba says in which files a function does not compile, this one is not to be found.
    entry.__code__ = entry.__code__.replace(co_filename="<on dual numbers>")
    entry.__module__, entry.__qualname__ = function.__module__, f"{function.__qualname__}_on_duals"
    return entry


DUAL_TRANSLATION = Translation(
    compiled=stand_ins(dual, shift_pointer),
    constructor=promoting_constructor(dual),
    entry=_entry,
    apart=partial(separate_call, number=c_dual),
)


@cache
def _empty(function: Any) -> Any:
    """Make what is called in place of a function that is compiled separately: it does nothing."""
    returned = returns_of(function) or void
    returns = dual if returned == real else NUMBA_TYPES[returned]

    def typed(arguments: tuple[Any, ...]) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return context.get_dummy_value() if returned == void else context.get_constant_null(returns)

        return returns(*arguments), codegen

    return intrinsic_like(function, typed)


TRIAL_TRANSLATION = replace(
    DUAL_TRANSLATION, apart=lambda function: _empty(function) if function.__module__.startswith("hybridsim.") else None
)
"""That of a plug-in's own functions alone: the kernels of this package, which have derivatives, are left out."""
