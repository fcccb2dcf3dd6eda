import math
from pathlib import Path

import pytest

from hybridsim.config import load_config, resolve, resolve_to_yaml, rows
from hybridsim.config.run_config import with_values

FULL = """
model: ./leg.py
initial_time: -1
final_time: 0.1
parameters: {k: 1e-300, terrain: sloped, heights: [0.1, 1e22, 3]}
initial: {y: 0.30000000000000004, angle: 22 deg}
stop: [{boundary: touchdown, count: 24}, {state: y, value: 0.5}]
engine: {method: rk4_adaptive, max_step: 1e-2, max_transitions: 1e5}
record: {period: 0.1, outputs: [height]}
output: {folder: out, base: 1e5, formats: [hdf5]}
progress_period: 0.5
view: true
"""


@pytest.mark.parametrize(
    "text", [FULL.replace("1e5, formats", "'1e5', formats"), "model: leg.py\nfinal_time: 1\nrecord: false\n"]
)
def test_the_resolved_config_loads_again_as_the_same_run_from_any_folder(load, text, tmp_path):
    config = load(text)
    again = tmp_path / "elsewhere" / "again.yaml"
    again.parent.mkdir()
    again.write_text(resolve_to_yaml(config))
    assert resolve(load_config(again)) == resolve(config)


def test_every_value_is_listed_with_its_origin(load):
    config = load("model: leg.py\nfinal_time: 1\nengine:\n  rtol: 1e-6\nrecord: true\n", "parameters.k=5")
    listed = {key: (value, origin) for key, value, origin in rows(config)}
    assert listed["model"][1] == "run.yaml:1:1"
    assert listed["final_time"] == (1.0, "run.yaml:2:1")
    assert listed["engine.rtol"] == (1e-6, "run.yaml:4:3")
    assert listed["engine.max_step"] == (math.inf, "default")
    assert listed["record.steps"] == (True, "run.yaml:5:1")
    assert listed["parameters.k"] == (5.0, "command line")
    assert listed["parameters.heights"] == ([0.0, 0.1, 0.2], "default")
    assert listed["initial.y"] == (1.0, "default")
    assert listed["stop"] == ([], "default")
    assert listed.keys() == config.origins.keys()


def test_a_config_is_named_by_its_file(load):
    config = load("model: leg.py\nfinal_time: 1\n")
    assert config.source == Path("run.yaml")
    assert config.model_name == str(Path("leg.py").resolve())


def test_a_run_with_other_values_differs_in_these_alone(load):
    base = load("model: leg.py\nfinal_time: 1\ninitial: {y: 2}\nengine: {atol: 1e-7}")
    values = {
        "parameters.terrain": "sloped",
        "initial.ydot": 3.0,
        "engine.method": "tsit5",
        "engine.max_steps": 7,
        "final_time": 5.0,
    }
    text = "initial: {y: 2, ydot: 3}\nengine: {atol: 1e-7, method: tsit5, max_steps: 7}\nparameters: {terrain: sloped}"
    assert resolve(with_values(base, values)) == resolve(load(f"model: leg.py\nfinal_time: 5\n{text}"))
