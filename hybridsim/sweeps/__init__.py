"""Sweeps: very many runs of one model, compiled, on threads or a cluster, into a table that survives anything."""

from __future__ import annotations

from hybridsim.sweeps.api import Outcome, run_sweep, sweep
from hybridsim.sweeps.results import SweepTable, read_sweep

__all__ = ["Outcome", "SweepTable", "read_sweep", "run_sweep", "sweep"]
