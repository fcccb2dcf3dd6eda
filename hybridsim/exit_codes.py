"""What the command line ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hybridsim.engine.status import Status

OK, UNFINISHED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def exit_code(status: Status) -> int:
    """Of a run that ended so."""
    if status.name == "INTERRUPTED":
        return INTERRUPTED
    return OK if status.ok else UNFINISHED
