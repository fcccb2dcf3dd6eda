"""`verify`: is a recorded run a solution of its model? Asked without the engine's stepping code."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from hybridsim.model import Model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.rebuild import change_notes
from hybridsim.verification.accumulations import check_accumulations
from hybridsim.verification.certificates import check_certificates, check_depths, check_values
from hybridsim.verification.crossings import check_events, check_inside
from hybridsim.verification.evaluator import Replay, make_replay
from hybridsim.verification.files import check_file, read
from hybridsim.verification.inputs import check_changes, check_input_history
from hybridsim.verification.jumps import check_outputs, check_transitions, check_validity
from hybridsim.verification.metadata import check_shapes, check_tables
from hybridsim.verification.outcome import check_end, check_statistics
from hybridsim.verification.report import Report, Violation
from hybridsim.verification.rows import check_event_order, check_jump_rows, check_order, check_sampling, check_start
from hybridsim.verification.samples import check_samples
from hybridsim.verification.special_events import (
    check_entries_and_exits,
    check_kinds,
    check_slides,
    check_touches,
)
from hybridsim.verification.steps import check_steps

AT_ROWS_AND_EVENTS = (
    *(check_start, check_sampling, check_transitions, check_outputs, check_validity, check_events),
    *(check_certificates, check_values, check_depths),
    *(check_slides, check_entries_and_exits, check_touches, check_accumulations),
)

__all__ = ["Report", "Violation", "verify"]


def verify(run: Trajectory | str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Report:
    """Check that a run is a solution of its model: every row, every event, and what lies between.

    A run is a function on hybrid time (t, j): it flows along the vector field within its charts, stays where the
    boundaries are positive, and jumps as the transition says where they are zero (Goebel, Sanfelice, Teel 2012,
    definition 2.6). The flow is integrated again by another method; nothing of the engine that made the run takes part.
    What may be off by how much follows from the run's own rtol and atol.

    Parameters
    ----------
    run :
        a run, or the .h5 file of one.
    model :
        what to verify against, where it is not the one that the run's config names: a model, a name, or the path of
        a plug-in.

    Returns
    -------
    A report: `ok`, the `violations`, and as text what `hybridsim verify` prints.

    Raises
    ------
    ConfigError : no such file, one that is no run, a run without a config, or a model that is not there.
    """
    path = None if isinstance(run, Trajectory) else Path(run)
    run = run if isinstance(run, Trajectory) else read(Path(run))
    replay = make_replay(run, model, path)
    notes = change_notes(run, replay.model.sources)
    report = Report(run.model_name, int(np.size(run.t)), len(run.events), notes=notes)
    if path is not None:
        check_file(path, report)
    sound = (
        (check_shapes, check_input_history),
        (check_tables, check_order, check_event_order),
        (check_jump_rows, check_kinds, check_changes),
    )
    for checks in sound:
        for check in checks:
            check(replay, report)
        if not report.ok:
            return report  # what follows relies on it
    for check in AT_ROWS_AND_EVENTS:
        check(replay, report)
    _check_between(replay, report)
    check_end(replay, report)
    check_statistics(replay, report)
    return report


def _check_between(replay: Replay, report: Report) -> None:
    """The flow, and the boundaries along it."""
    if replay.every_step:
        pieces, slack = check_steps(replay, report), np.zeros_like(replay.x)
    else:
        pieces, slack = check_samples(replay, report)
    check_inside(replay, report, pieces, slack)
