"""The operations of graphs: how floats do them, and their slopes as expressions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hybridsim.graph.nodes import Graph

Operations = Mapping[str, Callable[..., Any]]
"""How numbers of one kind do each operation; "const" makes one of a float."""

ON_FLOATS: Operations = {
    "const": float,
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "power": operator.pow,
    **{name: getattr(math, name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")},
    **{name: getattr(math, name) for name in ("sinh", "cosh", "tanh")},
}

FUNCTIONS: Mapping[str, tuple[Any, ...]] = {
    "sin": (math.sin, np.sin),
    "cos": (math.cos, np.cos),
    "tan": (math.tan, np.tan),
    "asin": (math.asin, np.arcsin),
    "acos": (math.acos, np.arccos),
    "atan": (math.atan, np.arctan),
    "sinh": (math.sinh, np.sinh),
    "cosh": (math.cosh, np.cosh),
    "tanh": (math.tanh, np.tanh),
    "exp": (math.exp, np.exp),
    "log": (math.log, np.log),
    "sqrt": (math.sqrt, np.sqrt),
}
"""Operation -> the functions of one number that a plug-in may call for it."""


def slope(graph: Graph, a: int) -> int:
    """Return the slope of a function of one number, a node, by its argument."""
    operation, x = graph.nodes[a][:2]
    one = graph.const(1.0)
    if operation == "power":
        n = graph.nodes[a][2]
        return graph.mul(graph.const(float(n)), graph.power(x, n - 1))
    rules: Mapping[str, Callable[[], int]] = {
        "sin": lambda: graph.apply("cos", x),
        "cos": lambda: graph.neg(graph.apply("sin", x)),
        "tan": lambda: graph.add(one, graph.power(a, 2)),
        "asin": lambda: graph.div(one, graph.apply("sqrt", graph.sub(one, graph.power(x, 2)))),
        "acos": lambda: graph.neg(graph.div(one, graph.apply("sqrt", graph.sub(one, graph.power(x, 2))))),
        "atan": lambda: graph.div(one, graph.add(one, graph.power(x, 2))),
        "sinh": lambda: graph.apply("cosh", x),
        "cosh": lambda: graph.apply("sinh", x),
        "tanh": lambda: graph.sub(one, graph.power(a, 2)),
        "exp": lambda: a,
        "log": lambda: graph.div(one, x),
        "sqrt": lambda: graph.div(graph.const(0.5), a),
    }
    return rules[operation]()
