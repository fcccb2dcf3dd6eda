"""The plan and the summary of a sweep that are printed."""

from pathlib import Path

import pytest

from hybridsim.cli.console import show_outcome
from hybridsim.cli.console.sweeps import metric_text
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


def test_a_summary_counts_failures_by_their_causes_and_tells_how_to_look_at_one(printed):
    failures = [("LEFT_CHART", "it topples, in chart near", 2, 4), ("LEFT_CHART", "it falls, in chart far", 1, 6)]
    lines = printed(outcome(failures=failures))
    assert "             2 LEFT_CHART: it topples, in chart near, first row 4" in lines
    assert "             1 LEFT_CHART: it falls, in chart far, first row 6" in lines
    assert lines[-1].endswith("hybridsim sweep map.yaml --resume --keep-runs 4, to look at row 4")
    assert not any("3 LEFT_CHART" in line for line in lines)
    many = [("LEFT_CHART", f"cause {n}", 1, n) for n in range(9)]
    assert any("and 3 other causes of failure" in line for line in printed(outcome(failures=many)))
