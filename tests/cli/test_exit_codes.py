"""Exit codes where a display is lost, or the output cannot be written."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hybridsim import ConfigError
from hybridsim.cli.exit_codes import exit_code_of_call

from waiting import PATIENCE


@pytest.mark.parametrize(
    ("raised", "code", "printed"),
    [
        (ConfigError("ball.h5: no room"), 2, "ball.h5: no room"),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("of ours"), 1, "ZeroDivisionError: of ours"),
    ],
)
def test_an_error_after_the_display_is_lost_is_printed_and_has_its_exit_code(raised, code, printed, capsys):
    def fails():
        raise raised

    assert exit_code_of_call(fails) == code
    assert printed in capsys.readouterr().err
    assert exit_code_of_call(lambda: 0) == 0


FULL = Path("/dev/full")
"""A device on which every write fails as on a full disk."""


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has it")
@pytest.mark.parametrize(
    "command",
    [
        "--version",
        "run --help",
        "models",
        "schema",
        "new hopper",
        "check ball.yaml",
        "run ball.yaml",
        "run ball.yaml --dry-run",
        "sweep balls.yaml",
        "plot ball.h5",
        "verify ball.h5",
    ],
)
def test_output_that_cannot_be_written_is_a_sentence(hybridsim, balls, command, monkeypatch):
    if command.endswith(".h5"):
        assert hybridsim("run", "ball.yaml").code == 0
    with FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        outcome = hybridsim(*command.split())
    assert outcome.code == 1
    lines = [line for line in outcome.err.splitlines() if line.startswith("standard output")]
    assert lines == ["standard output: cannot be written (No space left on device); direct it to a file with room"]


@pytest.mark.members(1)
@pytest.mark.parametrize(("value", "coloured"), [(None, True), ("", True), ("1", False)])
def test_error_messages_have_no_colours_where_the_user_wants_none(value, coloured):
    """https://no-color.org: where NO_COLOR is there, and not empty; here on a terminal."""
    environment = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    environment |= {} if value is None else {"NO_COLOR": value}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "hybridsim", "run", "none.yaml"]
    ended = subprocess.run(command, stderr=theirs, env=environment, timeout=PATIENCE, check=False)
    os.close(theirs)
    message = os.read(ours, 1000)
    os.close(ours)
    assert ended.returncode == 2
    assert b"there is no such file" in message
    assert (b"\x1b[" in message) == coloured
