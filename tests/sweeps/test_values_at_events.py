"""Metrics at events against the rows of a recorded run, which are on both sides of every jump."""

import collections

import numpy as np
import pytest

import hybridsim


@pytest.mark.parametrize(
    ("begin", "method", "rtol"), [(0.0, "dp5", 1e-8), (1e3, "dp5", 1e-8), (0.0, "tsit5", 1e-5), (1e6, "dop853", 1e-9)]
)
def test_values_at_events_are_those_of_the_recorded_rows_on_both_sides_also_of_slides(begin, method, rtol):
    keywords = {"parameters": {"belt": 0.2}, "initial_time": begin, "final_time": begin + 20.0, "method": method}
    run = hybridsim.simulate("dry_friction", **keywords, rtol=rtol)
    assert {"entry", "exit"} <= {event.kind for event in run.events}
    seen = collections.Counter()
    for event in run.events:
        rows = np.flatnonzero(run.t == event.t)
        (boundary,) = event.boundaries
        seen[boundary] += 1
        metrics = {side: f"{side}({boundary}, {seen[boundary]}, friction_force)" for side in ("at", "after")}
        table = hybridsim.sweep("dry_friction", {"rtol": [rtol]}, metrics, **keywords)
        expected = run["friction_force"][rows[[0, -1]]]
        np.testing.assert_allclose([table["at"][0].as_py(), table["after"][0].as_py()], expected, rtol=0.0, atol=1e-9)
