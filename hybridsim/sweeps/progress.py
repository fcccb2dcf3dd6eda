"""How far a sweep has come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping

Progress = Callable[[int, Mapping[str, int]], None]
"""Called with the number of finished rows and how many ended in which way: after each block, and now and then.

If it has a method `kept(done, chosen)`, that hears of the runs that are kept; a method `waiting(reason)`, of what a
sweep waits for.
"""

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

    def kept(self, done: int, chosen: int) -> None:
        """So many of the runs that are to be kept are done."""
        self._tell("kept", done, chosen)

    def waiting(self, reason: str) -> None:
        """Nothing goes on, for this reason."""
        self._tell("waiting", reason)

    def _tell(self, name: str, *what: int | str) -> None:
        method = getattr(self._progress, name, None)
        if method is not None:
            method(*what)

    def show(self) -> None:
        if self._progress is not None:
            self._progress(self.finished, Counter(self.statuses))
