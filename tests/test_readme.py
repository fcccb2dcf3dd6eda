"""What README.md shows is true: its model keeps the contract, and its Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hybridsim.testing import check_model

ROOT = Path(__file__).parents[1]
MODEL, SESSION = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.py"
    path.write_text(MODEL)
    return path


def test_the_model_keeps_the_contract_in_forty_lines(ball):
    assert check_model(ball).startswith("ball: fine")
    assert len(MODEL.splitlines()) <= 40


def test_the_session_runs(ball):
    outcome = subprocess.run(
        [sys.executable, "-c", SESSION], cwd=ball.parent, check=False, capture_output=True, text=True, timeout=240
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout == "reached a stop that was asked for\n"
    assert (ball.parent / "runs" / "slip.h5").exists()


def test_every_file_it_names_exists():
    names = re.findall(r"\]\(([\w./-]+)\)", (ROOT / "README.md").read_text())
    assert [name for name in names if not (ROOT / name).exists()] == []
