"""Whether functions are compiled, and how."""

from __future__ import annotations

from typing import Any

import numba

numba_settings: Any = numba.config
JIT = not numba_settings.DISABLE_JIT

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
"""Options of all compiled functions: no GIL, IEEE division by zero, and of the fast-math rules only fused
multiply-add."""

INSIDE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **OPTIONS}
"""Options of functions that Python never calls: wrappers for it would take most of the time to compile."""
