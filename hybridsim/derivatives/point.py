"""Where a model is differentiated: names and numbers from a call become the arrays of its functions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.derivatives.passes import PARAMETER, STATE, TIME, Point
from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.simulation.packing import pack
from hybridsim.typing import IntArray, VariableGroup

StateValues = Mapping[str, Any] | Sequence[float] | np.ndarray[Any, Any]

GROUPS: Mapping[VariableGroup, str] = {"x": "states", "p": "parameters", "u": "inputs", "t": "time"}
"""Words for groups of variables."""


def find_point(
    model: str | os.PathLike[str] | Model,
    t: float,
    x: StateValues | None,
    chart: str | int | None,
    values: Mapping[str, Mapping[str, Any] | None],
) -> tuple[Model, Point]:
    """Return the loaded model, and the point in the arrays of its functions.

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
    config = config_from_keywords(model, initial_time=t, initial=states, **given)
    return config.model, point_of(config, states, chart)


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
    return Point(config.initial_time, x, packed.problem.p, number)


def _by_name(model: Model, x: StateValues) -> Mapping[str, Any]:
    if isinstance(x, Mapping):
        return x
    values = np.asarray(x, float)
    if values.shape != (len(model.states),):
        raise ConfigError(
            f"x: expected {len(model.states)} numbers, {', '.join(model.states.names)}, found shape {values.shape}"
        )
    return dict(zip(model.states.names, values.tolist(), strict=True))


def chart_number(model: Model, chart: str | int) -> int:
    """Return the number of a chart, given its name or number.

    Raises
    ------
    ConfigError
        If the model has no such chart.
    """
    if isinstance(chart, str):
        names = model.charts.names
        if chart in names:
            return names.index(chart)
        known = f"it has {', '.join(names)}" if names else f"give its number, 0 to {model.n_charts - 1}"
        raise ConfigError(f"{model.name}: chart: there is no chart {chart!r}{nearest(chart, names)}; {known}")
    if not 0 <= int(chart) < model.n_charts:
        raise ConfigError(f"{model.name}: chart: the charts are numbered 0 to {model.n_charts - 1}, found {chart}")
    return int(chart)


def variables_of(model: Model, wrt: str | Sequence[str]) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Return the names of variables, their kinds and their indices in x or p.

    `wrt` is "x", "p", "u" (the inputs) or "t", the name of one state, parameter or input, or a sequence of names. "p"
    stands for the parameters that are real numbers.

    Raises
    ------
    ConfigError
        If there is no such variable, or it is no real number.
    """
    groups = {
        "x": model.states.names,
        "p": tuple(p.name for p in model.parameters if not (p.choices or p.is_array or p.integer)),
        "u": model.inputs.names,
        "t": ("t",),
    }
    names = groups.get(wrt, (wrt,)) if isinstance(wrt, str) else tuple(wrt)
    kinds, indices = [], []
    for name in names:
        kind, index = _variable(model, name, groups)
        kinds.append(kind)
        indices.append(index)
    return tuple(names), np.array(kinds, np.int64), np.array(indices, np.int64)


def _variable(model: Model, name: str, groups: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    if name in groups["x"]:
        return STATE, model.states.index(name)
    if name in groups["p"] or name in groups["u"]:
        return PARAMETER, model.p_indices[name]
    if name == "t":
        return TIME, 0
    if name in model.parameters.names:
        raise ConfigError(f"{model.name}: wrt: the parameter {name!r} is no real number, so there is no derivative")
    known = (*groups["x"], *groups["p"], *groups["u"])
    raise ConfigError(
        f"{model.name}: wrt: there is no {name!r}{nearest(name, known)}; give a state, a parameter, an input, "
        f"or one of {', '.join(f'{word} ({meaning})' for word, meaning in GROUPS.items())}"
    )
