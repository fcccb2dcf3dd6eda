"""Whether functions are compiled, and how."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

SETTINGS_FILE = ".numba_config.yaml"
"""The file in the current folder in which numba's settings can be made, besides the environment."""


@cache
def numba_setting(name: str) -> str | None:
    """Return a setting of numba's as text, or None; numba is imported only if there is a file of settings.

    Parameters
    ----------
    name : str
        Its name in `numba.config`; the environment variable is NUMBA_ and this name.
    """
    if Path(SETTINGS_FILE).exists():
        import numba

        found: Any = getattr(numba.config, name, None)
        return None if found is None else str(found)
    return os.environ.get(f"NUMBA_{name}")


def is_switched_on(name: str, default: bool) -> bool:
    """Return whether a setting of numba's that is a whole number is not zero; what is no number counts as not made."""
    try:
        return bool(int(numba_setting(name) or ""))
    except ValueError:
        return default


JIT = not is_switched_on("DISABLE_JIT", default=False)

BACKEND = "hybridsim.engine.compiler.backend"
"""The package that imports numba."""

OPTIONS: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": False}
"""Options of the engine's functions: no memory allocated, no GIL, IEEE division by zero, and products and sums rounded
one by one. Without the first, every call would count the uses of constant arrays: a sixth of the time of compiling.

The engine is compiled several times, for all models and for the shape of a run. Where the compiler may fuse a product
and a sum, it fuses others once sizes are constants, and the bits of a run depend on which of the engines made it. What
pays is fused explicitly (`lanes.fused`), always.
"""

PLUGIN_OPTIONS: dict[str, Any] = {**OPTIONS, "fastmath": {"contract"}}
"""Options of the functions of plug-ins, which are compiled once: of the fast-math rules only fused multiply-add."""

INTERNAL_OPTIONS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions without wrappers for Python, which would take most of the time to compile."""
