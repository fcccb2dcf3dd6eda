"""Check combinations of values: every row of a sweep must be a run that the schema accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from hybridsim.config.messages import explain
from hybridsim.config.methods import tableau_of
from hybridsim.config.schema import Settings
from hybridsim.config.sweep.axis_values import Axis, Factor

ORDERED_KEYS: tuple[tuple[str, str], ...] = (
    ("initial_time", "final_time"),
    ("engine.first_step", "engine.max_step"),
    ("engine.min_step", "engine.first_step"),
    ("engine.min_step", "engine.max_step"),
)
"""Pairs of keys of which the schema requires the first to be the smaller one."""

_KEYS_WITH_RULES = {key for pair in ORDERED_KEYS for key in pair} | {"engine.method"}

Combination = Mapping[int, int]
"""Index of a factor -> index of its chosen row. A factor that is not in the mapping uses row 0."""


def invalid_combinations(settings: Settings, factors: Sequence[Factor]) -> Iterator[tuple[str, str]]:
    """Yield one invalid combination of values for each rule of the schema that the sweep breaks.

    The cost does not depend on the number of values: if the first key of a pair must be smaller than the second, it is
    enough to check its largest value against the smallest of the second, or, if they vary together, the row with the
    smallest difference.

    Parameters
    ----------
    settings : Settings
        The base run.
    factors : sequence of Factor
        The axes that vary.

    Yields
    ------
    key : str
        Key of an axis in the combination.
    message : str
        What is wrong.
    """
    axes = {axis.key: (number, axis) for number, factor in enumerate(factors) for axis in factor}
    reported = set[str]()
    for keys, combination in _extreme_combinations(settings, axes):
        values = {key: _value(axes[key], combination) for key in axes if key in _KEYS_WITH_RULES}
        for problem in _problems(settings, values):
            if problem not in reported:
                reported.add(problem)
                section = keys[0].partition(".")[0] == "engine"
                together = {key: value for key, value in values.items() if key.startswith("engine.") == section}
                listed = ", ".join(f"{key} = {value!r}" for key, value in together.items())
                yield next(key for key in keys if key in axes), f"with {listed}: {problem}"


def _extreme_combinations(
    settings: Settings, axes: Mapping[str, tuple[int, Axis]]
) -> Iterator[tuple[tuple[str, ...], Combination]]:
    """Yield, for each rule about keys that vary, the combination that breaks it if any combination does."""
    for smaller, larger in ORDERED_KEYS:
        if smaller in axes or larger in axes:
            yield (smaller, larger), _closest(axes.get(smaller), axes.get(larger))
    steps = ("engine.method", "engine.max_step")
    if "engine.first_step" not in axes and any(key in axes for key in steps):
        combination = _longest_fixed_step(settings, *(axes.get(key) for key in steps))
        if combination is not None:
            yield steps, combination


def _closest(smaller: tuple[int, Axis] | None, larger: tuple[int, Axis] | None) -> Combination:
    """Return the rows with the smallest difference between the larger and the smaller key."""
    if smaller and larger and smaller[0] == larger[0]:
        return {smaller[0]: int(np.argmin(larger[1].values - smaller[1].values))}
    combination = {smaller[0]: int(np.argmax(smaller[1].values))} if smaller else {}
    return combination | ({larger[0]: int(np.argmin(larger[1].values))} if larger else {})


def _longest_fixed_step(
    settings: Settings, method: tuple[int, Axis] | None, step: tuple[int, Axis] | None
) -> Combination | None:
    """Return the rows with fixed steps and the largest max_step, which may be infinite; None if there is none."""
    methods = [settings.engine.method] if method is None else method[1].values
    fixed: NDArray[Any] = np.array([not tableau_of(each).adaptive for each in methods])
    if not fixed.any():
        return None
    if method and step and method[0] == step[0]:
        return {method[0]: int(np.argmax(np.where(fixed, step[1].values, -np.inf)))}
    combination = {method[0]: int(np.argmax(fixed))} if method else {}
    return combination | ({step[0]: int(np.argmax(step[1].values))} if step else {})


def _value(factor_and_axis: tuple[int, Axis], combination: Combination) -> Any:
    factor, axis = factor_and_axis
    return axis.values[combination.get(factor, 0)].item()


def _problems(settings: Settings, values: Mapping[str, Any]) -> list[str]:
    """Return the messages of the schema for the base run with these values."""
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
