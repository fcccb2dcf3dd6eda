"""Gaussian elimination with partial pivoting: solutions against numpy, and matrices that have none."""

import numpy as np
import pytest
from linear_equations import Equations

from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.memory import pad_length

solve_all = Entry("linear_equations:solve_all")


def solved(a, b):
    """The solution, or None if the elimination gives up; the entries that pad the columns must stay zero."""
    n, height = len(b), pad_length(len(b))
    matrix, right = np.zeros((n, height)), np.zeros(height)
    matrix[:, :n], right[:n] = np.transpose(a), b
    equations = Equations(matrix, right, np.zeros(n, np.int64), np.zeros(1, np.int64))
    solve_all(equations, n, height)
    assert not right[n:].any()
    return right[:n] if equations.is_regular[0] else None


@pytest.mark.parametrize("n", [*range(1, 14), 40])
def test_solutions_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        a, b = rng.normal(size=(n, n)), rng.normal(size=n)
        exact = np.linalg.solve(a, b)
        error = abs(solved(a, b) - exact).max() / abs(exact).max()
        assert error < 50 * n * np.finfo(float).eps * np.linalg.cond(a)


def test_rows_change_places_for_the_largest_pivot():
    tiny = 1e-20
    np.testing.assert_allclose(solved([[tiny, 1.0], [1.0, 1.0]], [1.0, 2.0]), [1.0, 1.0], rtol=1e-15)
    cyclic = np.roll(np.diag([2.0, 4.0, 8.0, 16.0, 32.0]), 2, axis=0)
    np.testing.assert_array_equal(solved(cyclic, np.arange(5.0)), np.linalg.solve(cyclic, np.arange(5.0)))


def test_a_row_of_its_own_keeps_its_zero():
    """A discrete state's: nothing from the other rows gets into it, however large they are."""
    a = np.array([[1e9, 0.0, -3e8], [0.0, 4.7, 0.0], [2e5, 0.0, 1e-3]])
    assert solved(a, np.array([1.0, 0.0, 2.0]))[1] == 0.0


@pytest.mark.parametrize("entry", [0.0, np.nan, np.inf])
def test_a_matrix_without_a_pivot_is_given_up(entry):
    assert solved([[1.0, 2.0], [0.5, 1.0 + entry]], [1.0, 1.0]) is None
