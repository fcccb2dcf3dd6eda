"""A best setting is polished: followed downhill by exact derivatives, where the last aim has them.

Derivatives come from `sensitivity`, which replays a run on dual numbers; they exist of states at the end and at events,
and of the times of events. Those of formulas and of ranges are differences of these, which cost no runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import minimize

from hybridsim.config.formulas import compute
from hybridsim.config.run_config import value_of, with_values
from hybridsim.config.schema import RecordSettings
from hybridsim.config.search_start import variables_at
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.targets import find_target
from hybridsim.config.values import split_key
from hybridsim.derivatives import Sensitivity, sensitivity
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, ModelError, SimulationError
from hybridsim.optimisation.confirmation import Confirmation, Found, run_with
from hybridsim.optimisation.evaluation import Evaluate, evaluation
from hybridsim.optimisation.problem import Columns, Problem
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.table import SearchLayout
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.typing import FloatArray

STEP = 1e-6
"""Step of the differences of formulas and ranges, relative to their arguments."""

WORSE = 1e3
"""How much worse than the start, in sizes of its value, a setting counts that loses a stage."""

MAX_ITERATIONS = 50
SECTIONS = ("parameters", "inputs", "initial")
"""Sections of a config whose values a run can be differentiated by."""


class Polish:
    """Follows settings of one subspace downhill.

    Parameters
    ----------
    layout : SearchLayout
        The columns.
    subspace : int
        The subspace.
    evaluate : Evaluate
        Computes metrics.
    """

    def __init__(self, layout: SearchLayout, subspace: int, evaluate: Evaluate) -> None:
        self._layout, self._evaluate = layout, evaluate
        self._problem: Problem = layout.problem
        self._sweep: SweepConfig = layout.sweeps[subspace]
        self._subspace = np.array([subspace])
        self._active = np.flatnonzero(self._problem.subspaces.active[subspace])

    @property
    def is_possible(self) -> bool:
        """Whether all that is searched is a number that a run can be differentiated by, and runs are not repeated."""
        whole = any(
            axis.values.dtype.kind != "f" or split_key(axis.key)[0] not in SECTIONS for axis in self._sweep.axes
        )
        return not whole and self._problem.repeats == 1

    def follow(self, u: FloatArray, start: Ranks) -> tuple[FloatArray, Columns, Ranks] | None:
        """Return a better setting than u (n_variables,), its metrics and its rank; None if there is none.

        Parameters
        ----------
        u : (n_variables,) array
            Where to begin.
        start : Ranks
            Its rank, one number each.
        """
        if int(start.stages) != len(self._layout.config.stages) - 1:
            return None
        best: list[tuple[FloatArray, Columns, Ranks]] = []

        def objective(part: FloatArray) -> tuple[float, FloatArray]:
            here = u.copy()
            here[self._active] = part
            metrics, rank = self._evaluated(here)
            if rank.better_than(best[-1][2] if best else start):
                best.append((here, metrics, rank))
            if rank.stages != start.stages:
                return float(start.values) + WORSE * max(abs(float(start.values)), 1.0), np.zeros(len(part))
            return float(rank.values), self._gradient(here)

        try:
            minimize(
                objective,
                u[self._active],
                jac=True,
                method="L-BFGS-B",
                bounds=[(0.0, 1.0)] * len(self._active),
                options={"maxiter": MAX_ITERATIONS, "ftol": 0.0, "gtol": 0.0},
            )
        except (ConfigError, ModelError, SimulationError):
            return best[-1] if best else None  # there are no derivatives here
        return best[-1] if best else None

    def _evaluated(self, u: FloatArray) -> tuple[Columns, Ranks]:
        values = self._problem.values(self._subspace, u[None])
        metrics = self._evaluate(self._subspace, values)
        return metrics, self._layout.rank(values, metrics)[0]

    def _gradient(self, u: FloatArray) -> FloatArray:
        """Return the derivatives of the last aim by the active variables."""
        axes = [axis.key for axis in self._sweep.axes]
        stage = self._layout.config.stages[-1]
        values = {key: float(column[0]) for key, column in self._problem.values(self._subspace, u[None]).items()}
        by_key = _Derivatives(self._sweep, {key: values[key] for key in axes}).of(stage.objective)
        n = len(self._active)
        ahead, behind = (np.clip(u + sign * STEP * self._steps, 0.0, 1.0) for sign in (1.0, -1.0))
        width = (ahead - behind)[np.arange(n), self._active]
        there, back = (self._problem.values(np.repeat(self._subspace, n), each) for each in (ahead, behind))
        slopes = np.array([(there[key] - back[key]) / width for key in axes])
        gradient: FloatArray = stage.sign * (by_key @ slopes)
        return gradient

    @property
    def _steps(self) -> FloatArray:
        """A unit step along each active variable, (n_active, n_variables)."""
        found: FloatArray = np.eye(self._problem.subspaces.n_variables)[self._active]
        return found


class _Derivatives:
    """Derivatives of the metrics of one run by the keys that are searched."""

    def __init__(self, sweep: SweepConfig, values: Mapping[str, float]) -> None:
        config = with_values(sweep.run, values)
        self._sweep, self._values, self._config = sweep, values, config
        self._run: Trajectory = Simulation.from_config(replace(config, record=RecordSettings())).run()
        self._by: Sensitivity = sensitivity(self._run, [split_key(key)[1] for key in values], model=config.model)
        self._metrics = {metric.name: metric for each in sweep.metrics for metric in (*each.operands, each)}

    def of(self, name: str) -> FloatArray:
        """Return the derivatives (n_keys,) of a metric, or of a key."""
        return self._value_and_slope(name)[1]

    def _value_and_slope(self, name: str) -> tuple[float, FloatArray]:
        if name not in self._metrics:
            key = find_target(name, self._config.model).key
            at = [each == key for each in self._values]
            return float(value_of(self._config, key)), np.array(at, float)
        metric = self._metrics[name]
        return self._of_formula(metric) if metric.formula is not None else self._measured(metric)

    def _of_formula(self, metric: Metric) -> tuple[float, FloatArray]:
        leaves: dict[str, tuple[float, FloatArray]] = {}

        def value(leaf: str) -> float:
            if leaf == "pi":
                return np.pi
            return leaves.setdefault(leaf, self._value_and_slope(leaf))[0]

        assert metric.formula is not None
        here, slope = float(compute(metric.formula, value)), np.zeros(len(self._values))
        for leaf, (number, by_key) in [*leaves.items()]:
            h = STEP * max(abs(number), STEP)
            ends = []
            for sign in (1.0, -1.0):
                moved = {**{name: pair[0] for name, pair in leaves.items()}, leaf: number + sign * h, "pi": np.pi}
                ends.append(float(compute(metric.formula, moved.__getitem__)))
            slope += (ends[0] - ends[1]) / (2.0 * h) * by_key
        return here, slope

    def _measured(self, metric: Metric) -> tuple[float, FloatArray]:
        """Return a metric that a run measures; raise a SimulationError if it has no derivatives."""
        run, by = self._run, self._by
        if metric.kind == "final":
            return self._at_end(metric)
        if metric.kind in ("time", "at", "after") and metric.quantity in ("", "t", *run.states.names):
            places = np.flatnonzero(run.events.crossed[:, run.events.names.index(metric.of)])
            if len(places) >= metric.number:
                event = int(places[metric.number - 1])
                if metric.quantity in ("", "t"):
                    return self._known(float(run.events.t[event]), by.event_time[event])
                state = run.states.index(metric.quantity)
                table, states = (
                    (by.before, run.events.x_before) if metric.kind == "at" else (by.after, run.events.x_after)
                )
                return self._known(float(states[event, state]), table[event, state])
        raise SimulationError(f"{metric.name} has no derivatives")

    def _at_end(self, metric: Metric) -> tuple[float, FloatArray]:
        run, by = self._run, self._by
        at_event = run.status is Status.STOPPED and len(run.events) and run.events.t[-1] == run.t[-1]
        if not at_event and run.status is not Status.FINAL_TIME:
            raise SimulationError(f"{metric.name} has no derivatives where a run ends like this")
        if metric.quantity == "t":
            return self._known(float(run.t[-1]), by.event_time[-1] if at_event else np.zeros(len(self._values)))
        if metric.quantity not in run.states.names:
            raise SimulationError(f"{metric.name} has no derivatives")
        state = run.states.index(metric.quantity)
        return self._known(float(run.x[-1, state]), by.after[-1, state] if at_event else by.state[-1, state])

    @staticmethod
    def _known(value: float, slope: Any) -> tuple[float, FloatArray]:
        if not np.isfinite(slope).all():
            raise SimulationError("an event that changed nothing has no derivatives")
        return value, np.asarray(slope, float)


def polished(
    layout: SearchLayout, found: Sequence[Found], confirmation: Confirmation, where: tuple[int | None, str | None]
) -> tuple[Found, ...]:
    """Return the best settings, each followed downhill if that leads to a better one that is confirmed, too.

    Parameters
    ----------
    layout : SearchLayout
        The columns.
    found : sequence of Found
        The best setting of each search.
    confirmation : Confirmation
        Computes settings again.
    where : tuple
        Number of threads, and the address of a cluster; as of `evaluation`.
    """
    with evaluation(layout.sweeps, *where) as evaluate:
        return tuple(_polished(layout, one, confirmation, evaluate) for one in found)


def _polished(layout: SearchLayout, one: Found, confirmation: Confirmation, evaluate: Evaluate) -> Found:
    try:
        begin = variables_at(run_with(layout, one), layout.config, "the best setting")
    except ConfigError:
        return one
    polish = Polish(layout, begin.subspace, evaluate)
    sign = layout.config.stages[one.stage - 1].sign
    start = Ranks(np.array(one.stage - 1), np.array(sign * one.value))
    better = polish.follow(begin.variables, start) if one.confirmed and polish.is_possible else None
    if better is None:
        return one
    u, metrics, rank = better
    subspace = np.array([begin.subspace])
    values = layout.problem.values(subspace, u[None])
    checks = confirmation.checks(subspace, values, Ranks(rank.stages[None], rank.values[None]))[0]
    if not all(check.agrees for check in checks):
        return one
    words = layout.config.choices[begin.subspace]
    setting = {
        name: str(words[key]) if key in words else _plain(values[key][0])
        for key, name in layout.names.items()
        if name in one.setting
    }
    return replace(
        one,
        value=float(sign * rank.values),
        setting=setting,
        metrics={name: _plain(column[0]) for name, column in metrics.items()},
        checks=checks,
        polished=True,
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
