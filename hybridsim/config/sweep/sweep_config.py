"""SweepConfig: the checked configuration of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.field_types import WHOLE_RUN, Begin
from hybridsim.config.run_config import RunConfig, resolve
from hybridsim.config.sweep.axis_values import Axis, Factor
from hybridsim.config.sweep.metrics import Metric
from hybridsim.typing import Function

MAX_LISTED_VALUES = 1000
"""Most values of an axis in a YAML file; a longer list of numbers is kept in a file of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepConfig:
    """A checked configuration of a sweep, made by `load_sweep_config` from a file or by `sweep` from its keywords.

    Attributes
    ----------
    run : RunConfig
        The base run, in which every axis has its base value.
    factors : tuple of Factor
        The rows are the product of the factors, the last one varying fastest; the axes of one factor vary together.
    metrics : tuple of Metric
        The columns of the table after those of the axes.
    extra_outputs : mapping
        Plain functions `f(t, x, p, chart) -> float` by name, and those of formulas inside metrics by their texts.
    extra_outputs_file : str
        Absolute path of the file that defines them, "" if there are none.
    block : int or None
        Rows per part file; None to choose it from the number of rows.
    data : mapping
        `{"sweep": ..., "metrics": ...}` as plain data with absolute paths; see `sweep_data`.
    results : tuple of str
        Names of statuses, besides that of the final time and of a stop, with which a run is no failure.
    begin : Begin
        When the metrics begin to count.
    """

    run: RunConfig
    factors: tuple[Factor, ...]
    metrics: tuple[Metric, ...]
    extra_outputs: Mapping[str, Function]
    extra_outputs_file: str
    block: int | None
    data: Mapping[str, Any]
    results: tuple[str, ...] = ()
    begin: Begin = WHOLE_RUN

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes, factor by factor."""
        return tuple(axis for factor in self.factors for axis in factor)


def sweep_data(config: SweepConfig) -> dict[str, Any]:
    """Return the whole sweep, with defaults, as plain data; `write_yaml` turns it into the text of a config."""
    return resolve(config.run) | dict(config.data)


def sweep_files(config: SweepConfig) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return a sweep as plain data for a file, with long lists of numbers in NPY files.

    YAML needs half a minute to write a million numbers, and as long to read them.

    Parameters
    ----------
    config : SweepConfig
        The sweep.

    Returns
    -------
    dict
        `sweep_data`, with the names of NPY files in place of long lists.
    dict
        File name -> the numbers (n,) in the file.
    """
    data = sweep_data(config)
    files: dict[str, NDArray[Any]] = {}

    def moved_to_file(key: str, values: Any) -> Any:
        is_list = isinstance(values, list) and len(values) > MAX_LISTED_VALUES
        if not (is_list and all(isinstance(value, int | float) for value in values)):
            return values
        name = f"_{key.partition(' ')[0]}.npy"
        files[name] = np.array(values)
        return name

    sweep = {
        group: {key: moved_to_file(key, values) for key, values in axes.items()} if isinstance(axes, dict) else axes
        for group, axes in data["sweep"].items()
    }
    return {**data, "sweep": sweep}, files
