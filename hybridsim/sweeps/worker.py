"""What happens on a worker of a cluster: the same model, sources and target are made sure of, then a block is run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import sweep_from_data
from hybridsim.config.run_config import resolved
from hybridsim.config.sweep.sweeping import SweepConfig
from hybridsim.errors import ConfigError, HybridsimError, ModelError
from hybridsim.sweeps.provenance import TARGET_VARIABLES, first_difference, provenance
from hybridsim.sweeps.results import with_status
from hybridsim.sweeps.threads import MakeWorker, Worker

Values = dict[str, NDArray[Any]]

MAX_WORKERS = 2
"""Engines that each thread of a worker keeps for the next block, one for each sweep."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker must know of a sweep besides the values of its rows; travels with every block.

    data : a config of a sweep over the same axes, with one value each; made_with : the client's `provenance`.
    key : tells one order from another.
    """

    key: str
    data: Mapping[str, Any]
    made_with: Mapping[str, Any]
    make_worker: MakeWorker


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a worker did not run a block."""

    kind: str  # the name of an error of hybridsim
    problems: tuple[str, ...]

    def raised(self, worker: str) -> HybridsimError:
        """The error, with the worker's name in it."""
        problems = [f"worker {worker}: {problem}" for problem in self.problems]
        return ModelError("\n".join(problems)) if self.kind == ModelError.__name__ else ConfigError(problems)


@dataclass(frozen=True, slots=True)
class Answer:
    """The metrics of a block, or why there are none; `worker` is where it was."""

    worker: str
    results: Values | Failure


def order(key: str, config: SweepConfig, make_worker: MakeWorker) -> Order:
    """The order for a sweep: its axes are cut down to one value each, because the values come with the blocks."""
    sweep: dict[str, Any] = {"axes": {axis.key: [axis.values[:1].tolist()[0]] for axis in config.axes}}
    if config.extra_outputs_file:
        sweep["extra_outputs"] = config.extra_outputs_file
    data = {**resolved(config.run), "sweep": sweep, "metrics": config.data["metrics"]}
    return Order(key, data, provenance(config), make_worker)


def run_block(order: Order, values: Values) -> Answer:
    """Run the rows with these values, on a worker of Dask."""
    from distributed import get_worker  # noqa: PLC0415  (where this runs, it is there)

    where = get_worker()
    name = f"{where.name} at {where.address}" if str(where.name) != where.address else where.address
    try:
        return Answer(name, _worker(order).run(values, np.zeros(1, np.int64)))
    except HybridsimError as problem:
        problems = problem.problems if isinstance(problem, ConfigError) else (str(problem),)
        return Answer(name, Failure(type(problem).__name__, problems))


_one_at_a_time = threading.Lock()
_own = threading.local()
"""The engines of this thread: no two threads share one."""


def _worker(order: Order) -> Worker:
    engines: dict[str, Worker] = _own.__dict__.setdefault("engines", {})
    if order.key not in engines:
        with _one_at_a_time:  # loading plug-ins is not for several threads at once
            config = with_status(sweep_from_data(order.data))
            _refuse_difference(order.made_with, provenance(config))
            engine = order.make_worker(config)
        while len(engines) >= MAX_WORKERS:
            del engines[next(iter(engines))]
        engines[order.key] = engine
    return engines[order.key]


def _refuse_difference(client: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Refuse to compute what would not be the same, to the last bit, as what the client computes.

    Raises
    ------
    ConfigError : another version, plug-in, or target of the compiler.
    """
    difference = first_difference(client, here)
    if difference is None:
        return
    key, theirs, ours = difference
    remedy = "give all machines the same"
    if key.startswith("target."):
        target, wanted = (" ".join(str(value) for value in side["target"].values()) for side in (here, client))
        raise ConfigError(
            f"compiles for another CPU than the machine that asks: for {target} instead of {wanted} "
            f"(name, hash of features), and results would differ; set the environment variables {TARGET_VARIABLES} "
            "to the same values on all machines"
        )
    raise ConfigError(f"has another {key} than the machine that asks: {ours!r} instead of {theirs!r}; {remedy}")
