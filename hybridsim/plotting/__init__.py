"""Pictures of runs and of sweeps."""

from __future__ import annotations

from hybridsim.plotting.runs import plot_run

__all__ = ["plot_run"]
