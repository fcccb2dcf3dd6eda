"""Are the best settings of an optimisation what its table says, and is the run with the best one a solution?"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from hybridsim.optimisation.confirmation import values_in
from hybridsim.optimisation.evaluation import evaluation
from hybridsim.optimisation.results import Optimization, load_optimization
from hybridsim.optimisation.table import STAGE_COLUMN, VALUE_COLUMN
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.verification import Report, verify


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What was computed again.

    Attributes
    ----------
    rows : int
        Number of rows of the table that were computed again: the best setting of each search.
    differences : tuple of str
        What is not the same to the last bit.
    report : Report
        The verification of the run with the best setting.
    """

    rows: int
    differences: tuple[str, ...]
    report: Report

    @property
    def ok(self) -> bool:
        """Whether all is the same, and the run is a solution."""
        return not self.differences and self.report.ok


def reproduce(folder: str | os.PathLike[str]) -> Reproduction:
    """Compute the best setting of each search again, and verify the run with the best one.

    Parameters
    ----------
    folder : str or path-like
        The folder of an optimisation.

    Returns
    -------
    Reproduction
        What differs.

    Raises
    ------
    ConfigError
        If the folder holds no optimisation.
    """
    found = load_optimization(folder)
    n = found.layout.problem.repeats
    rows = np.concatenate([np.arange(one.row, one.row + n) for one in found.searches])
    table = found.table.take(pa.array(rows))
    with evaluation(found.layout.sweeps, None, None) as evaluate:
        subspace, values = values_in(found.layout, table)
        metrics = evaluate(subspace, values)
    settings = table.drop_columns([*metrics, STAGE_COLUMN, VALUE_COLUMN])
    again = found.layout.table(settings, metrics, found.layout.rank(values, metrics))
    return Reproduction(len(rows), tuple(_differences(table, again)), verify(_best_run(found)))


def _best_run(found: Optimization) -> Trajectory:
    config = found.config()
    record = config.record.model_copy(update={"steps": True})
    return Simulation.from_config(replace(config, record=record)).run()


def _differences(before: pa.Table, again: pa.Table) -> list[str]:
    """Return the cells that differ, by row and column."""
    texts = []
    for name in before.column_names:
        pairs = zip(before["row"].to_pylist(), before[name].to_pylist(), again[name].to_pylist(), strict=True)
        texts += [
            f"row {row}: {name}: it was {old!r} and is {new!r} now"
            for row, old, new in pairs
            if old != new and not (old != old and new != new)  # noqa: PLR0124  (nan)
        ]
    return texts
