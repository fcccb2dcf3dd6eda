"""The description of a run: the types and shapes of its arrays, its names and units, and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from hybridsim.engine.columns import Column, shape_of
from hybridsim.engine.memory import CERTIFICATES, NOWHERE
from hybridsim.engine.status import Status
from hybridsim.results.events import EVENT_COLUMNS
from hybridsim.results.rows import ROW_COLUMNS, SLOPE_COLUMNS, STEP_COLUMNS
from hybridsim.simulation.reduction import outputs_to_record
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.report import Report

NAMES_CHECK = "names and values"

MAY_END_NON_FINITE = (Status.NON_FINITE_STATE, Status.NON_FINITE_BOUNDARY, Status.LEFT_CHART)
"""Statuses of runs whose last row may be infinite or nan."""

FINITE = ("t", "sliding_weight", "extension", "step", "x_before")
"""Columns that are finite in every run."""

FINITE_UNLESS_FAILED = ("x", "x_after")
"""Columns that are finite unless the run ended with one of `MAY_END_NON_FINITE`."""

KINDS_OF_TYPE: dict[type, str] = {np.float64: "f", np.int64: "iu"}
"""Kinds of numpy's types that a column's type may have."""

TYPE_NAMES = {"f": "float64", "iu": "integers", "b": "booleans"}
"""Kinds of numpy's types, and what messages call them."""


def check_shapes(evaluator: Evaluator, report: Report) -> None:
    """Check that each array exists, has the type and shape that the run requires, and is finite."""
    run = evaluator.run
    _check_table(evaluator, report, run, ROW_COLUMNS, "array ")
    # Columns of words are tuples of str and are checked with the names.
    columns = {name: column for name, column in EVENT_COLUMNS.items() if not column.words}
    _check_table(evaluator, report, run.events, columns, "array events/")
    report.require_once("shapes", np.size(run.t) > 0, "the run", "has no rows, expected at least one")


def _check_table(evaluator: Evaluator, report: Report, table: Any, columns: Mapping[str, Column], place: str) -> None:
    """Check the arrays of a table, of rows or events, by the declaration of its columns."""
    sizes = {
        "n_states": evaluator.n_states,
        "n_outputs": len(outputs_to_record(evaluator.config)),
        "n_boundaries": evaluator.n_boundaries,
        "degree": evaluator.packed.method.extension.shape[1],
    }
    failed = evaluator.run.status in MAY_END_NON_FINITE
    finite = FINITE if failed else (*FINITE, *FINITE_UNLESS_FAILED)
    absent = SLOPE_COLUMNS if evaluator.every_step else STEP_COLUMNS
    for name, column in columns.items():
        array = getattr(table, name)
        if name in absent:
            what = "is present, but a run with this `record` has none"
            report.require_once("shapes", array is None, place + name, what)
            continue
        kinds = "b" if column.is_flag else KINDS_OF_TYPE[column.dtype]
        shape = (np.size(table.t), *shape_of(column, sizes))
        if array is None:
            report.require_once("shapes", False, place + name, f"is missing, expected one of shape {shape}")
            continue
        found = np.asarray(array)
        right = found.dtype.kind in kinds and found.shape == shape
        what = f"is {found.dtype} {found.shape}, expected {TYPE_NAMES[kinds]} {shape}"
        report.require_once("shapes", right, place + name, what)
        if right and name in finite:
            bad = np.flatnonzero(~np.isfinite(found).all(axis=tuple(range(1, found.ndim))))
            row = f"{place}{name}, row {bad[0] if len(bad) else 0}"
            report.require_once("shapes", not len(bad), row, "is infinite or not a number")


def check_names(evaluator: Evaluator, report: Report) -> None:
    """Check that names, units and charts are those of the model, and parameters those of the config."""
    run, config, model = evaluator.run, evaluator.config, evaluator.model
    what = f"is {run.model_name!r}, expected {model.name!r}"
    report.require_once(NAMES_CHECK, run.model_name == model.name, "model", what)
    _check_records(report, "states", run.states, model.states)
    _check_records(report, "outputs", run.outputs, outputs_to_record(config))
    names = model.boundary_records.names
    for place, found in (("boundaries", run.boundaries), ("events/boundaries", run.events.names)):
        report.require_once(NAMES_CHECK, tuple(found) == names, place, f"are {found}, expected {names}")
    _check_parameters(evaluator, report)
    numbers = np.unique(np.append(run.chart, run.adjacent_chart[run.adjacent_chart != NOWHERE]))
    charts = {int(c): model.chart_name(int(c)) for c in numbers}
    report.require_once(NAMES_CHECK, dict(run.charts) == charts, "charts", f"are {dict(run.charts)}, expected {charts}")
    certificates, m = run.events.certificate, len(run.events)
    for place, words in (("events/certificate", certificates), ("events/kind", run.events.kind)):
        report.require_once(NAMES_CHECK, len(words) == m, place, f"has {len(words)} entries, expected {m}")
    unknown = sorted({name for name in certificates if name not in CERTIFICATES})
    what = f"contains {unknown}, expected only {CERTIFICATES}"
    report.require_once(NAMES_CHECK, not unknown, "events/certificate", what)


def _check_records(report: Report, table: str, found: Any, expected: Any) -> None:
    """Compare a table of the run field by field; it may have fewer fields than the model's."""
    what = f"are {found.names}, expected {expected.names}"
    report.require_once(NAMES_CHECK, found.names == expected.names, table, what)
    for here, there in zip(found, expected, strict=False):
        for field in fields(here):
            a, b = getattr(here, field.name), getattr(there, field.name)
            report.require_once(NAMES_CHECK, a == b, f"{table}, {there.name}", f"{field.name} is {a!r}, expected {b!r}")


def _check_parameters(evaluator: Evaluator, report: Report) -> None:
    found, expected = dict(evaluator.run.parameters), dict(evaluator.config.parameters)
    for name in {*found, *expected}:
        here, there = found.get(name), expected.get(name)
        same = _comparable(here) == _comparable(there)
        report.require_once(NAMES_CHECK, same, f"parameter {name}", f"is {here!r}, expected {there!r}")


def _comparable(value: Any) -> Any:
    """Return numbers and arrays as lists of floats: 2, 2.0 and np.float64(2) are one value."""
    if isinstance(value, str) or value is None:
        return value
    return [float(item) for item in np.ravel(np.asarray(value, dtype=float))]
