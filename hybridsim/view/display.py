"""Is there a screen to open a window on? Asked before anything is computed: VTK itself ends the process without one."""

from __future__ import annotations

import ctypes
import os
import sys

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


def _answers(name: str) -> bool:
    """Does the X server called `name` let us in?"""
    try:
        xlib = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XOpenDisplay.argtypes = [ctypes.c_char_p]
    xlib.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = xlib.XOpenDisplay(name.encode())
    if not display:
        return False
    xlib.XCloseDisplay(display)
    return True
