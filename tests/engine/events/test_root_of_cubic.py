"""The place where a search expects a boundary to fall, from values and slopes at both ends of an interval."""

from hybridsim.engine.events import sampled_search

root_of_cubic = getattr(sampled_search.root_of_cubic, "py_func", sampled_search.root_of_cubic)


def test_where_all_is_zero_the_place_is_still_within():
    assert 0.0 <= root_of_cubic(0.0, 0.0, 0.0, 0.0) <= 1.0
