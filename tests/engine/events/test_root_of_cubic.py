"""The place where a search expects a boundary to fall, from values and slopes at both ends of an interval."""

import numpy as np
import pytest

from hybridsim.engine.events import sampled_search

root_of_cubic = getattr(sampled_search.root_of_cubic, "py_func", sampled_search.root_of_cubic)


@pytest.mark.parametrize("seed", range(20))
def test_the_root_of_a_cubic_is_that_of_numpy(seed):
    a, b, c = np.random.default_rng(seed).uniform([0.05, 0.5, -0.2], [0.95, 2.0, 0.2])
    cubic = np.poly1d([c, 0.0, -b, 0.0])  # falls through 0 at 0, then moved to a
    g, slope = lambda s: float(cubic(s - a)), lambda s: float(cubic.deriv()(s - a))
    assert root_of_cubic(g(0.0), slope(0.0), g(1.0), slope(1.0)) == pytest.approx(a, abs=1e-6)


def test_where_all_is_zero_the_place_is_still_within():
    assert 0.0 <= root_of_cubic(0.0, 0.0, 0.0, 0.0) <= 1.0
