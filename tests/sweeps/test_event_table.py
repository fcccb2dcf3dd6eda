"""The table of events beside the table of runs: its rows, its files, and what becomes of them."""

import numpy as np
import pandas
import pytest

import hybridsim
from hybridsim.errors import ConfigError
from hybridsim.sweeps import load_sweep

AXES = {"restitution": [0.0, 0.5, 0.9], "y": [0.5, 1.0, 2.0]}
METRICS = {
    "hit": "last(floor, 3, v)",
    "up": "last_after(floor, 2, v)",
    "when": "last(floor, 3, t)",
    "first": "at(floor, 1, v)",
    "per_second": "count(floor) / final(t)",
}
KEYWORDS = {"final_time": 1.2, "block": 2}


def sweep(**keywords):
    return hybridsim.sweep("bouncing_ball", AXES, METRICS, **KEYWORDS | keywords)


def test_each_of_the_last_events_has_a_row_with_its_run_its_axes_and_its_number():
    table = sweep(events=True)
    assert table.column_names == ["row", "restitution", "y", "boundary", "event", "hit", "up", "when"]
    assert table.schema.field("hit").metadata == {b"unit": b"m/s"}
    for row in range(9):
        e, y = AXES["restitution"][row // 3], AXES["y"][row % 3]
        run = hybridsim.simulate(
            "bouncing_ball", parameters={"restitution": e}, initial={"y": y}, final_time=KEYWORDS["final_time"]
        )
        bounces = [event for event in run.events if "floor" in event.boundaries]
        rows = table.filter(np.asarray(table["row"]) == row).to_pylist()
        assert [each["event"] for each in rows] == [*range(1, len(bounces) + 1)][-3:]
        assert [each["when"] for each in rows] == [event.t for event in bounces][-3:]
        assert [each["hit"] for each in rows] == [event.x_before[1] for event in bounces][-3:]
        after = [event.x_after[1] for event in bounces][-3:]
        assert [each["up"] for each in rows] == [None] * (len(after) - 2) + after[-2:]
        assert all((each["restitution"], each["y"], each["boundary"]) == (e, y, "floor") for each in rows)


def test_the_table_of_runs_counts_the_events_and_has_null_where_there_is_no_number(tmp_path):
    table = hybridsim.sweep("bouncing_ball", {"y": [0.5, 9.0]}, METRICS, **KEYWORDS)
    assert table.column_names == ["row", "y", "status", "first", "per_second", "count(floor)"]
    assert table["first"].to_pylist()[1] is None
    assert table["count(floor)"].to_pylist()[1] == 0
    assert table["per_second"].to_pylist()[1] == 0.0


def test_boundaries_have_rows_of_their_own():
    table = hybridsim.sweep(
        "slip",
        {"k": [2e4]},
        {"high": "last(apex, 2, y)", "low": "last(bottom, 1, y)", "also": "last(apex, 1, xdot)"},
        final_time=3.0,
        events=True,
    )
    assert table["boundary"].to_pylist() == ["apex", "apex", "bottom"]
    assert [value is None for value in table["low"].to_pylist()] == [True, True, False]
    assert [value is None for value in table["high"].to_pylist()] == [False, False, True]
    assert [value is None for value in table["also"].to_pylist()] == [True, False, True]


def test_a_folder_holds_the_same_tables_and_readers_of_parquet_read_both(tmp_path):
    assert sweep(folder=tmp_path / "s", events=True).equals(sweep(events=True))
    read = load_sweep(tmp_path / "s")
    assert read.table.equals(sweep())
    assert pandas.read_parquet(tmp_path / "s").shape == (9, read.table.num_columns)
    assert len(pandas.read_parquet(tmp_path / "s" / "_events")) == read.events.num_rows


@pytest.mark.parametrize("harm", ["removed", "damaged"])
def test_a_part_of_the_events_that_is_lost_is_computed_again(tmp_path, harm):
    whole = sweep(folder=tmp_path / "s", events=True)
    part = sorted((tmp_path / "s" / "_events").iterdir())[1]
    part.unlink() if harm == "removed" else part.write_bytes(part.read_bytes()[:-20])
    assert sweep(folder=tmp_path / "s", events=True, resume=True).equals(whole)


def test_a_sweep_that_begins_anew_removes_the_events_of_an_earlier_one(tmp_path):
    sweep(folder=tmp_path / "s")
    for part in (tmp_path / "s").glob("part-*"):
        part.unlink()
    hybridsim.sweep("bouncing_ball", AXES, ["final(y)"], folder=tmp_path / "s", **KEYWORDS)
    assert load_sweep(tmp_path / "s").events is None


def test_from_belongs_to_the_plan_of_a_folder(tmp_path):
    sweep(folder=tmp_path / "s", from_="half")
    with pytest.raises(ConfigError, match=r"made with another from: it was '50\.0 %' and is missing now"):
        sweep(folder=tmp_path / "s", resume=True)


def test_events_are_refused_where_no_metric_has_any():
    with pytest.raises(ConfigError, match=r"events: no metric has rows for events; add a metric last\(BOUNDARY, k, Q"):
        hybridsim.sweep("bouncing_ball", AXES, ["final(y)"], events=True, **KEYWORDS)


def test_an_evaluator_returns_the_values_of_a_run_as_an_array():
    evaluator = hybridsim.Evaluator("bouncing_ball", ["y"], METRICS, final_time=1.2)
    single, several = evaluator([0.5]), evaluator({"y": [0.5, 9.0]})
    assert single["hit"].shape == (3,)
    np.testing.assert_array_equal(several["hit"], [single["hit"], [np.nan] * 3])
