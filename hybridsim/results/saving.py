"""The files of a run: its start is written before the integration, its results after it.

SimSect's three text files are `.data` with the outputs, and `.initial` and `.param` in rc syntax, all with every digit.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.model import Records
from hybridsim.results.files import FORMATS, USUAL_FORMATS, prepare_folder, replacing
from hybridsim.results.run_data import RunData, entries
from hybridsim.results.tables import write_csv
from hybridsim.typing import FloatArray, Format


def save_start(
    folder: str | os.PathLike[str],
    base: str,
    formats: Collection[Format],
    initial: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> list[Path]:
    """Prepare the folder and write `.initial` and `.param`, before the integration.

    Parameters
    ----------
    folder, base, formats
        As in `prepare_folder`.
    initial : mapping of str to float
        Every state by name, after `initial_chart`.
    parameters : mapping of str
        Every parameter by name: numbers, choices as words, arrays as sequences; and the inputs' initial values.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ConfigError
        If a format is unknown, or a file cannot be written.
    """
    folder = prepare_folder(folder, base, formats)
    if "simsect" not in formats:
        return []
    start, values = folder / f"{base}.initial", folder / f"{base}.param"
    write_assignments(start, "The initial state of this run; append to an rc file to start from it again.", initial)
    with _removing_if_it_fails(start):
        write_assignments(values, "The parameters of this run; append to an rc file to use them again.", parameters)
    return [start, values]


def save_results(run: RunData, folder: str | os.PathLike[str], base: str, formats: Collection[Format]) -> list[Path]:
    """Write `.data`, `.h5` and `.csv` after the integration, whatever its status.

    If `.data`, the first of them, cannot be written, `.initial` and `.param` are removed.

    Parameters
    ----------
    run : RunData
        The run.
    folder, base, formats
        As in `prepare_folder`.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ConfigError
        If a file cannot be written.
    """
    written = []
    if "simsect" in formats:
        written.append(Path(folder, f"{base}.data"))
        with _removing_if_it_fails(written[-1].with_name(f"{base}.initial"), written[-1].with_name(f"{base}.param")):
            write_data(written[-1], run)
    if "hdf5" in formats:
        from hybridsim.results.hdf5 import write_run  # noqa: PLC0415  (a run that is not saved does not load h5py)

        written.append(Path(folder, f"{base}.h5"))
        write_run(written[-1], run)
    if "csv" in formats:
        written.append(Path(folder, f"{base}.csv"))
        write_csv(written[-1], run.table())
    return written


@contextmanager
def _removing_if_it_fails(*paths: Path) -> Iterator[None]:
    """Remove these files, which this run has written, if the block fails: they say nothing without what follows."""
    try:
        yield
    except ConfigError:
        for path in paths:
            with suppress(OSError):  # the error that is being raised matters more
                path.unlink(missing_ok=True)
        raise


def save_run(run: RunData, path: str | os.PathLike[str], formats: Collection[Format] | None) -> list[Path]:
    """Write the files of `Trajectory.save`."""
    path = Path(path)
    if path.suffix:
        return _save_into(run, path, formats)
    formats = USUAL_FORMATS if formats is None else formats
    initial = values_of(run.states, run.x[0])
    inputs = dict(zip(run.inputs.records.names, run.inputs.initial.tolist(), strict=True))
    started = save_start(path.parent, path.name, formats, initial, {**run.parameters, **inputs})
    return started + save_results(run, path.parent, path.name, formats)


def _save_into(run: RunData, path: Path, formats: Collection[Format] | None) -> list[Path]:
    """Write one file, whose ending says its format."""
    known = {endings[0]: name for name, endings in FORMATS.items() if len(endings) == 1}
    if path.suffix not in known:
        raise ConfigError(
            f"save: {str(path)!r}: a run is written into a file that ends in {' or '.join(known)}; give such a name, "
            "or one without an ending for several files"
        )
    if formats is not None:
        raise ConfigError(
            f"save: formats: the ending of {path.name!r} says the format; leave out `formats`, or give the name "
            "without an ending"
        )
    prepare_folder(path.parent, path.stem, [known[path.suffix]])
    return save_results(run, path.parent, path.stem, [known[path.suffix]])


def values_of(states: Records[Any], x: FloatArray) -> dict[str, Any]:
    """Return the values of states by name; those of a block as a list."""
    values = x.tolist()
    return {state.name: values[states.place(state.name)] for state in states.blocks}


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

    The columns are `time`, unless an output has this name, and the outputs but those of large blocks. The row at a jump
    is the one after it: the state from which the run went on. Both sides are in the HDF5 file.

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
    outputs = entries(run.outputs)
    names: tuple[str, ...] = tuple(output.name for output in outputs)
    rows = record_rows(run)
    table = run.y[rows]
    if len(outputs) < len(run.outputs):
        table = table[:, [run.outputs.index(name) for name in names]]
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
