"""Each closed set of words stands once, in `hybridsim.typing`: tables, schema and docstrings have no other words."""

import inspect
import pydoc
import re
from typing import Literal, get_args, get_origin

import pytest
from test_house import documented

import hybridsim
from hybridsim import ConfigError, ModelError, SimulationError, scene, typing, viewer
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.orbit_settings import SectionSettings
from hybridsim.config.schema import OutputSettings
from hybridsim.config.sweep import metrics
from hybridsim.engine import memory
from hybridsim.engine.methods import METHODS
from hybridsim.results.files import FORMATS, USUAL_FORMATS
from hybridsim.simulation.rebuild import PARTICIPLES
from hybridsim.simulation.row_arguments import GROUPS

SETS = {name: get_args(alias) for name, alias in vars(typing).items() if get_origin(alias) is Literal}

TABLES = {
    "Method": METHODS,
    "Format": FORMATS,
    "Touch": hybridsim.model.TOUCH_POLICIES,
    "EventKind": memory.EVENT_KINDS,
    "Certificate": memory.CERTIFICATES,
    "VariableGroup": GROUPS,
    "Purpose": PARTICIPLES,
}
"""Closed set -> a table of the program with the same words."""


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_words_of_the_set(name):
    assert sorted(TABLES[name]) == sorted(SETS[name])


def test_metrics_are_of_the_kinds_of_the_set():
    kinds = {*metrics.WORD_KINDS, metrics.FORMULA_KIND, *metrics.COUNT_KINDS, *metrics.BOUNDARY_KINDS}
    forms = {form.partition("(")[0] for form in metrics.METRIC_FORMS if "(" in form}
    assert kinds | forms | {"orbit"} == {*SETS["MetricKind"]}
    assert {*USUAL_FORMATS} <= {*SETS["Format"]}


def test_the_schema_takes_its_words_from_the_sets():
    def words(section, key):
        annotation = section.model_fields[key].annotation
        return get_args(annotation if get_origin(annotation) is Literal else get_args(annotation)[0])

    assert words(EngineSettings, "method") == SETS["Method"]
    assert words(OutputSettings, "formats") == SETS["Format"]
    assert words(SectionSettings, "when") == SETS["Side"]
    assert words(SectionSettings, "direction") == SETS["Direction"]


@pytest.mark.parametrize("name", documented())
def test_the_words_in_a_docstring_are_those_of_a_set(name):
    listed = re.findall(r"(?m)^\w[\w, ]* : \{(\".*\")\}", inspect.getdoc(pydoc.locate(name)) or "")
    for text in listed:
        assert any({*re.findall(r'"([^"]+)"', text)} <= {*words} for words in SETS.values()), text


WRONG = {
    "method": (lambda: hybridsim.simulate("bouncing_ball", final_time=1.0, method="rk5"), ConfigError, "rk4"),
    "armed": (lambda: hybridsim.Boundary("b", armed="allways"), ModelError, "always"),
    "touch": (lambda: hybridsim.Boundary("b", touch="reports"), ModelError, "report"),
    "severity": (lambda: hybridsim.Message("m", severity="err"), ModelError, "error"),
    "kind": (lambda: scene.Body("b", scene.Sphere(1.0), kind="forces"), ModelError, "force"),
    "function": (lambda: hybridsim.jacobian("slip", "vectorfield"), ConfigError, "vector_field"),
    "when": (lambda: hybridsim.Section("b", when="befor"), ConfigError, "before"),
    "direction": (lambda: hybridsim.Section(state="x", value=0.0, direction="raising"), ConfigError, "rising"),
    "camera": (lambda: viewer.ViewOptions(camera="sides"), ConfigError, "side"),
    "layout": (lambda: viewer.ViewOptions(layout="ghost"), ConfigError, "ghosts"),
}
"""Argument -> a call with a wrong word for it, the error, and the word that is meant."""


@pytest.mark.parametrize("argument", WRONG)
def test_another_word_is_refused_and_the_nearest_one_named(argument):
    call, error, meant = WRONG[argument]
    with pytest.raises(error, match=rf"{argument}: expected one of .*, found '.*'; did you mean `{meant}`\?"):
        call()


def test_another_word_for_what_a_run_is_asked_is_refused():
    run = hybridsim.simulate("bouncing_ball", final_time=0.1)
    for argument, call in {
        "side": lambda: run.at(0.0, side="afte"),
        "jumps": lambda: run.to_pandas(jumps="bot"),
    }.items():
        with pytest.raises(SimulationError, match=f"{argument}: expected one of .*; did you mean"):
            call()
