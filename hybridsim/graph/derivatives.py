"""Derivatives of expressions, as expressions of the same graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridsim.graph.elementary import slope
from hybridsim.graph.nodes import Graph


def derivatives(graph: Graph, roots: Sequence[int], variables: Sequence[str | Mapping[str, float]]) -> list[list[int]]:
    """Differentiate expressions.

    Parameters
    ----------
    graph : Graph
        Their graph; it gets the nodes of the derivatives.
    roots : sequence of int
        The expressions.
    variables : sequence of str or mapping of str to float
        Names of arguments, or directions: how much each argument changes.

    Returns
    -------
    list of list of int
        The node of the derivative of each expression by each variable; that of the constant 0 where there is none.
    """
    zero, nodes = graph.const(0.0), graph.reachable(roots)
    columns = []
    for variable in variables:
        direction = {variable: 1.0} if isinstance(variable, str) else variable
        varied: dict[int, int] = {}
        for a in nodes:
            if graph.nodes[a][0] == "input":
                changes = graph.const(direction.get(graph.nodes[a][1], 0.0))
            elif any(b in varied for b in graph.arguments(a)):
                changes = _derivative(graph, a, varied)
            else:
                continue
            if changes != zero:
                varied[a] = changes
        columns.append([varied.get(root, zero) for root in roots])
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in roots]


def _derivative(graph: Graph, a: int, varied: dict[int, int]) -> int:
    """Return the derivative of a node, given those of the nodes it takes; those that do not vary have none."""
    operation, x = graph.nodes[a][0], graph.nodes[a][1]
    if operation == "neg":
        return graph.neg(varied[x])
    if operation in ("add", "sub", "mul", "div"):
        y = graph.nodes[a][2]
        of_x, of_y = varied.get(x), varied.get(y)
        if operation in ("add", "sub"):
            parts = [
                part for part in (of_x, None if of_y is None else _signed(graph, operation, of_y)) if part is not None
            ]
        elif operation == "mul":
            parts = [graph.mul(d, other) for d, other in ((of_x, y), (of_y, x)) if d is not None]
        else:
            parts = [] if of_x is None else [graph.div(of_x, y)]
            parts += [] if of_y is None else [graph.neg(graph.mul(graph.div(a, y), of_y))]
        return parts[0] if len(parts) == 1 else graph.add(*parts)
    return graph.mul(slope(graph, a), varied[x])


def _signed(graph: Graph, operation: str, a: int) -> int:
    return graph.neg(a) if operation == "sub" else a
