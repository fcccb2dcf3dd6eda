"""The summary after a run has lines for what happened in it, and none for what did not."""

import math
from pathlib import Path

import pytest

from hybridsim import Boundary, Model, State, Status, simulate
from hybridsim.cli.console import show_summary

from gallery import unit_slope

DIP = Path(__file__).parents[2] / "scorecard" / "models" / "dip.py"


@pytest.fixture
def summary(capsys):
    """The summary of a run as a dictionary from names to texts."""

    def lines(run):
        show_summary(run, [])
        return dict(line.rstrip().split(maxsplit=1) for line in capsys.readouterr().out.splitlines())

    return lines


def test_a_run_without_events_lists_no_events(summary):
    shown = summary(simulate("bouncing_ball", final_time=0.1))
    assert shown["events"] == "none"
    assert not shown.keys() & {"touches", "slides", "rest", "cycles"}


def test_the_end_is_told_in_the_words_of_the_config(capsys):
    run = simulate("slip", final_time=5.0, max_transitions=3)
    for config, word in (
        (Path("run.rc"), "maxChartCount"),
        (Path("run.yaml"), "max_transitions"),
        (None, "max_transi"),
    ):
        show_summary(run, [], (), config)
        assert word in capsys.readouterr().out


def test_a_touch_is_neither_a_crossing_nor_declined(summary):
    """A throw at 10 m/s with g = 10 m/s2 comes to 5 m, 10 cm below the level."""
    parameters = {"gravity": 10.0, "level": 5.1}
    shown = summary(simulate("projectile", parameters=parameters, final_time=2.0, touch_precision=0.2))
    assert shown["touches"] == "1 rises"
    assert not shown.keys() & {"events", "slides", "rest", "cycles"}


def test_declined_crossings_are_counted_among_the_others(summary):
    shown = summary(simulate(DIP, parameters={"lowest": -1e-4}, final_time=2.0))
    assert shown["events"] == "1 dip, 1 of them declined"
    assert "touches" not in shown


def test_slides_are_counted_with_their_charts_and_the_time_they_take(summary):
    """It swings for 2 pi seconds, and friction holds it from then on."""
    shown = summary(simulate("dry_friction", final_time=10.0))
    assert shown["events"] == "1 speeds_up"
    assert shown["slides"] == f"1 faster|slower, {10.0 - 2.0 * math.pi:.4g} s in all"


def test_the_time_of_slides_does_not_depend_on_what_is_recorded(summary):
    intervals = [summary(simulate("dry_friction", final_time=10.0, record=record))["slides"] for record in (0.3, False)]
    assert intervals == [f"1 faster|slower, {10.0 - 2.0 * math.pi:.4g} s in all"] * 2


def test_where_bounces_end_at_rest_is_listed_apart_from_crossings(summary):
    """Half of the speed is kept: the bounces end after (1 + 1/2) / (1 - 1/2) = 3 times the first fall from 1 m."""
    run = simulate("table_ball", final_time=2.0)
    shown = summary(run)
    assert shown["rest"] == f"table at t = {3.0 * math.sqrt(2.0 / 9.81):.9g} s"
    assert shown["events"] == f"{len(run.events) - 1} table"
    assert "cycles" not in shown


def test_an_accumulation_that_ends_the_run_is_no_rest(summary):
    run = simulate("bouncing_ball", parameters={"restitution": 0.5}, final_time=2.0)
    assert run.status is Status.ZENO
    assert "rest" not in summary(run)


def test_cycles_are_returns_to_the_first_chart(summary):
    shown = summary(simulate("projectile", final_time=2.0))
    assert shown["events"] == "1 rises, 1 falls"
    assert shown["cycles"] == "1 returns to below"


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("n", "lines"),
    [
        (3, ["events       5 tick0, 2 tick1, 1 tick2"]),
        (4, ["events       9 tick0 ... tick3 (5, 2, 1, 1)"]),
        (9, ["events       10 tick0 ... tick8 (5 tick0, 2 tick1, 1 tick2, 1 tick3, 1 tick4)"]),
    ],
)
def test_a_long_family_of_boundaries_is_one_entry(capsys, n, lines):
    """The i-th clock strikes at each multiple of (i + 1) fifths of a second that lies within 1.1 s: 5, 2, 1 and 1."""

    def boundaries(g, t, x, p, chart):
        for i in range(n):
            g[i] = 0.2 * (i + 1) * (x[1 + i] + 1.0) - x[0]

    def transition(x_new, t, x, p, chart, crossed):
        for i in range(n):
            if crossed[i]:
                x_new[1 + i] = x[1 + i] + 1.0
        return chart

    clocks = Model(
        "clocks",
        [State("x"), *(State(f"struck{i}", continuous=False) for i in range(n))],
        vector_field=unit_slope,
        boundaries=boundaries,
        transition=transition,
        boundary_records=[Boundary(f"tick{i}", degree=1) for i in range(n)],
    )
    show_summary(simulate(clocks, final_time=1.1), [])
    shown = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in shown if "tick" in line] == lines
