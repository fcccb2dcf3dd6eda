"""Metrics at events against the rows of a recorded run, which are on both sides of every jump."""

import collections

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

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


def test_null_is_where_there_is_no_value_and_nan_where_it_is_not_a_number(tmp_path):
    """Of two balls one does not reach the floor; in the table of events, the value of an event is never null."""
    extra = tmp_path / "extra.py"
    extra.write_text("import math\n\ndef undefined(t, x, p, chart):\n    return math.inf - math.inf\n")
    metrics = {
        "time": "time(floor, 1)",
        "at": "at(floor, 1, v)",
        "at_undefined": "at(floor, 1, undefined)",
        "ratio": "final(y) / count(floor)",
        "none": "final(y) - at(floor, 1, y)",
        "mean": "mean(undefined)",
        "final": "final(undefined)",
        "last": "last(floor, 1, undefined)",
    }
    hybridsim.sweep(
        "bouncing_ball",
        {"initial.y": [1.0, 1000.0]},
        metrics,
        extra_outputs=extra,
        final_time=0.6,
        folder=tmp_path / "sweep",
    )
    found = hybridsim.load_sweep(tmp_path / "sweep")
    assert np.isinf(found.table["ratio"].to_numpy()).tolist() == [False, True]
    nulls = {name: found.table[name].is_null().to_pylist() for name in metrics if name != "last"}
    falls = {
        "time": [False, True],
        "at": [False, True],
        "at_undefined": [True, True],
        "ratio": [False, False],
        "none": [False, True],
    }
    assert nulls == falls | {"mean": [False, False], "final": [False, False]}
    assert np.isnan(found.table["mean"].to_pylist()).all()
    (last,) = found.events["last"].to_pylist()
    assert np.isnan(last)
    written = pa.BufferOutputStream()
    csv.write_csv(found.table.select(["time", "at_undefined", "mean"]), written)
    assert written.getvalue().to_pybytes().decode().splitlines()[2] == ",,nan"
