"""The last seconds of a run, sampled as the player goes on: for strip charts and trails."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.source import Moment, Source

LENGTH = 200
"""Samples kept."""


class History:
    """What a source has shown up to now, at equal distances of time, and now.

    Attributes
    ----------
    t : (LENGTH,) [s], now last. values : (LENGTH, n_outputs). paths : (LENGTH, n_bodies, 3), where the bodies were
    [m]. nan before the beginning of the run, where a body was hidden, or for an output that the run does not have.
    """

    def __init__(self, source: Source, outputs: Sequence[str]) -> None:
        self._source, self._outputs = source, tuple(outputs)
        self.t = np.full(LENGTH, np.nan)
        self.values = np.full((LENGTH, len(self._outputs)), np.nan)
        self.paths = np.full((LENGTH, len(source.scene.bodies), 3), np.nan)
        self._step, self._tick = 0.0, 0

    def go_to(self, moment: Moment, span: float) -> None:
        """Now is this moment; look back over `span` [s]. A step on costs a sample or two, a leap all of them."""
        step = span / (LENGTH - 2)
        tick = math.floor((moment.t - self._source.begin) / step)
        on = tick - self._tick
        if step != self._step or not 0 <= on < LENGTH - 1:
            on = LENGTH - 1
        self._step, self._tick = step, tick
        if on:
            for column in (self.values, self.paths):
                column[: LENGTH - 1 - on] = column[on : LENGTH - 1]
            for row in range(LENGTH - 1 - on, LENGTH - 1):
                self._sample(row, tick - (LENGTH - 2 - row))
        self.t[:-1] = self._source.begin + step * np.arange(tick - LENGTH + 2, tick + 1)
        self.t[-1] = moment.t
        self._keep(LENGTH - 1, moment)

    def _sample(self, row: int, tick: int) -> None:
        if tick < 0:
            self.values[row], self.paths[row] = np.nan, np.nan
        else:
            self._keep(row, self._source.moment(self._source.begin + tick * self._step))

    def _keep(self, row: int, moment: Moment) -> None:
        self.values[row] = [moment.outputs.get(name, math.nan) for name in self._outputs]
        self.paths[row] = np.where(moment.poses[:, 3:, 3], moment.poses[:, :3, 3], np.nan)


def survey(source: Source, outputs: Sequence[str], samples: int = LENGTH) -> FloatArray:
    """Outputs at equal distances over all of the run so far, (samples, n_outputs)."""
    times = np.linspace(source.begin, source.end, samples)
    moments = (source.moment(float(t)).outputs for t in times)
    return np.array([[moment.get(name, math.nan) for name in outputs] for moment in moments]).reshape(samples, -1)
