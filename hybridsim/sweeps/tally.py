"""How far a sweep has come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping

Progress = Callable[[int, Mapping[str, int]], None]
"""Called with the number of finished rows and how many ended in which way: after each block, and now and then."""

PERIOD = 0.2
"""Seconds between two calls while nothing is finished."""


class Tally:
    """Counts finished rows by their status, and tells `progress`.

    `statuses` : how many of all the finished rows ended in which way; `computed` : rows of this session.
    """

    def __init__(self, statuses: Counter[str], progress: Progress | None) -> None:
        self.statuses = Counter(statuses)
        self.computed = 0
        self._progress = progress
        self._began = time.perf_counter()

    def begin(self) -> None:
        """Everything is compiled, or connected: the clock starts here."""
        self._began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Computing time so far [s]."""
        return time.perf_counter() - self._began

    @property
    def finished(self) -> int:
        return self.statuses.total()

    def add(self, statuses: Counter[str]) -> None:
        """One more block is finished."""
        self.statuses += statuses
        self.computed += statuses.total()
        self.show()

    def show(self) -> None:
        if self._progress is not None:
            self._progress(self.finished, self.statuses)
