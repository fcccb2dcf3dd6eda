"""The functions of a model as programs of the engine: traced chart by chart.

What depends on parameters and held states alone becomes a number that is computed where a chart begins, and a branch on
such numbers a check: where it fails the program is not the model's function. A chart that branches on states that move,
or that has too many operations, has no program; there the engine makes the steps of a method with stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hybridsim.engine.series_programs import HEADER, WORDS
from hybridsim.graph.chart_program import ChartProgram, Constants
from hybridsim.graph.degrees import polynomial_boundaries
from hybridsim.graph.tracing import ChartTrace, ModelGraph, UntraceableError, trace_chart
from hybridsim.model import Model
from hybridsim.typing import FloatArray, IntArray

MAX_CHARTS = 256
"""Charts beyond which a model has no programs: of the bits of contacts, most are never entered."""

MAX_NUMBERS = 4096
"""Numbers of array parameters beyond which it has none: each is a symbol, as the rows of a sweep may vary it."""

DEFINED_EVERYWHERE = frozenset({"input", "const", "neg", "add", "sub", "mul", "power"})
"""Operations that have a result for all numbers."""

MOST_SHARED = 1.1
"""How many times as many instructions as its own a chart executes at most, to have a program in common with others."""

ALL = -1
"""In place of a chart: all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Programs:
    """The programs of a model for the engine.

    Attributes
    ----------
    words : (n,) int array
        All programs: `Problem.series_programs`.
    constants : (n,) array
        Their constants.
    boundary_rows : (n_charts * n_boundaries,) int array
        Places on the tape.
    n_rows, n_numbers : int
        Room that they take, and that which generated code has to put numbers side by side.
    without : dict of int to str
        Charts that have no program, and why.
    polynomials : mapping of int to int
        Degrees of boundaries that are polynomials though they declare nothing. None if a chart has no program: its
        steps have no series of them, and the search takes more samples than that of a boundary of which nothing is
        known.
    """

    words: IntArray
    constants: FloatArray
    boundary_rows: IntArray
    n_rows: int
    n_numbers: int
    without: dict[int, str]
    polynomials: Mapping[int, int]


def programs_of(model: Model, p: FloatArray, t: float, x: FloatArray) -> Programs:
    """Trace a model and make the programs of its charts.

    Parameters
    ----------
    model : Model
        The model.
    p : (n,) array
        Parameters, inputs and constants.
    t, x : float, (n_states,) array
        The time and the state that decide the branches on held states.

    Returns
    -------
    Programs
        Its programs.
    """
    refused = _why_refused(model, p)
    graph, constants = ModelGraph(model, p, tolerant=True, arrays_vary=not refused), Constants()
    traces: dict[int, ChartTrace] = {}
    programs: dict[int, ChartProgram] = {}
    without: dict[int, str] = {}
    n_charts = 0 if refused else model.n_charts
    for chart in range(n_charts):
        try:
            traces[chart] = trace_chart(graph, chart, t, x)
            programs[chart] = ChartProgram(graph, constants, traces[chart])
        except UntraceableError as problem:
            without[chart] = str(problem)
        except RecursionError:
            without[chart] = "an expression of too many operations one in the other"
    _share(graph, constants, traces, programs)
    rows = np.zeros((n_charts, max(len(model.boundary_records), 1)), np.int64)
    for program in programs.values():
        for place, row in program.boundaries.items():
            rows[place] = row
    return Programs(
        words=_joined(programs, n_charts),
        constants=np.array([*constants.values, 0.0]),
        boundary_rows=rows.ravel(),
        n_rows=max([program.n_rows + len(program.body) for program in programs.values()], default=1),
        n_numbers=max([program.n_numbers for program in programs.values()], default=1),
        without={ALL: refused} if refused else without,
        polynomials={} if refused or without else _undeclared_polynomials(graph, traces),
    )


def _why_refused(model: Model, p: FloatArray) -> str:
    """Return why a model has no programs, whatever its functions are; or nothing."""
    if model.n_charts > MAX_CHARTS:
        return f"it has more than {MAX_CHARTS} charts"
    is_large = len(p) - len(model.p_indices) > MAX_NUMBERS
    return f"its array parameters have more than {MAX_NUMBERS:,} numbers" if is_large else ""


def _share(
    graph: ModelGraph,
    constants: Constants,
    traces: Mapping[int, ChartTrace],
    programs: dict[int, ChartProgram],
) -> None:
    """Let charts with the same slopes have one program, with the boundaries of all: its code stays in the cache.

    The boundaries of other charts must not cost much, and must be defined everywhere.
    """
    groups: dict[Any, list[int]] = {}
    for chart in programs:
        key = tuple(sorted(traces[chart].slopes.items())), traces[chart].guards
        groups.setdefault(key, []).append(chart)
    for charts in groups.values():
        together: list[int] = []
        for chart in charts:
            tried = [*together, chart]
            boundaries = {place: a for each in tried for place, a in traces[each].boundaries.items()}
            own = {a for each in tried for a in graph.graph.reachable(traces[each].slopes.values())}
            others = {graph.graph.nodes[a][0] for a in graph.graph.reachable(boundaries.values()) if a not in own}
            if not others <= DEFINED_EVERYWHERE:
                continue
            program = ChartProgram(graph, constants, replace(traces[chart], boundaries=boundaries))
            if len(program.body) > MOST_SHARED * min(len(programs[each].body) for each in tried):
                continue
            together = tried
            programs.update(dict.fromkeys(together, program))


def _undeclared_polynomials(graph: ModelGraph, traces: Mapping[int, ChartTrace]) -> Mapping[int, int]:
    """Return the degrees of the boundaries that are polynomials and declare nothing of it."""
    undeclared = {
        i
        for i, b in enumerate(graph.model.boundary_records)
        if not b.time and b.degree is None and b.second_derivative_bound is None
    }
    found = polynomial_boundaries(graph, traces.values()) if undeclared else {}
    return {i: degree for i, degree in found.items() if i in undeclared}


def _joined(programs: Mapping[int, ChartProgram], n_charts: int) -> IntArray:
    """Return the words of all programs, behind the table of where each begins."""
    header = np.zeros((n_charts, HEADER), np.int64)
    words: list[int] = []
    places: dict[int, IntArray] = {}
    for chart, program in programs.items():
        if id(program) not in places:
            parts = program.numbers, program.body, program.tail
            places[id(program)] = np.cumsum([header.size + len(words), *(WORDS * len(part) for part in parts)])
            words += [word for part in parts for line in part for word in line]
        header[chart] = places[id(program)]
    return np.array([*header.ravel(), *words], np.int64)
