"""Sweeps in files: groups and their order, values and their units, overrides."""

import math
from pathlib import Path

import numpy as np
import pytest

from hybridsim.config import RunConfig, load_config, resolve
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.sweep import (
    SweepConfig,
    load_run_or_sweep,
    sweep_data,
    sweep_from_data,
    sweep_from_keywords,
)
from hybridsim.config.sweep.targets import find_target
from hybridsim.model.registry import load_model

from leg_sweeps import BASE, EXAMPLE, same_sweeps, values_by_key


def test_the_groups_are_factors_in_their_order_and_every_axis_of_a_grid_is_one(sweep, example_files):
    config = sweep(EXAMPLE)
    assert [[axis.name for axis in factor] for factor in config.factors] == [
        ["k"],
        ["angle"],
        ["terrain"],
        ["rtol", "atol"],
        ["y"],
        ["ydot", "slope"],
        ["spring", "final_time"],
    ]
    assert [len(factor[0].values) for factor in config.factors] == [5, 3, 2, 2, 7, 4, 2]
    assert [axis.key for axis in config.axes[:5]] == [
        "parameters.k",
        "initial.angle",
        "parameters.terrain",
        "engine.rtol",
        "engine.atol",
    ]
    assert [axis.unit for axis in config.axes] == ["N/m", "rad", "", "", "", "m", "m/s", "deg", "", "s"]
    assert config.block == 500
    assert config.extra_outputs_file == str(example_files / "clearance.py")
    assert config.extra_outputs["clearance"](0.0, [3.0], [1.0], 0) == 2.0
    assert [(metric.name, metric.kind, metric.of) for metric in config.metrics] == [
        ("steps", "count", "touchdown"),
        ("nearest", "min", "clearance"),
    ]


def test_the_order_in_the_file_is_that_of_the_groups_not_of_their_keys(sweep):
    config = sweep(BASE + "sweep: {zip: {y: [1, 2], ydot: [3, 4]}, axes: {k: [5]}}")
    assert [axis.name for axis in config.axes] == ["k", "y", "ydot"]


def test_the_base_run_keeps_its_values(sweep, example_files):
    assert sweep(EXAMPLE).run.parameters["k"] == 1000.0


def test_a_run_of_the_same_file_is_that_of_the_base_values_with_a_note(sweep, example_files):
    config = sweep(EXAMPLE)
    run = load_config("run.yaml")
    assert resolve(run) == resolve(config.run)
    assert config.run.notes == ()
    (note,) = run.notes
    assert note.startswith("run.yaml:4:1: sweep: ")
    assert "hybridsim sweep CONFIG" in note


def test_a_file_with_a_sweep_is_loaded_as_one_where_both_will_do(folder):
    Path("run.yaml").write_text(BASE)
    Path("sweep.yaml").write_text("include: run.yaml\nsweep: {axes: {k: [1]}}")
    assert isinstance(load_run_or_sweep("run.yaml"), RunConfig)
    assert isinstance(load_run_or_sweep("sweep.yaml"), SweepConfig)


def test_a_single_value_is_a_list_of_one(sweep):
    config = sweep(BASE + "sweep: {axes: {k: 5, angle: 90 deg, terrain: sloped, method: rk4, max_step: 0.1}}")
    assert values_by_key(config) == {
        "parameters.k": [5.0],
        "initial.angle": [math.radians(90)],
        "parameters.terrain": ["sloped"],
        "engine.method": ["rk4"],
        "engine.max_step": [0.1],
    }


def test_degrees_are_converted_as_a_config_converts_them(sweep):
    config = sweep(BASE + "sweep: {axes: {angle: [-22 deg, 0.1, 1e1 deg], slope: [3 deg, 4]}}")
    angle, slope = config.axes
    assert angle.values.tolist() == [math.radians(-22), 0.1, math.radians(10)]
    assert not angle.degrees  # not all of them are
    assert slope.values.tolist() == [3.0, 4.0]
    assert not slope.degrees  # they are in degrees anyway


@pytest.mark.parametrize(
    ("mixed", "values"),
    [
        ("[-20 deg, 0.5]", [math.radians(-20), 0.5]),
        ("linspace(-20 deg, 0.5, 2)", [math.radians(-20), 0.5]),
        ("linspace(-0.5, 20 deg, 2)", [-0.5, math.radians(20)]),
    ],
)
def test_each_angle_has_the_unit_that_stands_behind_it_and_only_degrees_are_shown_as_such(sweep, mixed, values):
    (axis,) = sweep(BASE + f"sweep:\n  axes:\n    angle: {mixed}\n").axes
    assert axis.values.tolist() == values
    assert not axis.degrees


def test_where_an_angle_is_out_of_bounds_degrees_are_remembered(problems):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('0.5, "rad"', '0.5, "rad", lower=-1.6, upper=1.6'))
    (problem,) = problems(BASE + "sweep: {axes: {angle: [-24]}}")
    assert "expected a number from -1.6 to 1.6 [rad], found -24; write `deg` behind degrees, or choose" in problem
    (problem,) = problems(BASE + "sweep: {axes: {angle: [-240 deg]}}")
    assert "write `deg`" not in problem


@pytest.mark.parametrize("override", ["parameters.k=3", "sweep.axes.k=[1, 2]"])
def test_a_value_on_the_command_line_that_an_axis_replaces_is_noted(sweep, override):
    text = BASE + "parameters: {k: 2}\nsweep: {axes: {k: [5, 6], final_time: [1, 2]}}"
    notes = sweep(text, override, "initial.y=2").run.notes
    unused = "command line: parameters.k: varies in sweep.axes.k; the value given here is not used"
    assert notes == ((unused,) if override == "parameters.k=3" else ())


def test_whole_numbers_stay_whole(sweep):
    text = "sweep: {axes: {spring: [1, 2.0], max_transitions: 'linspace(100, 300, 3)', max_steps: [5, 7.0]}}"
    config = sweep(BASE + text)
    assert [axis.values.dtype for axis in config.axes] == [np.int64] * 3
    assert values_by_key(config) == {
        "parameters.spring": [1, 2],
        "engine.max_transitions": [100, 200, 300],
        "engine.max_steps": [5, 7],
    }


def test_every_key_of_the_engine_that_is_whole_takes_whole_numbers_only(folder):
    model = load_model("leg.py")
    assert {
        name for name in EngineSettings.model_fields if name != "max_wall_time" and find_target(name, model).whole
    } == {
        "max_stop_iterations",
        "max_transitions",
        "max_steps",
    }


def test_every_axis_may_be_named_with_or_without_its_section(sweep):
    text = BASE + "sweep: {axes: {%s: [1], %s: [2], %s: [3], initial_time: [-1]}}"
    dotted = sweep(text % ("parameters.k", "initial.y", "engine.rtol"))
    bare = sweep(text % ("k", "y", "rtol"))
    assert values_by_key(dotted) == values_by_key(bare)


def test_overrides_change_axes(sweep):
    config = sweep(
        BASE + "sweep: {axes: {engine.rtol: [1e-6]}, random: {samples: 3, axes: {y: 'uniform(0, 1)'}}}",
        "sweep.axes.engine.rtol=[1e-7]",
        "sweep.axes.k=linspace(0, 1, 3)",
        "sweep.random.samples=5",
        "sweep.random.axes.initial.ydot=normal(0, 1)",
        "metrics=[status]",
    )
    assert {axis.key: len(axis.values) for axis in config.axes} == {
        "engine.rtol": 1,
        "parameters.k": 3,
        "initial.y": 5,
        "initial.ydot": 5,
    }
    assert config.axes[0].values[0] == 1e-7
    assert [metric.name for metric in config.metrics] == ["status"]


def test_an_rc_file_is_swept_through_overrides(sweep):
    config = sweep('systemName = "leg.py"; finalTime = 2', "sweep.axes.k=[1, 2]", name="run.rc")
    assert values_by_key(config) == {"parameters.k": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("sweep: {axes: {final_time: [3, 5]}}", 3.0),
        ("sweep: {zip: {k: [1, 2], final_time: 'linspace(4, 5, 2)'}}", 4.0),
        ("final_time: 2\nsweep: {axes: {final_time: [3, 5]}}", 2.0),
    ],
)
def test_where_the_final_time_varies_the_base_run_needs_no_final_time(sweep, text, end):
    config = sweep(f"model: leg.py\n{text}")
    assert config.run.final_time == end
    assert same_sweeps(sweep_from_data(sweep_data(config)), config)


def test_a_bad_axis_of_final_times_is_one_problem(problems):
    (problem,) = problems("model: leg.py\nsweep: {axes: {final_time: [1, x]}}")
    assert "sweep.axes.final_time[1]: " in problem


def test_from_python_the_final_time_may_be_an_axis_too(folder):
    assert sweep_from_keywords("leg.py", {"final_time": [3.0, 5.0]}).run.final_time == 3.0
