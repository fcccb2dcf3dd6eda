"""The processor that functions are compiled for, and by what: the platform.

`machine` is what machine code is valid for, whoever has compiled it: a part of the name of its file (`keys`).
`platform_key` is what this installation would compile for: the name of the folder in the cache. A file that comes with
the package is therefore used with any version of numba, and those in the cache are made again when numba is replaced.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from llvmlite import __version__ as llvmlite_version
from llvmlite import binding

from hybridsim.engine.compiler.options import OPTIONS, is_switched_on, numba_setting


@cache
def numba_version() -> str:
    """Return numba's version, without importing it where its installation tells."""
    try:
        return version("numba")
    except PackageNotFoundError:
        import numba

        return str(numba.__version__)


PORTABLE_CPU = "x86-64-v3"
"""The name that LLVM has for the processors with AVX2 and fused multiply-add: Intel since 2013, AMD since 2015."""

FEATURES_OF_PORTABLE_CPU = frozenset({
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf"),
    *("sse3", "sse4.1", "sse4.2", "ssse3"),
})  # fmt: skip
"""The features that a processor with this name has besides those of every 64-bit x86."""


def compiler_target() -> tuple[str, str]:
    """Return the name and the features of the CPU for which functions are compiled.

    It is the same for all x86 processors with AVX2, so that machine code made on one of them, and its results, are
    valid on the others. Elsewhere, and where numba has been told another one, it is that of `numba_target`.
    """
    told = any(numba_setting(name) is not None for name in ("CPU_NAME", "CPU_FEATURES"))
    if told or not is_switched_on("ENABLE_AVX", default=True) or not _has_features_of_portable_cpu():
        return numba_target()
    return PORTABLE_CPU, ""


def _has_features_of_portable_cpu() -> bool:
    features = binding.get_host_cpu_features()
    is_64_bit_x86 = binding.get_process_triple().startswith("x86_64")
    return is_64_bit_x86 and all(features.get(name, False) for name in FEATURES_OF_PORTABLE_CPU)


def numba_target() -> tuple[str, str]:
    """Return the name and the features of the CPU for which numba itself compiles functions.

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


OPTIMISATION_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX")
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
def machine() -> tuple[str, ...]:
    """Return the settings, the system and the processor that machine code is valid for."""
    settings = [str(numba_setting(name)) for name in OPTIMISATION_SETTINGS]
    system = binding.get_process_triple().rstrip("0123456789.")  # macOS adds its version
    return *settings, system, *compiler_target(), str(OPTIONS)


@cache
def platform_key() -> str:
    """Hash what decides the machine code of a function if it is compiled here, besides the sources."""
    versions = sys.version, numba_version(), llvmlite_version, np.__version__
    content = machine(), versions, *numba_target(), uses_svml()
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]
