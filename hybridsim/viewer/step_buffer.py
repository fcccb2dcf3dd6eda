"""The steps of a run so far: one thread appends steps while another one reads the state at any time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from threading import Lock

import numpy as np

from hybridsim.engine.columns import StepTable
from hybridsim.viewer.hybrid_state import HybridState, state_in_step


class StepBuffer:
    """Steps of a run with their continuous extensions, in the blocks in which they were added.

    Parameters
    ----------
    start : StepTable
        The single row at which the run begins.
    """

    def __init__(self, start: StepTable) -> None:
        self._lock = Lock()
        self._blocks: list[StepTable] = []
        self._block_starts: list[float] = []
        self._latest = state_in_step(start, 0, float(start.t[0]))

    @property
    def end(self) -> float:
        """Time up to which the run is known [s]."""
        return self._latest.t

    def add(self, blocks: list[StepTable], latest: StepTable) -> None:
        """Append steps.

        Parameters
        ----------
        blocks : list of StepTable
            New steps.
        latest : StepTable
            The single row at which the run is now.
        """
        with self._lock:
            self._blocks += blocks
            self._block_starts += [float(rows.t[0]) for rows in blocks]
            self._latest = state_in_step(latest, 0, float(latest.t[0]))

    def state(self, t: float, before: bool = False) -> HybridState:
        """Return the state at time `t` [s], no later than `end`: after all jumps at that time, or before them."""
        with self._lock:
            if not self._blocks or (t >= self._latest.t and not before):
                return self._latest
            block, row = self._row_before(t) if before else self._row_after(t)
            if block < 0:
                return self._latest
            return state_in_step(self._blocks[block], row, t)

    def _row_after(self, t: float) -> tuple[int, int]:
        """Return block and row of the last row at or before t."""
        block = bisect_right(self._block_starts, t) - 1
        return block, int(np.searchsorted(self._blocks[block].t, t, side="right")) - 1

    def _row_before(self, t: float) -> tuple[int, int]:
        """Return block and row of the first row at t, or else of the last one before it.

        (-1, -1) if only the latest state is at t.
        """
        block = max(bisect_left(self._block_starts, t) - 1, 0)
        times = self._blocks[block].t
        row = int(np.searchsorted(times, t, side="left"))
        if row < len(times) and times[row] == t:
            return block, row
        if block + 1 < len(self._block_starts) and self._block_starts[block + 1] == t:
            return block + 1, 0
        return (-1, -1) if t >= self._latest.t else (block, row - 1)
