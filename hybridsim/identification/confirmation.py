"""Confirmation of a solution by the engine: it simulates what was identified, and compares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hybridsim.config.driven_inputs import driven_file
from hybridsim.config.run_config import RunConfig
from hybridsim.errors import HybridsimError
from hybridsim.identification.checks import wrong_transition
from hybridsim.identification.field import Quantities
from hybridsim.identification.guess import whole_arrays
from hybridsim.identification.problem import Path, Problem
from hybridsim.identification.samples import samples_of
from hybridsim.model.driven import added_to
from hybridsim.model.registry import load_model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.simulation import Simulation
from hybridsim.typing import FloatArray

WINDOWS = 20
"""Parts into which a motion is cut that drifts away from itself, as an unstable one does."""

AT_REST = 1e-9
"""Part of its size by which a state moves that rests but for rounding."""

SAME_TIME = 1e-9
"""Part of a phase by which a run may end before it."""

AGREES = 0.01
"""By how much the simulated motion may differ from the one found, relative to how far each state goes."""


@dataclass(frozen=True, slots=True, eq=False)
class Confirmation:
    """What a simulation says of a solution.

    Attributes
    ----------
    difference : float
        Largest difference between the simulated motion and the one found, relative to how far each state goes; of
        parts, what the largest differences of all add up to.
    windows : int
        Parts that were simulated from where the motion found is; 1 for the whole.
    run : Trajectory or None
        The run from the initial state of the first trial; None if it cannot be made.
    why_not : str
        Why the solution is not confirmed; "" if it is.
    """

    difference: float
    windows: int
    run: Trajectory | None
    why_not: str

    @property
    def confirmed(self) -> bool:
        """Whether the engine comes to the same motion."""
        return not self.why_not


def confirm(problem: Problem, z: FloatArray) -> Confirmation:
    """Simulate the motions that were found, and compare."""
    worst, most, first = 0.0, 1, None
    if text := wrong_transition(problem, z):
        return Confirmation(np.inf, 1, None, text)
    for path in problem.paths:
        config = config_at(problem, path, z)
        try:
            run = Simulation.from_config(config).run()
        except HybridsimError as failure:
            return Confirmation(np.inf, 1, first, f"the identified model cannot be simulated: {failure}")
        first = first or run
        difference, windows = _difference(path, z, run), 1
        if difference > AGREES:
            windows = WINDOWS
            difference = sum(_differences_in_windows(path, z, config))
        worst, most = max(worst, difference), max(most, windows)
    if not worst <= AGREES:
        return Confirmation(
            worst, most, first,
            f"a simulation differs by {100 * worst:.2g} % of how far the states go, with {100 * AGREES:g} % allowed: "
            "give more nodes, or a scheme of higher order",
        )  # fmt: skip
    return Confirmation(worst, most, first, "")


def config_at(problem: Problem, path: Path, z: FloatArray) -> RunConfig:
    """Return the run of a solution: its parameters, initial state, and inputs."""
    run, n = path.trial.run, len(problem.config.model.states)
    begins = path.times(z)
    grid = path.grids[0]
    values = {**run.parameters, **whole_arrays(run, problem.parameters_at(z))}
    config = dataclasses.replace(
        run,
        parameters=values,
        initial=dict(zip(run.model.states.names, z[grid.nodes[0, :n]].tolist(), strict=True)),
        initial_chart=grid.chart if run.model.n_charts > 1 else run.initial_chart,
        final_time=float(sum(begins[-1])),
    )
    return _driven(config, problem, path, z) if problem.config.inputs else config


def _driven(config: RunConfig, problem: Problem, path: Path, z: FloatArray) -> RunConfig:
    """Let the inputs of a run be those that were found: straight lines between nodes."""
    tables = {}
    for column, name in enumerate(problem.config.inputs):
        pieces = []
        for _, t, _, inputs in path.nodes(z):
            u = inputs[:, column]
            rates = np.append(np.diff(u) / np.diff(t), 0.0)
            pieces.append(np.column_stack([t, u, rates, np.zeros((len(t), 2))]))
        tables[name] = np.concatenate(pieces).ravel().tolist()
    model = load_model(driven_file(config.model_name, {}, tables))
    more: dict[str, Any] = {each.name: each.default for each in model.parameters if each.name not in config.parameters}
    held = {name: value for name, value in config.inputs.items() if name not in tables}
    held |= {added_to(name): 0.0 for name in tables}
    return dataclasses.replace(
        config, model=model, model_name=model.source, parameters={**config.parameters, **more}, inputs=held
    )


def _reaches(path: Path, z: FloatArray) -> FloatArray:
    """Return how far each state goes."""
    states = np.concatenate([x for _, _, x, _ in path.nodes(z)])
    reach: FloatArray = np.ptp(states, axis=0)
    largest = np.abs(states).max(axis=0)
    return np.asarray(np.where(reach > AT_REST * largest, reach, np.maximum(largest, 1.0)))


def _difference(path: Path, z: FloatArray, run: Trajectory) -> float:
    """Return the largest difference of a run from the motion found, at its nodes but the beginnings of phases."""
    reach, worst = _reaches(path, z), 0.0
    for _, t, x, _ in path.nodes(z):
        if _ends_before(run, t):
            return np.inf
        simulated = run.at(np.minimum(t[1:-1], run.t[-1]))
        worst = max(worst, float((np.abs(simulated - x[1:-1]) / reach).max(initial=0.0)), _at_end(run, t, x, reach))
    return worst


def _ends_before(run: Trajectory, t: FloatArray) -> bool:
    return bool(run.t[-1] < t[-1] - SAME_TIME * (t[-1] - t[0]))


def _at_end(run: Trajectory, t: FloatArray, x: FloatArray, reach: FloatArray) -> float:
    """Return how much a run differs at the last of some times, where it may jump a little earlier or later."""
    near = AGREES * (t[-1] - t[0])
    before = [event.x_before for event in run.events if abs(event.t - t[-1]) <= near]
    states = np.array([*before, run.at(min(t[-1], run.t[-1]))])
    return float((np.abs(states - x[-1]) / reach).max(axis=1).min())


def _differences_in_windows(path: Path, z: FloatArray, config: RunConfig) -> Iterator[float]:
    """Simulate parts of the motion, each from where the motion found is, and yield how much they differ at the end.

    The differences of a motion that is neither stable nor unstable add up, to that of a simulation of the whole.
    """
    reach = _reaches(path, z)
    for grid, t, x, _ in path.nodes(z):
        starts = np.unique(np.linspace(0, len(t) - 1, WINDOWS + 1).astype(int))
        for first, last in pairwise(starts.tolist()):
            part = dataclasses.replace(
                config,
                initial=dict(zip(config.model.states.names, x[first].tolist(), strict=True)),
                initial_chart=grid.chart if config.model.n_charts > 1 else config.initial_chart,
                initial_time=float(t[first]),
                final_time=float(t[last]),
            )
            try:
                end = Simulation.from_config(part).run()
            except HybridsimError:
                yield np.inf
                continue
            among = slice(first, last + 1)
            yield np.inf if _ends_before(end, t[among]) else _at_end(end, t[among], x[among], reach)


def misfits_of(problem: Problem, path: Path, z: FloatArray) -> FloatArray:
    """Return what was measured less what the motion found is, (n_samples, k), not a number where nothing was."""
    trial = path.trial
    found = np.full(trial.data.shape, np.nan)
    (assigned,) = [each for other, each in zip(problem.paths, problem.assigned(z), strict=True) if other is path]
    for grid, chosen, times in zip(path.grids, assigned, path.times(z), strict=True):
        if not len(chosen):
            continue
        nothing = np.zeros_like(trial.data[chosen])
        quantities = Quantities(grid.field, problem.config.measured)
        samples = samples_of(grid, quantities, trial.t[chosen], nothing, nothing + 1.0, times)
        found[chosen] = trial.data[chosen] - samples.evaluate(z[samples.index])[0]
    return found
