"""Is there a screen to open a window on? Asked before anything is computed: VTK itself ends the process without one."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hybridsim.errors import ConfigError

OTHERWISE = "write --record FILE.mp4 (.gif, .png) for pictures, which need none, or --web for a browser"


def missing_display() -> str:
    """Why no window can be opened here; "" if one can."""
    if sys.platform in ("win32", "darwin"):
        return ""
    name = os.environ.get("DISPLAY", "")
    if not name:
        return "there is no display here (DISPLAY is not set)"
    return "" if _answers(name) else f"the display {name!r} does not answer"


def refuse_missing_display(asked: str = "--view") -> None:
    """A ConfigError that says what to do instead of what was `asked`, if no window can be opened here."""
    problem = missing_display()
    if problem:
        raise ConfigError(f"{asked}: {problem}; {OTHERWISE}")


@contextmanager
def surviving(act: Callable[[], int]) -> Iterator[None]:
    """Within, when the X server goes away or cuts us off, call `act` and end the process with the code it returns.

    Xlib would end it at once, in the midst of whatever it was doing; its caller cannot go on in any case. `act` must
    not raise: no caller is left to catch it.
    """
    xlib = _xlib()
    if xlib is None:
        yield
        return

    def lost(_: object) -> int:
        code = act()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    handler = IO_ERROR_HANDLER(lost)
    xlib.XSetIOErrorHandler.restype = ctypes.c_void_p
    xlib.XSetIOErrorHandler.argtypes = [ctypes.c_void_p]
    before = xlib.XSetIOErrorHandler(ctypes.cast(handler, ctypes.c_void_p))
    try:
        yield
    finally:
        xlib.XSetIOErrorHandler(before)


IO_ERROR_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


def _xlib() -> ctypes.CDLL | None:
    if sys.platform in ("win32", "darwin"):
        return None
    try:
        return ctypes.CDLL("libX11.so.6")
    except OSError:
        return None


def _answers(name: str) -> bool:
    """Does the X server called `name` let us in?"""
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
