"""What a check says of a function that does not return."""

import signal
import subprocess
import sys
import time

import pytest

from hybridsim.cli import check, watchdog

from waiting import PATIENCE, next_line

FUNCTIONS = {
    "vector_field": "xdot, t, x, p, chart",
    "boundaries": "g, t, x, p, chart",
    "transition": "x_new, t, x, p, chart, crossed",
    "outputs": "y, t, x, p, chart",
    "initial_chart": "x_new, t, x, p",
    "validate": "t, x, p, chart",
}
ENDLESS = "    while x[0] > -1.0:\n        helped = x[0]\n"
REGULAR = {
    "vector_field": "    xdot[0] = 1.0\n",
    "boundaries": "    g[0] = 1.0 + x[0]\n",
    "outputs": "    y[0] = x[0]\n",
}
MODEL = """
from hybridsim import Boundary, Model, Output, Records, State
{functions}
MODEL = Model("waits", Records(State("x", 1.0)), boundary_records=Records(Boundary("wall")),
    output_records=Records(Output("place")), {names})
"""


def waiting_model(folder, endless):
    """Write a model of which one function never returns."""
    bodies = {name: REGULAR.get(name, "    return 0\n") for name in FUNCTIONS}
    bodies[endless] = ENDLESS + bodies[endless]
    functions = "".join(f"def {name}({FUNCTIONS[name]}):\n{body}" for name, body in bodies.items())
    names = ", ".join(f"{name}={name}" for name in FUNCTIONS)
    (folder / "waits.py").write_text(MODEL.format(functions=functions, names=names))
    (folder / "waits.yaml").write_text("model: ./waits.py\nfinal_time: 1\n")
    (folder / "many.yaml").write_text("model: ./waits.py\nfinal_time: 1\nsweep: {axes: {x: [1, 2]}}\n")


class EnoughError(BaseException):
    """Raised when the note has had the time to appear."""


@pytest.fixture
def in_between(monkeypatch):
    """Look at calls often, and end the check a while after the first note, or when patience is at its end."""

    def stop(*_):
        raise EnoughError

    def report_and_stop(*found, report=watchdog._report):
        report(*found)
        signal.setitimer(signal.ITIMER_REAL, 0.3)

    before = signal.signal(signal.SIGALRM, stop)
    monkeypatch.setattr(watchdog, "PERIOD", 0.05)
    monkeypatch.setattr(watchdog, "_report", report_and_stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def of_family(name, target):
    return pytest.param(
        name, target, marks=() if (name, target) == ("transition", "waits.py") else pytest.mark.exhaustive
    )


@pytest.mark.usefixtures("in_between")
@pytest.mark.parametrize(
    ("name", "target"),
    [of_family(name, target) for name in FUNCTIONS for target in ("waits.py", "waits.yaml", "many.yaml")],
)
def test_a_function_that_does_not_return_is_named_once_with_its_line(name, target, tmp_path, capsys):
    waiting_model(tmp_path, name)
    with pytest.raises(EnoughError):
        check.check(str(tmp_path / target))
    note = capsys.readouterr().err
    loop = (tmp_path / "waits.py").read_text().splitlines().index("    while x[0] > -1.0:") + 1
    assert note.count("note:") == 1
    assert any(f"waits.py:{line}: in `{name}`, one call" in note for line in (loop, loop + 1))
    assert "has not returned for more than 0.05 s; expected an end of each loop" in note


def test_of_many_short_calls_nothing_is_said(monkeypatch, capsys):
    def pause():
        time.sleep(0.01)

    monkeypatch.setattr(watchdog, "PERIOD", 0.05)
    with watchdog.watching({"pause": pause}):
        for _ in range(30):
            pause()
        time.sleep(0.2)  # what lasts here is no function of a model
    assert capsys.readouterr().err == ""


@pytest.mark.exhaustive  # `test_interruption` ends other commands so
@pytest.mark.slow
def test_ctrl_c_ends_a_check_that_waits(tmp_path):
    waiting_model(tmp_path, "vector_field")
    command = [sys.executable, "-m", "hybridsim", "check", str(tmp_path / "waits.py")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert "in `vector_field`, one call" in next_line(process.stderr)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 128 + signal.SIGINT
        finally:
            process.kill()
