"""What a wheel holds, and that it works where the source tree is not."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hybridsim

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that no build folder is left behind."""
    source = tmp_path_factory.mktemp("source")
    for name in ("hybridsim", "models"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    outcome = subprocess.run(build, cwd=source, check=False, capture_output=True, text=True, timeout=240)
    assert outcome.returncode == 0, outcome.stderr
    return next((source / "dist").glob("*.whl"))


def test_every_module_is_in_the_wheel_and_nothing_else(wheel):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "hybridsim").rglob("*.py")}
    modules |= {f"hybridsim_{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "models").rglob("*.py")}
    assert packed == modules


def test_types_meshes_and_license_are_in_the_wheel(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"hybridsim/py.typed", "hybridsim_models/hexapod/leg.obj"} <= {*names}
    assert any(name.endswith("LICENSE") for name in names)


def test_the_unpacked_wheel_checks_a_bundled_model(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "packages")
    code = (
        "import hybridsim, hybridsim_models; print(hybridsim.__file__, hybridsim_models.__file__)\n"
        "from hybridsim.cli.main import main; import sys; sys.argv = ['hybridsim', 'check', 'slip']; main()"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "packages")}
    outcome = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.count(str(tmp_path / "packages")) == 2
    assert "slip: fine" in outcome.stdout


def test_the_versions_agree(wheel):
    assert f"-{hybridsim.__version__}-" in wheel.name
