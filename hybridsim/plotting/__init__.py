"""Pictures of runs and sweeps, as files."""

from __future__ import annotations

from hybridsim.plotting.runs import plot_run
from hybridsim.plotting.sweeps import plot_sweep

__all__ = ["plot_run", "plot_sweep"]
