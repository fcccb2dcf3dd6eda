"""The programs of a model in the engine's arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hybridsim.engine.memory import EXACT, Problem
from hybridsim.graph.model_programs import programs_of
from hybridsim.model import Model
from hybridsim.typing import FloatArray


def with_programs(
    problem: Problem, model: Model, t: float, x: FloatArray
) -> tuple[Problem, tuple[int, int], Mapping[int, str]]:
    """Return a problem with the programs of its model; their room, rows of the tape and numbers; charts without."""
    programs = programs_of(model, problem.p, t, x)
    problem.settings["has_programs"] = programs.words.any()
    for i, degree in programs.polynomials.items():  # as if they declared it
        problem.certificate[i], problem.degree[i], problem.affine[i] = EXACT, 1, degree <= 1
    found = problem._replace(
        series_programs=programs.words if programs.words.size else np.zeros(1, np.int64),
        series_constants=programs.constants,
        generated=np.zeros(max(programs.words.size and model.n_charts, 1), np.int64),
        boundary_rows=programs.boundary_rows if programs.boundary_rows.size else np.zeros(1, np.int64),
    )
    return found, (programs.n_rows, programs.n_numbers), programs.without
