"""Rows of a run of the hexapod, and the slopes of its states there: differences of the recorded flow."""

import numpy as np

from .hexapod_reference import Reference

STEP = 1e-6
FORWARD = np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / (12.0 * STEP)
"""The derivative at the first of five points, a step apart; its error is of fourth order (Fornberg 1988, table 3)."""


class Sampled:
    """Rows of a run from which a longer step begins; the slopes of the states there are differences of the flow."""

    def __init__(self, run):
        lasting = np.flatnonzero(np.diff(run.t) > 20.0 * STEP)
        self.rows = lasting[:: max(len(lasting) // 150, 1)]
        self.run, self.names = run, run.states.names
        self.slopes = [FORWARD @ run.at(run.t[row] + STEP * np.arange(5.0)) for row in self.rows]

    def __iter__(self):
        for row, slopes in zip(self.rows, self.slopes, strict=True):
            yield Instant(self.run, row, dict(zip(self.names, slopes, strict=True)))


class Instant:
    """A row of a run, and the slopes of its states."""

    def __init__(self, run, row, slopes):
        self.run, self.row, self.slopes = run, row, slopes
        self.rotation = Reference({}, None).rotation([self[f"q_{a}"] for a in "wxyz"])

    def __getitem__(self, name):
        return self.run[name][self.row]

    def vector(self, pattern):
        return np.array([self[pattern.format(a)] for a in "xyz"])

    def slope(self, pattern):
        return np.array([self.slopes[pattern.format(a)] for a in "xyz"])
