"""Functions of the engine that numba compiles, without numba: it is imported when the first of them is compiled.

A run whose functions are all in the cache never imports it. Until then a `Deferred` stands for a function; it has the
attributes by which numba recognises its own objects.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from importlib import import_module
from typing import Any

from hybridsim.engine.compiler.options import BACKEND, JIT
from hybridsim.typing import Function


class Deferred:
    """Something in `backend` that compiled functions call; it is made when numba first meets it.

    Parameters
    ----------
    module, name : str
        Where it is in `backend`.
    *arguments
        If there are any: what it is made of, by the function with that name.
    """

    def __init__(self, module: str, name: str, *arguments: Any) -> None:
        self.place, self.arguments = (module, name), arguments

    @cached_property
    def made(self) -> Any:
        """A dispatcher or an intrinsic function of numba's."""
        module, name = self.place
        found = getattr(import_module(f"{BACKEND}.{module}"), name)
        return found(*self.arguments) if self.arguments else found

    @cached_property
    def _numba_type_(self) -> Any:
        """Its type; numba asks every global for it that is not its own."""
        from hybridsim.engine.compiler.backend.linking import type_of

        return type_of(self.made)

    @property
    def targetoptions(self) -> Any:
        """The options of a dispatcher: numba looks there whether to merge it into its callers."""
        return self.made.targetoptions

    @property
    def py_func(self) -> Any:
        """The plain function of a dispatcher."""
        return self.made.py_func


def kernel(function: Function) -> Any:
    """Decorate a function of the engine that runs at every step: it becomes a part of the functions that call it."""
    return _defer("helper", function)


def iterator(function: Function) -> Any:
    """Decorate one of the nested iterators.

    Each is merged into the one that calls it before anything is compiled, so that the whole nest is optimised once and
    not once for each of its levels.
    """
    return _defer("merge", function)


def _defer(name: str, function: Function) -> Any:
    """Put off what the function of this name in `backend.linking` makes of a function."""
    deferred: Any = Deferred("linking", name, function)
    return update_wrapper(deferred, function) if JIT else function


unlikely: Any = Deferred("calls", "unlikely") if JIT else lambda condition: condition
"""A condition as it is, which is hardly ever true: the compiler keeps what follows from it out of the way."""
