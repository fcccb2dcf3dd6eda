"""A window with a player in it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hybridsim.viewer.player import Player
from hybridsim.viewer.render.input import Input
from hybridsim.viewer.session import Show
from hybridsim.viewer.source import Source

FPS = 60.0
LONGEST = 0.25
"""Seconds by which the player goes on at most in one picture: a window that hung a while does not leap."""


class Window:
    """Shows runs until it is closed.

    Parameters
    ----------
    sources : what is shown. size : width and height [pixels]. speed : simulated seconds per second.
    fps : pictures per second that the arrow keys step by; the window shows as many as it can, up to FPS.
    camera : `follow`, `side`, `top` or `free`. layout : `ghosts` or `side-by-side`.
    begin : where the player starts [s]; None: at the beginning.
    outputs : what the head-up line and the strip charts show; None: what the scene says.

    Raises
    ------
    ConfigError : no such camera or layout.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        size: tuple[int, int] = (1280, 720),
        speed: float = 1.0,
        camera: str = "follow",
        layout: str = "ghosts",
        begin: float | None = None,
        outputs: Sequence[str] | None = None,
        fps: float = 30.0,
    ) -> None:
        self.player = Player(*sources, speed=speed, fps=fps, start=begin)
        title = f"{', '.join(source.name for source in sources)} - hybridsim"
        self._show = Show(sources, self.player, layout, False, size, outputs, title)
        self.stage = self._show.stage
        self.stage.set_camera(camera)

    @property
    def open(self) -> bool:
        """Nobody has closed it yet."""
        return self._show.open

    def show(self) -> None:
        """Play, and return when the window has been closed."""
        show, stage = self._show, self.stage
        try:
            self._input = Input(stage, show.press, self.player.scrub, show.close)
            stage.open()
            last, drawn = time.perf_counter(), None
            while show.open:
                now = time.perf_counter()
                self.player.tick(min(now - last, LONGEST))
                last = now
                if (sight := self._sight()) != drawn:
                    show.draw()
                    stage.render()
                    drawn = sight
                stage.process_events()
                time.sleep(max(1.0 / FPS - (time.perf_counter() - now), 0.0))
        finally:
            stage.close()

    def _sight(self) -> tuple[object, ...]:
        """Something that is another when there is something else to be seen."""
        player, ends = self.player, [(source.end, source.finished) for source in self.player.sources]
        return player.t, player.playing, player.speed, ends, self._input.count, self.stage.canvas.size

    def close(self) -> None:
        """Make `show` return, soon."""
        self._show.close()
