"""What turns intermediate code into machine code, for the processor of `target.compiler_target`.

numba's own generator makes machine code for the processor that it runs on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from numba.core.codegen import JITCPUCodegen

from hybridsim.engine.compiler.target import compiler_target


class _PortableGenerator(JITCPUCodegen):
    """numba's code generator for another processor; numba asks these two methods for it."""

    def _get_host_cpu_name(self) -> str:
        return compiler_target()[0]

    def _get_host_cpu_features(self) -> str:
        return compiler_target()[1]


@cache
def _generator() -> Any:
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


def with_libraries(library_class: type) -> Any:
    """Return the code generator, with libraries of this class."""
    return _Generator(_generator(), library_class)
