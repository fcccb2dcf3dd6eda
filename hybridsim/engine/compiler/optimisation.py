"""From LLVM's intermediate code to an object file, without numba; the passes are those that numba makes."""

from __future__ import annotations

from typing import Any

from llvmlite import binding

from hybridsim.engine.compiler.object_file import ObjectCode, native_target
from hybridsim.engine.compiler.target import compiler_target

FUNCTION_SYMBOL = "hybridsim_function"
"""Name of the function in a file of machine code."""


def compile_bitcode(symbol: str, bitcode: bytes, functions: str) -> ObjectCode:
    """Compile a function from its bitcode.

    Parameters
    ----------
    symbol : str
        Its name there.
    bitcode : bytes
        The function with its helpers, before it is optimised.
    functions : str
        LLVM's assembly of functions that replace those of the same names.

    Raises
    ------
    RuntimeError
        If this version of LLVM does not understand the bitcode.
    """
    module, replacing = binding.parse_bitcode(bitcode), binding.parse_assembly(functions)
    names = [function.name for function in replacing.functions]
    module.link_in(replacing)
    for name in names:
        module.get_function(name).linkage = "internal"  # it is dropped when it has been inlined
    machine = target_machine()
    _optimise(module, machine)
    return emit(module, symbol, machine)


def emit(module: Any, symbol: str, machine: Any, is_lasting: bool = True) -> ObjectCode:
    """Emit the machine code of the function with this symbol, under a shorter name; other names are dropped."""
    everything = [*module.functions, *module.global_variables]
    for each in everything:
        if not each.is_declaration:
            each.linkage = "internal" if each.is_function else "private"
    function = module.get_function(symbol)
    function.linkage, function.name = "external", FUNCTION_SYMBOL
    outside = tuple(each.name for each in everything if each.is_declaration and not each.name.startswith("llvm."))
    return ObjectCode(function.name, outside, machine.emit_object(module), is_lasting)


def target_machine() -> Any:
    """Return LLVM's description of the processor for which functions are compiled, with numba's options."""
    triple = binding.get_process_triple()
    cpu, features = compiler_target()
    relocation = "static" if triple.startswith(("x86", "i386", "i686")) else "default"
    options = {"opt": 3, "reloc": relocation, "codemodel": "jitdefault", "jit": True}
    return native_target().create_target_machine(cpu=cpu, features=features, **options)


def _optimise(module: Any, machine: Any) -> None:
    """Inline what must be inlined, which later passes take for granted; then all passes, but for vectors of statements.

    Those (SLP vectorisation), which numba leaves out as well, would make the engine a tenth slower.
    """
    for level, is_first in ((0, True), (3, False)):
        options = binding.create_pipeline_tuning_options()
        options.speed_level, options.slp_vectorization, options.loop_vectorization = level, False, not is_first
        builder = binding.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if is_first:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.run(module, builder)
