"""The programs of a model in the engine's arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hybridsim.engine.memory import EXACT, SAMPLED, Problem
from hybridsim.graph.model_programs import programs_of
from hybridsim.model import Model
from hybridsim.typing import FloatArray


def with_programs(
    problem: Problem, model: Model, t: float, x: FloatArray
) -> tuple[Problem, tuple[int, int], Mapping[int, str]]:
    """Return a problem with the programs of its model; their room: rows of the tape, and numbers; and charts without.

    A boundary with a series in all its charts is exact, whether it declares a degree or not.
    """
    programs = programs_of(model, problem.p, t, x)
    certificate, degree = problem.certificate.copy(), problem.degree.copy()
    by_series = np.zeros_like(certificate)
    for i in programs.expanded:
        if certificate[i] == SAMPLED:
            certificate[i], degree[i], by_series[i] = EXACT, 1, 1
    found = problem._replace(
        series_programs=programs.words,
        series_constants=programs.constants,
        generated=np.zeros(model.n_charts, np.int64),
        boundary_rows=programs.boundary_rows,
        by_series=by_series,
        certificate=certificate,
        degree=degree,
    )
    return found, (programs.n_rows, programs.n_numbers), programs.without
