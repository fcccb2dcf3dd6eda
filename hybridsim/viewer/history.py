"""The last seconds of a run, sampled at equal intervals while the player advances, for strip charts and trails."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.source import RunFrame, Source

N_HISTORY_SAMPLES = 200
"""Number of samples in a history."""


class History:
    """Samples of a source up to the time that is shown; the last sample is at that time.

    Parameters
    ----------
    source : Source
        The run.
    outputs : sequence of str
        Names of the outputs to sample.

    Attributes
    ----------
    t : (N_HISTORY_SAMPLES,) array
        Times [s].
    values : (N_HISTORY_SAMPLES, n_outputs) array
        Values of the outputs; nan before the run begins, and for an output that the run does not have.
    paths : (N_HISTORY_SAMPLES, n_bodies, 3) array
        Positions of the bodies [m]; nan before the run begins, and where a body is hidden.
    """

    def __init__(self, source: Source, outputs: Sequence[str]) -> None:
        self._source, self._outputs = source, tuple(outputs)
        self.t = np.full(N_HISTORY_SAMPLES, np.nan)
        self.values = np.full((N_HISTORY_SAMPLES, len(self._outputs)), np.nan)
        self.paths = np.full((N_HISTORY_SAMPLES, len(source.scene.bodies), 3), np.nan)
        self._interval, self._tick = 0.0, 0

    def advance(self, frame: RunFrame, span: float) -> None:
        """Make a frame the last sample, and take the samples before it that are missing.

        Samples are at multiples of a fixed interval after the beginning of the run, so that a small step forward needs
        one or two new ones; another span, a step back or a long leap takes all of them again.

        Parameters
        ----------
        frame : RunFrame
            What is shown now.
        span : float
            Simulated time that the samples cover [s].
        """
        interval = span / (N_HISTORY_SAMPLES - 2)
        tick = math.floor((frame.t - self._source.begin) / interval)
        n_new = tick - self._tick
        if interval != self._interval or not 0 <= n_new < N_HISTORY_SAMPLES - 1:
            n_new = N_HISTORY_SAMPLES - 1
        self._interval, self._tick = interval, tick
        if n_new:
            for column in (self.values, self.paths):
                column[: N_HISTORY_SAMPLES - 1 - n_new] = column[n_new : N_HISTORY_SAMPLES - 1]
            for row in range(N_HISTORY_SAMPLES - 1 - n_new, N_HISTORY_SAMPLES - 1):
                self._sample(row, tick - (N_HISTORY_SAMPLES - 2 - row))
        self.t[:-1] = self._source.begin + interval * np.arange(tick - N_HISTORY_SAMPLES + 2, tick + 1)
        self.t[-1] = frame.t
        self._store(N_HISTORY_SAMPLES - 1, frame)

    def _sample(self, row: int, tick: int) -> None:
        if tick < 0:
            self.values[row], self.paths[row] = np.nan, np.nan
        else:
            self._store(row, self._source.frame(self._source.begin + tick * self._interval))

    def _store(self, row: int, frame: RunFrame) -> None:
        self.values[row] = [frame.outputs.get(name, math.nan) for name in self._outputs]
        self.paths[row] = np.where(frame.poses[:, 3:, 3], frame.poses[:, :3, 3], np.nan)


def sample_outputs(source: Source, outputs: Sequence[str]) -> FloatArray:
    """Return outputs at equal intervals over the whole run so far and on both sides of events, (n, n_outputs)."""
    moments = [(t, False) for t in np.linspace(source.begin, source.end, N_HISTORY_SAMPLES).tolist()]
    some = source.events[:: len(source.events) // N_HISTORY_SAMPLES + 1]
    moments += [(event.t, before) for event in some for before in (True, False)]
    frames = (source.frame(t, before).outputs for t, before in moments)
    return np.array([[values.get(name, math.nan) for name in outputs] for values in frames]).reshape(len(moments), -1)
