"""What ends a command that goes on after Ctrl-C: an endless loop in a function of a model, for instance.

Python calls the handler of a signal in the main thread, once the compiled function that runs there has returned, and
threads of a sweep end when theirs have. The system tells a thread of its own at once that there was a signal
(`signal.set_wakeup_fd`); not so on Windows.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Collection

TIME_BEFORE_EXPLANATION = 5.0
"""Time after which a command is told to go on in spite of a signal [s]; most end, and have written, much earlier."""

EXPLANATION = (
    b"\nthis goes on after Ctrl-C or SIGTERM: much has to be written, or a function of the model does not return; "
    b"the same again ends it at once, without what is not written yet\n"
)

MAX_SIGNALS_READ = 4096
"""Most signals read at once."""


def watch(signals: Collection[int], end: Callable[[int], None]) -> None:
    """From now on, explain to the user if the process goes on after a signal, and end it after the next one.

    Call it in the main thread.

    Parameters
    ----------
    signals : collection of int
        Signals that have handlers.
    end : callable
        Ends the process because of a signal.
    """
    if os.name == "nt":
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading, signals, end), daemon=True).start()


def _watch(reading: int, signals: Collection[int], end: Callable[[int], None]) -> None:
    _next(reading, signals)
    time.sleep(TIME_BEFORE_EXPLANATION)
    with contextlib.suppress(OSError):
        os.write(2, EXPLANATION)
    _forget_signals(reading)
    end(_next(reading, signals))


def _next(reading: int, signals: Collection[int]) -> int:
    """Wait for one of these signals."""
    while True:
        (number,) = os.read(reading, 1)
        if number in signals:
            return number


def _forget_signals(reading: int) -> None:
    """Drop the signals that were sent before the explanation could be read."""
    os.set_blocking(reading, False)
    with contextlib.suppress(BlockingIOError):
        os.read(reading, MAX_SIGNALS_READ)
    os.set_blocking(reading, True)
