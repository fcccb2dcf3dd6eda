"""The plan, the progress and the summary of a sweep that are printed."""

from pathlib import Path

import pytest

from hybridsim.cli.console import SweepProgress, show_outcome, sweeps
from hybridsim.cli.console.sweeps import metric_text, pace, rate_text
from hybridsim.config.sweep.metrics import Metric
from hybridsim.sweeps import Outcome


def outcome(**changes):
    usual = {"rows": 10, "finished": 10, "computed": 10, "statuses": {"STOPPED": 7, "LEFT_CHART": 3}}
    return Outcome(**{**usual, "wall_time": 0.5, "folder": Path("runs/map"), "interrupted": False, **changes})


@pytest.fixture
def printed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def lines(result):
        show_outcome("slip", result, "hybridsim sweep map.yaml --resume")
        return [line.rstrip() for line in capsys.readouterr().out.splitlines()]

    return lines


def test_a_summary_names_the_statuses_and_what_to_type_next(printed):
    lines = printed(outcome())
    assert lines[0].split() == ["model", "slip"]
    assert lines[1].split() == ["runs", "10"]
    assert lines[2].strip() == "7 STOPPED: reached a stop that was asked for"
    assert lines[3].strip().startswith("3 LEFT_CHART: the state left its chart")
    assert "0.5 s, 20 runs/s" in lines[4]
    assert lines[-1].split(maxsplit=1) == ["next", "hybridsim plot runs/map"]


def test_a_summary_of_an_unfinished_sweep_prints_how_to_continue(printed):
    lines = printed(outcome(finished=6, computed=2, interrupted=True))
    assert lines[1].split(maxsplit=1) == ["runs", "6 of 10, 2 of them now"]
    assert lines[-1].split(maxsplit=1) == ["next", "hybridsim sweep map.yaml --resume"]


def test_nothing_computed_has_no_rate(printed):
    assert not any("runs/s" in line for line in printed(outcome(computed=0, wall_time=0.0)))


def test_the_pace_counts_what_was_computed_in_this_session():
    text = pace(5_000, 10_000, computed=1_000, elapsed=0.5, statuses={"ZENO": 1, "STOPPED": 4_999})
    assert text == "5,000 of 10,000 runs, 2,000 runs/s, 3 s left\n4,999 STOPPED, 1 ZENO"
    assert pace(0, 10, computed=0, elapsed=0.0, statuses={}) == "0 of 10 runs"


@pytest.mark.parametrize(("seconds", "text"), [(59, "59 s"), (60, "1:00 min"), (3_725, "1:02 h"), (0.2, "1 s")])
def test_the_time_left_is_readable(seconds, text):
    assert f", {text} left" in pace(1, 2, computed=1, elapsed=seconds, statuses={})


def test_slow_sweeps_have_a_rate_too():
    assert rate_text(0.25) == "0.25 runs/s"
    assert rate_text(17_312.0) == "17,312 runs/s"


@pytest.mark.parametrize(
    ("kind", "of", "number", "text"),
    [
        ("status", "", 0, "status"),
        ("count", "floor", 0, "count(floor)"),
        ("time", "floor", 5, "time(floor, 5)"),
        ("at", "floor", 5, "at(floor, 5, y)"),
        ("mean", "y", 0, "mean(y)"),
        ("statistic", "steps", 0, "steps"),
    ],
)
def test_a_metric_is_shown_as_it_is_written(kind, of, number, text):
    quantity = "y" if kind in ("at", "mean") else ""
    assert metric_text(Metric("column", kind, of, number, "", quantity)) == text


def test_progress_is_for_terminals(capsys):
    with SweepProgress(10) as progress:
        for finished in range(11):
            progress(finished, {"STOPPED": finished})
    assert capsys.readouterr() == ("", "")


def test_kept_runs_have_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sweeps, "PROGRESS_DELAY", 0.0)
    with SweepProgress(10) as progress:
        progress(10, {"STOPPED": 10})
        progress.kept(0, 4)
        progress.kept(3, 4)
    shown = capsys.readouterr().err
    assert "3 of 4 runs kept" in shown


def test_the_reason_why_a_sweep_waits_is_printed_once(capsys):
    with SweepProgress(10) as progress:
        progress.waiting("no workers")
        progress.waiting("no workers")
    assert capsys.readouterr().err.split("\n") == ["note: no workers", ""]
