"""The metric `cause`: what ended the run of a row, in words; "" for one that ended as it was meant to."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.simulation.messages import BOUNDARY_STATUSES

NAMED_BY_BOUNDARY = (*BOUNDARY_STATUSES, Status.OUTSIDE_CHART, Status.ZENO)
"""Statuses about a boundary."""

NAMED_BY_STATE = (Status.NON_FINITE_STATE, Status.NON_FINITE_DERIVATIVE)
"""Statuses about a state."""


def find_causes(config: RunConfig, *ends: NDArray[Any]) -> NDArray[Any]:
    """Say what ended runs.

    Parameters
    ----------
    config : RunConfig
        What is the same in all runs.
    *ends : (n,) arrays
        The metrics that `config.sweep.metrics.CAUSE_OPERANDS` lists.

    Returns
    -------
    (n,) array of str
        "boundary peak in chart on", the text of a message of the model, or "in chart on".
    """
    cause = cache(partial(_cause, config))
    columns = (column.tolist() for column in ends)
    return np.array([cause(*end) for end in zip(*columns, strict=True)], object)


def _cause(config: RunConfig, status: str, boundary: int, state: int, message: int, chart: int) -> str:
    """Return the cause of one run, from the indices that the engine reports."""
    ended, model = Status[status], config.model
    if ended.ok:
        return ""
    boundaries = [*model.boundary_records.names, *(stop.state for stop in config.stop if stop.state)]
    what = ""
    if ended in NAMED_BY_BOUNDARY:
        what = f"boundary {boundaries[boundary]} "
    elif ended in NAMED_BY_STATE:
        what = f"state {model.states.names[state]} "
    elif ended is Status.LEFT_CHART and 0 < message <= len(model.messages):
        what = f"{model.messages[message - 1].text}, "
    return f"{what}in chart {model.chart_name(chart)}"
