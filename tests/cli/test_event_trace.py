"""`hybridsim run --events` prints a line for each event."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_run
from hybridsim.simulation import run_log

CONFIGS = Path(__file__).parents[2] / "configs"
LINE = re.compile(r"t = (\S+) s\s+(\S.*?)  +(\S.*)")


def trace_in(text):
    """The time, the boundaries and the charts of each line that is one of the trace."""
    return [found.groups() for found in map(LINE.fullmatch, text.splitlines()) if found]


def test_each_event_is_a_line_in_order(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "--events")
    assert outcome.code == 0
    trace = trace_in(outcome.out)
    assert {line[1:] for line in trace} == {("floor", "flight -> flight")}
    # touches the floor at t1 (1 + e - 2 e^n) / (1 - e), n = 1, 2, ..., with t1 = sqrt(2 h / g) and e = 0.5
    exact = np.sqrt(2 / 9.81) * (1 + 0.5 - 2 * 0.5 ** np.arange(1, 5)) / (1 - 0.5)
    exact = exact[exact <= 1.0]
    assert len(trace) == len(exact)
    np.testing.assert_allclose([float(time) for time, *_ in trace], exact, rtol=1e-8)
    assert "reached the final time" in outcome.out


@pytest.mark.parametrize("steps_per_call", [1, 2, 7, 16384])
def test_no_event_is_reported_twice_or_left_out(monkeypatch, steps_per_call):
    monkeypatch.setattr(run_log, "FIRST_STEPS", min(steps_per_call, run_log.FIRST_STEPS))
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", steps_per_call)
    monkeypatch.setattr(run_log, "LARGE_LOG", 0)
    reported = []
    simulation = Simulation("slip", final_time=3.0)
    run = simulation.run(on_events=reported.extend)
    assert len(run.events) > 10
    assert [(event.t, event.j, event.boundaries) for event in reported] == [
        (event.t, event.j, event.boundaries) for event in run.events
    ]


def test_of_charts_made_of_fields_those_that_change_are_shown(hybridsim, tmp_path):
    (tmp_path / "lamps.py").write_text("""
from hybridsim.model import Boundary, Model, Records, State

STATES = Records(State("s"))
BOUNDARIES = Records(Boundary("on"), Boundary("off"))

def vector_field(dx, t, x, p, chart):
    dx[0] = 1.0

def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[0] if chart == 2 else 1.0
    g[1] = 2.0 - x[0] if chart == 3 else 1.0

def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = x[0]
    return chart + 1 if crossed[0] else chart - 2

MODEL = Model(
    "lamps", STATES, vector_field=vector_field, boundaries=boundaries, transition=transition,
    boundary_records=BOUNDARIES, chart_fields={"left": 1, "right": 1},
)
""")
    outcome = hybridsim("run", "lamps.py", "final_time=3", "initial_chart=2", "--events", "output.formats=[csv]")
    assert outcome.code == 0, outcome.err
    assert trace_in(outcome.out) == [("1", "on", "left=0 -> 1"), ("2", "off", "right=1 -> 0")]


def test_both_charts_of_a_slide_are_shown(hybridsim):
    outcome = hybridsim("run", str(CONFIGS / "basics" / "dry_friction.yaml"), "--events")
    run = load_run("dry_friction.h5")
    slides = [line for line in trace_in(outcome.out) if "(entry)" in line[1]]
    assert len(slides) == run.events.kind.count("entry") > 0
    assert all("|" in charts.partition(" -> ")[2] for *_, charts in slides)


@pytest.mark.exhaustive  # output that cannot be written is in `test_exit_codes`
def test_a_reader_that_stops_reading_costs_no_file(ball):
    command = [sys.executable, "-m", "hybridsim", "run", "ball.yaml", "--events", "initial.y=1e-3", "final_time=0.04"]
    process = subprocess.Popen(command, cwd=ball, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    error = process.stderr.read()
    process.wait(timeout=240)
    process.stderr.close()
    assert "Traceback" not in error
    assert load_run(ball / "ball.h5").t[-1] == 0.04


@pytest.mark.parametrize("shown", [["--view"], ["--web"], ["--record", "ball.png"]])
def test_events_are_not_printed_of_a_run_that_is_shown(hybridsim, ball, shown):
    outcome = hybridsim("run", "ball.yaml", "--events", *shown)
    assert outcome.code == 2
    assert "--events" in outcome.err
    assert "leave out" in outcome.err
