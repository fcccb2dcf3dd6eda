"""A window that plays runs."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.player import Player
from hybridsim.viewer.render.interaction import Interaction
from hybridsim.viewer.session import Session
from hybridsim.viewer.source import Source

MAX_WINDOW_FPS = 60.0
"""Most pictures per second that the window draws."""
MAX_WINDOW_TICK = 0.25
"""Most real time by which the player advances between two pictures [s], so that a window that hung does not leap."""


class Window:
    """A window that plays runs until it is closed.

    Parameters
    ----------
    sources : sequence of Source
        The runs; the first one has the camera, the ground and the events.
    options : ViewOptions, optional
        Size, speed, camera, layout, outputs and the time at which to begin; by default those of `ViewOptions()`.

    Raises
    ------
    ConfigError
        If no window can be opened.
    """

    def __init__(self, sources: Sequence[Source], options: ViewOptions | None = None) -> None:
        options = options or ViewOptions()
        self.player = Player(*sources, speed=options.speed, fps=options.fps, start=options.begin)
        self._session = Session(self.player, options)
        self.stage = self._session.stage
        self.stage.set_camera(options.camera)

    @property
    def open(self) -> bool:
        """False as soon as the window is to be closed."""
        return self._session.open

    def show(self) -> None:
        """Play, and return when the window has been closed."""
        session, stage = self._session, self.stage
        try:
            self._interaction = Interaction(stage, session.press, self.player.scrub, session.close, session.grips)
            stage.open()
            last, drawn = time.perf_counter(), None
            while session.open:
                now = time.perf_counter()
                self.player.tick(min(now - last, MAX_WINDOW_TICK))
                last = now
                if (appearance := self._appearance()) != drawn:
                    session.draw()
                    stage.render()
                    drawn = appearance
                stage.process_events()
                time.sleep(max(1.0 / MAX_WINDOW_FPS - (time.perf_counter() - now), 0.0))
        finally:
            session.pusher.end()
            stage.close()

    def _appearance(self) -> tuple[object, ...]:
        """Return a value that changes whenever the picture may change."""
        player, ends = self.player, [(source.end, source.finished) for source in self.player.sources]
        return player.t, player.playing, player.speed, ends, self._interaction.count, self.stage.canvas.size

    def close(self) -> None:
        """Make `show` return soon; may be called by a signal handler or another thread."""
        self._session.close()
