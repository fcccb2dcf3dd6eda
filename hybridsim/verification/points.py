"""States at which a model is evaluated, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """n states with their times and charts, which the functions of a model are evaluated at.

    Attributes
    ----------
    t : (n,) array
        Times [s].
    x : (n, width) array
        States: those of the model, padded with zeros to the width of the engine's state vectors.
    chart : (n,) array
        Chart codes, see `Evaluator`.
    """

    t: FloatArray
    x: FloatArray
    chart: IntArray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, rows: Any) -> Points:
        return Points(self.t[rows], self.x[rows], self.chart[rows])

    def moved(self, time: FloatArray | float, change: FloatArray | float) -> Points:
        """Return the points after `time`, (n,) [s], when their states have changed by `change`, (n, width)."""
        return Points(self.t + time, self.x + change, self.chart)

    def with_states(self, x: FloatArray) -> Points:
        """Return the same times and charts with other states, (n, width)."""
        return Points(self.t, x, self.chart)

    def in_chart(self, code: int) -> Points:
        """Return the same times and states, all in one chart."""
        return Points(self.t, self.x, np.full(len(self), code))


def concatenate_points(several: Sequence[Points]) -> Points:
    """Return the points of several, one after the other."""
    t, x, chart = (np.concatenate([getattr(each, name) for each in several]) for name in ("t", "x", "chart"))
    return Points(t, x, chart)
