"""SimSect's three text files: `.data` with the outputs, `.initial` and `.param` in rc syntax, all with every digit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.results.files import replacing
from hybridsim.results.run_data import RunData


def rc_value(value: Any) -> str:
    """Spell a value as in an rc file: a number with every digit, a quoted word, or a list `{ 1.0 2.0 }`."""
    if isinstance(value, str):
        return f'"{value}"'
    if np.ndim(value):
        return " ".join(["{", *map(rc_value, value), "}"])
    return repr(value.item() if isinstance(value, np.generic) else value)


def write_assignments(path: Path, comment: str, values: Mapping[str, Any]) -> None:
    """Write `name = value;` lines; appended to an rc file, they replace the values in it.

    Parameters
    ----------
    path : Path
        The file.
    comment : str
        Text of the first line.
    values : mapping of str
        Values by name: numbers, words or arrays.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    lines = [f"# {comment}", *(f"{name} = {rc_value(value)};" for name, value in values.items())]
    with replacing(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_data(path: Path, run: RunData) -> None:
    """Write one header line `# time x y ...`, then one row of outputs per record time, with every digit.

    The columns are `time`, unless an output has this name, and the outputs. The row at a jump is the one after it:
    the state from which the run went on. Both sides are in the HDF5 file.

    Parameters
    ----------
    path : Path
        The file.
    run : RunData
        The run.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    names: tuple[str, ...] = run.outputs.names
    rows = record_rows(run)
    table = run.y[rows]
    if "time" not in names:
        names, table = ("time", *names), np.column_stack([run.t[rows], table])
    lines: Iterable[str] = (" ".join(map(repr, row)) for row in table.tolist())
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in chain([f"# {' '.join(names)}"], lines))


def record_rows(run: RunData) -> NDArray[np.int64]:
    """Find the last row of each record time: indices (m,).

    With a recording period these times are its multiples, the start and the end; otherwise all times.
    """
    last: NDArray[np.int64] = np.flatnonzero(np.append(run.t[1:] != run.t[:-1], True))
    record = run.provenance.get("config", {}).get("record")
    period = record.get("period") if isinstance(record, Mapping) else None
    if not period:
        return last
    t = run.t[last]
    wanted = np.rint(t / period) * period == t
    wanted[[0, -1]] = True
    rows: NDArray[np.int64] = last[wanted]
    return rows
