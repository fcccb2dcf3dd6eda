"""The player in a browser, for runs on other machines and for notebooks. It needs trame, from the extra `notebook`."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence

from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import Camera, Layout
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.page import build, refuse_missing_trame
from hybridsim.viewer.page_access import PageAccess
from hybridsim.viewer.page_server import PageServer
from hybridsim.viewer.player import Player
from hybridsim.viewer.render.interaction import Interaction
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.session import Session
from hybridsim.viewer.source import Source

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


DEFAULT_PORT = 8080
"""Port of the page, unless another program uses it."""
DEFAULT_ADDRESS = "http://127.0.0.1:{port}/"
"""Address of the page before the token; its port follows when the page is served."""
MAX_PAGE_FPS = 30.0
"""Most pictures per second that are sent."""
MAX_PICTURES_IN_TRANSIT = 3
"""Most pictures sent and not yet received; over a slow connection there are fewer pictures, but no late ones."""
MAX_PAGE_TICK = 0.5
"""Most real time by which the player advances between two pictures [s]."""


class WebPage:
    """A page that plays runs in a browser until it is closed; the player waits for the browser to open the page.

    Parameters
    ----------
    sources : sequence of Source
        The runs; the first one has the camera, the ground and the events.
    options : ViewOptions, optional
        Speed, camera, layout, outputs and the time at which to begin; by default those of `ViewOptions()`. The browser
        determines the size.
    port : int, optional
        Port of the page, which is served to this machine only; by default 8080, or another one if that is in use.
    on_ready : callable
        Called with the address of the page when it can be opened. The address contains a random token, without which
        the page cannot be opened.
    address : str, optional
        Address at which the browser reaches the server, without the token; {port} stands for the port.

    Raises
    ------
    ConfigError
        If trame is not installed.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: ViewOptions | None = None,
        port: int | None = None,
        on_ready: Callable[[str], None] = print,
        address: str = DEFAULT_ADDRESS,
    ) -> None:
        refuse_missing_trame()
        options = options or ViewOptions()
        self._ports = (DEFAULT_PORT, 0) if port is None else (port,)
        self._on_ready = on_ready
        self.player = Player(*sources, speed=options.speed, fps=options.fps, start=options.begin)
        self._session = Session(self.player, options, off_screen=True)
        self._stage = self._session.stage
        self._stage.set_camera(options.camera)
        session = self._session
        self._interaction = Interaction(self._stage, session.press, self.player.scrub, session.close, session.grips)
        self._session.draw()  # the picture that the browser asks for as it opens the page shows the bodies, too
        self._stage.window.AddObserver("StartEvent", lambda *_: self._stage.prepare())
        self._n_sent, self._n_received = 0, 0
        self._pace = Pace()
        self._page_open = False
        self._access = PageAccess(address)
        self._server = PageServer(lambda: build(session, self._receive), self._access)

    def show(self) -> None:
        """Serve the page, and return when it has been closed.

        Raises
        ------
        ConfigError
            If the page cannot be served at the port, or no port is free.
        """
        asyncio.run(self._serve())

    def close(self) -> None:
        """Make `show` return soon; may be called by a signal handler."""
        self._session.close()

    async def _serve(self) -> None:
        self._on_ready(await self.start())
        await self.play()

    async def start(self) -> str:
        """Serve the page from now on.

        Returns
        -------
        str
            Address of the page.

        Raises
        ------
        ConfigError
            If the page cannot be served at the port, or no port is free.
        """
        try:
            port = await self._server.start(self._ports)
        except BaseException:
            self._release()
            raise
        return self._access.address(port)

    async def play(self) -> None:
        """After `start`, play until the page has been closed; then stop serving it."""
        try:
            await self._play()
        finally:
            await self._server.stop()
            self._release()

    def _release(self) -> None:
        self._stage.close()
        self._server.close()

    async def _play(self) -> None:
        last = time.perf_counter()
        while self._session.open and self._server.running:
            now = time.perf_counter()
            if self._page_open and self._n_sent - self._n_received < MAX_PICTURES_IN_TRANSIT:
                self._tick(now - last)
                last = now
                self._send()
            elif not self._page_open:
                last = now
            await asyncio.sleep(max(1.0 / MAX_PAGE_FPS - (time.perf_counter() - now), 0.001))
        self._server.raise_if_ended()

    def _tick(self, elapsed: float) -> None:
        """Advance the player by the real time that has passed, and note how much of it is shown."""
        before, playing = self.player.t, self.player.playing
        self.player.tick(min(elapsed, MAX_PAGE_TICK))
        if playing and self.player.playing:
            self._pace.add(elapsed, (self.player.t - before) / self.player.speed)
        else:
            self._pace.reset()

    def _send(self) -> None:
        self._session.draw()
        self._n_sent += 1
        with self._server.state as state:
            state.picture, state.playing, state.t = self._n_sent, self.player.playing, self.player.t
            state.pace = self._pace.text
        self._server.view.update()

    def _receive(self, picture: int) -> None:
        """Note the number of the last picture that the browser has received; 0 when it opens the page."""
        self._page_open = True
        self._n_received = picture or self._n_sent


class Embedded:
    """A page in a cell of a notebook; notebooks show it when it is the value of the cell's last line."""

    def __init__(self, page: WebPage, address: str, height: int) -> None:
        self._page, self._address, self._height = page, address, height
        self._playing = asyncio.create_task(page.play())

    def _repr_html_(self) -> str:
        return f'<iframe src="{self._address}" style="width: 100%; height: {self._height}px; border: 0"></iframe>'

    def close(self) -> None:
        """Stop serving the page soon; returns at once."""
        self._page.close()

    async def closed(self) -> None:
        """Wait until the page is no longer served."""
        await self._playing


async def embed(
    *runs: Source | Trajectory | str | os.PathLike[str],
    height: int = 600,
    address: str = DEFAULT_ADDRESS,
    speed: float = 1.0,
    camera: Camera = "follow",
    layout: Layout = "side-by-side",
) -> Embedded:
    """Show runs in a cell of a notebook; call it with `await` in the last line of the cell.

    Parameters
    ----------
    *runs : Trajectory or path or Source
        Runs, their .h5 files, or other sources.
    height : int
        Height of the cell [pixels].
    address : str
        Address at which the browser reaches this machine; "/proxy/{port}/" with jupyter-server-proxy. A random token is
        appended to it.
    speed : float
        Simulated seconds per second shown.
    camera : str
        `follow`, `side`, `top` or `free`.
    layout : str
        `ghosts` or `side-by-side`.

    Returns
    -------
    Embedded
        The page.

    Raises
    ------
    ConfigError
        If trame is not installed, a file is not that of a run, there is no such camera or layout, or no port is free.
    """
    sources = [Replay(run) if isinstance(run, (Trajectory, str, os.PathLike)) else run for run in runs]
    page = WebPage(sources, ViewOptions(speed=speed, camera=camera, layout=layout), address=address)
    return Embedded(page, await page.start(), height)
