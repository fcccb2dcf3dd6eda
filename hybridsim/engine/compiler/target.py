"""What a compiled file is valid for: the engine's sources, the versions of the libraries, and the CPU."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np

from hybridsim.engine.compiler.options import OPTIONS, numba_settings

ENGINE = Path(__file__).parents[1]
"""Folder of the engine's sources."""


@cache
def platform_key() -> str:
    """Hash everything besides a function itself that decides its machine code."""
    digest = hashlib.sha256()
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(source.read_bytes())
    cpu = numba_settings.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = numba_settings.CPU_FEATURES or llvmlite.binding.get_host_cpu_features().flatten()
    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    digest.update(repr((versions, cpu, features, str(OPTIONS))).encode())
    return digest.hexdigest()[:16]
