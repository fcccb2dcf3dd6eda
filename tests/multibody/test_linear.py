"""The solver of linear equations against numpy's."""

import numpy as np
import pytest
from multibody.trees import assert_close

from hybridsim.multibody import solve_linear


def solve(matrix, right):
    """Return the solution and the smallest pivot."""
    flat, x = np.array(matrix, float).ravel(), np.array(right, float)
    pivot = solve_linear(flat, x, len(x))
    return x, pivot


@pytest.mark.parametrize("n", [1, 2, 3, 7, 27, 60])
def test_solutions_are_those_of_numpy_whatever_the_units_of_rows(n):
    rng = np.random.default_rng(n)
    for _ in range(10):
        matrix, right = rng.normal(size=(n, n)), rng.normal(size=n)
        expected = np.linalg.solve(matrix, right)
        x, pivot = solve(matrix, right)
        allowed = 1e-14 * n * np.linalg.cond(matrix)
        assert_close(x, expected, allowed)
        assert 0.0 < pivot <= 1.0
        units = 10.0 ** rng.uniform(-100, 100, n)
        x, of_units = solve(units[:, None] * matrix, units * right)
        assert_close(x, expected, allowed)
        assert of_units == pytest.approx(pivot, rel=1e-12 * np.linalg.cond(matrix))


def test_rows_change_places_where_the_diagonal_is_zero_or_small():
    rng = np.random.default_rng(1)
    for diagonal in (0.0, 1e-20, 1e-8):
        for n in (2, 5, 12):
            circle = np.roll(np.eye(n), 1, axis=1)  # exact without rounding: each row has one entry
            expected = rng.integers(-9, 9, n).astype(float)
            x, pivot = solve(circle + diagonal * np.eye(n), circle @ expected)
            assert_close(x, expected, 4.0 * diagonal + 1e-15)
            assert pivot == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize(
    "matrix",
    [[[0.0]], [[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 3.0]], [[1.0, 2.0], [0.0, 0.0]]],
)
def test_a_singular_matrix_has_a_pivot_of_zero_and_no_finite_solution(matrix):
    with np.errstate(all="ignore"):
        x, pivot = solve(matrix, np.arange(1.0, len(matrix) + 1.0))
    assert pivot == 0.0
    assert not np.isfinite(x).all()


def test_nothing_to_solve():
    assert solve(np.zeros((0, 0)), np.zeros(0))[1] == 1.0
