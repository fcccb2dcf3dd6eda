"""From a plug-in's plain Python functions to compiled ones, with errors that say where and what to write instead."""

from __future__ import annotations

import types as python_types
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils, errors
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from hybridsim.engine.compiler.binding import bound, shifted
from hybridsim.engine.compiler.fingerprint import content_hash, read_code
from hybridsim.engine.compiler.function_file import file_of, fingerprint
from hybridsim.engine.compiler.linking import InlinedFunction, LinkedFunction, helper
from hybridsim.engine.compiler.options import JIT, OPTIONS
from hybridsim.engine.compiler.routines import ROUTINES
from hybridsim.engine.compiler.rules import numba_explanation, refuse_forbidden_statements
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.signatures import (
    CALLED_AT_EVERY_STEP,
    EXTRA_OUTPUT,
    FUNCTION_INDEX,
    SIGNATURES,
    interpreted,
)
from hybridsim.engine.compiler.slices import bind, part
from hybridsim.errors import ModelError
from hybridsim.typing import Function, IntArray

MODULE_OF_COMPILED_FUNCTIONS = "hybridsim.engine.compiler"
"""`__module__` of every compiled function: numba imports that module when it loads the function from a file, and the
module of a plug-in may not be importable in another process."""

MAX_FUNCTIONS = 1024
"""Most compiled functions, and most compiled helpers, kept in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledFunctions:
    """The compiled functions of a model.

    Attributes
    ----------
    addresses : (n,) int array
        In the order of `signatures.FUNCTION_INDEX`, 0 where the model has no such function; then room for the addresses
        of the engine's routines.
    alive : tuple
        The objects that own the machine code.
    """

    addresses: IntArray
    alive: tuple[Any, ...]


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


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic:
    """The numbers that a plug-in's functions calculate with; the same source is compiled for each.

    Attributes
    ----------
    name : str
        Part of the key of a compiled function: it tells apart everything that makes different machine code.
    signatures : mapping of str to signature
        C types of the contract functions.
    compiled : mapping of callable to callable
        Function of a plug-in's interface -> function that is compiled in its place.
    inlined : set of str
        Names of the contract functions that contain all their helpers: the compiler takes longer, and they less time.
    constructor : callable
        Makes what is called in place of the class of a named tuple.
    entry : callable
        Makes the function with these C types from a function of the contract.
    interpreted : callable
        Makes the function that is called in its place where nothing is compiled.
    """

    name: str
    signatures: Mapping[str, Any]
    compiled: Mapping[Function, Any]
    inlined: Set[str]
    constructor: Any
    entry: Any
    interpreted: Any


def _unchanged(function: Any) -> Any:
    return function


DOUBLES = Arithmetic(
    name="",
    signatures=SIGNATURES,
    compiled={scratch: stack_memory(types.float64), part: shifted, bind: bound},
    inlined=CALLED_AT_EVERY_STEP,
    constructor=_unchanged,
    entry=_unchanged,
    interpreted=_unchanged,
)
"""Double precision, the numbers of a run."""


def compile_functions(
    model: str, functions: Mapping[str, Function], arithmetic: Arithmetic = DOUBLES
) -> CompiledFunctions:
    """Compile the contract functions of a model, or take them from the cache.

    Parameters
    ----------
    model : str
        Name of the model, for messages.
    functions : mapping of str to callable
        Contract functions by name.
    arithmetic : Arithmetic, optional
        The numbers that they calculate with.

    Returns
    -------
    CompiledFunctions
        Their addresses; 0 for a function that the arithmetic has no C types for.

    Raises
    ------
    ModelError
        If a function does not compile; with `file:line`, the reason and what to write instead.
    """
    addresses = np.zeros(len(FUNCTION_INDEX) + len(ROUTINES), np.int64)
    alive: list[Any] = []
    for name, index in FUNCTION_INDEX.items():
        if name in functions and name in arithmetic.signatures:
            inlined = name in arithmetic.inlined
            addresses[index], owner = _compile(model, functions[name], arithmetic.signatures[name], arithmetic, inlined)
            alive.append(owner)
    return CompiledFunctions(addresses, tuple(alive))


def compile_extra_output(model: str, function: Function) -> tuple[int, Any]:
    """Compile `f(t, x, p, chart) -> float`, or take it from the cache.

    Returns
    -------
    address : int
        Address of the function.
    owner : object
        The object that owns the machine code; it must live as long as the address is used.

    Raises
    ------
    ModelError
        As in `compile_functions`.
    """
    return _compile(model, function, EXTRA_OUTPUT, DOUBLES, inlined=False)


def _compile(model: str, function: Function, signature: Any, arithmetic: Arithmetic, inlined: bool) -> tuple[int, Any]:
    """Return the function's address, and the object that must live as long as the address is used."""
    if not JIT:
        interpreted.append(arithmetic.interpreted(function))
        return len(interpreted) - 1, function
    key = fingerprint(function, f"{signature}{arithmetic.name}{inlined}")
    compile_function = compiled_function if key else compiled_function.__wrapped__
    compiled = compile_function(model, function, key, signature, arithmetic, inlined)
    return compiled.address, compiled


@lru_cache(maxsize=MAX_FUNCTIONS)
def compiled_function(
    model: str, function: Function, key: str | None, signature: Any, arithmetic: Arithmetic, inlined: bool
) -> Any:
    """A plug-in's function as a C function, from the cache if there is a key and the cache has it."""
    compiled = _PluginFunction(function, key, signature, arithmetic, inlined)
    try:
        compiled.compile()
    except errors.NumbaError as problem:
        raise ModelError(f"model {model!r}: {numba_explanation(function, problem)}") from None
    return compiled


class _PluginFunction(CFunc):
    """A function that is checked, and compiled with its helpers, only if the cache does not have it."""

    def __init__(
        self, function: Function, key: str | None, signature: Any, arithmetic: Arithmetic, inlined: bool
    ) -> None:
        self._key, self._interface = key, (signature.args, signature.return_type)
        self._arithmetic, self._inlined = arithmetic, inlined
        super().__init__(function, self._interface, {}, {})
        if key is not None:
            self._cache = file_of(key)

    def _compile_uncached(self) -> Any:
        refuse_forbidden_statements(self.__wrapped__)
        copied = with_compiled_helpers(self.__wrapped__, self._key, frozenset(), self._arithmetic)
        arguments: Any = (self._arithmetic.entry(copied), self._interface, {}, {"forceinline": True, **OPTIONS})
        linked: Any = (InlinedFunction if self._inlined else LinkedFunction)(*arguments)
        try:
            return linked._compile_uncached()
        except (AttributeError, TypeError):
            # What is linked by means that numba (0.61 to 0.68) does not publish can also be called, a little slower.
            called: Any = CFunc(*arguments)
            return called._compile_uncached()


def with_compiled_helpers(function: Any, key: str | None, callers: frozenset[Any], arithmetic: Arithmetic) -> Any:
    """Copy a function, with compiled versions of the plain functions that it calls by name among its globals.

    Parameters
    ----------
    function : callable
        The function.
    key : str or None
        A hash of its contents, part of its symbol: the linker tells two functions apart by their symbols alone.
    callers : frozenset of callable
        The functions that call this one.
    arithmetic : Arithmetic
        The numbers that it calculates with.

    Returns
    -------
    callable
        The copy, which numba can compile.
    """
    namespace = dict(function.__globals__)
    active = callers | {function}
    for name, value in _called_by_name(function):
        if isinstance(value, type):
            namespace[name] = arithmetic.constructor(value)
        elif value in arithmetic.compiled:
            namespace[name] = arithmetic.compiled[value]
        else:
            # A helper that calls itself finds None, which numba refuses.
            namespace[name] = None if value in active else _compiled_helper(value, active, arithmetic)
    copied = python_types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__module__, copied.__qualname__ = MODULE_OF_COMPILED_FUNCTIONS, f"{function.__qualname__}_{key}"
    return copied


_helpers: dict[tuple[Any, str, Arithmetic], Any] = {}
"""Compiled helpers, by function, content and arithmetic: the functions of a model share them."""


def _compiled_helper(function: Any, callers: frozenset[Any], arithmetic: Arithmetic) -> Any:
    content = content_hash(function)
    if content is not None and (function, content, arithmetic) in _helpers:
        return _helpers[function, content, arithmetic]
    refuse_forbidden_statements(function)
    compiled = helper(with_compiled_helpers(function, content, callers, arithmetic))
    if content is not None:
        if len(_helpers) >= MAX_FUNCTIONS:
            _helpers.clear()
        _helpers[function, content, arithmetic] = compiled
    return compiled


def _called_by_name(function: Any) -> Iterator[tuple[str, Any]]:
    """The plain Python functions and classes of named tuples among the globals that the function names."""
    for name in read_code(function.__code__).names:
        value = function.__globals__.get(name)
        is_named_tuple = isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")
        if is_named_tuple or isinstance(value, python_types.FunctionType):
            yield name, value
