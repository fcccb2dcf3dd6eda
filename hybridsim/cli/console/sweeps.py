"""Print the plan, the progress and the summary of a sweep."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich import progress
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.bars import ProgressBar
from hybridsim.config.sweep import Axis, Metric, SweepConfig
from hybridsim.config.sweep.metrics import BOUNDARY_KINDS
from hybridsim.engine.status import Status

if TYPE_CHECKING:
    from hybridsim.sweeps import Outcome
    from hybridsim.sweeps.plan import Plan

PROGRESS_DELAY = 0.5
"""Time that a sweep takes before its progress is shown [s]."""
PREPARING = "preparing (the first run on a machine compiles the engine)"
N_END_ROWS = 3
"""Number of rows that a plan shows at its beginning and at its end."""
MAX_ITEMS = 6
"""Most names or statuses that are listed on one line, and kept runs that are listed."""


def show_plan(config: SweepConfig, plan: Plan, folder: Path) -> None:
    """Print what a sweep would compute, and the folder of its results."""
    table = _two_columns()
    table.add_row("model", Text(config.run.model.name))
    table.add_row("runs", Text(f"{plan.n_rows:,}, in {_parts(plan.n_blocks)} of {_count(plan.block, 'row')}"))
    for number, factor in enumerate(config.factors):
        text = "\n".join(f"{axis.key}: {_range(axis)}" for axis in factor)
        together = f"\n{len(factor)} axes that vary together" if len(factor) > 1 else ""
        table.add_row("axes" if number == 0 else "", Text(text + together))
    table.add_row("metrics", Text("\n".join(map(_metric, config.metrics))))
    if config.extra_outputs:
        table.add_row("extra outputs", Text(f"{', '.join(config.extra_outputs)} of {config.extra_outputs_file}"))
    table.add_row("folder", Text(str(folder)))
    console = Console()
    console.print(table)
    console.print()
    console.print(_rows(config, plan))


def _rows(config: SweepConfig, plan: Plan) -> Table:
    """Return a table of the first and the last rows."""
    table = Table("row", *(_labelled(axis) for axis in config.axes), box=None, padding=(0, 2, 0, 0))
    head = min(N_END_ROWS, plan.n_rows)
    tail = max(head, plan.n_rows - N_END_ROWS)
    for first, end in ((0, head), (tail, plan.n_rows)):
        if first == tail > head:
            table.add_row("...")
        if first < end:
            values = plan.values(first, end)
            columns = [_texts(axis, values[axis.key]) for axis in config.axes]
            for row, cells in zip(range(first, end), zip(*columns, strict=True), strict=True):
                table.add_row(str(row), *map(Text, cells))
    return table


def _labelled(axis: Axis) -> str:
    unit = "deg" if axis.degrees else axis.unit
    return f"{axis.name} \\[{unit}]" if unit else axis.name


def _texts(axis: Axis, values: NDArray[Any]) -> list[str]:
    """Return values in the unit in which they were given: degrees or the model's."""
    shown = np.degrees(values) if axis.degrees else values
    return [f"{value:.7g}" if isinstance(value, float) else str(value) for value in shown.tolist()]


def _range(axis: Axis) -> str:
    """Return `100 values from 0 to 50000 N/m`, or the names of choices."""
    unit = "deg" if axis.degrees else axis.unit
    if axis.values.dtype.kind not in "fi":
        names = axis.values.tolist()
        return ", ".join(names[:MAX_ITEMS]) + (
            f" and {len(names) - MAX_ITEMS} others" if len(names) > MAX_ITEMS else ""
        )
    lowest, highest = _texts(axis, np.array([axis.values.min(), axis.values.max()]))
    between = lowest if lowest == highest else f"from {lowest} to {highest}"
    return f"{_count(len(axis.values), 'value')} {between} {unit}".rstrip()


def _metric(metric: Metric) -> str:
    """Return name, definition and unit of a metric: `distance: final(x) [m]`."""
    text = metric_text(metric)
    name = text if metric.name == text else f"{metric.name}: {text}"
    return f"{name} [{metric.unit}]" if metric.unit else name


def metric_text(metric: Metric) -> str:
    """Return a metric as a config names it."""
    if metric.kind == "status":
        return metric.kind
    if metric.kind in ("statistic", "ratio"):
        return metric.of
    number = f", {metric.number}" if metric.number else ""
    quantity = f", {metric.quantity}" if metric.kind in BOUNDARY_KINDS and metric.quantity else ""
    return f"{metric.kind}({metric.of}{number}{quantity})"


class SweepProgress(ProgressBar):
    """The callback of a sweep, which shows rate, remaining time and statuses in a bar on terminals."""

    def __init__(self, n_rows: int, rows: str = "runs") -> None:
        super().__init__(
            PROGRESS_DELAY, progress.BarColumn(20), progress.TextColumn("{task.description}", markup=False)
        )
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
            text = PREPARING
        else:
            text = pace(
                finished, self._n_rows, finished - self._finished_before, now - self._since, statuses, self._rows
            )
        self._show(finished, self._n_rows, text)

    def kept(self, done: int, chosen: int) -> None:
        """Show that `done` of the `chosen` runs have been stored."""
        self._show(done, chosen, f"{done:,} of {_count(chosen, 'run')} kept")

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
        text += f", {rate_text(rate, rows)}, {_duration((n_rows - finished) / rate)} left"
    counts = sorted(statuses.items(), key=lambda item: -item[1])[:MAX_ITEMS]
    return f"{text}\n{', '.join(f'{count:,} {name}' for name, count in counts)}".rstrip()


def rate_text(rate: float, rows: str = "runs") -> str:
    """Return `17,300 runs/s`, `0.25 runs/s`."""
    return f"{rate:,.0f} {rows}/s" if rate >= 10.0 else f"{rate:.2g} {rows}/s"


def _duration(seconds: float) -> str:
    """Return `8 s`, `4:05 min`, `2:05 h`."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, seconds_left = divmod(whole, 60)
    return f"{minutes}:{seconds_left:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"


def show_outcome(model: str, outcome: Outcome, resumption: str) -> None:
    """Print the statuses, the computing time and the files of a sweep, and the command to type next.

    Parameters
    ----------
    model : str
        Name of the model.
    outcome : Outcome
        What `run_sweep` returned.
    resumption : str
        Command that computes the missing rows.
    """
    table = _two_columns()
    done = outcome.finished == outcome.rows
    runs = f"{outcome.finished:,}" if done else f"{outcome.finished:,} of {outcome.rows:,}"
    before = f", {outcome.computed:,} of them now" if outcome.computed < outcome.finished else ""
    table.add_row("model", Text(model))
    table.add_row("runs", Text(runs + before, "green" if done else "red"))
    for status, count in sorted(outcome.statuses.items(), key=lambda item: -item[1]):
        table.add_row("", Text(f"{count:,} {status}: {_sentence(status)}"))
    if outcome.computed:
        rate = rate_text(outcome.computed / max(outcome.wall_time, 1e-9))
        table.add_row("computed in", Text(f"{outcome.wall_time:.3g} s, {rate}"))
    parts = _parts(len(list(outcome.folder.glob("part-*.parquet"))))
    table.add_row("files", Text("\n".join([f"{outcome.folder}: {parts}", *map(str, outcome.kept[:MAX_ITEMS])])))
    if len(outcome.kept) > MAX_ITEMS:
        table.add_row("", Text(f"and {len(outcome.kept) - MAX_ITEMS:,} other kept runs"))
    table.add_row("next", Text(f"hybridsim plot {shlex.quote(str(outcome.folder))}" if done else resumption))
    Console().print(table)


def _sentence(status: str) -> str:
    return str(Status[status]) if status in Status.__members__ else ""


def _two_columns() -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _parts(count: int) -> str:
    return _count(count, "part")


def _count(count: int, name: str) -> str:
    return f"{count:,} {name}" + "s" * (count != 1)
