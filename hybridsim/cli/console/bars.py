"""What the bars of runs and sweeps have in common: they are shown late, on terminals only, and vanish."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich import progress
from rich.console import Console


class Bar:
    """The frame of a callback that shows a bar as long as its `with` block lasts.

    Parameters
    ----------
    patience :
        seconds before there is a bar.
    columns :
        what it consists of; `{task.description}` is the text given to `_show`.
    """

    def __init__(self, patience: float, *columns: progress.ProgressColumn) -> None:
        self._console = Console(stderr=True)
        self._began = time.perf_counter()
        self._patience, self._columns = patience, columns
        self._bar: progress.Progress | None = None
        self._task = progress.TaskID(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def _elapsed(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._began

    def _show(self, completed: float, total: float, text: str) -> None:
        """So much of the total is done; nothing is shown before its time, or where there is no terminal."""
        if not self._console.is_terminal or self._elapsed < self._patience:
            return
        if self._bar is None:
            self._bar = progress.Progress(*self._columns, console=self._console, transient=True)
            self._task = self._bar.add_task(text)
            self._bar.start()
        self._bar.update(self._task, completed=completed, total=total, description=text)
