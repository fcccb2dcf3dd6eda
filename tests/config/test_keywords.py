import dataclasses
from pathlib import Path

import numpy as np
import pytest

from hybridsim.config import Stop, config_from_keywords, load_config, resolve, resolve_to_yaml
from hybridsim.config.keywords import KEYWORDS
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model.registry import load_model


def problems(*arguments: object, **keywords: object) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        config_from_keywords(*(arguments or ("leg.py",)), **keywords)
    return caught.value.problems


def test_keywords_and_a_file_make_the_same_run(load):
    text = (
        "model: leg.py\ninitial_time: 0.5\nfinal_time: 10\nparameters: {k: 1000, terrain: sloped}\n"
        "initial: {y: 0.9}\nstop: [{boundary: touchdown, count: 24}, {state: y, value: 0.2}]\n"
        "engine: {method: dop853, rtol: 1e-9}\nrecord: {period: 0.1}\noutput: {base: leg}\n"
    )
    config = config_from_keywords(
        "leg.py",
        initial_time=0.5,
        final_time=10,
        parameters={"k": 1000, "terrain": "sloped"},
        initial={"y": 0.9},
        stop=[("touchdown", 24), {"state": "y", "value": 0.2}],
        method="dop853",
        rtol=1e-9,
        record=0.1,
    )
    assert resolve(config) == resolve(load(text))
    assert config.origins["engine.rtol"] == config.origins["parameters.k"] == "keyword"
    assert config.origins["engine.atol"] == "default"
    assert config.source is None


@pytest.mark.parametrize("as_what", [str, Path, load_model])
def test_the_model_is_a_path_or_a_model(folder, as_what):
    config = config_from_keywords(as_what("leg.py"))
    assert config.model.name == "leg"
    assert config.model_name == str(folder / "leg.py")
    assert config.output.base == "leg"


@pytest.mark.parametrize("keywords", [{}, {"final_time": None}])
def test_the_final_time_may_be_left_open(folder, keywords):
    config = config_from_keywords("leg.py", **keywords)
    assert config.final_time is None
    assert config.stop == ()


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (True, (True, None, None)),
        (False, (False, None, None)),
        (2, (True, 2.0, None)),
        (np.float32(0.5), (True, 0.5, None)),
        ({"period": 1, "outputs": ["height"]}, (True, 1.0, ("height",))),
    ],
)
def test_record_is_a_switch_a_period_or_a_mapping(folder, record, expected):
    settings = config_from_keywords("leg.py", record=record).record
    assert (settings.steps, settings.period, settings.outputs) == expected


def test_numpy_numbers_and_arrays_are_welcome(folder):
    config = config_from_keywords(
        "leg.py",
        final_time=np.float64(2),
        parameters={"k": np.int64(5), "heights": np.arange(3)},
        stop=[("touchdown", np.int64(3))],
    )
    assert config.final_time == 2.0
    assert config.parameters["k"] == 5.0
    assert config.parameters["heights"] == (0.0, 1.0, 2.0)
    assert config.stop == (Stop(boundary="touchdown", count=3),)


def test_an_unknown_keyword_gets_the_nearest_one(folder):
    elsewhere = {"t_end": 3.0, "tspan": [0, 3], "t_final": 3.0, "RelTol": 1e-3, "x0": [1.0], "solver": "ode45"}
    here = ("final_time", "final_time", "final_time", "rtol", "initial", "method")
    for (name, value), ours in zip(elsewhere.items(), here, strict=True):
        assert problems(**{name: value}) == (f"keyword: {name}: there is no such keyword; it is called `{ours}` here",)
    assert problems(stop=["touchdown"]) == (
        "keyword: stop[0]: expected a mapping, found 'touchdown'; "
        "write {boundary: touchdown}, or {state: NAME, value: NUMBER}",
    )
    assert problems(rtoll=1e-8) == ("keyword: rtoll: there is no such keyword; did you mean `rtol`?",)
    assert problems(sweep={}, metrics=[])[0].startswith("keyword: sweep: there is no such keyword")  # for sweep() alone
    assert problems(frequency=1)[0].endswith(f"the keywords are {', '.join(KEYWORDS)}")


@pytest.mark.parametrize(
    ("keywords", "key"),
    [
        ({"rtol": -1}, "rtol"),
        ({"rtol": "1e-8"}, "rtol"),
        ({"final_time": "soon"}, "final_time"),
        ({"final_time": 1, "initial_time": 1}, "final_time"),
        ({"parameters": {"kk": 1}}, "parameters.kk"),
        ({"parameters": {"k": float("nan")}}, "parameters.k"),
        ({"parameters": {"k": 10**5000}}, "parameters.k"),
        ({"max_transitions": 10**5000}, "max_transitions"),
        ({"final_time": 10**5000}, "final_time"),
        ({"parameters": [1]}, "parameters"),
        ({"initial": {"y": None}}, "initial.y"),
        ({"initial": {5: 1}}, "initial.5"),
        ({"stop": "touchdown"}, "stop"),
        ({"stop": [("landing", 1)]}, "stop[0].boundary"),
        ({"stop": ("touchdown", 2.5)}, "stop[0].count"),
        ({"stop": [("touchdown", 1, 2)]}, "stop[0]"),
        ({"record": -1}, "record.period"),
        ({"record": "yes"}, "record"),
        ({"method": object()}, "method"),
        ({"method": "\ud800"}, "method"),
        ({"parameters": {"\ud800": 1}}, r"parameters.\ud800"),
    ],
)
def test_a_bad_keyword_is_refused_under_its_name(folder, keywords, key):
    (problem,) = problems(**keywords)
    assert problem.startswith(f"keyword: {key}: ")


def test_one_stop_needs_no_list(folder):
    one, listed = (config_from_keywords("leg.py", stop=stop) for stop in (("touchdown", 3), [("touchdown", 3)]))
    assert one.stop == listed.stop == (Stop(boundary="touchdown", count=3),)


def test_several_bad_keywords_are_reported_at_once(folder):
    assert len(problems(rtol=-1, atoll=1, parameters={"k": -1, "spring": 0.5})) == 4


def test_an_unknown_model_is_a_model_error_and_something_else_a_config_error(folder):
    with pytest.raises(ModelError, match="nowhere"):
        config_from_keywords("nowhere.py")
    assert problems(5)[0].startswith("keyword: model: expected a name, the path of a plug-in or a Model, found 5")


def test_the_config_of_a_model_made_in_the_session_has_its_name(folder):
    model = dataclasses.replace(load_model("leg.py"), source="")
    assert config_from_keywords(model).model_name == "leg"


def test_the_run_of_keywords_can_be_written_and_loaded_again(folder):
    config = config_from_keywords("leg.py", final_time=1 / 3, initial={"y": 0.1 + 0.2})
    Path("again.yaml").write_text(resolve_to_yaml(config))
    assert resolve(load_config("again.yaml")) == resolve(config)
