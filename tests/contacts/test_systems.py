"""The linear system of a mode, and how fixed points of slips are found, against numpy."""

from types import SimpleNamespace

import numpy as np
import pytest

from hybridsim.contacts.fixed_points import lengthen, size_of_steps
from hybridsim.contacts.linear import find_unknowns

SIZES = (2, 5, 9)


def solve(matrix, right, weights, begin):
    """What `find_unknowns` makes of a system, in plain Python."""
    m, at, places = len(right), 0, {}
    sizes = {"active": m, "multipliers": m, "unknowns": m, "matrix": m * m, "right": m, "weight": m, "undecided": m * m}
    for name, size in (sizes | {"factors": m * (m + 2)}).items():
        places[name], at = at, at + size
    work, layout = np.zeros(at), SimpleNamespace(**places)
    for name, values in {"matrix": matrix, "right": right, "weight": weights, "multipliers": begin}.items():
        work[places[name] : places[name] + sizes[name]] = np.ravel(values)
    work[layout.active : layout.active + m] = range(m)
    find_unknowns(work, layout, m)
    return work[layout.unknowns : layout.unknowns + m]


def random_system(rng, m, rank):
    """Rows along `rank` directions only, as feet of a table have; a solution; weights; where the unknowns begin."""
    rows = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, rank))
    matrix = rows @ rows.T
    return matrix, rng.normal(size=m), 10.0 ** rng.uniform(-2, 2, m), rng.normal(size=m)


def nearest(matrix, solution, weights, begin, rank):
    """The solution of the system that is nearest to where the unknowns begin, by the singular vectors."""
    null = np.linalg.svd(matrix)[2][rank:].T
    share = np.linalg.solve(null.T @ (weights[:, None] * null), null.T @ (weights * (solution - begin)))
    return solution - null @ share


@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("seed", range(8))
def test_what_nothing_decides_stays_as_near_as_it_can_to_its_beginning_without_noise(m, seed):
    rng = np.random.default_rng([seed, m])
    rank = m if seed == 0 else int(rng.integers(1, m))
    matrix, solution, weights, begin = random_system(rng, m, rank)
    found = solve(matrix, matrix @ solution, weights, begin)
    values = np.linalg.svd(matrix)[1]
    noise = 1e-15 * values[0] / values[rank - 1]  # of any method
    expected = nearest(matrix, solution, weights, begin, rank)
    assert np.abs(found - expected).max() <= 100 * noise * np.abs(expected).max()


@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_rounding_of_what_is_given_changes_forces_that_nothing_decides_by_no_more_than_others(m, seed):
    rng = np.random.default_rng([seed, m])
    matrix, solution, weights, begin = random_system(rng, m, m - 1)
    found = solve(matrix, matrix @ solution, weights, begin)
    other = solve(matrix * (1 + 1e-16 * rng.normal(size=(m, m))), np.nextafter(matrix @ solution, 9.0), weights, begin)
    values = np.linalg.svd(matrix)[1]
    assert np.abs(found - other).max() <= 1e-13 * values[0] / values[m - 2] * np.abs(found).max()


@pytest.mark.parametrize("small", [1e-3, 1e-5, 1e-7, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14])
def test_forces_are_continuous_where_a_system_becomes_singular(small):
    """As on straight legs: a tenth more of the smallest singular value changes the forces by little, wherever it is."""
    u, v = np.array([0.6, 0.8]), np.array([-0.8, 0.6])
    found = []
    for value in (small, 1.1 * small):
        matrix = 2.0 * np.outer(u, u) + value * np.outer(v, v)
        found.append(solve(matrix, matrix @ (3.0 * u + v), np.ones(2), np.zeros(2)))
    assert found[0] @ u == pytest.approx(3.0, rel=1e-9)
    assert -0.01 < found[0] @ v < 1.01
    assert abs(found[1] - found[0]).max() < 0.1


@pytest.mark.parametrize("n", [1, 4, 10])
@pytest.mark.parametrize("seed", range(4))
def test_fixed_points_take_few_turns(n, seed):
    """Where plain turns need hundreds: of contractions whose changes fall by 4 % only, in several directions."""
    rng = np.random.default_rng([seed, n])
    basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
    slow, fixed = basis @ np.diag(np.linspace(0.96, 0.2, n)) @ basis.T, rng.normal(size=n)
    work = np.zeros(n + size_of_steps(n))
    turn, turns = 1, 0
    while turns < 45:  # by plain turns, 4 % less each, 700
        off = work[:n] - fixed
        change = (slow - np.eye(n)) @ off + 0.02 * (np.sin(off) - off)
        if abs(change).max() < 1e-13:
            break
        turns += 1
        work[n : 2 * n] = change
        lengthen(work, n, 0, n, turn)
        turn += 1
        work[:n] += work[n : 2 * n]
    assert abs(work[:n] - fixed).max() < 1e-10


@pytest.mark.parametrize("seed", [1156, 1796, 2172])
def test_a_direction_is_found_from_where_the_method_of_fixed_points_has_gone_astray(seed):
    """Directions d that their twist A d + b does not turn; without new beginnings 200 turns do not find these."""
    rng = np.random.default_rng(seed)
    a, n = rng.normal(size=(3, 3)), 3
    a = -(a @ a.T) * rng.uniform(0.0, 1.0) + rng.normal(size=(3, 3))
    b = rng.normal(size=3) * rng.uniform(0.0, 2.0)
    reach, work = rng.uniform(0.5, 3.0), np.zeros(n + size_of_steps(n))
    d, change = np.array([1.0, 0.0, 0.0]), np.ones(3)
    for turn in range(1, 200):
        twist = reach * d + a @ d + b
        change = twist / np.linalg.norm(twist) - d
        if abs(change).max() < 1e-13:
            break
        work[:n], work[n : 2 * n] = d, change
        lengthen(work, n, 0, n, turn)
        d = d + work[n : 2 * n]
    assert abs(change).max() < 1e-13
    assert np.linalg.norm(np.cross(d, a @ d + b)) < 1e-12
