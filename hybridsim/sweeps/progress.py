"""Progress of a sweep: counts of finished rows, and the function that reports them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping

ProgressCallback = Callable[[int, Mapping[str, int]], None]
"""Function called with the number of finished rows and the counts of their statuses, after each block and periodically.

If it has a method `kept(done, chosen)`, that is called while whole runs are kept, with how many are done and how many
were chosen; a method `waiting(reason)`, while the sweep waits for something.
"""

PROGRESS_PERIOD = 0.2
"""Seconds between two calls while no block is finished."""


class Tally:
    """Counts finished rows by their status, and calls `progress`.

    Parameters
    ----------
    statuses : Counter of str
        Counts of the rows that were finished before.
    progress : ProgressCallback or None
        Function to call.

    Attributes
    ----------
    statuses : Counter of str
        Counts of all finished rows by the name of their status.
    computed : int
        Number of rows computed now.
    """

    def __init__(self, statuses: Counter[str], progress: ProgressCallback | None) -> None:
        self.statuses = Counter(statuses)
        self.computed = 0
        self._progress = progress
        self._began = time.perf_counter()

    def begin(self) -> None:
        """Start the clock, after compiling or connecting."""
        self._began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Computing time so far [s]."""
        return time.perf_counter() - self._began

    @property
    def finished(self) -> int:
        """Number of finished rows."""
        return self.statuses.total()

    def add(self, statuses: Counter[str]) -> None:
        """Count the rows of one more finished block."""
        self.statuses += statuses
        self.computed += statuses.total()
        self.show()

    def kept(self, done: int, chosen: int) -> None:
        """Report how many of the chosen runs are kept."""
        self._call("kept", done, chosen)

    def waiting(self, reason: str) -> None:
        """Report why the sweep waits."""
        self._call("waiting", reason)

    def _call(self, name: str, *arguments: int | str) -> None:
        method = getattr(self._progress, name, None)
        if method is not None:
            method(*arguments)

    def show(self) -> None:
        """Report the number of finished rows."""
        if self._progress is not None:
            self._progress(self.finished, Counter(self.statuses))
