"""Every public function, class and method refuses a keyword that it does not have in words, with what is meant."""

import importlib
import inspect
from enum import Enum

import pytest

import hybridsim
from hybridsim import multibody
from hybridsim.errors import ConfigError, HybridsimError, ModelError, explains_keywords
from hybridsim.model.registry import load_model

MODULES = ("hybridsim", "hybridsim.scene", "hybridsim.testing", "hybridsim.viewer", "hybridsim.multibody")

FOR_COMPILED_CODE = {
    *(
        "hybridsim.scratch",
        "hybridsim.buffer",
        "hybridsim.integers",
        "hybridsim.reals",
        "hybridsim.subarray",
        "hybridsim.scene.between",
        "hybridsim.scene.placed",
        "hybridsim.scene.turn",
    ),
    *(f"hybridsim.multibody.{name}" for name in multibody.__all__ if name[0].islower() and name != "load_mechanism"),
}
"""Functions that are compiled with the plug-in that calls them, as they stand."""


def is_made_by_users(public):
    """Exceptions, enumerations, protocols and tuples of numbers (for compiled code) are not."""
    return not (
        inspect.isclass(public)
        and (issubclass(public, Exception | Enum | tuple) or getattr(public, "_is_protocol", False))
    )


def public_callables():
    """The public functions and classes, and the public methods of these, by name."""
    for module in MODULES:
        loaded = importlib.import_module(module)
        for name in sorted(loaded.__all__):
            public, full = getattr(loaded, name), f"{module}.{name}"
            if not callable(public) or full in FOR_COMPILED_CODE or not is_made_by_users(public):
                continue
            yield full, public
            for member, value in vars(public).items() if inspect.isclass(public) else ():
                if not member.startswith("_") or member == "__call__":
                    function = getattr(value, "__func__", value)
                    if inspect.isfunction(function):
                        yield f"{full}.{member}", function


CALLABLES = dict(public_callables())


def required(public):
    """The values of the parameters that a call cannot leave out: the message comes before they are looked at."""
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.signature(public).parameters.values()
    empty = [each for each in parameters if each.default is each.empty and each.kind in kinds]
    return ["bouncing_ball" if each.name == "model" else ["y"] if each.name == "axes" else None for each in empty]


@pytest.mark.parametrize("name", CALLABLES)
def test_an_invented_keyword_is_refused_in_words(name):
    with pytest.raises(HybridsimError, match="invented: there is no such keyword"):
        CALLABLES[name](*required(CALLABLES[name]), invented=1)


@explains_keywords(old="new")
class Sample:
    def __init__(self, new=0):
        self.new = new

    def method(self, value):
        return value, self.new

    @classmethod
    def make(cls, new):
        return cls(new)


def test_the_keywords_of_a_class_and_its_methods_reach_it():
    assert Sample.make(new=2).method(value=3) == (3, 2)
    for call in (Sample, Sample.make):
        with pytest.raises(ConfigError, match="old: there is no such keyword; it is called `new` here"):
            call(old=1)
    with pytest.raises(ConfigError, match=r"Sample\.method: valu: there is no such keyword; did you mean `value`"):
        Sample().method(valu=1)
    with pytest.raises(ConfigError, match=r"^Sample: a: there .*; the keywords are new\nSample: b: there is no such"):
        Sample(a=1, b=2)


RECORDS = {
    "State": 'State("x", defalt=1.0)',
    "Boundary": 'Boundary("b", touh="report")',
    "Chart": 'Chart("c", docs="")',
    "Body": 'hybridsim.scene.Body("b", hybridsim.scene.Sphere(1.0), color="#ffffff")',
    "Revolute": 'hybridsim.multibody.Revolute("q", axes=(0.0, 0.0, 1.0))',
}
"""Records of a plug-in file, each with a misspelt keyword."""


@pytest.mark.parametrize("record", RECORDS)
def test_in_a_plugin_the_message_says_where_the_keyword_stands(record, tmp_path):
    plugin = tmp_path / "wrong.py"
    head = "import hybridsim.multibody, hybridsim.scene\nfrom hybridsim import Boundary, Chart, State\n\n"
    plugin.write_text(f"{head}RECORD = {RECORDS[record]}\n")
    with pytest.raises(ModelError, match=r"wrong\.py:4: .*: there is no such keyword; did you mean"):
        load_model(plugin)


FORMER = {"read_sweep": "load_sweep", "read_run": "load_run", "run": "simulate", "part": "subarray"}
"""Former public name -> the present one."""


@pytest.mark.parametrize(("former", "present"), FORMER.items())
def test_a_former_public_name_leads_to_the_present_one(former, present):
    assert former not in hybridsim.__all__
    with pytest.raises(AttributeError, match=f"hybridsim.{former} is called {present} now"):
        getattr(hybridsim, former)
    with pytest.raises(ImportError, match=f"hybridsim.{former} is called {present} now"):
        exec(f"from hybridsim import {former}")
    assert not hasattr(hybridsim, former)
    assert not hasattr(hybridsim, "invented")
