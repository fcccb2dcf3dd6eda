"""Terms at the ends of phases: boundaries that cross, and transitions to what follows."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.identification.intervals import Grid
from hybridsim.identification.terms import Terms, Values
from hybridsim.typing import Differentiable, FloatArray, IntArray

NONE = np.zeros(0, np.int64)


class AtEnd(Terms):
    """What reads the last node of a phase, parameters, and times if free; and states at the beginning of what follows.

    Parameters
    ----------
    grid : Grid
        The phase.
    crossed : int
        The boundary at the end.
    states, following : (n,) array
        States after the transition, and the unknowns that they are at the beginning of what follows.
    """

    def __init__(self, grid: Grid, crossed: int, states: IntArray = NONE, following: IntArray = NONE) -> None:
        times = grid.times if grid.field.timed else grid.times[:0]
        self.grid, self.crossed, self.states = grid, crossed, states
        self.index = np.concatenate([grid.nodes[-1], grid.parameters, times, following])[None]

    def _call(self, function: Differentiable, values: FloatArray, **more: Any) -> tuple[FloatArray, FloatArray]:
        """Return a function at the last node, and its derivatives by what is read."""
        grid, n = self.grid, len(self.grid.nodes[-1]) + len(self.grid.parameters)
        timed = grid.field.timed
        t = grid.begin + (values[:, n] + values[:, n + 1] if timed else np.full(len(values), grid.duration))
        value, by = grid.field(function, t, values[:, :n], grid.chart, **more)
        found = np.zeros((*by.shape[:2], values.shape[1]))
        found[..., :n] = by[..., :n]
        if timed:
            found[..., n : n + 2] = by[..., -1:]
        return value, found


class Crossings(AtEnd):
    """The value of the boundary at the end of a phase, which is to be zero."""

    n_rows = 1

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        value, by = self._call("boundaries", values)
        return value[:, self.crossed, None], by[:, self.crossed, None]


class Transitions(AtEnd):
    """By how much states at the beginning of what follows differ from what the transition makes of the last ones."""

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """One for each state that goes on."""
        return len(self.states)

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        crossed = np.zeros(len(self.grid.field.functions.model.boundary_records), np.int64)
        crossed[self.crossed] = 1
        value, by = self._call("transition", values, crossed=crossed)
        n = len(self.states)
        by = by[:, self.states]
        by[:, np.arange(n), values.shape[1] - n + np.arange(n)] -= 1.0
        return value[:, self.states] - values[:, -n:], by
