"""`hybridsim new NAME --from MODEL`: the copy is a plug-in in its own right, and its configs are valid."""

import re
from pathlib import Path

import numpy as np
import pytest

from hybridsim import load_model, simulate
from hybridsim.cli.copying import copy_model
from hybridsim.config.identification import load_identification_config
from hybridsim.config.sweep import load_run_or_sweep
from hybridsim.errors import ConfigError
from hybridsim.model.registry import available_models

BUNDLED = [name for name, entry in available_models().items() if entry.module.startswith("hybridsim_models.")]
CONFIGS = Path(__file__).parents[2] / "configs"
TAKEN = {"human3d": "from hybridsim_models.biped."}
"""What a model and its copies take from another installed model: measured figures, and the plan of a walk."""


def test_all_bundled_models_are_copied_here():
    assert len(BUNDLED) == 26


@pytest.fixture(scope="module", params=BUNDLED)
def copied(request, tmp_path_factory):
    """The name of a model, the folder of its copy, and what the copy consists of."""
    folder = tmp_path_factory.mktemp("copy")
    return request.param, folder, copy_model("mine", request.param, folder)


@pytest.mark.members(2)
def test_a_copy_has_the_records_of_its_model_and_its_own_name_files_and_configs(copied):
    name, folder, made = copied
    model, original = load_model(made.plugin), load_model(name)
    assert model.name == "mine"
    for table in ("states", "parameters", "charts", "boundary_records", "output_records"):
        assert getattr(model, table).names == getattr(original, table).names
    assert Path(model.source).is_relative_to(folder)
    theirs = [path for path in CONFIGS.rglob("*.yaml") if re.search(rf"^model: {name}\b", path.read_text(), re.M)]
    assert len(made.configs) == max(len(theirs), 1)
    for config in made.configs:
        if "identification" in config.parts:
            assert load_identification_config(config).model.name == "mine"
        elif "orbits" not in config.parts:  # they need no final time
            loaded = load_run_or_sweep(config)
            assert getattr(loaded, "run", loaded).model.name == "mine"


@pytest.mark.members(5)
def test_a_copy_imports_nothing_of_its_original(copied):
    original, _, made = copied
    texts = [path.read_text() for path in made.files if path.suffix == ".py"]
    lines = [
        line for text in texts for line in text.splitlines() if re.match(r"\s*(from|import) hybridsim_models", line)
    ]
    assert [line for line in lines if TAKEN.get(original, "nothing") not in line] == []


@pytest.mark.parametrize(("name", "final_time"), [("slip", 3.0), ("table_ball", 3.5), ("compass_gait", 2.0)])
def test_a_copy_has_the_run_of_its_original(name, final_time, tmp_path):
    made = copy_model("mine", name, tmp_path)
    copy, original = simulate(made.plugin, final_time=final_time), simulate(name, final_time=final_time)
    np.testing.assert_array_equal(copy.t, original.t)
    np.testing.assert_array_equal(copy.x, original.x)


def test_files_that_values_of_a_config_name_are_copied_however_they_are_written(tmp_path, monkeypatch):
    """Names with spaces, in quotes, in folders, with separators of Windows; none in comments, none from outside."""
    theirs = tmp_path / "package" / "configs"
    named = "./plain.csv", "with space.csv", "data/quoted.csv", ".\\data\\windows.csv", "../outside.csv"
    (theirs / "data").mkdir(parents=True)
    for name in (*named, "comment.csv"):
        (theirs / name.replace("\\", "/")).write_text("k\n")
    plain, spaced, quoted, windows, outside = named
    (theirs / "runner.yaml").write_text(
        f"model: slip  # see ./comment.csv\nparameters: {{a: {plain}, b: '{windows}'}}  # and\n"
        f'sweep:\n  rows: {spaced}\n  other: ["{quoted}", {outside}]\n'
    )
    monkeypatch.setattr("hybridsim.cli.copying._configs_of", lambda original: theirs)
    made = copy_model("mine", "slip", tmp_path / "copy")
    folder = made.configs[0].parent
    found = sorted(str(file.relative_to(folder).as_posix()) for file in folder.rglob("*.csv"))
    assert found == ["data/quoted.csv", "data/windows.csv", "plain.csv", "with space.csv"]


def test_the_command_names_the_config_that_runs_the_copy(hybridsim, tmp_path):
    done = hybridsim("new", "runner", "--from", "slip")
    assert done.code == 0
    assert done.out == (
        "wrote runner/: the model in 2 files, runner.py first, and 9 configs; "
        "next: hybridsim run runner/configs/slip.yaml\n"
    )
    assert "model        runner" in hybridsim("run", "runner/configs/slip.yaml").out
    assert hybridsim("run", "runner/runner.py", "final_time=1").code == 0


def test_without_one_of_its_name_the_first_config_is_the_one_that_sets_least(tmp_path, monkeypatch):
    theirs = tmp_path / "package" / "configs"
    theirs.mkdir(parents=True)
    for name, values in (("a", "{k: 1.0, q_rl: 1.0}"), ("b", "{k: 1.0}"), ("c", "[k, q_rl, q_rt]")):
        (theirs / f"{name}.yaml").write_text(f"model: slip\nparameters: {values}\n")
    monkeypatch.setattr("hybridsim.cli.copying._configs_of", lambda original: theirs)
    made = copy_model("mine", "slip", tmp_path / "copy")
    assert [config.stem for config in made.configs] == ["b", "a", "c"]


def test_nothing_is_overwritten(hybridsim, tmp_path):
    (tmp_path / "runner").mkdir()
    refused = hybridsim("new", "runner", "--from", "slip")
    assert refused.code == 2
    assert "runner exists and is not overwritten; choose another name, or move it away" in refused.err


@pytest.mark.parametrize(
    ("name", "original", "what"),
    [
        ("runner", "slipp", r"--from slipp: there is no installed model of this name; did you mean `slip`\?"),
        ("spring", "slip", r"slip has a file spring\.py of its own; choose another name"),
        ("my-slip", "slip", r"'my-slip' cannot name a model"),
        ("hybridsim", "slip", "'hybridsim' is a module of Python's or of an installed package"),
        ("math", "slip", "'math' is a module of Python's"),
    ],
)
def test_bad_names_are_refused_and_nothing_is_written(name, original, what, tmp_path):
    with pytest.raises(ConfigError, match=what):
        copy_model(name, original, tmp_path)
    assert [*tmp_path.iterdir()] == []
