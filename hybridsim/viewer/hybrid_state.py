"""The state of a run at one hybrid time, and how it follows from a recorded step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsim.engine.memory import NOWHERE
from hybridsim.results.rows import Rows
from hybridsim.typing import FloatArray, IntArray


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
        Index of the boundary along which the state slides, otherwise 0.
    """

    t: float
    j: int
    chart: int
    x: FloatArray
    adjacent_chart: int = NOWHERE
    surface: int = 0


def state_in_step(rows: Rows, surface: IntArray, row: int, t: float) -> HybridState:
    """Return the state at time `t` within the step that begins at a row, by the step's continuous extension.

    Parameters
    ----------
    rows : Rows
        Recorded steps.
    surface : (n_rows,) array
        Index of the boundary along which each row slides.
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
        theta = (t - begin) / step
        rise = np.zeros_like(x)
        for slopes in rows.extension[row][::-1]:
            rise = theta * (rise + slopes)
        x += rise
    return HybridState(t, int(rows.j[row]), int(rows.chart[row]), x, int(rows.adjacent_chart[row]), int(surface[row]))
