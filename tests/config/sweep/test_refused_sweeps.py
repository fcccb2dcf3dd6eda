"""Sweeps in files that are refused, with the place and the remedy."""

from pathlib import Path

import pytest

from leg_sweeps import BASE


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
        ("k: 0..1:3", "5:5: sweep.axes.k: ", "found '0..1:3'; write linspace(0, 1, 3)"),
        ("k: -2 .. 1e3", "5:5: sweep.axes.k: ", "found '-2 .. 1e3'; write linspace(-2, 1e3, 11)"),
        ("k: a/../b.txt", "5:5: sweep.axes.k: ", "expected a number [N/m], found 'a/../b.txt'"),
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
        ("heights: [[1, 2, 3]]", "5:15: sweep.axes.heights[0]: ", "expected a number"),
        ("max_wall_time: [1]", "5:5: sweep.axes.max_wall_time: ", "results would depend on the machine"),
        ("output.folder: [a]", "5:5: sweep.axes.output.folder: ", "this key cannot vary; an axis varies a parameter"),
        ("record: [true]", "5:5: sweep.axes.record: ", "this key cannot vary"),
        ("model: [a]", "5:5: sweep.axes.model: ", "this key cannot vary"),
    ],
)
def test_a_bad_axis_is_refused_where_it_stands(refused, axes, where, what):
    refused(f"{BASE}sweep:\n  axes:\n    {axes}", where, what)


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
def test_a_bad_group_is_refused_where_it_stands(problems, text, where, what):
    reported = problems(BASE + text)
    assert reported[0].startswith(f"run.yaml:{where}")
    assert what in reported[0]
    assert len(reported) == 1 or "required" in reported[0]


def test_all_errors_are_reported_at_once(problems):
    reported = problems(
        "model: leg.py\nparameters: {kk: 1}\nmetrics: [coun(touchdown), final(q)]\n"
        "sweep:\n  axes: {k: [-1, -2], hights: [1]}\n  rows: nowhere.csv\n  extra_outputs: nowhere.py\n  blok: 5"
    )
    assert {problem.split(": ")[1] for problem in reported} == {
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
def test_axes_of_different_lengths_are_reported_together_with_their_other_errors(problems, group, counts):
    reported = problems(f"{BASE}sweep: {{{group}}}")
    assert sum("expected axes of one length" in problem for problem in reported) == 1
    assert counts in reported[-1]
    assert "expected a number from 0 to inf [N/m], found -1" in reported[0]


def test_of_a_list_with_many_errors_some_are_reported_and_the_others_counted(problems):
    reported = problems(f"{BASE}sweep: {{axes: {{k: {[-1.0] * 12}}}}}")
    assert len(reported) == 6
    assert "7 more of its values are not right" in reported[-1]


def test_columns_of_one_name_are_refused(problems):
    text = BASE + "sweep: {axes: {k: [1]}}\nmetrics: "
    assert problems(text + "{k: status}") == (
        "run.yaml:4:1: metrics: two columns would be called 'k', one of them the axis parameters.k; "
        "write the metrics as NAME: METRIC",
    )
    assert "called 'row', one of them the number of the run" in problems(text + "{row: status}")[0]
    assert "called 'status', one of them a metric" in problems(text + "[status, status]")[0]


def test_an_axis_cannot_have_the_name_of_the_first_column(problems, folder):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('"spring"', '"row"'))
    (problem,) = problems(BASE + "sweep: {axes: {row: [1]}}")
    assert problem.startswith("run.yaml:3:16: sweep.axes.row: its column 'row' would be that of the number of the run")


def test_values_that_do_not_go_together_are_refused_with_the_combination(problems):
    (problem,) = problems(BASE + "sweep: {axes: {min_step: [0.01, 0.1], max_step: [1, 0.05]}}")
    assert problem == (
        "run.yaml:3:16: sweep.axes.min_step: with engine.min_step = 0.1, engine.max_step = 0.05: engine.min_step: "
        "expected at most max_step = 0.05, found 0.1; change one of them"
    )
    (problem,) = problems(BASE + "sweep: {axes: {final_time: [2, 5], initial_time: [0, 3]}}")
    assert "with final_time = 2.0, initial_time = 3.0: final_time: expected more than initial_time = 3.0" in problem


def test_a_value_that_does_not_go_with_the_base_run_is_refused(problems):
    (problem,) = problems(BASE + "sweep: {axes: {initial_time: [0, 10]}}")
    assert "with initial_time = 10.0: final_time: expected more than initial_time = 10.0, found 10.0" in problem
    (problem,) = problems(BASE + "sweep: {axes: {method: [dp5, rk4]}}")
    assert "with engine.method = 'rk4': engine.max_step: the method rk4 takes fixed steps" in problem
