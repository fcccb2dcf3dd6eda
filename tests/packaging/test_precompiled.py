"""An installation with compiled functions runs without a compiler, and compiles what has been edited."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hybridsim
from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.target import platform_key

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

ROOT = Path(__file__).parents[2]

RUN = """
import hashlib, sys, hybridsim
hash_of = lambda run: hashlib.sha256(run.t.tobytes() + run.x.tobytes()).hexdigest()
run = hybridsim.simulate(final_time=1.0, **{keywords!r})
print(hybridsim.__file__, "numba" in sys.modules, hash_of(run))
"""
JUMPS = RUN.format(keywords={"model": "slip"})
SLIDES = RUN.format(keywords={"model": "relay", "parameters": {"hysteresis": 0.0}})


@pytest.fixture(scope="module")
def expected():
    """The hash of the run as this process computes it; its functions are in the cache now."""
    run = hybridsim.simulate("slip", final_time=1.0)
    return hashlib.sha256(run.t.tobytes() + run.x.tobytes()).hexdigest()


@pytest.fixture
def site(tmp_path, expected):
    """A folder like `site-packages`, with the functions of this process's cache as those that come with the package."""
    site = tmp_path / "site"
    for name, installed in (("hybridsim", "hybridsim"), ("models", "hybridsim_models")):
        shutil.copytree(ROOT / name, site / installed, ignore=shutil.ignore_patterns("__pycache__", "precompiled"))
    (site / "hybridsim" / "precompiled").symlink_to(cache_root() / platform_key())
    return site


def printed(site, code):
    """What a new process prints that runs the packages in this folder, with an empty cache."""
    environment = os.environ | {"PYTHONPATH": str(site), "HYBRIDSIM_CACHE_DIR": str(site.parent / "cache")}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=site.parent,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def compiled(site):
    """The files in the cache that was empty."""
    return [*(site.parent / "cache").rglob("*.bin")]


def test_a_first_run_imports_no_compiler_and_writes_no_functions(site, expected):
    assert printed(site, JUMPS) == [str(site / "hybridsim" / "__init__.py"), "False", expected]
    assert compiled(site) == []


@pytest.mark.exhaustive  # edits give new results in `tests/engine/compiler/test_compilation.py`
def test_an_edited_model_is_compiled_anew_and_nothing_else(site, expected):
    law = site / "hybridsim_models" / "slip" / "spring.py"
    assert "return k * (q_0 - q)" in law.read_text()
    law.write_text(law.read_text().replace("return k * (q_0 - q)", "return 0.9 * k * (q_0 - q)"))
    _, imports_compiler, run = printed(site, JUMPS)
    assert imports_compiler == "True"
    assert run != expected
    assert {file.parent.name for file in compiled(site)} == {"functions"}


def edit(site, name, old, new):
    path = site / "hybridsim" / "engine" / name
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def kinds(site):
    return {file.parent.name for file in compiled(site)}


def test_an_edited_comment_compiles_nothing(site, expected):
    """It makes the sources be taken apart, and the next process finds what has been found in them."""
    edit(site, "flow.py", "def halve_step(state):", "# A comment.\n\ndef halve_step(state: object) -> None:")
    edit(site, "compiler/backend/linking.py", "def helper(", "# Another comment.\ndef helper(")
    for _ in range(2):
        assert printed(site, JUMPS)[1:] == ["False", expected]
        assert kinds(site) == {"keys"}


EDITS = {
    "one routine": (
        ("sliding.py", "= weight * workspace.slide_slope[m]", "= 0.9 * weight * workspace.slide_slope[m]"),
        {"sliding_slope"},
    ),
    "a kernel": (
        ("sliding.py", "return (8.0 * near - far) / (12.0 * state.probe)", "return near / (2.0 * state.probe) + 0.01"),
        {"find_probe", "jump", "sliding_boundaries", "sliding_slope"},
    ),
    "a constant": (
        ("transitions.py", "@routine", "FURTHER = 1.0\n\n\n@routine"),
        set(),
    ),
}


@pytest.mark.exhaustive  # `tests/engine/compiler/test_source_contents.py` has the keys of edits
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "one routine" else pytest.mark.exhaustive) for name in EDITS]
)
def test_an_edit_of_the_engine_compiles_the_routines_that_contain_it_and_changes_what_they_compute(name, site):
    edited, expected = EDITS[name]
    before = printed(site, SLIDES)[-1]
    already = compiled(site)
    edit(site, *edited)
    after = printed(site, SLIDES)[-1]
    made = [file for file in compiled(site) if file not in already]
    assert {file.name.partition("-")[0] for file in made if file.parent.name == "engine"} == expected
    assert (after != before) == bool(expected)


@pytest.mark.exhaustive
def test_with_the_key_of_whole_sources_a_comment_compiles_what_its_package_contains(site, monkeypatch):
    monkeypatch.setenv("HYBRIDSIM_CACHE_KEY", "sources")
    before = printed(site, KEY)
    assert printed(site, KEY) == before
    edit(site, "flow.py", "def halve_step(state):", "# A comment.\ndef halve_step(state):")
    assert all(a != b for a, b in zip(printed(site, KEY), before, strict=True))
    assert kinds(site) == set()


KEY = """
from hybridsim.engine.compiler.keys import contents_of, contents_of_routines, machine_key
from hybridsim.engine.entry import MODULES_OF_ROUTINES, ROUTINES
print(machine_key(), contents_of("hybridsim.engine.evaluations:run"))
print(*contents_of_routines(MODULES_OF_ROUTINES, ROUTINES))
"""
