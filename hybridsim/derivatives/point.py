"""The point at which a model is differentiated: by default the one at which a run begins."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.simulation.packing import pack
from hybridsim.simulation.variables import chart_number
from hybridsim.typing import FloatArray

StateValues = Mapping[str, Any] | Sequence[float] | np.ndarray[Any, Any]


class Point(NamedTuple):
    """The functions of a model, and the time [s], the state (n_states,) and the chart at which to evaluate them."""

    functions: ModelFunctions
    t: float
    x: FloatArray
    chart: int


def find_point(
    model: str | os.PathLike[str] | Model,
    t: float,
    x: StateValues | None,
    chart: str | int | None,
    values: Mapping[str, Mapping[str, Any] | None],
) -> Point:
    """Return the point that a call gives.

    `values` has the `parameters` and the `inputs` by name; others have their defaults. For states and charts that are
    not given see `point_of`.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded.
    """
    given = {name: value for name, value in values.items() if value is not None}
    loaded = config_from_keywords(model, initial_time=t, **given).model
    states = {} if x is None else _by_name(loaded, x)
    return point_of(config_from_keywords(model, initial_time=t, initial=states, **given), states, chart)


def point_of(config: RunConfig, given: Mapping[str, Any], chart: str | int | None) -> Point:
    """Return the point at which a run of a config begins, but for the states and the chart that are given.

    States that are not given are those that the model's `initial_chart` makes of the initial state: a model may have
    states that are no matter of choice.

    Raises
    ------
    ConfigError
        If a name is wrong, or `initial_chart` fails.
    """
    model, packed = config.model, pack(config)
    x = packed.workspace.x[: len(model.states)]
    for name, value in given.items():
        x[model.states.index(name)] = value
    number = int(packed.state["chart"][0]) if chart is None else chart_number(model, chart)
    return Point(ModelFunctions(packed.functions), config.initial_time, x, number)


def _by_name(model: Model, x: StateValues) -> Mapping[str, Any]:
    if isinstance(x, Mapping):
        return x
    values = np.asarray(x, float)
    if values.shape != (len(model.states),):
        raise ConfigError(
            f"x: expected {len(model.states)} numbers, {', '.join(model.states.names)}, found shape {values.shape}"
        )
    return dict(zip(model.states.names, values.tolist(), strict=True))
