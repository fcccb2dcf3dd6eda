"""Blocks on the threads of this machine: the engine runs without the interpreter's lock."""

from __future__ import annotations

import os
import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.sweep.sweeping import SweepConfig
from hybridsim.errors import ConfigError
from hybridsim.sweeps.batch import Cancelled
from hybridsim.sweeps.plan import Block, Plan
from hybridsim.sweeps.progress import PERIOD, Tally
from hybridsim.sweeps.results import Results


class Worker(Protocol):
    """What makes the runs of a block, see `batch.Worker`."""

    def run(self, values: dict[str, NDArray[Any]], stop: NDArray[np.int64]) -> dict[str, NDArray[Any]]: ...


MakeWorker = Callable[[SweepConfig], Worker]

Keep = Callable[[Block, Results], Counter[str]]
"""Takes the metrics of a block's rows, keeps them, and counts their statuses; several threads call it at once."""

Message = tuple[Block, Counter[str]] | BaseException | None
"""What a thread says: a block is finished, something went wrong, or it ends."""


def thread_count(threads: int | None) -> int:
    """The number of threads that was asked for, by default as many as this process may use at once.

    Raises
    ------
    ConfigError : fewer than one.
    """
    if threads is None:
        usable = getattr(os, "process_cpu_count", None) or _usable_cpus
        return usable() or 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ConfigError(f"threads: expected a whole number of at least 1, found {threads!r}; leave it out for all")
    return int(threads)


def _usable_cpus() -> int | None:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def compute_here(
    config: SweepConfig,
    plan: Plan,
    blocks: Sequence[Block],
    keep: Keep,
    tally: Tally,
    *,
    threads: int,
    make_worker: MakeWorker,
) -> bool:
    """Compute the blocks; True, or False if Ctrl-C came before the end. What is finished then is kept.

    Raises
    ------
    ModelError, ConfigError : from the making of a worker, and what `keep` raises. The other threads end first.
    """
    if not blocks:
        return True
    first = make_worker(config)  # before any thread starts: what does not compile is said at once, and compiled once
    tally.begin()
    stop = np.zeros(1, np.int64)
    said: queue.SimpleQueue[Message] = queue.SimpleQueue()
    shared = _Shared(iter(blocks))

    def work(make: Callable[[], Worker]) -> None:
        try:
            _work(make(), plan, shared, keep, stop, said)
        except BaseException as problem:
            said.put(problem)
        finally:
            said.put(None)

    makes = [lambda: first, *[lambda: make_worker(config)] * (min(threads, len(blocks)) - 1)]
    team = [threading.Thread(target=work, args=(make,), name="hybridsim-sweep", daemon=True) for make in makes]
    return _finished(team, said, stop, tally)


class _Shared:
    """An iterator that several threads take from."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._lock = threading.Lock()

    def __iter__(self) -> _Shared:
        return self

    def __next__(self) -> Block:
        with self._lock:
            return next(self._blocks)


def _work(
    worker: Worker,
    plan: Plan,
    blocks: _Shared,
    keep: Keep,
    stop: NDArray[np.int64],
    said: queue.SimpleQueue[Message],
) -> None:
    """One thread: block after block, until there are no more or it is told to stop."""
    for block in blocks:
        try:
            results = worker.run(plan.values(block.first, block.end), stop)
        except Cancelled:
            return
        said.put((block, keep(block, results)))
        if stop[0]:
            return


def _finished(
    team: Sequence[threading.Thread], said: queue.SimpleQueue[Message], stop: NDArray[np.int64], tally: Tally
) -> bool:
    """Start the threads and listen to them; whatever happens, none runs any more afterwards."""
    started: list[threading.Thread] = []
    try:
        for thread in team:
            thread.start()
            started.append(thread)
        _listen(said, len(team), tally)
    except KeyboardInterrupt:
        return False
    finally:
        stop[0] = 1
        _join(started)
        _listen_to_the_rest(said, tally)
    return True


def _listen(said: queue.SimpleQueue[Message], running: int, tally: Tally) -> None:
    while running:
        try:
            message = said.get(timeout=PERIOD)
        except queue.Empty:
            tally.show()
            continue
        if isinstance(message, BaseException):
            raise message
        if message is None:
            running -= 1
        else:
            tally.add(message[1])


def _join(team: Sequence[threading.Thread]) -> None:
    """Wait for the threads, however often Ctrl-C is pressed meanwhile: they write what they have finished."""
    for thread in team:
        while thread.is_alive():
            try:
                thread.join()
            except KeyboardInterrupt:
                continue


def _listen_to_the_rest(said: queue.SimpleQueue[Message], tally: Tally) -> None:
    """Count the blocks that were finished while the threads ended."""
    while not said.empty():
        message = said.get()
        if isinstance(message, tuple):
            tally.add(message[1])
