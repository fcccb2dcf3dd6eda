"""Names that a model may not use, and the check that no two quantities of a model share a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hybridsim.errors import ModelError
from hybridsim.model.table import Records

SIMSECT_NAMES: Mapping[str, tuple[str, ...]] = {
    "model": ("systemName",),
    "final_time": ("finalTime",),
    "engine.rtol": ("tolerance",),
    "engine.atol": ("tolerance",),
    "engine.max_step": ("maxTimeStep",),
    "engine.min_step": ("minTimeStep",),
    "engine.power": ("rkPower",),
    "engine.stop_precision": ("stopPrecision",),
    "engine.max_stop_iterations": ("maxStopIter", "maxStopIterations"),
    "engine.max_transitions": ("maxChartCount",),
    "record.period": ("recordPeriod",),
    "output.base": ("dataBaseName",),
    "progress_period": ("measurePeriod",),
    "view": ("useGeomview",),
}
"""Key of a configuration -> its names in SimSect's rc files."""

CONFIG_KEYS = (
    *("model", "include", "initial_time", "final_time", "parameters", "inputs", "initial", "initial_chart", "stop"),
    *("engine", "record", "output", "progress_period", "view", "orbit", "sweep", "optimize", "metrics"),
)
ENGINE_KEYS = (
    *("method", "rtol", "atol", "first_step", "max_step", "min_step", "power", "stop_precision", "touch_precision"),
    *("zeno_precision", "max_stop_iterations", "max_transitions", "max_steps", "max_wall_time"),
)
"""Keys of a configuration, and those of its section `engine`, which rc files and keyword arguments give without it.

A test compares both with the schema of configurations, which the model does not import.
"""

RUN_COLUMNS = ("t", "j", "time", "chart")
"""Columns that every run has."""


_SIMSECT = frozenset(name for names in SIMSECT_NAMES.values() for name in names)
RESERVED_NAMES = _SIMSECT.union(CONFIG_KEYS, ENGINE_KEYS, RUN_COLUMNS)
"""Names of settings and columns. An rc file is one flat table of them and the model's names, so they must differ."""


def aliases_in(records: Iterable[Any]) -> dict[str, str]:
    """Return the name that each alias stands for."""
    return {alias: record.name for record in records for alias in getattr(record, "aliases", ())}


def refuse_symbols(where: str, tables: Mapping[str, Records[Any]]) -> None:
    """Raise a ModelError for a reserved name, and for a name that two records share.

    Parameters
    ----------
    where : str
        The beginning of the message, `model 'slip'`.
    tables : mapping of str to Records
        The records by the word for one of them: "state", "parameter", "input".
    """
    owners: dict[str, str] = {}
    for owner, table in tables.items():
        for symbol in (*(record.name for record in table.blocks), *aliases_in(table.blocks)):
            if symbol in owners:
                raise ModelError(f"{where}: {symbol!r} names a {owners[symbol]} and a {owner}; choose different names")
            if symbol in RESERVED_NAMES:
                raise ModelError(f"{where}: {symbol!r} is a name of the engine; choose another")
            owners[symbol] = owner
