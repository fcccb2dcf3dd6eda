"""The engine's entry points: what Python calls, compiled once for all models and cached on disk."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compilation import compile_entry, compile_routines
from hybridsim.engine.memory import Log, Problem, Work
from hybridsim.engine.routines import TABLES, table_of, table_type
from hybridsim.engine.signatures import (
    BOUNDARIES,
    INITIAL_CHART,
    JIT,
    OUTPUTS,
    PLACE,
    TRANSITION,
    VALIDATE,
    VECTOR_FIELD,
    call_initial_chart,
    call_outputs,
    call_transition,
    call_validate,
    call_vector_field,
    pointers,
)
from hybridsim.engine.sliding import N_PROBES, find_probe, rates
from hybridsim.engine.trajectory import trajectory

Integers = NDArray[np.int64]


class Jumps(NamedTuple):
    """n rows at which a model is asked for a chart or a verdict, and one row of work space."""

    functions: Integers
    p: NDArray[np.float64]
    t: NDArray[np.float64]
    x: NDArray[np.float64]  # (n, width)
    chart: Integers
    crossed: Integers  # (n, n_boundaries)
    x_new: NDArray[np.float64]  # (n, width)
    answer: Integers  # (n,) a chart, or what `validate` returns
    x_here: NDArray[np.float64]  # (width,)
    x_there: NDArray[np.float64]
    crossed_here: Integers  # (n_boundaries,)


def jumps(functions: Integers, p: Any, t: Any, x: Any, chart: Integers, crossed: Integers) -> Jumps:
    """Room for the answers at n rows."""
    n, width = x.shape
    here = np.zeros(width), np.zeros(width), np.zeros(max(crossed.shape[1], 1), np.int64)
    return Jumps(functions, p, t, x, chart, crossed, np.zeros_like(x), np.zeros(n, np.int64), *here)


def _run(problem, now, work, log, budget):
    """Advance a run by `budget` steps and events at the most; 0 = more to do, else the code of a Status."""
    state = now[0]
    state.budget = budget
    return max(trajectory(pointers(problem), state, pointers(work), pointers(log)), 0)


def connect_routines(problem: Problem, now: Any, work: Work, log: Log) -> tuple[Any, ...]:
    """Let the main loop find the engine's routines, and these find the arrays; keep the result as long as them."""
    if not JIT:
        return ()
    problem.functions[len(PLACE) :] = compile_routines(
        table_type(problem), numba.typeof(now).dtype, table_type(work), table_type(log)
    )
    tables = table_of(problem), table_of(work), table_of(log)
    for name, table in zip(TABLES, tables, strict=True):
        now[f"{name}_table"] = table.ctypes.data
    return tables


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


def _evaluate_weights(problem, now, work, rows, other, surface, x, largest, n, width):
    """y[row] = share of chart[row] where the state slides between it and other[row] along a boundary.

    `now` is a copy, and x a state to work with: looking at a run must not change it.
    """
    c, bare, bench, state, here = pointers(rows), pointers(problem), pointers(work), now[0], pointers(x)
    for row in range(n):
        state.chart, state.other, state.surface = c.chart[row], other[row], surface[row]
        for m in range(width):
            here.x[m] = c.x[row * width + m]
        find_probe(bare, state, bench, c.t[row], here.x, largest, N_PROBES)
        first, second = rates(bare, state, bench, c.t[row], here.x)
        c.y[row] = min(max(second / (second - first), 0.0), 1.0)  # by rounding it may lie outside


def _evaluate_boundaries(columns, n, width, n_boundaries):
    """y[row] = boundaries(t[row], x[row], chart[row]), where the chart's boundaries write; called as outputs are."""
    c = pointers(columns)
    for row in range(n):
        call_outputs(c.functions[BOUNDARIES], c.y, row * n_boundaries, c.t[row], c.x, row * width, c.p, c.chart[row])


def _apply_transitions(rows, n, width, n_boundaries):
    """x_new[row], answer[row] = transition(t[row], x[row], chart[row], crossed[row])."""
    c = pointers(rows)
    for row in range(n):
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
            c.x_there[m] = c.x_here[m]
        for i in range(n_boundaries):
            c.crossed_here[i] = c.crossed[row * n_boundaries + i]
        c.answer[row] = call_transition(
            c.functions[TRANSITION], c.x_there, c.t[row], c.x_here, c.p, c.chart[row], c.crossed_here
        )
        for m in range(width):
            c.x_new[row * width + m] = c.x_there[m]


def _evaluate_validity(rows, n, width):
    """answer[row] = validate(t[row], x[row], chart[row])."""
    c = pointers(rows)
    for row in range(n):
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
        c.answer[row] = call_validate(c.functions[VALIDATE], c.t[row], c.x_here, c.p, c.chart[row])


def _find_initial_chart(columns):
    """Let the model finalise the state y, which begins as a copy of x; returns its chart."""
    c = pointers(columns)
    return call_initial_chart(c.functions[INITIAL_CHART], c.y, c.t[0], c.x, c.p)


run = compile_entry(_run)
evaluate_outputs = compile_entry(_evaluate_outputs)
evaluate_weights = compile_entry(_evaluate_weights)
evaluate_slopes = compile_entry(_evaluate_slopes)
evaluate_boundaries = compile_entry(_evaluate_boundaries)
evaluate_validity = compile_entry(_evaluate_validity)
apply_transitions = compile_entry(_apply_transitions)
find_initial_chart = compile_entry(_find_initial_chart)
