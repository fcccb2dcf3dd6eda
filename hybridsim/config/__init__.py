"""From a config file, the command line or keywords to a run or a sweep, or to every problem at once."""

from __future__ import annotations

from hybridsim.config.keywords import config_from_keywords
from hybridsim.config.loading import load_config, load_run_or_sweep, load_sweep
from hybridsim.config.run_config import RunConfig, resolved, resolved_yaml, rows
from hybridsim.config.schema import EngineSettings, OutputSettings, RecordSettings, Stop, json_schema
from hybridsim.config.sweep.sweeping import (
    Axis,
    Factor,
    Metric,
    SweepConfig,
    sweep_data,
    sweep_from_data,
    sweep_from_keywords,
)

__all__ = [
    "Axis",
    "EngineSettings",
    "Factor",
    "Metric",
    "OutputSettings",
    "RecordSettings",
    "RunConfig",
    "Stop",
    "SweepConfig",
    "config_from_keywords",
    "json_schema",
    "load_config",
    "load_run_or_sweep",
    "load_sweep",
    "resolved",
    "resolved_yaml",
    "rows",
    "sweep_data",
    "sweep_from_data",
    "sweep_from_keywords",
]
