"""Waiting in tests, never without a limit."""

import threading
import time
from collections.abc import Callable
from typing import TextIO

PATIENCE = 120.0  # [s], for what takes a fraction of a second unless the machine is overloaded


def until(condition: Callable[[], object], seconds: float = PATIENCE, every: float = 0.01) -> object:
    """Wait until `condition()` is true, and return its value; fail after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited for more than {seconds:g} s"
        time.sleep(every)
    return value


def next_line(stream: TextIO, seconds: float = PATIENCE) -> str:
    """Read the next line of a process's output; fail if none comes within so many seconds."""
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.append(stream.readline()), daemon=True)
    reading.start()
    reading.join(seconds)
    assert lines, f"no line was printed within {seconds:g} s"
    return lines[0]
