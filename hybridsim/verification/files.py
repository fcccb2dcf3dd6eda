"""Run files: reading them, and checking what is lost on reading: codes next to words, flags as numbers, a unit."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.verification.report import Report


def read_run(path: Path) -> Trajectory:
    """Read the run in a file.

    Parameters
    ----------
    path : Path
        The .h5 file.

    Returns
    -------
    Trajectory
        The run.

    Raises
    ------
    ConfigError
        If there is no such file, it is a folder or not a run file, or it is damaged.
    """
    if path.is_dir():
        raise ConfigError(f"{path}: this is a folder; give the .h5 file of a run in it{_first_run_in(path)}")
    return load_run(path)


def _first_run_in(folder: Path) -> str:
    files = sorted(folder.glob("*.h5"))
    return f", such as {files[0]}" if files else ""


def check_file(path: Path, report: Report) -> None:
    """Check that values which a run file contains twice agree. The file has been read before, so it is a run file."""
    with h5py.File(path, "r") as file:
        status, code = file.attrs["status"], file.attrs.get("status_code")
        expected = Status[status].value
        report.require_once("shapes", code == expected, "status_code", f"is {code}, expected {expected} for {status}")
        unit = file["t"].attrs.get("unit") if "t" in file else None
        report.require_once("shapes", unit == "s", "unit of t", f"is {unit!r}, expected 's'")
        flags = {f"array {name}": file[name][()] for name in ("events/boundaries", "events/declined")}
        flags["attribute continuous of x"] = file["x"].attrs.get("continuous")
        for name, values in flags.items():
            if values is None:
                report.require_once("shapes", False, name, "is missing")
                continue
            zero_or_one = bool(np.isin(values, (0, 1)).all())
            report.require_once("shapes", zero_or_one, name, "contains numbers other than 0 and 1")
