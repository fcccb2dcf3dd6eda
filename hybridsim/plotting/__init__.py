"""Pictures of runs, orbits, branches of orbits and sweeps, as files."""

from __future__ import annotations

from hybridsim.plotting.branches import plot_branch
from hybridsim.plotting.orbits import plot_multipliers, plot_phase, plot_return_map
from hybridsim.plotting.portraits import plot_portraits
from hybridsim.plotting.runs import plot_run
from hybridsim.plotting.sweeps import plot_sweep

__all__ = [
    "plot_branch",
    "plot_multipliers",
    "plot_phase",
    "plot_portraits",
    "plot_return_map",
    "plot_run",
    "plot_sweep",
]
