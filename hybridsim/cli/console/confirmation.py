"""Ask on a terminal whether files may be executed that are not as a run has recorded them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from hybridsim.model.permission import UnrecordedFileError, confirmed

T = TypeVar("T")


def with_confirmation(action: Callable[[], T]) -> T:
    """Call a function that loads the model of a run, and ask before it executes a file that the run has not recorded.

    Parameters
    ----------
    action : callable
        The function. It is called again after each answer yes.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    UnrecordedFileError
        If there is no terminal to ask on, or the answer is no.
    """
    with ExitStack() as answers:
        while True:
            try:
                return action()
            except UnrecordedFileError as refusal:
                if not _is_trusted(refusal):
                    raise
                answers.enter_context(confirmed(refusal.files))


def _is_trusted(refusal: UnrecordedFileError) -> bool:
    """Ask whether the files of this error may be executed; without a terminal, they may not."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    files = " and ".join(path if path.isprintable() else repr(path) for path in refusal.files)
    question = f"{files}: not as recorded in the run; execute {'it' if len(refusal.files) == 1 else 'them'}?"
    Console(stderr=True).print(Text(f"{question} [y/N]: "), end="", soft_wrap=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
