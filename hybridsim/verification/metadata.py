"""What a run says about itself: the shapes of its arrays, its names, and the values it was made with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from hybridsim.engine.columns import shape_of
from hybridsim.engine.memory import CERTIFICATES, NOWHERE
from hybridsim.engine.status import Status
from hybridsim.results.events import EVENT_COLUMNS
from hybridsim.results.rows import ROW_COLUMNS, SLOPE_COLUMNS, STEP_COLUMNS
from hybridsim.simulation.unpacking import recorded_outputs
from hybridsim.verification.evaluator import Replay
from hybridsim.verification.report import Report

FREE_TO_END = (Status.NON_FINITE_STATE, Status.NON_FINITE_BOUNDARY, Status.LEFT_CHART)
"""After these a run's last row may hold what is no number."""


def check_shapes(replay: Replay, report: Report) -> None:
    """Every array is there, has the shape that the others and the model ask for, and holds finite numbers."""
    for name, array, kinds, shape, finite in _arrays(replay):
        place = f"array {name}"
        if shape is None:
            report.demand("shapes", array is None, place, "is there, though this kind of record has none")
            continue
        if array is None:
            report.demand("shapes", False, place, f"is missing, expected one of shape {shape}")
            continue
        found = np.asarray(array)
        right = found.dtype.kind in kinds and found.shape == shape
        report.demand("shapes", right, place, f"is {found.dtype} {found.shape}, expected {_KINDS[kinds]} {shape}")
        if right and finite:
            bad = ~np.isfinite(found).all(axis=tuple(range(1, found.ndim)))
            if bad.any():
                first = int(np.flatnonzero(bad)[0])
                report.demand("shapes", False, f"array {name}, row {first}", "is infinite or not a number")
    report.demand("shapes", np.size(replay.run.t) > 0, "the run", "has no rows, expected at least one")


_KINDS = {"f": "float64", "iu": "integers", "b": "truth values"}
_KIND_OF_DTYPE = {np.float64: "f", np.int64: "iu"}

FINITE = ("t", "sliding_weight", "extension", "step", "x_before")
"""Columns that hold finite numbers in every run."""

FINITE_UNLESS_FAILED = ("x", "x_after")
"""Columns that hold finite numbers unless the run ended with one of `FREE_TO_END`."""


def _arrays(replay: Replay) -> Iterator[tuple[str, Any, str, tuple[int, ...] | None, bool]]:
    """Each array with its kinds of numbers, its shape (None: must not be there), and whether it must be finite."""
    run, full = replay.run, replay.every_step
    sizes = {
        "n_states": replay.n_states,
        "n_outputs": len(recorded_outputs(replay.config)),
        "n_boundaries": replay.n_boundaries,
        "degree": replay.packed.method.extension.shape[1],
    }
    finite = FINITE if run.status in FREE_TO_END else (*FINITE, *FINITE_UNLESS_FAILED)
    for name, column in ROW_COLUMNS.items():
        absent = name in (SLOPE_COLUMNS if full else STEP_COLUMNS)
        shape = None if absent else (np.size(run.t), *shape_of(column, sizes))
        yield name, getattr(run, name), _KIND_OF_DTYPE[column.dtype], shape, name in finite
    for name, column in EVENT_COLUMNS.items():
        if not column.words:
            kind = "b" if column.is_flag else _KIND_OF_DTYPE[column.dtype]
            shape = (np.size(run.events.t), *shape_of(column, sizes))
            yield f"events/{name}", getattr(run.events, name), kind, shape, name in finite


def check_tables(replay: Replay, report: Report) -> None:
    """Names, units and charts are the model's, parameters those of the config."""
    run, config, model = replay.run, replay.config, replay.model
    report.demand(
        "names and values", run.model_name == model.name, "model", f"is {run.model_name!r}, expected {model.name!r}"
    )
    _check_records(report, "states", run.states, model.states)
    _check_records(report, "outputs", run.outputs, recorded_outputs(config))
    names = model.boundary_records.names
    for place, found in (("boundaries", run.boundaries), ("events/boundaries", run.events.names)):
        report.demand("names and values", tuple(found) == names, place, f"are {found}, expected {names}")
    _check_parameters(replay, report)
    numbers = np.unique(np.append(run.chart, run.adjacent_chart[run.adjacent_chart != NOWHERE]))
    known = {int(c): model.chart_name(int(c)) for c in numbers}
    report.demand("names and values", dict(run.charts) == known, "charts", f"are {dict(run.charts)}, expected {known}")
    certificates = run.events.certificate
    report.demand("names and values", len(certificates) == len(run.events), "events/certificate", "has another length")
    report.demand("names and values", len(run.events.kind) == len(run.events), "events/kind", "has another length")
    unknown = sorted({name for name in certificates if name not in CERTIFICATES})
    report.demand(
        "names and values", not unknown, "events/certificate", f"has {unknown}, expected some of {CERTIFICATES}"
    )


def _check_records(report: Report, kind: str, found: Any, expected: Any) -> None:
    """The records of a table, field by field; what is found may know fewer fields."""
    report.demand("names and values", found.names == expected.names, kind, f"{found.names}, expected {expected.names}")
    for here, there in zip(found, expected, strict=False):
        for field in fields(here):
            a, b = getattr(here, field.name), getattr(there, field.name)
            report.demand("names and values", a == b, f"{kind}, {there.name}", f"{field.name} is {a!r}, expected {b!r}")


def _check_parameters(replay: Replay, report: Report) -> None:
    found, expected = dict(replay.run.parameters), dict(replay.config.parameters)
    for name in {*found, *expected}:
        here, there = found.get(name), expected.get(name)
        same = _plain(here) == _plain(there)
        report.demand("names and values", same, f"parameter {name}", f"is {here!r}, expected {there!r}")


def _plain(value: Any) -> Any:
    """Arrays and numbers alike: 2, 2.0 and np.float64(2) are one value."""
    if isinstance(value, str) or value is None:
        return value
    return [float(item) for item in np.ravel(np.asarray(value, dtype=float))]
