"""How far a sweep has come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

Progress = Callable[[int, Mapping[str, int]], None]
"""Called with the number of finished rows and how many ended in which way: after each block, and now and then."""


@runtime_checkable
class ProgressOfKeeping(Protocol):
    """A `Progress` with the method `kept` hears of the runs that are kept, too."""

    def __call__(self, finished: int, statuses: Mapping[str, int], /) -> None: ...

    def kept(self, done: int, chosen: int) -> None:
        """So many of the chosen runs are done: run again and written, or there already."""


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
        if isinstance(self._progress, ProgressOfKeeping):
            self._progress.kept(done, chosen)

    def show(self) -> None:
        if self._progress is not None:
            self._progress(self.finished, self.statuses)
