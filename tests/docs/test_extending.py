"""Each recipe of docs/extending.md works on a copy of the tree, touches the files that it names, and passes ruff."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import h5py
import numpy as np
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
RECIPES = {text.partition("\n")[0]: text for text in PAGE.split("\n## ")[1:]}
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
QUICK = ("A method", "A command")
"""Recipes that are tried each time; the others are exhaustive."""


def blocks(recipe):
    """The blocks that change a file, as (language, file, text), and the commands of the check."""
    found = BLOCK.findall(RECIPES[recipe])
    changes = [(language, *text.removeprefix("# ").split("\n", 1)) for language, text in found if language]
    return changes, [line for language, text in found if not language for line in text.splitlines()]


def apply(changes, tree):
    for language, name, text in changes:
        if language == "diff":
            edit(tree / name, text.splitlines())
        else:
            assert not (tree / name).exists()
            (tree / name).write_text(text, encoding="utf-8")


def edit(path, lines):
    """Put `+` lines behind the line whose beginning stands above them, or, if that has a `-`, in place of it."""
    text = path.read_text(encoding="utf-8")
    anchors = [number for number, line in enumerate(lines) if not line.startswith("+")]
    for number, end in zip(anchors, [*anchors[1:], len(lines)], strict=True):
        beginning, added = lines[number][1:], "\n".join(line[1:] for line in lines[number + 1 : end])
        assert text.count(f"\n{beginning}") == 1, beginning
        start = text.index(f"\n{beginning}") + 1
        if lines[number].startswith("-"):
            text = text[:start] + added + text[start + len(beginning) :]
        else:
            start = text.index("\n", start)
            text = f"{text[:start]}\n{added}{text[start:]}"
    path.write_text(text, encoding="utf-8")


def files(tree):
    ignored = {"__pycache__", "hybridsim_models"}
    paths = (path for path in tree.rglob("*") if not ignored.intersection(path.parts))
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture
def tree(tmp_path):
    """A copy of what is installed, as an editable install sees it."""
    ignore = shutil.ignore_patterns("__pycache__", "precompiled")
    for folder in ("hybridsim", "models", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "hybridsim_models").symlink_to(tmp_path / "models")
    return tmp_path


def install(tree):
    """Write what pip writes about a package: its name, version, and entry points."""
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = tree / "hybridsim-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: hybridsim\nVersion: 0\n")
    group = "hybridsim.models"
    points = [f"[{group}]", *(f"{name} = {place}" for name, place in project["entry-points"][group].items())]
    (folder / "entry_points.txt").write_text("\n".join(points) + "\n")


def check(recipe, tree, commands):
    """The commands of a recipe succeed; what the last one prints."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    printed = ""
    for command in commands:
        program, *words = shlex.split(command)
        start = [sys.executable, *(["-m", "hybridsim"] if program == "hybridsim" else [])]
        done = subprocess.run(
            [*start, *words], cwd=tree, env=environment, check=False, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, f"{recipe}: {command}\n{done.stdout}\n{done.stderr}"
        printed = done.stdout
    return printed


def outcome(recipe, tree, printed):
    """Whether what the recipe has made is right, by what is known of it from elsewhere."""
    if recipe in ("A method", "A bundled method"):
        with h5py.File(tree / "slip.h5") as file:
            return "ralston" in str(dict(file.attrs)) + str(file["config"][()] if "config" in file else "")
    if recipe == "An output format":
        arrays = np.load(tree / "slip.npz")
        return arrays["t"][-1] == 1.0 and len(arrays["x"]) == len(arrays["t"])
    if recipe == "A stop":  # after the fall, half as long again: restitution is 1/2
        return np.loadtxt(tree / "bouncing_ball.data")[-1, 0] == pytest.approx(1.5 * np.sqrt(2.0 / 9.81), rel=1e-9)
    if recipe == "A plot":
        return (tree / "gaps.png").read_bytes().startswith(b"\x89PNG")
    if recipe == "A command":
        times = [float(line.split()[-1]) for line in printed.splitlines() if re.match(r"\S+ +[\d.]+$", line)]
        return sum(times) == pytest.approx(1.0, abs=1e-5)
    if recipe == "A bundled model":
        last = np.loadtxt(tree / "decay.data")[-1]
        return last == pytest.approx([1.0, np.exp(-1.0)], rel=1e-6)
    if recipe == "An analysis":  # the larger multiplier of the gait has the size 0.58
        return float(printed) == pytest.approx(np.log(0.5) / np.log(0.579952332), rel=1e-3)
    parts = [pq.read_table(part) for part in sorted((tree / "drops").glob("[!_]*.parquet"))]
    energies = [number for part in parts for number in part["energy"].to_pylist()]
    return energies == pytest.approx([9.81 * 0.5**4, 9.81 * 0.8**2], rel=1e-6)  # two bounces within a second, and one


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "recipe", [pytest.param(name, marks=() if name in QUICK else pytest.mark.exhaustive) for name in RECIPES]
)
def test_a_recipe_works(recipe, tree):
    changes, commands = blocks(recipe)
    apply(changes, tree)
    install(tree)
    assert outcome(recipe, tree, check(recipe, tree, commands))


@pytest.mark.members(1)
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_touches_the_files_that_the_page_names_and_passes_ruff(recipe, tree):
    before = files(tree)
    apply(blocks(recipe)[0], tree)
    after = files(tree)
    touched = sorted(name for name in after if after[name] != before.get(name))
    (stated,) = re.findall(r"^Files touched: (.*)$", RECIPES[recipe], re.MULTILINE)
    assert touched == re.findall(r"`([^`]+)`", stated)
    ours = [name for name in touched if name.startswith(("hybridsim/", "models/"))]
    for command in ("check", "format --check") if ours else ():
        start = [sys.executable, "-m", "ruff", *command.split(), "--no-cache"]
        done = subprocess.run([*start, *ours], cwd=tree, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_at_most_twelve_lines(recipe):
    changes, commands = blocks(recipe)
    written = [
        line
        for language, _, text in changes
        for line in text.splitlines()
        if line.strip(" +") and (language != "diff" or line.startswith("+"))
    ]
    assert len(written) <= 12
    assert commands
