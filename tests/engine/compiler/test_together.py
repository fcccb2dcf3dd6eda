"""Several processes compile the engine's routines at once, and none is left over, whatever ends first."""

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from hybridsim import Simulation
from hybridsim.engine.compiler import processes, together
from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.entries import routine_keys
from hybridsim.engine.compiler.object_file import file_of, load_file, path_in_cache
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import ROUTINES
from hybridsim.engine.entry import MODULES_OF_ROUTINES

from waiting import until

pytestmark = [pytest.mark.skipif(not JIT, reason="nothing is compiled"), pytest.mark.slow]

SHORT = ("renew_slide", "why_too_small", "rate_at", "sliding_slope")
"""Routines that are compiled in a moment."""


@pytest.fixture(scope="module")
def memory():
    machine = Simulation("slip")._drive.machine
    return machine.problem, machine.state, machine.workspace, machine.record


@pytest.fixture
def keys(memory, tmp_path, monkeypatch):
    """The names of the files of some routines, which the cache lacks."""
    found = dict(zip(ROUTINES, routine_keys(MODULES_OF_ROUTINES, memory), strict=True))
    monkeypatch.setenv("HYBRIDSIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(together, "n_processors", lambda: 2)
    cache_root.cache_clear()
    yield {name: found[name] for name in SHORT}
    monkeypatch.undo()
    cache_root.cache_clear()


@pytest.fixture
def started(monkeypatch):
    """The helpers that are started."""
    found = []

    def start(*arguments, **options):
        found.append(processes.start(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(together, "start", start)
    yield found
    for process in found:
        process.kill()
        process.wait(timeout=60)
        process.stdin.close()


def compile_all(memory, keys):
    together.compile_together(MODULES_OF_ROUTINES, memory, keys)


def files(keys):
    return {name for name, key in keys.items() if path_in_cache(file_of(key, "engine")).exists()}


def test_what_one_process_has_not_begun_another_compiles(memory, keys, started, monkeypatch):
    real, mine = together.compile_routine, []

    def slowly(modules, memory, name, key):
        mine.append(name)
        assert until(lambda: len(files(keys)) >= len(keys) - 1, 240)  # by the helper
        return real(modules, memory, name, key)

    monkeypatch.setattr(together, "compile_routine", slowly)
    compile_all(memory, keys)
    assert len(mine) == len(started) == 1
    assert files(keys) == {*SHORT}
    assert all(load_file(file_of(key, "engine")) for key in keys.values())
    assert not [*cache_root().rglob("*.lock")]
    assert started[0].poll() is not None


def dead():
    return subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"], stdin=subprocess.PIPE)


@pytest.mark.exhaustive  # what another does not finish is left in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("helper", [dead, lambda: None], ids=["ends at once", "cannot be started"])
def test_without_a_helper_this_process_compiles(helper, memory, keys, monkeypatch):
    monkeypatch.setattr(together, "start", lambda *_, **__: helper())
    compile_all(memory, keys)
    assert files(keys) == {*SHORT}


def test_an_interrupted_process_leaves_no_helper(memory, keys, started, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(together, "compile_routine", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compile_all(memory, keys)
    assert [process.poll() is not None for process in started] == [True]


KILLED = """
import sys, pickle, time
from hybridsim.engine.compiler import processes, together
modules, memory, keys = pickle.load(open(sys.argv[1], "rb"))
def start(*arguments, **options):
    process = processes.start(*arguments, **options)
    print(process.pid, flush=True)
    return process
together.start, together.n_processors = start, lambda: 2
together.compile_routine = lambda *_: time.sleep(600)
together.compile_together(modules, memory, keys)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no signals")
def test_nor_does_one_that_is_killed(memory, keys, tmp_path):
    job = tmp_path / "job"
    job.write_bytes(pickle.dumps((MODULES_OF_ROUTINES, tuple(map(together._of_same_type, memory)), keys)))
    with subprocess.Popen([sys.executable, "-c", KILLED, job], stdout=subprocess.PIPE, text=True) as process:
        helper = int(process.stdout.readline())
        os.kill(helper, 0)  # it lives
        process.kill()

    def has_ended():
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{helper}/stat")
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"  # nobody has waited for it

    assert until(has_ended, 120)


def test_what_another_process_does_not_finish_is_left_after_a_while(memory, keys, started, monkeypatch):
    monkeypatch.setattr(together, "PATIENCE", 0.1)
    with FileLock(path_in_cache(file_of(keys["rate_at"], "engine")).with_suffix(".lock")):
        compile_all(memory, keys)
    assert files(keys) == {*SHORT} - {"rate_at"}  # `load_routines` compiles the rest for itself


def test_only_one_process_has_helpers_and_only_for_more_than_one_routine(memory, keys, started):
    with FileLock(path_in_cache(together.HELPERS)):
        compile_all(memory, keys)
    assert files(keys) == {*SHORT}
    compile_all(memory, {"resume": "resume-0"})
    assert started == []


@pytest.mark.exhaustive  # slow: processes that compile
def test_a_helper_of_other_sources_compiles_nothing(memory, keys, started):
    process = together.start("hybridsim.engine.compiler.together", stdin=subprocess.PIPE)
    job = MODULES_OF_ROUTINES, tuple(map(together._of_same_type, memory)), keys, ("other", "sources")
    process.stdin.write(pickle.dumps(job))
    process.stdin.flush()
    assert process.wait(timeout=240) == 0
    assert files(keys) == set()
