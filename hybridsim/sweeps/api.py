"""`run_sweep` and `sweep`: compute the table of a sweep, in a folder or in memory."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa

from hybridsim.config.signatures import shows_keywords
from hybridsim.config.sweep import SweepConfig, sweep_from_keywords
from hybridsim.config.sweep.keywords import SweepKeywords
from hybridsim.config.sweep.metrics import LAST_KINDS
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.progress import Progress, RowProgress, shown
from hybridsim.sweeps import kept_runs
from hybridsim.sweeps.batch import BatchRunner, MakeRunner
from hybridsim.sweeps.cluster import compute_on_cluster
from hybridsim.sweeps.kept_runs import RowChoice
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.processes import ProcessRunner, process_count
from hybridsim.sweeps.progress import ProgressCallback, Tally
from hybridsim.sweeps.results import Results, TableLayout, folder_of, load_sweep, status_column
from hybridsim.sweeps.store import ResultFolder, open_results
from hybridsim.sweeps.threads import KeepResults, compute_on_threads, thread_count


@dataclass(frozen=True, slots=True)
class Outcome:
    """State of a sweep when `run_sweep` returns.

    Parameters
    ----------
    rows : int
        Number of rows of the whole sweep.
    finished : int
        Number of rows finished, now or earlier.
    computed : int
        Number of rows computed now.
    statuses : mapping
        Name of a status -> number of finished rows with it.
    wall_time : float
        Computing time [s], without the time to load the engine and to store whole runs.
    folder : Path
        Folder of the results.
    interrupted : bool
        Whether Ctrl-C ended the sweep early; finished rows are kept.
    kept : tuple of Path
        Files of the whole runs that `keep_runs` asked for.
    notes : tuple of str
        Remarks for the user, where nothing is wrong.
    failures : sequence of (str, str, int, int)
        How runs failed, see `SweepTable.causes`.
    """

    rows: int
    finished: int
    computed: int
    statuses: Mapping[str, int]
    wall_time: float
    folder: Path
    interrupted: bool
    kept: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    failures: Sequence[tuple[str, str, int, int]] = ()


@dataclass(frozen=True, slots=True)
class _Backend:
    """What computes the rows: threads of this process, or a cluster."""

    workers: int
    cluster: str | None
    make: MakeRunner

    @classmethod
    def of(cls, workers: int | None, cluster: str | None) -> _Backend:
        if cluster is not None and workers is not None:
            raise ConfigError("workers: has no effect on a cluster; leave out workers or cluster")
        return cls(thread_count(workers), cluster, BatchRunner)

    def compute(self, layout: TableLayout, blocks: Sequence[Block], keep: KeepResults, tally: Tally) -> bool:
        """Compute blocks of rows; False if Ctrl-C ended the computation early."""
        tally.show()
        if not blocks:
            return True
        try:
            if self.cluster is not None:
                return compute_on_cluster(self.cluster, layout, blocks, keep, tally, make=self.make)
            return compute_on_threads(layout, blocks, keep, tally, threads=self.workers, make=self.make)
        except KeyboardInterrupt:
            return False


@explains_keywords(threads="workers")
def run_sweep(
    config: SweepConfig,
    folder: str | os.PathLike[str],
    *,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: Progress = None,
) -> Outcome:
    """Compute a sweep, or its missing rows, into a folder.

    Parameters
    ----------
    config : SweepConfig
        The sweep, see `load_sweep_config`.
    folder : str or path-like
        Folder of the results: one Parquet part for each finished block, and files whose names begin with `_`.
    resume : bool
        Whether to continue with results that are in the folder; otherwise a folder with results is refused. If there
        are none, the sweep begins.
    workers : int, optional
        Number of threads; by default one for each processor that this process may use.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers on this machine; used instead of
        `workers`.
    keep_runs : str or iterable
        Rows whose whole trajectories to keep: a text such as `0,17,100-120`, `all`, `failed` or the name of a status,
        `LEFT_CHART`; or several of these, row numbers and ranges.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a
        function called with the number of finished rows and the counts of their statuses. A method `kept` of it, if
        any, is called with the number of runs kept and of runs to keep; a method `waiting` with the reason for which
        the sweep waits.

    Returns
    -------
    Outcome
        The rows that are finished, and the files.

    Raises
    ------
    ConfigError
        If the input is invalid, the folder cannot be written or holds something else, the disk is full, or the cluster
        cannot be used. Finished parts are kept.
    ModelError
        If the model or an extra output does not compile.
    """
    folder = folder_of(folder)
    backend = _Backend.of(workers, cluster)
    layout = TableLayout.of(config)
    choice = kept_runs.choose_rows(keep_runs, layout.plan.n_rows)
    with open_results(folder, layout, resume) as store, _show_progress(progress, layout) as report:
        return _complete(store, backend, choice, Tally(store.statuses, report))


def _show_progress(progress: Progress, layout: TableLayout) -> AbstractContextManager[ProgressCallback | None]:
    """Return the context in which the progress of a sweep, or of a map, is shown."""
    is_sweep = any(metric.kind != "orbit" for metric in layout.config.metrics[1:])
    return shown(progress, lambda: RowProgress(layout.plan.n_rows, "runs" if is_sweep else "orbits"))


def _complete(store: ResultFolder[TableLayout], backend: _Backend, choice: RowChoice, tally: Tally) -> Outcome:
    """Compute the missing rows of a folder and, if none is missing any more, the chosen runs."""
    layout = store.layout

    def keep(block: Block, results: Results) -> Counter[str]:
        table = layout.table(block, results)
        store.write(block, table, layout.event_table(block, results))
        store.failures.add(table)
        return layout.statuses(table)

    complete = backend.compute(layout, store.missing, keep, tally)
    wall_time = tally.elapsed
    kept = kept_runs.keep_runs(store.path, layout, choice if complete else RowChoice((), ()), tally.kept)
    return Outcome(
        rows=layout.plan.n_rows,
        finished=tally.finished,
        computed=tally.computed,
        statuses=dict(tally.statuses),
        wall_time=wall_time,
        folder=store.path,
        interrupted=not complete or kept.interrupted,
        kept=kept.files,
        notes=(*store.notes, *kept.notes),
        failures=store.failures.listed(),
    )


def compute_rows(
    config: SweepConfig,
    make: MakeRunner,
    *,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress = None,
) -> pa.Table:
    """Compute a table as that of a sweep, with rows that Python computes, block by block, and not the compiled engine.

    Parameters
    ----------
    config : SweepConfig
        The axes and the columns; each block of rows is computed for itself.
    make : MakeRunner
        Makes what computes the rows.
    folder, resume, cluster, progress
        As of `run_sweep`; without a folder, nothing is kept.
    workers : int, optional
        Number of processes; by default one for each processor, but none for less than `MIN_ROWS_PER_PROCESS` rows, and
        only this one for a model that has no file.

    Returns
    -------
    pyarrow.Table
        The rows.

    Raises
    ------
    ConfigError
        As of `run_sweep`; or if processes are asked for and the model has no file.
    KeyboardInterrupt
        If Ctrl-C ended the computation early.
    """
    if cluster is not None and workers is not None:
        raise ConfigError("workers: has no effect on a cluster; leave out workers or cluster")
    if resume and folder is None:
        raise ConfigError("resume: only results in a folder are resumed; give folder=...")
    layout = TableLayout.of(config)
    count = process_count(workers, config, layout.plan)
    backend = _Backend(count, cluster, make if cluster is not None or count == 1 else partial(ProcessRunner, make))
    if folder is None:
        return _compute_in_memory(layout, backend, progress, layout.table)
    with open_results(folder_of(folder), layout, resume) as store, _show_progress(progress, layout) as report:
        outcome = _complete(store, backend, RowChoice((), ()), Tally(store.statuses, report))
    if outcome.interrupted:
        raise KeyboardInterrupt
    return load_sweep(folder).table


def _compute_in_memory(
    layout: TableLayout, backend: _Backend, progress: Progress, table_of: Callable[[Block, Results], pa.Table]
) -> pa.Table:
    """Compute a sweep without a folder, and return one of its tables."""
    tables: dict[int, pa.Table] = {}

    def keep(block: Block, results: Results) -> Counter[str]:
        tables[block.first] = table_of(block, results)
        return Counter(results[status_column(layout.config.metrics)].tolist())

    with _show_progress(progress, layout) as report:
        complete = backend.compute(layout, list(layout.plan), keep, Tally(Counter(), report))
    if not complete:
        raise KeyboardInterrupt
    return pa.concat_tables([tables[first] for first in sorted(tables)])


@shows_keywords(SweepKeywords)
def sweep(
    model: str | os.PathLike[str] | Model,
    axes: Mapping[str, Any] | None = None,
    metrics: Sequence[str] | Mapping[str, str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: Progress = None,
    events: bool = False,
    **keywords: Unpack[SweepKeywords],
) -> pa.Table:
    """Run a model for every combination of the axes' values, and return a table of metrics.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    axes : mapping, optional
        Values by key, `{"k": np.linspace(1e4, 3e4, 100), "y": [1.0, 1.1]}`: lists, arrays, or texts as in a config,
        "linspace(-50 deg, -10 deg, 100)". Every combination is run, the last axis varying fastest.
    metrics : list or mapping, optional
        Metrics of each run, `["count(touchdown)", "max(y)"]` or `{"top": "max(y)"}`; by default its status, its final
        time, and how many events each boundary had.
    folder : str or path-like, optional
        Folder in which to keep the results, which `resume` and `keep_runs` require; by default they are not kept.
    resume : bool
        Whether to continue with results in the folder.
    workers : int, optional
        Number of threads; by default one for each processor that this process may use.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers on this machine.
    keep_runs : str or iterable
        Rows whose whole trajectories to keep, with what `record` says; see `run_sweep`.
    progress : bool or callable, optional
        Whether progress is shown, with the time left; by default on a terminal and in a notebook. Or a function called
        with the number of finished rows and the counts of their statuses.
    events : bool
        Whether to return the table of events, with a row for each event that a metric `last(BOUNDARY, k, QUANTITY)`
        asks for, instead of that of the runs.
    **keywords
        What is the same in all runs, and the keys of the section `sweep` of a config.

    Returns
    -------
    pyarrow.Table
        The columns `row`, the axes [in the model's units] and the metrics; its method
        ``to_pandas`` makes a DataFrame of it. With `events=True`, the table of events.

    Raises
    ------
    ConfigError
        If a keyword, a name or a value is wrong, with all problems.
    ModelError
        If the model cannot be loaded or compiled.
    KeyboardInterrupt
        If Ctrl-C ended the sweep; finished rows are kept in the folder, and `resume` computes the others.
    """
    config = sweep_from_keywords(model, axes, metrics, **keywords)
    if events and not any(metric.kind in LAST_KINDS for metric in config.metrics):
        raise ConfigError("events: no metric has rows for events; add a metric last(BOUNDARY, k, QUANTITY)")
    if folder is not None:
        outcome = run_sweep(
            config, folder, resume=resume, workers=workers, cluster=cluster, keep_runs=keep_runs, progress=progress
        )
        if outcome.interrupted:
            raise KeyboardInterrupt
        results = load_sweep(folder)
        return results.events if events else results.table
    backend = _Backend.of(workers, cluster)
    layout = TableLayout.of(config)
    for name, given in (("resume", resume), ("keep_runs", kept_runs.choose_rows(keep_runs, layout.plan.n_rows))):
        if given:
            raise ConfigError(f"{name}: only a sweep into a folder can do that; give folder=...")
    return _compute_in_memory(layout, backend, progress, layout.event_table if events else layout.table)
