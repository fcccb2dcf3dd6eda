"""The exit codes of the command line."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from hybridsim.cli import interruption
from hybridsim.errors import HybridsimError

if TYPE_CHECKING:
    from hybridsim.engine.status import Status

OK, UNFINISHED, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
"""Those of interrupted commands are in `interruption.exit_code`."""


def exit_code(status: Status) -> int:
    """Return the exit code of a run that ended with this status."""
    if status.name == "INTERRUPTED":
        return interruption.exit_code()
    return OK if status.ok else UNFINISHED


def show_error(text: str) -> None:
    """Print why a command ends, in red on a terminal unless NO_COLOR is set (https://no-color.org)."""
    typer.secho(text, fg="red", err=True, color=False if os.environ.get("NO_COLOR") else None)


def exit_code_of_call(function: Callable[[], int]) -> int:
    """Call a function and return its exit code, or that of the exception it raises, which is printed.

    For callbacks whose caller cannot catch exceptions.
    """
    try:
        return function()
    except HybridsimError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        return interruption.exit_code()
    except BaseException:
        traceback.print_exc()
        return UNFINISHED
