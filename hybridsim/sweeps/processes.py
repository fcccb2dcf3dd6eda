"""Compute blocks of rows in processes of this machine: for runners that hold the interpreter's lock."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import uuid
import weakref
from collections.abc import Mapping, Sequence
from typing import IO, Any

from numpy.typing import NDArray

from hybridsim.config.sweep import SweepConfig
from hybridsim.engine.compiler.processes import APART
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.sweeps.batch import Cancelled, MakeRunner
from hybridsim.sweeps.plan import Plan
from hybridsim.sweeps.progress import PROGRESS_PERIOD
from hybridsim.sweeps.threads import thread_count
from hybridsim.sweeps.worker import Answer, Failure, SweepJob, answer_of, sweep_job
from hybridsim.typing import IntArray

MIN_ROWS_PER_PROCESS = 500
"""Rows for which it is worth while to start a process: to load and to compile takes seconds."""

TIME_BEFORE_KILL = 10.0
"""Seconds after which a process that was asked to end is killed."""


def process_count(workers: int | None, config: SweepConfig, plan: Plan) -> int:
    """Return the number of processes: no more than blocks, and only this one for a model without a file.

    Raises
    ------
    ConfigError
        If `workers` is no whole number of at least 1, or several are asked for and the model has no file.
    """
    has_file, count = bool(config.run.model.source), thread_count(workers)
    if workers is None:
        return min(count, plan.n_blocks, max(plan.n_rows // MIN_ROWS_PER_PROCESS, 1)) if has_file else 1
    if count > 1 and not has_file:
        raise ConfigError(
            f"workers: processes load the model {config.run.model.name!r} from its file, and this Model has none; "
            "write it to a file and give its path, or leave workers out"
        )
    return min(count, plan.n_blocks)


class ProcessRunner:
    """Computes rows in another process, which ends with this object.

    The process is started as a command: `multiprocessing` would execute the caller's script again in it.

    Parameters
    ----------
    make : MakeRunner
        Makes what computes the rows there.
    config : SweepConfig
        The sweep.
    """

    def __init__(self, make: MakeRunner, config: SweepConfig) -> None:
        self._process = start([sys.executable, "-c", f"from {__name__} import serve; serve()"], subprocess.PIPE)
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        weakref.finalize(self, end, [self._process])
        assert self._process.stdout is not None
        threading.Thread(target=_read_answers, args=(self._process.stdout, self._answers), daemon=True).start()
        self._job: SweepJob | None = sweep_job(uuid.uuid4().hex, config, make)

    def run(self, values: Mapping[str, NDArray[Any]], stop: IntArray) -> dict[str, NDArray[Any]]:
        """Compute n rows; arguments, return value and errors are those of `BatchRunner.run`."""
        try:
            if self._job is not None:
                self._send(self._job)
                self._job = None
            self._send(dict(values))
        except OSError:
            raise self._error_of_death() from None
        while not stop[0]:
            try:
                answer = self._answers.get(timeout=PROGRESS_PERIOD)
            except queue.Empty:
                continue
            if answer is None:
                raise self._error_of_death()
            if isinstance(answer.results, Failure):
                raise answer.results.as_error(answer.worker)
            return answer.results
        end([self._process])
        raise Cancelled

    def _send(self, what: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(what, self._process.stdin)
        self._process.stdin.flush()

    def _error_of_death(self) -> SimulationError:
        code = self._process.wait(TIME_BEFORE_KILL)
        return SimulationError(
            f"workers: a process ended while it computed rows (exit code {code}); finished rows are kept: is there "
            "enough memory? Give a smaller number of workers"
        )


def _read_answers(stream: IO[bytes], answers: queue.SimpleQueue[Answer | None]) -> None:
    """Read answers until the process ends; None is the last."""
    with stream:
        while (answer := _next(stream)) is not None:
            answers.put(answer)
    answers.put(None)


def _next(stream: IO[bytes]) -> Any:
    try:
        return pickle.load(stream)
    except (EOFError, OSError, pickle.UnpicklingError):
        return None


def start(command: Sequence[str], pipes: int) -> subprocess.Popen[bytes]:
    """Start a process so that a Ctrl-C on the terminal reaches this process only.

    `pipes` : its standard input and output; what it writes to standard error is dropped.
    """
    return subprocess.Popen(command, stdin=pipes, stdout=pipes, stderr=subprocess.DEVNULL, **APART)


def end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """End processes, and wait for them."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=TIME_BEFORE_KILL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()


def serve() -> None:
    """Read a job, and then the values of one block after the other, from standard input; write the answers."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a model prints is no answer
    job, name = _next(requests), f"process {os.getpid()}"
    while job is not None and (values := _next(requests)) is not None:
        pickle.dump(_answer(name, job, values), answers)
        answers.flush()


def _answer(name: str, job: SweepJob, values: Any) -> Answer:
    """Run rows; an error that is not hybridsim's is answered, too, as nobody reads this process's standard error."""
    try:
        return answer_of(name, job, values)
    except Exception as problem:
        return Answer(name, Failure(type(problem).__name__, (f"{type(problem).__name__}: {problem}",)))
