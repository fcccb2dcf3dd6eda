"""From names to the arguments of a model's functions: variables of derivatives, and numbers of charts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.simulation.row_loops import PARAMETER, STATE, TIME
from hybridsim.typing import FloatArray, IntArray, VariableGroup

GROUPS: Mapping[VariableGroup, str] = {"x": "states", "p": "parameters", "u": "inputs", "t": "time"}
"""Words for groups of variables."""

ENTRY = re.compile(r"(\w+)\[(\d+)(?:, ?(\d+))?\]")
"""An entry of an array, `gains[2]`, or of a matrix, `height[0,3]`."""


Variables = tuple[tuple[str, ...], IntArray, IntArray]
"""Names of variables, their kinds, and their indices in x or p."""


def chart_number(model: Model, chart: str | int | np.integer[Any]) -> int:
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


def variables_of(model: Model, p: FloatArray, wrt: str | Sequence[str]) -> Variables:
    """Return the names of variables, their kinds and their indices in x or p.

    Parameters
    ----------
    model : Model
        The model.
    p : (n_p,) array
        Its packed parameters.
    wrt : str or sequence of str
        "x", "p", "u" (the inputs) or "t", the name of one state, parameter or input, or a sequence of names. "p" stands
        for the parameters that are real numbers; an entry of an array is `gains[2]`, of a matrix `height[0,3]`.

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
    found = [_variable(model, p, name, groups) for name in names]
    kind, index = np.array(found, np.int64).reshape(-1, 2).T.copy()
    return tuple(names), kind, index


def _variable(model: Model, p: FloatArray, name: str, groups: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    if name in groups["x"]:
        return STATE, model.states.index(name)
    if name in groups["p"] or name in groups["u"]:
        return PARAMETER, model.p_indices[name]
    if name == "t":
        return TIME, 0
    if name in model.parameters.names:
        entries = f"; give entries of it, `{name}[0]`" if model.parameters[name].is_array else ""
        raise ConfigError(
            f"{model.name}: wrt: the parameter {name!r} is no real number, so there is no derivative{entries}"
        )
    entry = ENTRY.fullmatch(name)
    if entry and entry[1] in model.parameters.names and model.parameters[entry[1]].is_array:
        return PARAMETER, _index_of_entry(model, p, entry)
    known = (*groups["x"], *groups["p"], *groups["u"])
    raise ConfigError(
        f"{model.name}: wrt: there is no {name!r}{nearest(name, known)}; give a state, a parameter, an input, "
        f"or one of {', '.join(f'{word} ({meaning})' for word, meaning in GROUPS.items())}"
    )


def _index_of_entry(model: Model, p: FloatArray, entry: re.Match[str]) -> int:
    """Return where an entry of an array lies in p."""
    starts = {q.name: int(p[model.p_indices[q.name]]) + model.p_starts[q.name] for q in model.parameters if q.is_array}
    name, first = entry[1], starts[entry[1]]
    size = min((start for start in starts.values() if start > first), default=len(p) - 1) - first
    shape = tuple(p[first : first + 2].astype(int)) if model.parameters[name].is_matrix else (size,)
    place = tuple(int(number) for number in entry.groups()[1:] if number is not None)
    if len(place) != len(shape) or any(i >= n for i, n in zip(place, shape, strict=True)):
        raise ConfigError(
            f"{model.name}: there is no {entry[0]!r}; {name} has {' x '.join(map(str, shape))} numbers, "
            "counted from 0: " + (f"`{name}[0,1]`" if len(shape) > 1 else f"`{name}[0]`")
        )
    return first + (2 if len(shape) > 1 else 0) + int(np.ravel_multi_index(place, shape))


def indices_of(model: Model, p: FloatArray, parameters: Sequence[str], inputs: Sequence[str]) -> IntArray:
    """Return where parameters, and then inputs, lie in p.

    Raises
    ------
    ConfigError
        If there is no such parameter or input, or it is no real number.
    """
    known = model.parameters.names, model.inputs.names
    for word, names, of_model in zip(("parameters", "inputs"), (parameters, inputs), known, strict=True):
        for name in names:
            if name.partition("[")[0] not in of_model:
                raise ConfigError(f"{model.name}: {word}: there is no {name!r}{nearest(name, of_model)}")
    return variables_of(model, p, (*parameters, *inputs))[2]
