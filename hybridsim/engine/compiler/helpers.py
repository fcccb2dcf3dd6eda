"""Helpers: functions that a plug-in's functions call. They become part of these, and never run by themselves.

numba makes machine code of every function, and optimises it, although all that is ever used of a helper is its
intermediate code, inside its callers. Of a model with hundreds of nested helpers this would be most of the work. So a
helper ends here as intermediate code, and the optimiser sees it once for each function of the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher, CPUTarget, cpu_target

from hybridsim.engine.compiler.signatures import HELPER_OPTIONS


class _IntermediateLibrary(JITCodeLibrary):
    """The intermediate code of one function, as it comes from the translation of Python."""

    def finalize(self) -> None:
        """Leave everything to the functions that contain this one."""
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return this function with all that it calls; numba asks for it where machine code shall be made."""
        module = self._final_module.clone()
        for library in self._called(set()):
            called = (
                library._final_module
                if isinstance(library, _IntermediateLibrary)
                else library._get_module_for_linking()
            )
            module.link_in(called, preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _called(self, seen: set[Any]) -> Iterator[Any]:
        """Go through the libraries of what this function calls, and of what these call, each once."""
        for library in self._linking_libraries:
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, _IntermediateLibrary):
                    yield from library._called(seen)


class _IntermediateCode:
    """numba's code generator, with libraries of intermediate code."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def create_library(self, name: str, **_options: Any) -> Any:
        return _IntermediateLibrary(self._generator, name)


def _without_entry(library: Any, description: Any, environment: Any) -> Any:
    """Return what numba keeps of a function for calls from Python: here there are none, and no address."""
    library._ensure_finalized()
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "a helper", 0, environment, (library,))


class _HelperTarget(CPUTarget):
    """numba's target for helpers."""

    @property
    def target_context(self) -> Any:
        context: Any = cpu_target.target_context
        generator = _IntermediateCode(context.codegen())
        return context.subtarget(codegen=lambda: generator, get_executable=_without_entry)

    @property
    def typing_context(self) -> Any:
        return cpu_target.typing_context


class _HelperDispatcher(CPUDispatcher):
    targetdescr = _HelperTarget("cpu")


KNOWN = hasattr(JITCodeLibrary, "_get_module_for_linking") and hasattr(JITCodeLibrary, "_finalize_dynamic_globals")
"""Whether numba is as from 0.61 to 0.68; otherwise helpers are compiled as other functions are, which takes longer."""


def helper(function: Any) -> Any:
    """Decorate a function that a plug-in's functions call: it becomes part of them."""
    if not KNOWN:
        return numba.njit(**HELPER_OPTIONS)(function)
    return _HelperDispatcher(function, locals={}, targetoptions=dict(HELPER_OPTIONS))
