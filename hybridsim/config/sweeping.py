"""A checked sweep: a base run, the axes that vary, and what is reported of each run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hybridsim.config.axes import Axis, Factor
from hybridsim.config.metrics import Metric
from hybridsim.config.run_config import RunConfig
from hybridsim.model import Model

__all__ = ["Axis", "Factor", "Metric", "SweepConfig", "sweep_data", "sweep_from_data", "sweep_from_keywords"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepConfig:
    """What `load_sweep` makes of a config file, and `sweep` of its keywords.

    Attributes
    ----------
    run : the base run, with every axis at its base value.
    factors : the plan is their product; the last one varies fastest, the axes within one vary together.
    metrics : the columns behind those of the axes.
    extra_outputs : plain functions `f(t, x, p, chart) -> float` by name.
    extra_outputs_file : the absolute path of the file they are from, "" if there are none.
    block : rows per part file; None to choose it from the number of rows.
    data : `{"sweep": ..., "metrics": ...}` as plain data, paths absolute; see `sweep_data`.
    """

    run: RunConfig
    factors: tuple[Factor, ...]
    metrics: tuple[Metric, ...]
    extra_outputs: Mapping[str, Callable[..., Any]]
    extra_outputs_file: str
    block: int | None
    data: Mapping[str, Any]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes, factor by factor."""
        return tuple(axis for factor in self.factors for axis in factor)


def sweep_from_keywords(
    model: str | os.PathLike[str] | Model,
    axes: Mapping[str, Any],
    metrics: Any = None,
    *,
    zip: Mapping[str, Any] | None = None,
    random: Mapping[str, Any] | None = None,
    latin_hypercube: Mapping[str, Any] | None = None,
    rows: Any = None,
    extra_outputs: str | os.PathLike[str] | None = None,
    block: int | None = None,
    **keywords: Any,
) -> SweepConfig:
    """The sweep that keywords describe."""
    raise NotImplementedError


def sweep_from_data(data: Mapping[str, Any]) -> SweepConfig:
    """The sweep that `sweep_data` wrote down."""
    raise NotImplementedError


def sweep_data(config: SweepConfig) -> dict[str, Any]:
    """The whole sweep as plain data; `write_yaml` of it is a config of the same sweep."""
    raise NotImplementedError
