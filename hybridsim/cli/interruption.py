"""What Ctrl-C (SIGINT) and SIGTERM, with which schedulers end a job, do at each moment of a command.

While there is nothing to save, the command ends at once: an exception would be swallowed, or printed with a traceback,
by some of the code that loads modules and compiles the engine. Blocks with something to save are marked by `calling`
or `raising`.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Never

from hybridsim.cli import second_signal

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SIGNAL_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
EXIT_CODE_OF_SIGNAL_0 = 128
"""A process that ends because of signal n has the exit code 128 + n: 130 for SIGINT, 143 for SIGTERM."""

CACHE_WRITERS = (
    ("hybridsim.engine.compiler.object_file", "write_verified"),
    ("hybridsim.model.codegen", "_write"),
    ("numba.core.caching", "save_overload"),
)
"""Modules and functions that write a file of the cache under a temporary name and rename it; they take milliseconds."""

RETRY_DELAY = 0.05
"""Time after which a signal is delivered again if it came at an unfit moment [s]."""

SignalHandler = Callable[[int, FrameType | None], None]

_received: list[int] = []
"""The signals of this process so far."""


def exit_code() -> int:
    """Return the exit code of an interrupted command: 143 after SIGTERM, otherwise 130."""
    return EXIT_CODE_OF_SIGNAL_0 + (_received[-1] if _received else signal.SIGINT)


def install() -> None:
    """From now on, Ctrl-C and SIGTERM end the process at once, with one sentence; call it in the main thread.

    Where blocks marked by `calling` or `raising` go on nevertheless, the second one does (`second_signal`).

    While the interpreter clears up after the command they are ignored: its exit code stays that of the finished work.
    """
    atexit.register(_ignore)
    handled = _signals_to_handle()
    for number in handled:
        signal.signal(number, _end_process)
    second_signal.watch(handled, lambda number: _end_process(number, None))


@contextmanager
def calling(*functions: Callable[[], None]) -> Iterator[list[int]]:
    """In this block, Ctrl-C and SIGTERM call these functions and raise nothing, so that no data are lost.

    Yields
    ------
    list of int
        The signals received in this block, empty at first.
    """
    received: list[int] = []

    def handle(number: int, _: FrameType | None) -> None:
        _received.append(number)
        received.append(number)
        for function in functions:
            function()

    with _handling(handle):
        yield received


@contextmanager
def raising() -> Iterator[None]:
    """In this block, Ctrl-C and SIGTERM raise KeyboardInterrupt, or end the process at once while numba compiles."""

    def handle(number: int, frame: FrameType | None) -> None:
        if any(_is_import(each) for each in _stack(frame)):
            _deliver_later(number)  # exceptions in the callbacks of the import system are printed and dropped
        elif any(_is_compiler(each) for each in _stack(frame)):
            _end_process(number, frame)
        else:
            _received.append(number)
            raise KeyboardInterrupt

    with _handling(handle):
        yield


@contextmanager
def _handling(handler: SignalHandler) -> Iterator[None]:
    """Handle the signals so in this block; only the main thread receives any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _signals_to_handle()}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _signals_to_handle() -> list[signal.Signals]:
    """Return the signals to handle: not those that the parent process made this one ignore, as `nohup` does."""
    return [number for number in SIGNALS if signal.getsignal(number) not in (signal.SIG_IGN, None)]


def _ignore() -> None:
    for number in _signals_to_handle():
        signal.signal(number, signal.SIG_IGN)


def _end_process(number: int, frame: FrameType | None) -> None:
    """End the process with a sentence and without a half-written file."""
    if any((_module(each), each.f_code.co_name) in CACHE_WRITERS for each in _stack(frame)):
        _deliver_later(number)
        return
    results: Any = sys.modules.get("hybridsim.results.files")
    for path in tuple(getattr(results, "unfinished", ())):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    _exit(number)


def _exit(number: int) -> Never:
    with contextlib.suppress(Exception):  # the signal may have come while this stream was being written
        sys.stdout.flush()
    restored = "\r\x1b[2K\x1b[?25h" if os.isatty(2) else ""  # a line and a cursor that a progress display has changed
    sentence = f"{restored}interrupted by {SIGNAL_NAMES[signal.Signals(number)]}; no incomplete file is left\n"
    with contextlib.suppress(OSError):
        os.write(2, sentence.encode())
    os._exit(EXIT_CODE_OF_SIGNAL_0 + number)


def _deliver_later(number: int) -> None:
    timer = threading.Timer(RETRY_DELAY, _thread.interrupt_main, [number])
    timer.daemon = True
    timer.start()


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frame that was interrupted, and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_import(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<frozen importlib")


def _is_compiler(frame: FrameType) -> bool:
    return _module(frame).startswith(("numba.", "llvmlite."))


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
