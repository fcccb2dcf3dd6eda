"""`run_sweep` and `sweep`: from the configuration of a sweep to its table."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

import pyarrow as pa

from hybridsim.config.keywords import given_keywords
from hybridsim.config.sweep import SweepConfig, sweep_from_keywords
from hybridsim.config.sweep.keywords import EXECUTION_KEYWORDS
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.sweeps import kept_runs
from hybridsim.sweeps.cluster import compute_on_cluster
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.progress import ProgressCallback, Tally
from hybridsim.sweeps.results import Results, TableLayout, folder_of, read_sweep
from hybridsim.sweeps.store import opened
from hybridsim.sweeps.threads import KeepResults, compute_on_threads, thread_count


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a sweep has come, as `run_sweep` returns it.

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
        Computing time [s], without loading the engine and keeping runs.
    folder : Path
        Folder of the results.
    interrupted : bool
        Whether Ctrl-C came before the end; what was finished is kept.
    kept : tuple of Path
        Files of the runs that were to be kept.
    notes : tuple of str
        Remarks for the user, where nothing is wrong.
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the rows are computed: on threads of this process, or on a cluster."""

    threads: int
    cluster: str | None

    @classmethod
    def of(cls, threads: int | None, cluster: str | None) -> _Place:
        if cluster is not None and threads is not None:
            raise ConfigError(
                "threads: the workers of a cluster have threads of their own; leave out threads or cluster"
            )
        return cls(thread_count(threads), cluster)

    def compute(self, layout: TableLayout, blocks: Sequence[Block], keep: KeepResults, tally: Tally) -> bool:
        """Compute blocks of rows; False if Ctrl-C came before the end."""
        tally.show()
        try:
            if self.cluster is not None:
                return compute_on_cluster(self.cluster, layout.config, layout.plan, blocks, keep, tally)
            return compute_on_threads(layout.config, layout.plan, blocks, keep, tally, threads=self.threads)
        except KeyboardInterrupt:
            return False


def run_sweep(
    config: SweepConfig,
    folder: str | os.PathLike[str],
    *,
    resume: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: ProgressCallback | None = None,
) -> Outcome:
    """Compute a sweep, or its missing rows, into a folder.

    Parameters
    ----------
    config : SweepConfig
        The sweep, see `load_sweep`.
    folder : str or path-like
        Folder of the results: one Parquet part for each finished block, and files whose names begin with `_`.
    resume : bool
        Whether to go on with results that are there. Without it they are refused; if there are none, the sweep begins.
    threads : int, optional
        Number of threads; by default as many as this process may use at once.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers here; used instead of threads.
    keep_runs : str or iterable
        Rows whose whole trajectories to keep: a text such as `0,17,100-120`, `all`, `failed` or the name of a status,
        `LEFT_CHART`; or several of these, row numbers and ranges.
    progress : callable, optional
        Function called with the number of finished rows and the counts of their statuses. If it has a method `kept`,
        that is called with the number of runs kept and of runs to keep; a method `waiting`, with the reason to wait.

    Returns
    -------
    Outcome
        How far the sweep has come.

    Raises
    ------
    ConfigError
        If the input is invalid, the folder cannot be written or holds something else, the disk is full, or the cluster
        cannot be used. Finished parts are kept.
    ModelError
        If the model or an extra output does not compile.
    """
    folder = folder_of(folder)
    place = _Place.of(threads, cluster)
    layout = TableLayout.of(config)
    choice = kept_runs.chosen(keep_runs, layout.plan.n_rows)
    with opened(folder, layout, resume) as store:
        tally = Tally(store.statuses, progress)

        def keep(block: Block, results: Results) -> Counter[str]:
            table = layout.table(block, results)
            store.write(block, table)
            return layout.statuses(table)

        complete = place.compute(layout, store.missing, keep, tally)
        wall_time = tally.elapsed
        kept = kept_runs.keep_runs(folder, layout, choice if complete else kept_runs.chosen((), 0), tally.kept)
    return Outcome(
        rows=layout.plan.n_rows,
        finished=tally.finished,
        computed=tally.computed,
        statuses=dict(tally.statuses),
        wall_time=wall_time,
        folder=folder,
        interrupted=not complete or kept.interrupted,
        kept=kept.files,
        notes=(*store.notes, *kept.notes),
    )


def _run_to_table(
    config: SweepConfig,
    *,
    folder: str | os.PathLike[str] | None,
    progress: ProgressCallback | None,
    **options: Any,
) -> pa.Table:
    """Compute a sweep, in a folder or in memory, and return its table; `options` are those of `run_sweep`."""
    if folder is not None:
        outcome = run_sweep(config, folder, progress=progress, **options)
        if outcome.interrupted:
            raise KeyboardInterrupt
        return read_sweep(folder).table
    place = _Place.of(options["threads"], options["cluster"])
    layout = TableLayout.of(config)
    choice = kept_runs.chosen(options["keep_runs"], layout.plan.n_rows)
    for name, given in (("resume", options["resume"]), ("keep_runs", choice)):
        if given:
            raise ConfigError(f"{name}: only a sweep into a folder can do that; give folder=...")
    return _compute_in_memory(layout, place, progress)


def _compute_in_memory(layout: TableLayout, place: _Place, progress: ProgressCallback | None) -> pa.Table:
    """Compute a sweep without a folder, and return its table."""
    tables: dict[int, pa.Table] = {}

    def keep(block: Block, results: Results) -> Counter[str]:
        tables[block.first] = layout.table(block, results)
        return layout.statuses(tables[block.first])

    if not place.compute(layout, list(layout.plan), keep, Tally(Counter(), progress)):
        raise KeyboardInterrupt
    return pa.concat_tables([tables[first] for first in sorted(tables)])


def sweep(
    model: str | os.PathLike[str] | Model,
    axes: Mapping[str, Any] | None = None,
    metrics: Sequence[str] | Mapping[str, str] | None = None,
    *,
    zip: Mapping[str, Any] | None = None,
    random: Mapping[str, Any] | None = None,
    latin_hypercube: Mapping[str, Any] | None = None,
    rows: Any = None,
    extra_outputs: str | os.PathLike[str] | None = None,
    block: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    keep_runs: str | Iterable[Any] = (),
    progress: ProgressCallback | None = None,
    initial_time: float = 0.0,
    final_time: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    stop: Sequence[Any] = (),
    record: bool | float | Mapping[str, Any] = True,
    output: Mapping[str, Any] | None = None,
    progress_period: float = 0.0,
    view: bool = False,
    method: str = "dp5",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    first_step: float | None = None,
    max_step: float = math.inf,
    min_step: float = 0.0,
    power: float = 0.33,
    stop_precision: float = 1e-10,
    touch_precision: float | None = None,
    zeno_precision: float = 1e-9,
    max_stop_iterations: int = 128,
    max_transitions: int = 100_000,
    max_steps: int | None = None,
    max_wall_time: float | None = None,
    **unknown: Never,
) -> pa.Table:
    """Run a model for every combination of the axes' values, and return a table of metrics.

    Parameters
    ----------
    model : str, path-like or Model
        Name of an installed model, path of a plug-in file, or a Model.
    axes : mapping, optional
        Values by key, `{"k": np.linspace(1e4, 3e4, 100), "y": [1.0, 1.1]}`: lists, arrays, or texts as in a config,
        "linspace(-50 deg, -10 deg, 100)". Every combination is run, the last axis varying fastest.
    metrics : list or mapping, optional
        Metrics of each run, `["count(touchdown)", "max(y)"]` or `{"top": "max(y)"}`; by default its status, its final
        time, and how many events each boundary had.
    zip : mapping, optional
        Values by key that vary together, all of one length.
    random : mapping, optional
        Values drawn independently: `{"samples": 100, "seed": 1, "axes": {"k": "uniform(1e4, 2e4)"}}`.
    latin_hypercube : mapping, optional
        The same keys; each axis is drawn from every part of its distribution equally often.
    rows : path, mapping or table, optional
        A CSV or Parquet file with one line per run and one column per key, a mapping of columns, or a table of pandas
        or pyarrow.
    extra_outputs : str or path-like, optional
        Path of a plug-in file of functions `f(t, x, p, chart)` that metrics may name like outputs.
    block : int, optional
        Rows per part file; chosen from their number by default.
    folder : str or path-like, optional
        Folder in which to keep the results, which `resume` and `keep_runs` require; by default they are not kept.
    resume : bool
        Whether to go on with results in the folder.
    threads : int, optional
        Number of threads; by default as many as this process may use at once.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers here; used instead of threads.
    keep_runs : str or iterable
        Rows whose whole trajectories to keep: numbers, ranges, `all`, `failed`, or names of statuses.
    progress : callable, optional
        Function called with the number of finished rows and the counts of their statuses.
    initial_time : float
        Time at the start [s].
    final_time : float
        Time at the end [s]; required unless it is an axis.
    parameters, inputs, initial : mapping, optional
        Values of the model's parameters, inputs and states by name, outside of the axes.
    stop : sequence
        Conditions that end a run early: `("touchdown", 24)`, or `{"state": "x", "value": 10.0}`.
    record : bool, float or mapping
        Rows of the runs that are kept: every step, a period [s], or the keys of `record` in a config.
    output : mapping, optional
        Not used: `folder` says where the results go.
    progress_period : float
        Not used.
    view : bool
        Not used.
    method : str
        Integration method: dp5, dop853, tsit5, rk4 or rk4_adaptive.
    rtol, atol : float
        Error tolerances of a step, relative to each state and in its unit.
    first_step, max_step, min_step : float
        First, longest and shortest step [s].
    power : float
        Exponent of the step adjustment of rk4_adaptive.
    stop_precision : float
        How near zero a boundary must be at its event, in the boundary's unit.
    touch_precision : float, optional
        A boundary's minimum this near above zero is a touch; by default `stop_precision`.
    zeno_precision : float
        Accumulating events end a run this near before their accumulation, relative to the time elapsed.
    max_stop_iterations : int
        Iterations to locate an event before giving up.
    max_transitions, max_steps : int
        Transitions and accepted steps after which a run ends.
    max_wall_time : None
        Refused: results must not depend on the machine.
    **unknown
        Any other keyword is refused, with the keyword that may be meant.

    Returns
    -------
    pyarrow.Table
        The columns `row`, the axes [in the model's units] and the metrics; `.to_pandas()` makes a DataFrame of it.

    Raises
    ------
    ConfigError
        If the input is invalid, with all problems.
    ModelError
        If the model cannot be loaded or compiled.
    KeyboardInterrupt
        If Ctrl-C ended the sweep; finished rows in the folder can be resumed.
    """
    arguments = dict(locals())
    execution = {name: arguments[name] for name in EXECUTION_KEYWORDS}
    given = given_keywords(sweep, arguments)
    keywords = {name: value for name, value in given.items() if name not in EXECUTION_KEYWORDS}
    return _run_to_table(sweep_from_keywords(model, axes, metrics, **keywords), **execution)
