"""The player: which time is shown, and how it advances. It uses neither graphics nor a clock."""

from __future__ import annotations

from hybridsim.errors import explains_keywords
from hybridsim.viewer.source import Source

MIN_SPEED, MAX_SPEED = 2.0**-12, 2.0**12
"""Limits of the speed, in simulated seconds per second."""


@explains_keywords()
class Player:
    """Plays one run or several at once, from the first beginning to the last end, and stops there.

    Parameters
    ----------
    *sources : Source
        The runs. While one of them is being computed, the player waits at the last `end` and continues when it grows.
    speed : float
        Simulated seconds per second.
    fps : float
        Pictures per second; `step` moves by their distance.
    playing : bool
        Whether to play or to begin paused.
    start : float, optional
        Time at which to begin [s]; by default the beginning. A run that is being computed is shown as fast as it is
        computed until it reaches this time.

    Attributes
    ----------
    t : float
        Time that is shown [s].
    """

    def __init__(
        self,
        *sources: Source,
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
        """Time at which the first run begins [s]."""
        return min(source.begin for source in self.sources)

    @property
    def end(self) -> float:
        """Latest time that can be shown now [s]."""
        return max(source.end for source in self.sources)

    @property
    def at_end(self) -> bool:
        """Whether the last picture of finished runs is shown."""
        return self.t >= self.end and all(source.finished for source in self.sources)

    def tick(self, seconds: float) -> float:
        """Advance the time that is shown, if the player is playing.

        Parameters
        ----------
        seconds : float
            Real time since the last call [s].

        Returns
        -------
        float
            Time to show [s].
        """
        if self._start is not None:
            self._approach_start(self._start)
        elif self.playing:
            self.scrub(self.t + seconds * self.speed)
            self.playing = not self.at_end
        return self.t

    def _approach_start(self, start: float) -> None:
        """Go as close to the start time as the run has come; a live run computes ahead of the time that is shown."""
        self.scrub(start)
        if self.t >= start or self.at_end:
            self._start = None

    def toggle(self) -> None:
        """Pause or play; at the end of finished runs, play from the beginning."""
        self.playing = not self.playing
        if self.playing and self.at_end:
            self.home()

    def step(self, frames: int) -> None:
        """Pause, and go forward by a number of pictures.

        Parameters
        ----------
        frames : int
            Number of pictures; negative to go back.
        """
        self.playing = False
        self.scrub(self.t + frames * self.speed / self.fps)

    def scrub(self, t: float) -> None:
        """Show another time.

        Parameters
        ----------
        t : float
            Time [s]; times outside the runs are replaced by `begin` or `end`.
        """
        self.t = min(max(t, self.begin), self.end)

    def faster(self) -> None:
        """Double the speed, up to `MAX_SPEED`."""
        self.speed = min(2.0 * self.speed, MAX_SPEED)

    def slower(self) -> None:
        """Halve the speed, down to `MIN_SPEED`."""
        self.speed = max(0.5 * self.speed, MIN_SPEED)

    def home(self) -> None:
        """Go to the beginning."""
        self.scrub(self.begin)

    def finish(self) -> None:
        """Go to the end."""
        self.scrub(self.end)
