import dataclasses
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from slow import broken_block, dying_block, failing_block, slow_block

from hybridsim import __version__
from hybridsim.config.sweep import load_sweep_config, sweep_from_keywords
from hybridsim.errors import ConfigError, ModelError, SimulationError
from hybridsim.model.registry import load_model
from hybridsim.sweeps import cluster, load_sweep, run_sweep
from hybridsim.sweeps import worker as worker_module

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")
HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]  # the limit of each wait for a scheduler and its workers


@contextmanager
def process(*command, **environment):
    """A command of Dask, which ends with the block; its output comes line by line."""
    known = {"PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    started = subprocess.Popen(
        [sys.executable, "-m", *command],
        env=os.environ | known | environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.extend(iter(started.stderr.readline, "")), daemon=True)
    reading.start()
    try:
        yield started, lines
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.wait(timeout=60)
        reading.join(timeout=60)
        assert not reading.is_alive(), "the output of the process has not ended"
        started.stderr.close()


def line_with(lines, pattern):
    """The first match among the lines that come; a test fails if there is none for long."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        for line in list(lines):
            if found := re.search(pattern, line):
                return found
        time.sleep(0.02)
    raise AssertionError(f"no {pattern!r} in {lines}")


@pytest.fixture(scope="module")
def scheduler():
    """The address of a real `dask scheduler` on this machine."""
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process("distributed.cli.dask_scheduler", *options) as (_, lines):
        yield line_with(lines, r"Scheduler at:\s+(tcp://\S+)")[1]


@contextmanager
def worker(address, threads=1, **environment):
    """A real `dask worker` of one process."""
    options = ["--no-nanny", "--nthreads", str(threads), "--no-dashboard", "--memory-limit", "0"]
    with process("distributed.cli.dask_worker", address, *options, **environment) as (started, lines):
        line_with(lines, r"Registered to")
        yield started


@pytest.fixture(scope="module")
def workers(scheduler):
    """Two workers, one of them with two threads."""
    with worker(scheduler) as first, worker(scheduler, threads=2) as second:
        yield first, second


def test_a_scheduler_and_two_workers_give_the_bytes_of_threads(balls, tmp_path, content, scheduler, workers):
    seen = []
    outcome = run_sweep(balls(), tmp_path / "dask", cluster=scheduler, progress=lambda n, _: seen.append(n))
    assert outcome.finished == 30
    assert seen == sorted(seen)
    assert seen[-1] == 30
    run_sweep(balls(), tmp_path / "threads")
    assert content(tmp_path / "dask") == content(tmp_path / "threads")
    assert load_sweep(tmp_path / "dask").table.equals(load_sweep(tmp_path / "threads").table, check_metadata=True)


def test_what_threads_began_a_cluster_can_finish(balls, tmp_path, content, scheduler, workers):
    run_sweep(balls(), tmp_path / "both")
    for part in sorted((tmp_path / "both").glob("part-*"))[::2]:
        part.unlink()
    outcome = run_sweep(balls(), tmp_path / "both", cluster=scheduler, resume=True)
    assert 0 < outcome.computed < 30
    run_sweep(balls(), tmp_path / "threads")
    assert content(tmp_path / "both") == content(tmp_path / "threads")


def test_plugins_and_extra_outputs_travel_as_paths(tmp_path, content, scheduler, workers):
    source = HERE.parents[1] / "models" / "basics" / "bouncing_ball.py"
    (tmp_path / "ball.py").write_text(source.read_text())
    (tmp_path / "extra.py").write_text("def double(t, x, p, chart):\n    return 2.0 * x[0]\n")
    (tmp_path / "ball.yaml").write_text(
        "model: ./ball.py\nfinal_time: 1\nsweep: {axes: {y: [1, 2, 3]}, extra_outputs: ./extra.py}\n"
        "metrics: [max(double), count(floor)]\n"
    )
    config = load_sweep_config(tmp_path / "ball.yaml")
    run_sweep(config, tmp_path / "dask", cluster=scheduler)
    run_sweep(config, tmp_path / "threads")
    assert content(tmp_path / "dask") == content(tmp_path / "threads")
    # dropped from rest, a ball is nowhere higher than where it started
    assert load_sweep(tmp_path / "dask").table["max(double)"].to_pylist() == [2.0, 4.0, 6.0]


def test_a_worker_that_is_killed_costs_no_row(balls, tmp_path, content, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", slow_block)
    with worker(scheduler) as third:

        def kill(finished, statuses):
            if finished >= 10 and third.poll() is None:
                os.kill(third.pid, signal.SIGKILL)
                third.wait(timeout=60)

        given = {"cluster": scheduler, "progress": kill}
        outcome = run_sweep(balls(block=1), tmp_path / "killed", **given)
        assert third.returncode == -signal.SIGKILL
    assert outcome.finished == 30
    run_sweep(balls(block=1), tmp_path / "undisturbed")
    assert content(tmp_path / "killed") == content(tmp_path / "undisturbed")


def test_ctrl_c_keeps_what_has_come_back(balls, tmp_path, content, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", slow_block)

    def interrupt(finished, statuses):
        if finished >= 5:
            raise KeyboardInterrupt

    given = {"cluster": scheduler}
    outcome = run_sweep(balls(block=1), tmp_path / "out", progress=interrupt, **given)
    assert outcome.interrupted
    assert 5 <= outcome.finished < 30
    assert len(content(tmp_path / "out")) == outcome.finished
    assert run_sweep(balls(block=1), tmp_path / "out", resume=True, **given).finished == 30


def test_a_full_disk_ends_a_sweep_on_a_cluster_too(balls, tmp_path, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", slow_block)

    def vanish(finished, statuses):
        if finished == 4:
            (tmp_path / "out").rename(tmp_path / "gone")

    with pytest.raises(ConfigError, match=r"out: was removed or moved while .*--resume"):
        run_sweep(balls(), tmp_path / "out", cluster=scheduler, progress=vanish)


@pytest.mark.exhaustive
def test_a_worker_for_another_target_is_refused_by_name(balls, tmp_path, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", slow_block)
    with worker(scheduler, NUMBA_CPU_NAME="generic") as other:
        with pytest.raises(ConfigError) as refused:
            run_sweep(balls(block=1), tmp_path, cluster=scheduler)
        assert other.poll() is None
    message = str(refused.value)
    assert re.match(r"worker tcp://127\.0\.0\.1:\d+: compiles for another CPU than the machine that started", message)
    assert "for generic " in message
    assert "NUMBA_CPU_NAME and NUMBA_CPU_FEATURES" in message


ANOTHER_VERSION = "import hybridsim\nhybridsim.__version__ = '0.0.9'\n"


@pytest.mark.exhaustive
def test_a_worker_with_another_version_of_hybridsim_is_refused_with_both_named(balls, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(ANOTHER_VERSION)
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process("distributed.cli.dask_scheduler", *options) as (_, lines):
        address = line_with(lines, r"Scheduler at:\s+(tcp://\S+)")[1]
        with worker(address, PYTHONPATH=os.pathsep.join([str(tmp_path), str(HERE)])):
            named = rf"worker tcp://\S+: has another version of hybridsim than .*: '0\.0\.9' instead of '{__version__}'"
            with pytest.raises(ConfigError, match=named):
                run_sweep(balls(), tmp_path / "dask", cluster=address)
    assert not (tmp_path / "dask").exists()


def test_a_worker_with_another_plugin_is_refused(balls, tmp_path, scheduler, workers, monkeypatch):
    made_with = worker_module.provenance(balls())
    monkeypatch.setattr(worker_module, "provenance", lambda _: made_with | {"plugin": "0123"})
    with pytest.raises(ConfigError, match=r"worker tcp://\S+: has another plugin than .*: '\w{16}' instead of '0123'"):
        run_sweep(balls(), tmp_path, cluster=scheduler)


def test_errors_of_hybridsim_come_back_as_themselves(balls, tmp_path, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", broken_block)
    with pytest.raises(ModelError, match=r"^worker tcp://\S+: model 'bouncing_ball': does not compile$"):
        run_sweep(balls(), tmp_path, cluster=scheduler)


def test_other_errors_of_a_worker_are_reported_in_one_line(balls, tmp_path, scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", failing_block)
    with pytest.raises(ConfigError, match=r"a worker could not run a block \(ZeroDivisionError: .*; look into its log"):
        run_sweep(balls(), tmp_path, cluster=scheduler)


@pytest.mark.parametrize(
    ("problem", "remedy"),
    [
        (ModuleNotFoundError("No module named 'hybridsim'"), "install the same hybridsim on all machines"),
        (AttributeError("Can't get attribute 'run_block'"), "install the same hybridsim on all machines"),
        (pickle.UnpicklingError("pickle data was truncated"), "install the same hybridsim on all machines"),
        (RuntimeError("Error during deserialization of the task graph."), "install the same hybridsim on all machines"),
        (MemoryError(), "give it more memory, or fewer threads"),
        (OSError("Stale file handle"), "look into its log"),
    ],
)
def test_the_remedy_is_that_of_the_error(problem, remedy):
    assert cluster._remedy(problem).startswith(remedy)
    wrapped = RuntimeError("could not run")
    wrapped.__cause__ = problem
    assert cluster._remedy(wrapped).startswith(remedy)


def test_a_model_without_a_file_is_refused_before_any_worker_is_contacted(tmp_path):
    model = dataclasses.replace(load_model("bouncing_ball"), source="")
    config = sweep_from_keywords(model, {"y": [1.0, 2.0]}, final_time=0.1)
    with pytest.raises(ConfigError, match=r"from its file, and this Model has none; .* give its path"):
        run_sweep(config, tmp_path, cluster="tcp://127.0.0.1:1")
    assert run_sweep(config, tmp_path).finished == 2


@pytest.mark.exhaustive
def test_a_block_that_workers_die_of_ends_the_sweep(balls, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", dying_block)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setattr(cluster, "MAX_RETRIES", 0)
    message = r"workers die repeatedly while they compute the rows \d+ to"
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), pytest.raises(SimulationError, match=message):
        run_sweep(balls(), tmp_path, cluster="local:1")


@pytest.mark.exhaustive  # slow: it waits
def test_no_worker_for_long_is_an_error(balls, tmp_path, monkeypatch):
    class Reasons:
        def __init__(self):
            self.reasons = []

        def __call__(self, finished, statuses):
            assert finished == 0

        def waiting(self, reason):
            self.reasons.append(reason)

    waits = Reasons()
    monkeypatch.setattr(cluster, "MAX_TIME_WITHOUT_WORKERS", 2.5)
    monkeypatch.setattr(cluster, "TIME_TO_NOTE_NO_WORKERS", 0.5)
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process("distributed.cli.dask_scheduler", *options) as (_, lines):
        address = line_with(lines, r"Scheduler at:\s+(tcp://\S+)")[1]
        with pytest.raises(ConfigError, match=r"there has been no worker for 2\.5 s.*--resume"):
            run_sweep(balls(), tmp_path, cluster=address, progress=waits)
        assert waits.reasons[0] == f"no workers at {address}; waiting for some, 2.5 s at most"


@pytest.mark.exhaustive  # a worker that is killed costs no row in the ordinary run
def test_a_scheduler_that_goes_is_an_error(balls, tmp_path, content, monkeypatch):
    monkeypatch.setattr(cluster, "run_block", slow_block)
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process("distributed.cli.dask_scheduler", *options) as (dask, lines):
        address = line_with(lines, r"Scheduler at:\s+(tcp://\S+)")[1]

        def kill(finished, statuses):
            if finished >= 3 and dask.poll() is None:
                os.kill(dask.pid, signal.SIGKILL)
                dask.wait(timeout=60)

        gone = "the scheduler no longer replies; finished parts are kept"
        with worker(address), pytest.raises(ConfigError, match=gone):
            run_sweep(balls(block=1), tmp_path, cluster=address, progress=kill)
    assert len(content(tmp_path)) >= 3


@pytest.mark.exhaustive
def test_a_scheduler_that_goes_while_there_are_no_workers_is_reported_in_two_lines(tmp_path):
    (tmp_path / "balls.yaml").write_text("model: bouncing_ball\nfinal_time: 1\nsweep: {axes: {y: [1, 2]}}\n")
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process("distributed.cli.dask_scheduler", *options) as (dask, lines):
        address = line_with(lines, r"Scheduler at:\s+(tcp://\S+)")[1]
        config, folder = str(tmp_path / "balls.yaml"), f"output.folder={tmp_path / 'out'}"
        with process("hybridsim", "sweep", config, folder, "--cluster", address) as (sweep, printed):
            line_with(printed, "note: no workers at tcp://")
            os.kill(dask.pid, signal.SIGKILL)
            assert sweep.wait(timeout=120) == 2
    assert len(printed) == 2
    assert "the scheduler no longer replies" in printed[1]
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive  # a scheduler and its workers are in the ordinary run
def test_local_starts_workers_and_ends_them(balls, tmp_path, content, capfd):
    outcome = run_sweep(balls(), tmp_path / "local", cluster="local:2")
    assert outcome.finished == 30
    run_sweep(balls(), tmp_path / "threads")
    assert content(tmp_path / "local") == content(tmp_path / "threads")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:0", r"expected local:N with a number of workers, found 'local:0'"),
        ("local:", r"expected local:N"),
        ("local:two", r"expected local:N"),
        ("local", r"expected local:N"),
        ("tcp://127.0.0.1:1", r"no scheduler replies at 'tcp://127\.0\.0\.1:1'"),
        ("nonsense://x:1", r"expected an address, found 'nonsense://x:1'; give the address that"),
        ("foo", r"expected an address, found 'foo'"),
        ("tcp://foo", r"expected an address, found 'tcp://foo'"),
        ("", r"expected an address, found ''"),
    ],
)
def test_an_address_that_is_none_is_refused(balls, tmp_path, monkeypatch, capfd, address, message):
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.5)
    with pytest.raises(ConfigError, match=message):
        run_sweep(balls(), tmp_path, cluster=address)
    assert capfd.readouterr() == ("", "")


def test_without_dask_the_extra_is_named(balls, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=re.escape("pip install 'hybridsim[cluster]'")):
        run_sweep(balls(), tmp_path, cluster="local:2")
