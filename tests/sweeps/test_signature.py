"""The signature of `sweep` is the documentation of its keywords: it has those of the schema, and no others."""

import inspect
import typing

import pytest
from numpydoc.validate import validate

import hybridsim
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.keywords import KEYWORDS
from hybridsim.config.schema import Settings
from hybridsim.config.sweep.keywords import EXECUTION_KEYWORDS, SWEEP_KEYWORDS
from hybridsim.errors import ConfigError

PARAMETERS = inspect.signature(hybridsim.sweep).parameters
UNSHARED_CHECKS = {"EX01", "SA01", "ES01", "GL01", "GL02", "GL03", "SS05", "RT03", "RT05", "PR08", "PR09", "YD01"}


def test_its_parameters_are_the_keys_of_the_schema_in_both_directions():
    expected = {"model", *SWEEP_KEYWORDS, *EXECUTION_KEYWORDS, *KEYWORDS, "unknown"}
    assert {*PARAMETERS} == expected
    assert PARAMETERS["unknown"].kind is inspect.Parameter.VAR_KEYWORD
    positional = [name for name, each in PARAMETERS.items() if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert positional == ["model", "axes", "metrics"]


def default_in_schema(name):
    fields = EngineSettings.model_fields if KEYWORDS[name][0] == "engine" else Settings.model_fields
    return fields[name].get_default()


def test_its_defaults_are_those_of_the_schema():
    defaults = {name: default_in_schema(name) for name in KEYWORDS}
    defaults |= {"final_time": None, "record": True}  # an axis may give it; stands for the section's default
    defaults |= dict.fromkeys(("parameters", "inputs", "initial", "output"))  # a signature holds no mapping
    assert {name: PARAMETERS[name].default for name in KEYWORDS} == defaults
    assert all(PARAMETERS[name].default is None for name in SWEEP_KEYWORDS)


def test_every_parameter_has_a_type():
    assert {*typing.get_type_hints(hybridsim.sweep)} == {*PARAMETERS, "return"}


@pytest.mark.parametrize("name", ["sweep", "load_sweep", "load_config", "read_sweep", "sweeps.SweepTable"])
def test_its_documentation_is_valid_numpydoc(name):
    errors = [error for error in validate(f"hybridsim.{name}")["errors"] if error[0] not in UNSHARED_CHECKS]
    assert errors == []


def test_an_unknown_keyword_is_refused_with_the_nearest_one():
    with pytest.raises(ConfigError, match="keyword: rtoll: there is no such keyword; did you mean `rtol`"):
        hybridsim.sweep("bouncing_ball", {"y": [1.0]}, final_time=0.1, rtoll=1e-6)
