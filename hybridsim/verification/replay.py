"""A run beside its model: the model's functions, compiled, at any number of rows at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.config.building import build
from hybridsim.config.source import Findings, Node, Place
from hybridsim.engine.entry import (
    apply_transitions,
    evaluate_boundaries,
    evaluate_outputs,
    evaluate_slopes,
    evaluate_validity,
    jumps,
)
from hybridsim.engine.flow import ERROR
from hybridsim.engine.memory import Columns
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import Model
from hybridsim.packing import Packed, pack
from hybridsim.registry import load_model
from hybridsim.trajectory import Trajectory

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

EPSILON = 2.0**-52
ROUNDINGS = 16.0
"""How many roundings of the state, at the worst moment, an honest value may be off by."""


@dataclass(frozen=True, eq=False)
class Replay:
    """What there is to evaluate. States are (n, width): the model's, then zeros up to a whole vector of the engine.

    Attributes
    ----------
    run : the run to verify. config : the run it says it is, read again. packed : its model, compiled, and its numbers.
    """

    run: Trajectory
    config: RunConfig
    packed: Packed

    @property
    def model(self) -> Model:
        return self.config.model

    @property
    def n_states(self) -> int:
        return len(self.model.states)

    @property
    def n_boundaries(self) -> int:
        return len(self.model.boundaries)

    @property
    def width(self) -> int:
        return len(self.packed.work.x)

    @property
    def every_step(self) -> bool:
        """Does the run have all its steps with their extensions?"""
        return self.config.record.steps and self.config.record.period is None

    @property
    def duration(self) -> float:
        """How long the run lasts [s]; 1 where it lasts no time."""
        return float(self.run.t[-1] - self.run.t[0]) or 1.0

    @cached_property
    def x(self) -> Array:
        """The states at the rows, padded."""
        return self.padded(self.run.x)

    def padded(self, x: Array) -> Array:
        state = np.zeros((len(x), self.width))
        state[:, : self.n_states] = x
        return state

    def slopes(self, t: Array, x: Array, chart: Integers) -> Array:
        """The vector field at n rows, (n, width)."""
        xdot = np.zeros_like(x)
        evaluate_slopes(self._columns(t, x, chart, xdot), len(t), self.width)
        return xdot

    def outputs(self, t: Array, x: Array, chart: Integers) -> Array:
        """All outputs of the model, (n, n_outputs); its states where it has none."""
        if not self.model.outputs:
            return x[:, : self.n_states].copy()
        y = np.zeros((len(t), len(self.model.outputs)))
        evaluate_outputs(self._columns(t, x, chart, y), len(t), self.width, y.shape[1])
        return y

    def boundaries(self, t: Array, x: Array, chart: Integers) -> Array:
        """All boundaries, (n, n_boundaries); infinite where one is not active, which is far inside."""
        g = np.full((len(t), self.n_boundaries), np.inf)
        if g.size:
            evaluate_boundaries(self._columns(t, x, chart, g), len(t), self.width, g.shape[1])
        return g

    def transitions(self, t: Array, x: Array, chart: Integers, crossed: Integers) -> tuple[Array, Integers]:
        """The states after the jumps, (n, width), and the charts, (n,), negative where a transition declines."""
        x, chart, crossed = np.ascontiguousarray(x), _integers(chart), _integers(crossed)
        rows = jumps(self.packed.problem.functions, self.packed.problem.p, t, x, chart, crossed)
        apply_transitions(rows, len(t), self.width, crossed.shape[1])
        return rows.x_new, rows.answer

    def errors(self, t: Array, x: Array, chart: Integers) -> NDArray[np.bool_]:
        """At which rows `validate` reports an error."""
        if "validate" not in self.model.functions:
            return np.zeros(len(t), bool)
        nothing = np.zeros((len(t), 0), np.int64)
        x, chart = np.ascontiguousarray(x), _integers(chart)
        rows = jumps(self.packed.problem.functions, self.packed.problem.p, np.ascontiguousarray(t), x, chart, nothing)
        evaluate_validity(rows, len(t), self.width)
        known = (rows.answer > 0) & (rows.answer <= len(self.model.messages))
        return np.asarray(known & (self.packed.problem.severity[np.where(known, rows.answer, 0)] == ERROR))

    def _columns(self, t: Array, x: Array, chart: Integers, y: Array) -> Columns:
        problem = self.packed.problem
        return Columns(
            problem.functions, problem.p, np.ascontiguousarray(t), np.ascontiguousarray(x), _integers(chart), y
        )


def _integers(values: Any) -> Integers:
    return np.ascontiguousarray(values, dtype=np.int64)


def rounding(function: Any, t: Array, x: Array, *others: Any) -> Array:
    """By how much the rounding of t and x can change a function of them, in each of its values.

    The function is called at states moved by a few spacings, up and down in turn. Where it cancels, that is far more
    than the spacing of its value.
    """
    value = function(t, x, *others)
    total = EPSILON * abs(value)
    signs = np.where(np.arange(x.shape[1]) % 2, 1.0, -1.0)
    for sign in (signs, np.ones_like(signs)):
        with np.errstate(invalid="ignore"):
            total = total + abs(function(t, x * (1.0 + EPSILON * sign), *others) - value)
    return np.asarray(ROUNDINGS * np.where(np.isfinite(total), total, 0.0))


def make_replay(run: Trajectory, model: Model | str | os.PathLike[str] | None) -> Replay:
    """The run, and the model and values that its config names.

    Raises
    ------
    ConfigError : a run without a config, a model that is not there, or values that do not fit it.
    """
    data = run.provenance.get("config")
    if not isinstance(data, Mapping) or "model" not in data:
        raise ConfigError(
            f"the run of {run.model_name} does not say which config made it; expected /config in the file; "
            "verify a run that `hybridsim run` or `simulate` has made"
        )
    loaded = model if isinstance(model, Model) else _load(model or str(data["model"]), given=model is not None)
    findings = Findings()
    config = build(_node(data), loaded, findings, open_ended=True)
    return Replay(run, config, pack(config))


def _load(name: str | os.PathLike[str], given: bool) -> Model:
    try:
        return load_model(name)
    except ModelError as failure:
        if given:
            raise
        raise ConfigError(
            f"the model of this run, {str(name)!r}, is not here ({failure}); "
            "say where it is with --model PATH_OR_NAME (in Python: model=...)"
        ) from None


def _node(value: Any) -> Node:
    """Plain data as what the config's own sources deliver."""
    place = Place("/config", Path.cwd())
    if isinstance(value, Mapping):
        return Node({str(name): _node(item) for name, item in value.items()}, place)
    if isinstance(value, list | tuple):
        return Node([_node(item) for item in value], place)
    return Node(value, place)
