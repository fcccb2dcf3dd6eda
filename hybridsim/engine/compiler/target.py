"""What a compiled file is valid for: the engine's sources, the versions of the libraries, and the CPU."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from llvmlite import __version__ as llvmlite_version
from llvmlite import binding

from hybridsim.engine.compiler.options import OPTIONS, numba_setting

ENGINE = Path(__file__).parents[1]
"""Folder of the engine's sources."""


def numba_version() -> str:
    """Return numba's version, without importing it."""
    return version("numba")


def compiler_target() -> tuple[str, str]:
    """Return the name and the features of the CPU for which functions are compiled: this one, or that of NUMBA_CPU_NAME
    and NUMBA_CPU_FEATURES.
    """
    name = numba_setting("CPU_NAME") or binding.get_host_cpu_name()
    return name, numba_setting("CPU_FEATURES") or binding.get_host_cpu_features().flatten()


def uses_svml() -> bool:
    """Return whether numba compiles calls of Intel's vector functions. LLVM must not be used before numba knows them.

    The packages of llvmlite on PyPI cannot call them; then numba is not imported.
    """
    if not binding.targets.has_svml():
        return False
    import numba

    return bool(getattr(numba.config, "USING_SVML", False))


@cache
def platform_key() -> str:
    """Hash everything besides a function itself that decides its machine code."""
    digest = hashlib.sha256()
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(source.read_bytes())
    versions = sys.version, numba_version(), llvmlite_version, np.__version__
    digest.update(repr((versions, *compiler_target(), uses_svml(), str(OPTIONS))).encode())
    return digest.hexdigest()[:16]
