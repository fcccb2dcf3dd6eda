"""Compute blocks of rows on threads of this process; the engine runs without the interpreter's lock."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np

from hybridsim.engine.compiler.processes import n_processors
from hybridsim.errors import ConfigError
from hybridsim.sweeps.batch import MakeRunner, Runner
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.progress import PROGRESS_PERIOD, Tally
from hybridsim.sweeps.results import Results, TableLayout

KeepResults = Callable[[Block, Results], Counter[str]]
"""Keeps the metrics of a block and returns the counts of its statuses; several threads call it at once."""

THREAD_NAME = "hybridsim-sweep"

BLOCKS_PER_THREAD = 3
"""Blocks handed out per thread, so that none waits for the next one."""


def thread_count(workers: int | None) -> int:
    """Return the number of threads, by default one for each processor that this process may use.

    Parameters
    ----------
    workers : int or None
        The number that the user gives.

    Returns
    -------
    int
        The number of threads.

    Raises
    ------
    ConfigError
        If it is not a whole number of at least 1.
    """
    if workers is None:
        return n_processors()
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or workers < 1:
        raise ConfigError(f"workers: expected a whole number of at least 1, found {workers!r}; leave it out for all")
    return int(workers)


def compute_on_threads(
    layout: TableLayout, blocks: Sequence[Block], keep: KeepResults, tally: Tally, *, threads: int, make: MakeRunner
) -> bool:
    """Compute blocks of rows. When this returns or raises, no thread is running any more.

    Parameters
    ----------
    layout : TableLayout
        The table of the sweep.
    blocks : sequence of Block
        The blocks to compute, one at least.
    keep : KeepResults
        Keeps the results of a block.
    tally : Tally
        Counts the rows that are finished.
    threads : int
        Number of threads.
    make : MakeRunner
        Makes what computes the rows, for each thread anew.

    Returns
    -------
    bool
        False if Ctrl-C ended the computation early; finished blocks are kept.

    Raises
    ------
    ModelError
        If the model does not compile.
    ConfigError
        If `keep` cannot keep a result.
    """
    task = _BlockTask(layout, keep, make)
    tally.begin()
    pool = ThreadPoolExecutor(threads, THREAD_NAME)
    waiting = iter(blocks)
    handed_out: set[Future[Counter[str]]] = set()
    try:
        handed_out.update(pool.submit(task, block) for block in islice(waiting, BLOCKS_PER_THREAD * threads))
        while handed_out:
            finished = wait(handed_out, PROGRESS_PERIOD, FIRST_COMPLETED).done
            handed_out.update(pool.submit(task, block) for block in islice(waiting, len(finished)))
            for future in finished:
                handed_out.remove(future)
                tally.add(future.result())
            if not finished:
                tally.show()
    except KeyboardInterrupt:
        return False
    finally:
        task.stop()
        _end(pool)
        _count_late(handed_out, tally)
    return True


class _BlockTask:
    """Computes one block per call. Each thread has its own runner."""

    def __init__(self, layout: TableLayout, keep: KeepResults, make: MakeRunner) -> None:
        self._config, self._plan, self._keep, self._make = layout.config, layout.plan, keep, make
        # Made before any thread starts: a model that does not compile is reported at once, and compiled once.
        self._unused_runners = [make(layout.config)]
        self._of_thread = threading.local()
        self._stop = np.zeros(1, np.int64)

    def __call__(self, block: Block) -> Counter[str]:
        results = self._runner().run(self._plan.values(block.first, block.end), self._stop)
        return self._keep(block, results)

    def _runner(self) -> Runner:
        if not hasattr(self._of_thread, "runner"):
            try:
                self._of_thread.runner = self._unused_runners.pop()
            except IndexError:
                self._of_thread.runner = self._make(self._config)
        runner: Runner = self._of_thread.runner
        return runner

    def stop(self) -> None:
        """Make the blocks that are being computed end soon, without results."""
        self._stop[0] = 1


def _end(pool: ThreadPoolExecutor) -> None:
    """Wait for the threads, however often Ctrl-C is pressed meanwhile: they write the blocks that are finished."""
    while True:
        try:
            pool.shutdown(cancel_futures=True)
        except KeyboardInterrupt:
            continue
        return


def _count_late(futures: set[Future[Counter[str]]], tally: Tally) -> None:
    """Count the blocks that were finished while the threads ended, all of them before progress is reported."""
    finished = [future for future in futures if not future.cancelled() and future.exception() is None]
    if finished:
        tally.add(sum((future.result() for future in finished), Counter()))
