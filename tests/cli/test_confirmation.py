"""A model that has changed since a run is executed only after a question on a terminal."""

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hybridsim import simulate

SOURCE = Path(__file__).parents[2] / "models" / "basics" / "bouncing_ball.py"
LIMIT = 240  # [s]


@pytest.fixture
def changed(tmp_path):
    """The folder of a run whose model has been changed since: it now writes a file when it is executed."""
    plugin = tmp_path / "ball.py"
    plugin.write_text(SOURCE.read_text())
    simulate(plugin, final_time=0.2).save(tmp_path / "run.h5")
    marker = f"\nimport pathlib\npathlib.Path({str(tmp_path / 'executed')!r}).touch()\n"
    plugin.write_text(plugin.read_text() + marker)
    return tmp_path


def on_terminal(folder, answer, *arguments, stdin=True):
    """Run a command whose standard error, and standard input unless `stdin` is false, are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hybridsim", *arguments],
        cwd=folder,
        stdin=theirs if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    os.write(ours, answer)
    shown: list[bytes] = []

    def read():
        try:
            while piece := os.read(ours, 4096):
                shown.append(piece)
        except OSError:  # the other end is closed
            return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        out, _ = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    reader.join(LIMIT)
    os.close(ours)
    return process.returncode, out, b"".join(shown).decode()


def test_yes_executes_the_model_and_says_that_it_has_changed(changed):
    code, out, err = on_terminal(changed, b"y\n", "verify", "run.h5")
    assert f"{changed / 'ball.py'}: not as recorded in the run; execute it? [y/N]" in err
    assert (code, "has changed since the run" in out) == (0, True), err
    assert (changed / "executed").exists()


@pytest.mark.members(1)
@pytest.mark.parametrize("answer", [b"\n", b"n\n", b"\x04"])
def test_any_other_answer_executes_nothing(changed, answer):
    code, out, err = on_terminal(changed, answer, "verify", "run.h5")
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert not (changed / "executed").exists()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("verify", "run.h5"), marks=pytest.mark.exhaustive),  # the other tests ask it, too
        ("view", "run.h5", "--record", "ball.png"),
    ],
)
def test_without_a_terminal_nothing_is_asked_and_nothing_executed(changed, command):
    code, out, err = on_terminal(changed, b"", *command, stdin=False)
    assert code == 2
    assert "[y/N]" not in err
    assert out == ""
    process = subprocess.run(
        [sys.executable, "-m", "hybridsim", *command],
        cwd=changed,
        input="y\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert (process.returncode, process.stdout, len(process.stderr.splitlines())) == (2, "", 1)
    assert "ball.py has changed since the run, so it was not executed" in process.stderr
    assert not (changed / "executed").exists()
    assert not (changed / "ball.png").exists()
