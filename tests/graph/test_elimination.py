"""Linear equations as expressions: pivots are found by values, and are no branches."""

import numpy as np
import pytest

from hybridsim.duals.number import on_numbers
from hybridsim.graph import Graph, Program
from hybridsim.graph.elementary import ON_FLOATS
from hybridsim.graph.symbols import WITHOUT_PIVOTS, Recorder, Symbol
from hybridsim.multibody.linear import solve_linear


def traced(matrix, right, function=solve_linear):
    graph = Graph()
    recorder, n = Recorder(graph), len(right)
    entries = np.array([Symbol(recorder, graph.input(f"a{k}"), v) for k, v in enumerate(matrix.ravel())], object)
    sides = np.array([Symbol(recorder, graph.input(f"b{k}"), v) for k, v in enumerate(right)], object)
    pivot = on_numbers(function, WITHOUT_PIVOTS)(entries, sides, n)
    return graph, recorder, sides, pivot


def test_the_solution_holds_for_other_numbers_too_and_without_guards():
    """The pivots tie where it is traced, and are others for the second matrix."""
    graph, recorder, sides, _ = traced(np.array([[1.0, 2.0], [-1.0, 5.0]]), np.array([1.0, 3.0]))
    assert not recorder.guards
    solve = Program(graph, [side.node for side in sides])
    other, right = np.array([[0.5, 2.0], [7.0, -1.0]]), np.array([0.3, 0.4])
    inputs = {f"a{k}": v for k, v in enumerate(other.ravel())} | {f"b{k}": v for k, v in enumerate(right)}
    assert solve(inputs, ON_FLOATS) == pytest.approx(np.linalg.solve(other, right))


def test_nothing_may_depend_on_the_smallest_pivot():
    *_, pivot = traced(np.eye(2), np.ones(2))
    with pytest.raises(TypeError, match="the smallest pivot of an elimination has no expression"):
        bool(pivot < 1e-9)


def test_a_product_with_zero_is_zero():
    graph = Graph()
    x = graph.input("x")
    assert graph.mul(graph.const(0.0), x) == graph.mul(x, graph.neg(graph.const(0.0))) == graph.const(0.0)
