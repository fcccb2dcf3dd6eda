"""Sweeps from Python: lists, arrays and tables as axes."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hybridsim.config import resolve
from hybridsim.config.sweep import (
    axis_values,
    sweep_data,
    sweep_from_data,
    sweep_from_keywords,
)
from hybridsim.config.sweep.keywords import EXECUTION_KEYWORDS, SweepKeywords
from hybridsim.errors import ConfigError, ModelError

from leg_sweeps import EXAMPLE, values_by_key


def keyword_problems(*arguments, **keywords):
    with pytest.raises(ConfigError) as caught:
        sweep_from_keywords("leg.py", *arguments, **{"final_time": 1.0, **keywords})
    return caught.value.problems


def test_keywords_and_a_file_make_the_same_sweep(sweep, example_files):
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
    )
    expected = sweep(EXAMPLE + "output: {base: leg}\n")
    assert values_by_key(config) == values_by_key(expected)
    assert config.metrics == expected.metrics
    assert resolve(config.run) == resolve(expected.run)
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
    assert values_by_key(config) == {"parameters.spring": [1, 2, 3], "parameters.terrain": ["flat", "sloped"]}


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
        assert values_by_key(config) == expected
        assert [axis.degrees for axis in config.axes] == [False, True, False]
        assert values_by_key(sweep_from_data(sweep_data(config))) == expected


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
    (problem,) = keyword_problems({"k": [1]}, worker=2)
    assert problem == "keyword: worker: there is no such keyword; did you mean `workers`?"
    (problem,) = keyword_problems({"k": [1]}, frequency=2)
    assert problem.endswith(
        f"the keywords are {', '.join(['axes', 'metrics', *EXECUTION_KEYWORDS, *SweepKeywords.__annotations__])}"
    )
    assert keyword_problems({"k": [1]}, final_time=None)[0].startswith(
        "keyword: final_time: expected a number, found n"
    )
    assert keyword_problems({"k": [1]}, extra_outputs="x.py")[0].startswith("keyword: extra_outputs: ")
    assert keyword_problems({"k": [1]}, rows="x.csv")[0].startswith("keyword: rows: ")
    with pytest.raises(ModelError, match="nowhere"):
        sweep_from_keywords("nowhere.py", {"k": [1]})


def test_a_long_array_stays_an_array(folder, monkeypatch):
    def refuse(*_):
        raise AssertionError("the values are looked at one by one")

    monkeypatch.setattr(axis_values, "axis_of_values", refuse)
    numbers = np.linspace(0.0, 1.0, 10**5)
    config = sweep_from_keywords("leg.py", {"k": numbers}, final_time=1)
    table = sweep_from_keywords("leg.py", None, rows={"y": numbers, "final_time": numbers + 1}, final_time=1)
    assert [len(axis.values) for axis in (*config.axes, *table.axes)] == [10**5] * 3
    assert np.array_equal(config.axes[0].values, numbers)


def test_the_arrays_of_the_caller_are_not_those_of_the_sweep(folder):
    numbers = np.array([1.0, 2.0])
    config = sweep_from_keywords("leg.py", {"k": numbers}, final_time=1)
    numbers[:] = 0.0
    assert config.axes[0].values.tolist() == [1.0, 2.0]
