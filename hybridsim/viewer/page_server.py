"""The server of the page in a browser: its port, its start and its end, each within a time limit."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from hybridsim.errors import ConfigError
from hybridsim.viewer.page_access import PageAccess

HOST = "127.0.0.1"
"""Address to which the server is bound; another program could own the same port of another address of `localhost`."""
START_LIMIT = 60.0
"""Longest time for the start of the server [s]."""
STOP_LIMIT = 10.0
"""Longest time for the end of the server; then its connections are cut [s]."""


class PageServer:
    """The server of one page.

    Parameters
    ----------
    build : callable
        Builds the page, and returns its trame server and the picture in it. It is called once for each port tried.
    access : PageAccess
        Which requests are answered.
    """

    def __init__(self, build: Callable[[], tuple[Any, Any]], access: PageAccess) -> None:
        self._build = build
        self._access = access
        self._stack = ExitStack()
        self._serving: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether the server has been started and has not ended."""
        return self._serving is not None and not self._serving.done()

    @property
    def state(self) -> Any:
        """State of the page, which the server sends to the browser."""
        return self._server.state

    async def start(self, ports: Sequence[int]) -> int:
        """Serve the page at the first of these ports that is free.

        The server's own socket is bound at once, so no other program can take a port that was found free.

        Parameters
        ----------
        ports : sequence of int
            Ports; 0 stands for any that is free.

        Returns
        -------
        int
            Port of the page.

        Raises
        ------
        ConfigError
            If the server cannot be started at one of the ports.
        """
        self._stack.enter_context(_ignoring_failed_requests())
        problems = []
        for port in ports:
            problem = await self._start(port)
            if problem is None:
                started: int = self._server.port
                return started
            await self.stop()
            problems.append(f"{f'port {port}' if port else 'any other port'}: {problem}")
        reasons = "; ".join(problems)
        raise ConfigError(
            f"--web: the page cannot be served on this machine ({reasons}); end the program that uses the port,"
            " and try again"
        )

    async def _start(self, port: int) -> str | None:
        """Try one port; return what went wrong, or None."""
        self._server, self.view = self._build()
        self._access.protect(self._server)
        with _isolate_trame():
            started = self._server.start(
                port=port,
                host=HOST,
                timeout=0,  # serve the page as long as the player runs
                exec_mode="coroutine",
                open_browser=False,
                show_connection_info=False,
                disable_logging=True,
                thread=True,  # otherwise the server would handle Ctrl-C
            )
            ready = self._server.ready
            self._serving = asyncio.create_task(started)
            await asyncio.wait((ready, self._serving), timeout=START_LIMIT, return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            return None
        return _cause_of_end(self._serving) if self._serving.done() else f"not ready after {START_LIMIT:g} s"

    def raise_if_ended(self) -> None:
        """Raise a ConfigError if the server has ended without `stop`."""
        if self._serving is not None and self._serving.done():
            raise ConfigError(
                f"--web: the server of the page has ended ({_cause_of_end(self._serving)}); start it again"
            )

    async def stop(self) -> None:
        """Stop serving the page; after `STOP_LIMIT`, open connections are cut."""
        if self._serving is None or self._serving.done():
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_LIMIT):
                await self._server.stop()
                await asyncio.wait((self._serving,))
        self._serving.cancel()

    def close(self) -> None:
        """After `stop`, or in place of it after an error: show again the log messages that were hidden."""
        if self._serving is not None:
            self._serving.cancel()
        gc.collect()  # tasks that failed on a closed connection are logged when they are deleted: now, while hidden
        self._stack.close()


def _cause_of_end(serving: asyncio.Task[None]) -> str:
    error = None if serving.cancelled() else serving.exception()
    if error is None:
        return "by itself"
    return (os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)).lower()


@contextmanager
def _isolate_trame() -> Iterator[None]:
    """Keep trame from reading this program's command line, and its server from printing a greeting."""
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
def _ignoring_failed_requests() -> Iterator[None]:
    """Do not log that a browser was closed while a picture was being sent, or that somebody sent what is no request."""

    def is_other(record: logging.LogRecord) -> bool:
        reset = record.exc_info and isinstance(record.exc_info[1], ConnectionError)
        text = str(record.msg)
        return not (
            reset or "ConnectionReset" in text or text.startswith(("Exception raised", "Error handling request"))
        )

    loggers = [logging.getLogger(name) for name in ("aiohttp.server", "asyncio", "wslink.protocol")]
    for logger in loggers:
        logger.addFilter(is_other)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_other)
