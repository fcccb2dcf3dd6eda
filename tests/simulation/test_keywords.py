"""The signatures and docstrings of what takes the keys of a config as keywords follow from the schema."""

import inspect
import typing

import pytest
from numpydoc.docscrape import NumpyDocString

from hybridsim import ConfigError, Evaluator, Simulation, simulate, sweep
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.keywords import KEYWORDS, ONLY_IN_FILES, CommonKeywords, RunKeywords
from hybridsim.config.schema import Settings
from hybridsim.config.signatures import field_of
from hybridsim.config.sweep.keywords import EXECUTION_KEYWORDS, GROUPS, SweepKeywords
from hybridsim.config.sweep_settings import SweepSettings

SECTIONS_OF_PROGRAMS = {"model", "orbit", "sweep", "optimize", "metrics"}
"""Keys of a config that other functions, or other arguments, stand for."""

KEYWORDS_OF = {simulate: RunKeywords, Simulation: RunKeywords, sweep: SweepKeywords, Evaluator: CommonKeywords}

each = pytest.mark.parametrize("function", KEYWORDS_OF, ids=lambda function: function.__name__)


def test_the_keywords_of_runs_are_the_keys_of_a_config():
    known = {*Settings.model_fields, *EngineSettings.model_fields}
    assert {*RunKeywords.__annotations__} == known - SECTIONS_OF_PROGRAMS - {*ONLY_IN_FILES}
    assert KEYWORDS.keys() == RunKeywords.__annotations__.keys()


def test_the_keywords_of_sweeps_are_those_of_runs_and_the_keys_of_the_section_but_no_limit_in_seconds():
    assert {*GROUPS.values()} == {*SweepSettings.model_fields} - {"axes"}
    assert {*SweepKeywords.__annotations__} == {*RunKeywords.__annotations__, *GROUPS} - {"max_wall_time"}


def literals(annotation):
    """The closed sets of words in a type."""
    if typing.get_origin(annotation) is typing.Literal:
        return {frozenset(typing.get_args(annotation))}
    return set().union(*map(literals, typing.get_args(annotation)))


@pytest.mark.parametrize("keywords", [RunKeywords, SweepKeywords])
def test_words_are_those_of_the_schema(keywords):
    types = typing.get_type_hints(keywords)
    types.pop("results", None)  # names of the enumeration Status, which no type checker knows as words
    words = {name: literals(type_) for name, type_ in types.items()}
    assert words == {name: literals(field_of(name).annotation) for name in types}
    assert words["method"]


@each
def test_a_signature_has_the_keywords_with_the_types_and_defaults_of_the_schema(function):
    parameters, types = inspect.signature(function).parameters, typing.get_type_hints(KEYWORDS_OF[function])
    for name, type_ in types.items():
        parameter, field = parameters[name], field_of(name)
        assert parameter.kind is parameter.KEYWORD_ONLY
        assert parameter.annotation == type_
        default = None if field.is_required() or field.default == {} else field.default
        assert parameter.default == default
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters.values())


def test_a_sweep_has_its_own_keywords_too():
    own = {*inspect.signature(sweep).parameters} - {*SweepKeywords.__annotations__}
    assert own == {"model", "axes", "metrics", *EXECUTION_KEYWORDS}


@each
def test_every_parameter_is_documented_in_order(function):
    documented = [
        name for entry in NumpyDocString(inspect.getdoc(function))["Parameters"] for name in entry.name.split(", ")
    ]
    assert documented == [*inspect.signature(function).parameters]


@pytest.mark.parametrize("given", [1e-8, float("1e-8")])
def test_a_keyword_is_given_if_it_is_passed_be_it_the_very_default(given):
    simulation = Simulation("bouncing_ball", final_time=1.0, rtol=given)
    assert simulation.config.origins["engine.rtol"] == "keyword"
    assert simulation.config.origins["engine.atol"] == "default"
    default = inspect.signature(Simulation).parameters["rtol"].default
    assert Simulation("bouncing_ball", rtol=default).config.origins["engine.rtol"] == "keyword"


CALLS = {simulate: (), Simulation: (), sweep: ({"y": [1.0]},), Evaluator: (["y"],)}
REFUSED = {
    "rtoll": "there is no such keyword; did you mean `rtol`?",
    "t_end": "there is no such keyword; it is called `final_time` here",
    "guess": "there is no such keyword; it is called `initial` here",
    "gravity": "there is no such keyword; the keywords are ",
    "view": "there is no such keyword: only a config has it; `hybridsim run MODEL --view` shows a run",
    "output": "there is no such keyword: only a config has it; write run.save(path)",
    "progress_period": "there is no such keyword: only a config has it; run(progress=function)",
}


@each
@pytest.mark.parametrize("keyword", REFUSED)
def test_other_keywords_are_refused_in_words(function, keyword):
    with pytest.raises(ConfigError) as failure:
        function("bouncing_ball", *CALLS[function], final_time=1.0, **{keyword: 1e-8})
    assert str(failure.value).startswith(f"keyword: {keyword}: {REFUSED[keyword]}")


def test_what_has_no_effect_in_a_sweep_is_refused_there():
    for function in (sweep, Evaluator):
        with pytest.raises(ConfigError, match="max_wall_time"):
            function("bouncing_ball", *CALLS[function], final_time=1.0, max_wall_time=1.0)
    with pytest.raises(ConfigError, match="keyword: threads: there is no such keyword; it is called `workers` here"):
        sweep("bouncing_ball", {"y": [1.0]}, final_time=1.0, threads=2)
    with pytest.raises(ConfigError, match="an Evaluator records nothing"):
        Evaluator("bouncing_ball", ["y"], final_time=1.0, record=False)


def test_none_stands_for_no_values():
    run = simulate("bouncing_ball", parameters=None, initial=None, inputs=None, final_time=0.5)
    assert run.t[-1] == 0.5
