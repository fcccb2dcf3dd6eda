import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hybridsim import Model, ModelError
from hybridsim.model import registry
from hybridsim.model.plugin_file import load_functions
from hybridsim.model.registry import available_models, load_model

PLUGIN = """
from hybridsim import Model

def vector_field(xdot, t, x, p, chart):
    xdot[0] = {speed}

MODEL = Model("drift", ["s"], vector_field=vector_field)
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def speed_of(model: Model) -> float:
    xdot = [0.0]
    model.functions["vector_field"](xdot, 0.0, [0.0], [], 0)
    return xdot[0]


def test_a_path_loads_the_model_and_notes_its_file(tmp_path):
    path = write(tmp_path / "drift.py", PLUGIN.format(speed=2.0))
    model = load_model(str(path))
    assert model.name == "drift"
    assert model.source == str(path)
    assert speed_of(model) == 2.0


def test_a_relative_path_starts_from_the_given_folder(tmp_path, monkeypatch):
    write(tmp_path / "a" / "drift.py", PLUGIN.format(speed=1.0))
    assert speed_of(load_model("drift.py", folder=tmp_path / "a")) == 1.0
    monkeypatch.chdir(tmp_path)
    assert speed_of(load_model("./a/drift.py")) == 1.0
    assert speed_of(load_model(Path("a/drift.py"))) == 1.0


def test_the_module_stands_in_sys_modules_under_the_name_of_its_functions_module(tmp_path):
    model = load_model(write(tmp_path / "drift.py", PLUGIN.format(speed=1.0)))
    vector_field = model.functions["vector_field"]
    assert sys.modules[vector_field.__module__].vector_field is vector_field


def test_an_unchanged_file_gives_the_same_model_and_an_edited_one_a_new_one(tmp_path):
    path = write(tmp_path / "drift.py", PLUGIN.format(speed=1.0))
    first = load_model(path)
    assert load_model(path) is first
    write(path, PLUGIN.format(speed=3.0))
    assert speed_of(load_model(path)) == 3.0


@pytest.mark.parametrize("statement", ["from .legs import SPEED", "from legs import SPEED"])
def test_files_in_the_folder_of_a_plugin_belong_to_it_and_are_read_again_when_edited(tmp_path, statement):
    text = statement + "\n" + PLUGIN.format(speed="SPEED")
    paths = [write(tmp_path / folder / "drift.py", text) for folder in "ab"]
    for value, path in enumerate(paths):
        write(path.parent / "legs.py", f"SPEED = {value}.0")
    assert [speed_of(load_model(path)) for path in paths] == [0.0, 1.0]
    write(tmp_path / "a" / "legs.py", "SPEED = 7.0")
    assert [speed_of(load_model(path)) for path in paths] == [7.0, 1.0]
    assert "legs" not in sys.modules


def test_loading_leaves_the_import_path_and_the_folder_as_they_were(tmp_path):
    before = list(sys.path)
    write(tmp_path / "legs.py", "SPEED = 1.0")
    load_model(write(tmp_path / "drift.py", "from legs import SPEED\n" + PLUGIN.format(speed="SPEED")))
    assert sys.path == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["drift.py", "legs.py"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ndef f(:\n", r"drift\.py:2:7: the plug-in is not valid Python: invalid syntax"),
        ("x = 1\n", r"drift\.py: it defines no `MODEL`; a plug-in ends with `MODEL = Model"),
        ("MODEL = 3\n", r"`MODEL` is of type int, not a hybridsim\.Model"),
        ("import math\n\n1 / 0\n", r"drift\.py:3: the plug-in could not be loaded: ZeroDivisionError"),
        ("import nowhere\n", r"drift\.py:1: the plug-in could not be loaded: ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)\n", r"drift\.py:1: the plug-in could not be loaded: SystemExit"),
        (
            "from hybridsim import Model\nMODEL = Model('drift', ['s'])\n",
            r"drift\.py:2: the plug-in could not be loaded: model 'drift': the function `vector_field",
        ),
        (
            "from hybridsim import Model\nMODEL = Model('drift', ['s'], [])\n",
            r"drift\.py:2: .*'drift': Model takes its name and states by position, and everything else by keyword",
        ),
    ],
)
def test_a_faulty_plugin_is_explained_with_its_line(tmp_path, text, expected):
    with pytest.raises(ModelError, match=expected):
        load_model(write(tmp_path / "drift.py", text))


def test_binary_garbage_is_not_python(tmp_path):
    path = tmp_path / "drift.py"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ModelError, match=r"drift\.py.*: the plug-in is not valid Python"):
        load_model(path)


def test_a_faulty_file_that_was_repaired_loads(tmp_path):
    path = write(tmp_path / "drift.py", "1 / 0\n")
    with pytest.raises(ModelError):
        load_model(path)
    assert speed_of(load_model(write(path, PLUGIN.format(speed=1.0)))) == 1.0


def test_a_missing_file_is_named_with_the_most_similar_one_of_its_folder(tmp_path):
    write(tmp_path / "walker.py", "")
    with pytest.raises(ModelError, match=r"walkr\.py: there is no such plug-in file; did you mean `walker\.py`\?"):
        load_model("./walkr.py", folder=tmp_path)


def test_a_folder_is_no_plugin_file(tmp_path):
    with pytest.raises(ModelError, match="this is a folder; give the plug-in file in it"):
        load_model(tmp_path)


def test_an_unknown_name_lists_what_is_installed(tmp_path, monkeypatch):
    write(tmp_path / "slipp.py", "")
    offer(monkeypatch, EntryPoint("slip", "somewhere:MODEL", registry.ENTRY_POINT_GROUP))
    with pytest.raises(ModelError, match=r"'slipp': no such model .*`slip`\?; .*`\./slipp\.py`; give one of slip, or"):
        load_model("slipp", folder=tmp_path)


def test_a_name_loads_the_model_that_its_entry_point_names(tmp_path, monkeypatch):
    path = write(tmp_path / "drift_of_this_test.py", PLUGIN.format(speed=5.0))
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, EntryPoint("drift", "drift_of_this_test:MODEL", registry.ENTRY_POINT_GROUP))
    model = load_model("drift")
    assert speed_of(model) == 5.0
    assert model.source == str(path)
    assert load_model("drift") is model


def test_an_entry_point_that_leads_nowhere_is_explained(monkeypatch):
    offer(monkeypatch, EntryPoint("lost", "no_such_module:MODEL", registry.ENTRY_POINT_GROUP))
    with pytest.raises(ModelError, match=r"model 'lost' \(no_such_module:MODEL\): the plug-in could not be loaded"):
        load_model("lost")


def test_two_packages_with_one_name_are_refused(monkeypatch):
    offer(
        monkeypatch,
        EntryPoint("slip", "ours:MODEL", registry.ENTRY_POINT_GROUP),
        EntryPoint("slip", "theirs:MODEL", registry.ENTRY_POINT_GROUP),
    )
    with pytest.raises(ModelError, match=r"2 installed packages register this name \(ours:MODEL, theirs:MODEL\)"):
        load_model("slip")


def test_listing_the_models_imports_no_model(monkeypatch):
    offer(
        monkeypatch,
        EntryPoint("b", "no_module_b:MODEL", registry.ENTRY_POINT_GROUP),
        EntryPoint("a", "no_a:MODEL", registry.ENTRY_POINT_GROUP),
    )
    assert list(available_models()) == ["a", "b"]


def offer(monkeypatch: pytest.MonkeyPatch, *entries: EntryPoint) -> None:
    """Let these be the models that packages register."""
    monkeypatch.setattr(registry, "find_entry_points", lambda: entries)


def test_a_package_that_is_installed_meanwhile_is_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    assert "hopper" not in available_models()
    metadata = tmp_path / "hoppers-1.0.dist-info"
    metadata.mkdir()
    write(metadata / "METADATA", "Metadata-Version: 2.1\nName: hoppers\nVersion: 1.0\n")
    write(metadata / "entry_points.txt", f"[{registry.ENTRY_POINT_GROUP}]\nhopper = hoppers:MODEL\n")
    os.utime(tmp_path, ns=(0, 0))  # a time that differs from that of the first look, however coarse the clock
    assert available_models()["hopper"].value == "hoppers:MODEL"


def test_a_file_of_functions_gives_its_own_public_ones(tmp_path):
    write(tmp_path / "legs.py", "def force(l):\n    return 2.0 * l\n")
    path = write(
        tmp_path / "more.py",
        "from math import sin\nfrom legs import force\n\nN = 3\n\ndef _own(x):\n    return x\n\n"
        "def second(t):\n    return force(_own(t))\n\ndef first(t):\n    return 1.0\n",
    )
    functions = load_functions(path)
    assert list(functions) == ["second", "first"]
    assert functions["second"](2.0) == 4.0
    path.write_text("def third(t):\n    return 3.0\n")
    assert list(load_functions(path)) == ["third"]
    with pytest.raises(ModelError, match=r"nowhere\.py: there is no such plug-in file"):
        load_functions(tmp_path / "nowhere.py")
