"""The server of a page: its port, the page, and the websockets of the browsers that show it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from hybridsim.errors import ConfigError
from hybridsim.viewer.browser.access import REFUSAL_TEXT, PageAccess
from hybridsim.viewer.browser.feed import HEADER_START, Feed
from hybridsim.viewer.browser.packing import head_of, summary

HOST = "127.0.0.1"
"""Address to which the server is bound; another program could own the same port of another address of `localhost`."""
MAX_MESSAGE = 2**16
"""Most bytes of a message from a browser."""
LOG_LIMIT = 2**28
"""Most bytes that are kept for browsers that come later; beyond it, the older half is dropped."""
STOP_LIMIT = 5.0
"""Longest time for the end of connections; then they are cut [s]."""
WEBSOCKET_TEXT = "400: expected the handshake of a websocket; open the address that hybridsim has printed.\n"
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def refuse_missing_aiohttp() -> None:
    """Raise a ConfigError that names the extra to install, if aiohttp cannot be imported."""
    try:
        import aiohttp.web  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            f"--web: the player in a browser needs aiohttp ({error}); install it with pip install 'hybridsim[notebook]'"
        ) from None


class Server:
    """Serves one page to any number of browsers.

    Parameters
    ----------
    feed : Feed
        What they receive, and what they may do.
    page : callable
        Returns the page.
    access : PageAccess
        Which requests are answered.
    """

    def __init__(self, feed: Feed, page: Callable[[], str], access: PageAccess) -> None:
        self._feed, self._page, self._access = feed, page, access
        self._log: list[str | bytes] = []  # all that a browser must receive first
        self._size = 0  # of its pieces [bytes]
        feed.send = self.send
        self._queues: dict[object, asyncio.Queue[str | bytes]] = {}
        self._runner: Any = None

    @property
    def browsers(self) -> int:
        """Number of browsers that show the page now."""
        return len(self._queues)

    async def start(self, ports: Sequence[int]) -> int:
        """Serve the page at the first of these ports that is free; 0 stands for any. Returns the port.

        The server's own socket is bound at once, so no other program can take a port that was found free.

        Raises
        ------
        ConfigError
            If the page cannot be served at one of the ports.
        """
        from aiohttp import web

        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._answer)
        quiet = logging.Logger("hybridsim")  # a browser that is closed while something is sent to it is no error
        quiet.addHandler(logging.NullHandler())
        self._runner = web.AppRunner(application, access_log=None, logger=quiet, shutdown_timeout=STOP_LIMIT)
        await self._runner.setup()
        problems = []
        for port in ports:
            try:
                await web.TCPSite(self._runner, HOST, port).start()
                taken: int = self._runner.addresses[0][1]
                return taken
            except (OSError, OverflowError) as error:
                number = error.errno if isinstance(error, OSError) else None
                reason = (os.strerror(number) if number else str(error)).lower()
                problems.append(f"{f'port {port}' if port else 'any other port'}: {reason}")
        await self.stop()
        raise ConfigError(
            f"--web: the page cannot be served on this machine ({'; '.join(problems)}); end the program that uses the "
            "port, and try again"
        )

    async def stop(self) -> None:
        """Close all connections and stop serving."""
        for queue in self._queues.values():
            queue.put_nowait("")
        if self._runner is not None:
            await self._runner.cleanup()

    def send(self, content: str | bytes) -> None:
        """Send a message or a piece to all browsers; those that come later get the header and all pieces."""
        if isinstance(content, bytes):
            self._log.append(content)
            self._size += len(content)
            if self._size > LOG_LIMIT:
                self._log[1:] = shortened_log([piece for piece in self._log[1:] if isinstance(piece, bytes)])
                self._size = sum(map(len, self._log[1:]))
        elif content.startswith(HEADER_START):
            self._log, self._size = [content], 0
        for queue in self._queues.values():
            queue.put_nowait(content)

    async def _answer(self, request: Any) -> Any:
        from aiohttp import web

        path = request.path
        if not self._access.permits(path, request.headers):
            return web.Response(status=403, text=REFUSAL_TEXT)
        if self._access.serves(path, "ws"):
            socket = web.WebSocketResponse(max_msg_size=MAX_MESSAGE, heartbeat=20.0)
            if not socket.can_prepare(request):
                return web.Response(status=400, text=WEBSOCKET_TEXT)
            await socket.prepare(request)
            await self._serve_browser(socket)
            return socket
        if self._access.serves(path) and request.method in ("GET", "HEAD"):
            return web.Response(text=self._page(), content_type="text/html", headers=HEADERS)
        return web.Response(status=404, text="404: there is nothing here.\n", headers=HEADERS)

    async def _serve_browser(self, socket: Any) -> None:
        """Send a browser what has been sent so far and what comes, and do what it asks for, until it is closed."""
        queue: asyncio.Queue[str | bytes] = asyncio.Queue()
        for content in (*self._log, *self._feed.inputs()):
            queue.put_nowait(content)
        self._queues[socket] = queue
        sending = asyncio.create_task(_send_all(socket, queue))
        try:
            async for message in socket:
                if isinstance(message.data, str):
                    self._feed.receive(socket, message.data)
        finally:
            sending.cancel()
            del self._queues[socket]
            self._feed.leave(socket)


def shortened_log(pieces: Sequence[bytes]) -> list[bytes]:
    """Return the newer half of pieces, after a summary for each run of which pieces have been dropped."""
    kept, size = len(pieces) - 1, 0
    while kept > 0 and (size := size + len(pieces[kept])) < LOG_LIMIT // 2:
        kept -= 1
    begin, numbers = [], [head_of(piece)["run"] for piece in pieces]
    for run in sorted(set(numbers)):
        old = [piece for piece, number in zip(pieces[:kept], numbers, strict=False) if number == run]
        following = next(
            (piece for piece, number in zip(pieces[kept:], numbers[kept:], strict=True) if number == run), None
        )
        if old:
            begin += old if following is None else [summary(old, following)]
    return [*begin, *pieces[kept:]]


async def _send_all(socket: Any, queue: asyncio.Queue[str | bytes]) -> None:
    """Send what is put into a queue; "" closes the connection."""
    try:
        while content := await queue.get():
            await (socket.send_str(content) if isinstance(content, str) else socket.send_bytes(content))
        await socket.close()
    except ConnectionError:
        return
