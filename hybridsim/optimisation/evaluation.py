"""Settings are evaluated: each is a row of the sweep of its subspace, on threads that keep what they have prepared."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.sweep import SweepConfig
from hybridsim.optimisation.problem import Columns
from hybridsim.sweeps.batch import BatchRunner, Cancelled
from hybridsim.sweeps.threads import thread_count
from hybridsim.typing import IntArray

ROWS_PER_TASK = 8
"""Fewest rows that a thread takes at a time: less is not worth handing out."""


class Evaluation:
    """Computes the metrics of settings.

    Parameters
    ----------
    sweeps : sequence of SweepConfig
        The sweep of each subspace.
    workers : int, optional
        Number of threads; by default one for each processor.
    """

    def __init__(self, sweeps: Sequence[SweepConfig], workers: int | None = None) -> None:
        self._sweeps, self._n_threads = sweeps, thread_count(workers)
        self._stop = np.zeros(1, np.int64)
        self._of_thread = threading.local()
        self._pool = ThreadPoolExecutor(self._n_threads, "hybridsim-optimize")
        self._columns = list(dict.fromkeys(metric.name for sweep in sweeps for metric in sweep.metrics))

    def __enter__(self) -> Evaluation:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop[0] = 1
        self._pool.shutdown(cancel_futures=True)

    def __call__(self, subspace: IntArray, values: Columns) -> Columns:
        """Return the metrics of settings in subspaces (n,) with these values, (n,) by key.

        Raises
        ------
        ModelError
            If a model does not compile.
        KeyboardInterrupt
            If Ctrl-C ended the computation early.
        """
        n = len(subspace)
        size = max(-(-n // (4 * self._n_threads)), ROWS_PER_TASK)
        places = [np.arange(first, min(first + size, n)) for first in range(0, n, size)]
        tasks = [
            self._pool.submit(self._run, subspace[rows], {key: column[rows] for key, column in values.items()})
            for rows in places
        ]
        try:
            parts = [task.result() for task in tasks]
        except BaseException:
            self._stop[0] = 1
            raise
        return {name: np.concatenate([part[name] for part in parts]) for name in self._columns}

    def _run(self, subspace: IntArray, values: Columns) -> Columns:
        found: Columns = {}
        for number in np.unique(subspace).tolist():
            rows = np.flatnonzero(subspace == number)
            sweep = self._sweeps[number]
            own = {axis.key: _typed(values[axis.key][rows], axis.values.dtype) for axis in sweep.axes}
            for name, column in self._runner(number).run(own, self._stop).items():
                found.setdefault(name, _empty(len(subspace), column.dtype))[rows] = column
        return {name: found[name] if name in found else np.full(len(subspace), np.nan) for name in self._columns}

    def _runner(self, number: int) -> BatchRunner:
        runners: dict[int, BatchRunner] = self._of_thread.__dict__.setdefault("runners", {})
        if number not in runners:
            runners[number] = BatchRunner(self._sweeps[number])
        return runners[number]


def _typed(column: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    return np.array(column.tolist(), np.str_) if kind.kind == "U" else column.astype(kind)


def _empty(n: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return a column for values of a kind, none of which is known yet."""
    return np.full(n, "", object) if kind.kind in "OU" else np.full(n, 0, kind)


__all__ = ["Cancelled", "Evaluation"]
