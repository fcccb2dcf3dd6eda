"""Do the values of several axes go together? Every combination of a sweep must be a run that the schema accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from hybridsim.config.messages import explain
from hybridsim.config.schema import Settings
from hybridsim.config.sweep.axes import Axis, Factor

RELATED: tuple[tuple[str, str], ...] = (
    ("initial_time", "final_time"),
    ("engine.first_step", "engine.max_step"),
    ("engine.min_step", "engine.first_step"),
    ("engine.min_step", "engine.max_step"),
)
"""Pairs of keys of which the schema wants the first to be the smaller one."""

_RELATED_KEYS = {key for pair in RELATED for key in pair} | {"engine.method"}

Choice = Mapping[int, int]
"""One row of each factor: factor -> row; row 0 of those that are left out."""


def refused_combinations(settings: Settings, factors: Sequence[Factor]) -> Iterator[tuple[str, str]]:
    """A combination that the schema refuses for each reason there is, as (key of an axis in it, message).

    A million values are as quickly told as ten: of two keys in order, the largest value of the one meets the
    smallest of the other, unless they vary together; so only the combinations at fault most need the schema.
    """
    axes = {axis.key: (number, axis) for number, factor in enumerate(factors) for axis in factor}
    told = set[str]()
    for keys, choice in _worst(settings, axes):
        values = {key: _value(axes[key], choice) for key in axes if key in _RELATED_KEYS}
        for problem in _problems(settings, values):
            if problem not in told:
                told.add(problem)
                section = keys[0].partition(".")[0] == "engine"
                together = {key: value for key, value in values.items() if key.startswith("engine.") == section}
                listed = ", ".join(f"{key} = {value!r}" for key, value in together.items())
                yield next(key for key in keys if key in axes), f"with {listed}: {problem}"


def _worst(settings: Settings, axes: Mapping[str, tuple[int, Axis]]) -> Iterator[tuple[tuple[str, ...], Choice]]:
    """For each relation of keys that vary, the combination that is the first to break it."""
    for smaller, larger in RELATED:
        if smaller in axes or larger in axes:
            yield (smaller, larger), _closest(axes.get(smaller), axes.get(larger))
    steps = ("engine.method", "engine.max_step")
    if "engine.first_step" not in axes and any(key in axes for key in steps):
        choice = _fixed_steps(settings, *(axes.get(key) for key in steps))
        if choice is not None:
            yield steps, choice


def _closest(smaller: tuple[int, Axis] | None, larger: tuple[int, Axis] | None) -> Choice:
    """Where the one comes nearest to the other from below, or surpasses it most."""
    if smaller and larger and smaller[0] == larger[0]:
        return {smaller[0]: int(np.argmin(larger[1].values - smaller[1].values))}
    choice = {smaller[0]: int(np.argmax(smaller[1].values))} if smaller else {}
    return choice | ({larger[0]: int(np.argmin(larger[1].values))} if larger else {})


def _fixed_steps(settings: Settings, method: tuple[int, Axis] | None, step: tuple[int, Axis] | None) -> Choice | None:
    """Where the method rk4 has the longest step, which may be none; None where there is no rk4."""
    fixed: NDArray[Any] = np.array([settings.engine.method]) == "rk4" if method is None else method[1].values == "rk4"
    if not fixed.any():
        return None
    if method and step and method[0] == step[0]:
        return {method[0]: int(np.argmax(np.where(fixed, step[1].values, -np.inf)))}
    choice = {method[0]: int(np.argmax(fixed))} if method else {}
    return choice | ({step[0]: int(np.argmax(step[1].values))} if step else {})


def _value(place: tuple[int, Axis], choice: Choice) -> Any:
    number, axis = place
    return axis.values[choice.get(number, 0)].item()


def _problems(settings: Settings, values: Mapping[str, Any]) -> list[str]:
    """What the schema says of the base run with these values."""
    data: dict[str, Any] = {"model": settings.model, "engine": settings.engine.model_dump()}
    data |= {key: values.get(key, getattr(settings, key)) for key in ("initial_time", "final_time")}
    prefix = "engine."
    data["engine"] |= {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}
    try:
        Settings.model_validate(data)
    except ValidationError as failure:
        errors = failure.errors(include_url=False)
        return [f"{'.'.join(map(str, error['loc']))}: {explain(error, None)}" for error in errors]
    return []
