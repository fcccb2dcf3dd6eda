"""The state of a run at one hybrid time, and how it follows from a recorded step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.engine.columns import StepTable
from hybridsim.engine.extension import rise_at
from hybridsim.engine.memory import NOWHERE, UNDECIDED
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True)
class HybridState:
    """State of a run at hybrid time (t, j).

    Attributes
    ----------
    t : float
        Time [s].
    j : int
        Number of jumps so far.
    chart : int
        Index of the chart.
    x : (n_states,) array
        State, in the model's units.
    adjacent_chart : int
        Index of the second chart while the state slides along a boundary, otherwise `NOWHERE`.
    surface : int
        Index of the boundary along which the state slides, otherwise `NOWHERE`.
    """

    t: float
    j: int
    chart: int
    x: FloatArray
    adjacent_chart: int = NOWHERE
    surface: int = NOWHERE


def state_in_step(rows: StepTable, row: int, t: float) -> HybridState:
    """Return the state at time `t` within the step that begins at a row, by the step's continuous extension.

    Parameters
    ----------
    rows : StepTable
        Recorded steps.
    row : int
        Index of the row at which the step begins.
    t : float
        Time between the beginning of the step and its end [s].

    Returns
    -------
    HybridState
        The state at that time.
    """
    x = rows.x[row].copy()
    begin, step = float(rows.t[row]), float(rows.step[row])
    if t > begin and step > 0.0:
        x += rise_at(rows.extension[row], (t - begin) / step)
    numbers = (int(column[row]) for column in (rows.adjacent_chart, rows.surface))
    return HybridState(t, int(rows.j[row]), int(rows.chart[row]), x, *numbers)


def rows_of(states: Sequence[HybridState]) -> StepTable:
    """Return a table with a row for each state, from which no step begins."""
    n = len(states)
    whole = {name: [getattr(state, name) for state in states] for name in ("j", "chart", "adjacent_chart", "surface")}
    return StepTable(
        t=np.array([state.t for state in states], float),
        **{name: np.array(values, np.int64) for name, values in whole.items()},
        certificate=np.full(n, UNDECIDED),
        x=np.array([state.x for state in states]),
        step=np.zeros(n),
        extension=np.zeros((n, 0, states[0].x.size)),
    )
