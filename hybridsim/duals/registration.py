"""What numba is taught of a type of numbers that takes the place of doubles: dual numbers, and series.

Both have operators, comparisons and choices among several numbers, each with plain numbers too; and functions of their
values alone, whose results are plain.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from numba import extending, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import overload

from hybridsim.duals.rules import EXTREMA, PLAIN

PLAIN_NUMBERS = (types.Float, types.Integer, types.Boolean)

COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}
intrinsic: Any = extending.intrinsic


class RealType(types.Type):
    """A type of numbers; plain numbers become such numbers where both meet."""

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, PLAIN_NUMBERS) else None


def is_operation(number: Any, arguments: Any) -> bool:
    """Return whether all arguments are numbers, one of them at least of the class of `number`."""
    numbers = all(isinstance(argument, (type(number), *PLAIN_NUMBERS)) for argument in arguments)
    return numbers and any(isinstance(argument, type(number)) for argument in arguments)


def register_operator(names: Iterable[Any], number: Any, count: int, lower: Any, returns: Any = None) -> None:
    """Teach numba operators of `count` numbers, one or two, which return `number` by default."""
    kind, returned = type(number), number if returns is None else returns
    pairs = ((kind, kind), *((kind, plain) for plain in PLAIN_NUMBERS), *((plain, kind) for plain in PLAIN_NUMBERS))
    for name in names:

        class Template(AbstractTemplate):
            key = name

            def generic(self, args: Any, kws: Any) -> Any:
                return signature(returned, *args) if len(args) == count and is_operation(number, args) else None

        infer_global(name)(Template)
        for kinds in {1: ((kind,),), 2: pairs}[count]:
            lower_builtin(name, *kinds)(lower)


def register_comparisons(number: Any, values_of: Any) -> None:
    """Teach numba to compare by values: `values_of(context, builder, sig, arguments)` emits two doubles."""

    def compared(sign: str) -> Any:
        def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            compare = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered  # nan differs from everything
            return compare(sign, *values_of(context, builder, sig, arguments))

        return lower

    for name, symbol in COMPARISONS.items():
        register_operator((name,), number, 2, compared(symbol), types.boolean)


def register_plain_functions(number: Any, value_of: Any) -> None:
    """Teach numba the functions whose results are plain; `value_of(x)` is the double that they are called with."""
    kind = type(number)

    def plain(function: Any) -> Any:
        return lambda x: (lambda x: function(value_of(x))) if isinstance(x, kind) else None

    for name in PLAIN:
        overload(name)(plain(name))
    overload(float)(lambda x: (lambda x: x) if isinstance(x, kind) else None)


def register_extrema(number: Any, emit: Any) -> None:
    """Teach numba `min` and `max` of any count of numbers; like Python's they keep the first of equal ones.

    `emit(context, builder, kinds, numbers, sign)` emits the choice: "<" for `min`, ">" for `max`.
    """

    def extremum(sign: str) -> Any:
        @intrinsic
        def choose(typingctx: Any, numbers: Any) -> Any:
            def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
                return emit(context, builder, sig.args[0], cgutils.unpack_tuple(builder, arguments[0]), sign)

            return number(numbers), codegen

        def typed(*x):
            if len(x) == 1 and isinstance(x[0], types.BaseTuple):
                return (lambda *x: choose(x[0])) if is_operation(number, x[0]) else None
            return (lambda *x: choose(x)) if is_operation(number, x) else None

        return typed

    for names, sign in EXTREMA:
        for name in names:
            overload(name)(extremum(sign))
