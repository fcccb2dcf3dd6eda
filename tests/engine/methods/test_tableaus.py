"""Every tableau against what makes a method one: the order conditions of Butcher's trees, and those of extensions."""

import math
from functools import cache

import numpy as np
import pytest

from hybridsim.engine.methods import METHODS

EPS = np.finfo(float).eps
# Of the whole extension, up to here; at the ends it has the method's order (Hairer, Norsett, Wanner 1993, II.6).
EXTENSION_ORDER = {"dp5": 4, "dop853": 7, "tsit5": 4, "rk4": 3, "rk4_adaptive": 3}

# Of the lower of the two methods that each error estimate compares.
ESTIMATE_ORDERS = {"dp5": (4,), "dop853": (5, 3), "tsit5": (4,), "rk4": (), "rk4_adaptive": (4,)}


@pytest.fixture(params=METHODS)
def method(request):
    return METHODS[request.param]()


@cache
def trees(order):
    """All rooted trees with that many vertices, as sorted tuples of the subtrees at the root."""
    return tuple(forest for forest in forests(order - 1))


@cache
def forests(vertices):
    """All sorted tuples of rooted trees with that many vertices together."""
    if vertices == 0:
        return ((),)
    found = set()
    for largest in range(1, vertices + 1):
        for tree in trees(largest):
            found |= {tuple(sorted((tree, *rest))) for rest in forests(vertices - largest)}
    return tuple(sorted(found))


def vertices(tree):
    return 1 + sum(vertices(branch) for branch in tree)


def density(tree):
    """gamma: the order times the densities of the branches (Butcher 1963)."""
    return vertices(tree) * math.prod(density(branch) for branch in tree)


def stage_weights(tree, a):
    """Phi_j: for each stage the product over the branches of sum_k a_jk Phi_k."""
    product = np.ones(len(a))
    for branch in tree:
        product = product * (a @ stage_weights(branch, a))
    return product


def defects(weights, a, order, theta=1.0):
    """How far sum_j b_j Phi_j(tree) is from theta^p / gamma(tree), for all trees with p <= order vertices.

    Relative to the sum of the terms' sizes, which rounding is measured by.
    """
    for p in range(1, order + 1):
        for tree in trees(p):
            terms = weights * stage_weights(tree, a)
            yield abs(terms.sum() - theta**p / density(tree)) / max(abs(terms).sum(), 1.0)


def test_there_are_as_many_trees_as_there_should_be():
    assert [len(trees(order)) for order in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]  # Cayley 1857


def test_the_shapes_belong_together(method):
    rows = len(method.a)
    assert method.a.shape == (rows, rows)
    assert method.c.shape == (rows,)
    assert method.e.shape == method.e_third.shape == (method.stages + 1,)
    assert method.extension.shape[0] == rows > method.stages


def test_every_stage_is_made_from_those_before_it(method):
    assert not np.triu(method.a).any()


def test_every_row_sums_to_its_node(method):
    np.testing.assert_allclose(method.a.sum(axis=1), method.c, rtol=0, atol=64 * EPS)
    assert method.c[0] == 0.0
    assert method.c[method.stages] == pytest.approx(1.0, abs=4 * EPS)


def test_all_order_conditions_hold_up_to_the_order_and_not_beyond(method):
    weights = method.a[method.stages]
    assert max(defects(weights, method.a, method.order)) < 1e-14
    assert max(defects(weights, method.a, method.order + 1)) > 1e-5


def test_the_error_estimates_vanish_up_to_the_order_of_the_methods_they_compare(method):
    for e, order in zip((method.e, method.e_third), ESTIMATE_ORDERS[method.name], strict=False):
        padded = np.zeros(len(method.a))
        padded[: len(e)] = e
        estimates = [max(abs(padded @ stage_weights(tree, method.a)) for tree in trees(p)) for p in range(1, order + 2)]
        assert max(estimates[:-1]) < 1e-14
        assert estimates[-1] > 1e-6


def test_a_fixed_step_has_no_error_estimate():
    assert not METHODS["rk4"]().e.any()
    assert not METHODS["rk4"]().adaptive


def test_the_extension_begins_and_ends_with_the_step(method):
    unit = np.eye(len(method.a))
    degrees = np.arange(1, method.extension.shape[1] + 1)
    atol = 64 * EPS * abs(method.extension).max()
    np.testing.assert_allclose(method.extension.sum(axis=1), method.a[method.stages], rtol=0, atol=atol)
    np.testing.assert_allclose(method.extension[:, 0], unit[0], rtol=0, atol=atol)  # its slope at the start is k_0
    np.testing.assert_allclose(method.extension @ degrees, unit[method.stages], rtol=0, atol=8 * atol)  # and k_S


@pytest.mark.parametrize("theta", [0.1, 0.5, 0.9])
def test_the_extension_has_its_order_everywhere_and_no_higher(method, theta):
    order = EXTENSION_ORDER[method.name]
    weights = method.extension @ theta ** np.arange(1, method.extension.shape[1] + 1)
    assert max(defects(weights, method.a, order, theta)) < 1e-13
    assert max(defects(weights, method.a, order + 1, theta)) > 1e-7
