"""Progress bars of runs and sweeps: they appear after a delay, only on terminals, and disappear at the end."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich import progress
from rich.console import Console


class ProgressBar:
    """Base of the callbacks that show a progress bar, for as long as their `with` block lasts.

    Parameters
    ----------
    delay : float
        Time before the bar appears [s].
    *columns : ProgressColumn
        Columns of the bar; `{task.description}` stands for the text that `_show` receives.
    """

    def __init__(self, delay: float, *columns: progress.ProgressColumn) -> None:
        self._console = Console(stderr=True)
        self._began = time.perf_counter()
        self._delay, self._columns = delay, columns
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
        """Time since the callback was made [s]."""
        return time.perf_counter() - self._began

    def _show(self, completed: float, total: float, text: str) -> None:
        """Show that `completed` of `total` is done, with a text, if the delay is over and there is a terminal."""
        if not self._console.is_terminal or self._elapsed < self._delay:
            return
        if self._bar is None:
            self._bar = progress.Progress(*self._columns, console=self._console, transient=True)
            self._task = self._bar.add_task(text)
            self._bar.start()
        self._bar.update(self._task, completed=completed, total=total, description=text)
