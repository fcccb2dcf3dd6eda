"""From a plug-in's plain Python functions to compiled ones, with errors that say where and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from hybridsim.engine.compiler.fingerprint import fingerprint
from hybridsim.engine.compiler.object_file import LoadedFunction, ObjectCode, file_of, load_function
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import ROUTINES
from hybridsim.engine.compiler.separate import function_of, leads_to_own_kernels, returns_of
from hybridsim.engine.compiler.signatures import (
    CALLED_AT_EVERY_STEP,
    EXTRA_OUTPUT,
    FUNCTION_INDEX,
    SIGNATURES,
    CType,
    Signature,
    for_python,
    interpreted,
    real,
    type_of_argument,
)
from hybridsim.typing import Function, IntArray

MAX_FUNCTIONS = 1024
"""Most compiled functions kept in memory."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic:
    """The numbers that a plug-in's functions calculate with; the same source is compiled for each.

    Attributes
    ----------
    name : str
        Part of the key of a compiled function: it tells apart everything that makes different machine code.
    makes : str
        What a function is compiled to, for who waits: "the derivatives".
    is_whole : bool
        Whether compiled functions contain those that could be compiled separately.
    signatures : mapping of str to Signature
        C types of the contract functions.
    inlined : set of str
        Names of the contract functions that contain all their helpers: the compiler takes longer, and they less time.
    translation : callable
        Returns the `Translation` to machine code; it is called, and numba imported, only if something is compiled.
    interpreted : callable
        Makes the function that is called in its place where nothing is compiled.
    number : CType
        The type of a number.
    """

    name: str
    makes: str
    is_whole: bool
    signatures: Mapping[str, Signature]
    inlined: Set[str]
    translation: Callable[[], Any]
    interpreted: Callable[[Function], Function]
    number: CType = real


def _translation_of_doubles() -> Any:
    from hybridsim.engine.compiler.backend.plugin_functions import DOUBLES_TRANSLATION as TRANSLATION

    return TRANSLATION


DOUBLES = Arithmetic(
    name="",
    makes="the functions",
    is_whole=False,
    signatures=SIGNATURES,
    inlined=CALLED_AT_EVERY_STEP,
    translation=_translation_of_doubles,
    interpreted=lambda function: function,
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


def _compile(
    model: str, function: Function, signature: Signature, arithmetic: Arithmetic, inlined: bool
) -> LoadedFunction:
    """Return the function's address, and the object that must live as long as the address is used."""
    if not JIT:
        interpreted.append(arithmetic.interpreted(function))
        return LoadedFunction(len(interpreted) - 1, function)
    key = fingerprint(function, f"{signature}{arithmetic.name}{inlined}", arithmetic.is_whole)
    compile_function = compile_or_load if key else compile_or_load.__wrapped__
    return compile_function(model, function, key, signature, arithmetic, inlined)


@lru_cache(maxsize=MAX_FUNCTIONS)
def compile_or_load(
    model: str, function: Function, key: str | None, signature: Signature, arithmetic: Arithmetic, inlined: bool
) -> LoadedFunction:
    """Compile a plug-in's function as a C function, or take it from the cache if there is a key and the cache has it.

    Parameters
    ----------
    model : str
        Name of the model, for messages.
    function : callable
        The function.
    key : str or None
        Its fingerprint.
    signature : Signature
        Its C types.
    arithmetic : Arithmetic
        The numbers that it calculates with.
    inlined : bool
        Whether it contains all its helpers.

    Raises
    ------
    ModelError
        If it does not compile.
    """

    def translate() -> ObjectCode:
        from hybridsim.engine.compiler.backend import plugin_functions

        return plugin_functions.translate(model, function, key, signature, arithmetic.translation(), inlined)

    def separate(symbol: str) -> int:
        called, types = function_of(symbol, function, arithmetic.number)
        return _compile(model, called, types, arithmetic, inlined=bool(arithmetic.inlined)).address

    kept = "once; again after an edit" if key else "in each process: it refers to values that cannot be kept"
    what = f"{arithmetic.makes} of {model} ({kept})"
    return load_function(None if key is None else file_of(key), translate, separate, what=what)


def with_own_kernels(model: str, function: Function) -> Function:
    """Return a function of plain Python that calls the kernels of this package as machine code.

    Parameters
    ----------
    model : str
        Name of the model, for messages.
    function : callable
        Called with numbers and arrays, or with objects that have an array as `values`.
    """
    return _copied(model, function, {}, {}) if JIT else function


def _copied(model: str, function: Function, copies: dict[Function, Function], met: dict[Function, bool]) -> Function:
    if not leads_to_own_kernels(function, met):
        return function
    if function not in copies and returns_of(function) and function.__module__.startswith("hybridsim."):
        copies[function] = _called(model, function)
    elif function not in copies:
        known = {**function.__globals__}
        copies[function] = FunctionType(function.__code__, known, function.__name__, function.__defaults__)
        named = {name: known[name] for name in function.__code__.co_names if isinstance(known.get(name), FunctionType)}
        known |= {name: _copied(model, each, copies, met) for name, each in named.items()}
    return copies[function]


def _called(model: str, function: Function) -> Function:
    """Return a function that calls another one as machine code, of the types that its arguments turn out to have."""

    def call(*arguments: Any) -> Any:
        given = [getattr(argument, "values", argument) for argument in arguments]
        signature = returns_of(function)(*map(type_of_argument, given))  # type: ignore[misc]
        compiled = _compile(model, function, signature, DOUBLES, inlined=True)
        return for_python(signature, compiled.address)(*given)

    return call
