import json
import math

import pytest

from hybridsim.config import EngineSettings, Stop, json_schema, load_config
from hybridsim.errors import ConfigError

RUN = "model: leg.py\nfinal_time: 1\n"


def test_the_defaults_are_the_documented_ones():
    engine = EngineSettings()
    assert (engine.method, engine.rtol, engine.atol, engine.power) == ("dp5", 1e-8, 1e-10, 0.33)
    assert (engine.first_step, engine.max_step, engine.min_step) == (None, math.inf, 0.0)
    assert (engine.stop_precision, engine.max_stop_iterations) == (1e-10, 128)
    assert (engine.max_transitions, engine.max_wall_time) == (100_000, None)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        *((f"engine: {{rtol: {bad}}}", "engine.rtol") for bad in ("-1e-9", ".inf", ".nan", "true", "1e-6x", "[1]", "")),
        *((f"engine: {{atol: {bad}}}", "engine.atol") for bad in ("0", "-1")),
        *((f"engine: {{max_step: {bad}}}", "engine.max_step") for bad in ("0", "-.inf", ".nan", "'1'")),
        *((f"engine: {{max_transitions: {bad}}}", "engine.max_transitions") for bad in ("0", "1.5", "1e16", ".inf")),
        *((f"engine: {{{key}: 0}}", f"engine.{key}") for key in ("first_step", "power", "max_wall_time")),
        ("engine: {power: 1.5}", "engine.power"),
        ("engine: {min_step: -1}", "engine.min_step"),
        ("engine: {max_stop_iterations: 0}", "engine.max_stop_iterations"),
        ("engine: {method: rk45}", "engine.method"),
        ("engine: {method: [dp5]}", "engine.method"),
        ("engine: 3", "engine"),
        ("initial_time: off", "initial_time"),
        ("record: none", "record"),
        ("record: -3", "record.period"),
        ("record: {period: 0}", "record.period"),
        ("record: {steps: false, period: 1}", "record.period"),
        ("record: {outputs: height}", "record.outputs"),
        ("record: {outputs: [height, heigth]}", "record.outputs"),
        ("record: {outputs: [height, height]}", "record.outputs"),
        ("output: {formats: [xml]}", "output.formats[0]"),
        ("output: {base: ''}", "output.base"),
        ("output: {base: a/b}", "output.base"),
        ("output: {folder: 3}", "output.folder"),
        ('output: {folder: "\\0"}', "output.folder"),
        ('output: {base: "\\ud800"}', "output.base"),
        ("progress_period: -1", "progress_period"),
        ("view: 1.5", "view"),
        ("stop: touchdown", "stop"),
        ("stop: [touchdown]", "stop[0]"),
        ("stop: [{boundary: apex}]", "stop[0].boundary"),
        ("stop: [{boundary: liftoff, count: 0}]", "stop[0].count"),
        ("stop: [{state: k, value: 1}]", "stop[0].state"),
        ("stop: [{state: y}]", "stop[0]"),
        ("stop: [{boundary: liftoff, value: 1}]", "stop[0]"),
        ("stop: [{state: y, value: 1, count: 1}]", "stop[0]"),
        ("stop: [{}]", "stop[0]"),
        ("stop: [{boundary: liftoff, state: y}]", "stop[0]"),
        ("parameters: 3", "parameters"),
        ("initial:", "initial"),
        ("view: true\nsteps: true", "steps"),
    ],
)
def test_a_bad_value_is_one_problem_that_names_its_key_and_what_to_do(problems, line, key):
    (problem,) = problems(f"{RUN}{line}\n")
    origin, named, text = problem.split(": ", 2)
    assert origin.startswith(("run.yaml:3:", "run.yaml:4:"))
    assert named == key
    assert ";" in text


@pytest.mark.parametrize(
    "line", ["engine: {max_transitions: 1e5}", "engine: {max_step: .inf}", "final_time: 2", "record: true"]
)
def test_unusual_but_sensible_values_are_accepted(load, line):
    text = RUN.replace("final_time: 1\n", "") if line.startswith("final_time") else RUN
    assert load(f"{text}{line}\n").model.name == "leg"


def test_missing_required_keys_are_reported(problems):
    assert problems("view: false\n") == (
        "run.yaml:1:1: model: this key is required; give for example slip",
        "run.yaml:1:1: final_time: this key is required; give for example 10.0",
    )


@pytest.mark.parametrize("final_time", ["-1", "0", "null"])
def test_a_run_ends_after_it_starts(problems, final_time):
    (problem,) = problems(f"model: leg.py\nfinal_time: {final_time}\n")
    assert problem.startswith("run.yaml:2:1: final_time: expected ")


def test_the_fixed_step_method_needs_a_step(problems, load):
    (problem,) = problems(f"{RUN}engine:\n  method: rk4\n")
    assert problem.startswith("run.yaml:3:1: engine.max_step: the method rk4 takes fixed steps; set first_step")
    assert load(f"{RUN}engine: {{method: rk4, first_step: 0.1}}\n").engine.first_step == 0.1
    assert load(f"{RUN}engine: {{method: rk4, max_step: 0.1}}\n").engine.max_step == 0.1


def test_step_bounds_must_not_contradict_each_other(problems):
    assert problems(f"{RUN}engine: {{first_step: 2, max_step: 1}}\n")[0].startswith("run.yaml:3:25: engine.max_step:")
    assert problems(f"{RUN}engine: {{min_step: 2, max_step: 1}}\n")[0].startswith("run.yaml:3:10: engine.min_step:")


def test_stops_are_read_with_the_count_one_by_default(load):
    stop = load(
        f"{RUN}stop: [{{boundary: liftoff}}, {{boundary: touchdown, count: 24}}, {{state: y, value: 0.5}}]\n"
    ).stop
    assert stop == (Stop(boundary="liftoff"), Stop(boundary="touchdown", count=24), Stop(state="y", value=0.5))
    assert stop[0].count == 1


def test_a_stop_at_an_angle_may_be_written_in_degrees(load, problems):
    (stop,) = load(f"{RUN}stop: [{{state: angle, value: -90 deg}}]\n").stop
    assert stop.value == pytest.approx(-math.pi / 2, rel=1e-15)
    (problem,) = problems(f"{RUN}stop: [{{state: y, value: 22 deg}}]\n")
    assert problem.startswith("run.yaml:3:19: stop[0].value: expected a number [m], found the angle '22 deg'; ")


def test_record_false_keeps_no_steps(load):
    config = load(f"{RUN}record: false\n")
    assert config.record.steps is False
    assert config.origins["record.steps"] == "run.yaml:3:1"


def test_unknown_keys_get_the_nearest_name_of_their_section(problems):
    assert problems(f"{RUN}egnine: {{}}\nengine: {{max_stp: 1}}\n") == (
        "run.yaml:4:10: engine.max_stp: there is no such key; did you mean `max_step`?",
        "run.yaml:3:1: egnine: there is no such key; did you mean `engine`?",
    )


@pytest.mark.parametrize(
    ("key", "home"),
    [("k", "parameters.k"), ("angle", "initial.angle"), ("rtol", "engine.rtol"), ("period", "record.period")],
)
def test_a_key_outside_its_section_is_sent_there(problems, key, home):
    (problem,) = problems(f"{RUN}{key}: 1\n")
    assert problem.endswith(f"did you mean `{home}`?")


def test_the_json_schema_describes_every_key():
    schema = json_schema()
    assert schema["properties"].keys() >= {"model", "final_time", "include", "engine", "record", "stop"}
    sections = [schema, *schema["$defs"].values()]
    undescribed = [
        key for section in sections for key, value in section["properties"].items() if "description" not in value
    ]
    assert undescribed == []
    assert all(section["additionalProperties"] is False for section in sections)


def test_the_json_schema_has_the_limits_and_choices():
    engine = json_schema()["$defs"]["EngineSettings"]["properties"]
    assert engine["rtol"]["minimum"] == 0
    assert "dop853" in engine["method"]["anyOf"][0]["enum"]
    assert json_schema()["properties"]["final_time"]["type"] == "number"


def test_the_json_schema_describes_sweeps():
    schema = json_schema()
    sweep = schema["$defs"]["SweepSettings"]["properties"]
    assert sweep.keys() == {
        *("axes", "zip", "random", "latin_hypercube", "rows", "from", "extra_outputs", "results", "block")
    }
    assert schema["$defs"]["SampleSettings"]["properties"]["samples"]["maximum"] == 10**8
    assert {"type": "array", "items": {"type": "string"}, "minItems": 1} in schema["properties"]["metrics"]["anyOf"]


def test_the_json_schema_is_json():
    assert json.loads(json.dumps(json_schema(), allow_nan=False)) == json_schema()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("engine: {method: rk45}", "did you mean `dp5`?"),
        ("engine: {method: DOPRI853}", "did you mean `dop853`?"),
        ("output: {formats: hdf5}", "give for example [simsect, hdf5]"),
        ("stop: touchdown", "give for example [{boundary: touchdown, count: 10}]"),
        ("engine: 3", "give for example {method: dp5}"),
        ("initial: 3", "give for example {y: 1.0}"),
    ],
)
def test_messages_name_the_method_meant_and_show_how_lists_and_mappings_are_written(tmp_path, text, message):
    (tmp_path / "run.yaml").write_text(f"model: slip\nfinal_time: 1\n{text}\n")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / "run.yaml")
    assert str(caught.value).endswith(message)
