"""An installation with compiled functions runs without a compiler, and compiles what has been edited."""

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
import sys, hybridsim
run = hybridsim.simulate("slip", final_time=1.0)
print(hybridsim.__file__, "numba" in sys.modules, float(run["y"][-1]).hex())
"""
KEY = "from hybridsim.engine.compiler.keys import machine_key; print(machine_key())"


@pytest.fixture(scope="module")
def expected():
    """The height at the end of the run, as this process computes it; its functions are in the cache now."""
    return float(hybridsim.simulate("slip", final_time=1.0)["y"][-1]).hex()


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
    assert printed(site, RUN) == [str(site / "hybridsim" / "__init__.py"), "False", expected]
    assert compiled(site) == []


def test_an_edited_model_is_compiled_anew_and_nothing_else(site, expected):
    law = site / "hybridsim_models" / "slip" / "spring.py"
    assert "return k * (q_0 - q)" in law.read_text()
    law.write_text(law.read_text().replace("return k * (q_0 - q)", "return 0.9 * k * (q_0 - q)"))
    _, imports_compiler, height = printed(site, RUN)
    assert imports_compiler == "True"
    assert height != expected
    assert {file.parent.name for file in compiled(site)} == {"functions"}


def test_an_edited_engine_is_compiled_anew(site):
    before = printed(site, KEY)
    source = site / "hybridsim" / "engine" / "flow.py"
    source.write_text(source.read_text() + "\n")
    assert printed(site, KEY) != before
