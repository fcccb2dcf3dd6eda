"""A hash of everything that decides what a plug-in's function computes.

The function, its helpers, and the constants, arrays, tuples, enumerations and classes they name are hashed by their
contents in memory, and not by their source files: a file may have been edited since it was imported. Comments,
docstrings, line numbers and the paths of files do not count. A value of a type that is not listed here makes the
function *unknown*: no hash exists, and the function is compiled without the cache.
"""

from __future__ import annotations

import hashlib
import sys
import types as python_types
from collections.abc import Callable
from enum import Enum, EnumType
from functools import lru_cache
from typing import Any

import numpy as np

from hybridsim.engine.compiler.bytecode import digest, read_code
from hybridsim.engine.compiler.deferred import Deferred
from hybridsim.engine.compiler.keys import machine_key
from hybridsim.engine.compiler.observations import MISSING, Observations
from hybridsim.engine.compiler.separate import SEPARATE_ATTRIBUTE, returns_of
from hybridsim.engine.compiler.signatures import CType

LIBRARIES_HASHED_BY_NAME = frozenset(
    {"builtins", "cmath", "collections", "enum", "math", "numba", "numpy", "operator", "typing"}
)
"""Packages whose members are hashed by name, because their versions are part of `target.platform_key`."""

OWN_PREFIX = "hybridsim.engine.compiler."
"""Modules whose members are hashed by name, because their code is part of `keys.machine_key`."""

PRINTED_TYPES = frozenset({bool, int, float, complex, str, bytes, range, type(None), type(...)})
"""Types whose `repr` shows the whole value."""

MAX_KNOWN = 256
"""Most functions whose hashes are kept in memory."""

_known: dict[tuple[int, bool], tuple[Any, str, Observations]] = {}
"""For a function and `is_whole`: the function, its hash, and what that was made from."""


class UnknownContentError(Exception):
    """A function uses a value of a type that cannot be hashed."""


def content_hash(function: Callable[..., Any], is_whole: bool = True) -> str | None:
    """Hash what a function computes, independent of where its file lies.

    Parameters
    ----------
    function : callable
        A Python function.
    is_whole : bool, optional
        Whether functions count that are compiled separately; otherwise their names do.

    Returns
    -------
    str or None
        32 hexadecimal digits; None if the function uses a value that cannot be hashed.
    """
    known = _known.get((id(function), is_whole))
    if known is not None and known[-1].hold():
        return known[1]
    contents = _Contents(function, is_whole)
    try:
        found = contents.of_value(function, ())
    except UnknownContentError:
        return None
    if len(_known) >= MAX_KNOWN:
        _known.clear()
    _known[id(function), is_whole] = function, found, contents.observed
    return found


def fingerprint(function: Callable[..., Any], signature: str, is_whole: bool = True) -> str | None:
    """Hash what decides a function's machine code, besides the compiler: its contents, its C types and the CPU.

    Parameters
    ----------
    function : callable
        A Python function.
    signature : str
        Its C types, and whatever else tells machine code of the same function apart.
    is_whole : bool, optional
        Whether it contains the functions that can be compiled separately.

    Returns
    -------
    str or None
        32 hexadecimal digits; None if the function uses a value that cannot be hashed.
    """
    content = content_hash(function, is_whole)
    if content is None:
        return None
    return hashlib.sha256(repr((machine_key(), signature, content)).encode()).hexdigest()[:32]


class _Contents:
    """The traversal of all that one function refers to.

    Functions, classes and modules are numbered in the order in which they are met, and hashed once; a second reference,
    which may be a recursive one, is hashed as the number.
    """

    def __init__(self, root: Any, is_whole: bool) -> None:
        self._root, self._is_whole = root, is_whole
        self.observed = Observations()
        self._numbers: dict[tuple[int, tuple[str, ...]], int] = {}
        self._alive: list[Any] = []  # so that no other object gets the identity of one that has a number

    def of_value(self, value: Any, names: tuple[str, ...]) -> str:
        """Hash a value. `names` are the attributes to hash of a module that is used as a value."""
        if type(value) in PRINTED_TYPES:
            return _hash_print(type(value).__name__, repr(value))
        if isinstance(value, np.ndarray | np.generic):
            return self.observed.hash_of(_array, value)
        if isinstance(value, Enum):
            return digest("member", self.of_value(type(value), names), value.name)
        if isinstance(value, frozenset):
            return digest("frozenset", *sorted(self.of_value(item, names) for item in value))
        if isinstance(value, tuple):
            return self._tuple(value, names)
        if isinstance(value, np.dtype | CType) or _is_of_numba(value, "core.types", "Number", "Boolean"):
            return digest("type", repr(value))
        name = _library_name(value)
        return digest("library", name) if name else self._once(value, names)

    def _once(self, value: Any, names: tuple[str, ...]) -> str:
        """Hash what may refer to itself: a function, a class or a module."""
        returns = returns_of(value)
        if returns is not None and value is not self._root and not self._is_whole:
            code = self.observed.attribute(value, "__code__")
            return digest("separate", value.__name__, repr(code.co_varnames), returns.name)
        kinds: list[tuple[type, Callable[..., str]]] = [
            (python_types.FunctionType, self._function),
            (type, self._class),
            (python_types.ModuleType, self._module),
            (Deferred, self._deferred),
        ]
        if _is_of_numba(value, "core.dispatcher", "Dispatcher"):
            kinds.append((type(value), self._dispatcher))
        for kind, method in kinds:
            if isinstance(value, kind):
                # The attributes that count differ from one reference to a module to the next.
                identity = id(value), names if kind is python_types.ModuleType else ()
                if identity in self._numbers:
                    return digest("number", str(self._numbers[identity]))
                self._numbers[identity] = len(self._numbers)
                self._alive.append(value)
                return method(value, names)
        raise UnknownContentError(type(value).__name__)

    def _tuple(self, value: tuple[Any, ...], names: tuple[str, ...]) -> str:
        """Hash a tuple, or an instance of a named tuple by its fields and values."""
        fields = getattr(type(value), "_fields", None)
        if type(value) is not tuple and fields is None:
            raise UnknownContentError(type(value).__name__)
        return digest("tuple", repr(fields), *(self.of_value(item, names) for item in value))

    def _function(self, function: Any, _: tuple[str, ...]) -> str:
        attribute = self.observed.attribute
        code = read_code(attribute(function, "__code__"))
        defaults = {**(attribute(function, "__kwdefaults__") or {}), "": attribute(function, "__defaults__")}
        attribute(function, SEPARATE_ATTRIBUTE)
        self.observed.entries(function.__kwdefaults__ or {})
        pieces = [code.digest]
        for name in sorted(defaults):
            pieces += [name, self.of_value(defaults[name], code.names)]
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for reference in code.references:
            if reference.name in closure:
                value = self.observed.cell(closure[reference.name])
            else:
                value = self.observed.entry(function.__globals__, reference.name)
            if value is MISSING:
                continue  # a built-in function, or a variable of the function around a nested one
            pieces += [repr(reference), self._attribute(value, reference.path, code.names)]
        return digest("function", *pieces)

    def _attribute(self, value: Any, path: tuple[str, ...], names: tuple[str, ...]) -> str:
        """Hash what the attributes `path` of a module lead to; of any other value, all of it."""
        for position, name in enumerate(path):
            if not isinstance(value, python_types.ModuleType):
                break
            if _is_library(value.__name__):
                return digest("library", value.__name__, *path[position:])
            value = self.observed.attribute(value, name)
            if value is MISSING:
                return digest("missing", name)
        return self.of_value(value, names)

    def _deferred(self, value: Deferred, names: tuple[str, ...]) -> str:
        """Hash a function of the engine, or what the compiler makes of some arguments."""
        return digest("deferred", *value.place, *(self.of_value(each, names) for each in value.arguments))

    def _dispatcher(self, value: Any, names: tuple[str, ...]) -> str:
        """Hash a function that the plug-in itself has given to numba, with the options."""
        options = sorted((name, repr(option)) for name, option in self.observed.entries(value.targetoptions).items())
        signatures = "" if self.observed.attribute(value, "_can_compile") else repr(value.nopython_signatures)
        function = self.observed.attribute(value, "py_func")
        return digest("dispatcher", self.of_value(function, names), repr(options), signatures)

    def _class(self, cls: Any, names: tuple[str, ...]) -> str:
        """Hash a class: its bases, fields, default values or members, and the functions of its body."""
        pieces = [self.of_value(base, names) for base in self.observed.attribute(cls, "__bases__")]
        attributes = self.observed.entries(vars(cls))
        if isinstance(cls, EnumType):
            members: dict[str, Any] = dict(cls.__members__)
            values = {name: member.value for name, member in members.items()}
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            pieces.append(repr(cls._fields))
            values = self.observed.entries(cls._field_defaults)
        elif type(cls) is type:
            values = {name: value for name, value in attributes.items() if not name.startswith("__")}
            values = {name: value for name, value in values.items() if _function_of(value) is None}
        else:  # a class that numba compiles (jitclass), for example
            raise UnknownContentError(type(cls).__name__)
        for name, value in values.items():
            pieces += [name, self.of_value(value, names)]
        for name, value in sorted(attributes.items()):
            function = _function_of(value)
            if getattr(function, "__module__", None) == cls.__module__:  # not one that Python has generated
                pieces += [name, self.of_value(function, names)]
        return digest("class", *pieces)

    def _module(self, module: python_types.ModuleType, names: tuple[str, ...]) -> str:
        """Hash a module that is used as a value: all attributes of it whose names the function contains."""
        values = {name: self.observed.attribute(module, name) for name in names}
        found = {name: value for name, value in values.items() if value is not MISSING}
        return digest("module", *(digest(name, self.of_value(value, names)) for name, value in found.items()))


def _array(value: Any) -> str:
    """Hash an array or a number of numpy by its type, its layout, which numba compiles for, and its bytes."""
    if value.dtype.hasobject or (isinstance(value, np.ndarray) and type(value) is not np.ndarray):
        raise UnknownContentError(type(value).__name__)
    layout = value.flags.c_contiguous, value.flags.f_contiguous, value.flags.aligned, value.strides
    kind = (type(value).__name__, value.dtype.descr if value.dtype.names else value.dtype.str)
    return digest("array", repr((kind, value.dtype.itemsize, value.shape, layout)), value.tobytes())


def _is_of_numba(value: Any, module: str, *classes: str) -> bool:
    """Whether a value is of one of these classes in a module of numba; none is before that module has been imported."""
    found = sys.modules.get(f"numba.{module}")
    return found is not None and isinstance(value, tuple(getattr(found, name) for name in classes))


def _function_of(value: Any) -> Any:
    """The function that a method, a property, or a class method of a class is made from, or None."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return value if isinstance(value, python_types.FunctionType) else None


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in LIBRARIES_HASHED_BY_NAME or module.startswith(OWN_PREFIX)


def _library_name(value: Any) -> str | None:
    """The full name of a library's function, class or module, if the library has this very object there."""
    if isinstance(value, python_types.ModuleType):
        return value.__name__ if _is_library(value.__name__) else None
    module = "numpy" if isinstance(value, np.ufunc) else getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if not (isinstance(module, str) and isinstance(name, str) and _is_library(module)):
        return None
    found: Any = sys.modules.get(module)
    for attribute in name.split("."):
        found = getattr(found, attribute, None)
    return f"{module}.{name}" if found is value else None


@lru_cache(maxsize=2**16)
def _hash_print(kind: str, text: str) -> str:
    """Hash a number or a text: models refer to the same small integers, indices, thousands of times."""
    return digest(kind, text)
