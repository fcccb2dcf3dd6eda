"""From a plug-in's plain Python functions to compiled ones, cached on disk, with errors a person can act on.

The cache is keyed by what numba compiles and nothing else: bytecode, constants and the values of the globals that a
function and its helpers use, the options, the versions and the CPU. (numba's own key ignores edits in helpers.)
"""

from __future__ import annotations

import hashlib
import inspect
import shutil
import sys
import types as python_types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic

from hybridsim.engine.compiler.binding import bound, shifted
from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.routines import ROUTINES, registered
from hybridsim.engine.compiler.rules import check_function, numba_explanation
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.signatures import (
    EXTRA_OUTPUT,
    JIT,
    OPTIONS,
    PLACE,
    SIGNATURES,
    helper,
    interpreted,
    numba_settings,
)
from hybridsim.engine.compiler.slices import bind, part
from hybridsim.errors import ModelError

Function = Callable[..., Any]

ENGINE = Path(__file__).parents[1]
"""The folder of the engine's sources."""

_alive: list[Any] = []
"""What the addresses of the engine's routines point into."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledFunctions:
    """Addresses, int64, in the order of `signatures.PLACE`, 0 = the model has no such function; then the engine's."""

    addresses: np.ndarray[Any, np.dtype[np.int64]]
    alive: tuple[Any, ...]  # what the addresses point into


@intrinsic(prefer_literal=True)
def _stack_memory(typingctx: Any, n: Any) -> Any:
    """`scratch(n)` compiled: n doubles on the stack."""
    if not isinstance(n, types.IntegerLiteral):
        raise errors.TypingError("scratch(n) needs a constant n")
    count = n.literal_value

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=count)

    return types.CPointer(types.float64)(n), codegen


COMPILED: Mapping[Function, Any] = {scratch: _stack_memory, part: shifted, bind: bound}
"""What stands for a function in compiled code, where that is not the function itself compiled."""


def compile_functions(model: str, functions: Mapping[str, Function]) -> CompiledFunctions:
    """Compile the contract functions of a model, or take them from the cache.

    Raises
    ------
    ModelError : with `file:line`, what the compiler refused and what to write instead.
    """
    addresses = np.zeros(len(PLACE) + len(ROUTINES), np.int64)
    alive: list[Any] = []
    for name, place in PLACE.items():
        if name not in functions:
            continue
        function = functions[name]
        if not JIT:
            interpreted.append(function)
            addresses[place] = len(interpreted) - 1
            continue
        compiled = _compile(model, name, function, fingerprint(function), SIGNATURES[name])
        addresses[place] = compiled.address
        alive.append(compiled)
    return CompiledFunctions(addresses, tuple(alive))


def compile_extra_output(model: str, function: Function) -> tuple[int, Any]:
    """The address of `f(t, x, p, chart) -> float`, and what must live as long as it is used.

    Raises
    ------
    ModelError : as `compile_functions`.
    """
    if not JIT:
        interpreted.append(function)
        return len(interpreted) - 1, function
    compiled = _compile(model, function.__name__, function, fingerprint(function), EXTRA_OUTPUT)
    return compiled.address, compiled


@lru_cache(maxsize=1024)
def _compile(model: str, name: str, function: Function, key: str, signature: Any) -> Any:
    check_function(function)
    copied = _with_jitted_helpers(function, function.__module__, frozenset())
    on_disk = Path(function.__code__.co_filename).is_file()
    options = {"forceinline": True, **OPTIONS}
    try:
        with _cache_in(key if on_disk else None):
            return numba.cfunc(signature, cache=on_disk, **options)(copied)
    except errors.NumbaError as problem:
        raise ModelError(f"model {model!r}: {numba_explanation(function, problem)}") from None
    except Exception:  # whatever a damaged file of the cache raises when it is read
        shutil.rmtree(cache_root() / platform_key() / key, ignore_errors=True)
        return numba.cfunc(signature, **options)(copied)


def _with_jitted_helpers(function: Any, module: str, above: frozenset[Any]) -> Any:
    """A copy of the function whose globals hold compiled versions of the plain functions it calls by name.

    All belong to `module`, the plug-in's: the cached code imports it, and a helper's own module may have been loaded
    under a name that another process cannot import. `above` : the functions that call this one.
    """
    namespace = dict(function.__globals__)
    within = above | {function}
    for name, value in _referenced(function):
        if isinstance(value, python_types.FunctionType) and value in COMPILED:
            namespace[name] = COMPILED[value]
        elif isinstance(value, python_types.FunctionType):
            # A helper that calls itself finds nothing, and is refused by numba.
            namespace[name] = None if value in within else _jitted_helper(value, module, within)
    copied = python_types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__module__, copied.__qualname__ = module, function.__qualname__
    return copied


_helpers: dict[tuple[Any, str, str], Any] = {}
"""Compiled helpers by what they are compiled from: the functions of a model share them."""

MAX_HELPERS = 1024
"""Compiled helpers that are kept."""


def _jitted_helper(function: Any, module: str, above: frozenset[Any]) -> Any:
    known = function, fingerprint(function), module
    if known not in _helpers:
        check_function(function)
        if len(_helpers) >= MAX_HELPERS:
            _helpers.clear()
        _helpers[known] = helper(_with_jitted_helpers(function, module, above))
    return _helpers[known]


def _referenced(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals that the function names, with their values."""
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: python_types.CodeType) -> list[str]:
    inner = [c for c in code.co_consts if isinstance(c, python_types.CodeType)]
    return sorted({*code.co_names, *(name for c in inner for name in _names(c))})


def fingerprint(function: Any) -> str:
    """A hash of everything that decides what the function compiles to."""
    # One file may be loaded under two names, by entry point and by path; what numba caches remembers the name.
    identity = (platform_key(), function.__module__, content_hash(function))
    return hashlib.sha256(repr(identity).encode()).hexdigest()[:32]


def content_hash(function: Any, seen: set[int] | None = None) -> str:
    """A hash of what the function computes, wherever it stands: its code, its constants, and all that it calls."""
    seen = set() if seen is None else seen
    seen.add(id(function))
    code = function.__code__
    digest = hashlib.sha256(repr((_contents(code), function.__defaults__, function.__kwdefaults__)).encode())
    closure = [
        (name, cell.cell_contents) for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
    ]
    for name, value in [*_referenced(function), *closure]:
        digest.update(name.encode())
        called = getattr(value, "py_func", value)  # of a function that numba knows already
        if isinstance(called, python_types.FunctionType):
            digest.update(b"" if id(called) in seen else content_hash(called, seen).encode())
        elif isinstance(value, python_types.ModuleType | type):  # constants of a module or an enumeration
            for attribute in _names(code):
                digest.update(_constant(getattr(value, attribute, None)))
        else:
            digest.update(_constant(value))
    return digest.hexdigest()[:32]


def _contents(code: python_types.CodeType) -> tuple[Any, ...]:
    """What a function's code says, wherever it stands; functions within it included."""
    constants = [_contents(c) if isinstance(c, python_types.CodeType) else c for c in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def _constant(value: Any) -> bytes:
    """A global value that numba freezes into a function."""
    if isinstance(value, np.ndarray):
        return value.tobytes() + str(value.dtype).encode()
    return repr(value).encode() if isinstance(value, int | float | str | tuple | Enum | np.generic) else b""


@cache
def platform_key() -> str:
    """The engine's sources, the versions and the CPU: what a compiled file is good for."""
    digest = hashlib.sha256()
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(source.read_bytes())
    cpu = numba_settings.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = numba_settings.CPU_FEATURES or llvmlite.binding.get_host_cpu_features().flatten()
    digest.update(repr((sys.version, numba.__version__, llvmlite.__version__, cpu, features, str(OPTIONS))).encode())
    return digest.hexdigest()[:16]


@contextmanager
def _cache_in(key: str | None) -> Iterator[None]:
    """Let numba keep its files in a folder of our own choice while a function is decorated and compiled."""
    if key is None:
        yield
        return
    before = numba_settings.CACHE_DIR
    numba_settings.CACHE_DIR = str(cache_root() / platform_key() / key)
    try:
        yield
    finally:
        numba_settings.CACHE_DIR = before


def compile_routines(*kinds: types.Type) -> tuple[int, ...]:
    """Addresses of the engine's routines, in the order of `routines.ROUTINES`; compiled once, cached on disk.

    `kinds` : the types of problem, state, workspace and record inside the engine.
    """
    addresses = []
    for name in ROUTINES:
        function, returns, extra = registered[name]
        compiled = _cached(function, no_cpython_wrapper=True)
        compiled.compile(returns(*kinds[: 4 if "record" in inspect.signature(function).parameters else 3], *extra))
        (result,) = compiled.overloads.values()
        _alive.append(compiled)
        addresses.append(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
    return tuple(addresses)


def compile_entry(function: Function) -> Any:
    """An entry point of the engine: compiled on its first call, cached for every process after it."""
    if not JIT:
        return np.errstate(all="ignore")(function)  # infinities and nan without a word, as compiled
    return _cached(function)


def _cached(function: Function, **options: Any) -> Any:
    """A function of the engine for numba to compile, and to keep in the engine's cache."""
    with _cache_in("engine"):
        compiled: Any = numba.njit(cache=True, **options, **OPTIONS)(function)
    compiled._cache = _MendingCache(compiled._cache)
    return compiled


class _MendingCache:
    """Numba's cache of one function, which makes its files anew where they are damaged.

    Numba makes anew what is out of date or missing, and lets whatever a damaged file raises through.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return self._cache.load_overload(signature, context)
        except Exception:
            self._cache.flush()  # an empty index, so that saving does not read the damaged one
            return None
