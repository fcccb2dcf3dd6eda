"""`identify`: parameters, motions and inputs of a model, from data or for the least cost."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from hybridsim.config.identification import load_identification_config
from hybridsim.config.identification_config import IdentificationConfig
from hybridsim.errors import explains_keywords
from hybridsim.identification.checks import refuse_impossible
from hybridsim.identification.confirmation import confirm, misfits_of
from hybridsim.identification.guess import motion_of
from hybridsim.identification.identification import FoundMotion, Identification, notes_of
from hybridsim.identification.ipopt import REASONS, STOPPED, Answer, Report, solve
from hybridsim.identification.problem import Problem, problem_of
from hybridsim.identification.program import Program
from hybridsim.identification.shooting import shoot
from hybridsim.identification.statistics import statistics_of
from hybridsim.typing import FloatArray, IntArray

GAUSS_NEWTON_ITERATIONS = 30
"""Least iterations with the second derivatives of the misfits alone, before all are used, each of which costs two
evaluations for each unknown that an interval reads.
"""

LET_GO = 0.5
"""Part of the pull towards the data that is left in each step of a homotopy."""

MOST_ASSIGNMENTS = 10
"""How often samples are given to the phases in which they are, at most."""

Progress = Callable[[int, int, float, float], bool]
"""Gets start, iteration, objective and infeasibility; returns whether to go on."""


@explains_keywords()
def identify(
    config: str | os.PathLike[str] | IdentificationConfig,
    overrides: Sequence[str] = (),
    *,
    progress: Progress | None = None,
) -> Identification:
    """Find the unknowns of a config: those that make a model's motion fit data, or cost least.

    Parameters
    ----------
    config : path or IdentificationConfig
        A YAML file, or what `load_identification_config` has read.
    overrides : sequence of str
        Assignments `key=value` that replace values of the file.
    progress : callable, optional
        Called with start, iteration, objective and infeasibility; the search ends where it returns False.

    Returns
    -------
    Identification
        What was found: `confirmed` says whether it is to be trusted.

    Raises
    ------
    ConfigError
        If the config is invalid.
    """
    asked = config if isinstance(config, IdentificationConfig) else load_identification_config(config, overrides)
    best: Identification | None = None
    for start in range(asked.settings.solver.starts):
        report = partial(progress, start) if progress else lambda *_: True
        found = _one_start(_other_guess(asked, start), report)
        if best is None or (found.confirmed, -found.objective) > (best.confirmed, -best.objective):
            best = found
        if found.reason == REASONS[STOPPED]:
            break
    assert best is not None
    return dataclasses.replace(best, config=asked)


def _other_guess(config: IdentificationConfig, start: int) -> IdentificationConfig:
    """Return the config with other guesses of the free parameters; the first start has those of the user."""
    if start == 0:
        return config
    rng = np.random.default_rng([config.settings.solver.seed, start])
    free = {}
    for name, each in config.free.items():
        if np.isfinite([each.lower, each.upper]).all():
            guess = rng.uniform(each.lower, each.upper)
        else:
            guess = each.guess + max(abs(each.guess), 1.0) * rng.normal()
        free[name] = dataclasses.replace(each, guess=float(np.clip(guess, each.lower, each.upper)))
    return dataclasses.replace(config, free=free)


def _one_start(config: IdentificationConfig, report: Report) -> Identification:
    if config.settings.method == "shooting":
        config, answer = shoot(config, report)
        problem = problem_of(config, [motion_of(config, trial, simulated=True) for trial in config.trials])
        return _result(problem, problem.program(problem.z), answer, problem.z, [], exact=False)
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    refuse_impossible(problem)
    z, notes, exact = problem.z, list[str](), False
    for step in range(config.settings.solver.homotopy):
        problem.pull(LET_GO**step)
        z = _solve(config, problem.program(z), z, report)[0].z
    problem.pull(0.0)
    assigned = _in_order(problem.assigned(z))
    for number in range(MOST_ASSIGNMENTS):
        program = problem.program(z)
        answer, exact = _solve(config, program, z, report)
        z = answer.z
        problem.fill_first_inputs(z)
        now = _in_order(problem.assigned(z))
        if now == assigned or not config.measured:
            break
        assigned = now
        if number == MOST_ASSIGNMENTS - 1:
            notes.append(f"samples still change their phases after {MOST_ASSIGNMENTS} solutions")
    return _result(problem, program, answer, z, notes, exact=exact)


def _result(
    problem: Problem, program: Program, answer: Answer, z: FloatArray, notes: list[str], *, exact: bool
) -> Identification:
    """Return what was found at z, with what a simulation and the data say of it."""
    config = problem.config
    misfits = [misfits_of(problem, path, z) for path in problem.paths]
    statistics = statistics_of(problem, program, z, misfits) if config.measured else None
    if statistics is not None:
        n_samples = sum(len(path.trial.t) for path in problem.paths)
        notes += notes_of([*config.free], config.measured, statistics, n_samples)
    motions = tuple(_motion_of(problem, i, z, misfits[i]) for i in range(len(problem.paths)))
    return Identification(
        config, problem.parameters_at(z), program.objective(z), motions, answer.solved, answer.reason,
        answer.iterations, exact, confirm(problem, z), statistics, tuple(notes), problem, z,
    )  # fmt: skip


def _in_order(assigned: list[list[IntArray]]) -> list[list[list[int]]]:
    return [[each.tolist() for each in phases] for phases in assigned]


def _solve(config: IdentificationConfig, program: Program, z: FloatArray, report: Report) -> tuple[Answer, bool]:
    """Solve by Gauss' and Newton's second derivatives, and where they do not suffice by all."""
    solver, most, before = config.settings.solver, config.settings.solver.max_iterations, 0
    if config.measured and config.settings.minimize is None:
        n_read = max(each.terms.index.shape[1] for each in program.constraints)
        few = min(max(GAUSS_NEWTON_ITERATIONS, 2 * n_read), most)
        answer = solve(program, z, exact=False, tolerance=solver.tolerance, max_iterations=few, report=report)
        if answer.solved or answer.status == STOPPED or few == most:
            return answer, False
        z, before = answer.z if np.isfinite(answer.z).all() else z, answer.iterations
    answer = solve(program, z, exact=True, tolerance=solver.tolerance, max_iterations=most - before, report=report)
    return dataclasses.replace(answer, iterations=before + answer.iterations), True


def _motion_of(problem: Problem, trial: int, z: FloatArray, misfits: FloatArray) -> FoundMotion:
    parts = [*problem.paths[trial].nodes(z)]
    chart = np.concatenate([np.full(len(t), grid.chart) for grid, t, _, _ in parts])
    phase = np.concatenate([np.full(len(t), number) for number, (_, t, _, _) in enumerate(parts)])
    t, x, inputs = (np.concatenate(columns) for columns in list(zip(*parts, strict=True))[1:])
    return FoundMotion(t, x, inputs, chart, phase, misfits)
