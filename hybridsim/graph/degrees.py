"""Degrees of boundaries, as polynomials in the time and the states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from hybridsim.graph.nodes import Graph
from hybridsim.graph.tracing import ChartTrace, ModelGraph
from hybridsim.model import Model

MAX_DEGREE = 4
"""The highest degree that counts: that which a boundary can declare."""


def polynomial_boundaries(graph: ModelGraph, traces: Iterable[ChartTrace]) -> Mapping[int, int]:
    """Return the degrees of boundaries that are polynomials in all charts, whatever the parameters and the state are.

    Parameters
    ----------
    graph : ModelGraph
        The functions of a model.
    traces : iterable of ChartTrace
        What they compute in each chart.

    Returns
    -------
    mapping of int to int
        The degrees, by the index of the boundary, of those whose degree is at most `MAX_DEGREE`. There is none if a
        boundary branches.
    """
    degrees: dict[int, float] = {}
    highest: dict[int, float] = {}
    for trace in traces:
        if trace.boundaries_branch:
            return {}
        for (_, i), a in trace.boundaries.items():
            find_degrees(graph.graph, a, graph.model, degrees)
            highest[i] = max(highest.get(i, 0.0), degrees[a])
    return {i: int(degree) for i, degree in highest.items() if degree <= MAX_DEGREE}


def find_degrees(graph: Graph, root: int, model: Model, degrees: dict[int, float]) -> None:
    """Add the degree of an expression, and of those it is made of, to `degrees`: infinite if it is no polynomial."""
    moving = {"t", *model.states.names}
    for a in graph.reachable([root]):
        if a not in degrees:
            degrees[a] = _degree(graph, a, moving, degrees)


def _degree(graph: Graph, a: int, moving: set[str], degrees: Mapping[int, float]) -> float:
    operation, *others = graph.nodes[a]
    parts = [degrees[b] for b in graph.arguments(a)]
    if operation == "input":
        return float(others[0] in moving)
    if not any(parts):
        return 0.0
    if operation in ("add", "sub", "neg"):
        return max(parts)
    if operation == "mul":
        return sum(parts)
    if operation == "power":
        return parts[0] * float(others[1])
    return parts[0] if operation == "div" and parts[1] == 0.0 else math.inf
