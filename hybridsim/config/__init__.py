"""Configurations of runs, read from a file, the command line or keywords, and checked as a whole.

A valid configuration becomes a RunConfig; an invalid one raises a ConfigError with all its problems.

The configurations of sweeps are in `hybridsim.config.sweep`.
"""

from __future__ import annotations

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.keywords import config_from_keywords
from hybridsim.config.loading import load_config
from hybridsim.config.run_config import RunConfig, resolve, resolve_to_yaml, rows
from hybridsim.config.schema import Stop, json_schema

__all__ = [
    "EngineSettings",
    "RunConfig",
    "Stop",
    "config_from_keywords",
    "json_schema",
    "load_config",
    "resolve",
    "resolve_to_yaml",
    "rows",
]
