"""Print the progress of writing pictures, and the files written."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from rich import progress
from rich.console import Console
from rich.text import Text


class PictureProgress:
    """The callback of a recording, which shows a progress bar on a terminal."""

    def __init__(self, file: Path) -> None:
        columns = (progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
        label = progress.TextColumn(f"pictures of {file.name}")
        console = Console(stderr=True)
        self._bar = progress.Progress(*columns, label, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> PictureProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` pictures have been taken."""
        self._bar.update(self._task, completed=done, total=total)


def show_written(files: list[Path]) -> None:
    """Print which files have been written."""
    names = str(files[0]) if len(files) == 1 else f"{len(files):,} files, {files[0]} to {files[-1].name}"
    Console().print(Text(f"wrote {names}"), soft_wrap=True)
