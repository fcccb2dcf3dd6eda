"""What a run has recorded so far: one thread adds to it while another looks anything up."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from threading import Lock

import numpy as np

from hybridsim.engine.columns import StepTable
from hybridsim.engine.extension import rise_at
from hybridsim.viewer.frames import Place


class Tape:
    """The steps of a run with their continuous extensions, in the parts in which they came.

    Parameters
    ----------
    start : the row where the run begins.
    """

    def __init__(self, start: StepTable) -> None:
        self._lock = Lock()
        self._parts: list[StepTable] = []
        self._starts: list[float] = []
        self._tip = place_at(start, 0, float(start.t[0]))

    @property
    def end(self) -> float:
        """How far it reaches [s]."""
        return self._tip.t

    def add(self, parts: list[StepTable], tip: StepTable) -> None:
        """Add rows in parts, and the row where the run is now."""
        with self._lock:
            self._parts += parts
            self._starts += [float(rows.t[0]) for rows in parts]
            self._tip = place_at(tip, 0, float(tip.t[0]))

    def at(self, t: float, before: bool = False) -> Place:
        """Where the run is at t [s], no later than `end`: after all jumps of that instant, or before them."""
        with self._lock:
            if not self._parts or (t >= self._tip.t and not before):
                return self._tip
            part, row = self._row_before(t) if before else self._row_after(t)
            if part < 0:
                return self._tip
            return place_at(self._parts[part], row, t)

    def _row_after(self, t: float) -> tuple[int, int]:
        """The last row at or before t."""
        part = bisect_right(self._starts, t) - 1
        return part, int(np.searchsorted(self._parts[part].t, t, side="right")) - 1

    def _row_before(self, t: float) -> tuple[int, int]:
        """The first row at t, or the last one before it; (-1, -1) where only the tip is at t."""
        part = max(bisect_left(self._starts, t) - 1, 0)
        times = self._parts[part].t
        row = int(np.searchsorted(times, t, side="left"))
        if row < len(times) and times[row] == t:
            return part, row
        if part + 1 < len(self._starts) and self._starts[part + 1] == t:
            return part + 1, 0
        return (-1, -1) if t >= self._tip.t else (part, row - 1)


def place_at(rows: StepTable, row: int, t: float) -> Place:
    """Where the step that begins at this row has come at t [s]."""
    x = rows.x[row].copy()
    begin, step = float(rows.t[row]), float(rows.step[row])
    if t > begin and step > 0.0:
        x += rise_at(rows.extension[row], (t - begin) / step)
    return Place(t, int(rows.j[row]), int(rows.chart[row]), x, int(rows.adjacent_chart[row]), int(rows.surface[row]))
