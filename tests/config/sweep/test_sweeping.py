import dataclasses
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hybridsim.config import RunConfig, load_config, resolved
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.keywords import KEYWORDS
from hybridsim.config.sweep import (
    Axis,
    SweepConfig,
    axis_values,
    load_run_or_sweep,
    load_sweep,
    sweep_data,
    sweep_from_data,
    sweep_from_keywords,
)
from hybridsim.config.sweep.keywords import EXECUTION_KEYWORDS, SWEEP_KEYWORDS
from hybridsim.config.sweep.sweep_config import sweep_files
from hybridsim.config.sweep.targets import find_target
from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model.registry import load_model

BASE = "model: leg.py\nfinal_time: 10\n"
EXAMPLE = (
    BASE
    + """parameters: {k: 1000}
sweep:
  axes:
    k: linspace(0, 50e3, 5)
    angle: linspace(-50 deg, -10 deg, 3)
    terrain: [flat, sloped]
  zip:
    engine.rtol: [1e-6, 1e-8]
    engine.atol: [1e-8, 1e-10]
  random: {samples: 7, seed: 1, axes: {y: 'uniform(1, 2)'}}
  latin_hypercube: {samples: 4, seed: 2, axes: {ydot: 'normal(0, 1)', slope: 'loguniform(1, 100)'}}
  rows: runs.csv
  extra_outputs: ./clearance.py
  block: 500
metrics:
  steps: count(touchdown)
  nearest: min(clearance)
"""
)


@pytest.fixture
def sweep(folder):
    """Load a sweep of that text, with overrides."""

    def load_text(text, *overrides, name="run.yaml"):
        Path(name).write_text(text)
        return load_sweep(name, overrides)

    return load_text


@pytest.fixture
def refused(sweep):
    """The problems in a sweep of that text, with overrides."""

    def problems_in(text, *overrides, name="run.yaml"):
        with pytest.raises(ConfigError) as caught:
            sweep(text, *overrides, name=name)
        return caught.value.problems

    return problems_in


@pytest.fixture
def beside(folder):
    """The files that the example names."""
    Path("runs.csv").write_text("spring,final_time\n1,5\n2,6\n")
    Path("clearance.py").write_text("def clearance(t, x, p, chart):\n    return x[0] - p[0]\n")
    return folder


def keyword_problems(*arguments, **keywords):
    with pytest.raises(ConfigError) as caught:
        sweep_from_keywords("leg.py", *arguments, **{"final_time": 1.0, **keywords})
    return caught.value.problems


def values(config: SweepConfig) -> dict:
    return {axis.key: axis.values.tolist() for axis in config.axes}


def test_the_groups_are_factors_in_their_order_and_every_axis_of_a_grid_is_one(sweep, beside):
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
    assert config.extra_outputs_file == str(beside / "clearance.py")
    assert config.extra_outputs["clearance"](0.0, [3.0], [1.0], 0) == 2.0
    assert [(metric.name, metric.kind, metric.of) for metric in config.metrics] == [
        ("steps", "count", "touchdown"),
        ("nearest", "min", "clearance"),
    ]


def test_the_order_in_the_file_is_that_of_the_groups_not_of_their_keys(sweep):
    config = sweep(BASE + "sweep: {zip: {y: [1, 2], ydot: [3, 4]}, axes: {k: [5]}}")
    assert [axis.name for axis in config.axes] == ["k", "y", "ydot"]


def test_the_base_run_keeps_its_values(sweep, beside):
    assert sweep(EXAMPLE).run.parameters["k"] == 1000.0


def test_a_run_of_the_same_file_is_that_of_the_base_values_with_a_note(sweep, beside):
    config = sweep(EXAMPLE)
    run = load_config("run.yaml")
    assert resolved(run) == resolved(config.run)
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
    assert values(config) == {
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


def test_where_an_angle_is_out_of_bounds_degrees_are_remembered(refused):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('0.5, "rad"', '0.5, "rad", lower=-1.6, upper=1.6'))
    (problem,) = refused(BASE + "sweep: {axes: {angle: [-24]}}")
    assert "expected a number from -1.6 to 1.6 [rad], found -24; write `deg` behind degrees, or choose" in problem
    (problem,) = refused(BASE + "sweep: {axes: {angle: [-240 deg]}}")
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
    assert values(config) == {
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
    assert values(dotted) == values(bare)


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
    assert values(config) == {"parameters.k": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("sweep: {axes: {final_time: [3, 5]}}", 3.0),
        ("sweep: {zip: {k: [1, 2], final_time: 'linspace(4, 5, 2)'}}", 4.0),
        ("final_time: 2\nsweep: {axes: {final_time: [3, 5]}}", 2.0),
    ],
)
def test_where_the_final_time_varies_the_base_run_needs_none_of_its_own(sweep, text, end):
    config = sweep(f"model: leg.py\n{text}")
    assert config.run.final_time == end
    assert same(sweep_from_data(sweep_data(config)), config)


def test_a_bad_axis_of_final_times_is_one_problem(refused):
    (problem,) = refused("model: leg.py\nsweep: {axes: {final_time: [1, x]}}")
    assert "sweep.axes.final_time[1]: " in problem


def test_from_python_the_final_time_may_be_an_axis_too(folder):
    assert sweep_from_keywords("leg.py", {"final_time": [3.0, 5.0]}).run.final_time == 3.0


# --- what is refused


@pytest.mark.parametrize(
    ("axes", "where", "what"),
    [
        ("kk: [1]", "5:5: sweep.axes.kk: ", "there is no 'kk' to vary; did you mean `k`?"),
        ("engine.rtoll: [1]", "5:5: sweep.axes.engine.rtoll: ", "did you mean `engine.rtol`?"),
        ("velocity_of_light: [1]", "5:5: sweep.axes.velocity_of_light: ", "initial_time or final_time: k, spring, slo"),
        ("k: []", "5:5: sweep.axes.k: ", "expected at least one value, found an empty list"),
        ("k: linspace(0, 1, 0)", "5:5: sweep.axes.k: ", "expected at least one value, a whole number of them"),
        (
            "k: null",
            "5:5: sweep.axes.k: ",
            "expected a list or array of values, one value or an expression such as lin",
        ),
        (
            "k: [1]\n    parameters.k: [2]",
            "6:5: sweep.axes.parameters.k: ",
            "parameters.k varies already (run.yaml:5:5: sweep.axes.k)",
        ),
        ("k: [1, -1]", "5:12: sweep.axes.k[1]: ", "expected a number from 0 to inf [N/m], found -1"),
        ("k: linspace(-5, 5, 11)", "5:5: sweep.axes.k: ", "value [0] of linspace(-5, 5, 11): expected a number fro"),
        ("k: [.inf]", "5:9: sweep.axes.k[0]: ", "expected a finite number [N/m], found inf"),
        ("k: [true]", "5:9: sweep.axes.k[0]: ", "expected a number [N/m], found true"),
        ("k: [5 deg]", "5:9: sweep.axes.k[0]: ", "expected a number [N/m], found the angle '5 deg'"),
        ("k: [[1, 2]]", "5:9: sweep.axes.k[0]: ", "expected a number [N/m], found a list"),
        ("k: ['linspace(0, 1, 2)']", "5:9: sweep.axes.k[0]: ", "expected a number [N/m], found 'linspace(0, 1, 2)'"),
        ("k: many", "5:5: sweep.axes.k: ", "expected a number [N/m], found 'many'"),
        ("k: linspace(1 deg, 2 deg, 3)", "5:5: sweep.axes.k: ", "expected numbers [N/m], found angles in"),
        ("angle: linspace(1 deg, 2 deg, 3 deg)", "5:5: sweep.axes.angle: ", "expected a list of values, linspace(a, b"),
        (
            "k: lispace(0, 1, 3)",
            "5:5: sweep.axes.k: ",
            "linspace(a, b, n), logspace(a, b, n) or arange(a, b, step), fo",
        ),
        ("k: linspace(0, 1", "5:5: sweep.axes.k: ", "found 'linspace(0, 1'; write one of them"),
        ("k: linspace(0, 1)", "5:5: sweep.axes.k: ", "found 'linspace(0, 1)'; write one of them"),
        ("k: linspace(0, x, 3)", "5:5: sweep.axes.k: ", "found 'linspace(0, x, 3)'; write one of them"),
        ("k: linspace(0, 1, 2.5)", "5:5: sweep.axes.k: ", "a whole number of them, found 2.5"),
        ("k: linspace(0, 1, 1e12)", "5:5: sweep.axes.k: ", "expected at most 100,000,000 values, found 1e+12"),
        ("k: logspace(0, 1, 3)", "5:5: sweep.axes.k: ", "expected two ends above 0, the values themselves, found 0.0"),
        ("k: arange(0, 1, 0)", "5:5: sweep.axes.k: ", "expected a step other than 0"),
        ("k: arange(0, 1, -1)", "5:5: sweep.axes.k: ", "expected at least one value, found none"),
        ("spring: [1.5]", "5:14: sweep.axes.spring[0]: ", "expected a whole number, found 1.5"),
        (
            "spring: linspace(1, 2, 3)",
            "5:5: sweep.axes.spring: ",
            "value [1] of linspace(1, 2, 3): expected a whole nu",
        ),
        ("max_transitions: [0]", "5:23: sweep.axes.max_transitions[0]: ", "expected a number of at least 1, found 0"),
        (
            "max_steps: linspace(1, 4, 7)",
            "5:5: sweep.axes.max_steps: ",
            "value [1] of linspace(1, 4, 7): expected a whole",
        ),
        ("max_steps: [1.5]", "5:17: sweep.axes.max_steps[0]: ", "expected a whole number, found 1.5"),
        ("rtol: [-1]", "5:12: sweep.axes.rtol[0]: ", "expected a number of at least 0, found -1"),
        (
            "zeno_precision: [0.2]",
            "5:22: sweep.axes.zeno_precision[0]: ",
            "expected a number of at most 0.1, found 0.2",
        ),
        ("first_step: [null]", "5:18: sweep.axes.first_step[0]: ", "expected a value, found nothing"),
        ("terrain: [steep]", "5:15: sweep.axes.terrain[0]: ", "expected one of flat, sloped, found 'steep'"),
        ("terrain: [1]", "5:15: sweep.axes.terrain[0]: ", "expected one of flat, sloped, found 1"),
        ("method: [rk5]", "5:14: sweep.axes.method[0]: ", "expected one of 'dp5'"),
        ("method: [rk5]", "5:14: sweep.axes.method[0]: ", "found 'rk5'; did you mean `rk4`?"),
        ("terrain: [slopd]", "5:15: sweep.axes.terrain[0]: ", "found 'slopd'; did you mean `sloped`?"),
        ("heights: [[1, 2, 3]]", "5:5: sweep.axes.heights: ", "an array cannot vary in a sweep"),
        ("max_wall_time: [1]", "5:5: sweep.axes.max_wall_time: ", "results would depend on the machine"),
        ("output.folder: [a]", "5:5: sweep.axes.output.folder: ", "this key cannot vary; an axis varies a parameter"),
        ("record: [true]", "5:5: sweep.axes.record: ", "this key cannot vary"),
        ("model: [a]", "5:5: sweep.axes.model: ", "this key cannot vary"),
    ],
)
def test_a_bad_axis_is_refused_where_it_stands(refused, axes, where, what):
    (problem,) = refused(f"{BASE}sweep:\n  axes:\n    {axes}")
    assert problem.startswith(f"run.yaml:{where}")
    assert what in problem


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("sweep:", "3:1: sweep: ", "this key is required for a sweep; write for example sweep: {axes:"),
        ("sweep: {}", "3:1: sweep: ", "expected at least one axis, found none; write for example axes:"),
        ("sweep: {axes: {}}", "3:1: sweep: ", "expected at least one axis, found none"),
        ("sweep: [k]", "3:1: sweep: ", "expected a mapping of `key: value` entries, found a list"),
        ("sweep: {axes: [k]}", "3:9: sweep.axes: ", "expected a mapping of `name: value` entries, found a list"),
        ("sweep: {axis: {k: [1]}}", "3:9: sweep.axis: ", "there is no such key; did you mean `axes`?"),
        ("axes: {k: [1]}\nsweep: {axes: {k: [1]}}", "3:1: axes: ", "there is no such key; did you mean `sweep.axes`?"),
        ("sweep: {zip: {k: [1, 2], y: [1]}}", "3:9: sweep.zip: ", "axes of one length, found k with 2, y with 1; give"),
        (
            "sweep: {axes: {k: [1]}, zip: {k: [1]}}",
            "3:31: sweep.zip.k: ",
            "parameters.k varies already (run.yaml:3:16: sweep.axes.k)",
        ),
        ("sweep: {axes: {k: [1]}, block: 0}", "3:25: sweep.block: ", "expected a number of at least 1, found 0"),
        ("sweep: {axes: {k: [1]}, rows: 5}", "3:25: sweep.rows: ", "expected the path of a CSV or Parquet file"),
        (
            "sweep: {random: {axes: {k: [1]}}}",
            "3:9: sweep.random.samples: ",
            "this key is required; give for example 1",
        ),
        (
            "sweep: {axes: {k: [1]}}\nengine: {max_wall_time: 5}",
            "4:10: engine.max_wall_time: ",
            "on the machine; remov",
        ),
        (
            "sweep: {axes: {k: 'linspace(0, 1, 1e6)', y: 'linspace(0, 1, 1e6)'}}",
            "3:1: sweep: ",
            "1,000,000,000,000; va",
        ),
    ],
)
def test_a_bad_group_is_refused_where_it_stands(refused, text, where, what):
    problems = refused(BASE + text)
    assert problems[0].startswith(f"run.yaml:{where}")
    assert what in problems[0]
    assert len(problems) == 1 or "required" in problems[0]


def test_everything_wrong_is_told_at_once(refused):
    problems = refused(
        "model: leg.py\nparameters: {kk: 1}\nmetrics: [coun(touchdown), final(q)]\n"
        "sweep:\n  axes: {k: [-1, -2], hights: [1]}\n  rows: nowhere.csv\n  extra_outputs: nowhere.py\n  blok: 5"
    )
    assert {problem.split(": ")[1] for problem in problems} == {
        "final_time",
        "sweep.blok",
        "parameters.kk",
        "sweep.axes.k[0]",
        "sweep.axes.k[1]",
        "sweep.axes.hights",
        "sweep.rows",
        "sweep.extra_outputs",
        "metrics[0]",  # and not metrics[1]: q may be one of the missing extra outputs
    }


@pytest.mark.parametrize(
    ("group", "counts"),
    [
        ("zip: {k: [1, -1], y: [1], angle: [x, 1]}", "found k with 2, y with 1, angle with 2"),
        ("zip: {k: 'linspace(-1, 1, 3)', y: [1], angle: [1]}", "found k with 3, y with 1, angle with 1"),
        ("rows: {k: [1, -1], y: [1]}", "found k with 2, y with 1"),
    ],
)
def test_axes_of_other_lengths_are_told_beside_what_else_is_wrong_with_them(refused, group, counts):
    problems = refused(f"{BASE}sweep: {{{group}}}")
    assert sum("expected axes of one length" in problem for problem in problems) == 1
    assert counts in problems[-1]
    assert "expected a number from 0 to inf [N/m], found -1" in problems[0]


def test_of_a_hopeless_list_some_problems_are_told_and_the_others_counted(refused):
    problems = refused(f"{BASE}sweep: {{axes: {{k: {[-1.0] * 12}}}}}")
    assert len(problems) == 6
    assert "7 more of its values are not right" in problems[-1]


def test_columns_of_one_name_are_refused(refused):
    text = BASE + "sweep: {axes: {k: [1]}}\nmetrics: "
    assert refused(text + "{k: status}") == (
        "run.yaml:4:1: metrics: two columns would be called 'k', one of them the axis parameters.k; "
        "write the metrics as NAME: METRIC",
    )
    assert "called 'row', one of them the number of the run" in refused(text + "{row: status}")[0]
    assert "called 'status', one of them a metric" in refused(text + "[status, status]")[0]


def test_an_axis_cannot_have_the_name_of_the_first_column(refused, folder):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('"spring"', '"row"'))
    (problem,) = refused(BASE + "sweep: {axes: {row: [1]}}")
    assert problem.startswith("run.yaml:3:16: sweep.axes.row: its column 'row' would be that of the number of the run")


def test_values_that_do_not_go_together_are_refused_with_the_combination(refused):
    (problem,) = refused(BASE + "sweep: {axes: {min_step: [0.01, 0.1], max_step: [1, 0.05]}}")
    assert problem == (
        "run.yaml:3:16: sweep.axes.min_step: with engine.min_step = 0.1, engine.max_step = 0.05: engine.min_step: "
        "expected at most max_step = 0.05, found 0.1; change one of them"
    )
    (problem,) = refused(BASE + "sweep: {axes: {final_time: [2, 5], initial_time: [0, 3]}}")
    assert "with final_time = 2.0, initial_time = 3.0: final_time: expected more than initial_time = 3.0" in problem


def test_a_value_that_does_not_go_with_the_base_run_is_refused(refused):
    (problem,) = refused(BASE + "sweep: {axes: {initial_time: [0, 10]}}")
    assert "with initial_time = 10.0: final_time: expected more than initial_time = 10.0, found 10.0" in problem
    (problem,) = refused(BASE + "sweep: {axes: {method: [dp5, rk4]}}")
    assert "with engine.method = 'rk4': engine.max_step: the method rk4 takes fixed steps" in problem


# --- from Python


def test_keywords_and_a_file_make_the_same_sweep(sweep, beside):
    config = sweep_from_keywords(
        "leg.py",
        {"k": np.linspace(0, 50e3, 5), "angle": "linspace(-50 deg, -10 deg, 3)", "terrain": ["flat", "sloped"]},
        {"steps": "count(touchdown)", "nearest": "min(clearance)"},
        zip={"engine.rtol": (1e-6, 1e-8), "engine.atol": np.array([1e-8, 1e-10])},
        random={"samples": np.int64(7), "seed": 1, "axes": {"y": "uniform(1, 2)"}},
        latin_hypercube={"samples": 4, "seed": 2, "axes": {"ydot": "normal(0, 1)", "slope": "loguniform(1, 100)"}},
        rows=Path("runs.csv"),
        extra_outputs=Path("clearance.py"),
        block=500,
        final_time=10,
        parameters={"k": 1000},
        output={"base": "run"},
    )
    expected = sweep(EXAMPLE)
    assert values(config) == values(expected)
    assert config.metrics == expected.metrics
    assert resolved(config.run) == resolved(expected.run)
    assert config.extra_outputs_file == expected.extra_outputs_file
    assert config.data["sweep"] == expected.data["sweep"] | {
        "axes": {**expected.data["sweep"]["axes"], "parameters.k": [0.0, 12500.0, 25000.0, 37500.0, 50000.0]}
    }


@pytest.mark.parametrize(
    "given",
    [
        [1, 2.5],
        (1.0, 2.5),
        np.array([1.0, 2.5]),
        np.array([1.0, 2.5], np.float32),
        np.array([1.0, 2.5], object),
        [np.float64(1), 2.5],
        [np.float32(1), np.float32(2.5)],
    ],
)
def test_lists_and_arrays_are_the_same_values(folder, given):
    (axis,) = sweep_from_keywords("leg.py", {"k": given}, final_time=1).axes
    assert axis.values.dtype == np.float64
    assert axis.values.tolist() == [1.0, 2.5]


def test_ranges_and_words_are_lists_too(folder):
    config = sweep_from_keywords(
        "leg.py", {"spring": range(1, 4), "terrain": np.array(["flat", "sloped"])}, final_time=1
    )
    assert values(config) == {"parameters.spring": [1, 2, 3], "parameters.terrain": ["flat", "sloped"]}


def test_rows_are_a_mapping_of_columns_or_a_table(folder):
    columns = {"k": np.array([1.0, 2.0]), "angle [deg]": [10, 20], "terrain": ["flat", "sloped"]}
    expected = {
        "parameters.k": [1.0, 2.0],
        "initial.angle": [math.radians(10), math.radians(20)],
        "parameters.terrain": ["flat", "sloped"],
    }
    for rows in (columns, pd.DataFrame(columns), pa.table(columns)):
        config = sweep_from_keywords("leg.py", None, rows=rows, final_time=1)
        assert len(config.factors) == 1
        assert values(config) == expected
        assert [axis.degrees for axis in config.axes] == [False, True, False]
        assert values(sweep_from_data(sweep_data(config))) == expected


@pytest.mark.parametrize(
    ("axes", "problem"),
    [
        ({"k": [1, -1]}, "keyword: axes.k: value [1] of the array: expected a number from 0 to inf [N/m], found -1; "),
        (
            {"k": np.array([1.0, np.nan, 2.0])},
            "keyword: axes.k: value [1] of the array: expected a finite number [N/m], ",
        ),
        (
            {"spring": np.array([1.0, 1.5])},
            "keyword: axes.spring: value [1] of the array: expected a whole number, found",
        ),
        ({"terrain": np.arange(2)}, "keyword: axes.terrain: expected words out of flat, sloped, found numbers; list w"),
        ({"k": np.array([])}, "keyword: axes.k: expected at least one value, found an empty list"),
        ({"k": np.ones((2, 2))}, "keyword: axes.k[0]: expected a number [N/m], found a list"),
        ({"k": [1, True]}, "keyword: axes.k[1]: expected a number [N/m], found true"),
        ({"k": [1, "x"]}, "keyword: axes.k[1]: expected a number [N/m], found 'x'"),
        ({"k": [1, 10**400]}, "keyword: axes.k[1]: expected a finite number [N/m], found an integer of more than 64"),
        ({"k": (k for k in [1.0])}, "keyword: axes.k: expected a list or array of values, one value or an expression"),
        ({"k": None}, "keyword: axes.k: expected a list or array of values, one value or an expression"),
        ({"k": object()}, "keyword: axes.k: expected a number [N/m], found <object"),
        (
            {"max_steps": np.linspace(1, 4, 7)},
            "keyword: axes.max_steps: value [1] of the array: expected a whole number, ",
        ),
        ({"kk": [1]}, "keyword: axes.kk: there is no 'kk' to vary; did you mean `k`?"),
        ({}, "keyword: axes: expected at least one axis, found none"),
        ([1, 2], "keyword: axes: expected a mapping of `name: value` entries, found "),
        ("k", "keyword: axes: expected a mapping of `name: value` entries, found 'k'"),
    ],
)
def test_bad_axes_from_python_are_refused_under_their_name(folder, axes, problem):
    problems = keyword_problems(axes)
    assert problems[0].startswith(problem)


def test_other_bad_keywords_are_refused_under_their_name(folder):
    assert keyword_problems({"k": [1]}, zip={"y": [1], "ydot": [1, 2]})[0].startswith(
        "keyword: zip: expected axes of o"
    )
    assert keyword_problems({"k": [1], "y": [1]}, rows={"initial.y": [1]}) == (
        "keyword: rows.initial.y: initial.y varies already (keyword: axes.y); remove one of the two axes",
    )
    assert keyword_problems({}, random={"samples": 2, "axes": {"max_steps": "uniform(1, 9)"}})[0].startswith(
        "keyword: random.axes.max_steps: a whole number cannot be drawn"
    )
    assert keyword_problems({"k": [1]}, metrics=["cout"])[0].startswith(
        "keyword: metrics[0]: there is no metric 'cout'"
    )
    assert keyword_problems({"k": [1]}, metrics="status")[0].startswith("keyword: metrics: expected a list of metrics")
    assert keyword_problems({"k": [1]}, block=0)[0].startswith("keyword: block: expected a number of at least 1")
    assert keyword_problems({"k": [1]}, rtoll=0)[0].startswith("keyword: rtoll: there is no such keyword; did you mean")
    (problem,) = keyword_problems({"k": [1]}, thread=2)
    assert problem == "keyword: thread: there is no such keyword; did you mean `threads`?"
    (problem,) = keyword_problems({"k": [1]}, frequency=2)
    assert problem.endswith(f"the keywords are {', '.join([*SWEEP_KEYWORDS, *EXECUTION_KEYWORDS, *KEYWORDS])}")
    assert keyword_problems({"k": [1]}, final_time=None)[0].startswith(
        "keyword: final_time: expected a number, found n"
    )
    assert keyword_problems({"k": [1]}, extra_outputs="x.py")[0].startswith("keyword: extra_outputs: ")
    assert keyword_problems({"k": [1]}, rows="x.csv")[0].startswith("keyword: rows: ")
    with pytest.raises(ModelError, match="nowhere"):
        sweep_from_keywords("nowhere.py", {"k": [1]})


def test_an_array_of_a_million_stays_an_array(folder, monkeypatch):
    def refuse(*_):
        raise AssertionError("the values are looked at one by one")

    monkeypatch.setattr(axis_values, "axis_of_values", refuse)
    numbers = np.linspace(0.0, 1.0, 10**6)
    config = sweep_from_keywords("leg.py", {"k": numbers}, final_time=1)
    table = sweep_from_keywords("leg.py", None, rows={"y": numbers, "final_time": numbers + 1}, final_time=1)
    assert [len(axis.values) for axis in (*config.axes, *table.axes)] == [10**6] * 3
    assert np.array_equal(config.axes[0].values, numbers)


def test_the_arrays_of_the_caller_are_not_those_of_the_sweep(folder):
    numbers = np.array([1.0, 2.0])
    config = sweep_from_keywords("leg.py", {"k": numbers}, final_time=1)
    numbers[:] = 0.0
    assert config.axes[0].values.tolist() == [1.0, 2.0]


# --- there and back


def same(one: SweepConfig, other: SweepConfig) -> bool:
    def facts(axis: Axis) -> tuple:
        return axis.key, axis.name, axis.unit, axis.degrees, axis.values.dtype, axis.values.tobytes()

    return (
        [[facts(axis) for axis in factor] for factor in one.factors]
        == [[facts(axis) for axis in factor] for factor in other.factors]
        and one.metrics == other.metrics
        and one.extra_outputs_file == other.extra_outputs_file
        and one.block == other.block
        and one.data == other.data
        and resolved(one.run) == resolved(other.run)
    )


def test_the_data_of_a_sweep_make_the_same_sweep_anywhere(sweep, beside, monkeypatch):
    config = sweep(EXAMPLE)
    elsewhere = beside / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert same(sweep_from_data(sweep_data(config)), config)
    Path("again.yaml").write_text(write_yaml(sweep_data(config)))
    assert same(load_sweep("again.yaml"), config)


def test_the_data_of_keywords_have_every_digit_and_default(folder):
    given = [0.1 + 0.2, 1 / 3]
    config = sweep_from_keywords("leg.py", {"k": given, "angle": ["22 deg", 0.1]}, final_time=1)
    data = sweep_data(config)
    assert data["sweep"] == {"axes": {"parameters.k": given, "initial.angle": ["22 deg", 0.1]}}
    assert data["metrics"] == {
        "status": "status",
        "final(t)": "final(t)",
        "count(touchdown)": "count(touchdown)",
        "count(liftoff)": "count(liftoff)",
    }
    assert same(sweep_from_data(data), config)


def test_values_may_stand_in_a_file_of_numbers(sweep, refused, beside):
    np.save("k.npy", np.array([1.0, 2.5]))
    Path("spring.csv").write_text("1, 2 # and\n3\n")
    Path("y.csv").write_text("1 x\n")
    config = sweep(BASE + "sweep: {axes: {k: k.npy}, rows: {spring: spring.csv, 'angle [deg]': [1, 2, 3]}}")
    assert values(config)["parameters.k"] == [1.0, 2.5]
    assert values(config)["parameters.spring"] == [1, 2, 3]
    assert config.data["sweep"]["axes"] == {"parameters.k": str(beside / "k.npy")}
    assert config.data["sweep"]["rows"]["parameters.spring"] == str(beside / "spring.csv")
    text = BASE + "sweep: {axes: {y: y.csv, k: nowhere.npy}, rows: {spring: nowhere.csv, ydot: [1], terrain: a.csv}}"
    unreadable, missing, also_missing, word = refused(text)
    assert unreadable.startswith("run.yaml:3:16: sweep.axes.y: ")
    assert "y.csv:1: expected a number, found 'x'" in unreadable
    assert "nowhere.npy" in missing
    assert "nowhere.csv: there is no such file" in also_missing
    column = text.splitlines()[-1].index("terrain") + 1
    assert word.startswith(f"run.yaml:3:{column}: sweep.rows.terrain: expected a list of values, one for each run")


def test_long_lists_are_kept_apart_from_the_file_of_a_sweep(folder):
    table = {"y": np.linspace(1, 2, 2000), "angle [deg]": np.linspace(0, 90, 2000), "terrain": ["flat"] * 2000}
    config = sweep_from_keywords(
        "leg.py", {"k": np.linspace(0, 1, 3), "spring": np.arange(1500)}, rows=table, final_time=1
    )
    data, files = sweep_files(config)
    assert data["sweep"]["axes"] == {"parameters.k": [0.0, 0.5, 1.0], "parameters.spring": "_parameters.spring.npy"}
    assert files.keys() == {"_parameters.spring.npy", "_initial.y.npy", "_initial.angle.npy"}
    inside = folder / "results"
    inside.mkdir()
    for name, numbers in files.items():
        np.save(inside / name, numbers)
    (inside / "_config.yaml").write_text(write_yaml(data))
    again = load_sweep(inside / "_config.yaml")
    assert [[axis.values.tobytes() for axis in factor] for factor in again.factors] == [
        [axis.values.tobytes() for axis in factor] for factor in config.factors
    ]
    assert [axis.degrees for axis in again.axes] == [axis.degrees for axis in config.axes]


def test_bad_data_are_refused(folder):
    data = sweep_data(sweep_from_keywords("leg.py", {"k": [1]}, final_time=1))
    with pytest.raises(ConfigError, match=r"sweep data: sweep.axes.kk: there is no 'kk' to vary"):
        sweep_from_data({**data, "sweep": {"axes": {"kk": [1]}}})
    with pytest.raises(ConfigError, match=r"nowhere\.py"):
        sweep_from_data({**data, "model": "nowhere.py"})


def test_a_model_made_in_the_session_can_be_swept(folder):
    model = dataclasses.replace(load_model("leg.py"), source="")
    assert sweep_from_keywords(model, {"k": [1]}, final_time=1).run.model is model
