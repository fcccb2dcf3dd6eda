"""Sweeps: many runs of one model with different values, computed on threads or a cluster, in one table of results.

Finished rows are kept in a folder, so that an interrupted sweep can be resumed.
"""

from __future__ import annotations

from hybridsim.sweeps.api import Outcome, run_sweep, sweep
from hybridsim.sweeps.evaluator import Evaluator
from hybridsim.sweeps.results import SweepTable, load_sweep

__all__ = ["Evaluator", "Outcome", "SweepTable", "load_sweep", "run_sweep", "sweep"]
