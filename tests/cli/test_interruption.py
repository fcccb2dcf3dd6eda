"""Ctrl-C and SIGTERM at different moments of a command, sent to real processes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from hybridsim import load_run

from waiting import PATIENCE, until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no signals to another process")
SIGNALS = [signal.SIGINT, signal.SIGTERM]
MODELS = Path(__file__).parents[2] / "models"


def in_turn(*moments):
    """Each moment with a signal, in turn; with the other one, which the same handler receives, in exhaustive tests."""
    return [
        pytest.param(moment, sent, marks=() if number % 2 == turn else pytest.mark.exhaustive)
        for number, moment in enumerate(moments)
        for turn, sent in enumerate(SIGNALS)
    ]


ENDLESS = [
    "final_time=1e9",
    "parameters.restitution=1",
    "record=false",
    "engine.max_step=0.1",
    "engine.max_transitions=1000000000",
]
LONG = ["engine.max_step=5e-6", "output.base=long", "output.formats=[hdf5]"]
"""200,000 rows, at which every command works for a while."""
SENTENCE = r"interrupted by (Ctrl-C|SIGTERM); no incomplete file is left\n"


@dataclass
class Ended:
    code: int
    out: str
    err: str


class Process:
    """The command line as a process of its own; its errors are read as they come."""

    def __init__(self, folder, *arguments, importtime=False, code=None, **environment):
        options = ["-X", "importtime"] if importtime else []
        program = ["-m", "hybridsim"] if code is None else ["-c", code]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, *options, *program, *arguments],
            cwd=folder,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env=os.environ | environment,
        )
        self.imported, self._err, self._out = [], [], []
        self._readers = [
            threading.Thread(target=reader, daemon=True) for reader in (self._read_errors, self._read_output)
        ]
        for reader in self._readers:
            reader.start()

    def _read_errors(self):
        with self.process.stderr as stream:
            for line in stream:
                if line.startswith("import time:"):
                    self.imported.append(line.rpartition("|")[2].strip())
                else:
                    self._err.append(line)

    def _read_output(self):
        with self.process.stdout as stream:
            self._out.append(stream.read())

    def wait_for_import(self, module):
        """Wait until this module, or one in it, has been loaded."""
        until(lambda: any(name.startswith(module) for name in [*self.imported]), every=0.001)

    def errors(self):
        """What it has written to its standard error so far."""
        return "".join([*self._err])

    def send(self, *signals):
        for number in signals:
            self.process.send_signal(number)

    def wait(self):
        code = self.process.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return Ended(code, "".join(self._out), "".join(self._err))


@pytest.fixture
def started(ball):
    """Start a command in the folder of `ball.yaml`: `started("run", "ball.yaml")`."""
    processes = []

    def start(*arguments, **options):
        processes.append(Process(ball, *arguments, **options))
        return processes[-1]

    yield start
    for each in processes:
        each.process.kill()
        each.wait()


def incomplete_files(folder):
    return [path.name for path in folder.rglob("*") if re.search(r"\.tmp|\.\d+(-\w+)?$", path.name)]


def assert_ended_at_once(ended, sent):
    assert ended.code == 128 + sent, ended.err
    assert re.fullmatch(SENTENCE, ended.err)
    assert ended.out == ""


@pytest.mark.exhaustive  # every command does so below
@pytest.mark.members(1)
@pytest.mark.parametrize(("module", "sent"), in_turn("typer", "numpy", "llvmlite", "hybridsim.simulation"))
def test_a_signal_while_modules_are_loaded_is_answered_by_one_sentence(started, ball, module, sent):
    process = started("run", "ball.yaml", importtime=True)
    process.wait_for_import(module)
    process.send(sent)
    assert_ended_at_once(process.wait(), sent)
    assert [path.name for path in ball.iterdir()] == ["ball.yaml"]


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("arguments", "module", "sent"),
    [
        (["verify", "ball.h5"], "llvmlite", signal.SIGTERM),
        pytest.param(["verify", "ball.h5"], "h5py", signal.SIGINT, marks=pytest.mark.exhaustive),
        (["plot", "ball.h5"], "matplotlib", signal.SIGTERM),
        (["view", "ball.h5", "--record", "a.png"], "pyvista", signal.SIGTERM),
        (["sweep", "balls.yaml"], "pyarrow", signal.SIGTERM),
    ],
)
def test_every_command_ends_at_once_while_it_loads(started, hybridsim, ball, arguments, module, sent):
    assert hybridsim("run", "ball.yaml").code == 0
    (ball / "balls.yaml").write_text((ball / "ball.yaml").read_text() + "sweep: {axes: {initial.y: [1, 2]}}\n")
    before = sorted(ball.iterdir())
    process = started(*arguments, importtime=True)
    process.wait_for_import(module)
    process.send(sent)
    assert_ended_at_once(process.wait(), sent)
    assert sorted(ball.iterdir()) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "sent", "seconds"),
    [
        ("run", signal.SIGTERM, 0.0),
        pytest.param("run", signal.SIGINT, 3.0, marks=pytest.mark.exhaustive),
        pytest.param("sweep", signal.SIGINT, 1.0, marks=pytest.mark.exhaustive),
    ],
)
def test_a_signal_while_the_engine_is_compiled_leaves_no_incomplete_file(started, ball, command, sent, seconds):
    cache = ball / "cache"
    (ball / "balls.yaml").write_text(
        (ball / "ball.yaml").read_text() + "sweep: {axes: {initial.y: [1, 2]}}\nmetrics: [count(floor)]\n"
    )
    process = started(command, "ball.yaml" if command == "run" else "balls.yaml", HYBRIDSIM_CACHE_DIR=str(cache))
    until(lambda: [*cache.glob("*/functions/*.bin")])  # the model is compiled, now comes the engine
    time.sleep(seconds)
    process.send(sent)
    ended = process.wait()
    # What is compiled is named if it takes longer than a moment.
    ended.err = "".join(line for line in ended.err.splitlines(True) if not line.startswith("compiling "))
    assert_ended_at_once(ended, sent)
    assert incomplete_files(ball) == []
    assert not [*ball.rglob("*.h5"), *ball.rglob("*.parquet")]


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "sent",
    [
        (signal.SIGINT,),
        pytest.param((signal.SIGTERM,), marks=pytest.mark.exhaustive),
        (signal.SIGTERM, signal.SIGINT, signal.SIGTERM),
    ],
)
def test_a_signal_during_the_run_keeps_what_was_computed(started, ball, sent):
    process = started("run", "ball.yaml", *ENDLESS)
    until((ball / "ball.param").exists)  # the first run on a machine compiles the engine
    time.sleep(0.1)
    process.send(*sent)
    ended = process.wait()
    assert ended.code == 128 + sent[-1] if len(sent) == 1 else ended.code in (130, 143)
    assert "interrupted by the user" in ended.out
    assert "Traceback" not in ended.err
    assert load_run(ball / "ball.h5").t[-1] > 0.0
    assert (ball / "ball.data").exists()
    assert incomplete_files(ball) == []


IMPATIENT = """
from hybridsim import __main__
from hybridsim.cli import interruption
interruption.TIME_BEFORE_EXPLANATION = 0.5
__main__.main()
"""
LOOP = "def vector_field(xdot, t, x, p, chart):\n    while t > 0.5:\n        xdot[S.y] += 1.0\n"
"""It is reached within a millisecond, and not by the trials of the model before it is compiled."""


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("command", "begun", "sent"),
    [
        (["run", "./endless.py", "final_time=1", "output.base=lost"], "lost.param", signal.SIGINT),
        (["sweep", "endless.yaml"], "endless/_provenance.yaml", signal.SIGTERM),
    ],
)
def test_an_endless_loop_in_a_model_is_ended_by_the_second_signal(started, ball, command, begun, sent):
    source, field = (MODELS / "basics" / "bouncing_ball.py").read_text(), LOOP.partition("\n")[0] + "\n"
    assert field in source
    (ball / "endless.py").write_text(source.replace(field, LOOP))
    (ball / "endless.yaml").write_text("model: ./endless.py\nfinal_time: 1\nsweep: {axes: {restitution: [0.2, 0.4]}}\n")
    process = started(*command, code=IMPATIENT)
    until((ball / begun).exists)
    time.sleep(0.5)
    process.send(sent)
    until(lambda: "the same again ends it at once" in process.errors())
    process.send(sent)
    ended = process.wait()
    assert ended.code == 128 + sent
    assert re.search(SENTENCE, ended.err)
    assert incomplete_files(ball) == []
    assert not [*ball.glob("lost.h5")]


@pytest.mark.members(1)
@pytest.mark.parametrize(("file", "sent"), in_turn("ball.initial", "ball.data"))
def test_a_signal_while_files_are_written_leaves_whole_files(started, ball, file, sent):
    """200,000 rows, so that writing `.data` takes a second; `.initial` comes before the computation."""
    process = started("run", "ball.yaml", "engine.max_step=5e-6")
    until(lambda: (ball / file).exists() or [*ball.glob(f".{file}.*.tmp")], every=0.001)
    process.send(sent)
    ended = process.wait()
    assert ended.code in (0, 128 + sent), ended.err
    assert [line for line in ended.err.splitlines() if not line.startswith("compiling ")] == []
    run = load_run(ball / "ball.h5")
    assert len((ball / "ball.data").read_text().splitlines()) >= len(run.t) - len(run.events)
    assert (run.t[-1] == 1.0) == (ended.code == 0)
    assert incomplete_files(ball) == []


@pytest.mark.exhaustive  # every command ends at once while it loads
@pytest.mark.parametrize(
    "arguments",
    [["verify", "long.h5"], pytest.param(["plot", "long.h5"], marks=pytest.mark.exhaustive)],  # as the picture below
)
def test_a_signal_during_a_long_command_on_a_run_is_answered_by_one_sentence(started, hybridsim, ball, arguments):
    assert hybridsim("run", "ball.yaml", *LONG).code == 0
    before = sorted(ball.iterdir())
    module = "hybridsim.verification.pieces" if arguments[0] == "verify" else "hybridsim.plotting.shades"
    for pause in (0.3, 0.1, 0.03, 0.0):  # on a busy machine the command may be done before this process sends anything
        process = started(*arguments, importtime=True)
        process.wait_for_import(module)
        time.sleep(pause)
        process.send(signal.SIGTERM)
        ended = process.wait()
        if ended.code != 0:
            break
        (ball / "long.png").unlink(missing_ok=True)
    assert_ended_at_once(ended, signal.SIGTERM)
    assert sorted(ball.iterdir()) == before


def test_a_signal_while_the_interpreter_clears_up_changes_nothing(ball):
    """By then Python has put back the system's own handlers, which would end the process with another exit code."""
    code = (
        "import os, signal, sys; sys.argv = ['hybridsim', 'run', 'ball.yaml']\n"
        "import hybridsim.__main__ as process\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, pid=os.getpid(), sent=signal.SIGTERM):\n"
        "        kill(pid, sent)\n"
        "late = Late()\n"
        "process.main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ball, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert load_run(ball / "ball.h5").t[-1] == 1.0


@pytest.mark.exhaustive  # other files are interrupted in the ordinary run
def test_a_signal_while_a_picture_is_written_leaves_no_part_of_it(started, hybridsim, ball):
    assert hybridsim("run", "ball.yaml", *LONG).code == 0
    process = started("plot", "long.h5", "-o", "picture.svg")
    until(lambda: [*ball.glob(".picture.svg.*.tmp")], every=0.001)
    process.send(signal.SIGTERM)
    assert_ended_at_once(process.wait(), signal.SIGTERM)
    assert not [*ball.glob("*picture*")]


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(("view", "sent"), in_turn("view"))
def test_a_signal_while_a_film_is_made_leaves_no_film(started, hybridsim, ball, view, sent):
    assert hybridsim("run", "ball.yaml").code == 0
    process = started(view, "ball.h5", "--record", "film.gif", "--speed", "0.02", "--size", "160x90")
    until(lambda: [*ball.glob(".film.gif.*.tmp")])
    time.sleep(0.1)
    process.send(sent)
    ended = process.wait()
    assert ended.code == 128 + sent
    assert ended.err == "note: interrupted; film.gif is not written\n"
    assert not [*ball.glob("*film*")]


def test_a_signal_that_the_parent_process_ignores_is_ignored(ball):
    """As under `nohup`, or for jobs in the background of a shell script."""
    code = (
        "import signal, sys; sys.argv = ['hybridsim', 'run', 'ball.yaml']\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "import os, hybridsim.__main__ as process\n"
        "from hybridsim.cli import compute\n"
        "compute.RunFiles.complete, complete = (\n"
        "    lambda *a: (os.kill(os.getpid(), signal.SIGINT), complete(*a)), compute.RunFiles.complete)\n"
        "process.main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ball, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert load_run(ball / "ball.h5").t[-1] == 1.0
