"""A tableau that is no method of its order is refused, with a sentence on each thing that is wrong."""

import numpy as np
import pytest

from hybridsim import ConfigError, Tableau
from hybridsim.engine.methods import METHODS
from hybridsim.engine.methods.tableau_checks import rooted_trees

HEUN = {"a": [[], [1.0]], "b": [0.5, 0.5], "e": [-0.5, 0.5], "order": 2}


def problems(**changes):
    with pytest.raises(ConfigError) as caught:
        Tableau("mine", **HEUN | changes)
    assert all(line.startswith("the method mine: ") for line in caught.value.problems)
    return "\n".join(line.removeprefix("the method mine: ") for line in caught.value.problems)


def test_there_are_as_many_rooted_trees_as_there_should_be():
    assert [len(rooted_trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]  # Cayley 1857


def test_the_least_that_a_method_needs_are_coefficients_and_an_order():
    method = Tableau("heun", a=[[], [1]], b=[1 / 2, 1 / 2], order=2)
    assert not method.adaptive
    assert method.c.tolist() == [0.0, 1.0, 1.0]
    assert method.extension.shape == (3, 3)  # the cubic between both ends
    assert repr(method) == "Tableau('heun', stages=2, order=2)"


def test_a_square_matrix_and_rows_are_the_same():
    square = Tableau("heun", **HEUN | {"a": np.array([[0.0, 0.0], [1.0, 0.0]])})
    assert square.keywords() == Tableau("heun", **HEUN).keywords()


@pytest.mark.parametrize("name", METHODS)
def test_its_keywords_make_the_same_method_again(name):
    method = METHODS[name]()
    again = Tableau(**method.keywords())
    for slot in Tableau.__slots__:
        np.testing.assert_array_equal(getattr(again, slot), getattr(method, slot))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"order": 3}, "order: 3 is declared, but a condition of order 3 is missed by 0.17; correct a and b"),
        ({"a": [[], [0.9]]}, "or declare order=1"),
        ({"b": [0.5, 0.4]}, "b: the weights must add up to 1, found 0.9"),
        ({"e": [0.5, 0.5]}, "e: the estimate should vanish up to order 1, but misses it at order 1 by 1"),
        ({"e": [0.0, 0.0]}, "e: expected weights that are not all zero; for fixed steps leave e out"),
        ({"e": [0.0] * 4}, "e: expected the shape (3), found (4)"),
        (
            {"c": [0.0, 0.5]},
            "c: expected the sums of the rows of a, found 0.5 for row 1, whose sum is 1.0; leave c out",
        ),
        ({"c": [0.0, 1.0, 1.0]}, "c: expected the shape (2), found (3)"),
        ({"a": [[0.5], [1.0]]}, "a: row 0 may have numbers in the 0 columns before it only"),
        ({"a": [[]]}, "a, b: expected a row of a for each weight in b, found 1 rows and 2 weights"),
        ({"a": [[], ["one"]]}, "a: expected finite numbers, found ['one']"),
        ({"b": ["1/6", "5/6"]}, "found ['1/6', '5/6']; write them as decimal numbers with all digits"),
        ({"b": [0.5, np.nan]}, "b: expected finite numbers"),
        ({"order": 2.0}, "order: expected a whole number from 1 on"),
        ({"extension": [[1, -0.5], [0.5, 0]]}, "extension: at theta = 0 its slope must be k_0"),
        (
            {"extension": [[1, 0], [0, 1]]},
            "extension: at theta = 1 it must reach the new point, but its rows add up to 1",
        ),
        ({"extension": [1, 0]}, "extension: expected the shape (3, m), found (2)"),
    ],
)
def test_what_is_wrong_is_said(changes, sentence):
    assert sentence in problems(**changes)


def test_all_that_is_wrong_is_said_at_once():
    found = problems(c=[0.0, 0.5], order=3, error_order=1, extension=[[1, 0], [0, 1]])
    assert [line.partition(":")[0] for line in found.splitlines()] == ["c", "order", "extension"]


def test_other_names_of_the_keywords_lead_to_these():
    with pytest.raises(ConfigError, match="it is called `e` here"):
        Tableau("mine", a=[[]], b=[1.0], order=1, b_hat=[1.0])
