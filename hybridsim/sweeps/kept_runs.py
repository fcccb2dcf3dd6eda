"""Store whole trajectories of chosen rows: each row is run again, with the same results, and written as a run file."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.run_config import RunConfig, with_values
from hybridsim.config.schema import RecordSettings
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.model import nearest
from hybridsim.results.files import prepare_folder
from hybridsim.simulation import Simulation
from hybridsim.sweeps.columns import words_of
from hybridsim.sweeps.manifest import RUN_FOLDER, part_files
from hybridsim.sweeps.part_file import read_part
from hybridsim.sweeps.plan import Block, Plan
from hybridsim.sweeps.results import TableLayout, status_column

ALL, FAILED = "all", "failed"

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_STATUSES = {status.name: frozenset({status.name}) for status in Status}
_WORDS = {**_STATUSES, FAILED: frozenset(status.name for status in Status if not status.ok)}


@dataclass(frozen=True, slots=True)
class RowChoice:
    """Rows chosen by number or by status.

    Attributes
    ----------
    rows : tuple of range
        Numbers of rows.
    words : tuple of str
        Names of statuses, or `failed`.
    """

    rows: tuple[range, ...]
    words: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rows or self.words)

    @property
    def statuses(self) -> frozenset[str]:
        """Names of all chosen statuses."""
        return frozenset().union(*(_WORDS[word] for word in self.words))

    def may_be_in(self, block: Block) -> bool:
        """Return whether the block may hold chosen rows; without its statuses, a choice by status may be in any."""
        return bool(self.statuses) or any(_overlap(rows, block) for rows in self.rows)

    def among(self, rows: NDArray[np.int64], statuses: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which rows are chosen (n,), from their numbers (n,) and statuses (n,)."""
        found = np.isin(statuses, [*self.statuses])
        for some in self.rows:
            if some:
                ends = min(some), max(some)
                found |= (rows >= ends[0]) & (rows <= ends[1]) & ((rows - ends[0]) % abs(some.step) == 0)
        return found


def _overlap(rows: range, block: Block) -> bool:
    upwards = rows if rows.step > 0 else rows[::-1]
    return bisect_left(upwards, block.first) < bisect_left(upwards, block.end)


def choose_rows(wanted: str | Iterable[Any], n_rows: int) -> RowChoice:
    """Return the rows whose runs are to be kept.

    Parameters
    ----------
    wanted : str or iterable
        A text such as `0,17,100-120`, `all`, `failed` (every run that ended neither at its final time nor at a stop)
        or the name of a status, `LEFT_CHART`; or several of these, row numbers and ranges.
    n_rows : int
        Number of rows of the sweep.

    Returns
    -------
    RowChoice
        The rows.

    Raises
    ------
    ConfigError
        If an item is none of these, or the sweep does not have such rows; with all problems.
    """
    rows: list[range] = []
    words: list[str] = []
    problems: list[str] = []
    for item in _items(wanted):
        if isinstance(item, str) and item in _WORDS:
            words.append(item)
            continue
        found = range(n_rows) if item == ALL else _range(item)
        if found is None:
            problems.append(_refusal_of(item))
        elif len(found) and (min(found) < 0 or max(found) >= n_rows):
            problems.append(f"keep_runs: {item!r}: the sweep has the rows 0 to {n_rows - 1}; choose among them")
        else:
            rows.append(found)
    if problems:
        raise ConfigError(problems)
    return RowChoice(tuple(rows), tuple(words))


def _items(wanted: str | Iterable[Any]) -> Iterator[Any]:
    """Return the items of a choice of rows; texts are split at their commas."""
    whole = [wanted] if isinstance(wanted, str | int | np.integer | range) else wanted
    for item in whole:
        if isinstance(item, str):
            yield from [piece.strip() for piece in item.split(",") if piece.strip()] or [item]
        else:
            yield item


def _range(item: Any) -> range | None:
    if isinstance(item, range):
        return item
    if isinstance(item, int | np.integer) and not isinstance(item, bool):
        return range(int(item), int(item) + 1)
    match = _RANGE.fullmatch(item) if isinstance(item, str) else None
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        return None
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _refusal_of(item: Any) -> str:
    hint = nearest(item, [ALL, *_WORDS]) or nearest(item.upper(), _STATUSES) if isinstance(item, str) else ""
    return (
        f"keep_runs: {item!r}: expected row numbers (0,17,100-120), `{ALL}`, `{FAILED}` or the name of a status"
        f"{hint or '; the statuses are ' + ', '.join(_STATUSES)}"
    )


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The runs that are kept.

    Attributes
    ----------
    files : tuple of Path
        The run files.
    notes : tuple of str
        Remarks about chosen rows without a file.
    interrupted : bool
        Whether Ctrl-C came before the end.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...]
    interrupted: bool


def keep_runs(folder: Path, layout: TableLayout, choice: RowChoice, progress: Callable[[int, int], None]) -> KeptRuns:
    """Run the chosen rows among the finished ones again, one after another, and write those without a file.

    Parameters
    ----------
    folder : Path
        Folder of the results.
    layout : TableLayout
        The columns of the results.
    choice : RowChoice
        The rows.
    progress : callable
        Function of how many rows are done and how many were chosen, called before the first row and after each.

    Returns
    -------
    KeptRuns
        The files.

    Raises
    ------
    ConfigError
        If a file cannot be written.
    SimulationError
        If a run ends with another status than in the sweep.
    """
    if not choice:
        return KeptRuns((), (), interrupted=False)
    runs = prepare_folder(folder / RUN_FOLDER, "row", ())
    files: list[Path] = []
    notes: list[str] = []
    try:
        rows = _rows(folder, layout, choice)
        progress(0, len(rows))
        for done, (row, status) in enumerate(rows, start=1):
            path = runs / f"row-{row:0{layout.plan.digits}}.h5"
            try:
                if not path.exists():
                    _keep(path, layout, row, status)
            except _CannotBeginError as problem:
                notes.append(f"row {row}: no run to keep: {problem}")
            else:
                files.append(path)
            progress(done, len(rows))
        ended = {status for _, status in rows}
        missed = (word for word in choice.words if not _WORDS[word] & ended)
        notes += [f"keep_runs: no row {word if word == FAILED else f'ended with {word}'}" for word in missed]
    except KeyboardInterrupt:
        return KeptRuns(tuple(files), tuple(notes), interrupted=True)
    return KeptRuns(tuple(files), tuple(notes), interrupted=False)


def _rows(folder: Path, layout: TableLayout, choice: RowChoice) -> list[tuple[int, str]]:
    """Return the numbers and statuses of the chosen rows that are finished; parts without chosen rows are not read."""
    name = status_column(layout.config.metrics)
    found: list[tuple[int, str]] = []
    for block, path in part_files(folder):
        table = read_part(path) if choice.may_be_in(block) else None
        if table is not None:
            rows, statuses = np.arange(block.first, block.end), words_of(table, name)
            chosen = choice.among(rows, statuses)
            found += zip(rows[chosen].tolist(), statuses[chosen].tolist(), strict=True)
    return found


class _CannotBeginError(Exception):
    """A row whose run cannot begin, because its initial state is invalid."""


def _keep(path: Path, layout: TableLayout, row: int, status: str) -> None:
    """Run a row and write the run."""
    config = row_config(layout.config.run, layout.plan, row)
    try:
        simulation = Simulation.from_config(config)
    except ConfigError as problem:
        raise _CannotBeginError(str(problem)) from None
    run = simulation.run()
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    if run.status.name != status:
        raise SimulationError(
            f"row {row}: ended with {status} in the sweep, and with {run.status.name} when it was run again; the two "
            "runs should be equal to the last bit: please report this"
        )
    from hybridsim.results.hdf5 import write_run  # noqa: PLC0415  (a sweep that keeps no runs does not load h5py)

    write_run(path, run)


def row_config(base: RunConfig, plan: Plan, row: int) -> RunConfig:
    """Return the run of one row; if the config records events only, every step is recorded."""
    config = with_values(base, plan.row(row))
    record = config.record
    return config if record.steps else dataclasses.replace(config, record=RecordSettings(events=record.events))
