"""The log of a run has room for what the engine may write, whatever is asked of it."""

import numpy as np
import pytest

from hybridsim import Boundary, Model, Records, Simulation, State, Status
from hybridsim.engine.entry import log_capacity
from hybridsim.engine.log import event_capacity
from hybridsim.simulation import run_log

from gallery import OSCILLATOR, floor

SIZES = [(1, 1, 0), (3, 7, 0), (3, 7, 10**4), (5, 5, 10**5), (20, 8, 0)]
"""FIRST_STEPS, STEPS_PER_CALL and LARGE_LOG."""


@pytest.mark.parametrize("period", [None, 0.1])
@pytest.mark.parametrize("every_step", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_a_call_may_make_no_more_than_there_is_room_for(sizes, every_step, period, monkeypatch):
    for name, size in zip(("FIRST_STEPS", "STEPS_PER_CALL", "LARGE_LOG"), sizes, strict=True):
        monkeypatch.setattr(run_log, name, size)
    rng = np.random.default_rng(sum(sizes))
    log = Simulation(OSCILLATOR, record=every_step)._drive.logged
    counts = log._counts  # of rows and events, which are made up here
    monkeypatch.setattr(log, "empty", lambda hand_over=False: counts.fill(0))
    log.thin(period)
    for _ in range(500):
        wanted = int(rng.integers(0, sizes[1] + 1))
        budget = log.make_room(wanted)
        assert min(wanted, 1) <= budget <= wanted
        assert budget + counts.max() <= event_capacity(log.log) - log_capacity(0)
        assert len(log.log.t) == (event_capacity(log.log) if every_step else 0)
        assert log.machine.record is log.log
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


def sink(xdot, t, x, p, chart):
    xdot[0] = -1.0
