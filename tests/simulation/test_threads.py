"""Runs in many threads at once, and in processes forked from one that has used the engine."""

import multiprocessing
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from hybridsim import Simulation, Status, simulate
from hybridsim.engine.compiler.compilation import compile_or_load

from waiting import PATIENCE

RUNS = [("relay", 20.0), ("relay", 21.0), ("bouncing_ball", 1.0), ("stick_slip", 5.0)]
THREADS = 8


def bits(index):
    model, final_time = RUNS[index % len(RUNS)]
    run = simulate(model, final_time=final_time)
    return b"".join(values.tobytes() for values in (run.t, run.chart, run.x, run.events.t, run.events.x_after))


@pytest.fixture(scope="module")
def alone():
    """The bits of each run, computed alone."""
    return [bits(index) for index in range(len(RUNS))]


def test_runs_in_many_threads_are_the_same_to_the_last_bit(alone):
    compile_or_load.cache_clear()  # the threads load the models' functions, all at once
    barrier = threading.Barrier(THREADS)

    def together(index):
        barrier.wait(PATIENCE)
        return [bits(index + further) for further in range(2 * len(RUNS))]

    with ThreadPoolExecutor(THREADS) as pool:
        for index, found in enumerate(pool.map(together, range(THREADS), timeout=PATIENCE)):
            assert found == [alone[(index + further) % len(RUNS)] for further in range(2 * len(RUNS))]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("while_running", [False, True])
def test_forks_of_a_process_that_has_used_the_engine_compute_the_same(while_running, alone):
    endless = Simulation("relay", final_time=1e9, max_transitions=10**9, record=False)
    thread = threading.Thread(target=endless.run)
    if while_running:
        thread.start()
    try:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(bits, range(len(RUNS))).get(PATIENCE) == alone
    finally:
        endless.interrupt()
        if while_running:
            thread.join(PATIENCE)


def test_ctrl_c_in_the_main_thread_can_end_the_runs_of_a_pool_and_keep_their_data():
    runs = [Simulation("relay", final_time=1e9, max_transitions=10**9, record=False) for _ in range(3)]
    begun = [threading.Event() for _ in runs]
    with ThreadPoolExecutor(len(runs)) as pool:
        futures = [pool.submit(run.run, lambda _, here=here: here.set()) for run, here in zip(runs, begun, strict=True)]
        try:
            assert all(here.wait(PATIENCE) for here in begun)
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pass
        finally:
            for run in runs:
                run.interrupt()
        ended = [future.result(PATIENCE) for future in futures]
    shortest = min(ended, key=lambda run: len(run.events))
    assert len(shortest.events) > 100
    for run in ended:
        assert run.status is Status.INTERRUPTED
        assert 0.0 < run.t[-1] < 1e9
        n = len(shortest.events)
        np.testing.assert_array_equal(run.events.t[:n], shortest.events.t)
