"""The files of a run: its start is written before the integration, its results after it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hybridsim.errors import ConfigError
from hybridsim.results.files import FORMATS, USUAL_FORMATS, prepare_folder
from hybridsim.results.run_data import RunData
from hybridsim.results.simsect import write_assignments, write_data
from hybridsim.results.tables import write_csv
from hybridsim.typing import Format


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
    write_assignments(values, "The parameters of this run; append to an rc file to use them again.", parameters)
    return [start, values]


def save_results(run: RunData, folder: str | os.PathLike[str], base: str, formats: Collection[Format]) -> list[Path]:
    """Write `.data`, `.h5` and `.csv` after the integration, whatever its status.

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
        write_data(written[-1], run)
    if "hdf5" in formats:
        from hybridsim.results.hdf5 import write_run  # noqa: PLC0415  (a run that is not saved does not load h5py)

        written.append(Path(folder, f"{base}.h5"))
        write_run(written[-1], run)
    if "csv" in formats:
        written.append(Path(folder, f"{base}.csv"))
        write_csv(written[-1], run.table())
    return written


def save_run(run: RunData, path: str | os.PathLike[str], formats: Collection[Format] | None) -> list[Path]:
    """Write the files of `Trajectory.save`."""
    path = Path(path)
    if path.suffix:
        return _save_into(run, path, formats)
    formats = USUAL_FORMATS if formats is None else formats
    initial = dict(zip(run.states.names, run.x[0].tolist(), strict=True))
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
