"""The log of a run has room for what the engine may write, whatever is asked of it."""

import contextlib
import math
import sys

import numpy as np
import pytest

from hybridsim import Boundary, Model, Records, Simulation, State, Status, simulate
from hybridsim.engine.log import event_capacity
from hybridsim.simulation import run_log

from gallery import OSCILLATOR, clock, floor

SIZES = [(1, 1, 0), (3, 7, 0), (3, 7, 10**4), (5, 5, 10**5), (20, 8, 0)]
"""FIRST_STEPS, STEPS_PER_CALL and LARGE_LOG."""


@pytest.mark.parametrize("period", [None, 0.1])
@pytest.mark.parametrize("every_step", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_a_call_may_make_no_more_than_there_is_room_for(sizes, every_step, period, monkeypatch):
    for name, size in zip(("FIRST_STEPS", "STEPS_PER_CALL", "LARGE_LOG"), sizes, strict=True):
        monkeypatch.setattr(run_log, name, size)
    rng = np.random.default_rng(sum(sizes))
    log = Simulation("bouncing_ball", record=every_step)._drive.logged
    counts = np.asarray(log._counts)  # of rows and events, which are made up here
    monkeypatch.setattr(log, "_read_log", lambda copied=True: (None, None))
    log.thin(period)
    for _ in range(500):
        wanted = int(rng.integers(0, sizes[1] + 1))
        budget = log.make_room(wanted)
        assert min(wanted, 1) <= budget <= wanted
        assert budget + counts.max() <= event_capacity(log._log) - log._spare
        assert len(log._log.t) == (event_capacity(log._log) if every_step else 0)
        assert log.machine.record is log._log
        steps = int(rng.integers(0, budget + 1))
        at_one_instant = 900 * int(rng.random() < 0.05)  # after these jumps only the call ends
        counts += np.array([steps * every_step, budget - steps + 1]) + at_one_instant


def test_many_calls_that_end_with_hundreds_of_jumps_fit_into_the_log():
    """Each call may make a thousand jumps more than it is allowed, of the instant at which it ends."""

    def transition(x_new, t, x, p, chart, crossed):
        x_new[1] = x[1] + 1.0
        if x[1] % 900.0 == 899.0:
            x_new[0] = 1.0
        return 0

    model = Model(
        "hail",
        Records(State("h", 1.0), State("n", continuous=False)),
        vector_field=sink,
        boundaries=floor,
        transition=transition,
        boundary_records=Records(Boundary("floor", degree=1)),
    )
    simulation = Simulation(model, final_time=60.0, max_transitions=10**6)
    while simulation.status is Status.UNFINISHED:
        simulation.advance(simulation.t + 0.5, budget=3)
    run = simulation.result()
    assert run.status is Status.FINAL_TIME
    assert len(run.events) >= 50 * 900
    assert np.all(np.diff(run.j) >= 0)
    assert np.all(np.diff(run.t) >= 0.0)


@pytest.mark.members(1)
@pytest.mark.parametrize("record", [False, 0.1, True])
def test_logs_of_their_real_sizes_are_never_too_small(record):
    """More steps than one call may make, and more events, in logs that have grown."""

    def boundaries(g, t, x, p, chart):
        g[0] = math.floor(t + 1.0) - t if t % 1.0 < 1.0 - 1e-9 else math.floor(t + 1e-9) + 1.0 - t

    model = clock(boundaries, Boundary("second", time=True))
    run = simulate(model, final_time=40_000.5, method="rk4", first_step=1.0, record=record, max_transitions=10**6)
    assert run.status is Status.FINAL_TIME
    assert len(run.events) == 40_000
    np.testing.assert_array_equal(run.events.t, np.arange(1.0, 40_001.0))
    assert np.all(np.diff(run.j) >= 0)
    np.testing.assert_allclose(run.x[:, 0], run.t, rtol=1e-12)
    assert set(run.chart.tolist()) == {0}
    assert set(run.adjacent_chart.tolist()) == {-1}


class Interruption:
    """A trace function that raises KeyboardInterrupt at the n-th line that is executed in the module."""

    def __init__(self, line):
        self.left = line

    def __call__(self, frame, event, _):
        if frame.f_code.co_filename != run_log.__file__:
            return None
        self.left -= event == "line"
        if event == "line" and self.left == 0:
            raise KeyboardInterrupt
        return self


def advanced_in_pieces(simulation, with_looks, trace=None):
    """Advance to 2 s, in steps and with looks at the run, and go on after each interruption; returns the result."""
    before = sys.gettrace()
    sys.settrace(trace or before)
    try:
        while simulation.t < 2.0 and simulation.status is Status.UNFINISHED:
            with contextlib.suppress(KeyboardInterrupt):
                simulation.advance(min(simulation.t + 0.17, 2.0), budget=4)
            with contextlib.suppress(KeyboardInterrupt):
                if with_looks:
                    simulation._drive.logged.final_chunks(0)
    finally:
        sys.settrace(before)
    return simulation.result()


@pytest.mark.members(1)
@pytest.mark.parametrize("most", [150, pytest.param(10**6, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("with_looks", [False, True])
@pytest.mark.parametrize("model", [OSCILLATOR, "slip"], ids=["with inputs", "with events"])
def test_an_interruption_at_any_line_loses_nothing_and_changes_nothing(model, with_looks, most, monkeypatch):
    for name, size in zip(("FIRST_STEPS", "STEPS_PER_CALL", "LARGE_LOG"), (3, 7, 0), strict=True):
        monkeypatch.setattr(run_log, name, size)
    counting = Interruption(0)
    whole = advanced_in_pieces(Simulation(model, final_time=3.0), with_looks, counting)
    lines = -counting.left
    for line in range(1, lines, lines // most + 1):
        part = advanced_in_pieces(Simulation(model, final_time=3.0), with_looks, Interruption(line))
        np.testing.assert_array_equal(part.t, whole.t)
        np.testing.assert_array_equal(part.x, whole.x)
        np.testing.assert_array_equal(part.extension, whole.extension)
        np.testing.assert_array_equal(part.events.t, whole.events.t)


def test_the_result_of_a_run_is_what_it_returned():
    simulation = Simulation(OSCILLATOR, final_time=1.0)
    run = simulation.run()
    assert simulation.result() is run
    assert simulation.run() is run
    x = run.x.copy()
    del run
    np.testing.assert_array_equal(simulation.result().x, x)  # made again


def sink(xdot, t, x, p, chart):
    xdot[0] = -1.0
