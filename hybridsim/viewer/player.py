"""The player: what time is shown, and how it goes on. No graphics, and no clock of its own."""

from __future__ import annotations

from typing import Protocol

SLOWEST, FASTEST = 2.0**-12, 2.0**12
"""Simulated seconds per second."""


class Span(Protocol):
    """What the player needs to know of a source."""

    @property
    def begin(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def finished(self) -> bool: ...


class Player:
    """Goes through one or several runs at once, from the first beginning to the last end, and stays there.

    Parameters
    ----------
    sources : what is played. Their `end` may move on meanwhile, as a live run's does: until the last of them has
        finished, the player waits at the end and goes on with it.
    speed : simulated seconds per second. fps : pictures per second, which `step` counts by.
    start : where to begin [s]; None: at the beginning. A run that has not come that far yet is hurried there.

    Attributes
    ----------
    t : the time shown [s]. playing : does `tick` move it?
    """

    def __init__(
        self,
        *sources: Span,
        speed: float = 1.0,
        fps: float = 30.0,
        playing: bool = True,
        start: float | None = None,
    ) -> None:
        self.sources = sources
        self.speed, self.fps, self.playing = speed, fps, playing
        self.t, self._start = self.begin, start

    @property
    def begin(self) -> float:
        return min(source.begin for source in self.sources)

    @property
    def end(self) -> float:
        """How far it can go now [s]."""
        return max(source.end for source in self.sources)

    @property
    def at_end(self) -> bool:
        """Is the last picture of finished runs shown?"""
        return self.t >= self.end and all(source.finished for source in self.sources)

    def tick(self, seconds: float) -> float:
        """So many seconds have passed, on the clock of whoever looks; returns the time to show."""
        if self._start is not None:
            self._hurry(self._start)
        elif self.playing:
            self.scrub(self.t + seconds * self.speed)
            self.playing = not self.at_end
        return self.t

    def _hurry(self, start: float) -> None:
        """Towards the time to begin at; a live run keeps ahead of the time shown, and so comes there."""
        self.scrub(start)
        if self.t >= start or self.at_end:
            self._start = None

    def toggle(self) -> None:
        """Pause, or play; at the very end, play again from the beginning."""
        self.playing = not self.playing
        if self.playing and self.at_end:
            self.home()

    def step(self, frames: int) -> None:
        """Pause, and go so many pictures on, or back where negative."""
        self.playing = False
        self.scrub(self.t + frames * self.speed / self.fps)

    def scrub(self, t: float) -> None:
        """Show time t [s], or the end of the run that is nearest to it."""
        self.t = min(max(t, self.begin), self.end)

    def faster(self) -> None:
        self.speed = min(2.0 * self.speed, FASTEST)

    def slower(self) -> None:
        self.speed = max(0.5 * self.speed, SLOWEST)

    def home(self) -> None:
        """Go to the beginning."""
        self.scrub(self.begin)

    def finish(self) -> None:
        """Go to the end."""
        self.scrub(self.end)
