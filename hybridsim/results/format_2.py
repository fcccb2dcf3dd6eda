"""Format 2 of a run's file: former names of columns, a status and a key, and no column `surface`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hybridsim.config.key_table import with_present_keys
from hybridsim.engine.memory import NOWHERE
from hybridsim.typing import IntArray

VERSION = 2

ROW_NAMES = {"adjacent_chart": "other", "sliding_weight": "weight"}
"""Columns of the rows -> their datasets in format 2."""

EVENT_NAMES = {"adjacent_chart": "other"}
"""Columns of the events -> their datasets in `/events` in format 2."""

MISSING_COLUMNS = ("surface",)
"""Columns of rows and events that format 2 does not have."""


def with_new_columns(rows: Mapping[str, Any], events: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Complete the columns of rows and events.

    Parameters
    ----------
    rows, events : mapping of str to array
        The columns of format 2 by their present names.

    Returns
    -------
    rows, events : dict of str to array
        All columns.
    """
    begins = np.array(events["kind"]) == "entry"
    surfaces = events["crossed"][begins].argmax(axis=1) if begins.any() else np.zeros(0, np.int64)

    def surface_at(j: IntArray, adjacent_chart: IntArray) -> IntArray:
        """Return the only boundary that crossed in the event with which the slide began."""
        surface = np.full(len(j), NOWHERE)
        slides = adjacent_chart != NOWHERE
        surface[slides] = surfaces[np.searchsorted(events["j"][begins], j[slides], side="right") - 1]
        return surface

    # The epoch that an event begins has the next j; an event of another kind belongs to the epoch before it.
    of_rows = surface_at(rows["j"] - 1, rows["adjacent_chart"])
    of_events = surface_at(events["j"] - ~begins, events["adjacent_chart"])
    return {**rows, "surface": of_rows}, {**events, "surface": of_events}


def with_new_keys(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance with the present keys of a config."""
    config = provenance.get("config")
    if not isinstance(config, Mapping):
        return dict(provenance)
    return {**provenance, "config": with_present_keys(config)}
