"""Settings are evaluated: each is a row of the sweep of its subspace, on threads that stay, or on a cluster."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.sweep import SweepConfig
from hybridsim.errors import ConfigError
from hybridsim.optimisation.problem import Columns
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.cluster import Dispatcher, connected
from hybridsim.sweeps.plan import Rows
from hybridsim.sweeps.progress import Tally
from hybridsim.sweeps.threads import thread_count
from hybridsim.sweeps.worker import refuse_without_file, sweep_job
from hybridsim.typing import IntArray

ROWS_PER_TASK, TASKS_PER_WORKER = 8, 4
"""Fewest rows that are handed out at a time, and into how many tasks a generation is divided for each worker."""

MAX_LOCAL_WORKERS = 10_000


class Evaluate(Protocol):
    """Computes the metrics of settings."""

    def __call__(self, subspace: IntArray, values: Columns) -> Columns:
        """Return the metrics of settings in subspaces (n,) with these values, (n,) by key.

        Raises
        ------
        ModelError
            If a model does not compile.
        KeyboardInterrupt
            If Ctrl-C ended the computation early.
        """
        ...


@contextlib.contextmanager
def evaluation(sweeps: Sequence[SweepConfig], workers: int | None, cluster: str | None) -> Iterator[Evaluate]:
    """Prepare to compute the metrics of settings.

    Parameters
    ----------
    sweeps : sequence of SweepConfig
        The sweep of each subspace.
    workers : int or None
        Number of threads; by default one for each processor.
    cluster : str or None
        Address of a Dask scheduler, used instead.

    Yields
    ------
    Evaluate
        What computes them; the bits do not depend on where.

    Raises
    ------
    ConfigError
        If the workers or the cluster cannot be used.
    """
    if cluster is not None and workers is not None:
        raise ConfigError("workers: has no effect on a cluster; leave out workers or cluster")
    if cluster is None:
        with contextlib.closing(_Threads(sweeps, thread_count(workers))) as threads:
            yield threads
        return
    for sweep in sweeps:
        refuse_without_file(sweep.run.model)
    with connected(cluster, MAX_LOCAL_WORKERS) as client:
        yield _Cluster(sweeps, cluster, client)


def _columns(sweeps: Sequence[SweepConfig]) -> list[str]:
    return list(dict.fromkeys(metric.name for sweep in sweeps for metric in sweep.metrics))


class _Threads:
    """Threads of this process; each prepares the runs of a subspace once."""

    def __init__(self, sweeps: Sequence[SweepConfig], n_threads: int) -> None:
        self._sweeps, self._n_threads, self._names = sweeps, n_threads, _columns(sweeps)
        self._stop = np.zeros(1, np.int64)
        self._of_thread = threading.local()
        self._preparing = threading.Lock()
        self._pool = ThreadPoolExecutor(n_threads, "hybridsim-optimize")

    def close(self) -> None:
        """End the threads."""
        self._stop[0] = 1
        self._pool.shutdown(cancel_futures=True)

    def __call__(self, subspace: IntArray, values: Columns) -> Columns:
        rows = Rows(len(subspace), max(-(-len(subspace) // (TASKS_PER_WORKER * self._n_threads)), ROWS_PER_TASK))
        tasks = [
            self._pool.submit(self._run, subspace[here], {key: column[here] for key, column in values.items()})
            for here in (slice(block.first, block.end) for block in rows)
        ]
        parts = [task.result() for task in tasks]
        return {name: np.concatenate([part[name] for part in parts]) for name in self._names}

    def _run(self, subspace: IntArray, values: Columns) -> Columns:
        found = _Metrics(self._names, len(subspace))
        for number, rows, own in _by_subspace(self._sweeps, subspace, values):
            found.put(rows, self._runner(number).run(own, self._stop))
        return found.columns

    def _runner(self, number: int) -> BatchRunner:
        runners: dict[int, BatchRunner] = self._of_thread.__dict__.setdefault("runners", {})
        if number not in runners:
            with self._preparing:  # so that a model is compiled once
                runners[number] = BatchRunner(self._sweeps[number])
        return runners[number]


class _Cluster:
    """Workers of a Dask scheduler."""

    def __init__(self, sweeps: Sequence[SweepConfig], address: str, client: Any) -> None:
        self._sweeps, self._names, self._address, self._client = sweeps, _columns(sweeps), address, client
        self._jobs = [sweep_job(uuid.uuid4().hex, sweep) for sweep in sweeps]

    def __call__(self, subspace: IntArray, values: Columns) -> Columns:
        found, n_threads = _Metrics(self._names, len(subspace)), sum(self._client.nthreads().values()) or 1
        for number, rows, own in _by_subspace(self._sweeps, subspace, values):
            blocks = Rows(len(rows), max(-(-len(rows) // (TASKS_PER_WORKER * n_threads)), ROWS_PER_TASK))

            def keep(block: Any, results: Any, rows: IntArray = rows) -> Counter[str]:
                found.put(rows[block.first : block.end], results)
                return Counter()

            dispatcher = Dispatcher(self._address, self._client, self._jobs[number], _Values(own), [*blocks])
            try:
                dispatcher.run(keep, Tally(Counter(), None))
            finally:
                dispatcher.cancel()
        return found.columns


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of rows, by key, for the workers of a cluster."""

    columns: Columns

    def values(self, first: int, end: int) -> Columns:
        return {key: column[first:end] for key, column in self.columns.items()}


class _Metrics:
    """Columns of metrics that are filled subspace by subspace; nan, or no word, where a subspace has no such metric."""

    def __init__(self, names: Sequence[str], n: int) -> None:
        self.columns: Columns = {name: np.full(n, np.nan) for name in names}

    def put(self, rows: IntArray, metrics: Columns) -> None:
        for name, values in metrics.items():
            column = self.columns[name]
            if values.dtype.kind in "OU" and column.dtype.kind != "O":
                column = np.full(len(column), "", object)
            elif len(rows) == len(column):
                column = np.empty(len(column), values.dtype)
            column[rows] = values
            self.columns[name] = column


def _by_subspace(
    sweeps: Sequence[SweepConfig], subspace: IntArray, values: Columns
) -> Iterator[tuple[int, IntArray, Columns]]:
    """Yield each subspace that occurs, its rows, and the values of the axes of its sweep in these rows."""
    for number in np.unique(subspace).tolist():
        rows = np.flatnonzero(subspace == number)
        columns = {
            # the axis of a subspace of choices alone has one value
            axis.key: values[axis.key][rows] if axis.key in values else np.repeat(axis.values, len(rows))
            for axis in sweeps[number].axes
        }
        yield number, rows, {axis.key: _typed(columns[axis.key], axis.values.dtype) for axis in sweeps[number].axes}


def _typed(column: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    return np.array(column.tolist(), np.str_) if kind.kind == "U" else column.astype(kind)
