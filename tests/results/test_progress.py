"""Progress of long work: for whom it is shown, and what it says."""

import numpy as np
import pytest
from rich.console import Console

import hybridsim
from hybridsim.results import progress as module
from hybridsim.results.progress import RowProgress, pace, rate_text, shown


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


def test_progress_is_for_terminals(capsys):
    with RowProgress(10) as progress:
        for finished in range(11):
            progress(finished, {"STOPPED": finished})
    assert capsys.readouterr() == ("", "")


def test_kept_runs_have_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(module, "BAR_DELAY", 0.0)
    with RowProgress(10) as progress:
        progress(10, {"STOPPED": 10})
        progress.kept(0, 4)
        progress.kept(3, 4)
    shown = capsys.readouterr().err
    assert "3 of 4 runs kept" in shown


def test_the_reason_why_a_sweep_waits_is_printed_once(capsys):
    with RowProgress(10) as progress:
        progress.waiting("no workers")
        progress.waiting("no workers")
    assert capsys.readouterr().err.split("\n") == ["note: no workers", ""]


@pytest.fixture
def at_once(monkeypatch):
    """Progress is shown without a delay, in a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(module, "BAR_DELAY", 0.0)
    monkeypatch.setattr(module, "LINE_PERIOD", 0.0)


def sweep(**keywords):
    return hybridsim.sweep("bouncing_ball", {"y": np.linspace(1.0, 2.0, 40)}, final_time=1.0, **keywords)


@pytest.mark.parametrize("progress", [None, False])
def test_a_sweep_in_python_is_silent_where_there_is_no_terminal(at_once, capsys, progress):
    sweep(progress=progress)
    assert capsys.readouterr() == ("", "")


def test_progress_that_is_asked_for_is_lines_where_there_is_no_terminal(at_once, capsys):
    sweep(progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert "40 of 40 runs" in lines[-1]
    assert any(" left" in line for line in lines)


def test_a_sweep_in_python_has_a_bar_on_a_terminal(at_once, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    sweep()
    assert "of 40 runs" in capsys.readouterr().err
    sweep(progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("widgets", [True, False])
def test_a_notebook_has_a_bar_where_there_are_widgets(widgets, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: object() if widgets else None)
    assert module.has_display(Console(force_jupyter=True)) == widgets
    assert not module.has_display(Console(force_jupyter=False, force_terminal=False))


def test_a_function_is_called_and_nothing_is_shown(at_once, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    calls = []
    sweep(progress=lambda done, statuses: calls.append((done, dict(statuses))))
    assert calls[-1] == (40, {"FINAL_TIME": 40})
    assert capsys.readouterr().err == ""


def test_lines_come_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(module, "LINE_PERIOD", 1e3)
    with shown(True, lambda: RowProgress(10)) as report:
        for finished in range(11):
            report(finished, {"STOPPED": finished})
    assert capsys.readouterr().err == ""
