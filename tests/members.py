"""Members of families of tests: some of them always, all in exhaustive tests."""

import itertools

import pytest


def diagonal(*families, n):
    """Return all combinations of members, of which one in n runs by default, such that each member occurs.

    These are the combinations whose places in the families add up to a multiple of n, which is at most the length of
    any family.
    """
    assert n <= min(map(len, families))
    return [
        pytest.param(
            *(member for _, member in combination),
            marks=() if sum(place for place, _ in combination) % n == 0 else pytest.mark.exhaustive,
        )
        for combination in itertools.product(*map(enumerate, families))
    ]
