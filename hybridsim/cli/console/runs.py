"""Print the config, the progress and the summary of a run."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich import progress
from rich.console import Console
from rich.text import Text

from hybridsim.cli.console.messages import two_columns
from hybridsim.config import RunConfig, rows
from hybridsim.config.yaml_source import write_yaml
from hybridsim.engine.status import Status
from hybridsim.model import Model
from hybridsim.model.reserved import SIMSECT_NAMES
from hybridsim.model.table import MIN_FOLDED_NAMES, families
from hybridsim.results.events import Event, Events
from hybridsim.results.progress import ProgressBar
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.multiples import multiple, multiples_before

RUN_PROGRESS_DELAY = 1.0
"""Time that a run takes before its progress is shown [s]."""

MAX_REPORTS_PER_STEP = 100
"""Most multiples of `progress_period` within one step that are reported; of more, the last."""

MAX_COUNTS = 8
"""Most numbers in the summary of one family of boundaries."""


def show_config(config: RunConfig) -> None:
    """Print the resolved config as YAML, with the origin of each value as a comment."""
    lines: list[str] = []
    before: list[str] = []
    for key, value, origin in rows(config):
        *within, name = key.split(".")
        new = next((depth for depth, part in enumerate(within) if before[depth : depth + 1] != [part]), len(within))
        lines += [f"{'  ' * depth}{within[depth]}:" for depth in range(new, len(within))]
        before, indent = within, "  " * len(within)
        first, *others = (indent + line for line in write_yaml({name: value}).splitlines())
        lines += [f"{first:<40} # {origin}", *others]
    Console().print(Text("\n".join(lines)), soft_wrap=True)


class Progress(ProgressBar):
    """The callback of a run: a message at each multiple of `progress_period`, on terminals a bar after a second.

    Without `bar`, the terminal is left to other lines.
    """

    def __init__(self, config: RunConfig, bar: bool = True) -> None:
        columns = (progress.BarColumn(), progress.TaskProgressColumn(), progress.TextColumn("{task.description}"))
        super().__init__(RUN_PROGRESS_DELAY if bar else math.inf, *columns)
        self._begin, self._end = config.initial_time, config.final_time or config.initial_time
        self._period = config.progress_period
        self._reported = multiples_before(self._begin, self._period) if self._period else 0

    def __call__(self, t: float) -> None:
        """Show that the run has reached time t [s]."""
        pace = real_time_factor(t - self._begin, self._elapsed)
        reached = multiples_before(t, self._period) if self._period else self._reported
        first = self._reported + 1 if reached - self._reported <= MAX_REPORTS_PER_STEP else reached
        for k in range(first, reached + 1):
            self._console.print(f"t = {multiple(k, self._period):.9g} s, {pace}", highlight=False)
        self._reported = reached
        self._show(t - self._begin, self._end - self._begin, f"t = {t:.6g} s, {pace}")


def real_time_factor(simulated: float, elapsed: float) -> str:
    """Return the speed, such as `250 x real time`, for a simulated and an elapsed time [s]."""
    factor = simulated / max(elapsed, 1e-9)
    return f"{factor:,.0f} x real time" if factor >= 100.0 else f"{factor:.2g} x real time"


def show_summary(
    run: Trajectory, files: Sequence[Path], replaced: Collection[Path] = (), config: Path | None = None
) -> None:
    """Print how a run ended, its events, its computing time and its files.

    `replaced` are the files that existed before; keys are called as in the file `config`.
    """
    table = two_columns()
    for name, text in _summary(run).items():
        value = in_words_of(config, text) if name == "ended" else text
        table.add_row(name, Text(value, ("green" if run.status.ok else "red") if name == "ended" else ""))
    names = (f"{file} (replaced)" if file in replaced else str(file) for file in files)
    table.add_row("files", Text("\n".join(names) or "none"))
    Console().print(table)


def in_words_of(config: Path | None, text: str) -> str:
    """Return a text with the names of keys that the file of a run uses: SimSect's, in an rc file."""
    if config is None or config.suffix != ".rc":
        return text
    symbols = {key.rpartition(".")[2]: names[0] for key, names in SIMSECT_NAMES.items() if "_" in key}
    return re.sub(r"\w+", lambda word: symbols.get(word[0], word[0]), text)


def _summary(run: Trajectory) -> dict[str, str]:
    statistics = run.statistics
    simulated, wall = run.t[-1] - run.t[0], statistics["wall_time"]
    calls = f"{statistics['vector_field_calls']:,} vector field calls"
    return {
        "model": run.model_name,
        "ended": run.message or str(run.status),
        "simulated": f"{simulated:.9g} s",
        **_events(run),
        "steps": f"{statistics['steps']:,} accepted, {statistics['rejected']:,} rejected, {calls}",
        "computed in": f"{wall:.3g} s, {real_time_factor(simulated, wall)}",
        **({"warnings": warnings} if (warnings := _warnings(statistics)) else {}),
    }


def _warnings(statistics: Mapping[str, float]) -> str:
    """Return how often the model's function `validate` gave each warning."""
    counts = {name: count for name, count in statistics.items() if name.startswith("warning: ") and count}
    return "\n".join(f"{count:,} x {name.removeprefix('warning: ')}" for name, count in counts.items())


def _events(run: Trajectory) -> dict[str, str]:
    """Return the lines on crossings, touches, slides, rests and cycles, without those that did not occur."""
    if run.events_left_out:
        total, recorded = len(run.events) + run.events_left_out, _counts(run, np.ones(len(run.events), bool))
        kept = ", ".join([f"{len(run.events):,} of them recorded", *recorded])
        return {"events": f"{total:,}, {kept}"}
    lines = {
        "events": _crossings(run),
        "touches": ", ".join(_counts(run, _of_kind(run, "touch"))),
        "slides": _slides(run),
        "rest": _rests(run),
        "cycles": _cycles(run),
    }
    return {name: value for name, value in lines.items() if value} or {"events": "none"}


def _of_kind(run: Trajectory, kind: str) -> NDArray[np.bool_]:
    """Return whether each event is of this kind, (n_events,)."""
    return np.array([of_event == kind for of_event in run.events.kind], dtype=bool)


def _counts(run: Trajectory, chosen: NDArray[np.bool_]) -> list[str]:
    """Return `3 floor` for each boundary of the chosen events; `9 slip0 ... slip2 (4, 0, 5)` for a long family."""
    counts = dict(zip(run.boundaries, run.events.crossed[chosen].sum(axis=0).tolist(), strict=False))
    return [
        text
        for family in families(run.boundaries).values()
        if any(counts[name] for name in family)
        for text in _count_text(family, counts)
    ]


def _count_text(family: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Return how often the boundaries of one family are crossed, as one text if the family is long."""
    if len(family) < MIN_FOLDED_NAMES:
        return [f"{counts[name]:,} {name}" for name in family if counts[name]]
    crossed = [name for name in family if counts[name]]
    if len(family) <= MAX_COUNTS:
        each = ", ".join(f"{counts[name]:,}" for name in family)
    elif len(crossed) <= MAX_COUNTS:
        each = ", ".join(f"{counts[name]:,} {name}" for name in crossed)
    else:
        each = f"{len(crossed):,} of {len(family):,} boundaries"
    return [f"{sum(counts[name] for name in family):,} {family[0]} ... {family[-1]} ({each})"]


def _crossings(run: Trajectory) -> str:
    crossings = _of_kind(run, "crossing")
    declined = int((crossings & run.events.declined).sum())
    counts = _counts(run, crossings)
    between = "\n" if any("(" in count for count in counts) else ", "
    return between.join(counts + [f"{declined:,} of them declined"] * (declined > 0))


def _slides(run: Trajectory) -> str:
    entries = _of_kind(run, "entry")
    if not entries.any():
        return ""
    pairs = zip(run.events.chart_before[entries].tolist(), run.events.adjacent_chart[entries].tolist(), strict=True)
    counts = Counter(f"{run.charts[chart]}|{run.charts[adjacent]}" for chart, adjacent in pairs)
    total = float(np.diff(run.t)[run.adjacent_chart[:-1] >= 0].sum())
    return ", ".join([*(f"{count:,} {name}" for name, count in counts.items()), f"{total:.4g} s in all"])


def _rests(run: Trajectory) -> str:
    """Return where events accumulated and the run continued; the line `ended` has one that ends the run."""
    rests = np.flatnonzero(_of_kind(run, "zeno"))[: -1 if run.status is Status.ZENO else None]
    if not rests.size:
        return ""
    last = run.events[int(rests[-1])]
    where = f"{', '.join(last.boundaries)} at t = {last.t:.9g} s"
    return where if rests.size == 1 else f"{rests.size:,}, the last {where}"


def _cycles(run: Trajectory) -> str:
    """Return how often the run came back to its first chart, such as the strides of a runner."""
    first = int(run.chart[0])
    returns = int(((run.events.chart_after == first) & (run.events.chart_before != first)).sum())
    return f"{returns:,} returns to {run.charts[first]}" if returns else ""


TIME_WIDTH = len("t = 0.123456789 s")


class EventTrace:
    """The callback of a run that prints a line for each event to standard output.

    Where this cannot be written, because it is a closed pipe or a full disk, the trace ends and the run goes on: its
    files are written.

    Parameters
    ----------
    model : Model
        The model of the run, whose charts are named.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._width = max((len(record.name) for record in model.boundary_records), default=0)
        self._ended = False

    def __call__(self, events: Events) -> None:
        """Print events, in order."""
        if self._ended:
            return
        try:
            sys.stdout.writelines(f"{self._line(event)}\n" for event in events)
            sys.stdout.flush()
        except OSError:
            self._ended = True

    def _line(self, event: Event) -> str:
        boundaries = ", ".join(event.boundaries)
        kind = "" if event.kind == "crossing" else event.kind
        what = f"{boundaries} ({kind})" if boundaries and kind else boundaries or kind
        time = f"t = {event.t:.9g} s"
        return f"{time:<{TIME_WIDTH}}  {what:<{self._width}}  {self._charts(event)}"

    def _charts(self, event: Event) -> str:
        """Return the charts, `flight -> stance`; with `|`, the two between which a state slides.

        Of charts that are made of fields, the fields that change: `stance=3 -> 7`.
        """
        name = self._model.chart_name
        slide = f"|{name(event.adjacent_chart)}" if event.adjacent_chart >= 0 else ""
        before = name(event.chart_before) + ("" if event.kind == "entry" else slide)
        after = name(event.chart_after) + (slide if event.kind == "entry" else "")
        if event.declined:
            return "unchanged" if self._model.chart_fields else f"{before}, unchanged"
        if slide or not self._model.chart_fields:
            return f"{before} -> {after}"
        fields = zip(before.split(), after.split(), strict=True)
        return ", ".join(f"{one} -> {other.partition('=')[2]}" for one, other in fields if one != other) or "unchanged"
