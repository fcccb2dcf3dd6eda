"""What the command line ends with."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from hybridsim.errors import HybridsimError

if TYPE_CHECKING:
    from hybridsim.engine.status import Status

OK, UNFINISHED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def exit_code(status: Status) -> int:
    """Of a run that ended so."""
    if status.name == "INTERRUPTED":
        return INTERRUPTED
    return OK if status.ok else UNFINISHED


def code_of(act: Callable[[], int]) -> int:
    """The code that `act` returns, or the exit code of what it raises; for where no caller can catch it."""
    try:
        return act()
    except HybridsimError as problem:
        sys.stderr.write(f"{problem}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BaseException:
        traceback.print_exc()
        return UNFINISHED
