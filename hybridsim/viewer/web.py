"""The player in a browser, through trame, for other machines and for notebooks. Needs the extra `notebook`."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from hybridsim.errors import ConfigError
from hybridsim.results.trajectory import Trajectory
from hybridsim.viewer.page import build, refuse_missing_trame
from hybridsim.viewer.player import Player
from hybridsim.viewer.render.input import Input
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.session import Show
from hybridsim.viewer.source import Source

PORT = 8080
"""Where the page is, if nothing else is there."""
FPS = 30.0
AHEAD = 3
"""Pictures that may be under way to the browser: a slow line gets fewer of them, never late ones."""
LONGEST = 0.5
"""Seconds by which the player goes on at most in one picture."""


class WebPage:
    """Shows runs in a browser until it is closed there, or here. They wait for the browser to open the page.

    Parameters
    ----------
    sources, size, speed, camera, layout, begin, outputs, fps : as of a `Window`; the browser has a size of its own.
    port : where the page is served, to this machine only; None: 8080, or another if that is taken.
    opened : called with the address of the page as soon as it can be opened.

    Raises
    ------
    ConfigError : trame is not installed, no such camera or layout, or the port is taken.
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
        port: int | None = None,
        opened: Callable[[str], None] = print,
    ) -> None:
        refuse_missing_trame()
        self.port = free_port() if port is None else port
        self._opened = opened
        self.player = Player(*sources, speed=speed, fps=fps, start=begin)
        self._show = Show(sources, self.player, layout, True, size, outputs)
        self._show.stage.set_camera(camera)
        self._input = Input(self._show.stage, self._show.press, self.player.scrub, self._show.close)
        self._sent, self._seen = 0, 0
        self._looks = False
        title = f"{', '.join(source.name for source in sources)} - hybridsim"
        self._stack = ExitStack()
        self._server, self._view = build(self._show, title, self._see)

    def show(self) -> None:
        """Serve the page, and return when it has been closed."""
        asyncio.run(self._serve())

    def close(self) -> None:
        """Make `show` return, soon."""
        self._show.close()

    async def _serve(self) -> None:
        self._opened(await self.start())
        await self.play()

    async def start(self) -> str:
        """Serve the page from now on; returns its address."""
        self._stack.enter_context(_without_disconnects())
        with _undisturbed_trame():
            started = self._server.start(
                port=self.port,
                exec_mode="coroutine",
                open_browser=False,
                show_connection_info=False,
                disable_logging=True,
                thread=True,  # Ctrl-C is ours
            )
            self._serving = asyncio.create_task(started)
            await self._server.ready
        return f"http://localhost:{self.port}/"

    async def play(self) -> None:
        """Play, after `start`, until the page has been closed; then serve it no longer."""
        try:
            await self._play()
        finally:
            await self._server.stop()
            await self._serving
            self._show.stage.close()
            self._stack.close()

    async def _play(self) -> None:
        last = time.perf_counter()
        while self._show.open:
            now = time.perf_counter()
            if self._looks and self._sent - self._seen < AHEAD:
                self.player.tick(min(now - last, LONGEST))
                last = now
                self._draw()
            elif not self._looks:
                last = now
            await asyncio.sleep(max(1.0 / FPS - (time.perf_counter() - now), 0.001))

    def _draw(self) -> None:
        self._show.draw()
        self._show.stage.prepare()
        self._sent += 1
        with self._server.state as state:
            state.picture, state.playing, state.t = self._sent, self.player.playing, self.player.t
        self._view.update()

    def _see(self, picture: int) -> None:
        """The browser has got so many pictures; 0 where it opens the page."""
        self._looks = True
        self._seen = picture or self._sent


def free_port() -> int:
    """PORT, or any other if that is taken."""
    for port in (PORT, 0):
        with socket.socket() as there:
            there.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                there.bind(("localhost", port))
            except OSError:
                continue
            number: int = there.getsockname()[1]
            return number
    raise ConfigError("--web: there is no free port on this machine; close another server")


@contextmanager
def _undisturbed_trame() -> Iterator[None]:
    """Trame reads our command line as if it were its own, and its server greets a launcher on standard output."""
    arguments, greeting = sys.argv, os.environ.get("WSLINK_READY_MSG")
    sys.argv, os.environ["WSLINK_READY_MSG"] = arguments[:1], ""
    try:
        yield
    finally:
        sys.argv = arguments
        if greeting is None:
            del os.environ["WSLINK_READY_MSG"]
        else:
            os.environ["WSLINK_READY_MSG"] = greeting


@contextmanager
def _without_disconnects() -> Iterator[None]:
    """A browser that goes away in the midst of a picture is no error to speak of."""

    def is_another(record: logging.LogRecord) -> bool:
        reset = record.exc_info and isinstance(record.exc_info[1], ConnectionError)
        return not (reset or "ConnectionReset" in str(record.msg) or record.msg == "Exception raised")

    loggers = [logging.getLogger(name) for name in ("aiohttp.server", "asyncio", "wslink.protocol")]
    for logger in loggers:
        logger.addFilter(is_another)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_another)


class Embedded:
    """A page within a notebook; the last value of a cell shows it."""

    def __init__(self, page: WebPage, address: str, height: int) -> None:
        self._page, self._address, self._height = page, address, height
        self._playing = asyncio.create_task(page.play())

    def _repr_html_(self) -> str:
        return f'<iframe src="{self._address}" style="width: 100%; height: {self._height}px; border: 0"></iframe>'

    def close(self) -> None:
        """Serve the page no longer, soon."""
        self._page.close()

    async def closed(self) -> None:
        """Returns when the page is no longer served."""
        await self._playing


async def embed(
    *runs: Source | Trajectory | str | os.PathLike[str],
    height: int = 600,
    address: str = "http://localhost:{port}/",
    speed: float = 1.0,
    camera: str = "follow",
    layout: str = "side-by-side",
) -> Embedded:
    """Show runs in a cell of a notebook, whose last line this is, with `await` before it.

    Parameters
    ----------
    runs :
        runs, their .h5 files, or other sources.
    height :
        of the cell [pixels].
    address :
        where the browser finds the notebook's machine; through jupyter-server-proxy, "/proxy/{port}/".
    speed, camera, layout :
        as of a `Window`.

    Raises
    ------
    ConfigError : trame is not installed, a file that is no run, no such camera or layout.
    """
    sources = [Replay(run) if isinstance(run, (Trajectory, str, os.PathLike)) else run for run in runs]
    page = WebPage(sources, speed=speed, camera=camera, layout=layout)
    await page.start()
    return Embedded(page, address.format(port=page.port), height)
