"""A best is found once more exact runs, and runs by another method, say the same of it.

An optimiser finds the faults of a simulation as readily as the merits of a model: what does best of many thousand runs
may do so because a step was too long. The best settings are therefore computed again before they are called found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.run_config import RunConfig, with_values
from hybridsim.config.sweep import SweepConfig
from hybridsim.optimisation.evaluation import evaluation
from hybridsim.optimisation.problem import Columns, Problem
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.table import SearchLayout
from hybridsim.sweeps.columns import column_of, numbers_of
from hybridsim.typing import IntArray

TIGHTER = 0.01
"""Tolerances of the runs that confirm, in those of the search."""

SEARCHED_TOLERANCES = ("engine.rtol", "engine.atol")
"""Keys that a search may set itself."""

SHORTER = 0.25
"""Steps of the runs that confirm a method with fixed ones, in those of the search."""

LEAST_RTOL = 1e-13
"""The least tolerance of these runs: below, rounding decides."""

FIRST_CANDIDATES, MORE_CANDIDATES, MAX_CANDIDATES = 1, 4, 256
"""How many settings of a search are computed again at first, how many times as many then, and how many at most."""

EQUAL_ONES = 100
"""So many times as many of the best are looked at, as some of them may be equal."""

ANOTHER_METHOD = {"dop853": "dp5", "rodas5p": "rodas5p"}
"""Method -> the one that confirms, where it is not dop853; there is no other method for stiff equations."""


@dataclass(frozen=True, slots=True)
class Check:
    """A setting computed again.

    Attributes
    ----------
    how : str
        Method and tolerance.
    stage : int
        The stage that counts, from 1.
    value : float
        The value of its objective.
    agrees : bool
        Whether stage and value are those of the search.
    """

    how: str
    stage: int
    value: float
    agrees: bool


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best setting of a search.

    Attributes
    ----------
    run : int
        The search, from 1.
    row : int
        The row of the table; the first one of repeated runs.
    stage : int
        The stage that counts, from 1.
    value : float
        The value of its objective.
    setting : mapping
        What is set, by the names of columns, [in the model's units].
    checks : tuple of Check
        How it was computed again.
    passed_over : int
        How many better settings of this search were not confirmed.
    metrics : mapping
        The metrics, by name; of repeated runs those of the first. None where one does not exist.
    polished : bool
        Whether it was followed downhill from the row of the table, so that it is better than that.
    """

    run: int
    row: int
    stage: int
    value: float
    setting: Mapping[str, Any]
    checks: tuple[Check, ...]
    passed_over: int
    metrics: Mapping[str, Any]
    polished: bool = False

    @property
    def confirmed(self) -> bool:
        """Whether it has a value, and all that was computed again agrees."""
        return math.isfinite(self.value) and bool(self.checks) and all(check.agrees for check in self.checks)


def more_exact(engine: EngineSettings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the settings of the engine that confirm, by dotted key, each with its description."""
    tolerances = {"engine.rtol": max(TIGHTER * engine.rtol, LEAST_RTOL), "engine.atol": TIGHTER * engine.atol}
    for method in dict.fromkeys((engine.method, ANOTHER_METHOD.get(str(engine.method), "dop853"))):
        if method == engine.method and not engine.tableau.adaptive:
            steps = {"engine.first_step": engine.first_step and SHORTER * engine.first_step}
            yield f"{method}, steps of a quarter", {**steps, "engine.max_step": SHORTER * engine.max_step}
            continue
        name = method if isinstance(method, str) else "the same method"
        yield f"{name}, rtol {tolerances['engine.rtol']:.3g}", {**tolerances, "engine.method": method}


class Confirmation:
    """Computes the best settings of searches again.

    Parameters
    ----------
    layout : SearchLayout
        The table.
    table : pyarrow.Table
        All rows.
    workers : int or None
        Number of threads.
    cluster : str or None
        Address of a cluster.
    """

    def __init__(self, layout: SearchLayout, table: pa.Table, workers: int | None, cluster: str | None) -> None:
        self._layout, self._table, self._workers, self._cluster = layout, table, workers, cluster
        self._problem: Problem = layout.problem
        self._signs = np.array([stage.sign for stage in layout.config.stages])
        self._runs = layout.ranks(table)
        self._ranks = self._problem.judge(self._runs)
        self._sizes = [self._natural_size(stage) for stage in range(len(self._signs))]

    def found(self) -> tuple[Found, ...]:
        """Return the best setting of each search that is confirmed, or the best one if none of the first ones is."""
        n = self._problem.repeats
        searches = numbers_of(self._table, "run")[::n]
        waiting = {run: self._candidates(np.flatnonzero(searches == run)) for run in range(1, searches.max() + 1)}
        passed, found, size = dict.fromkeys(waiting, 0), dict[int, Found](), FIRST_CANDIDATES
        first: dict[int, Found] = {}
        while waiting and size <= MAX_CANDIDATES:
            chosen = {run: settings[passed[run] : passed[run] + size] for run, settings in waiting.items()}
            checks = iter(self._checks(np.concatenate([*chosen.values()])))
            for run, settings in chosen.items():
                each = [self._found(run, int(setting), next(checks), passed[run]) for setting in settings]
                first.setdefault(run, each[0])
                good = next((number for number, one in enumerate(each) if one.confirmed), None)
                passed[run] += len(each) if good is None else good
                if good is not None:
                    found[run] = replace(each[good], passed_over=passed[run])
                if good is not None or passed[run] >= len(waiting[run]):
                    del waiting[run]
            size *= MORE_CANDIDATES
        return tuple(found.get(run) or replace(first[run], passed_over=0) for run in passed)

    def unconfirmed(self) -> tuple[Found, ...]:
        """Return the best setting of each search as it was found, without computing anything."""
        searches = numbers_of(self._table, "run")[:: self._problem.repeats]
        best = [self._candidates(np.flatnonzero(searches == run), 1)[0] for run in range(1, int(searches.max()) + 1)]
        return tuple(self._found(run, int(setting), (), 0) for run, setting in enumerate(best, start=1))

    def _candidates(self, settings: IntArray, most: int = MAX_CANDIDATES) -> IntArray:
        """Return settings from the best to the worst, equal ones once; of very many, some of the best."""
        ordered = settings[self._ranks[settings].order()[: EQUAL_ONES * most]]
        rows = self._table.select([*self._layout.names.values()]).take(pa.array(ordered * self._problem.repeats))
        seen: dict[tuple[Any, ...], int] = {}
        for setting, row in zip(ordered.tolist(), zip(*rows.to_pydict().values(), strict=True), strict=True):
            seen.setdefault(row, setting)
            if len(seen) >= most:
                break
        return np.array([*seen.values()])

    def _checks(self, settings: IntArray) -> list[tuple[Check, ...]]:
        """Compute settings again."""
        n = self._problem.repeats
        rows = (settings[:, None] * n + np.arange(n)).ravel()
        subspace, values = values_in(self._layout, self._table.take(pa.array(rows)))
        return self.checks(subspace, values, self._ranks[settings])

    def checks(self, subspace: IntArray, values: Columns, before: Ranks) -> list[tuple[Check, ...]]:
        """Compute runs again, and compare them with the ranks of their settings (n,)."""
        found = []
        tighter = {key: TIGHTER * column if key in SEARCHED_TOLERANCES else column for key, column in values.items()}
        for number, (how, _) in enumerate(more_exact(self._layout.config.run.engine)):
            each = [[*more_exact(sweep.run.engine)] for sweep in self._layout.sweeps]
            sweeps = [
                with_run_values(sweep, found[min(number, len(found) - 1)][1])
                for sweep, found in zip(self._layout.sweeps, each, strict=True)
            ]
            with evaluation(sweeps, self._workers, self._cluster) as evaluate:
                metrics = evaluate(subspace, tighter)
            ranks = self._problem.judge(self._layout.rank(values, metrics))
            found.append([self._check(how, before[n], ranks[n]) for n in range(len(before.values))])
        return [*zip(*found, strict=True)]

    def _check(self, how: str, before: Ranks, again: Ranks) -> Check:
        stage, value, first = int(again.stages), float(again.values), float(before.values)
        size = max(abs(first), self._sizes[stage])
        close = abs(value - first) <= self._layout.config.settings.agreement * size or value == first
        same = stage == int(before.stages)
        return Check(how, stage + 1, float(self._signs[stage] * value), bool(same and close))

    def _natural_size(self, stage: int) -> float:
        """Return the median size of the values in the first generation in which this stage counts for any run."""
        generations = numbers_of(self._table, "generation")
        here = (self._runs.stages == stage) & np.isfinite(self._runs.values)
        if not here.any():
            return 0.0
        first = here & (generations == generations[here].min())
        return float(np.median(np.abs(self._runs.values[first])))

    def _found(self, run: int, setting: int, checks: tuple[Check, ...], passed_over: int) -> Found:
        row, stage = setting * self._problem.repeats, int(self._ranks.stages[setting])
        cells = self._table.slice(row, 1).to_pylist()[0]
        names = [name for name in self._layout.names.values() if name not in self._conditions]
        chosen = {name: cells[name] for name in names if cells[name] is not None}
        metrics = {metric.name: cells[metric.name] for metric in self._layout.metrics}
        value = float(self._signs[stage] * self._ranks.values[setting])
        return Found(run, row, stage + 1, value, chosen, checks, passed_over, metrics)

    @property
    def _conditions(self) -> set[str]:
        return {self._layout.names[key] for key in self._layout.config.conditions}


def values_in(layout: SearchLayout, table: pa.Table) -> tuple[IntArray, Columns]:
    """Return the subspaces, and what is set by key, of rows of a table."""
    values: Columns = {key: column_of(table, name) for key, name in layout.names.items()}
    subspace = np.zeros(len(table), np.int64)
    for number, words in enumerate(layout.config.choices):
        here = np.ones(len(table), bool)
        for key, word in words.items():
            here &= values[key] == str(word)
        subspace[here] = number
    return subspace, values


def run_with(layout: SearchLayout, found: Found) -> RunConfig:
    """Return the run with a setting; what repeated runs have drawn is not in it."""
    numbers = [key for key, name in layout.names.items() if name in found.setting]
    words = {key: str(found.setting[layout.names[key]]) for key in numbers}
    choices = layout.config.choices
    subspace = next(n for n, each in enumerate(choices) if all(words[key] == str(word) for key, word in each.items()))
    sweep = layout.sweeps[subspace]
    searched = {axis.key: axis for axis in sweep.axes if axis.key in words}
    own = {key: axis.values.dtype.type(found.setting[layout.names[key]]).item() for key, axis in searched.items()}
    return with_values(sweep.run, own)


def with_run_values(sweep: SweepConfig, changes: Mapping[str, Any]) -> SweepConfig:
    """Return a sweep whose run has other values of some keys."""
    return replace(sweep, run=with_values(sweep.run, changes))
