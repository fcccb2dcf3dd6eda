"""The data of a sweep make the same sweep again, in a file, in numbers kept apart, or in memory."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from hybridsim.config.sweep import (
    load_sweep_config,
    sweep_data,
    sweep_from_data,
    sweep_from_keywords,
)
from hybridsim.config.sweep.sweep_config import sweep_files
from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError
from hybridsim.model.registry import load_model

from leg_sweeps import BASE, EXAMPLE, same_sweeps, values_by_key


def test_the_data_of_a_sweep_make_the_same_sweep_anywhere(sweep, example_files, monkeypatch):
    config = sweep(EXAMPLE)
    elsewhere = example_files / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert same_sweeps(sweep_from_data(sweep_data(config)), config)
    Path("again.yaml").write_text(write_yaml(sweep_data(config)))
    assert same_sweeps(load_sweep_config("again.yaml"), config)


def test_the_data_of_keywords_have_every_digit_and_default(folder):
    given = [0.1 + 0.2, 1 / 3]
    config = sweep_from_keywords("leg.py", {"k": given, "angle": ["22 deg", 0.1]}, final_time=1)
    data = sweep_data(config)
    assert data["sweep"] == {"axes": {"parameters.k": given, "initial.angle": ["22 deg", 0.1]}}
    assert data["metrics"] == {
        "status": "status",
        "cause": "cause",
        "final(t)": "final(t)",
        "count(touchdown)": "count(touchdown)",
        "count(liftoff)": "count(liftoff)",
    }
    assert same_sweeps(sweep_from_data(data), config)


def test_values_may_stand_in_a_file_of_numbers(sweep, problems, example_files):
    np.save("k.npy", np.array([1.0, 2.5]))
    Path("spring.csv").write_text("1, 2 # and\n3\n")
    Path("y.csv").write_text("1 x\n")
    config = sweep(BASE + "sweep: {axes: {k: k.npy}, rows: {spring: spring.csv, 'angle [deg]': [1, 2, 3]}}")
    assert values_by_key(config)["parameters.k"] == [1.0, 2.5]
    assert values_by_key(config)["parameters.spring"] == [1, 2, 3]
    assert config.data["sweep"]["axes"] == {"parameters.k": str(example_files / "k.npy")}
    assert config.data["sweep"]["rows"]["parameters.spring"] == str(example_files / "spring.csv")
    text = BASE + "sweep: {axes: {y: y.csv, k: nowhere.npy}, rows: {spring: nowhere.csv, ydot: [1], terrain: a.csv}}"
    unreadable, missing, also_missing, word = problems(text)
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
    again = load_sweep_config(inside / "_config.yaml")
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
