"""A sweep from its configuration to its table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from hybridsim.config.sweep.sweeping import SweepConfig, sweep_from_keywords
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.sweeps import kept_runs
from hybridsim.sweeps.batch import Worker
from hybridsim.sweeps.cluster import compute_on_cluster
from hybridsim.sweeps.plan import Block, Plan
from hybridsim.sweeps.progress import Progress, Tally
from hybridsim.sweeps.results import Columns, Results, folder_of, read_sweep, with_status
from hybridsim.sweeps.store import opened
from hybridsim.sweeps.threads import Keep, MakeWorker, compute_here, thread_count


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a sweep has come.

    Attributes
    ----------
    rows : of the plan; finished : of them, in this and earlier sessions; computed : in this session.
    statuses : how many of the finished rows ended in which way.
    wall_time : of the computing in this session [s]; loading the engine and keeping runs not included.
    folder : where the parts are.
    interrupted : by Ctrl-C; what was finished is kept.
    kept : the files of the runs that were to be kept.
    notes : what the user should know, though nothing is wrong.
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


def run_sweep(
    config: SweepConfig,
    folder: str | os.PathLike[str],
    *,
    resume: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: Progress | None = None,
    make_worker: MakeWorker = Worker,
) -> Outcome:
    """Compute a sweep, or what is missing of it, into a folder.

    Parameters
    ----------
    config :
        the sweep, see `load_sweep`.
    folder :
        gets one Parquet part for each finished block; all else in it has names that begin with `_`.
    resume :
        go on with what is there; where there is nothing yet, begin. Without it, results are refused.
    threads :
        how many; by default as many as this process may use at once.
    cluster :
        the address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers here; instead of threads.
    keep_runs :
        rows whose whole trajectories to keep: a text such as `0,17,100-120`, `all`, `failed` or the name of a status,
        `LEFT_CHART`; or several of these, row numbers and ranges.
    progress :
        called with the number of finished rows and the counts of their statuses; a method `kept` of it, if there is
        one, with the number of kept runs and how many there are to be, a method `waiting` with what is waited for.
    make_worker :
        makes one thread's engine.

    Raises
    ------
    ConfigError, ModelError : bad input, a folder that cannot be written or holds something else, a full disk, a
        cluster that is not there. Finished parts stay.
    """
    folder = folder_of(folder)
    n_threads = _thread_count(threads, cluster)
    columns = _columns(config)
    choice = kept_runs.chosen(keep_runs, columns.plan.n_rows)
    with opened(folder, columns, resume) as store:
        tally = Tally(store.statuses, progress)

        def keep(block: Block, results: Results) -> Counter[str]:
            table = columns.table(block, results)
            store.write(block, table)
            return columns.statuses(table)

        complete = _compute(columns, store.missing, keep, tally, n_threads, cluster, make_worker)
        wall_time = tally.elapsed
        kept = kept_runs.keep_runs(folder, columns, choice if complete else kept_runs.chosen((), 0), tally.kept)
    return Outcome(
        rows=columns.plan.n_rows,
        finished=tally.finished,
        computed=tally.computed,
        statuses=dict(tally.statuses),
        wall_time=wall_time,
        folder=folder,
        interrupted=not complete or kept.interrupted,
        kept=kept.files,
        notes=(*store.notes, *kept.notes),
    )


def _columns(config: SweepConfig) -> Columns:
    config = with_status(config)
    return Columns.of(config, Plan(config))


def _thread_count(threads: int | None, cluster: str | None) -> int:
    if cluster is not None and threads is not None:
        raise ConfigError("threads: the workers of a cluster have threads of their own; leave out threads or cluster")
    return thread_count(threads)


def _compute(
    columns: Columns,
    blocks: Sequence[Block],
    keep: Keep,
    tally: Tally,
    threads: int,
    cluster: str | None,
    make_worker: MakeWorker,
) -> bool:
    """Compute the blocks here or on a cluster; False if Ctrl-C came before the end."""
    given = columns.config, columns.plan, blocks, keep, tally
    tally.show()
    try:
        if cluster is not None:
            return compute_on_cluster(cluster, *given, make_worker=make_worker)
        return compute_here(*given, threads=threads, make_worker=make_worker)
    except KeyboardInterrupt:
        return False


def sweep(
    model: str | os.PathLike[str] | Model,
    axes: Mapping[str, Any] | None = None,
    metrics: Any = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: Progress | None = None,
    **keywords: Any,
) -> pa.Table:
    """Run a model for every combination of the axes' values, and return the table of the metrics.

    Parameters
    ----------
    model :
        a name, a path to a plug-in file, or a Model.
    axes :
        values by name, `{"k": np.linspace(1e4, 3e4, 100), "y": [1.0, 1.1]}`: lists, arrays, or texts as in a config,
        "linspace(-50 deg, -10 deg, 100)"; every combination is run, the last axis varying fastest. None if `zip`,
        `random`, `latin_hypercube` or `rows` say what varies.
    metrics :
        what to report of each run, ["count(touchdown)", "max(y)"] or {"top": "max(y)"}; by default how it ended, when,
        and how many events each boundary had.
    folder :
        where to keep the results (and what `resume` and `keep_runs` need); by default nowhere.
    threads, cluster, resume, keep_runs, progress :
        see `run_sweep`.
    keywords :
        `zip`, `random`, `latin_hypercube`, `rows`, `extra_outputs` and `block`, see docs/sweeps.md; and those of
        `simulate`: parameters, initial, final_time, stop, rtol, ...

    Returns
    -------
    The columns `row`, the axes [in the model's units] and the metrics; `.to_pandas()` makes a DataFrame of it.

    Raises
    ------
    ConfigError, ModelError : bad input. KeyboardInterrupt : Ctrl-C; what is in the folder then can be resumed.
    """
    config = sweep_from_keywords(model, axes, metrics, **keywords)
    if folder is None:
        return _in_memory(config, resume, threads, cluster, keep_runs, progress)
    outcome = run_sweep(
        config, folder, resume=resume, threads=threads, cluster=cluster, keep_runs=keep_runs, progress=progress
    )
    if outcome.interrupted:
        raise KeyboardInterrupt
    return read_sweep(folder).table


def _in_memory(
    config: SweepConfig,
    resume: bool,
    threads: int | None,
    cluster: str | None,
    keep_runs: str | Iterable[Any],
    progress: Progress | None,
    make_worker: MakeWorker = Worker,
) -> pa.Table:
    """The table of a sweep that is kept nowhere."""
    n_threads = _thread_count(threads, cluster)
    columns = _columns(config)
    for name, given in (("resume", resume), ("keep_runs", kept_runs.chosen(keep_runs, columns.plan.n_rows))):
        if given:
            raise ConfigError(f"{name}: only a sweep into a folder can do that; give folder=...")
    tables: dict[int, pa.Table] = {}

    def keep(block: Block, results: Results) -> Counter[str]:
        tables[block.first] = columns.table(block, results)
        return columns.statuses(tables[block.first])

    blocks = list(columns.plan)
    if not _compute(columns, blocks, keep, Tally(Counter(), progress), n_threads, cluster, make_worker):
        raise KeyboardInterrupt
    return pa.concat_tables([tables[first] for first in sorted(tables)])
