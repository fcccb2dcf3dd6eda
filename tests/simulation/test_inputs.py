"""Inputs as they are given, and as a run and its file record them."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import (
    ConfigError,
    Input,
    Model,
    ModelError,
    Parameter,
    Records,
    Simulation,
    SimulationError,
    State,
    simulate,
    verify,
)

from gallery import BALL, OSCILLATOR, drive, moved, unit_slope

# Values that are given.


def test_names_bounds_and_values_are_checked_before_anything_happens():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.1)
    for name, value, message in (
        ("pusch", 1.0, "no input 'pusch'; did you mean `push`"),
        ("push", 51.0, r"expected a finite number from -50 to 50 \[N/kg\]; give one"),
        ("push", math.nan, "expected a finite number"),
        ("push", "strong", "expected a finite number"),
        ("push", None, "expected a finite number"),
    ):
        with pytest.raises(SimulationError, match=message):
            simulation.inputs[name] = value
    with pytest.raises(SimulationError, match="cannot be removed"):
        del simulation.inputs["push"]
    assert dict(simulation.inputs) == {"push": 0.0}
    assert len(simulation.result().events) == 0


def test_an_input_without_bounds_takes_no_infinity():
    simulation = Simulation(BALL)
    with pytest.raises(SimulationError, match="expected a finite number"):
        simulation.inputs["gravity"] = math.inf


def test_inputs_cannot_change_after_the_end_nor_while_the_run_goes_on():
    simulation = Simulation(OSCILLATOR, final_time=1.0)
    simulation.advance(2.0)
    with pytest.raises(SimulationError, match=r"cannot change any more: the run has ended \(reached the final time"):
        simulation.inputs["push"] = 1.0

    def meddle(_):
        running.inputs["push"] = 1.0

    running = Simulation(OSCILLATOR, final_time=1.0)
    with pytest.raises(SimulationError, match="inputs change between calls"):
        running.run(meddle)


def test_inputs_are_a_mapping_of_their_names():
    inputs = Simulation(OSCILLATOR).inputs
    assert ("push" in inputs, "pull" in inputs, inputs.get("pull"), dict(inputs)) == (True, False, None, {"push": 0.0})


def test_the_message_for_a_model_without_inputs_says_that_it_has_none():
    with pytest.raises(SimulationError, match="the model has no input 'push'; it has none"):
        Simulation("slip").inputs["push"] = 1.0


def test_the_config_gives_the_values_at_the_start():
    run = simulate(OSCILLATOR, inputs={"push": 8.0}, final_time=1.0)
    assert run.x[-1] == pytest.approx(moved(1.0, 0.0, 8.0, 1.0), rel=1e-7)
    assert run["push"].tolist() == [8.0] * len(run.t)
    with pytest.raises(ConfigError, match=r"inputs\.push: expected a number from -50 to 50"):
        simulate(OSCILLATOR, inputs={"push": 80.0}, final_time=1.0)
    with pytest.raises(ConfigError, match=r"inputs\.k: the model has no such input; did you mean `parameters\.k`"):
        simulate(OSCILLATOR, inputs={"k": 1.0}, final_time=1.0)
    with pytest.raises(
        ConfigError, match=r"parameters\.push: the model has no such parameter; did you mean `inputs\.push`"
    ):
        simulate(OSCILLATOR, parameters={"push": 1.0}, final_time=1.0)


def test_inputs_vary_in_a_sweep():
    pushes = [-8.0, 0.0, 8.0]
    table = hybridsim.sweep(OSCILLATOR, {"inputs.push": pushes}, ["final(x)"], final_time=1.0)
    expected = [moved(1.0, 0.0, push, 1.0)[0] for push in pushes]
    assert table["final(x)"].to_pylist() == pytest.approx(expected, rel=1e-7)


def test_a_name_is_a_state_a_parameter_or_an_input_and_only_one_of_them():
    for records in ({"parameters": [Parameter("x")]}, {"inputs": [Input("x")]}):
        with pytest.raises(ModelError, match="'x' names a state and a"):
            Model("m", [State("x")], vector_field=unit_slope, **records)
    with pytest.raises(ModelError, match="'k' names a parameter and a input"):
        Model("m", [State("x")], vector_field=unit_slope, parameters=[Parameter("k")], inputs=[Input("k")])
    with pytest.raises(ModelError, match="outside its bounds"):
        Input("u", 3.0, upper=2.0)


def test_inputs_lie_behind_the_parameters_and_before_the_arrays():
    def field(xdot, t, x, p, chart):
        xdot[0] = p[2] * p[int(p[1]) + 1]

    model = Model(
        "m",
        [State("x")],
        vector_field=field,
        parameters=[Parameter("k"), Parameter("a", (1.0, 3.0))],
        inputs=[Input("u", 2.0)],
    )
    assert simulate(model, final_time=1.0)["x"][-1] == pytest.approx(6.0, rel=1e-12)


# What a run records.


def test_a_run_with_changes_comes_back_from_its_file_and_is_still_a_solution(tmp_path):
    run = drive(Simulation(OSCILLATOR), [3.0, 1.0, -2.0], 0.3).result()
    run.save(tmp_path / "oscillator")
    loaded = hybridsim.load_run(tmp_path / "oscillator.h5")
    assert loaded.inputs == run.inputs
    np.testing.assert_array_equal(loaded["push"], run["push"])
    assert verify(loaded, OSCILLATOR).ok
    assert "push = 0.0;" in (tmp_path / "oscillator.param").read_text()


def test_many_changes_overflow_no_buffer():
    simulation = Simulation(OSCILLATOR)
    pushes = np.random.default_rng(6).uniform(-5.0, 5.0, 20_000)
    run = drive(simulation, pushes, 1e-3).result()
    assert run.statistics["input_changes"] == 20_000
    assert (np.diff(run.t) >= 0.0).all()
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 1e-3)
    np.testing.assert_allclose(run.x[-1], [x, v], rtol=1e-5, atol=1e-7)


def test_the_history_holds_every_change_of_value():
    run = drive(Simulation(OSCILLATOR), [3.0, 3.0, -2.0], 0.3).result()
    assert run.inputs.t.tolist() == [0.0, 0.6]
    assert run.inputs.held.tolist() == [[0.0], [3.0], [-2.0]]
    assert run.inputs.records == Records(OSCILLATOR.inputs["push"])
    assert "2 changes" in repr(run.inputs)
