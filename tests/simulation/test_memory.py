"""The memory that a record takes: a period spares it, and a run ends before its record fills it."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

from hybridsim import Simulation, SimulationError, Status, load_run, simulate, verify
from hybridsim.simulation import available_memory, drive, run_log

from gallery import OSCILLATOR

MODELS = ["bouncing_ball", "relay", "slip", "stick_slip"]
COLUMNS = "t", "j", "chart", "adjacent_chart", "surface", "sliding_weight", "x", "y", "xdot"


@pytest.fixture
def short_chunks(monkeypatch):
    """Empty the log often, so that the ends of chunks come everywhere."""
    monkeypatch.setattr(run_log, "FIRST_STEPS", 3)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", 7)
    monkeypatch.setattr(run_log, "FEWEST_STEPS", 7)
    monkeypatch.setattr(run_log, "LARGE_LOG", 0)


@pytest.mark.parametrize("period", [1e-3, 0.03, 1 / 3, 5.0])
@pytest.mark.parametrize("model", MODELS)
def test_steps_that_a_period_does_not_need_are_dropped_without_a_trace(model, period, short_chunks):
    whole, thinned = (Simulation(model, record=period, final_time=1.3) for _ in range(2))
    whole.advance(1.3)  # keeps every step, which `chunks` may be asked for
    run, expected = thinned.run(), whole.result()
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(run, name), getattr(expected, name), err_msg=name)
    if period > 1.0:
        # Beginning and end of a chunk, and three rows at each jump besides the two sides; and what is still in the log.
        *chunks, log = [0 if steps is None else len(steps) for steps, _ in thinned.chunks()]
        assert sum(chunks) <= 2 * len(chunks) + 5 * len(run.events)
        assert log <= run_log.STEPS_PER_CALL + 1 + len(run.events)


def memory_of(monkeypatch, left, between_looks=10_000):
    monkeypatch.setattr(drive, "BYTES_BETWEEN_LOOKS", between_looks)
    monkeypatch.setattr(drive, "available_memory", lambda: left)


REMEDIES = {
    True: "choose a record.period, or",
    False: "let the run end earlier",
    1e-3: "choose a longer record.period, or",
}


@pytest.mark.members(1)
@pytest.mark.parametrize("record", REMEDIES)
def test_a_run_ends_before_its_record_fills_the_memory(record, short_chunks, monkeypatch, tmp_path):
    given = {"model": "relay", "record": record, "final_time": 100.0}
    whole = simulate(**given)
    memory_of(monkeypatch, 2e6)
    assert simulate(**given).status is Status.FINAL_TIME
    memory_of(monkeypatch, 2e5)
    run = simulate(**given)
    assert run.status is Status.OUT_OF_MEMORY
    assert run.message.startswith(f"the record has filled the memory; {REMEDIES[record]}")
    assert 0.0 < run.t[-1] < 100.0
    n = len(run.t) - 1  # the row where it ends is in the middle of nothing
    np.testing.assert_array_equal(run.t[:n], whole.t[:n])
    np.testing.assert_array_equal(run.x[:n], whole.x[:n])
    run.save(tmp_path / "run.h5")
    assert load_run(tmp_path / "run.h5").status is Status.OUT_OF_MEMORY
    assert verify(tmp_path / "run.h5").ok


def memory_behind(run):
    """Size of the blocks of memory that the arrays of a run keep alive [bytes]."""
    arrays = [run.t, run.j, run.chart, run.adjacent_chart, run.x, run.step, run.extension, run.y, run.certificate]
    return sum((array if array.base is None else array.base).nbytes for array in arrays)


def test_a_short_run_keeps_no_memory_beyond_its_own():
    run = simulate("slip", stop=[("apex", 20)])
    assert memory_behind(run) < 2 * 8 * run.y.shape[1] * len(run.t) + 2 * run.extension.nbytes + 2 * run.x.nbytes


def test_a_run_of_several_logs_is_recorded_in_one_piece(monkeypatch):
    monkeypatch.setattr(run_log, "FIRST_STEPS", 10)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", 20)
    simulation = Simulation("slip", stop=[("apex", 20)])
    run = simulation.run()
    assert len(run.t) > 100
    steps = [steps for steps, _ in simulation._drive.logged.chunks() if steps is not None]
    assert len(steps) == 1
    assert np.shares_memory(steps[0].extension, run.extension)


def test_what_was_recorded_before_the_inputs_change_stays_as_it_was(short_chunks):
    simulation = Simulation(OSCILLATOR, final_time=3.0)
    simulation.advance(1.0)
    part = simulation.result()
    before = part.t.copy(), part.x.copy()
    simulation.inputs["push"] = 1.0
    simulation.advance(2.0)
    simulation.run()
    np.testing.assert_array_equal(part.t, before[0])
    np.testing.assert_array_equal(part.x, before[1])


@pytest.fixture
def no_garbage_collection():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage_collection")
def test_a_simulation_that_nobody_has_any_more_leaves_its_memory_at_once():
    """Garbage is collected where there are many objects; those of a simulation are few, and large."""
    simulation = Simulation(OSCILLATOR)
    simulation.inputs["push"] = 1.0
    simulation.advance(0.5)
    record, inputs, _ = weakref.ref(simulation._drive), simulation.inputs, simulation.result()
    del simulation
    assert record() is None
    with pytest.raises(SimulationError, match="is gone; keep it"):
        inputs["push"] = 2.0


LIMITED = """
import resource, sys
from hybridsim import simulate
run = simulate("relay", final_time=0.01)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 700 * 2**20,) * 2)
run = simulate("relay", final_time=1e5, method="rk4", max_step=1e-3, max_transitions=10**9)
run.save(f"{sys.argv[1]}/run.h5")
print(run.status.name, len(run.t))
"""


@pytest.mark.exhaustive  # slow; a run ends before memory is full in the ordinary run
@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits the address space")
def test_a_hundred_million_steps_end_with_a_status_within_a_limit_of_the_system(tmp_path):
    process = subprocess.run(
        [sys.executable, "-c", LIMITED, tmp_path], capture_output=True, text=True, check=False, timeout=240
    )
    assert [line for line in process.stderr.splitlines() if not line.startswith("compiling ")] == []
    name, rows = process.stdout.split()
    assert name == "OUT_OF_MEMORY"
    assert int(rows) > 100_000
    assert (tmp_path / "run.h5").stat().st_size > 100 * int(rows)


def test_the_limits_of_a_machine_and_of_its_control_groups_are_read(tmp_path, monkeypatch):
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    files = {
        proc / "meminfo": "MemTotal:  9000 kB\nMemAvailable:  4000 kB\n",
        proc / "self" / "cgroup": "0::/slurm/job_7\n",
        groups / "slurm" / "memory.max": "3000000\n",
        groups / "slurm" / "memory.current": "1000000\n",
        groups / "slurm" / "memory.stat": "anon 5\ninactive_file 500000\n",
        groups / "slurm" / "job_7" / "memory.max": "max\n",
        groups / "slurm" / "job_7" / "memory.current": "7\n",
        groups / "slurm" / "job_7" / "memory.stat": "inactive_file 0\n",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(available_memory, "PROC_FOLDER", proc)
    monkeypatch.setattr(available_memory, "CONTROL_GROUP_FOLDER", groups)
    assert available_memory.available_memory() == 2_500_000
    (groups / "slurm" / "memory.max").unlink()
    assert available_memory.available_memory() == 4000 * 1024
    (proc / "meminfo").write_text("no such line\n")
    assert available_memory.available_memory() == np.inf
