"""What each command imports: a package that it does not use would make every start slower."""

import json
import os
import subprocess
import sys

import pyarrow
import pytest

from hybridsim.engine.compiler.options import JIT

PACKAGES = frozenset({
    *("dask", "distributed", "h5py", "llvmlite", "matplotlib", "numba", "numpy", "pandas", "PIL", "pyarrow"),
    *("pyarrow.compute", "pydantic", "pyvista", "scipy", "aiohttp", "vtkmodules", "yaml"),
})  # fmt: skip
"""The packages, and a part of one, that take long to import, or much memory."""

CONFIG = {"numpy", "pydantic", "yaml"}
RUN = {*CONFIG, "llvmlite"}
FILE = {*CONFIG, "h5py"}
IMPORTED = {
    "--version": set(),
    "--help": set(),
    "view --help": set(),
    "sweep --help": set(),
    "check ball.yaml": RUN,
    "run ball.yaml": RUN | FILE,
    "verify ball.h5": RUN | FILE,
    "linearize ball.yaml": RUN,
    "sweep balls.yaml": {*RUN, "pyarrow"},
    "plot ball.h5 -o ball.png": {*FILE, "matplotlib", "PIL"},
    "schema": CONFIG,
}
"""Command -> the packages among them that it imports when everything that it needs has been compiled."""

OF_TYPER = frozenset({"pydantic"})
"""What typer itself imports, in some versions, to show a help page."""

OF_ARROW = frozenset({"pandas", "pyarrow.compute"} if int(pyarrow.__version__.split(".")[0]) < 26 else ())
"""What Arrow imports, version 17 for one, to see whether an array is one of pandas, which imports the other."""

IN_A_NEW_PROCESS = """
import gc, json, sys
from hybridsim.__main__ import main
sys.argv = ["hybridsim", *sys.argv[1:]]
before = sum(generation["collections"] for generation in gc.get_stats())
try:
    main()
finally:
    collections = sum(generation["collections"] for generation in gc.get_stats()) - before
    print(json.dumps([sorted(sys.modules), collections]), file=sys.stderr)
"""

COLLECTIONS = 1
"""How often a short command may look for garbage: not while it imports, or each time adds a tenth to its time."""


def started(command, folder):
    """A command in a new process: the packages that it imports, and how often it looks for garbage."""
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_NEW_PROCESS, *command.split()],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ended.returncode == 0, ended.stderr
    modules, collections = json.loads(ended.stderr.splitlines()[-1])
    return PACKAGES & set(modules), collections


@pytest.mark.members(2)
@pytest.mark.skipif(not JIT, reason="nothing is taken from the cache")
@pytest.mark.parametrize("command", IMPORTED)
def test_a_command_imports_what_it_uses_and_nothing_else(command, hybridsim, ball):
    (ball / "balls.yaml").write_text((ball / "ball.yaml").read_text() + "sweep: {axes: {initial.y: [1, 2]}}\n")
    assert hybridsim("run", "ball.yaml").code == 0
    if command.split()[0] in ("verify", "linearize", "sweep"):
        hybridsim(*command.split())  # compiles what is still missing
        for part in (ball / "balls").glob("*"):
            part.unlink()
    found, collections = started(command, ball)
    of_others = OF_TYPER if command.endswith("--help") else OF_ARROW if command.startswith("sweep") else frozenset()
    assert found - of_others == IMPORTED[command]
    assert collections <= COLLECTIONS


@pytest.mark.members(1)
@pytest.mark.parametrize("given", [None, "26"])
def test_the_threads_of_the_linear_algebra_sleep_unless_the_user_has_them_look_for_work(given, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_THREAD_TIMEOUT"}
    code = "import os, sys; from hybridsim.__main__ import main; sys.argv[1:] = ['schema']\n"
    code += "try: main()\nfinally: print(os.environ['OPENBLAS_THREAD_TIMEOUT'], file=sys.stderr)"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment | ({} if given is None else {"OPENBLAS_THREAD_TIMEOUT": given}),
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.stderr.split() == [given or "4"]
