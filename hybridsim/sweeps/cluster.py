"""Blocks on the workers of a Dask cluster: handed out a few at a time, and kept here as they come back."""

from __future__ import annotations

import logging
import os
import pickle
import queue
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hybridsim.config.sweep.sweeping import SweepConfig
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.sweeps.manifest import RESUME
from hybridsim.sweeps.plan import Block, Plan
from hybridsim.sweeps.progress import PERIOD, Tally
from hybridsim.sweeps.threads import Keep, MakeWorker
from hybridsim.sweeps.worker import Answer, Failure, Order, order, run_block

CONNECT_TIMEOUT = 10.0
"""Seconds to wait for a scheduler."""

ANSWER_TIMEOUT = 10.0
"""Seconds to wait for results that a worker has ready; if it dies meanwhile, they are asked for again."""

PATIENCE = 600.0
"""Seconds without any worker after which a sweep ends: what is finished is kept."""

HESITATION = 5.0
"""Seconds without any worker after which that is said."""

WINDOW = 3
"""Blocks in flight for each thread of the workers: enough that none waits, few enough that memory stays flat."""

MAX_DEATHS = 2
"""How often a block is handed out again after Dask has given up on it, because several workers died of it."""

QUIET = ("distributed", "distributed.client", "distributed.scheduler", "distributed.worker", "tornado")

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?(?:\[[^\s\]]+\]|[^\s:/]+):\d+|inproc://\S+")
_HOW_TO_ADDRESS = (
    "give the address that `dask scheduler` prints, tcp://HOST:8786, or local:N for N workers on this machine"
)


def compute_on_cluster(
    address: str,
    config: SweepConfig,
    plan: Plan,
    blocks: Sequence[Block],
    keep: Keep,
    tally: Tally,
    *,
    make_worker: MakeWorker,
) -> bool:
    """Compute the blocks; True, or False if Ctrl-C came before the end. What is finished then is kept.

    Parameters
    ----------
    address :
        of a scheduler, `tcp://host:8786`; or `local:N`, which starts N workers here and ends them afterwards.
    config, plan, blocks :
        the sweep, and what is to be computed of it.
    keep :
        takes the results as they come back.
    tally :
        hears of it.
    make_worker :
        makes an engine, on the workers.

    Raises
    ------
    ConfigError : a model without a file, no Dask, no such scheduler, workers that would compute something else, no
        workers for PATIENCE.
    ModelError, ConfigError : from the making of an engine on a worker. SimulationError : workers die of a block.
    """
    if not blocks:
        return True
    if not config.run.model.source:
        raise ConfigError(
            f"cluster: workers load the model {config.run.model.name!r} themselves, and a Model without a file cannot "
            "go to a cluster; write it to a file, and give its path"
        )
    with _quiet(), _connected(address, min(len(blocks), 10_000)) as client:
        tally.begin()
        handout = _Handout(address, client, order(uuid.uuid4().hex, config, make_worker), plan, blocks)
        try:
            handout.run(keep, tally)
        except KeyboardInterrupt:
            return False
        finally:
            handout.cancel()
    return True


class _Handout:
    """Keeps a few blocks in flight for every thread of the workers, until all have come back."""

    def __init__(self, address: str, client: Any, order: Order, plan: Plan, blocks: Sequence[Block]) -> None:
        self._address, self._client, self._order, self._plan = address, client, order, plan
        self._waiting = iter(blocks)
        self._left = len(blocks)
        self._flying: dict[str, tuple[Block, Any]] = {}
        self._landed: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._deaths: dict[Block, int] = {}
        self._seen = self._looked = time.monotonic()
        self._threads = self._count_threads()

    def run(self, keep: Keep, tally: Tally) -> None:
        """Hand out the blocks and keep their results."""
        while self._left:
            self._fill()
            try:
                future = self._landed.get(timeout=PERIOD)
            except queue.Empty:
                tally.show()
            else:
                self._take(future, keep, tally)
            self._look_after_workers(tally)

    def cancel(self) -> None:
        """Take back what is still in flight; a block that a worker has begun, it finishes in vain."""
        futures = [future for _, future in self._flying.values()]
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True)

    def _fill(self) -> None:
        while len(self._flying) < max(WINDOW * self._threads, 2):
            block = next(self._waiting, None)
            if block is None:
                return
            self._submit(block)

    def _submit(self, block: Block) -> None:
        values = self._plan.values(block.first, block.end)
        key = f"hybridsim-sweep-{uuid.uuid4().hex}"
        future = self._client.submit(run_block, self._order, values, key=key, pure=False)
        self._flying[key] = block, future
        future.add_done_callback(self._landed.put)

    def _take(self, future: Any, keep: Keep, tally: Tally) -> None:
        """Keep the results of a future that is done, or hand its block out again."""
        from distributed import KilledWorker  # noqa: PLC0415

        if future.key not in self._flying:
            return
        block = self._flying[future.key][0]
        try:
            answer: Answer = future.result(timeout=ANSWER_TIMEOUT)
        except TimeoutError:  # its worker died with the results: somebody computes them again
            future.add_done_callback(self._landed.put)
            return
        except KilledWorker:
            del self._flying[future.key]
            self._again(block)
            return
        except Exception as problem:
            raise self._explained(problem, future) from problem
        del self._flying[future.key]
        if isinstance(answer.results, Failure):
            raise answer.results.raised(answer.worker)
        tally.add(keep(block, answer.results))
        self._left -= 1

    def _again(self, block: Block) -> None:
        self._deaths[block] = self._deaths.get(block, 0) + 1
        if self._deaths[block] > MAX_DEATHS:
            raise SimulationError(
                f"cluster {self._address}: workers die again and again while they compute the rows {block.first} to "
                f"{block.end - 1}; look into their logs (is there memory enough?), and go on with {RESUME}"
            )
        self._submit(block)

    def _explained(self, problem: Exception, future: Any) -> Exception:
        """What to tell of an error that is none of hybridsim's."""
        if future.status in ("cancelled", "lost") or self._client.status != "running":
            return self._gone()
        told = f"{type(problem).__name__}: {problem}".removesuffix(": ")
        return ConfigError(f"cluster {self._address}: a worker could not run a block ({told}); {_remedy(problem)}")

    def _gone(self) -> ConfigError:
        return ConfigError(
            f"cluster {self._address}: the scheduler has gone; finished parts are kept: start it again, and go on "
            f"with {RESUME}"
        )

    def _look_after_workers(self, tally: Tally) -> None:
        """Count the workers' threads once a second; give up when there have been none for long."""
        now = time.monotonic()
        if now - self._looked < 1.0:
            return
        self._looked = now
        self._threads = self._count_threads()
        if self._threads:
            self._seen = now
        elif now - self._seen > PATIENCE:
            raise ConfigError(
                f"cluster {self._address}: there has been no worker for {PATIENCE:g} s; finished parts are kept: "
                f"start workers, and go on with {RESUME}"
            )
        elif now - self._seen > HESITATION:
            tally.waiting(f"no workers at {self._address}; waiting for some, {PATIENCE:g} s at most")

    def _count_threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError):
            raise self._gone() from None


def _remedy(problem: BaseException) -> str:
    """What to do about an error of a worker that is none of hybridsim's."""
    chain = list(_causes(problem))
    if any(isinstance(one, ImportError | AttributeError | pickle.UnpicklingError) for one in chain) or any(
        "deserializ" in str(one)
        for one in chain  # what Dask says of an order that it cannot read
    ):
        return "install the same hybridsim on all machines"
    kept = f"finished parts are kept: go on with {RESUME}"
    if any(isinstance(one, MemoryError) for one in chain):
        return f"give it more memory, or fewer threads; {kept}"
    return f"look into its log; {kept}"


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    """The error, and those behind it."""
    while problem is not None:
        yield problem
        problem = problem.__cause__


@contextmanager
def _connected(address: str, at_most: int) -> Iterator[Any]:
    """A client of the cluster; for `local:N` the cluster, too.

    Raises
    ------
    ConfigError : the address is none, or nobody answers there.
    """
    import dask  # noqa: PLC0415
    import distributed  # noqa: PLC0415

    kind, _, number = address.partition(":")
    if kind != "local" and not _ADDRESS.fullmatch(address):
        raise ConfigError(f"cluster: expected an address, found {address!r}; {_HOW_TO_ADDRESS}")
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GiB"}):
        if kind != "local":
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
            f"cluster: no scheduler answers at {address!r} ({str(problem) or type(problem).__name__}); "
            f"{_HOW_TO_ADDRESS}"
        ) from None
    try:
        yield client
    finally:
        client.close(timeout=5.0)


@contextmanager
def _local_cluster(distributed: Any, n_workers: int) -> Iterator[str]:
    """The address of a scheduler in this process, with workers in processes of their own.

    They are started as commands: Dask's own way imports the caller's script again in each of them.
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
        workers.extend(_start([*command, *options]) for _ in range(n_workers))
        yield cluster.scheduler_address
    finally:
        _end(workers)
        cluster.close(timeout=5.0)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A silent process in a session of its own: a Ctrl-C on the terminal is for its parent alone."""
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent, start_new_session=os.name == "posix")


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log away from the user: what matters is in the errors raised here.

    Raises
    ------
    ConfigError : Dask is not installed.
    """
    try:
        import distributed  # noqa: F401, PLC0415  (which sets the levels of its log when it is imported)
    except ImportError:
        raise ConfigError(
            "cluster: needs Dask, which is not installed here; pip install 'hybridsim[cluster]'"
        ) from None
    loggers = [logging.getLogger(name) for name in QUIET]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
