"""Print notes, messages while the user waits, files written and reports of verifications; ask for confirmation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from rich import progress
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.model.plugin_import import UnrecordedFileError, allow_also
from hybridsim.results.progress import ProgressBar

if TYPE_CHECKING:
    from hybridsim.verification import Report

T = TypeVar("T")


def show_notes(notes: Iterable[str]) -> None:
    """Print notes, which are no errors; in yellow on a terminal."""
    for note in notes:
        Console(stderr=True).print(Text(f"note: {note}", "yellow"), soft_wrap=True)


def show_page(address: str) -> None:
    """Print the address of the player in a browser."""
    port = urlsplit(address).port
    elsewhere = f" in a browser (on another machine, first ssh -L {port}:127.0.0.1:{port} HOST); q closes the page"
    Console(stderr=True).print(Text.assemble("open ", (address, "bold"), elsewhere), soft_wrap=True)


def busy(what: str) -> AbstractContextManager[object]:
    """Show on a terminal what is being done; `engine.compiler.announcement` says what is compiled meanwhile."""
    return Console(stderr=True).status(what)


def show_report(report: Report) -> None:
    """Print the findings of a verification; the first line states whether the run is a solution."""
    verdict, *lines = report.lines()
    console = Console()
    console.print(Text(verdict, "green" if report.ok else "red" if report.decided else "yellow"), soft_wrap=True)
    for line in lines:
        console.print(Text(line), soft_wrap=True)


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
                answers.enter_context(allow_also(refusal.files))


def _is_trusted(refusal: UnrecordedFileError) -> bool:
    """Ask whether the files of this error may be executed; without a terminal, they may not."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    files = " and ".join(path if path.isprintable() else repr(path) for path in refusal.files)
    question = f"{files}: not as recorded in the run; execute {'it' if len(refusal.files) == 1 else 'them'}?"
    Console(stderr=True).print(Text(f"{question} [y/N]: "), end="", soft_wrap=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class PictureProgress(ProgressBar):
    """The callback of a recording, which shows a progress bar on a terminal."""

    def __init__(self, file: Path) -> None:
        columns = (progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
        super().__init__(0.0, *columns, progress.TextColumn("{task.description}", markup=False))
        self._text = f"pictures of {file.name}"

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` pictures have been taken."""
        self._show(done, total, self._text)


class PageProgress(ProgressBar):
    """The callback of `write_html`, which shows a progress bar on a terminal."""

    def __init__(self, file: Path) -> None:
        columns = (progress.BarColumn(), progress.TaskProgressColumn(), progress.TimeRemainingColumn())
        super().__init__(0.0, *columns, progress.TextColumn("{task.description}", markup=False))
        self._text = file.name

    def __call__(self, share: float) -> None:
        """Show which part is done, from 0 to 1."""
        self._show(share, 1.0, self._text)


def show_written(files: list[Path]) -> None:
    """Print which files have been written."""
    names = str(files[0]) if len(files) == 1 else f"{len(files):,} files, {files[0]} to {files[-1].name}"
    Console().print(Text(f"wrote {names}"), soft_wrap=True)


def two_columns() -> Table:
    """Return an empty table of names and what they stand for."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def count_text(count: int, name: str) -> str:
    """Return `1 row`, `2,000 rows`."""
    return f"{count:,} {name}" + "s" * (count != 1)
