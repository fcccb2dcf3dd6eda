"""The player in browsers, for runs on other machines and for notebooks. It needs aiohttp, from the extra `notebook`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import Camera, Layout
from hybridsim.viewer.browser.access import PageAccess
from hybridsim.viewer.browser.feed import Feed
from hybridsim.viewer.browser.html import page
from hybridsim.viewer.browser.server import Server, refuse_missing_aiohttp
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Source

DEFAULT_PORT = 8080
"""Port of the page, unless another program uses it."""
DEFAULT_ADDRESS = "http://127.0.0.1:{port}/"
"""Address of the page before the token; its port follows when the page is served."""
INTERVAL = 1.0 / 30.0
"""Real time between two looks at how far the runs have come [s]."""


class WebPage:
    """A page that plays runs in any number of browsers, each with its own player and camera, until one closes it.

    Parameters
    ----------
    sources : sequence of Source
        The runs; the first one has the camera, the ground and the events.
    options : ViewOptions, optional
        Speed, camera, layout, outputs and the time at which to begin; by default those of `ViewOptions()`.
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
        If aiohttp is not installed.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: ViewOptions | None = None,
        port: int | None = None,
        on_ready: Callable[[str], None] = print,
        address: str = DEFAULT_ADDRESS,
    ) -> None:
        refuse_missing_aiohttp()
        self._ports = (DEFAULT_PORT, 0) if port is None else (port,)
        self._on_ready, self._access = on_ready, PageAccess(address)
        self._feed = Feed(sources, options or ViewOptions())
        head = {"title": f"{', '.join(source.name for source in sources)} - hybridsim", "live": True}
        self._server = Server(self._feed, lambda: page(head), self._access)

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
        self._feed.open = False

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
        return self._access.address(await self._server.start(self._ports))

    async def play(self) -> None:
        """After `start`, send the runs to the browsers until the page has been closed; then stop serving it."""
        try:
            while self._feed.open:
                if self._server.browsers:
                    for content in await asyncio.to_thread(self._feed.advance):
                        self._server.send(content)
                await asyncio.sleep(INTERVAL)
        finally:
            await self._server.stop()


class Embedded:
    """A page in a cell of a notebook; notebooks show it when it is the value of the cell's last line."""

    def __init__(self, shown: WebPage, address: str, height: int) -> None:
        self._page, self._address, self._height = shown, address, height
        self._playing = asyncio.create_task(shown.play())

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
        If aiohttp is not installed, a file is not that of a run, there is no such camera or layout, or no port is free.
    """
    sources = [Replay(run) if isinstance(run, (Trajectory, str, os.PathLike)) else run for run in runs]
    shown = WebPage(sources, ViewOptions(speed=speed, camera=camera, layout=layout), address=address)
    return Embedded(shown, await shown.start(), height)
