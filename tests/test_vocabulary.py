"""One word for one thing: what a parameter is called means the same in every public call, and in a config."""

import inspect
import re

import pytest
from numpydoc.docscrape import NumpyDocString
from test_unknown_keywords import CALLABLES

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.field_types import ConfigSection
from hybridsim.config.keywords import CommonKeywords, RunKeywords
from hybridsim.config.optimization import OptimizationKeywords
from hybridsim.config.optimization_settings import (
    MethodSettings,
    MigrationSettings,
    OptimizationSettings,
    RepeatSettings,
    StageSettings,
)
from hybridsim.config.orbit_settings import OrbitSettings, SectionSettings, SymmetrySettings
from hybridsim.config.schema import OutputSettings, RecordSettings, Settings, Stop
from hybridsim.config.sweep.keywords import SweepKeywords
from hybridsim.config.sweep_settings import SampleSettings, SweepSettings

FORMER_WORDS = {
    "guess": "initial",
    "x0": "initial",
    "threads": "workers",
    "n_jobs": "workers",
    "max_period": "max_strides",
    "progress_period": "progress",
    "unknown": "keywords",
}
"""What no parameter is called -> the word for it."""

KEYWORDS_OF = {
    "hybridsim.simulate": RunKeywords,
    "hybridsim.Simulation": RunKeywords,
    "hybridsim.sweep": SweepKeywords,
    "hybridsim.Evaluator": CommonKeywords,
    "hybridsim.optimize": OptimizationKeywords,
    "hybridsim.Optimizer": OptimizationKeywords,
}
"""Calls that take keys of a config."""

MEANINGS = {
    # name: (how its type begins, what its description names)
    "adjacent_chart": ("str or int|str, int", "slide"),
    "atol": ("float", "tolerance"),
    "back_to": ("float", "other side"),
    "ax": ("Axes", "[Ww]here to draw"),
    "axes": ("mapping|sequence of str", "[Vv]alues|varies"),
    "bifurcation": ("SpecialPoint|Bifurcation", "flip|fold|bifurcation"),
    "branch": ("Branch", "branch"),
    "digits": ("int", "[Dd]igits"),
    "before": ("bool", "before the jumps"),
    "chart": ("str or int|str|int", "chart"),
    "cluster": ("str", "Dask"),
    "config": ("RunConfig|SweepConfig|path or IdentificationConfig", "."),
    "crossed": ("sequence of str", "boundaries that cross"),
    "extra_outputs": ("str or path-like", "plug-in file"),
    "found": ("Found", "setting"),
    "final_time": ("float", r"ends .*\[s\]"),
    "fixed": ("mapping of str to float", "section"),
    "file": ("path", r"\.h5 file in which the unfinished branch is saved"),
    "folder": ("str or path|path|Path", "[Ff]older|relative paths"),
    "from_": ("float", "metrics begin"),
    "function": ('{"vector_field"', "The function"),
    "fps": ("float", "Pictures per second"),
    "initial": ("mapping", "state"),
    "initial_chart": ("int or str", "chart"),
    "initial_time": ("float", r"[Tt]ime .*\[s\]"),
    "inputs": ("mapping", "by name"),
    "jumps": ("{", "rows|As of"),
    "max_strides": ("int", "strides"),
    "max_time": ("float", "given up|As"),
    "method": ("{", "method"),
    "metrics": ("sequence|list|mapping", "[Mm]etrics?|[Rr]esults"),
    "model": ("str, path or Model|str, path-like or Model|Model, str or path|Model", "[Mm]odel|As of"),
    "moments": (r"sequence of \(float, bool\)", "[Tt]imes"),
    "options": ("ViewOptions|object", "ViewOptions|Speed, camera"),
    "orbit": ("Orbit", "."),
    "overrides": ("sequence of str", "key=value|override"),
    "name": ("str", "."),
    "names": ("str|sequence of str", "States|columns"),
    "out": ("array", "where|Where"),
    "outputs": ("mapping|sequence of str", "[Oo]utputs"),
    "parameter": ("str", "parameter"),
    "parameters": (r"mapping|\(str, str\)", "by name|[Pp]arameter"),
    "path": ("str or path|path|str, path", "[Ff]ile|folder|As of"),
    "progress": ("bool or callable|callable", "[Cc]alled|shown|As of"),
    "resume": ("bool", "continue"),
    "rtol": ("float", "tolerance"),
    "run": ("Trajectory", "run"),
    "runs": ("Trajectory, path|int", "Finished runs|Independent searches"),
    "searched": ("mapping", "searched"),
    "start": ("str|bool|float", "."),
    "stages": ("sequence of mapping", "aims"),
    "section": ("Section|str or Section", "stride|section"),
    "side": ("{", "Which state|Of several rows"),
    "speed": ("float", "seconds per second"),
    "strides": ("int", "[Ss]trides"),
    "symmetry": ("Symmetry", "stride"),
    "t": ("float", r"Times? \[s\]"),
    "to": ("float", "ends"),
    "trial": ("int", "trial"),
    "tolerance": ("float", "relative|As in"),
    "values": ("mapping", "[Vv]alues"),
    "workers": ("int", "Number of (threads|processes)"),
    "wrt": ("str or sequence of str", "for all"),
    "x": (r"mapping of str or \(n_states,\) array|mapping|\(n_states,\)", "[Ss]tate"),
}
"""Parameters that several calls have."""

MAKE_RECORDS = re.compile(
    r"hybridsim\.(scene\.\w+|multibody\.\w+|Model|Part|Plant|Slot|State|Parameter|Input|Chart|Boundary|Output|Message|"
    r"Constant|Buffer|"
    r"Records|Event|Events|Trajectory|Orbit|Branch|Basin|StabilityMap|Bifurcation|Equilibrium|EquilibriumBranch|"
    r"EquilibriumBifurcation|Identification|Optimization|Optimum|LabelledMatrix|Linearization|Sensitivity|Section|(Branch|Bifurcation)?Theorem|viewer\.Frame)(\.\w+)?"
)
"""Constructors of a model's records and of results, whose names are those of the things that they hold."""

HELD_CALLS = re.compile(
    r"hybridsim\.(Trajectory|Orbit|Branch|EquilibriumBranch|Basin|StabilityMap|Identification|Optimization|(Branch|Bifurcation)?Theorem)\.\w+"
)
"""Methods of results, which are calls as others are."""

SECTIONS: tuple[type[ConfigSection], ...] = (
    *(Settings, EngineSettings, RecordSettings, OutputSettings, Stop, OrbitSettings, SectionSettings, SymmetrySettings),
    *(SweepSettings, SampleSettings),
    *(OptimizationSettings, MethodSettings, MigrationSettings, StageSettings, RepeatSettings),
)


def calls():
    """Every public call that computes, reads or writes, by name."""
    for name, call in CALLABLES.items():
        if HELD_CALLS.fullmatch(name) or not MAKE_RECORDS.fullmatch(name):
            yield name, call


def documented(call):
    """The parameters of a call: name -> type and description."""
    for entry in NumpyDocString(inspect.getdoc(call) or "")["Parameters"]:
        for name in entry.name.split(", "):
            yield name.strip("*"), entry.type, " ".join(entry.desc)


def uses():
    """Every use of a name: (name, call) -> type and description. Keywords that the schema describes are one use."""
    found = {}
    for call, public in calls():
        for name, type_, text in documented(public):
            given = call in KEYWORDS_OF and name in KEYWORDS_OF[call].__annotations__
            found[name, "a config" if given else call] = type_, text
    return found


USES = uses()
SHARED = sorted({name for name, call in USES if sum(each == name for each, _ in USES) > 1})


@pytest.mark.parametrize("name", SHARED)
def test_a_name_that_several_calls_share_has_one_meaning(name):
    assert name in MEANINGS, f"{[call for each, call in USES if each == name]}: say in MEANINGS what they share"
    type_, text = MEANINGS[name]
    others = {
        call: (found, described)
        for (each, call), (found, described) in USES.items()
        if each == name and not (re.match(type_, found) and re.search(text, described))
    }
    assert others == {}


@pytest.mark.parametrize("name", CALLABLES)
def test_no_parameter_has_a_former_name(name):
    former = [word for word in inspect.signature(CALLABLES[name]).parameters if word in FORMER_WORDS]
    assert {word: FORMER_WORDS[word] for word in former} == {}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_no_key_of_a_config_has_a_former_name(section):
    former = set(section.model_fields) & ({*FORMER_WORDS} - {"progress_period"})  # of the command line alone
    assert {word: FORMER_WORDS[word] for word in former} == {}


def test_a_period_is_seconds():
    periods = [section.model_fields["period"].description for section in SECTIONS if "period" in section.model_fields]
    periods += [text for (name, _), (_, text) in USES.items() if name == "period"]
    assert [text for text in periods if "[s]" not in text] == []


def test_keys_that_several_sections_share_have_one_meaning():
    described = [(name, field.description) for section in SECTIONS for name, field in section.model_fields.items()]
    shared = {name for name, _ in described if sum(name == each for each, _ in described) > 1}
    searched = {"extra_outputs", "from", "method", "parameters", "samples", "seed"}  # as of a run or a sweep
    assert shared <= {"axes", "boundary", "state", "value"} | searched
    for word in ("boundary", "state", "value"):
        assert [text for name, text in described if name == word and word not in text] == []
