"""What a wheel holds, and that it works where the source tree is not."""

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import hybridsim
from hybridsim.engine.compiler import object_file

ROOT = Path(__file__).parents[2]


def script():
    """`packaging/wheel.py`, which is in no package."""
    found = importlib.util.spec_from_file_location("build_of_the_wheel", ROOT / "packaging" / "wheel.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that no build folder is left behind; with a file that stands for compiled functions."""
    folder = tmp_path_factory.mktemp("build")
    compiled = folder / "cache" / "key" / "engine" / "run-0123.bin"
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(b"machine code")
    (folder / "source").mkdir()
    return script().build([compiled], folder / "source", folder / "dist")


def test_every_module_is_in_the_wheel_and_nothing_else(wheel):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "hybridsim").rglob("*.py")}
    modules |= {f"hybridsim_{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "models").rglob("*.py")}
    modules |= {f"hybridsim_models/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "configs").rglob("*.py")}
    assert packed == modules


def test_types_meshes_and_license_are_in_the_wheel(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    data = "hybridsim_models/configs/identification/pendulum.csv"
    assert {"hybridsim/py.typed", "hybridsim_models/hexapod/leg.obj", data} <= {*names}
    assert any(name.endswith("LICENSE") for name in names)


def words(value):
    """Every text in a config, at any depth."""
    if isinstance(value, dict | list):
        return [word for each in (value.values() if isinstance(value, dict) else value) for word in words(each)]
    return [value] if isinstance(value, str) else []


def test_every_file_that_a_config_names_is_packaged_with_it():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    packaged = {path for each in patterns["hybridsim_models.configs"] for path in (ROOT / "configs").glob(each)}
    named = {
        (config.parent / word).resolve()
        for config in (ROOT / "configs").rglob("*.yaml")
        for word in words(yaml.safe_load(config.read_text()))
        if len(word) < 100 and (config.parent / word).is_file()
    }
    assert ROOT / "configs" / "multibody" / "hopper.urdf" in named <= packaged


def test_the_manual_page_is_installed_where_man_looks_for_it(wheel):
    (page,) = (
        name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".data/data/share/man/man1/hybridsim.1")
    )
    assert b"hybridsim run" in zipfile.ZipFile(wheel).read(page)


def test_compiled_functions_are_in_the_wheel_where_they_are_looked_for(wheel):
    packed = zipfile.ZipFile(wheel).read("hybridsim/precompiled/engine/run-0123.bin")
    assert packed == b"machine code"
    assert Path(hybridsim.__file__).parent / "precompiled" == object_file.PRECOMPILED_FOLDER


def test_it_is_for_this_python_and_this_system(wheel):
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_").replace("linux_", "manylinux_2_28_")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.endswith(f"-{python}-none-{system}.whl")


def test_the_configs_that_it_is_filled_by_run_every_bundled_model():
    """A model without a config there would be compiled in its first run, as nobody would notice."""
    run = {yaml.safe_load(config.read_text())["model"] for config in script().configs()}
    assert run == {*tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["hybridsim.models"]}


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
