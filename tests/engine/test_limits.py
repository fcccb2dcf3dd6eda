"""Runs that end at a limit: of steps, of computing time, or because the user interrupts them."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from hybridsim import Simulation, Status, simulate
from hybridsim.engine.compiler.options import JIT

from waiting import next_line


@pytest.mark.parametrize("limit", [1, 100, 17_000])  # the last one is longer than a chunk
def test_a_run_makes_max_steps_and_no_more_and_they_are_those_of_a_longer_run(limit):
    settings = {"final_time": 1.0, "max_step": 1e-5, "record": False}
    run = simulate("bouncing_ball", max_steps=limit, **settings)
    assert run.status is Status.TOO_MANY_STEPS
    assert "max_steps" in run.message
    assert run.statistics["steps"] == limit
    longer = Simulation("bouncing_ball", **settings)
    longer.advance(run.t[-1])
    assert longer._drive.engine_state.steps == limit
    np.testing.assert_array_equal(longer.x, run.x[-1])


def test_a_run_that_needs_no_more_than_max_steps_ends_as_without():
    needed = simulate("slip", final_time=2.0).statistics["steps"]
    assert simulate("slip", final_time=2.0, max_steps=needed).status is Status.FINAL_TIME


def test_a_run_ends_when_its_wall_time_is_used_up():
    began = time.perf_counter()
    run = simulate("bilinear_oscillator", final_time=1e9, max_wall_time=0.05, max_transitions=10**12, record=False)
    assert run.status is Status.WALL_TIME
    assert "max_wall_time" in run.message
    assert 0.05 < run.statistics["wall_time"] < time.perf_counter() - began
    assert run.t[-1] > 0.0


def test_loading_the_engine_uses_up_no_wall_time():
    assert Simulation("bouncing_ball", max_wall_time=1e-9).status is Status.UNFINISHED


def test_ctrl_c_in_a_progress_callback_keeps_what_was_computed(monkeypatch):
    monkeypatch.setattr("hybridsim.simulation.run_log.FIRST_STEPS", 100)
    monkeypatch.setattr("hybridsim.simulation.run_log.STEPS_PER_CALL", 100)
    seen = []

    def progress(t):
        seen.append(t)
        if len(seen) == 2:
            raise KeyboardInterrupt

    run = Simulation("bilinear_oscillator", final_time=1e6).run(progress)
    assert run.status is Status.INTERRUPTED
    assert "interrupted" in run.message
    assert run.t[-1] == seen[-1]
    whole = simulate("bilinear_oscillator", final_time=seen[-1] + 1.0)
    np.testing.assert_array_equal(run.x[:-1], whole.x[: len(run.t) - 1])


INTERRUPTED = """
import numpy as np
from hybridsim import Simulation
sim = Simulation("bilinear_oscillator", final_time=1e9, max_transitions=10**12)
print("running", flush=True)
try:
    sim.{call}
except KeyboardInterrupt:
    pass
run = sim.result()
step, width = run.step[:-1], np.diff(run.t)
print(run.status.name, np.all(width <= step * (1 + 1e-9)), np.all(np.diff(run.j)[step == 0.0] == 1), len(run.t) > 1000)
"""


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="only compiled chunks are never interrupted")
@pytest.mark.parametrize(("call", "status"), [("run()", "INTERRUPTED"), ("advance(1e9)", "UNFINISHED")])
def test_ctrl_c_loses_no_step(call, status, tmp_path):
    """Every row but the last and those before a jump begins a step, and none of these leaves a gap to the next row."""
    command = [sys.executable, "-c", INTERRUPTED.format(call=call)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert next_line(process.stdout) == "running\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out.split() == [status, "True", "True", "True"]
