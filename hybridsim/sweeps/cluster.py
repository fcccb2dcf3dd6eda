"""Compute blocks of rows on the workers of a Dask cluster; this process sends the blocks and keeps the results."""

from __future__ import annotations

import logging
import pickle
import queue
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from hybridsim.errors import ConfigError, SimulationError
from hybridsim.sweeps.batch import MakeRunner
from hybridsim.sweeps.manifest import RESUME_ADVICE
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.processes import end, start
from hybridsim.sweeps.progress import PROGRESS_PERIOD, Tally
from hybridsim.sweeps.results import TableLayout
from hybridsim.sweeps.threads import BLOCKS_PER_THREAD, KeepResults
from hybridsim.sweeps.worker import Answer, AxisColumns, Failure, SweepJob, refuse_without_file, run_block, sweep_job

CONNECT_TIMEOUT = 10.0
"""Seconds to wait for a scheduler to reply."""

ANSWER_TIMEOUT = 10.0
"""Seconds to wait for results that a worker has ready; if it dies meanwhile, the block is computed again."""

MAX_TIME_WITHOUT_WORKERS = 600.0
"""Seconds without workers before the sweep ends with an error."""

TIME_TO_NOTE_NO_WORKERS = 5.0
"""Seconds without workers before a message to the user."""


MAX_RETRIES = 2
"""Retries of a block that Dask has given up, because several workers died while they computed it."""

SILENCED_LOGGERS = ("distributed", "distributed.client", "distributed.scheduler", "distributed.worker", "tornado")

_CLUSTER_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[^\s\]]+\]|[^\s:/]+):\d+|inproc://\S+")
_ADDRESS_ADVICE = (
    "give the address that `dask scheduler` prints, tcp://HOST:8786, or local:N for N workers on this machine"
)


def compute_on_cluster(
    address: str, layout: TableLayout, blocks: Sequence[Block], keep: KeepResults, tally: Tally, *, make: MakeRunner
) -> bool:
    """Compute blocks of rows on a cluster.

    Parameters
    ----------
    address : str
        Address of a scheduler, `tcp://host:8786`; or `local:N`, which starts N workers on this machine and ends them
        afterwards.
    layout : TableLayout
        The table of the sweep.
    blocks : sequence of Block
        The blocks to compute, one at least.
    keep : KeepResults
        Keeps the results of a block.
    tally : Tally
        Counts the rows that are finished.
    make : MakeRunner
        Makes what computes the rows, on each worker anew.

    Returns
    -------
    bool
        False if Ctrl-C ended the computation early; finished blocks are kept.

    Raises
    ------
    ConfigError
        If the model has no file, Dask is not installed, no scheduler replies, a worker has other sources or another
        compiler target, or there are no workers for `MAX_TIME_WITHOUT_WORKERS`.
    ModelError
        If the model does not load or compile on a worker.
    SimulationError
        If workers die repeatedly while they compute the same block.
    """
    refuse_without_file(layout.config.run.model)
    with connected(address, min(len(blocks), 10_000)) as client:
        tally.begin()
        job = sweep_job(uuid.uuid4().hex, layout.config, make)
        dispatcher = Dispatcher(address, client, job, layout.plan, blocks)
        try:
            dispatcher.run(keep, tally)
        except KeyboardInterrupt:
            return False
        finally:
            dispatcher.cancel()
    return True


class RowValues(Protocol):
    """Gives the values of rows: axis key -> (end - first,) array."""

    def values(self, first: int, end: int) -> AxisColumns:
        """Return those of the rows `first` to `end - 1`."""
        ...


class Dispatcher:
    """Sends a few blocks per thread of the workers at a time, until the results of all have arrived."""

    def __init__(self, address: str, client: Any, job: SweepJob, plan: RowValues, blocks: Sequence[Block]) -> None:
        self._address, self._client, self._job, self._plan = address, client, job, plan
        self._waiting = iter(blocks)
        self._n_missing = len(blocks)
        self._sent: dict[str, tuple[Block, Any]] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._retries: dict[Block, int] = {}
        self._workers_seen = self._workers_counted = time.monotonic()
        self._n_threads = self._count_threads()

    def run(self, keep: KeepResults, tally: Tally) -> None:
        """Send the blocks and keep their results."""
        while self._n_missing:
            self._fill()
            try:
                future = self._done.get(timeout=PROGRESS_PERIOD)
            except queue.Empty:
                tally.show()
            else:
                self._take(future, keep, tally)
            self._refuse_long_absence(tally)

    def cancel(self) -> None:
        """Cancel the blocks without results; a worker still finishes a block that it has begun."""
        futures = [future for _, future in self._sent.values()]
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True)

    def _fill(self) -> None:
        while len(self._sent) < max(BLOCKS_PER_THREAD * self._n_threads, 2):
            block = next(self._waiting, None)
            if block is None:
                return
            self._submit(block)

    def _submit(self, block: Block) -> None:
        values = self._plan.values(block.first, block.end)
        key = f"hybridsim-sweep-{uuid.uuid4().hex}"
        future = self._client.submit(run_block, self._job, values, key=key, pure=False)
        self._sent[key] = block, future
        future.add_done_callback(self._done.put)

    def _take(self, future: Any, keep: KeepResults, tally: Tally) -> None:
        """Keep the results of a future that is done, or send its block again."""
        from distributed import KilledWorker  # noqa: PLC0415

        if future.key not in self._sent:
            return
        block = self._sent[future.key][0]
        try:
            answer: Answer = future.result(timeout=ANSWER_TIMEOUT)
        except TimeoutError:  # its worker died with the results: Dask computes them on another one
            future.add_done_callback(self._done.put)
            return
        except KilledWorker:
            del self._sent[future.key]
            self._retry(block)
            return
        except Exception as problem:
            raise self._error_for(problem, future) from problem
        del self._sent[future.key]
        if isinstance(answer.results, Failure):
            raise answer.results.as_error(answer.worker)
        tally.add(keep(block, answer.results))
        self._n_missing -= 1

    def _retry(self, block: Block) -> None:
        self._retries[block] = self._retries.get(block, 0) + 1
        if self._retries[block] > MAX_RETRIES:
            raise SimulationError(
                f"cluster {self._address}: workers die repeatedly while they compute the rows {block.first} to "
                f"{block.end - 1}; look into their logs (is there enough memory?), and continue with {RESUME_ADVICE}"
            )
        self._submit(block)

    def _error_for(self, problem: Exception, future: Any) -> Exception:
        """Return the error to raise for an error of Dask or of Python."""
        if future.status in ("cancelled", "lost") or self._client.status != "running":
            return self._error_of_lost_scheduler()
        found = f"{type(problem).__name__}: {problem}".removesuffix(": ")
        return ConfigError(f"cluster {self._address}: a worker could not run a block ({found}); {_remedy(problem)}")

    def _error_of_lost_scheduler(self) -> ConfigError:
        return ConfigError(
            f"cluster {self._address}: the scheduler no longer replies; finished parts are kept: start it again, and "
            f"continue with {RESUME_ADVICE}"
        )

    def _refuse_long_absence(self, tally: Tally) -> None:
        """Raise a ConfigError if there has been no worker for too long; count their threads once a second."""
        now = time.monotonic()
        if now - self._workers_counted < 1.0:
            return
        self._workers_counted = now
        self._n_threads = self._count_threads()
        if self._n_threads:
            self._workers_seen = now
        elif now - self._workers_seen > MAX_TIME_WITHOUT_WORKERS:
            raise ConfigError(
                f"cluster {self._address}: there has been no worker for {MAX_TIME_WITHOUT_WORKERS:g} s; finished parts "
                f"are kept: start workers, and continue with {RESUME_ADVICE}"
            )
        elif now - self._workers_seen > TIME_TO_NOTE_NO_WORKERS:
            tally.waiting(f"no workers at {self._address}; waiting for some, {MAX_TIME_WITHOUT_WORKERS:g} s at most")

    def _count_threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError):
            raise self._error_of_lost_scheduler() from None


def _remedy(problem: BaseException) -> str:
    """Return advice for an error of Dask or of Python on a worker."""
    chain = list(_causes(problem))
    if any(isinstance(one, ImportError | AttributeError | pickle.UnpicklingError) for one in chain) or any(
        "deserializ" in str(one)
        for one in chain  # Dask's message for a job that a worker cannot unpickle
    ):
        return "install the same hybridsim on all machines"
    kept = f"finished parts are kept: continue with {RESUME_ADVICE}"
    if any(isinstance(one, MemoryError) for one in chain):
        return f"give it more memory, or fewer threads; {kept}"
    return f"look into its log; {kept}"


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    while problem is not None:
        yield problem
        problem = problem.__cause__


@contextmanager
def connected(address: str, at_most: int) -> Iterator[Any]:
    """Connect to a cluster, or start one of at most so many workers; the value is Dask's client.

    Raises
    ------
    ConfigError
        If Dask is not installed, the address is none, or no scheduler replies.
    """
    with _quiet(), _connect(address, at_most) as client:
        yield client


@contextmanager
def _connect(address: str, at_most: int) -> Iterator[Any]:
    """Connect to a cluster, and start one for `local:N`; raise a ConfigError if that fails."""
    import dask  # noqa: PLC0415
    import distributed  # noqa: PLC0415

    scheme, _, number = address.partition(":")
    if scheme != "local" and not _CLUSTER_ADDRESS.fullmatch(address):
        raise ConfigError(f"cluster: expected an address, found {address!r}; {_ADDRESS_ADVICE}")
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GiB"}):
        if scheme != "local":
            with _client(address) as client:
                yield client
            return
        if not number.isdecimal() or int(number) < 1:
            raise ConfigError(f"cluster: expected local:N with a number of workers, found {address!r}; write local:2")
        with _local_cluster(distributed, min(int(number), at_most)) as scheduler, _client(scheduler) as client:
            yield client


@contextmanager
def _client(address: str) -> Iterator[Any]:
    import distributed  # noqa: PLC0415

    connect: Any = distributed.Client
    try:
        client = connect(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as problem:
        raise ConfigError(
            f"cluster: no scheduler replies at {address!r} ({str(problem) or type(problem).__name__}); "
            f"{_ADDRESS_ADVICE}"
        ) from None
    try:
        yield client
    finally:
        client.close(timeout=5.0)


@contextmanager
def _local_cluster(distributed: Any, n_workers: int) -> Iterator[str]:
    """Start a scheduler in this process and workers in others; the value is the address of the scheduler.

    The workers are started as commands, because Dask itself would import the caller's script again in each of them.
    """
    cluster = distributed.LocalCluster(
        n_workers=0,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
    )
    command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
    options = ["--nthreads", "1", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30"]
    workers: list[subprocess.Popen[bytes]] = []
    try:
        workers.extend(start([*command, *options], subprocess.DEVNULL) for _ in range(n_workers))
        yield cluster.scheduler_address
    finally:
        end(workers)
        cluster.close(timeout=5.0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log, because the errors raised here contain everything that the user needs.

    Raises
    ------
    ConfigError
        If Dask is not installed.
    """
    try:
        import distributed  # noqa: F401, PLC0415  (which sets the levels of its log when it is imported)
    except ImportError:
        raise ConfigError(
            "cluster: needs Dask, which is not installed here; pip install 'hybridsim[cluster]'"
        ) from None
    loggers = [logging.getLogger(name) for name in SILENCED_LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
