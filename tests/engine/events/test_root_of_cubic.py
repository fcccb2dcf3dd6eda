"""The place where a search expects a boundary to fall, from values and slopes at both ends of an interval."""

import numpy as np
import pytest

from hybridsim.engine.events import sampled_search

root_of_cubic = getattr(sampled_search.root_of_cubic, "py_func", sampled_search.root_of_cubic)


def random_cubic(random, decades):
    """Return values and slopes at 0 and 1 of a cubic that falls through zero once between, and where, by numpy.

    Its coefficients are of sizes that differ by up to so many decades.
    """
    while True:
        cubic = np.poly1d(random.uniform(-1.0, 1.0, 4) * 10.0 ** random.uniform(-decades, 0.0, 4))
        slope, roots = cubic.deriv(), [r.real for r in cubic.roots if r.imag == 0.0 and 0.0 < r.real < 1.0]
        if cubic(0.0) > 0.0 >= cubic(1.0) and len(roots) == 1:
            return (cubic(0.0), slope(0.0), cubic(1.0), slope(1.0)), roots[0]


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(5))
def test_the_root_of_a_cubic_is_that_of_numpy(seed):
    """Six steps of Newton's method reach that of a cubic that is nearly straight, and half of all others."""
    random = np.random.default_rng(seed)
    for _ in range(200):
        a, bend, fall = random.uniform([0.05, -0.2, 0.5], [0.95, 0.2, 2.0])
        g = np.poly1d([bend, -3.0 * a * bend, 3.0 * a**2 * bend - fall, a * (fall - a**2 * bend)])  # zero at a
        slope = g.deriv()
        assert root_of_cubic(g(0.0), slope(0.0), g(1.0), slope(1.0)) == pytest.approx(a, abs=1e-14)
    off = []
    for values, root in (random_cubic(random, 6.0) for _ in range(400)):
        found = root_of_cubic(*values)
        assert 0.0 <= found <= 1.0
        off.append(abs(found - root))
    assert np.median(off) < 1e-14


@pytest.mark.parametrize("scale", [2.0**-60, 2.0**60])
def test_the_root_is_the_same_in_any_unit_to_the_bit(scale):
    random = np.random.default_rng(9)
    for values in (random_cubic(random, 3.0)[0] for _ in range(200)):
        assert root_of_cubic(*(scale * each for each in values)) == root_of_cubic(*values)


def test_where_all_is_zero_the_place_is_still_within():
    assert 0.0 <= root_of_cubic(0.0, 0.0, 0.0, 0.0) <= 1.0
