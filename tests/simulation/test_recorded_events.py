"""`record.events`: all events, none, those of some kinds, or every n-th; the run is the same."""

import numpy as np
import pytest

from hybridsim import (
    ConfigError,
    Model,
    Records,
    Simulation,
    SimulationError,
    State,
    Status,
    load_run,
    sensitivity,
    simulate,
    verify,
)
from hybridsim.simulation import run_log

from gallery import falling, keep_chart, stand_still

WANTED = ["all", "none", ["touch"], ["crossing"], ["touch", "entry"], 1, 3, 10**6]
RECORDS = [{"steps": False}, {}, {"period": 0.05}]


def bouncing(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = 0.0, 4.0
    return chart


BALL = falling(bouncing)


def kept(events, wanted):
    """The numbers of the events that a record should have."""
    if isinstance(wanted, int):
        return [*range(wanted - 1, len(events), wanted)]
    kinds = {"all": ["crossing", "touch"], "none": []}.get(wanted, wanted) if isinstance(wanted, str) else wanted
    return [number for number, event in enumerate(events) if event.kind in kinds]


def record_of(simulation, way):
    if way == "run":
        return simulation.run()
    for t in np.arange(0.5, 30.1, 0.5):
        simulation.advance(t, **({"budget": 7} if way == "budget" else {}))
        if way == "streamed":
            simulation.chunks()
    return simulation.run() if way == "budget" else simulation.result()


@pytest.mark.members
@pytest.mark.parametrize("way", ["run", "advance", "streamed", "budget"])
@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("wanted", WANTED)
def test_the_events_that_are_asked_for_are_recorded_and_all_are_counted(wanted, record, way, monkeypatch):
    monkeypatch.setattr(run_log, "FIRST_STEPS", 5)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", 7)
    monkeypatch.setattr(run_log, "LARGE_LOG", 0)
    whole = simulate(BALL, final_time=30.0, record=record)
    run = record_of(Simulation(BALL, final_time=30.0, record={**record, "events": wanted}), way)
    numbers = kept(whole.events, wanted)
    assert len(whole.events) > 30
    assert [event.t for event in run.events] == [whole.events[k].t for k in numbers]
    np.testing.assert_array_equal(run.events.x_after, whole.events.x_after[numbers])
    counts = [name for name in whole.statistics if name.endswith("_events") or name in ("events", "touches", "slides")]
    assert {name: run.statistics[name] for name in counts} == {name: whole.statistics[name] for name in counts}
    assert run.events_left_out == len(whole.events) - len(numbers)
    if record.get("steps", True):
        np.testing.assert_array_equal(run.x, whole.x)
    else:
        assert len(run.t) == 2 + 2 * len(numbers)
        np.testing.assert_array_equal(run.x[[0, -1]], whole.x[[0, -1]])


def test_memory_does_not_grow_with_events_that_are_left_out():
    def run_for(duration, **record):
        simulation = Simulation(BALL, record={"steps": False, **record}, max_transitions=10**9)
        simulation.advance(duration)
        assert simulation.status is Status.UNFINISHED, simulation.message
        return (
            simulation._drive.logged.nbytes,
            len(simulation.result().events),
            simulation.result().statistics["events"],
        )

    for wanted, most in (("none", 0), (["zeno"], 0), (1000, 40)):
        nbytes, recorded, total = run_for(36_000.0, events=wanted)
        assert total > 3e4
        assert recorded == total // 1000 if wanted == 1000 else recorded == 0
        assert nbytes <= 700 * most


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("wanted", ["none", ["touch"], 3])
def test_verify_says_what_it_cannot_check_and_neither_accepts_nor_rejects(wanted, record, tmp_path):
    run = simulate(BALL, final_time=10.0, record={**record, "events": wanted})
    run.save(tmp_path / "ball.h5")
    for report in (verify(run, BALL), verify(load_run(tmp_path / "ball.h5"), BALL)):
        assert not report.ok
        assert not report.decided
        assert report.violations == []
        assert "not decided" in str(report)
        assert f"{run.events_left_out} events are left out by `record.events`. Not checked: " in str(report)


def test_verify_checks_all_of_a_run_without_events_that_were_left_out():
    assert verify(simulate(BALL, final_time=10.0, record={"events": ["crossing"]}), BALL).ok
    assert verify(simulate(BALL, final_time=0.1, record={"events": "none"}), BALL).ok


def test_a_wrong_jump_among_the_recorded_ones_is_found():
    run = simulate(BALL, final_time=10.0, record={"steps": False, "events": 3})
    run.events.x_after[1, 1] += 1e-3
    assert verify(run, BALL).decided
    assert not verify(run, BALL).ok


def test_states_between_rows_are_given_only_where_they_are_known():
    run = simulate(BALL, final_time=10.0, record={"steps": False, "events": 3})
    with pytest.raises(SimulationError, match=r"`record.events` has left out events"):
        run.at(1.0)
    with pytest.raises(SimulationError, match=r"`record.events` has left out events"):
        run.chart_intervals()
    assert f"{len(run.events)} of {run.statistics['events']} events" in repr(run)
    steps = simulate(BALL, final_time=10.0, record={"events": "none"})
    np.testing.assert_array_equal(steps.at([1.0, 7.0]), simulate(BALL, final_time=10.0).at([1.0, 7.0]))
    with pytest.raises(SimulationError, match=r"record.events"):
        sensitivity(steps)


@pytest.mark.parametrize("wrong", ["some", "crossing", ["crosing"], [], 0, -1, 2.5, True, None])
def test_other_words_are_refused_with_those_that_there_are(wrong):
    with pytest.raises(ConfigError, match=r"record.events: expected `all`, `none`, a list of kinds"):
        Simulation(BALL, record={"events": wrong})


def test_why_a_run_ended_is_told_from_events_that_are_not_recorded():
    stuck = falling(keep_chart)
    whole, without = (simulate(stuck, final_time=9.0, record={"events": wanted}) for wanted in ("all", "none"))
    assert (without.status, without.message) == (whole.status, whole.message)


@pytest.mark.parametrize(("every_step", "n_states"), [(True, 3000), (False, 3000), (True, 3)])
def test_the_first_log_is_bounded_in_bytes(every_step, n_states):

    model = Model("wide", Records(*(State(f"x{k}") for k in range(n_states))), vector_field=stand_still)
    log = Simulation(model, record=every_step)._drive.logged
    steps = len(log._log.event_t) - run_log.spare_rows(model)
    assert steps == max(1, min(run_log.FIRST_STEPS, run_log.FIRST_LOG // log.bytes_per_step))
    assert steps * log.bytes_per_step <= max(run_log.FIRST_LOG, log.bytes_per_step)
