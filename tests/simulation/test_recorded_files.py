"""A run file names Python files: they are executed only as the run has recorded them, or if the user says so.

The stranger's code in these tests writes a file when it is executed.
"""

import os
import py_compile
import shutil
import sys

import h5py
import pytest

from hybridsim import load_model, load_run, simulate, verify
from hybridsim.model.registry import with_part

from recorded_runs import BALL, GRAVITIES, refusal, rename_model, without_record

# What the run has recorded is executed.


@pytest.mark.members
@pytest.mark.parametrize("gravity", GRAVITIES)
def test_a_model_that_is_as_recorded_is_loaded_with_its_neighbours(gravity, recorded, use):
    path, plugin, neighbour = recorded(gravity)
    run = load_run(path)
    assert {str(plugin)} | ({str(neighbour)} if gravity != "none" else set()) <= run.provenance["model_files"].keys()
    assert use(path) is not None


def test_an_installed_model_is_trusted_and_has_no_record(use):
    run = simulate("slip", final_time=0.3)
    assert run.provenance["model_files"] == {}
    assert use(run) is not None


def test_a_model_given_as_an_object_records_the_files_of_its_package(use):
    run = simulate(load_model("hexapod"), final_time=0.01)
    assert run.provenance["model_files"]
    assert use(run) is not None


# What it has not recorded is not executed.


def test_a_changed_byte_of_the_model_is_refused_and_shown_if_the_user_names_it(recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    plugin.write_text(plugin.read_text() + stranger)
    sentence = refusal(use, path, marker)
    assert f"{plugin} has changed since the run" in sentence
    assert "--model PATH_OR_NAME (in Python: model=...)" in sentence
    assert any("has changed since the run" in note for note in use(path, plugin).notes)
    assert marker.exists()


def test_a_changed_file_of_the_same_size_and_time_is_refused(recorded, use, marker):
    path, plugin, _ = recorded()
    status = plugin.stat()
    plugin.write_text(plugin.read_text().replace("-0.5 *", "-0.6 *"))
    os.utime(plugin, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "has changed" in refusal(use, path, marker)


@pytest.mark.parametrize("gravity", [name for name in GRAVITIES if name != "none"])
def test_a_changed_neighbour_is_refused(gravity, recorded, use, marker, stranger):
    path, plugin, neighbour = recorded(gravity)
    neighbour.write_text(neighbour.read_text() + stranger)
    assert f"{neighbour} has changed since the run" in refusal(use, path, marker)
    assert use(path, plugin) is not None


@pytest.mark.parametrize("name", ["hybridsim.py", "numpy.py", "planet/__init__.py"])
def test_a_new_file_in_the_folder_that_takes_the_place_of_another_is_refused(name, recorded, use, marker, stranger):
    path, plugin, neighbour = recorded("by name")
    plugin.write_text(plugin.read_text() + "\nimport numpy\n")
    simulate(plugin, final_time=0.6).save(path.parent / "run.h5")
    if name.startswith("planet"):
        neighbour.unlink()
    new = plugin.parent / name
    new.parent.mkdir(exist_ok=True)
    new.write_text("GRAVITY = 9.81\n" + stranger)
    plugin.touch()  # as in a new process, it is executed again
    assert str(new) in refusal(use, path, marker)


@pytest.mark.parametrize("name", ["math.py", "os.py", "hybridsim/__init__.py"])
def test_a_new_file_in_the_folder_that_nothing_imports_does_no_harm(name, recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    new = plugin.parent / name
    new.parent.mkdir(exist_ok=True)
    new.write_text(stranger)
    plugin.touch()
    assert use(path) is not None
    assert not marker.exists()


def test_bytecode_is_not_executed_in_place_of_a_file(recorded, use, marker, stranger, tmp_path):
    path, plugin, neighbour = recorded("by name")
    for file in (plugin, neighbour):
        evil = tmp_path / "evil.py"
        evil.write_text(file.read_text() + stranger)
        target = file.parent / "__pycache__" / f"{file.stem}.{sys.implementation.cache_tag}.pyc"
        py_compile.compile(str(evil), str(target), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        file.touch()
    assert use(path) is not None
    assert not marker.exists()


@pytest.mark.parametrize("suffix", [".pyc", ".so"])
def test_bytecode_and_machine_code_without_a_source_are_refused(suffix, recorded, use, marker, stranger, tmp_path):
    path, plugin, neighbour = recorded("by name")
    evil = tmp_path / "evil.py"
    evil.write_text("GRAVITY = 9.81\n" + stranger)
    py_compile.compile(str(evil), str(neighbour.with_suffix(suffix)))
    neighbour.unlink()
    plugin.touch()
    assert f"planet{suffix}" in refusal(use, path, marker)


def test_a_plugin_that_catches_the_refusal_is_refused_all_the_same(recorded, use, marker, stranger):
    path, plugin, neighbour = recorded("by name")
    text = BALL.format(top="try:\n    import planet\nexcept Exception:\n    pass\nGRAVITY = 9.81")
    plugin.write_text(text)
    simulate(plugin, final_time=0.6).save(path.parent / "run.h5")
    without_record(path, neighbour)
    neighbour.write_text(stranger)
    assert str(neighbour) in refusal(use, path, marker)


def test_a_file_outside_the_folder_that_the_plugin_reaches_is_refused(recorded, use, marker, stranger, tmp_path):
    path, plugin, _ = recorded()
    other = tmp_path / "shared" / "moons.py"
    other.parent.mkdir()
    other.write_text("GRAVITY = 9.81\n")
    text = BALL.format(top=f"import sys\nsys.path.append({str(other.parent)!r})\nfrom moons import GRAVITY")
    plugin.write_text(text)
    try:
        simulate(plugin, final_time=0.6).save(path.parent / "run.h5")
        assert use(path) is not None
        other.write_text(other.read_text() + stranger)
        assert str(other) in refusal(use, path, marker)
    finally:
        sys.path[:] = [entry for entry in sys.path if entry != str(other.parent)]


def test_another_file_with_the_same_name_is_refused(recorded, use, marker, stranger, tmp_path, monkeypatch):
    path, plugin, _ = recorded()
    other = tmp_path / "other" / "ball.py"
    other.parent.mkdir()
    other.write_text(plugin.read_text() + stranger)
    monkeypatch.chdir(other.parent)
    from_root = os.path.relpath(other, "/")
    for name in (other, "./ball.py", "../other/ball.py", "../plugin/../other/ball.py", from_root):
        rename_model(path, name)
        if name != from_root:
            assert str(other) in refusal(use, path, marker)
    shutil.copy(other, plugin)
    rename_model(path, plugin)
    assert str(plugin) in refusal(use, path, marker)


def test_a_link_is_followed_before_it_is_compared(recorded, use, marker, stranger, tmp_path):
    path, plugin, _ = recorded()
    other = tmp_path / "other.py"
    other.write_text(plugin.read_text() + stranger)
    plugin.unlink()
    plugin.symlink_to(other)
    assert str(other) in refusal(use, path, marker)


def test_a_model_that_is_in_memory_is_refused_if_the_run_was_made_with_another(recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    plugin.write_text(plugin.read_text().replace("-0.5 *", "-0.4 *"))
    load_model(plugin)
    refusal(use, path, marker)


# Parts.


def test_a_part_that_has_changed_is_refused_even_if_the_user_names_the_model(swing, marker, stranger):
    path, model, part = swing
    assert verify(path).ok
    part.write_text(part.read_text() + stranger)
    sentence = refusal(verify, path, marker)
    assert f"{part} has changed since the run" in sentence
    assert (
        "so it was not executed; if you trust the code, confirm it on a terminal, or run the simulation again"
        in sentence
    )
    assert refusal(verify, path, marker, model) == sentence


def test_a_part_that_the_run_has_not_recorded_is_refused(swing, marker, stranger, tmp_path):
    path, model, part = swing
    other = tmp_path / "other.py"
    other.write_text(part.read_text() + stranger)
    with h5py.File(path, "a") as file:
        text = file["config"].asstr()[()]
        del file["config"]
        file["config"] = text.replace(str(part), str(other))
    assert str(other) in refusal(verify, path, marker)
    assert str(other) in refusal(verify, path, marker, model)


def test_a_part_that_the_user_has_put_into_the_model_is_used(swing):
    path, model, part = swing
    part.write_text(part.read_text() + "\n# changed\n")
    assert verify(path, with_part(load_model(model), "drive", str(part))).ok
