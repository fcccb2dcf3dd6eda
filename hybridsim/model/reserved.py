"""Names that a model may not use, and the check that no two quantities share a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hybridsim.errors import ModelError
from hybridsim.model.table import Records

ENGINE_SYMBOLS = frozenset(
    [
        "systemName",
        "dataBaseName",
        "useGeomview",
        "stopPrecision",
        "maxStopIter",
        "maxStopIterations",
        "recordPeriod",
        "measurePeriod",
        "maxChartCount",
        "finalTime",
        "tolerance",
        "maxTimeStep",
        "minTimeStep",
        "power",
        "rkPower",
        "model",
        "initial_time",
        "final_time",
        "parameters",
        "inputs",
        "initial",
        "stop",
        "engine",
        "record",
        "output",
        "progress_period",
        "view",
        "include",
        "method",
        "rtol",
        "atol",
        "first_step",
        "max_step",
        "min_step",
        "stop_precision",
        "touch_precision",
        "zeno_precision",
        "max_stop_iterations",
        "max_transitions",
        "max_steps",
        "max_wall_time",
        "t",
        "j",
        "chart",
        "time",
    ]
)
"""Names that belong to the engine; an rc file is one flat table, so a model may not use them."""


def aliases_in(records: Iterable[Any]) -> dict[str, str]:
    """The name that each alias stands for."""
    return {alias: record.name for record in records for alias in getattr(record, "aliases", ())}


def refuse_symbols(where: str, tables: Mapping[str, Records[Any]]) -> None:
    """Raise a ModelError for a name of the engine, and for one that two records share.

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
            if symbol in ENGINE_SYMBOLS:
                raise ModelError(f"{where}: {symbol!r} is a name of the engine; choose another")
            owners[symbol] = owner
