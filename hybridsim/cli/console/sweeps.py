"""Print the plan and the summary of a sweep."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.messages import count_text, two_columns
from hybridsim.config.sweep import Axis, Metric, SweepConfig
from hybridsim.config.sweep.metrics import BOUNDARY_KINDS, WORD_KINDS
from hybridsim.engine.status import Status
from hybridsim.results.progress import rate_text

if TYPE_CHECKING:
    from hybridsim.sweeps import Outcome
    from hybridsim.sweeps.plan import Plan

N_END_ROWS = 3
"""Number of rows that a plan shows at its beginning and at its end."""
MAX_ITEMS = 6
"""Most names or statuses that are listed on one line, and kept runs that are listed."""


def show_plan(config: SweepConfig, plan: Plan, folder: Path) -> None:
    """Print what a sweep would compute, and the folder of its results."""
    table = two_columns()
    table.add_row("model", Text(config.run.model.name))
    table.add_row("runs", Text(f"{plan.n_rows:,}, in {_parts(plan.n_blocks)} of {count_text(plan.block, 'row')}"))
    for number, factor in enumerate(config.factors):
        text = "\n".join(f"{axis.key}: {_range(axis)}" for axis in factor)
        together = f"\n{len(factor)} axes that vary together" if len(factor) > 1 else ""
        table.add_row("axes" if number == 0 else "", Text(text + together))
    table.add_row("metrics", Text("\n".join(map(_metric, config.metrics))))
    if config.extra_outputs_file:
        names = ", ".join(filter(str.isidentifier, config.extra_outputs))
        table.add_row("extra outputs", Text(f"{names} of {config.extra_outputs_file}"))
    table.add_row("folder", Text(str(folder)))
    console = Console()
    console.print(table)
    console.print()
    console.print(_rows(config, plan))


def _rows(config: SweepConfig, plan: Plan) -> Table:
    """Return a table of the first and the last rows."""
    table = Table("row", *(_axis_label(axis) for axis in config.axes), box=None, padding=(0, 2, 0, 0))
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


def _axis_label(axis: Axis) -> str:
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
    return f"{count_text(len(axis.values), 'value')} {between} {unit}".rstrip()


def _metric(metric: Metric) -> str:
    """Return name, definition and unit of a metric: `distance: final(x) [m]`."""
    text = metric_text(metric)
    name = text if metric.name == text else f"{metric.name}: {text}"
    return f"{name} [{metric.unit}]" if metric.unit else name


def metric_text(metric: Metric) -> str:
    """Return a metric as a config names it."""
    if metric.kind in WORD_KINDS:
        return metric.kind
    if metric.kind in ("statistic", "formula"):
        return metric.of
    number = f", {metric.number}" if metric.number else ""
    quantity = f", {metric.quantity}" if metric.kind in BOUNDARY_KINDS and metric.quantity else ""
    return f"{metric.kind}({metric.of}{number}{quantity})"


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
    table = two_columns()
    done = outcome.finished == outcome.rows
    runs = f"{outcome.finished:,}" if done else f"{outcome.finished:,} of {outcome.rows:,}"
    before = f", {outcome.computed:,} of them now" if outcome.computed < outcome.finished else ""
    table.add_row("model", Text(model))
    table.add_row("runs", Text(runs + before, "green" if done else "red"))
    failures = outcome.failures
    failed = {status for status, *_ in failures}
    for status, count in sorted(outcome.statuses.items(), key=lambda item: -item[1]):
        if status not in failed:
            table.add_row("", Text(f"{count:,} {status}: {_sentence(status)}"))
    for status, cause, count, row in failures[:MAX_ITEMS]:
        table.add_row("", Text(f"{count:,} {status}: {cause or _sentence(status)}, first row {row}"))
    if len(failures) > MAX_ITEMS:
        table.add_row("", Text(f"and {len(failures) - MAX_ITEMS:,} other causes of failure"))
    if outcome.computed:
        rate = rate_text(outcome.computed / max(outcome.wall_time, 1e-9))
        table.add_row("computed in", Text(f"{outcome.wall_time:.3g} s, {rate}"))
    parts = _parts(len(list(outcome.folder.glob("part-*.parquet"))))
    table.add_row("files", Text("\n".join([f"{outcome.folder}: {parts}", *map(str, outcome.kept[:MAX_ITEMS])])))
    if len(outcome.kept) > MAX_ITEMS:
        table.add_row("", Text(f"and {len(outcome.kept) - MAX_ITEMS:,} other kept runs"))
    table.add_row("next", Text(f"hybridsim plot {shlex.quote(str(outcome.folder))}" if done else resumption))
    if done and failures:
        row, why = failures[0][3], "" if failures[0][1] else "; the metric `cause` says why each run failed"
        table.add_row("", Text(f"{resumption} --keep-runs {row}, to look at row {row}{why}"))
    Console().print(table)


def _sentence(status: str) -> str:
    return str(Status[status]) if status in Status.__members__ else ""


def _parts(count: int) -> str:
    return count_text(count, "part")
