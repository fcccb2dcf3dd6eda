import _thread

import numpy as np
import pytest

import hybridsim
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.results import hdf5
from hybridsim.sweeps import kept_runs, run_sweep
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.kept_runs import choose_rows
from hybridsim.sweeps.part_file import read_part


def rows_of(choice, n_rows, status="FINAL_TIME"):
    return np.flatnonzero(choice.among(np.arange(n_rows), np.full(n_rows, status, object))).tolist()


@pytest.mark.parametrize(
    ("wanted", "rows"),
    [
        ("0,17, 3-5", [0, 3, 4, 5, 17]),
        ("all", [*range(20)]),
        ([1, np.int64(2), range(4, 6), "7"], [1, 2, 4, 5, 7]),
        (3, [3]),
        ((), []),
        (range(0), []),
        (range(17, 3, -5), [7, 12, 17]),
        ([range(1, 20, 9), range(4)], [0, 1, 2, 3, 10, 19]),
    ],
)
def test_rows_are_chosen_by_number(wanted, rows):
    assert rows_of(choose_rows(wanted, 20), 20) == rows


def test_rows_are_chosen_by_how_they_ended():
    assert rows_of(choose_rows("LEFT_CHART", 5), 5, "LEFT_CHART") == [*range(5)]
    assert rows_of(choose_rows("LEFT_CHART", 5), 5, "ZENO") == []
    assert rows_of(choose_rows("failed,2", 5), 5, "ZENO") == [*range(5)]
    assert rows_of(choose_rows("failed,2", 5), 5, "STOPPED") == [2]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("20", r"'20': the sweep has the rows 0 to 19"),
        ("3-25", "the sweep has the rows 0 to 19"),
        (range(-1, 3), "the sweep has the rows 0 to 19"),
        ("5-3", "expected row numbers"),
        ("LEFT_CHRT", "did you mean `LEFT_CHART`"),
        ("left_chart", "did you mean `LEFT_CHART`"),
        ("", "'': expected row numbers"),
        (" ", "expected row numbers"),
        ("some", "expected row numbers"),
        ([1.5], r"1\.5: expected row numbers"),
        ([True], "expected row numbers"),
        ("-3", "expected row numbers"),
    ],
)
def test_other_choices_are_refused(wanted, message):
    with pytest.raises(ConfigError, match=message):
        choose_rows(wanted, 20)


def test_all_wrong_choices_are_reported_at_once():
    with pytest.raises(ConfigError) as refused:
        choose_rows("99,some,3", 20)
    assert len(refused.value.problems) == 2


def test_kept_runs_are_those_of_their_rows_to_the_last_bit(balls, tmp_path):
    outcome = run_sweep(balls(), tmp_path, keep_runs="0,7-8")
    assert [path.name for path in outcome.kept] == ["row-0000000.h5", "row-0000007.h5", "row-0000008.h5"]
    table = hybridsim.load_sweep(tmp_path).table.to_pydict()
    for row, path in zip((0, 7, 8), outcome.kept, strict=True):
        run = hybridsim.load_run(path)
        assert run.parameters["restitution"] == table["restitution"][row]
        assert run["y"][0] == table["y"][row]
        assert run.t[-1] == table["end"][row]
        assert run["y"].max() == table["top"][row]
        assert run.events.count("floor") == table["bounces"][row]
        assert hybridsim.verify(run).ok


def test_limits_that_vary_are_whole_numbers_in_kept_runs_too(balls, tmp_path):
    axes = {"max_steps": np.array([2, 5])}
    outcome = run_sweep(balls(axes=axes, metrics=["steps"], max_step=0.01), tmp_path, keep_runs="all")
    assert hybridsim.load_sweep(tmp_path).table["steps"].to_pylist() == [2, 5]
    assert [hybridsim.load_run(path).statistics["steps"] for path in outcome.kept] == [2, 5]


def test_only_parts_with_chosen_rows_are_read(balls, tmp_path, monkeypatch):
    run_sweep(balls(), tmp_path)
    read = []

    def watched(path):
        read.append(path.name)
        return read_part(path)

    monkeypatch.setattr(kept_runs, "read_part", watched)
    for wanted, firsts in (
        ("5", [4]),
        ("3-4", [0, 4]),
        ([range(3, 30, 24), range(9, 2, -20)], [0, 8, 24]),
        ((), []),
        ("LEFT_CHART", [*range(0, 30, 4)]),
    ):
        read.clear()
        run_sweep(balls(), tmp_path, resume=True, keep_runs=wanted)
        assert [int(name.split("-")[1]) for name in read] == firsts


def test_the_progress_of_kept_runs_is_reported(balls, tmp_path):
    class KeptProgress:
        def __init__(self):
            self.calls = []

        def __call__(self, finished, statuses):
            assert not self.calls

        def kept(self, done, chosen):
            self.calls.append((done, chosen))

    progress = KeptProgress()
    run_sweep(balls(), tmp_path, keep_runs="0,17,29", progress=progress)
    assert progress.calls == [(0, 3), (1, 3), (2, 3), (3, 3)]
    run_sweep(balls(), tmp_path / "without", progress=progress.__class__())


def test_runs_that_another_sweep_has_kept_are_not_this_ones(balls, tmp_path):
    first = run_sweep(balls(axes={"restitution": [0.5], "y": [2.0]}), tmp_path, keep_runs="0")
    assert hybridsim.load_run(first.kept[0]).parameters["restitution"] == 0.5
    (tmp_path / "_runs" / "notes.txt").write_text("mine")
    for part in tmp_path.glob("part-*"):
        part.unlink()
    second = run_sweep(balls(axes={"restitution": [0.9], "y": [2.0]}), tmp_path, keep_runs="0")
    assert second.kept == first.kept
    assert hybridsim.load_run(second.kept[0]).parameters["restitution"] == 0.9
    assert (tmp_path / "_runs" / "notes.txt").exists()


def test_kept_runs_are_whole_even_where_single_runs_record_only_events(balls, tmp_path):
    outcome = run_sweep(balls(record=False), tmp_path, keep_runs=[0])
    assert hybridsim.load_run(outcome.kept[0]).extension is not None


def test_kept_runs_are_invisible_to_readers_of_the_table_and_made_once(balls, tmp_path):
    first = run_sweep(balls(), tmp_path, keep_runs="3")
    stamp = first.kept[0].stat().st_mtime_ns
    again = run_sweep(balls(), tmp_path, keep_runs="3,4", resume=True)
    assert again.computed == 0
    assert [path.name for path in again.kept] == ["row-0000003.h5", "row-0000004.h5"]
    assert again.kept[0].stat().st_mtime_ns == stamp
    assert hybridsim.load_sweep(tmp_path).table.num_rows == 30


def test_failed_runs_can_be_kept_but_for_those_that_cannot_begin(tmp_path):
    config = hybridsim.config.sweep.sweep_from_keywords(
        "bouncing_ball", {"y": [-1.0, 1.0, 1e-6]}, final_time=3.0, max_transitions=2, zeno_precision=0.0
    )
    outcome = run_sweep(config, tmp_path, keep_runs="failed")
    assert outcome.statuses == {"OUTSIDE_CHART": 1, "TOO_MANY_TRANSITIONS": 2}
    assert [path.name for path in outcome.kept] == ["row-0000001.h5", "row-0000002.h5"]
    assert "row 0: no run to keep: bouncing_ball: initial state: boundary floor is negative" in outcome.notes[0]


def test_wrong_choices_are_refused_before_anything_is_computed(balls, tmp_path, use_runner):
    use_runner(None)
    with pytest.raises(ConfigError, match="rows 0 to 29"):
        run_sweep(balls(), tmp_path / "new", keep_runs="30")
    assert not (tmp_path / "new").exists()


def test_a_run_that_ends_in_another_way_than_its_row_is_an_error(balls, tmp_path, use_runner):
    class Wrong(BatchRunner):
        def run(self, values, stop):
            results = super().run(values, stop)
            return results | {"status": np.full(len(results["status"]), "CASCADE", object)}

    use_runner(Wrong)
    with pytest.raises(SimulationError, match="row 29: ended with CASCADE in the sweep, and with FINAL_TIME"):
        run_sweep(balls(), tmp_path, keep_runs=[29])


def test_ctrl_c_while_runs_are_kept_leaves_whole_files(balls, tmp_path, monkeypatch):
    write = hdf5.write_run

    def interrupted(path, run):
        write(path, run)
        if path.name == "row-0000004.h5":
            _thread.interrupt_main()

    monkeypatch.setattr(hdf5, "write_run", interrupted)
    outcome = run_sweep(balls(), tmp_path, keep_runs="all")
    assert outcome.interrupted
    assert outcome.finished == 30
    monkeypatch.setattr(hdf5, "write_run", write)
    outcome = run_sweep(balls(), tmp_path, keep_runs="all", resume=True)
    assert not outcome.interrupted
    assert len(outcome.kept) == len([*(tmp_path / "_runs").iterdir()]) == 30


def test_a_status_that_no_row_has_is_noted(balls, tmp_path):
    outcome = run_sweep(balls(final_time=0.1), tmp_path, keep_runs="0,ZENO,FINAL_TIME,failed")  # all are in free fall
    assert outcome.notes == ("keep_runs: no row ended with ZENO", "keep_runs: no row failed")
