import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hybridsim.cli.main import main

CONFIGS = Path(__file__).parents[2] / "configs"
BALL = """
model: {plugin}
final_time: 1
initial: {{y: 1}}
"""


@dataclass
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def hybridsim(monkeypatch, capsys, tmp_path):
    """Call the command line in an empty folder: `hybridsim("run", "ball.yaml")` gives code, out and err."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["hybridsim", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(end.value.code or 0, captured.out, captured.err)

    return call


@pytest.fixture
def ball(tmp_path):
    """The folder of a config `ball.yaml`: a ball dropped from 1 m that keeps half of its speed."""
    plugin = CONFIGS.parent / "models" / "basics" / "bouncing_ball.py"
    (tmp_path / "ball.yaml").write_text(BALL.format(plugin=plugin))
    return tmp_path


SWEEP = """
sweep:
  axes:
    restitution: [0.2, 0.4, 0.6]
    y: linspace(1, 2, 2)
  block: 2
stop: [{boundary: floor, count: 5}]
metrics:
  fifth: time(floor, 5)
  bounces: count(floor)
  status: status
"""


@pytest.fixture
def balls(ball):
    """The folder of a config `balls.yaml`: six balls that bounce five times, or for a second."""
    (ball / "balls.yaml").write_text((ball / "ball.yaml").read_text() + SWEEP)
    return ball
