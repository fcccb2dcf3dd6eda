"""Which members of a family of tests run by default."""

import itertools

import pytest
from members import some


@pytest.mark.parametrize(("n", "places"), [(1, [0]), (2, [0, 8]), (3, [0, 8, 4]), (9, range(9))])
def test_of_one_parameter_members_are_far_from_each_other(n, places):
    chosen = some([{place} for place in range(9)], n)
    assert chosen[:3] == list(places)[:3] if n < 9 else sorted(chosen) == list(places)


@pytest.mark.parametrize("counts", [(2, 3, 4), (4, 3, 2), (3, 3, 3), (1, 5)])
def test_as_many_members_as_the_longest_parameter_has_values_have_all_values(counts):
    family = [set(enumerate(values)) for values in itertools.product(*map(range, counts))]
    chosen = some(family)
    assert set().union(*(family[place] for place in chosen)) == {(i, k) for i, n in enumerate(counts) for k in range(n)}
    assert len(chosen) == len(set(chosen)) == max(counts)


def test_a_family_smaller_than_is_asked_for_has_all_its_members():
    assert sorted(some([{"a"}, {"b"}], 5)) == [0, 1]
    assert some([{"a"}]) == [0]
