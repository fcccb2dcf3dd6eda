"""Say which function of a model has not returned, while a check waits for it."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybridsim.typing import Function

PERIOD = 3.0
"""A call that is found running twice in succession at this distance is reported [s]; most take microseconds."""


@contextmanager
def watching(functions: Mapping[str, Function]) -> Iterator[None]:
    """In this block, report each call of one of these functions in plain Python that lasts; it goes on nevertheless."""
    ended = threading.Event()
    threading.Thread(target=_watch, args=(functions, threading.get_ident(), ended), daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _watch(functions: Mapping[str, Function], thread: int, ended: threading.Event) -> None:
    names = {getattr(function, "__code__", None): name for name, function in functions.items()}
    before: FrameType | None = None
    reported: FrameType | None = None
    while not ended.wait(PERIOD):
        stack = [*traceback.walk_stack(sys._current_frames().get(thread))]
        call = next((frame for frame, _ in stack if frame.f_code in names), None)
        if call is not None and call is before and call is not reported:
            _report(names[call.f_code], [(frame.f_code.co_filename, line) for frame, line in stack])
            reported = call
        before = call


def _report(name: str, stack: list[tuple[str, int]]) -> None:
    """Print the innermost place that does not belong to hybridsim."""
    from hybridsim.cli import console

    here = Path(__file__).parents[1]
    place = next(f"{file}:{line}" for file, line in stack if not Path(file).is_relative_to(here))
    console.show_notes(
        [
            f"{place}: in `{name}`, one call of which has not returned for more than {PERIOD:g} s; expected an end of "
            "each loop, whatever the state; the check waits for it, and Ctrl-C ends it"
        ]
    )
