"""Identities that exact algebra sees, and near misses that it must not."""

import math
from fractions import Fraction

import pytest

from hybridsim.graph import Graph
from hybridsim.proofs.check_algebra import Algebra
from hybridsim.proofs.identities import ratio, vanish


def checked(graph, node, values, zero=None):
    return Algebra(graph.nodes, values, zero).vanishes(node)


def proven(graph, node, values, zero=None):
    return vanish(graph, [node], values, zero)


SIDES = pytest.mark.parametrize("is_zero", [proven, checked])
"""The algebra of proofs and that of their checker, which share nothing."""


class Made:
    """Expressions of x and y, by Python's operators."""

    def __init__(self, graph, node):
        self.graph, self.node = graph, node

    def _other(self, other):
        return other.node if isinstance(other, Made) else self.graph.const(float(other))

    def __add__(self, other):
        return Made(self.graph, self.graph.add(self.node, self._other(other)))

    def __sub__(self, other):
        return Made(self.graph, self.graph.sub(self.node, self._other(other)))

    def __mul__(self, other):
        return Made(self.graph, self.graph.mul(self.node, self._other(other)))

    def __truediv__(self, other):
        return Made(self.graph, self.graph.div(self.node, self._other(other)))

    def __pow__(self, n):
        return Made(self.graph, self.graph.power(self.node, n))

    def of(self, name):
        return Made(self.graph, self.graph.apply(name, self.node))


@pytest.fixture
def xy():
    graph = Graph()
    return Made(graph, graph.input("x")), Made(graph, graph.input("y"))


IDENTITIES = {
    "a binomial": lambda x, y: (x + y) ** 2 - x * x - x * y * 2 - y * y,
    "a quotient": lambda x, y: (x * x - y * y) / (x - y) - (x + y),
    "a circle": lambda x, _: x.of("sin") ** 2 + x.of("cos") * x.of("cos") - 1,
    "a root": lambda x, y: (x * x + y * y).of("sqrt") ** 2 - x**2 - y**2,
    "roots of the same": lambda x, y: (x * x + y**2).of("sqrt") - (y * y + x**2).of("sqrt"),
    "a root of a circle": lambda x, y: (x.of("sin") ** 2 * 4 + x.of("cos") ** 2 * 4).of("sqrt") - 2 + y - y,
    "constants": lambda x, _: x * 0.5 + x * 0.25 - x * 0.75,
}
NEAR_MISSES = {
    "a unit of rounding": lambda x, y: (x + y) * 0.1 - x * 0.1 - y * 0.10000000000000002,
    "a sign of a root": lambda x, _: (x * x).of("sqrt") - x,
    "two angles": lambda x, y: x.of("sin") ** 2 + y.of("cos") ** 2 - 1,
    "another power": lambda x, y: (x + y) ** 3 - x**3 - y**3,
    "an inverse": lambda x, _: x.of("sin").of("asin") - x,
}


@SIDES
@pytest.mark.parametrize("name", IDENTITIES)
def test_an_identity_is_seen(xy, name, is_zero):
    made = IDENTITIES[name](*xy)
    assert is_zero(made.graph, made.node, {})


@SIDES
@pytest.mark.parametrize("name", NEAR_MISSES)
def test_what_is_no_identity_is_not(xy, name, is_zero):
    made = NEAR_MISSES[name](*xy)
    assert not is_zero(made.graph, made.node, {})


@SIDES
def test_what_vanishes_where_a_boundary_does_is_seen_there_alone(xy, is_zero):
    x, y = xy
    boundary = x * x + y * y - 4.0
    spring = ((x * x + y * y).of("sqrt") - 2.0) ** 2
    assert is_zero(x.graph, spring.node, {}, boundary.node)
    assert is_zero(x.graph, (boundary * 3.0).node, {}, boundary.node)
    assert not is_zero(x.graph, spring.node, {})
    assert not is_zero(x.graph, (spring + 1.0).node, {}, boundary.node)


@SIDES
def test_parameters_have_their_values(xy, is_zero):
    x, y = xy
    made = x * y - x * 3.0
    assert is_zero(made.graph, made.node, {"y": Fraction(3)})
    assert not is_zero(made.graph, made.node, {"y": Fraction(3) + Fraction(1, 2**60)})


@pytest.mark.parametrize(("power", "is_seen"), [(2, True), (9, False)])
def test_a_polynomial_that_grows_too_long_is_not_followed(xy, power, is_seen):
    x, y = xy
    long = (x + y + x.of("sin") + y.of("exp") + 1.0) ** power
    assert vanish(x.graph, [(long * long - long**2).node], {}) == is_seen


def test_the_ratio_of_two_expressions_is_that_of_numbers_or_none(xy):
    x, y = xy
    graph, rate = x.graph, x * 2.5 + y * 5.0
    assert ratio(graph, (rate * 3.0 / y).node, ((x + y * 2.0) / y).node, {}) == Fraction(15, 2)
    assert ratio(graph, (x - x).node, rate.node, {}) == 0
    assert ratio(graph, rate.node, (x - x).node, {}) is None
    assert ratio(graph, rate.node, x.node, {}) is None
    assert ratio(graph, rate.node, x.node, {"x": Fraction(4), "y": Fraction(1, 5)}) == Fraction(11, 4)


def test_what_is_defined_nowhere_has_no_ratio_and_what_is_not_finite_is_not_followed(xy):
    x, _ = xy
    graph = x.graph
    cosine, sine, one = graph.apply("cos", x.node), graph.apply("sin", x.node), graph.const(1.0)
    nothing = graph.sub(graph.add(graph.power(cosine, 2), graph.power(sine, 2)), one)
    nowhere = graph.div(one, nothing)
    assert ratio(graph, x.node, nowhere, {}) is None
    assert ratio(graph, nowhere, x.node, {}) is None
    endless = graph.mul(x.node, graph.const(math.inf))
    assert not vanish(graph, [graph.sub(endless, endless), graph.sub(endless, x.node)], {})


def test_what_is_zero_may_make_arguments_simpler_and_symbols_do_not_run_out(xy):
    x, _ = xy
    graph = x.graph
    root, below = graph.apply("sqrt", graph.power(x.node, 2)), graph.const(1.0)
    for k in range(1, 5):
        below = graph.add(below, graph.apply("cos", graph.mul(graph.const(k + 0.5), root)))
    zero = graph.div(graph.sub(graph.power(x.node, 2), graph.const(4.0)), below)
    assert vanish(graph, [zero], {}, zero)
