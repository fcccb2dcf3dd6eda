"""A plug-in's plain Python functions, translated to machine code together with the helpers that they call."""

from __future__ import annotations

import types as python_types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic

from hybridsim.engine.compiler.backend.binding import bind_function, shift_pointer
from hybridsim.engine.compiler.backend.c_types import numba_signature
from hybridsim.engine.compiler.backend.calls import separate_call
from hybridsim.engine.compiler.backend.linking import c_function, helper, plugin_helper
from hybridsim.engine.compiler.bytecode import read_code
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.object_file import ObjectCode
from hybridsim.engine.compiler.options import PLUGIN_OPTIONS
from hybridsim.engine.compiler.rules import numba_explanation, refuse_forbidden_statements
from hybridsim.engine.compiler.scratch import buffer, integers, reals, scratch
from hybridsim.engine.compiler.separate import returns_of
from hybridsim.engine.compiler.signatures import Signature
from hybridsim.engine.compiler.sines import sines, sines_one_by_one
from hybridsim.engine.compiler.slices import bind, is_nothing, is_zero, may_be_something, subarray
from hybridsim.errors import ModelError
from hybridsim.typing import Function

MODULE_OF_COMPILED_FUNCTIONS = "hybridsim.engine.compiler"
"""`__module__` of every compiled function, for numba: the module of a plug-in may have no name to import it by."""

MAX_HELPERS = 1024
"""Most compiled helpers kept in memory."""


def stack_memory(number: types.Type) -> Any:
    """Make `scratch(n)` compiled: n numbers of this type on the stack."""

    @intrinsic(prefer_literal=True)
    def reserve(typingctx: Any, n: Any) -> Any:
        if not isinstance(n, types.IntegerLiteral):
            raise errors.TypingError("scratch(n) needs a constant n")
        count = n.literal_value

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return cgutils.alloca_once(builder, context.get_value_type(number), size=count)

        return types.CPointer(number)(n), codegen

    return reserve


def memory_at(number: types.Type) -> Any:
    """Make `integers`, `reals` or `buffer` compiled: a pointer to numbers of this type, from its address in p."""

    def pointer(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(number)(types.int64), codegen

    at: Any = intrinsic(pointer)

    def memory(p, index, n):
        return at(int(p[index]))

    memory.__qualname__ = f"memory_of_{number}"
    return plugin_helper(memory)


def stand_ins(number: types.Type, part: Any) -> dict[Function, Any]:
    """Return what is compiled in place of a plug-in's interface where functions calculate with numbers of this type."""
    return {
        scratch: stack_memory(number),
        buffer: memory_at(number),
        integers: memory_at(types.int32),
        reals: memory_at(types.float64),
        subarray: part,
        bind: bind_function,
        is_nothing: plugin_helper(is_zero if number == types.float64 else may_be_something),
        # No product and sum of it are fused.
        sines: helper(sines) if number == types.float64 else plugin_helper(sines_one_by_one),
    }


def _along(function: Function) -> None:
    """Let a function that could be compiled separately be compiled along with those that call it."""


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """What stands in the compiled functions of a plug-in for what they name.

    Attributes
    ----------
    compiled : mapping of callable to callable
        Function of a plug-in's interface -> function that is compiled in its place.
    constructor : callable
        Makes what is called in place of the class of a named tuple.
    entry : callable
        Makes the function with the C types from a function of the contract; one that is compiled on its own has them.
    apart : callable
        Returns what is called in place of a function that could be compiled separately (`separate`); None if it is
        compiled along with those that call it.
    """

    compiled: Mapping[Function, Any]
    constructor: Callable[[Any], Any]
    entry: Callable[[Any], Any]
    apart: Callable[[Function], Any] = _along


DOUBLES_TRANSLATION = Translation(
    compiled=stand_ins(types.float64, shift_pointer),
    constructor=lambda constructed: constructed,
    entry=lambda function: function,
    apart=separate_call,
)
"""That of functions on double precision numbers."""


def translate(
    model: str, function: Function, key: str | None, signature: Signature, translation: Translation, is_inlined: bool
) -> ObjectCode:
    """Compile a plug-in's function; for the arguments see `compilation.compile_or_load`.

    Raises
    ------
    ModelError
        If it does not compile.
    """
    refuse_forbidden_statements(function)
    declared = numba_signature(signature)
    try:
        copied = with_compiled_helpers(function, key, frozenset(), translation)
        entry = copied if returns_of(function) else translation.entry(copied)
        return c_function(entry, (declared.args, declared.return_type), is_inlined, PLUGIN_OPTIONS)
    except errors.NumbaError as problem:
        raise ModelError(f"model {model!r}: {numba_explanation(function, problem)}") from None


def with_compiled_helpers(function: Any, key: str | None, callers: frozenset[Any], translation: Translation) -> Any:
    """Copy a function, with compiled versions of the plain functions that it calls by name among its globals.

    Parameters
    ----------
    function : callable
        The function.
    key : str or None
        A hash of its contents, part of its symbol: the linker tells two functions apart by their symbols alone.
    callers : frozenset of callable
        The functions that call this one.
    translation : Translation
        What stands for what it names.

    Returns
    -------
    callable
        The copy, which numba can compile.
    """
    namespace = dict(function.__globals__)
    active = callers | {function}
    for name, value in _functions_called_by_name(function):
        if isinstance(value, type):
            namespace[name] = translation.constructor(value)
        elif value in translation.compiled:
            namespace[name] = translation.compiled[value]
        elif returns_of(value) and (apart := translation.apart(value)):
            namespace[name] = apart
        else:
            # A helper that calls itself finds None, which numba refuses.
            namespace[name] = None if value in active else _compile_helper(value, active, translation)
    copied = python_types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__module__, copied.__qualname__ = MODULE_OF_COMPILED_FUNCTIONS, f"{function.__qualname__}_{key}"
    return copied


_helpers: dict[tuple[Any, str, Translation], Any] = {}
"""Compiled helpers, by function, content and translation: the functions of a model share them."""


def _compile_helper(function: Any, callers: frozenset[Any], translation: Translation) -> Any:
    content = content_hash(function)
    if content is not None and (function, content, translation) in _helpers:
        return _helpers[function, content, translation]
    refuse_forbidden_statements(function)
    compiled = plugin_helper(with_compiled_helpers(function, content, callers, translation))
    if content is not None:
        if len(_helpers) >= MAX_HELPERS:
            _helpers.clear()
        _helpers[function, content, translation] = compiled
    return compiled


def _functions_called_by_name(function: Any) -> Iterator[tuple[str, Any]]:
    """The plain Python functions and classes of named tuples among the globals that the function names."""
    for name in read_code(function.__code__).names:
        value = function.__globals__.get(name)
        is_named_tuple = isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")
        if is_named_tuple or isinstance(value, python_types.FunctionType):
            yield name, value
