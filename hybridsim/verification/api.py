"""`verify`: the checks of a run, in the order in which they rely on one another."""

from __future__ import annotations

import os
from pathlib import Path

import h5py
import numpy as np

from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.rebuild import change_notes
from hybridsim.verification.accumulations import check_accumulations
from hybridsim.verification.crossings import check_events
from hybridsim.verification.evaluator import Evaluator, make_evaluator
from hybridsim.verification.event_values import check_depths, check_values
from hybridsim.verification.inputs import check_changes, check_input_history
from hybridsim.verification.jumps import check_outputs, check_transitions, check_validity
from hybridsim.verification.metadata import check_names, check_shapes
from hybridsim.verification.missed_crossings import check_between_events
from hybridsim.verification.outcome import check_end, check_statistics
from hybridsim.verification.report import Report
from hybridsim.verification.rows import (
    check_event_order,
    check_jump_rows,
    check_kept_events,
    check_order,
    check_sampling,
    check_start,
)
from hybridsim.verification.samples import check_samples
from hybridsim.verification.slides import check_entries_and_exits, check_slide_columns, check_slides
from hybridsim.verification.special_events import check_event_kinds, check_touches
from hybridsim.verification.steps import check_certificates, check_flow_of_steps, check_steps

PREREQUISITES = (
    (check_shapes, check_input_history),
    (check_names, check_order, check_event_order),
    (check_jump_rows, check_event_kinds, check_slide_columns, check_changes),
)
"""Groups of checks that all later ones rely on; the verification ends after a group with violations."""

PREREQUISITES_WITH_SOME_EVENTS = ((check_shapes, check_input_history), (check_names,))

AT_ROWS_AND_EVENTS = (
    *(check_start, check_sampling, check_transitions, check_outputs, check_validity, check_events),
    *(check_certificates, check_values, check_depths),
    *(check_slides, check_entries_and_exits, check_touches, check_accumulations),
)


@explains_keywords()
def verify(run: Trajectory | str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Report:
    """Check that a run is a solution of its model: each row, each event, and the flow between them.

    A solution is a function on hybrid time (t, j). It flows along the vector field within its charts, where the
    boundaries are positive, and it jumps as the transition specifies, where they are zero (Goebel, Sanfelice, Teel
    2012, definition 2.6). The flow is integrated again by another method; no stepping code of the engine takes part.
    Allowed deviations follow from the run's own rtol and atol.

    Parameters
    ----------
    run : Trajectory, str or path
        A run, or the .h5 file of a run.
    model : Model, str or path, optional
        The model to verify against: a model, its name, or the path of a plug-in. By default the model that the run's
        config names.

    Returns
    -------
    Report
        The verdict `ok`, the `violations`, and, converted to text, the output of `hybridsim verify`.

    Raises
    ------
    ConfigError
        If there is no such file, it is not a run file, the run has no config, or the model cannot be found.
    """
    path = None if isinstance(run, Trajectory) else Path(run)
    run = run if isinstance(run, Trajectory) else read_run(Path(run))
    evaluator = make_evaluator(run, model, path)
    notes = change_notes(run, evaluator.model.sources)
    left_out = max(run.events_left_out, 0) if evaluator.config.record.events != "all" else 0
    report = Report(run.model_name, int(np.size(run.t)), len(run.events), events_left_out=left_out, notes=notes)
    if path is not None:
        check_file(path, report)
    check_all(evaluator, report)
    return report


def check_all(evaluator: Evaluator, report: Report) -> None:
    """Make all checks of a run; those that others rely on come first, and end the verification if they fail.

    Of a run with a part of its events, what concerns the others is left out.
    """
    some = report.events_left_out > 0
    for checks in PREREQUISITES_WITH_SOME_EVENTS if some else PREREQUISITES:
        for check in checks:
            check(evaluator, report)
        if report.n_violations:
            return
    if some:
        check_some_events(evaluator, report)
        return
    for check in AT_ROWS_AND_EVENTS:
        check(evaluator, report)
    groups = check_steps(evaluator, report) if evaluator.every_step else check_samples(evaluator, report)
    check_between_events(evaluator, report, groups)
    check_end(evaluator, report)
    check_statistics(evaluator, report)


def check_some_events(evaluator: Evaluator, report: Report) -> None:
    """Check what a run shows whose record has a part of its events: rows, jumps, and steps without slides."""
    run = evaluator.run
    check_kept_events(evaluator, report)
    if evaluator.config.record.steps:
        check_order(evaluator, report)
    for check in (check_start, check_sampling, check_transitions):
        check(evaluator, report)
    if not (run.adjacent_chart >= 0).any():
        check_outputs(evaluator, report)
        if evaluator.every_step and not run.statistics["accumulations"]:
            check_flow_of_steps(evaluator, report)


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
        example = "".join(f", such as {file}" for file in sorted(path.glob("*.h5"))[:1])
        raise ConfigError(f"{path}: this is a folder; give the .h5 file of a run in it{example}")
    return load_run(path)


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
