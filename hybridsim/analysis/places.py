"""Where along strides the functions of a model are evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.stride import Stride, StrideMap
from hybridsim.engine.columns import join_tables
from hybridsim.simulation.row_arguments import Given
from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Rows and events of strides, at which functions are evaluated."""

    rows: Given
    events: Given

    @classmethod
    def of(cls, strides: Sequence[Stride]) -> Places:
        """Collect those of strides."""
        rows = join_tables([stride.rows for stride in strides])
        at_rows = Given(len(rows.t), {"t": rows.t, "x": rows.x, "chart": rows.chart})
        events = [each.events[each.events.declined == 0] for each in strides if each.events is not None]
        if not events:
            return cls(at_rows, Given(0, {}))
        jumps = join_tables(events)
        before = {"t": jumps.t, "x": jumps.x_before, "chart": jumps.chart_before}
        return cls(at_rows, Given(len(jumps.t), {**before, "crossed": jumps.crossed.astype(np.int64)}))

    def few(self) -> Places:
        """Return some places of each kind: rows of each chart, and events of each boundary in each chart."""
        rows, events = self.rows.arrays, self.events.arrays
        kinds = np.column_stack([events["chart"], events["crossed"]]) if self.events.n else np.empty((0, 1))
        return Places(_some_of(self.rows, rows["chart"][:, None]), _some_of(self.events, kinds))

    def of_functions(self, stride_map: StrideMap) -> dict[str, Given]:
        """Return where each function that a model has is evaluated."""
        there = {"vector_field": self.rows, "boundaries": self.rows, "transition": self.events}
        return {name: given for name, given in there.items() if name in stride_map.model.functions and given.n}


PLACES_OF_KIND = 4
"""Places of each kind at which it is looked at how a clock moves with time."""


def _some_of(places: Given, kinds: FloatArray | IntArray) -> Given:
    """Return a few places of each kind, which is a row of a table, spread over all of them."""
    which = np.unique(kinds, axis=0, return_inverse=True)[1].reshape(-1)
    alike = [np.flatnonzero(which == kind) for kind in range(which.max(initial=-1) + 1)]
    spread = [np.linspace(0, len(each) - 1, min(len(each), PLACES_OF_KIND)).astype(np.int64) for each in alike]
    some = np.concatenate([each[at] for each, at in zip(alike, spread, strict=True)] or [which])
    return Given(len(some), {name: values[some] for name, values in places.arrays.items()})
