"""Members of families of tests: some of them always, all in exhaustive tests.

A test with parameters is a family. With `@pytest.mark.members(n)` the ordinary run has n of its members, chosen here;
with `@pytest.mark.members` as many as it takes for each value of each parameter to occur.
"""

from collections import defaultdict

import pytest


def some(family, n=None):
    """Return the places of n members that have as many different values of the parameters as n members can.

    Each next member has the most values that none before it has. Of several such, it is the one farthest from those
    before it: the first of the family, the last, the middle.

    Parameters
    ----------
    family : sequence of sets
        The values of each member.
    n : int, optional
        By default, as many as it takes for each value to occur.
    """
    missing, chosen = set().union(*family), [0]
    missing -= family[0]
    while len(chosen) < len(family) and (missing if n is None else len(chosen) < n):
        others = [place for place in range(len(family)) if place not in chosen]
        chosen.append(max(others, key=lambda at: (len(family[at] & missing), min(abs(at - place) for place in chosen))))
        missing -= family[chosen[-1]]
    return chosen


def mark_others(items):
    """Mark as exhaustive what the marks `members` leave out; what is exhaustive already is in no family."""
    families = defaultdict(list)
    for item in items:
        if item.get_closest_marker("members") and not item.get_closest_marker("exhaustive"):
            families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        values = [{(name, repr(value)) for name, value in item.callspec.params.items()} for item in family]
        chosen = some(values, *family[0].get_closest_marker("members").args)
        for place, item in enumerate(family):
            if place not in chosen:
                item.add_marker(pytest.mark.exhaustive)
