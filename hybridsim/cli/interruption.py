"""What Ctrl-C (SIGINT) and SIGTERM, with which schedulers end a job, do at each moment of a command.

While there is nothing to save, the command ends at once: an exception would be swallowed, or printed with a traceback,
by some of the code that loads modules and compiles the engine. Blocks with something to save are marked by `calling`
or `raising`. What goes on nevertheless, such as an endless loop in a function of a model, ends with the second signal.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Never

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

TIME_BEFORE_EXPLANATION = 5.0
"""Time after which a command is told to go on in spite of a signal [s]; most end, and have written, much earlier."""

EXPLANATION = (
    b"\nthis goes on after Ctrl-C or SIGTERM: much has to be written, or a function of the model does not return; "
    b"the same again ends it at once, without what is not written yet\n"
)

MAX_SIGNALS_READ = 4096
"""Most signals read at once."""

SignalHandler = Callable[[int, FrameType | None], None]

_received: list[int] = []
"""The signals of this process so far."""


def exit_code() -> int:
    """Return the exit code of an interrupted command: 143 after SIGTERM, otherwise 130."""
    return EXIT_CODE_OF_SIGNAL_0 + (_received[-1] if _received else signal.SIGINT)


def install() -> None:
    """From now on, Ctrl-C and SIGTERM end the process at once, with one sentence; call it in the main thread.

    Where blocks marked by `calling` or `raising` go on nevertheless, the second one does.

    While the interpreter clears up after the command they are ignored: its exit code stays that of the finished work.
    """
    atexit.register(_ignore)
    handled = _signals_to_handle()
    for number in handled:
        signal.signal(number, _end_process)
    _watch_for_second(handled)


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


def _watch_for_second(signals: Collection[int]) -> None:
    """From now on, explain to the user if the process goes on after one of these signals, and end it after the next.

    Python calls the handler of a signal in the main thread, once the compiled function that runs there has returned,
    and threads of a sweep end when theirs have. The system tells a thread of its own at once that there was a signal
    (`signal.set_wakeup_fd`); not so on Windows.
    """
    if os.name == "nt":
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_end_after_second, args=(reading, signals), daemon=True).start()


def _end_after_second(reading: int, signals: Collection[int]) -> None:
    _next(reading, signals)
    time.sleep(TIME_BEFORE_EXPLANATION)
    with contextlib.suppress(OSError):
        os.write(2, EXPLANATION)
    _forget_signals(reading)
    _end_process(_next(reading, signals), None)


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
