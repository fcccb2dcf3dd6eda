"""What Python calls of the compiled code: entry points, which take tables of pointers; and the engine's routines.

They are named by the module and the name of their source, which is imported only where it must be compiled, or where
nothing is. An argument is a named tuple of arrays, an array of one record, or a whole number. Compiled code gets the
address of a table of pointers, that of the record, and the number; plain Python the tuple of flat arrays, the record,
and the number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64
from functools import partial
from importlib import import_module
from threading import RLock
from typing import Any

import numpy as np

from hybridsim.engine.compiler.announcement import compiling
from hybridsim.engine.compiler.keys import contents_of, contents_of_routines, machine_key
from hybridsim.engine.compiler.object_file import LoadedFunction, ObjectCode, file_of, load_file, load_function
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.compiler.routines import ROUTINES, table_of
from hybridsim.engine.compiler.shape import shape_names
from hybridsim.engine.compiler.signatures import CType, integer, pointers, void
from hybridsim.typing import Function


class Entry:
    """A function that Python calls, compiled on its first call and read from the cache later.

    Parameters
    ----------
    source : str
        `module:name` of the plain function.
    returns : CType
        What it returns: `integer` or `void`.
    """

    def __init__(self, source: str, returns: CType = void) -> None:
        self.source, self._returns = source, returns
        self._loaded: dict[tuple[str, ...], Callable[..., Any]] = {}
        self._loading = RLock()

    def __call__(self, *arguments: Any) -> Any:
        if not JIT:
            return self._interpret(arguments)
        tables = [table_of(argument) if isinstance(argument, tuple) else argument for argument in arguments]
        return self.c_function(*arguments)(*map(_word, tables))

    def prepare(self, *arguments: Any) -> Callable[[Any, int], Any]:
        """Return the call with all of these arguments but the last two, a table of addresses and a whole number.

        The arrays of the others must live as long as it is used; of the last two, only the types are taken from here.
        """
        if not JIT:
            return self
        tables = [table_of(argument) if isinstance(argument, tuple) else argument for argument in arguments[:-2]]
        function, words = self.c_function(*arguments), [_word(table) for table in tables]

        def call(table: Any, number: int, _alive: Any = tables) -> Any:
            return function(*words, _word(table), number)

        return call

    def c_function(self, *arguments: Any) -> Callable[..., Any]:
        """Return the C function for arguments like these; it takes addresses and whole numbers."""
        types = tuple(map(_type_of, arguments))
        with self._loading:
            if types not in self._loaded:
                key = _key(self.source, contents_of(self.source), self._returns.name, arguments)
                loaded = load_function(file_of(key, "engine"), lambda: self._compile(arguments))
                returned = c_int64 if self._returns == integer else None
                self._loaded[types] = CFUNCTYPE(returned, *[c_int64] * len(types))(loaded.address)
            return self._loaded[types]

    def _compile(self, arguments: tuple[Any, ...]) -> ObjectCode:
        from hybridsim.engine.compiler.backend import engine_functions

        return engine_functions.entry(self.function(), self._returns, arguments)

    def function(self) -> Function:
        """Import the plain function."""
        module, _, name = self.source.partition(":")
        function: Function = getattr(import_module(module), name)
        return function

    def _interpret(self, arguments: tuple[Any, ...]) -> Any:
        with np.errstate(all="ignore"):  # infinities and nan without warnings, as in compiled code
            return self.function()(*map(_plain, arguments))


def _word(argument: Any) -> int:
    """The number that compiled code takes for a table, an array of one record, or a number."""
    return int(argument.ctypes.data) if isinstance(argument, np.ndarray) else int(argument)


def _plain(argument: Any) -> Any:
    """What plain Python takes for an argument."""
    if isinstance(argument, tuple):
        return pointers(argument)
    return scalars(argument) if isinstance(argument, np.ndarray) else argument


def _type_of(argument: Any) -> str:
    """The type of an argument, to tell calls apart: of a named tuple, its class and the types of its arrays."""
    if isinstance(argument, tuple):
        return type(argument).__name__ + "".join([array.dtype.char for array in argument])
    return str(argument.dtype.char) if isinstance(argument, np.ndarray) else "number"


def _layout_of(argument: Any) -> Any:
    """What compiled code knows of an argument: the names and types of its arrays, or of the words of a record."""
    if isinstance(argument, tuple):
        arrays = zip(type(argument)._fields, argument, strict=True)  # type: ignore[attr-defined]
        return type(argument).__name__, [(name, _layout_of(array)) for name, array in arrays]
    if not isinstance(argument, np.ndarray):
        return "number"
    dtype = argument.dtype
    return (dtype.descr, dtype.itemsize, shape_names(dtype)) if dtype.names else dtype.str


def _key(source: str, contents: str, returns: str, arguments: tuple[Any, ...]) -> str:
    """The name of a function's file, from what decides its machine code."""
    decisive = machine_key(), source, contents, returns, tuple(map(_layout_of, arguments))
    return f"{source.partition(':')[2]}-{hashlib.sha256(repr(decisive).encode()).hexdigest()[:32]}"


ENGINE_ANNOUNCEMENT = "the engine (once on this machine; about half a minute)"
"""What is printed while the routines are compiled."""


def load_routines(modules: tuple[str, ...], memory: tuple[Any, ...]) -> tuple[LoadedFunction, ...]:
    """Compile the engine's routines, or take them from the cache.

    Parameters
    ----------
    modules : tuple of str
        The modules whose import registers all routines; they are imported only if one is compiled.
    memory : tuple
        The arrays `problem`, `state`, `workspace` and `record` of a run; they have the same types in all.

    Returns
    -------
    tuple of LoadedFunction
        In the order of `routines.ROUTINES`.
    """
    keys = dict(zip(ROUTINES, routine_keys(modules, memory), strict=True))
    loaded = {name: load_file(file_of(key, "engine")) for name, key in keys.items()}
    missing = {name: key for name, key in keys.items() if loaded[name] is None}
    if missing:
        from hybridsim.engine.compiler.together import compile_routine, compile_together

        with compiling(ENGINE_ANNOUNCEMENT):
            compile_together(modules, memory, missing)
        for name, key in missing.items():
            make = partial(compile_routine, modules, memory, name, key)
            loaded[name] = load_function(file_of(key, "engine"), make, what=ENGINE_ANNOUNCEMENT)
    return tuple(function for function in loaded.values() if function is not None)


def routine_keys(modules: tuple[str, ...], memory: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the name of each routine's file; for the arguments see `load_routines`."""
    contents = contents_of_routines(modules, ROUTINES)
    return tuple(_key(f":{name}", each, "", memory) for name, each in zip(ROUTINES, contents, strict=True))
