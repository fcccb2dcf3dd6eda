"""Optimizer: a search that is asked for settings and told what came of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from hybridsim.config.optimization import OptimizationKeywords, optimization_from_keywords
from hybridsim.config.optimization_config import OptimizationConfig
from hybridsim.config.signatures import shows_keywords
from hybridsim.errors import ConfigError, SimulationError, explains_keywords
from hybridsim.model import Model
from hybridsim.optimisation.problem import Columns, Problem
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.table import SearchLayout
from hybridsim.typing import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Settings that are evaluated together, a row for each run.

    Attributes
    ----------
    number : int
        Number of the generation, from 0.
    subspace : (n,) array of int
        The subspace of each.
    values : dict
        What is set, by key.
    settings : pyarrow.Table
        The same as columns of the table, with the place of each row.
    """

    number: int
    subspace: IntArray
    values: Columns
    settings: pa.Table


class Search:
    """The state of all searches of an optimisation between two generations.

    Parameters
    ----------
    config : OptimizationConfig
        The optimisation.

    Attributes
    ----------
    problem : Problem
        What is searched.
    layout : SearchLayout
        The columns of its table.
    best : Ranks
        The best rank of each search so far, (n_searches,).
    best_rows : (n_searches,) array of int
        The rows where it was found.
    improved : int
        The last generation in which any search found something better, -1 before.
    """

    def __init__(self, config: OptimizationConfig) -> None:
        self.problem = Problem(config)
        self.layout = SearchLayout(self.problem)
        self._method = self.problem.method()
        self.best = Ranks.unknown((self.problem.n_searches,))
        self.best_rows = np.zeros(self.problem.n_searches, np.int64)
        self.improved = -1

    @property
    def generation(self) -> int:
        """How many generations are over."""
        return self._method.generation

    @property
    def is_at_end(self) -> bool:
        """Whether all generations are over."""
        return self.generation >= self.problem.config.settings.method.generations

    @property
    def is_over(self) -> bool:
        """Whether all generations are over, or none of late found anything better."""
        patience = self.problem.config.settings.patience
        return self.is_at_end or (patience is not None and self.generation - 1 - self.improved >= patience)

    def ask(self) -> Generation:
        """Return the next generation; the same one until its ranks are told."""
        problem, number = self.problem, self.generation
        subspace, u = self._method.ask()
        flat = u.reshape(subspace.size, u.shape[-1])
        values = problem.values(subspace.ravel(), flat)
        n = problem.repeats
        rows = {key: np.repeat(column, n) for key, column in values.items()}
        rows |= {key: np.tile(column, len(flat)) for key, column in problem.conditions(number).items()}
        return Generation(
            number, np.repeat(subspace.ravel(), n), rows, self.layout.settings(self.layout.plan[number], rows)
        )

    def tell(self, generation: Generation, metrics: Columns) -> pa.Table:
        """Take the metrics of the runs of a generation, and go on to the next; returns its rows."""
        problem = self.problem
        runs = self.layout.rank(generation.values, metrics)
        judged = problem.judged(runs)
        ranks = runs[judged].reshape(problem.n_searches, -1)
        leaders = (np.arange(problem.n_searches), ranks.best())
        found = ranks[leaders]
        better = found.better_than(self.best)
        rows = judged[np.ravel_multi_index(leaders, ranks.values.shape)] + generation.number * problem.n_rows
        self.best = self.best.replaced(better, found)
        self.best_rows = np.where(better, rows, self.best_rows)
        if better.any():
            self.improved = generation.number
        self._method.tell(ranks)
        return self.layout.table(generation.settings, metrics, runs)


@explains_keywords()
@shows_keywords(OptimizationKeywords)
class Optimizer:
    """A search whose settings are evaluated by the caller: ask, tell, ask, tell.

    `optimize` evaluates them by runs of the model. An Optimizer proposes the same settings, and takes the metrics from
    wherever they come: a measurement, a program of one's own, or an `Evaluator` with some of its metrics replaced.

    Parameters
    ----------
    model : str, path-like or Model
        Name of an installed model, path of a plug-in file, or a Model.
    searched : mapping
        What is searched, as in `optimize`.
    stages : sequence of mapping
        The aims, as in `optimize`.
    **keywords
        The other keywords of `optimize` that say what is searched and how.

    Raises
    ------
    ConfigError
        If the keywords are invalid, with all problems.
    ModelError
        If the model cannot be loaded.

    Examples
    --------
    >>> search = Optimizer("slip", {"k": (15e3, 25e3)}, [{"minimize": "final(x)"}], final_time=1.0, runs=1)
    >>> settings = search.ask()
    >>> search.tell({"final(x)": my_experiment(settings["k"])})
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | Model,
        searched: Mapping[str, Any] | None,
        stages: Sequence[Mapping[str, Any]],
        **keywords: Unpack[OptimizationKeywords],
    ) -> None:
        self._search = Search(optimization_from_keywords(model, searched, stages, **keywords))
        self._asked: Generation | None = None
        self._rows: list[pa.Table] = []

    @property
    def generation(self) -> int:
        """How many generations have been told."""
        return self._search.generation

    @property
    def is_over(self) -> bool:
        """Whether the last generation has been told."""
        return self._search.is_over

    @property
    def table(self) -> pa.Table:
        """All that was asked and told, as the table of `optimize`.

        Raises
        ------
        SimulationError
            If nothing was told yet.
        """
        if not self._rows:
            raise SimulationError("nothing was told yet, so there is no table; call tell first")
        return pa.concat_tables(self._rows)

    @property
    def best(self) -> dict[str, Any]:
        """The best row of the table, by column: what was set, its metrics, and its stage and value."""
        best = int(self._search.best_rows[self._search.best.best()])
        row: dict[str, Any] = self.table.slice(best, 1).to_pylist()[0]
        return row

    def ask(self) -> pa.Table:
        """Return the settings to evaluate, a row for each run.

        Returns
        -------
        pyarrow.Table
            The place of each row, what is set [in the model's units] and the choices; null where a choice lacks a
            parameter.

        Raises
        ------
        SimulationError
            If the search is over.
        """
        if self.is_over:
            raise SimulationError("the search is over, so there is nothing to ask; ask for more generations")
        self._asked = self._asked or self._search.ask()
        settings: pa.Table = self._asked.settings
        return settings

    def tell(self, metrics: Mapping[str, ArrayLike]) -> None:
        """Say what came of the settings that were asked last.

        Parameters
        ----------
        metrics : mapping of array
            Metric -> its values (n,), in the order of the rows; those that stages name are needed, nan where a run
            failed.

        Raises
        ------
        ConfigError
            If one is missing or has another length.
        SimulationError
            If nothing was asked.
        """
        if self._asked is None:
            raise SimulationError("nothing was asked yet, so there is nothing to tell; call ask first")
        n, needed = len(self._asked.subspace), self._search.layout.needed
        given = {name: np.asarray(column) for name, column in metrics.items()} if isinstance(metrics, Mapping) else {}
        wrong = [
            name
            for name in needed
            if name not in given or given[name].shape != (n,) or given[name].dtype.kind not in "fiu"
        ]
        if wrong:
            raise ConfigError(f"metrics: expected {n} numbers each of {', '.join(needed)}; give {', '.join(wrong)}")
        others = {m.name: np.full(n, np.nan) for m in self._search.layout.metrics if m.name not in given}
        others |= {self._search.layout.status: np.full(n, "", object)} if self._search.layout.status in others else {}
        self._rows.append(self._search.tell(self._asked, {**others, **given}))
        self._asked = None
