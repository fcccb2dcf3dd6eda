"""What README.md shows is true: it is short, its Python runs, and the first model of the docs keeps the contract."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hybridsim.testing import check_model

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
[SESSION] = PYTHON.findall(README)
MODEL = PYTHON.findall((ROOT / "docs" / "write-a-model.md").read_text(encoding="utf-8"))[0]


def test_it_is_read_in_three_minutes():
    assert len(README.split()) <= 650
    assert README.count("![") == 1


def test_it_shows_six_commands_and_twelve_lines_of_python():
    assert len(re.findall(r"^hybridsim ", README, re.MULTILINE)) == 6
    assert len(SESSION.splitlines()) <= 12


def test_the_first_model_keeps_the_contract_in_forty_lines(tmp_path):
    path = tmp_path / "ball.py"
    path.write_text(MODEL)
    assert check_model(path).startswith("ball: fine")
    assert len([line for line in MODEL.splitlines() if line]) <= 40


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "docs/getting-started.md"])
def test_the_session_runs(page, tmp_path):
    [session] = PYTHON.findall((ROOT / page).read_text(encoding="utf-8"))
    outcome = subprocess.run(
        [sys.executable, "-c", session], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=240
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout == "reached a stop that was asked for\n"
    assert (tmp_path / "runs" / "slip.h5").exists()


def test_every_file_it_names_exists():
    names = re.findall(r"\]\(([\w./-]+)\)", README)
    assert [name for name in names if not (ROOT / name).exists()] == []
