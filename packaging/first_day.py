"""A new user's first day: what README.md and docs/ show is done in an empty folder, with an installed wheel.

    .venv/bin/python packaging/first_day.py dist/hybridsim-*.whl     # in a fresh environment, from the package index
    .venv/bin/python packaging/first_day.py --here WHEEL sweeps      # a page, with the packages of this environment

There is no clone and no screen: the configs are those that the wheel brings. Each page has a folder of its own, in
which its commands run one after the other, and then its Python as one script; every command must end with the exit
code that the page states, 0 if it states none, and without a traceback. `PAGES` has what a page takes for granted,
and what is left out.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMIT = 1200.0
"""Longest time of a command [s]."""

_BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"^(hybridsim|python -c) ")
_NEEDS_SCREEN = re.compile(r"^hybridsim view(?!.*--(?:record|html))|--web\b")

RUNNER = "import hybridsim\n\nrun = hybridsim.simulate('slip', final_time=3.0)\n"
SLIP_RUNS = ("hybridsim run configs/slip.yaml output.folder=runs",)
SMALL_MAP = """model: slip
final_time: 20
parameters: {hold_touchdown_angle: 1}
sweep:
  axes: {k: "linspace(1e4, 3e4, 6)", touchdown_angle: "linspace(-24 deg, -20 deg, 5)"}
metrics: {steps: count(touchdown), status: status}
"""


@dataclass(frozen=True)
class Page:
    """What a page takes for granted.

    Attributes
    ----------
    files : mapping of str to str
        Files that a reader has by then.
    before : tuple of str
        Commands that a reader has given by then.
    prelude : str
        Python that a reader has executed by then.
    left_out : mapping of str to str
        Beginnings of commands and of Python blocks that are not tried -> why.
    codes : mapping of str to int
        Commands that do not end with 0 -> their exit code.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    prelude: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, int] = field(default_factory=dict)


PAGES = {
    "README": Page(),
    "biped": Page(codes={"hybridsim run configs/biped/fall.yaml": 1, "hybridsim run configs/biped/stiff.yaml p": 1}),
    "configuration": Page(),
    "gait-analysis": Page(
        before=(
            "hybridsim orbit find configs/walkers/orbits/compass_gait.yaml -o gait.h5",
            "hybridsim orbit continue gait.h5 'parameters.slope=0.5 deg..5.2 deg' --max-strides 8 -o branch.h5",
        ),
        prelude="import hybridsim, numpy\n",
        left_out={"hybridsim orbit table walkers.yaml": "the page shows a part of the file"},
    ),
    "getting-started": Page(),
    "hexapod": Page(
        prelude="import hybridsim\n",
        left_out={
            "hybridsim run configs/hexapod/speed-2.yaml parameters.terrain=hills.png": "a picture of the reader's",
        },
    ),
    "model-functions": Page(),
    "plot": Page(
        before=(*SLIP_RUNS, "hybridsim run configs/hexapod/speed-2.yaml output.folder=runs --no-view"),
        prelude=RUNNER,
        left_out={"MODEL = Model(...": "an excerpt"},
    ),
    "stiff-models": Page(),
    "sweeps": Page(
        files={"map.yaml": SMALL_MAP},
        left_out={
            "hybridsim sweep map.yaml --cluster tcp:": "an address of a cluster",
            "# slurm": "needs SLURM",
            '"""Extra outputs': "a file of its own, in a test",
        },
    ),
    "view": Page(
        before=(
            *SLIP_RUNS,
            *(f"hybridsim run configs/slip.yaml output.folder=runs output.base={name}" for name in ("soft", "stiff")),
        ),
        prelude=RUNNER,
        left_out={"from hybridsim.viewer.web import embed": "for a notebook"},
    ),
    "walkers": Page(left_out={"from hybridsim.multibody import PlanarBody": "an excerpt"}),
    "write-a-model": Page(
        prelude="import hybridsim\n", left_out={"import numpy as np": "a scene, as a part of a model"}
    ),
}
"""The pages that are tried, in their order."""

OTHER_PAGES = {
    "architecture": "no commands",
    "benchmarks": "needs a clone",
    "changelog": "no commands",
    **dict.fromkeys(
        ("coming-from-drake", "coming-from-ode45", "coming-from-simsect", "coming-from-solve-ivp"),
        "tests/docs/test_coming_from.py",
    ),
    "contacts": "excerpts of models; tests/contacts",
    "contributing": "needs a clone",
    "decisions": "no commands",
    "extending": "changes a clone; tests/docs/test_extending.py",
    "derivatives": "excerpts with data of the reader's; tests/derivatives",
    "events": "no commands",
    "humanoids": "searches of minutes; tests/models/test_humanoid*.py",
    "identification": "tests/docs/test_identification.py",
    "optimal-control": "tests/docs/test_identification.py",
    "optimisation": "tests/docs/test_optimisation.py",
    "gallery": "its commands make the pictures of the site",
    "index": "needs a clone",
    "networks": "excerpts of configs; tests/networks",
    "multibody": "excerpts of models; tests/multibody",
    "proofs": "needs python-flint; tests/proofs",
    "platforms": "installations of other kinds",
    "scorecard": "needs a clone",
    "security": "no commands",
    "testing": "needs a clone",
    "symbolic-models": "needs sympy and ruff; tests/models/test_ballistic_walking.py",
    "series": "no commands",
    "wearable": "a search of minutes; tests/docs/test_wearable.py",
}
"""The pages that are not tried -> why."""


def text_of(page: str) -> str:
    return (ROOT / "README.md" if page == "README" else ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def commands_of(page: str) -> list[str]:
    """Return the commands that a page shows, without their comments, each once."""
    lines = [line for language, body in _BLOCK.findall(text_of(page)) if not language for line in body.splitlines()]
    return list(dict.fromkeys(re.sub(r"\s+# .*", "", line) for line in lines if _COMMAND.match(line)))


def python_of(page: str) -> list[str]:
    """Return the Python that a page shows, block by block."""
    return [body for language, body in _BLOCK.findall(text_of(page)) if language == "python"]


def is_left_out(text: str, page: Page) -> bool:
    return bool(_NEEDS_SCREEN.search(text)) or text.startswith(tuple(page.left_out))


def saved_files(blocks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each block that a reader saves as a model or a part."""
    for block in blocks:
        found = re.search(r"^(?:MODEL|PART) = (?:Model|Plant|Part)\(\s*\"(\w+)\"", block, re.MULTILINE)
        named = re.search(r"save as (\w+)\.py", block)
        if found:
            yield f"{named[1] if named else found[1]}.py", block


class Day:
    """Does what pages show, with one Python.

    Parameters
    ----------
    python : Path
        The interpreter.
    environment : mapping of str to str
        Its environment.
    """

    def __init__(self, python: Path, environment: Mapping[str, str]) -> None:
        self._python, self._environment = python, environment
        self.failures: list[str] = []

    def spend(self, name: str, folder: Path) -> None:
        """Do what a page shows."""
        page, blocks = PAGES[name], python_of(name)
        folder.mkdir()
        self._run(folder, name, [str(self._python), "-c", COPY_CONFIGS], "copy the configs")
        for file, text in (*page.files.items(), *saved_files(blocks)):
            (folder / file).write_text(text, encoding="utf-8")
        for command in (*page.before, *commands_of(name)):
            if not is_left_out(command, page):
                code = next((code for start, code in page.codes.items() if command.startswith(start)), 0)
                self._run(folder, name, self._words(command), command, code)
        saved = [text for _, text in saved_files(blocks)]
        script = "\n".join(block for block in blocks if block not in saved and not is_left_out(block, page))
        if script:
            (folder / "page.py").write_text(page.prelude + script, encoding="utf-8")
            self._run(folder, name, [str(self._python), "page.py"], "its Python")

    def _words(self, command: str) -> list[str]:
        program, *words = shlex.split(command.partition(" > ")[0].replace(" --view", " --no-view"))
        return [str(self._python), *(["-m", "hybridsim"] if program == "hybridsim" else []), *words]

    def _run(self, folder: Path, page: str, words: Sequence[str], label: str, code: int = 0) -> None:
        began = time.perf_counter()
        done = subprocess.run(
            words, cwd=folder, env=self._environment, check=False, capture_output=True, text=True, timeout=LIMIT
        )
        ok = done.returncode == code and "Traceback" not in done.stderr
        print(f"{'ok  ' if ok else 'FAIL'} {time.perf_counter() - began:7.1f} s  {page}: {label}", flush=True)
        if not ok:
            self.failures.append(
                f"{page}: {label}: exit code {done.returncode}, expected {code}\n{done.stderr[-2000:]}"
            )


COPY_CONFIGS = """
import pathlib, shutil, hybridsim_models
shutil.copytree(pathlib.Path(hybridsim_models.__path__[0]) / "configs", "configs")
"""


def installed(wheel: Path, folder: Path, *, here: bool) -> tuple[Path, dict[str, str]]:
    """Install the wheel; return the interpreter that has it, and its environment."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DISPLAY")}
    if here:
        zipfile.ZipFile(wheel).extractall(folder / "installed")
        return Path(sys.executable), environment | {"PYTHONPATH": str(folder / "installed")}
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / "bin" / "python"
    packages = (f"{wheel}[all]", "ipython")  # IPython is there where a notebook is
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True, env=environment, timeout=1800)
    return python, environment | {"HYBRIDSIM_CACHE_DIR": str(folder / "cache")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("pages", nargs="*", help="names of pages, such as README sweeps; by default all")
    parser.add_argument("--here", action="store_true", help="use the packages of this environment, and its cache")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        day = Day(*installed(given.wheel.resolve(), Path(made), here=given.here))
        for page in given.pages or PAGES:
            day.spend(page, Path(made) / page)
    if day.failures:
        sys.exit("\n\n".join(["", f"{len(day.failures)} failed:", *day.failures]))


if __name__ == "__main__":
    main()
