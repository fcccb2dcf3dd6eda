"""How fast a player shows a run, compared with the speed that was chosen."""

from __future__ import annotations

from collections import deque

PERIOD = 2.0
"""Real time over which the pace is measured [s]."""

SLOW = 0.8
"""A pace below which the player is slow."""


class Pace:
    """The pace of a player: what it shows of the time that passes, 1 if it keeps the speed that was chosen."""

    def __init__(self) -> None:
        self._ticks: deque[tuple[float, float]] = deque()
        self._elapsed = self._shown = 0.0

    def add(self, elapsed: float, shown: float) -> None:
        """Add what happened between two pictures.

        Parameters
        ----------
        elapsed : float
            Real time that has passed [s].
        shown : float
            Real time that the simulated time shown stands for, at the speed that was chosen [s].
        """
        self._ticks.append((elapsed, shown))
        self._elapsed, self._shown = self._elapsed + elapsed, self._shown + shown
        while self._elapsed - self._ticks[0][0] >= PERIOD:
            first = self._ticks.popleft()
            self._elapsed, self._shown = self._elapsed - first[0], self._shown - first[1]

    def reset(self) -> None:
        """Forget what was added, as after a pause."""
        self._ticks.clear()
        self._elapsed = self._shown = 0.0

    @property
    def text(self) -> str:
        """What to tell the user; "" if the player keeps its speed, or has not played long enough to say."""
        if self._elapsed < 0.9 * PERIOD or self._shown >= SLOW * self._elapsed:
            return ""
        return f"slow: {self._shown / self._elapsed:.2g} of the speed chosen"
