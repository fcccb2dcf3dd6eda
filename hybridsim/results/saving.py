"""The files of a run: its start is written before the integration, its results after it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hybridsim.results.files import USUAL_FORMATS, prepare_folder
from hybridsim.results.simsect import write_assignments, write_data
from hybridsim.results.tables import write_csv
from hybridsim.results.trajectory import Trajectory
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


def save_results(run: Trajectory, folder: str | os.PathLike[str], base: str, formats: Collection[Format]) -> list[Path]:
    """Write `.data`, `.h5` and `.csv` after the integration, whatever its status.

    Parameters
    ----------
    run : Trajectory
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
        write_csv(written[-1], run)
    return written


def save_run(
    run: Trajectory,
    folder: str | os.PathLike[str] = ".",
    base: str | None = None,
    formats: Collection[Format] = USUAL_FORMATS,
) -> list[Path]:
    """Write the files that the command line writes; `hybridsim.load_run` reads the .h5 file.

    Parameters
    ----------
    run : Trajectory
        The run.
    folder : path
        Folder of the files; it is created if it does not exist.
    base : str, optional
        First part of the files' names; the name of the model by default.
    formats : collection of str
        Some of `simsect` (.data, .initial, .param), `hdf5` (.h5) and `csv` (.csv); the first two by default.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ConfigError
        If a format is unknown, or a file cannot be written.
    """
    base = base or run.model_name
    initial = dict(zip(run.states.names, run.x[0].tolist(), strict=True))
    inputs = dict(zip(run.inputs.records.names, run.inputs.initial.tolist(), strict=True))
    started = save_start(folder, base, formats, initial, {**run.parameters, **inputs})
    return started + save_results(run, folder, base, formats)
