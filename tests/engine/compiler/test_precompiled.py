"""Functions that come with the package: loaded if they are undamaged and of this very source, whoever owns them."""

from pathlib import Path

import pytest

from hybridsim import load_model
from hybridsim.engine.compiler import compilation, object_file
from hybridsim.engine.compiler.backend import plugin_functions
from hybridsim.engine.compiler.options import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="interpreted functions are not compiled")
PLUGIN = """
from hybridsim import Model

def vector_field(xdot, t, x, p, chart):
    xdot[0] = 2.0 * x[0] + 0.5

MODEL = Model("growth", ["y"], vector_field=vector_field)
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The cache folder of this process for one test."""
    monkeypatch.setattr(object_file, "cache_root", lambda: tmp_path / "cache")
    yield tmp_path / "cache"
    compilation.compile_or_load.cache_clear()


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "growth.py"
    path.write_text(PLUGIN)
    return path


def compile_anew(plugin):
    """Compile the plug-in's function as in a new process; returns its address."""
    compilation.compile_or_load.cache_clear()
    model = load_model(plugin)
    return int(compilation.compile_functions(model.name, model.functions).addresses[0])


def names(folder):
    return [file.name for file in folder.rglob("*.bin")]


@pytest.fixture
def precompiled(cache, plugin, tmp_path, monkeypatch):
    """The file of the function in the folder of the package, as an administrator installs it; the cache is empty."""
    monkeypatch.setattr(object_file, "PRECOMPILED_FOLDER", tmp_path / "precompiled")
    compile_anew(plugin)
    (file,) = cache.rglob("*.bin")
    kept = object_file.PRECOMPILED_FOLDER / file.parent.name / file.name
    kept.parent.mkdir(parents=True)
    file.rename(kept)
    kept.chmod(0o666)  # others may write it, as they may the sources beside it
    return kept


def test_it_is_loaded_and_not_compiled(precompiled, plugin, cache, monkeypatch):
    monkeypatch.setattr(plugin_functions, "translate", None)
    assert compile_anew(plugin) != 0
    assert names(cache) == []


def damaged(whole, kind):
    changes = {
        "empty": b"",
        "half": whole[: len(whole) // 2],
        "one byte less": whole[:-1],
        "one byte more": whole + b"\0",
        "a flipped bit": whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:],
        "another program's": b"x" * len(whole),
    }
    return changes[kind]


@pytest.mark.parametrize(
    "kind", ["empty", "half", "one byte less", "one byte more", "a flipped bit", "another program's"]
)
def test_a_damaged_one_is_not_loaded_but_compiled_and_kept_in_the_cache(kind, precompiled, plugin, cache):
    precompiled.write_bytes(damaged(precompiled.read_bytes(), kind))
    compile_anew(plugin)
    assert names(cache) == [precompiled.name]


def test_nor_is_that_of_another_function_under_its_name(precompiled, plugin, cache):
    another = precompiled.with_name("another.bin")
    object_file.write_verified(another, object_file.read_verified(precompiled, Path.read_bytes))
    another.rename(precompiled)
    compile_anew(plugin)
    assert names(cache) == [precompiled.name]


def test_an_edited_function_is_compiled(precompiled, plugin, cache):
    plugin.write_text(plugin.read_text().replace("2.0", "3.0"))
    compile_anew(plugin)
    (name,) = names(cache)
    assert name != precompiled.name
