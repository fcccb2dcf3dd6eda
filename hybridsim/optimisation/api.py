"""`run_optimization` and `optimize`: search, in a folder or in memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa

from hybridsim.config.optimization import OptimizationKeywords, optimization_from_keywords
from hybridsim.config.optimization_config import OptimizationConfig
from hybridsim.config.signatures import shows_keywords
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.optimisation.confirmation import Confirmation, Found
from hybridsim.optimisation.evaluation import Evaluate, evaluation
from hybridsim.optimisation.optimizer import Generation, Search
from hybridsim.optimisation.progress import SearchProgress
from hybridsim.optimisation.results import FOUND_FILE, Optimization, write_found
from hybridsim.optimisation.table import SearchLayout
from hybridsim.results.progress import Progress, shown
from hybridsim.sweeps.columns import column_of
from hybridsim.sweeps.manifest import part_name
from hybridsim.sweeps.part_file import read_part
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.results import folder_of
from hybridsim.sweeps.store import ResultFolder, open_results


@explains_keywords(threads="workers")
def run_optimization(
    config: OptimizationConfig,
    folder: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
) -> Optimization:
    """Search, or go on with a search, and confirm what is found.

    Parameters
    ----------
    config : OptimizationConfig
        The optimisation, see `load_optimization_config`.
    folder : str or path-like, optional
        Folder of the results: one Parquet part for each generation, and the best settings as configs that run. By
        default nothing is kept.
    resume : bool
        Whether to continue with results that are in the folder, exactly as if the search had not been interrupted; also
        with more generations. Otherwise a folder with results is refused.
    workers : int, optional
        Number of threads; by default one for each processor. What is found does not depend on it.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers on this machine; used instead of
        `workers`.
    time_limit : float, optional
        Time [s] after which no further generation begins; `resume` goes on.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function called after each
        generation with keywords: generation, generations, stage, value, rows.

    Returns
    -------
    Optimization
        The table, and the best settings.

    Raises
    ------
    ConfigError
        If the input is invalid, or the folder cannot be used; finished generations are kept.
    ModelError
        If a model does not compile.
    KeyboardInterrupt
        If Ctrl-C came before the first generation was finished.
    """
    if time_limit is not None and not time_limit >= 0.0:
        raise ConfigError(f"time_limit: expected a number of seconds, found {time_limit!r}; give for example 600")
    if resume and folder is None:
        raise ConfigError("resume: only results in a folder are resumed; give folder=...")
    search = Search(config)
    with _store(folder, search, resume) as store, _shown(progress, search) as report:
        march = _March(search, store, (workers, cluster), report)
        interrupted = march.run(time_limit)
        if not march.rows:
            raise KeyboardInterrupt
        confirmation = Confirmation(search.layout, pa.concat_tables(march.rows), workers, cluster)
        result = _result(search, confirmation, march, store, interrupted)
        if store is not None:
            write_found(store.path, result)  # kept, whatever happens until it is confirmed
        if not interrupted:
            try:
                result = replace(result, searches=_confirmed(config, search, confirmation, (workers, cluster)))
            except KeyboardInterrupt:
                result = replace(result, interrupted=True)
            if store is not None:
                write_found(store.path, result)
    return result


def _result(search: Search, confirmation: Confirmation, march: _March, store: Store, interrupted: bool) -> Optimization:
    """Return what was found, not yet confirmed."""
    return Optimization(
        pa.concat_tables(march.rows),
        confirmation.unconfirmed(),
        tuple(map(str, search.problem.config.stages)),
        search.layout,
        march.computed,
        march.wall_time,
        search.is_over,
        interrupted,
        store.path if store else None,
    )


def _confirmed(
    config: OptimizationConfig, search: Search, confirmation: Confirmation, where: tuple[int | None, str | None]
) -> tuple[Found, ...]:
    found = confirmation.found()
    if not config.settings.polish:
        return found
    from hybridsim.optimisation.polish import polished  # noqa: PLC0415  (derivatives take their time)

    return polished(search.layout, found, confirmation, where)


Store = ResultFolder[SearchLayout] | None


@contextmanager
def _store(folder: str | os.PathLike[str] | None, search: Search, resume: bool) -> Iterator[Store]:
    if folder is None:
        yield None
        return
    with open_results(folder_of(folder), search.layout, resume) as store:
        yield store


def _shown(progress: Progress, search: Search) -> Any:
    return shown(progress, lambda: SearchProgress(search.problem.n_rows))


class _March:
    """Goes from generation to generation; those that are in the folder are read."""

    def __init__(
        self,
        search: Search,
        store: Store,
        where: tuple[int | None, str | None],
        report: Callable[..., None] | None,
    ) -> None:
        self._search, self._store, self._report = search, store, report
        self._workers, self._cluster = where
        self.rows: list[pa.Table] = []
        self.computed, self.wall_time = 0, 0.0

    def run(self, time_limit: float | None) -> bool:
        """Search to the end, or until the time is over; return whether Ctrl-C ended it."""
        began = time.perf_counter()
        try:
            with evaluation(self._search.layout.sweeps, self._workers, self._cluster) as evaluate:
                while not self._search.is_at_end:
                    generation = self._search.ask()
                    block = self._search.layout.plan[generation.number]
                    kept = self._kept(generation, block)
                    late = time_limit is not None and time.perf_counter() - began > time_limit
                    if kept is None and (self._search.is_over or (late and generation.number > 0)):
                        return False
                    self._go_on(generation, block, kept, evaluate)
        except KeyboardInterrupt:
            return True
        finally:
            self.wall_time = time.perf_counter() - began
        return False

    def _go_on(self, generation: Generation, block: Block, kept: pa.Table | None, evaluate: Evaluate) -> None:
        if kept is None:
            self._forget_found()
            metrics = evaluate(generation.subspace, generation.values)
        else:
            metrics = {name: column_of(kept, name) for name in self._metric_names}
        rows = self._search.tell(generation, metrics)
        if kept is None:
            self.computed += len(rows)
            if self._store is not None:
                self._store.write(block, rows, None)
        self.rows.append(rows)
        self._show(generation.number + 1)

    def _forget_found(self) -> None:
        """Remove what was found in fewer generations, or by an earlier search whose parts are gone."""
        if self._store is not None and not self.computed:
            for old in (self._store.path / FOUND_FILE, *self._store.path.glob("best*.yaml")):
                old.unlink(missing_ok=True)

    @property
    def _metric_names(self) -> list[str]:
        return [metric.name for metric in self._search.layout.metrics]

    def _kept(self, generation: Generation, block: Block) -> pa.Table | None:
        """Return the rows of a generation in the folder; None if it is to be computed."""
        if self._store is None or block in self._store.missing:
            return None
        path = self._store.path / part_name(block, self._search.layout.plan.digits)
        rows = read_part(path)
        if rows is not None and not rows.select(generation.settings.column_names).equals(generation.settings):
            raise ConfigError(
                f"{path}: holds other settings than those that follow from the generations before it; move it and "
                "those behind it away, and resume"
            )
        return rows

    def _show(self, generation: int) -> None:
        if self._report is None:
            return
        search, settings = self._search, self._search.problem.config.settings
        best = search.best[search.best.best()]
        stage = int(best.stages)
        value = self._search.problem.config.stages[stage].sign * float(best.values)
        self._report(
            generation=generation,
            generations=settings.method.generations,
            stage=stage + 1,
            value=value,
            rows=self.computed,
        )


@explains_keywords(threads="workers")
@shows_keywords(OptimizationKeywords)
def optimize(
    model: str | os.PathLike[str] | Model,
    searched: Mapping[str, Any] | None = None,
    stages: Sequence[Mapping[str, Any]] = (),
    *,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress = None,
    **keywords: Unpack[OptimizationKeywords],
) -> Optimization:
    """Search for the parameters, and the choices, with which runs of a model do best.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    searched : mapping
        What is searched, by key: a pair of bounds, or a text as in a config, "loguniform(1, 100)".
    stages : sequence of mapping
        The aims in order, `[{"maximize": "count(touchdown)", "until": "count(touchdown) >= 24"}, {"minimize":
        "max(leg_force)"}]`: one counts only where all before it are satisfied.
    folder : str or path-like, optional
        Folder in which to keep the results, which `resume` requires.
    resume : bool
        Whether to continue with results in the folder.
    workers : int, optional
        Number of threads; by default one for each processor that this process may use.
    cluster : str, optional
        Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers on this machine.
    progress : bool or callable, optional
        Whether progress is shown; see `run_optimization`.
    **keywords
        What is the same in all runs, and the keys of the section `optimize`; the method of search is `search`.

    Returns
    -------
    Optimization
        The table, and the best settings; its method `config` returns the run with the best one.

    Raises
    ------
    ConfigError
        If a keyword, a name or a value is wrong, with all problems.
    ModelError
        If the model cannot be loaded or compiled.
    KeyboardInterrupt
        If Ctrl-C came before the first generation was finished.

    Examples
    --------
    >>> found = optimize("slip", {"k": (15e3, 25e3)}, [{"maximize": "final(x)"}], final_time=10.0)
    >>> found.best.setting, found.confirmed
    """
    config = optimization_from_keywords(model, searched, stages, **keywords)
    return run_optimization(config, folder, resume=resume, workers=workers, cluster=cluster, progress=progress)


def default_folder(config: OptimizationConfig) -> Path:
    """Return the folder of the results: the config's, or one named like the config."""
    output = config.run.output
    by_default = config.run.origins["output.folder"] == "default"
    return Path(output.base or config.run.model.name) if by_default else Path(output.folder)
