"""Sweeps: very many runs of one model, compiled, on threads or a cluster, into a table that survives anything.

`hybridsim.sweep(model, axes, metrics)` is the function `sweep` in here; the package can be called in its place.
"""

from __future__ import annotations

import sys
from types import ModuleType

from hybridsim.sweep.results import SweepTable, read_sweep
from hybridsim.sweep.running import Outcome, run_sweep, sweep

__all__ = ["Outcome", "SweepTable", "read_sweep", "run_sweep", "sweep"]


class _Callable(ModuleType):
    """`import hybridsim.sweep` puts this package where `hybridsim.sweep(...)` looks for the function."""

    __call__ = staticmethod(sweep)


sys.modules[__name__].__class__ = _Callable
