"""Where an optimisation begins: the setting in a config, or the best one of an earlier search, as variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.config.loading import load_config
from hybridsim.config.optimization_config import OptimizationConfig, SearchStart
from hybridsim.config.run_config import RunConfig, value_of
from hybridsim.config.transforms import Transform, in_order
from hybridsim.config.values import split_key
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

BEST_FILE = "best.yaml"
"""In the folder of an optimisation: the config of the best setting of all."""

ROUNDING = 1e-9
"""How far beyond its range, in widths of it, a value may lie that was computed from a variable."""


def start_at(path: Path, config: OptimizationConfig) -> SearchStart:
    """Return the setting of a run, or of the best run in the folder of an optimisation.

    Parameters
    ----------
    path : Path
        A config, or a folder.
    config : OptimizationConfig
        What is searched.

    Returns
    -------
    SearchStart
        The setting; what the run does not have is in the middle of its range.

    Raises
    ------
    ConfigError
        If there is no such config, or it lies outside of what is searched.
    """
    return variables_at(load_config(path / BEST_FILE if path.is_dir() else path), config, str(path))


def variables_at(run: RunConfig, config: OptimizationConfig, where: str) -> SearchStart:
    """Return the setting of a run, as `start_at`; messages say `where` it comes from."""
    if type(run.model) is type(config.run.model) and run.model.name != config.run.model.name:
        raise ConfigError(
            f"{where}: it is a run of {run.model.name}, not of {config.run.model.name}; name another file"
        )
    subspace = next((number for number, words in enumerate(config.choices) if _has(run, words)), None)
    if subspace is None:
        raise ConfigError(f"{where}: it has other choices than those of `structure`; name another file")
    found: list[FloatArray] = []
    for index, transform in enumerate(config.transforms):
        u = np.full(len(transform.keys), 0.5)
        if index in config.active(subspace):
            values = np.array([number_at(run, key) for key in transform.keys])
            with np.errstate(all="ignore"):
                u = transform.inverse(values, {key: number_at(run, key) for key in transform.needs})
            if not np.all((u > -ROUNDING) & (u < 1.0 + ROUNDING)):
                pairs = zip(transform.keys, values.tolist(), strict=True)
                text = ", ".join(f"{key} = {value:g}" for key, value in pairs)
                raise ConfigError(f"{where}: {text} lies outside of what is searched; widen its range")
        found.append(np.clip(u, 0.0, 1.0))
    return SearchStart(np.concatenate(found) if found else np.zeros(0), subspace)


def _has(run: RunConfig, words: Mapping[str, Any]) -> bool:
    return all(_is_in(run, key) and value_of(run, key) == word for key, word in words.items())


def _is_in(run: RunConfig, key: str) -> bool:
    section, name = split_key(key)
    holder = getattr(run, section) if section else run
    return name.partition("[")[0] in holder if isinstance(holder, Mapping) else hasattr(holder, name)


def number_at(run: RunConfig, key: str) -> float:
    """Return the number at a key, which may be an entry of an array."""
    return float(value_of(run, key))


def values_at(
    transforms: Sequence[Transform], run: RunConfig, ends: tuple[float, float] = (0.5, 0.5)
) -> dict[str, float]:
    """Return values of ranges: in their middle, or at an end of those that need no other value, and of the rest."""
    known: dict[str, Any] = {}
    for transform in in_order(transforms):
        needed = {key: known.get(key, np.array([number_at(run, key)])) for key in transform.needs}
        values = transform.values(np.full((1, len(transform.keys)), ends[bool(transform.needs)]), needed)
        known.update({key: values[:, index] for index, key in enumerate(transform.keys)})
    return {key: float(column[0]) for key, column in known.items()}
