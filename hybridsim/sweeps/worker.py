"""Functions that run on a worker of a cluster: compare sources and compiler target with the client's, run a block."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.run_config import resolve
from hybridsim.config.sweep import SweepConfig, sweep_from_data
from hybridsim.errors import ConfigError, HybridsimError, ModelError
from hybridsim.model import Model
from hybridsim.sweeps.batch import BatchRunner, MakeRunner, Runner
from hybridsim.sweeps.provenance import TARGET_VARIABLES, first_difference, provenance
from hybridsim.sweeps.results import complete

AxisColumns = dict[str, NDArray[Any]]

MAX_RUNNERS = 2
"""Most runners that each thread of a worker keeps for further blocks, one per sweep."""


@dataclass(frozen=True, slots=True)
class SweepJob:
    """A sweep without the values of its rows, sent to the workers with every block.

    Attributes
    ----------
    key : str
        Identifies the job.
    data : mapping
        Config of a sweep over the same axes with one value each.
    made_with : mapping
        The client's `provenance`.
    make : MakeRunner
        Makes what computes the rows.
    """

    key: str
    data: Mapping[str, Any]
    made_with: Mapping[str, Any]
    make: MakeRunner


@dataclass(frozen=True, slots=True)
class Failure:
    """The error with which a worker failed to run a block.

    Attributes
    ----------
    error : str
        Name of the class of the error, one of hybridsim's.
    problems : tuple of str
        Its messages.
    """

    error: str
    problems: tuple[str, ...]

    def as_error(self, worker: str) -> HybridsimError:
        """Return the error, with the worker's name in its messages."""
        problems = [f"worker {worker}: {problem}" for problem in self.problems]
        return ModelError("\n".join(problems)) if self.error == ModelError.__name__ else ConfigError(problems)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply of a worker to a block.

    Attributes
    ----------
    worker : str
        Name and address of the worker.
    results : dict or Failure
        The metrics of the block, or the error.
    """

    worker: str
    results: AxisColumns | Failure


def refuse_without_file(model: Model) -> None:
    """Raise a ConfigError for a model that workers cannot load."""
    if not model.source:
        raise ConfigError(
            f"cluster: workers load the model {model.name!r} from its file, and this Model has none; "
            "write it to a file, and give its path"
        )


def sweep_job(key: str, config: SweepConfig, make: MakeRunner = BatchRunner) -> SweepJob:
    """Return the job of a sweep, its axes cut down to one value each, because the values come with the blocks.

    That of an initial value is its default: a state that was computed may lie beyond its bounds by rounding.
    """
    defaults = {f"initial.{state.name}": state.default for state in config.run.model.states}
    axes = {axis.key: [defaults.get(axis.key, axis.values[:1].tolist()[0])] for axis in config.axes}
    sweep: dict[str, Any] = {"axes": axes}
    sweep.update({key: config.data["sweep"][key] for key in ("from", "extra_outputs") if key in config.data["sweep"]})
    data = {**resolve(config.run), "sweep": sweep, "metrics": config.data["metrics"]}
    return SweepJob(key, data, provenance(config), make)


def run_block(job: SweepJob, values: AxisColumns) -> Answer:
    """Run the rows with these values; Dask calls this on a worker."""
    from distributed import get_worker  # noqa: PLC0415  (every worker has it)

    where = get_worker()
    name = f"{where.name} at {where.address}" if str(where.name) != where.address else where.address
    return answer_of(name, job, values)


def answer_of(name: str, job: SweepJob, values: AxisColumns) -> Answer:
    """Run the rows with these values in this thread of a worker with this name."""
    try:
        return Answer(name, _runner(job).run(values, np.zeros(1, np.int64)))
    except HybridsimError as problem:
        problems = problem.problems if isinstance(problem, ConfigError) else (str(problem),)
        return Answer(name, Failure(type(problem).__name__, problems))


_loading = threading.Lock()
_of_thread = threading.local()
"""Holds this thread's runners: job key -> Runner."""


def _runner(job: SweepJob) -> Runner:
    """Return the runner of this thread for a job; drop the oldest runners if there are too many."""
    runners: dict[str, Runner] = _of_thread.__dict__.setdefault("runners", {})
    if job.key not in runners:
        with _loading:  # several threads must not load plug-ins at once
            config = complete(sweep_from_data(job.data))
            _refuse_difference(job.made_with, provenance(config))
            runner = job.make(config)
        while len(runners) >= MAX_RUNNERS:
            del runners[next(iter(runners))]
        runners[job.key] = runner
    return runners[job.key]


def _refuse_difference(client: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Refuse to compute if the results could differ from those that the client would compute, even in the last bit.

    Raises
    ------
    ConfigError
        If a version, the plug-in or the compiler's target differs.
    """
    difference = first_difference(client, here)
    if difference is None:
        return
    key, theirs, ours = difference
    if key.startswith("target."):
        target, wanted = (" ".join(str(value) for value in side["target"].values()) for side in (here, client))
        raise ConfigError(
            f"compiles for another CPU than the machine that started the sweep: for {target} instead of {wanted} "
            f"(name, hash of features), and results would differ; set the environment variables {TARGET_VARIABLES} "
            "to the same values on all machines"
        )
    section, _, package = key.partition(".")
    what = f"version of {package}" if section == "versions" else key
    raise ConfigError(
        f"has another {what} than the machine that started the sweep: {ours!r} instead of {theirs!r}; "
        "give all machines the same"
    )
