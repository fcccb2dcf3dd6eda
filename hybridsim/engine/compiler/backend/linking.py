"""How a function and its helpers, the functions that it calls, become one piece of machine code.

numba makes machine code of every function, and optimises it, although a helper never runs by itself. Of a model with
hundreds of nested helpers that would be most of the work. So a helper ends here as intermediate code. It is linked with
the others, and optimised, where a function is compiled that is called from outside: one of the engine's entry points
and routines, or a function of a model's contract.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
from llvmlite import binding, ir
from llvmlite.binding import Linkage
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, CPUTarget, cpu_target
from numba.core.runtime.nrt import rtsys

from hybridsim.engine.compiler.backend.inlining import LONG, Limits, mark_helpers
from hybridsim.engine.compiler.object_file import ObjectCode
from hybridsim.engine.compiler.optimisation import emit
from hybridsim.engine.compiler.options import INTERNAL_OPTIONS, OPTIONS, PLUGIN_OPTIONS
from hybridsim.engine.compiler.shape import SHAPE_PREFIX
from hybridsim.engine.compiler.target import compiler_target
from hybridsim.typing import Function


class _PortableGenerator(JITCPUCodegen):
    """numba's code generator for another processor; numba asks these two methods for it."""

    def _get_host_cpu_name(self) -> str:
        return compiler_target()[0]

    def _get_host_cpu_features(self) -> str:
        return compiler_target()[1]


@cache
def _generator() -> Any:
    """Return the one for the processor of `target.compiler_target`; numba's own is for that which it runs on."""
    return _PortableGenerator("hybridsim")


@dataclass(frozen=True, slots=True)
class _Generator:
    """A code generator with libraries of another class."""

    generator: Any
    library_class: type

    def __getattr__(self, name: str) -> Any:
        return getattr(self.generator, name)

    def create_library(self, name: str, **_options: Any) -> Any:
        return self.library_class(self.generator, name)


def _can_inline() -> bool:
    """Return whether llvmlite can ask for a function to be inlined; before 0.50 it asks it of the returned value."""
    module = binding.parse_assembly("define void @function() {\n ret void\n}")
    for function in module.functions:
        function.add_function_attribute("alwaysinline")
    try:
        module.verify()
    except RuntimeError:
        return False
    return True


NUMBA_IS_KNOWN = _can_inline() and all(
    hasattr(JITCodeLibrary, name)
    for name in (
        *("_get_module_for_linking", "_finalize_dynamic_globals", "_optimize_final_module", "_finalize_final_module"),
    )
)
"""Whether numba and llvmlite work as 0.68 and 0.50 do; otherwise helpers are compiled as other functions are."""


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
        # LLVM links what a library of numba's own defines only where it is called already: so helpers come first.
        for library in sorted(
            self._called_libraries(set()), key=lambda library: not isinstance(library, _HelperLibrary)
        ):
            called = library._final_module if isinstance(library, _HelperLibrary) else library._get_module_for_linking()
            module.link_in(called, preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _called_libraries(self, seen: set[Any]) -> Iterator[Any]:
        """Go through the libraries of what this helper calls, and of what these call, each once."""
        for library in self._linking_libraries:
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, _HelperLibrary):
                    yield from library._called_libraries(seen)


class _ObjectLibrary(JITCodeLibrary):
    """The code of a function that becomes an object file. numba does not load it: `object_file.load` does."""

    _bitcode = b""
    """The code before it is optimised, if it reads the shape of a run."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_final_module(self) -> None:
        if any(function.name.startswith(SHAPE_PREFIX) for function in self._final_module.functions):
            self._bitcode = self._final_module.as_bitcode()
        super()._optimize_final_module()

    def object_code(self, symbol: str, is_lasting: bool) -> ObjectCode:
        """Emit the machine code of the function with this symbol."""
        self._ensure_finalized()
        code = emit(self._final_module, symbol, self._codegen._tm, is_lasting)
        return code._replace(bitcode=self._bitcode, symbol_in_bitcode=symbol)


class _InliningLibrary(JITCodeLibrary):
    """The code of a function that contains its helpers, whatever the optimiser may think of that."""

    limits = Limits(forced=math.inf, repeated=math.inf)

    def _optimize_final_module(self) -> None:
        mark_helpers(self._final_module, self.limits)
        super()._optimize_final_module()


class _Target(CPUTarget):
    """numba's target, but for its libraries, and other functions of its context."""

    def __init__(self, library_class: type, **functions: Callable[..., Any]) -> None:
        super().__init__("cpu")
        self._library_class, self._functions = library_class, functions

    @property
    def target_context(self) -> Any:
        context: Any = cpu_target.target_context
        generator = _Generator(_generator(), self._library_class)
        return context.subtarget(codegen=lambda: generator, **self._functions)

    @property
    def typing_context(self) -> Any:
        return cpu_target.typing_context


def _without_entry(library: Any, description: Any, environment: Any) -> Any:
    """Return what numba keeps of a function for calls from Python: here there are none, and no address."""
    library._ensure_finalized()
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "a helper", 0, environment, (library,))


def make_c_function(library: Any, description: Any, *_others: Any) -> None:
    """Add a C function that calls the function of this description; numba's would report exceptions to Python.

    It may contain that function, of which then no copy remains: the linkage says that it may be dropped when nothing
    calls it any more. Nothing else knows its name.
    """
    context: Any = cpu_target.target_context
    returns, taken = description.restype, description.argtypes
    module = context.create_module("c_function")
    inner_type = context.call_conv.get_function_type(returns, taken)
    inner = ir.Function(module, inner_type, description.llvm_func_name)
    outer_type = ir.FunctionType(context.get_value_type(returns), [context.get_value_type(each) for each in taken])
    outer = ir.Function(module, outer_type, description.llvm_cfunc_wrapper_name)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    builder.ret(context.call_conv.call_function(builder, inner, returns, taken, outer.args)[1])
    library.get_function(description.llvm_func_name).linkage = "linkonce_odr"
    library.add_ir_module(module)


class _HelperDispatcher(CPUDispatcher):
    targetdescr = _Target(_HelperLibrary, get_executable=_without_entry)


class _InlinedDispatcher(CPUDispatcher):
    targetdescr = _Target(_InliningLibrary)


class _InliningObjectLibrary(_InliningLibrary, _ObjectLibrary):
    """That of a function that contains its helpers, and becomes an object file."""


class _PluginLibrary(_InliningObjectLibrary):
    """That of a function of a plug-in, which contains its helpers, but for long ones that it would contain twice."""

    limits = Limits(forced=math.inf, repeated=LONG)


class _ShortPluginLibrary(_PluginLibrary):
    """That of a function of a plug-in that contains its short helpers.

    The optimiser judges a helper before it knows what its arguments are: it calls one of three lines, to which a
    mechanism is passed in fifty numbers.
    """

    limits = Limits(forced=200, repeated=LONG)


class LinkedFunction(CFunc):
    """A C function that contains the function it is made of, and its short helpers.

    numba's would call that function, for which the runner of benchmarks/engine.py takes 5 % longer.
    """

    _targetdescr = _Target(_ShortPluginLibrary, create_cfunc_wrapper=make_c_function)


class InlinedFunction(LinkedFunction):
    """A C function that contains the function it is made of, and all helpers, but for long ones that it calls twice."""

    _targetdescr = _Target(_PluginLibrary, create_cfunc_wrapper=make_c_function)


class PlainFunction(CFunc):
    """A C function as numba makes it, for the processor that the others are compiled for."""

    _targetdescr = _Target(JITCodeLibrary)


class RoutineFunction(CFunc):
    """A function that contains all helpers, and is called as numba's functions call each other."""

    _targetdescr = _Target(_InliningObjectLibrary, create_cfunc_wrapper=lambda *_: None)


def inline(function: Function) -> Any:
    """Compile a function that contains all its helpers on its first call."""
    dispatcher = _InlinedDispatcher if NUMBA_IS_KNOWN else CPUDispatcher
    return dispatcher(function, locals={}, targetoptions={"nopython": True, **OPTIONS})


def helper(function: Any) -> Any:
    """Make a function that compiled functions of the engine call: it becomes a part of them."""
    return _helper(function, OPTIONS)


def plugin_helper(function: Any) -> Any:
    """Make a function that functions of plug-ins call: it becomes a part of them."""
    return _helper(function, PLUGIN_OPTIONS)


def _helper(function: Any, options: dict[str, Any]) -> Any:
    # Without the option, a helper inherits that of the function that is compiled when it is first called.
    options = {"nopython": True, "forceinline": not NUMBA_IS_KNOWN, **INTERNAL_OPTIONS, **options}
    return (_HelperDispatcher if NUMBA_IS_KNOWN else CPUDispatcher)(function, locals={}, targetoptions=options)


def merge(function: Any) -> Any:
    """Make a function that is merged into those that call it before anything is compiled."""
    return numba.njit(inline="always", **INTERNAL_OPTIONS, **OPTIONS)(function)


@global_compiler_lock
def c_function(
    function: Any, interface: tuple[Any, Any], is_inlined: bool, options: dict[str, Any] = OPTIONS
) -> ObjectCode:
    """Compile a C function.

    Parameters
    ----------
    function : callable
        The function.
    interface : tuple
        numba's types of its arguments, and the type that it returns.
    is_inlined : bool
        Whether it contains all its helpers; otherwise the optimiser decides about long ones.
    options : dict
        `OPTIONS` or `PLUGIN_OPTIONS`.
    """
    linked = InlinedFunction if is_inlined else LinkedFunction
    return _object_code(
        linked if NUMBA_IS_KNOWN else PlainFunction, function, interface, "llvm_cfunc_wrapper_name", options
    )


@global_compiler_lock
def routine_function(function: Any, interface: tuple[Any, Any]) -> ObjectCode:
    """Compile a function that is called as numba's functions call each other; for the arguments see `c_function`."""
    return _object_code(RoutineFunction if NUMBA_IS_KNOWN else PlainFunction, function, interface, "llvm_func_name")


def _object_code(
    kind: Any, function: Any, interface: tuple[Any, Any], symbol: str, options: dict[str, Any] = OPTIONS
) -> ObjectCode:
    """Compile a function by this kind of numba's C functions; `symbol` is the attribute with its name."""
    try:
        return _compile(kind, function, interface, symbol, options)
    except (AttributeError, TypeError):
        # What is linked by means that numba does not publish can also be called, a little slower.
        return _compile(CFunc, function, interface, symbol, options)


def _compile(kind: Any, function: Any, interface: tuple[Any, Any], symbol: str, options: dict[str, Any]) -> ObjectCode:
    compiled = kind(function, interface, {}, {"forceinline": True, **options})._compile_uncached()
    library, name = compiled.library, getattr(compiled.fndesc, symbol)
    is_lasting = not (library.has_dynamic_globals or compiled.reload_init)
    if isinstance(library, _ObjectLibrary):
        return library.object_code(name, is_lasting)
    library.get_pointer_to_function(name)
    module = library._final_module
    outside = (each.name for each in (*module.functions, *module.global_variables) if each.is_declaration)
    needed = tuple(other for other in outside if not other.startswith("llvm."))
    return ObjectCode(name, needed, library._get_compiled_object(), is_lasting)


def type_of(made: Any) -> Any:
    """Return numba's type of a dispatcher or an intrinsic function."""
    context: Any = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)


def know_symbols() -> None:
    """Let LLVM find the functions of numba's own libraries by their names."""
    context: Any = cpu_target.target_context
    rtsys.initialize(context)
