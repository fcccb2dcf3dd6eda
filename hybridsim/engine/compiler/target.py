"""What a compiled file is valid for: the engine's sources, the versions of the libraries, and the CPU."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from llvmlite import __version__ as llvmlite_version
from llvmlite import binding

from hybridsim.engine.compiler.options import OPTIONS, is_switched_on, numba_setting

ENGINE = Path(__file__).parents[1]
"""Folder of the engine's sources."""


def numba_version() -> str:
    """Return numba's version, without importing it where its installation tells."""
    try:
        return version("numba")
    except PackageNotFoundError:
        import numba

        return str(numba.__version__)


def compiler_target() -> tuple[str, str]:
    """Return the name and the features of the CPU for which numba compiles functions.

    It is this one, or that of NUMBA_CPU_NAME and NUMBA_CPU_FEATURES; without features if these are empty.
    """
    name, features = numba_setting("CPU_NAME"), numba_setting("CPU_FEATURES")
    if features is None:
        features = "" if (name or "").lower() == "generic" else _features_of_host()
    return binding.get_host_cpu_name() if name is None else name, features


def _features_of_host() -> str:
    features = binding.get_host_cpu_features()
    if not is_switched_on("ENABLE_AVX", default=True):
        features.update({name: False for name in features if name.startswith("avx")})
    return str(features.flatten())


OPTIMISATION = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX")
"""Settings of numba's that decide how machine code is optimised."""


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
    settings = [numba_setting(name) for name in OPTIMISATION]
    digest.update(repr((versions, settings, *compiler_target(), uses_svml(), str(OPTIONS))).encode())
    return digest.hexdigest()[:16]
