"""A change of an input is an event at the present time; without a change, every bit of a run stays the same."""

import math

import numpy as np
import pytest

from hybridsim import (
    Input,
    Model,
    Simulation,
    SimulationError,
    State,
    simulate,
)
from hybridsim.config import config_from_keywords

from gallery import OSCILLATOR, RATE, drive, moved


def same_bits(first, second):
    for name in ("t", "j", "chart", "x", "y", "extension", "step"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.events[:].__len__() == second.events[:].__len__()


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "rk4_adaptive"])
def test_a_push_held_from_call_to_call_moves_the_oscillator_as_the_closed_form_says(method):
    pushes = np.random.default_rng(1).uniform(-20.0, 20.0, 40)
    simulation = drive(Simulation(OSCILLATOR, method=method, rtol=1e-10, atol=1e-12), pushes, 0.05)
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 0.05)
    np.testing.assert_allclose(simulation.x, [x, v], rtol=1e-7)


def test_fixed_steps_are_cut_at_a_change_and_go_on_from_there():
    pushes = np.random.default_rng(1).uniform(-20.0, 20.0, 40)
    simulation = drive(Simulation(OSCILLATOR, method="rk4", max_step=1e-3), pushes, 0.0507)
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 0.0507)
    np.testing.assert_allclose(simulation.x, [x, v], rtol=1e-9)


def test_advancing_without_a_change_leaves_every_bit_as_it_was():
    whole = simulate(OSCILLATOR, final_time=5.0)
    times = np.sort(np.random.default_rng(2).uniform(0.0, 5.0, 300))
    simulation = Simulation(OSCILLATOR, final_time=5.0)
    for t in times:
        simulation.advance(t)
        simulation.inputs["push"] = 0.0  # what it is already
        np.testing.assert_allclose(simulation.x, whole.at(t), rtol=1e-12, atol=1e-14)
    same_bits(simulation.run(), whole)


def test_with_a_budget_it_goes_a_few_steps_at_a_time_and_the_same_way():
    whole = drive(Simulation(OSCILLATOR), [3.0, -1.0], 2.0).result()
    simulation = Simulation(OSCILLATOR)
    for k, value in enumerate([3.0, -1.0]):
        simulation.inputs["push"] = value
        simulation.advance(2.0 * (k + 1), budget=1)
        assert 2.0 * k < simulation.t < 2.0 * (k + 1)
        while simulation.t < 2.0 * (k + 1):
            simulation.advance(2.0 * (k + 1), budget=1)
    same_bits(simulation.result(), whole)


@pytest.mark.parametrize("record", [True, False, {"period": 0.1}])
def test_what_a_run_that_logs_every_step_has_handed_out_stays(record):
    config = config_from_keywords(OSCILLATOR, final_time=3.0, record=record)
    logging, alone = (Simulation.from_config(config, log_every_step=every) for every in (True, False))
    handed, divided = [], 0
    for k, value in enumerate([3.0, -1.0, 0.5]):
        for part in np.linspace(0.1, 0.7, 7):
            logging.advance(0.7 * k + part, budget=10_000)
            handed += logging.chunks(len(handed))
        ((last, _),) = logging.chunks(settled=False)
        divided += last.t[-1] <= logging.t < last.t[-1] + last.step[-1]
        logging.inputs["push"] = value
        alone.advance(logging.t)
        alone.inputs["push"] = value
        assert logging.t == pytest.approx(0.7 * (k + 1), rel=1e-15)
    assert divided == 3
    t = np.concatenate([steps.t for steps, _ in handed if steps is not None])
    assert len(t) > 10
    if record is True:
        np.testing.assert_array_equal(t, logging.result().t[: len(t)])
    result = logging.run()
    same_bits(result, alone.run())
    assert result.inputs == alone.result().inputs


def test_steps_that_a_change_may_take_back_are_not_handed_out():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(1.0)
    with pytest.raises(SimulationError, match="inputs may change"):
        simulation.chunks()


def test_every_way_to_the_time_of_a_change_gives_the_same_run():
    """Step by step, in one go, or by many looks: the same bits."""
    ways = ([7.3], [*np.linspace(0.1, 7.3, 400)], [2.0, 7.29999, 7.3])
    runs = []
    for way in ways:
        simulation = Simulation(OSCILLATOR, final_time=9.0)
        for t in way:
            simulation.advance(t)
        simulation.inputs["push"] = 3.0
        runs.append(simulation.run())
    same_bits(runs[0], runs[1])
    same_bits(runs[0], runs[2])


def test_a_change_is_an_event_that_leaves_the_state_as_it_is():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.7)
    before = simulation.x
    simulation.inputs["push"] = 4.0
    np.testing.assert_array_equal(simulation.x, before)
    assert (simulation.t, simulation.j, simulation["push"]) == (0.7, 1, 4.0)
    simulation.advance(1.0)
    (event,) = simulation.result().events
    assert (event.kind, event.t, event.j, event.boundaries, event.declined) == ("input", 0.7, 0, (), False)
    np.testing.assert_array_equal(event.x_before, event.x_after)


def test_several_inputs_and_several_values_at_one_time_are_one_event():
    def turn(xdot, t, x, p, chart):
        xdot[0] = p[0] - p[1]

    model = Model("tank", [State("level")], vector_field=turn, inputs=[Input("flow"), Input("leak")])
    simulation = Simulation(model)
    simulation.advance(1.0)
    simulation.inputs["flow"], simulation.inputs["leak"], simulation.inputs["flow"] = 9.0, 1.0, 3.0
    simulation.advance(2.0)
    run = simulation.result()
    assert len(run.events) == 1
    assert run["level"][-1] == pytest.approx(2.0, rel=1e-12)
    assert run.inputs.value.tolist() == [9.0, 1.0, 3.0]
    assert run["flow"].tolist() == [0.0 if j == 0 else 3.0 for j in run.j]
    assert run["leak"].tolist() == [0.0 if j == 0 else 1.0 for j in run.j]


def test_outputs_at_past_times_use_the_values_held_then():
    pushes = [5.0, -3.0, 8.0, 8.0, 1.0]
    for record in (True, False, 0.03):
        run = drive(Simulation(OSCILLATOR, record=record), pushes, 0.2).result()
        np.testing.assert_allclose(run["force"], run["push"] - RATE**2 * run["x"], rtol=1e-14, atol=1e-14)
        assert run["push"][0] == 0.0
        at = np.array([0.0, *(0.2 * k for k in range(1, 5))])
        inside = ~np.isin(run.t, at)
        place = np.searchsorted(at, run.t[inside]) - 1
        np.testing.assert_array_equal(run["push"][inside], np.array(pushes)[place])


def test_what_is_read_at_one_time_is_that_of_the_inputs_now():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.3)
    x = simulation["x"]
    for push in (0.0, 5.0, -7.0):
        simulation.inputs["push"] = push
        assert simulation["force"] == pytest.approx(push - RATE**2 * x, rel=1e-12)
        assert simulation["x"] == x
    simulation.advance(0.4)
    assert simulation["x"] == pytest.approx(moved(x, -RATE * math.sin(RATE * 0.3), -7.0, 0.1)[0], rel=1e-6)


def test_the_step_size_survives_a_change():
    """Without it, each of a thousand changes would cost a search for a first step, and small steps after it."""
    quiet = simulate(OSCILLATOR, final_time=1.0, max_step=1e-3).statistics
    pushes = 1e-3 * np.random.default_rng(3).uniform(-1.0, 1.0, 1000)
    changing = drive(Simulation(OSCILLATOR, max_step=1e-3), pushes, 1e-3).result().statistics
    assert changing["steps"] <= quiet["steps"] + 1000
    assert changing["rejected"] <= 10


def test_a_change_at_the_very_start_comes_before_the_first_step():
    simulation = Simulation(OSCILLATOR)
    simulation.inputs["push"] = 7.0
    simulation.advance(0.5)
    np.testing.assert_allclose(simulation.x, moved(1.0, 0.0, 7.0, 0.5), rtol=1e-7)
    assert simulation.result().events.t.tolist() == [0.0]
