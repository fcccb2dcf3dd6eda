"""Progress of long work: bars on terminals and in notebooks, which appear after a delay and disappear at the end."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Self

from rich import progress
from rich.console import Console
from rich.text import Text

BAR_DELAY = 0.5
"""Time that work takes before its progress is shown [s]."""

LINE_PERIOD = 10.0
"""Time between two lines where progress is asked for and no bar can be shown [s]."""

MAX_STATUSES = 6
"""Most statuses that are listed."""

Progress = bool | Callable[..., None] | None
"""What functions take for progress: what is called, whether it is shown, or None: where there is a terminal."""


def has_display(console: Console) -> bool:
    """Return whether a bar can be shown: on a terminal, or in a notebook, where rich needs ipywidgets."""
    return find_spec("ipywidgets") is not None if console.is_jupyter else console.is_terminal


def shown(given: Progress, make: Callable[[], ProgressBar]) -> contextlib.AbstractContextManager[Any]:
    """Return the context in which progress is shown, and whose value is the function to call, or None.

    Parameters
    ----------
    given : bool, callable or None
        A function is taken as it is. True shows progress everywhere, as lines where there is no terminal; None only on
        a terminal or in a notebook; False nowhere.
    make : callable
        Makes the bar.
    """
    if callable(given):
        return contextlib.nullcontext(given)
    if given is False or (given is None and not has_display(Console(stderr=True))):
        return contextlib.nullcontext(None)
    return make().print_lines() if given else make()


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
        self._line_due = math.inf
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
        if not has_display(self._console):
            self._print_line(text)
            return
        if self._elapsed < self._delay:
            return
        if self._bar is None:
            self._bar = progress.Progress(*self._columns, console=self._console, transient=True)
            self._task = self._bar.add_task(text)
            self._bar.start()
        self._bar.update(self._task, completed=completed, total=total, description=text)

    def print_lines(self) -> Self:
        """Print a line now and then where no bar can be shown, as into a file."""
        self._line_due = LINE_PERIOD
        return self

    def _print_line(self, text: str) -> None:
        if self._elapsed >= self._line_due:
            self._line_due = self._elapsed + LINE_PERIOD
            self._console.print(Text(text.replace("\n", "; ")), soft_wrap=True)


class RowProgress(ProgressBar):
    """The callback of a sweep or a map, which shows rate, remaining time and statuses in a bar on terminals."""

    def __init__(self, n_rows: int, rows: str = "runs") -> None:
        super().__init__(BAR_DELAY, progress.BarColumn(20), progress.TextColumn("{task.description}", markup=False))
        self._n_rows, self._rows = n_rows, rows
        self._since = self._began
        self._finished_before = -1
        self._reasons = set[str]()

    def __call__(self, finished: int, statuses: Mapping[str, int]) -> None:
        """Show how many rows are finished, and how many ended with each status."""
        now = time.perf_counter()
        # The rate is measured from the last call before the first block is finished.
        if finished == self._finished_before or self._finished_before < 0:
            self._finished_before, self._since = finished, now
            text = "preparing"
        else:
            text = pace(
                finished, self._n_rows, finished - self._finished_before, now - self._since, statuses, self._rows
            )
        self._show(finished, self._n_rows, text)

    def kept(self, done: int, chosen: int) -> None:
        """Show that `done` of the `chosen` runs have been stored."""
        self._show(done, chosen, f"{done:,} of {chosen:,} run{'s' * (chosen != 1)} kept")

    def waiting(self, reason: str) -> None:
        """Print why the sweep waits, once for each reason; also if standard error is not a terminal."""
        if reason not in self._reasons:
            self._reasons.add(reason)
            self._console.print(Text(f"note: {reason}", "yellow"), soft_wrap=True)


def pace(
    finished: int, n_rows: int, computed: int, elapsed: float, statuses: Mapping[str, int], rows: str = "runs"
) -> str:
    """Return `5,120 of 10,000 runs, 17,300 runs/s, 1 s left`, and below it `4,537 LEFT_CHART, 583 STOPPED`."""
    text = f"{finished:,} of {n_rows:,} {rows}"
    if computed and elapsed > 0.0:
        rate = computed / elapsed
        text += f", {rate_text(rate, rows)}, {duration_text((n_rows - finished) / rate)} left"
    counts = sorted(statuses.items(), key=lambda item: -item[1])[:MAX_STATUSES]
    return f"{text}\n{', '.join(f'{count:,} {name}' for name, count in counts)}".rstrip()


def rate_text(rate: float, rows: str = "runs") -> str:
    """Return `17,300 runs/s`, `0.25 runs/s`."""
    return f"{rate:,.0f} {rows}/s" if rate >= 10.0 else f"{rate:.2g} {rows}/s"


def duration_text(seconds: float) -> str:
    """Return `8 s`, `4:05 min`, `2:05 h`."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, seconds_left = divmod(whole, 60)
    return f"{minutes}:{seconds_left:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"


class BranchProgress(ProgressBar):
    """The callback of a branch, which shows where it is."""

    def __init__(self, parameter: str, first: float, last: float) -> None:
        columns = (progress.BarColumn(20), progress.TextColumn("{task.description}", markup=False))
        super().__init__(BAR_DELAY, *columns)
        self._parameter, self._first, self._last, self._points = parameter, first, last, 0

    def __call__(self, value: float, strides: int) -> None:
        """Show that an orbit of so many strides is found at a value of the parameter."""
        self._points += 1
        text = f"{self._points:,} orbits; {strides:,} stride{'s' * (strides != 1)} at {self._parameter} = {value:.6g}"
        span = abs(self._last - self._first)
        self._show(min(max(abs(value - self._first), 0.0), span), span, text)
