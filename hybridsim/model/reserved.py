"""Names that a model may not use, and the check that no two quantities of a model share a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hybridsim.errors import ModelError
from hybridsim.model.table import Records

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "model": ("systemName",),
    "include": (),
    "initial_time": (),
    "final_time": ("finalTime",),
    "parameters": (),
    "inputs": (),
    "initial": (),
    "stop": (),
    "engine": (),
    "engine.method": (),
    "engine.rtol": ("tolerance",),
    "engine.atol": ("tolerance",),
    "engine.first_step": (),
    "engine.max_step": ("maxTimeStep",),
    "engine.min_step": ("minTimeStep",),
    "engine.power": ("rkPower",),
    "engine.stop_precision": ("stopPrecision",),
    "engine.touch_precision": (),
    "engine.zeno_precision": (),
    "engine.max_stop_iterations": ("maxStopIter", "maxStopIterations"),
    "engine.max_transitions": ("maxChartCount",),
    "engine.max_steps": (),
    "engine.max_wall_time": (),
    "record": (),
    "record.period": ("recordPeriod",),
    "output": (),
    "output.base": ("dataBaseName",),
    "progress_period": ("measurePeriod",),
    "view": ("useGeomview",),
    "sweep": (),
    "metrics": (),
}
"""The keys of a configuration that rc files or keyword arguments give without their section, with SimSect's names.

A test compares them with the schema of configurations, which the model does not import.
"""

RUN_COLUMNS = ("t", "j", "time", "chart")
"""Columns that every run has."""


def _reserved_names() -> frozenset[str]:
    keys = (key.removeprefix("engine.") for key in SETTINGS)
    symbols = (symbol for symbols in SETTINGS.values() for symbol in symbols)
    return frozenset((*(key for key in keys if "." not in key), *symbols, *RUN_COLUMNS))


RESERVED_NAMES = _reserved_names()
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
        for symbol in (*table.names, *aliases_in(table)):
            if symbol in owners:
                raise ModelError(f"{where}: {symbol!r} names a {owners[symbol]} and a {owner}; choose different names")
            if symbol in RESERVED_NAMES:
                raise ModelError(f"{where}: {symbol!r} is a name of the engine; choose another")
            owners[symbol] = owner
