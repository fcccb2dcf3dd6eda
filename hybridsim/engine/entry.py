"""The engine's entry points: what Python calls, compiled once for all models and cached on disk."""

from __future__ import annotations

from hybridsim.engine.compilation import compile_entry
from hybridsim.engine.signatures import (
    INITIAL_CHART,
    OUTPUTS,
    VECTOR_FIELD,
    call_initial_chart,
    call_outputs,
    call_vector_field,
    pointers,
)
from hybridsim.engine.trajectory import trajectory


def _run(problem, now, work, log, budget):
    """Advance a run by `budget` steps and events at the most; 0 = more to do, else the code of a Status."""
    state = now[0]
    state.budget = budget
    return max(trajectory(pointers(problem), state, pointers(work), pointers(log)), 0)


def _evaluate_outputs(columns, n, width, n_outputs):
    """y[row] = outputs(t[row], x[row], chart[row])."""
    c = pointers(columns)
    for row in range(n):
        call_outputs(c.functions[OUTPUTS], c.y, row * n_outputs, c.t[row], c.x, row * width, c.p, c.chart[row])


def _evaluate_slopes(columns, n, width):
    """y[row] = vector_field(t[row], x[row], chart[row])."""
    c = pointers(columns)
    for row in range(n):
        at = row * width
        call_vector_field(c.functions[VECTOR_FIELD], c.y, at, c.t[row], c.x, at, c.p, c.chart[row])


def _find_initial_chart(columns):
    """Let the model finalise the state y, which begins as a copy of x; returns its chart."""
    c = pointers(columns)
    return call_initial_chart(c.functions[INITIAL_CHART], c.y, c.t[0], c.x, c.p)


run = compile_entry(_run)
evaluate_outputs = compile_entry(_evaluate_outputs)
evaluate_slopes = compile_entry(_evaluate_slopes)
find_initial_chart = compile_entry(_find_initial_chart)
