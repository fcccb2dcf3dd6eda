"""What stands in a run file and is lost on reading it: codes beside words, truth values as numbers, a unit."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from hybridsim.engine.status import Status
from hybridsim.verification.report import Report


def check_file(path: Path, report: Report) -> None:
    """Does the file say the same twice where it says something twice? It has been read before, so it is a run."""
    with h5py.File(path, "r") as file:
        status, code = file.attrs["status"], file.attrs.get("status_code")
        expected = Status[status].value
        report.demand("shapes", code == expected, "status_code", f"is {code}, expected {expected} for {status}")
        unit = file["t"].attrs.get("unit") if "t" in file else None
        report.demand("shapes", unit == "s", "unit of t", f"is {unit!r}, expected 's'")
        truths = {f"array {name}": file[name][()] for name in ("events/boundaries", "events/declined")}
        truths["attribute continuous of x"] = file["x"].attrs.get("continuous")
        for name, values in truths.items():
            report.demand("shapes", bool(np.isin(values, (0, 1)).all()), name, "holds numbers other than 0 and 1")
