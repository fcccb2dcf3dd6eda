"""The table of events of a sweep: a row for each of the last events of every run, beside the table of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.config.sweep import Axis, Metric, SweepConfig
from hybridsim.config.sweep.metrics import LAST_KINDS
from hybridsim.sweeps.plan import Block
from hybridsim.typing import IntArray


def field_of(name: str, kind: pa.DataType, unit: str) -> pa.Field:
    """Return the description of a column, with its unit."""
    return pa.field(name, kind, metadata={"unit": unit})


def axis_type(axis: Axis) -> pa.DataType:
    """Return the type of the column of an axis."""
    return {"f": pa.float64(), "i": pa.int64()}.get(axis.values.dtype.kind, pa.string())


def make_column(values: NDArray[Any], kind: pa.DataType, valid: NDArray[np.bool_] | None = None) -> pa.Array:
    """Return a column of a type, null where not `valid`; `pa.array` would import pandas, which takes 0.5 s."""
    validity = None if valid is None or valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    if kind == pa.string():
        return words_column(values)
    numbers = np.ascontiguousarray(values, dtype=kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(numbers), [validity, pa.py_buffer(numbers)])


def words_column(values: NDArray[Any]) -> pa.Array:
    """Return a column of words."""
    words = [str(word).encode() for word in values.tolist()]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(words), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(words))])


ROW_COLUMN = "row"
"""First column of every table: the number of the row in the table of runs."""

BOUNDARY_COLUMN, EVENT_COLUMN = "boundary", "event"
"""Columns of the boundary of an event, and of the event's number in its run, from 1."""


@dataclass(frozen=True, slots=True)
class EventLayout:
    """The columns of the table of events.

    Attributes
    ----------
    axes : tuple of Axis
        The axes of the sweep.
    counts : mapping of str
        Each boundary -> the metric that counts its events.
    metrics : tuple of Metric
        The metrics with a value for each event.
    schema : pyarrow.Schema
        The columns `row`, the axes, `boundary`, `event` and the metrics, null at the events of other boundaries.
    """

    axes: tuple[Axis, ...]
    counts: Mapping[str, str]
    metrics: tuple[Metric, ...]
    schema: pa.Schema

    @classmethod
    def of(cls, config: SweepConfig, metadata: Mapping[str, str]) -> EventLayout | None:
        """Return the layout for a completed sweep; None if it has no metrics at the last events."""
        metrics = tuple(metric for metric in config.metrics if metric.kind in LAST_KINDS)
        if not metrics:
            return None
        fields = [
            field_of(ROW_COLUMN, pa.int64(), ""),
            *(field_of(axis.name, axis_type(axis), axis.unit) for axis in config.axes),
            field_of(BOUNDARY_COLUMN, pa.string(), ""),
            field_of(EVENT_COLUMN, pa.int64(), ""),
            *(field_of(metric.name, pa.float64(), metric.unit) for metric in metrics),
        ]
        named = {metric.of for metric in metrics}
        counts = {metric.of: metric.name for metric in config.metrics if metric.kind == "count" and metric.of in named}
        return cls(config.axes, counts, metrics, pa.schema(fields, metadata=dict(metadata)))

    def table(self, block: Block, values: Mapping[str, NDArray[Any]], results: Mapping[str, NDArray[Any]]) -> pa.Table:
        """Return the events of a block's runs: by run, by boundary, by number.

        Parameters
        ----------
        block : Block
            The rows of the table of runs.
        values : mapping of str to (n,) array
            Key of an axis -> its values in these rows.
        results : mapping of str to array
            Metric -> its values in these rows: (n,) of counts, (n, k) of metrics at the last k events.
        """
        boundaries = tuple(self.counts)
        runs, which, events = self._events(boundaries, results, len(block))
        columns = [
            make_column(block.first + runs, pa.int64()),
            *(make_column(values[axis.key][runs], axis_type(axis)) for axis in self.axes),
            make_column(np.array(boundaries, object)[which], pa.string()),
            make_column(events, pa.int64()),
        ]
        for metric in self.metrics:
            seen = results[self.counts[metric.of]][runs]
            place = metric.number - 1 - (seen - events)  # the last event is in the last place
            there = (which == boundaries.index(metric.of)) & (place >= 0)
            column = np.full(len(runs), np.nan)
            column[there] = results[metric.name][runs[there], place[there]]
            columns.append(make_column(column, pa.float64(), there))
        return pa.Table.from_arrays(columns, schema=self.schema)

    def _events(
        self, boundaries: tuple[str, ...], results: Mapping[str, NDArray[Any]], n: int
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return the run in the block, the boundary and the number of each event."""
        n_last = [max(metric.number for metric in self.metrics if metric.of == name) for name in boundaries]
        seen = np.column_stack([results[self.counts[name]] for name in boundaries]).ravel()
        kept = np.minimum(seen, np.tile(n_last, n))
        sequence = np.repeat(np.arange(len(kept)), kept)  # one number for each run and boundary
        place = np.arange(len(sequence)) - np.repeat(np.cumsum(kept) - kept, kept)
        runs, which = np.divmod(sequence, len(boundaries))
        return runs, which, (seen - kept)[sequence] + place + 1
