"""Configurations of sweeps: the axes that vary, their values, and the metrics that are reported of each run."""

from __future__ import annotations

from hybridsim.config.sweep.axis_values import Axis
from hybridsim.config.sweep.keywords import sweep_from_data, sweep_from_keywords
from hybridsim.config.sweep.loading import load_orbit_sweep, load_run_or_sweep, load_sweep_config, load_written_sweep
from hybridsim.config.sweep.metrics import Metric
from hybridsim.config.sweep.sweep_config import SweepConfig, sweep_data

__all__ = [
    "Axis",
    "Metric",
    "SweepConfig",
    "load_orbit_sweep",
    "load_run_or_sweep",
    "load_sweep_config",
    "load_written_sweep",
    "sweep_data",
    "sweep_from_data",
    "sweep_from_keywords",
]
