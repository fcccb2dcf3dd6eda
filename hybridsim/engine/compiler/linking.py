"""How a function and its helpers, the functions that it calls, become one piece of machine code.

numba makes machine code of every function, and optimises it, although a helper never runs by itself. Of a model with
hundreds of nested helpers that would be most of the work. So a helper ends here as intermediate code. It is linked with
the others, and optimised, where a function is compiled that is called from outside: one of the engine's entry points
and routines, or a function of a model's contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numba
from llvmlite import ir
from llvmlite.binding import Linkage
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher, CPUTarget, cpu_target

from hybridsim.engine.compiler.options import INSIDE, JIT, OPTIONS
from hybridsim.typing import Function

KNOWN = all(
    hasattr(JITCodeLibrary, name)
    for name in ("_get_module_for_linking", "_finalize_dynamic_globals", "_optimize_final_module")
)
"""Whether numba is as from 0.61 to 0.68; otherwise helpers are compiled as other functions are, which takes longer."""


class _HelperLibrary(JITCodeLibrary):
    """The intermediate code of one helper, as it comes from the translation of Python."""

    def finalize(self) -> None:
        """Leave everything to the functions that contain this one."""
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return this helper with all that it calls; numba asks for it where machine code shall be made."""
        module = self._final_module.clone()
        for library in self._called(set()):
            called = library._final_module if isinstance(library, _HelperLibrary) else library._get_module_for_linking()
            module.link_in(called, preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _called(self, seen: set[Any]) -> Iterator[Any]:
        """Go through the libraries of what this helper calls, and of what these call, each once."""
        for library in self._linking_libraries:
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, _HelperLibrary):
                    yield from library._called(seen)


class _InliningLibrary(JITCodeLibrary):
    """The code of a function that contains its helpers, whatever the optimiser may think of that."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()


@dataclass(frozen=True, slots=True)
class _Generator:
    """numba's code generator, with libraries of another class."""

    generator: Any
    library_class: type

    def __getattr__(self, name: str) -> Any:
        return getattr(self.generator, name)

    def create_library(self, name: str, **_options: Any) -> Any:
        return self.library_class(self.generator, name)


class _Target(CPUTarget):
    """numba's target, but for its libraries, and other functions of its context."""

    def __init__(self, library_class: type, **functions: Callable[..., Any]) -> None:
        super().__init__("cpu")
        self._library_class, self._functions = library_class, functions

    @property
    def target_context(self) -> Any:
        context: Any = cpu_target.target_context
        generator = _Generator(context.codegen(), self._library_class)
        return context.subtarget(codegen=lambda: generator, **self._functions)

    @property
    def typing_context(self) -> Any:
        return cpu_target.typing_context


def _without_entry(library: Any, description: Any, environment: Any) -> Any:
    """Return what numba keeps of a function for calls from Python: here there are none, and no address."""
    library._ensure_finalized()
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "a helper", 0, environment, (library,))


def _make_c_function(library: Any, description: Any, *others: Any) -> None:
    context: Any = cpu_target.target_context
    context.create_cfunc_wrapper(_WithCFunction(library, description), description, *others)


@dataclass(frozen=True, slots=True)
class _WithCFunction:
    """The code to which numba adds a C function that calls the function of this description."""

    library: Any
    description: Any

    def add_ir_module(self, module: Any) -> None:
        """Add the C function; allow it to contain the other, of which then no copy remains.

        The linkage says that the other one may be dropped when nothing calls it any more; nothing else knows its name.
        """
        for block in module.get_global(self.description.llvm_cfunc_wrapper_name).blocks:
            for instruction in block.instructions:
                if isinstance(instruction, ir.CallInstr):
                    instruction.attributes.discard("noinline")
        self.library.get_function(self.description.llvm_func_name).linkage = "linkonce_odr"
        self.library.add_ir_module(module)


class _HelperDispatcher(CPUDispatcher):
    targetdescr = _Target(_HelperLibrary, get_executable=_without_entry)


class _InlinedDispatcher(CPUDispatcher):
    targetdescr = _Target(_InliningLibrary)


class LinkedFunction(CFunc):
    """A C function that contains the function it is made of; the optimiser decides which helpers it contains.

    numba's would call that function, for which the runner of benchmarks/engine.py takes 5 % longer.
    """

    _targetdescr = _Target(JITCodeLibrary, create_cfunc_wrapper=_make_c_function)


class InlinedFunction(LinkedFunction):
    """A C function that contains the function it is made of, and all helpers."""

    _targetdescr = _Target(_InliningLibrary, create_cfunc_wrapper=_make_c_function)


def inlined(function: Function, **options: Any) -> Any:
    """Compile a function that contains all its helpers on its first call."""
    dispatcher = _InlinedDispatcher if KNOWN else CPUDispatcher
    return dispatcher(function, locals={}, targetoptions={"nopython": True, **options, **OPTIONS})


def helper(function: Any) -> Any:
    """Decorate a function that compiled functions call: it becomes a part of them."""
    if not JIT:
        return function
    # Without the option, a helper inherits that of the function that is compiled when it is first called.
    options = {"nopython": True, "forceinline": not KNOWN, **INSIDE}
    return (_HelperDispatcher if KNOWN else CPUDispatcher)(function, locals={}, targetoptions=options)


kernel = helper
"""Decorator of the functions of the engine that run at every step."""

iterator = numba.njit(inline="always", **INSIDE)
"""Decorator of the nested iterators: each is merged into the one that calls it before anything is compiled, so that
the whole nest is optimised once and not once for each of its levels."""
