"""A line for who waits while functions are compiled: once for each thing that is compiled, and only if it takes long.

It is a warning of the logger `hybridsim`, which Python prints to standard error if nobody has configured logging.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

ANNOUNCEMENT_DELAY = 1.0
"""Time that compiling takes before a line about it is printed [s]."""

_spent: dict[str, float] = {}
"""For each thing, the time for which it has been compiled in this process [s]; infinite after its line."""

_of_thread = threading.local()


def _print(what: str) -> None:
    if _spent.get(what) != float("inf"):
        _spent[what] = float("inf")
        logging.getLogger("hybridsim").warning("compiling %s", what)


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """In this block something is compiled, `the engine (once; half a minute)`: print a line if it takes longer than
    `ANNOUNCEMENT_DELAY`, together with earlier blocks for the same.
    """
    if getattr(_of_thread, "inside", False):  # the outer block stands for what it needs
        yield
        return
    left = ANNOUNCEMENT_DELAY - _spent.get(what, 0.0)
    timer = threading.Timer(max(left, 0.0), _print, [what])
    timer.daemon = True
    began, _of_thread.inside = time.perf_counter(), True
    if _spent.get(what) != float("inf"):
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _of_thread.inside = False
        _spent[what] = _spent.get(what, 0.0) + time.perf_counter() - began
