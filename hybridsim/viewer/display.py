"""Find out whether a window can be opened, before anything is computed: without a display VTK ends the process."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hybridsim.errors import ConfigError

ADVICE_WITHOUT_DISPLAY = (
    "write --record FILE.mp4 (.gif, .png) for pictures, which need no display, or --web for a browser"
)
IO_ERROR_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
"""Type of the function that Xlib calls when it loses the connection to the display."""


def missing_display() -> str:
    """Return why no window can be opened; "" if one can."""
    if sys.platform in ("win32", "darwin"):
        return ""
    name = os.environ.get("DISPLAY", "")
    if not name:
        return "there is no display here (DISPLAY is not set)"
    return "" if _can_connect(name) else f"the display {name!r} does not answer"


def refuse_missing_display(request: str = "--view") -> None:
    """Raise a ConfigError that names alternatives to the request, if no window can be opened."""
    problem = missing_display()
    if problem:
        raise ConfigError(f"{request}: {problem}; {ADVICE_WITHOUT_DISPLAY}")


@contextmanager
def on_display_loss(function: Callable[[], int]) -> Iterator[None]:
    """In this block, if the connection to the X server breaks, call a function and exit with the code it returns.

    Xlib itself would end the process at once; it does not let its caller continue in any case.

    Parameters
    ----------
    function : callable
        Must not raise, because no caller can catch it.
    """
    xlib = _xlib()
    if xlib is None:
        yield
        return

    def exit_after_call(_: object) -> int:
        code = function()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    handler = IO_ERROR_HANDLER(exit_after_call)
    xlib.XSetIOErrorHandler.restype = ctypes.c_void_p
    xlib.XSetIOErrorHandler.argtypes = [ctypes.c_void_p]
    before = xlib.XSetIOErrorHandler(ctypes.cast(handler, ctypes.c_void_p))
    try:
        yield
    finally:
        xlib.XSetIOErrorHandler(before)


def _xlib() -> ctypes.CDLL | None:
    if sys.platform in ("win32", "darwin"):
        return None
    try:
        return ctypes.CDLL("libX11.so.6")
    except OSError:
        return None


def _can_connect(name: str) -> bool:
    """Find out whether the X server of this name accepts a connection."""
    xlib = _xlib()
    if xlib is None:
        return False
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XOpenDisplay.argtypes = [ctypes.c_char_p]
    xlib.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = xlib.XOpenDisplay(name.encode())
    if not display:
        return False
    xlib.XCloseDisplay(display)
    return True
