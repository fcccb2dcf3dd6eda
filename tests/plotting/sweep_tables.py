"""Tables of made-up sweeps, and pictures of them that are not saved."""

from functools import partial

import numpy as np
import pyarrow as pa

from hybridsim.plotting.files import open_canvas
from hybridsim.plotting.sections import section
from hybridsim.plotting.sweeps import _draw
from hybridsim.sweeps import SweepTable

MASS = np.array([1.0, 2.0, 4.0])
ANGLE = np.radians([10.0, 20.0])


def axis(name, values, factor, unit="", degrees=False, section="parameters"):
    return {
        "name": name,
        "key": f"{section}.{name}",
        "unit": unit,
        "degrees": degrees,
        "n": len(np.unique(values)),
        "factor": factor,
    }


def metric(name, kind="final", unit=""):
    return {"name": name, "kind": kind, "of": "x", "number": 0, "unit": unit}


def table(axes, metrics, n_rows=None):
    """A sweep from (description, column) pairs; unless it has statuses, its runs reach the final time."""
    rows = len(axes[0][1])
    if not any(described["kind"] == "status" for described, _ in metrics):
        metrics = [*metrics, (metric("ended", "status"), ["FINAL_TIME"] * rows)]
    columns = {described["name"]: values for described, values in (*axes, *metrics)}
    whole = pa.table({"row": np.arange(rows), **columns})
    return SweepTable(whole, [a for a, _ in axes], [m for m, _ in metrics], n_rows or rows, "made_up", ("ZENO",))


def figure_of(sweep, metrics=(), fixed=None, across="", planned=None):
    drawn = section(sweep, metrics, fixed or {}, planned or {})
    return _draw(partial(open_canvas, None, None), drawn, [*drawn.names], across)[0].figure
