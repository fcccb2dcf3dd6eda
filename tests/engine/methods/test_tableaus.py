"""Every tableau against what makes a method one: the order conditions of Butcher's trees, and those of extensions."""

import math
from functools import cache

import numpy as np
import pytest

from hybridsim.engine.methods import METHODS

EPS = np.finfo(float).eps
# Of the whole extension, up to here; at the ends it has the method's order (Hairer, Norsett, Wanner 1993, II.6).
EXTENSION_ORDER = {
    "dp5": 4,
    "dop853": 7,
    "tsit5": 4,
    "rodas5p": 4,
    "series": 7,
    "rk4": 3,
    "rk4_adaptive": 4,
}

# Of the lower of the two methods that each error estimate compares.
ESTIMATE_ORDERS = {"dp5": (4,), "dop853": (5, 3), "tsit5": (4,), "rodas5p": (4,), "rk4": (), "rk4_adaptive": (4,)}
ESTIMATE_ORDERS["series"] = ESTIMATE_ORDERS["dop853"]  # where it has no series


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


def slopes_of_increments(method):
    """The matrix G that makes the rows k of a method from stages k' = h f(x + sum alpha k') + h J sum gamma k'.

    Of an explicit method k are the slopes themselves. The increments of a Rosenbrock method are sums of stages with the
    matrix gamma, which the source gives by 1 / diagonal - coupling = gamma^-1 (Hairer, Wanner 1996, IV.7, 7.24); its
    first and last rows are slopes.
    """
    matrix = np.eye(len(method.a))
    if method.gamma:
        increments = slice(1, method.stages)
        size = method.stages - 1
        matrix[increments, increments] = np.linalg.inv(
            np.eye(size) / method.gamma - method.coupling[increments, increments]
        )
    return matrix


def stage_weights(tree, method):
    """Phi_j: for each stage the product over the branches of sum_k alpha_jk Phi_k.

    Of a Rosenbrock method an only branch has beta = alpha + gamma in place of alpha (Hairer, Wanner 1996, IV.7, 7.11).
    """
    to_slopes = slopes_of_increments(method)
    matrix = method.a @ to_slopes
    if len(tree) == 1 and method.gamma:
        is_increment = np.zeros(len(matrix))
        is_increment[1 : method.stages] = 1.0
        matrix = matrix + is_increment[:, None] * to_slopes
    product = np.ones(len(matrix))
    for branch in tree:
        product = product * (matrix @ stage_weights(branch, method))
    return product


def defects(weights, method, order, theta=1.0):
    """How far sum_j b_j Phi_j(tree) is from theta^p / gamma(tree), for all trees with p <= order vertices.

    Relative to the sum of the terms' sizes, which rounding is measured by.
    """
    for p in range(1, order + 1):
        for tree in trees(p):
            terms = (weights @ slopes_of_increments(method)) * stage_weights(tree, method)
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
    alpha = method.a @ slopes_of_increments(method)
    np.testing.assert_allclose(alpha.sum(axis=1), method.c, rtol=0, atol=64 * EPS * abs(method.a).max())
    assert method.c[0] == 0.0
    assert method.c[method.stages] == pytest.approx(1.0, abs=4 * EPS)


def test_all_order_conditions_hold_up_to_the_order_and_not_beyond(method):
    weights = method.a[method.stages]
    assert max(defects(weights, method, method.order)) < 1e-14
    assert max(defects(weights, method, method.order + 1)) > 1e-5


def test_the_error_estimates_vanish_up_to_the_order_of_the_methods_they_compare(method):
    for e, order in zip((method.e, method.e_third), ESTIMATE_ORDERS[method.name], strict=False):
        padded = np.zeros(len(method.a))
        padded[: len(e)] = e
        weights = padded @ slopes_of_increments(method)
        estimates = [max(abs(weights @ stage_weights(tree, method)) for tree in trees(p)) for p in range(1, order + 2)]
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
    if method.gamma:  # its slopes at the ends are those of the flow only up to their order
        return
    np.testing.assert_allclose(method.extension[:, 0], unit[0], rtol=0, atol=atol)  # its slope at the start is k_0
    np.testing.assert_allclose(method.extension @ degrees, unit[method.stages], rtol=0, atol=8 * atol)  # and k_S


@pytest.mark.parametrize("theta", [0.1, 0.5, 0.9])
def test_the_extension_has_its_order_everywhere_and_no_higher(method, theta):
    order = EXTENSION_ORDER[method.name]
    weights = method.extension @ theta ** np.arange(1, method.extension.shape[1] + 1)
    assert max(defects(weights, method, order, theta)) < 1e-13
    assert max(defects(weights, method, order + 1, theta)) > 1e-7


def stability(z, method):
    """1 + z b (1 - z beta)^-1 1: by this a Rosenbrock step multiplies x where xdot = lambda x, with z = h lambda.

    (Hairer, Wanner 1996, IV.7, 7.14.)
    """
    inner = slice(1, method.stages)
    gamma = slopes_of_increments(method)[inner, inner]
    beta = method.a[inner, inner] @ gamma + gamma
    b = method.a[method.stages, inner] @ gamma
    ones = np.ones(len(gamma))
    return 1.0 + z * (b @ np.linalg.solve(np.eye(len(gamma)) - z * beta, ones))


def test_rodas5p_damps_whatever_decays_and_most_what_decays_fastest():
    """L-stable: the factor is at most 1 on the imaginary axis, without poles to the left, and 0 at infinity."""
    method = METHODS["rodas5p"]()
    assert max(abs(stability(1j * y, method)) for y in np.logspace(-2, 8, 2001)) <= 1.0 + 1e-9
    assert method.gamma > 0.0  # the only pole is 1 / gamma
    assert abs(stability(-1e9, method)) < 1e-5


def test_rodas5p_takes_time_for_a_further_state():
    """The weights of df/dt are the row sums of gamma (Hairer, Wanner 1996, IV.7, 7.5)."""
    method = METHODS["rodas5p"]()
    rows = slopes_of_increments(method)[1 : method.stages, 1 : method.stages].sum(axis=1)
    np.testing.assert_allclose(rows, method.time_weights[1 : method.stages], rtol=0, atol=1e-12)
