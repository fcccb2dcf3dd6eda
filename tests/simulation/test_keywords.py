"""The signatures of `simulate` and `Simulation` are the schema of a config."""

import inspect

import pytest

from hybridsim import ConfigError, Simulation, simulate
from hybridsim.config import RecordSettings
from hybridsim.config.keywords import KEYWORDS
from hybridsim.config.schema import EngineSettings, Settings

EMPTY = {"parameters": {}, "inputs": {}, "initial": {}, "output": Settings.model_fields["output"].get_default(
    call_default_factory=True
)}  # fmt: skip
"""Keywords whose default None stands for the empty section of a config."""

both = pytest.mark.parametrize("function", [simulate, Simulation])


def keywords_of(function):
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def default_in_schema(name):
    fields = EngineSettings.model_fields if KEYWORDS[name][0] == "engine" else Settings.model_fields
    return None if name == "final_time" else fields[name].get_default(call_default_factory=True)


@both
def test_the_keywords_are_the_keys_of_a_config(function):
    assert keywords_of(function).keys() == KEYWORDS.keys()


@both
def test_the_defaults_are_those_of_a_config(function):
    defaults = keywords_of(function)
    assert defaults.pop("record") is True
    assert default_in_schema("record") == RecordSettings(steps=True)
    for name, empty in EMPTY.items():
        assert defaults.pop(name) is None
        assert default_in_schema(name) == empty
    assert defaults == {name: default_in_schema(name) for name in defaults}


def test_both_take_the_same():
    assert inspect.signature(simulate).parameters == inspect.signature(Simulation).parameters


@both
def test_every_keyword_is_documented_in_order(function):
    lines = inspect.getdoc(function).splitlines()
    documented = [line.split(" : ")[0] for line in lines if " : " in line and not line.startswith(" ")]
    known = {"model", *KEYWORDS}
    assert [name for name in documented if name in known][: len(known)] == ["model", *keywords_of(function)]


def test_a_given_keyword_is_distinguished_from_a_default():
    tolerance = float("1e-8")  # the default, but given
    simulation = Simulation("bouncing_ball", final_time=1.0, rtol=tolerance)
    assert simulation.config.origins["engine.rtol"] == "keyword"
    assert simulation.config.origins["engine.atol"] == "default"


@both
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rtoll": 1e-8}, "keyword: rtoll: there is no such keyword; did you mean `rtol`?"),
        ({"gravity": 1.6}, "keyword: gravity: there is no such keyword"),
    ],
)
def test_other_keywords_are_refused_in_words(function, keywords, message):
    with pytest.raises(ConfigError) as failure:
        function("bouncing_ball", final_time=1.0, **keywords)
    assert str(failure.value).startswith(message)


def test_none_stands_for_the_default_of_a_section():
    run = simulate("bouncing_ball", parameters=None, initial=None, inputs=None, output=None, final_time=0.5)
    assert run.t[-1] == 0.5
