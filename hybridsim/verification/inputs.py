"""Changes of inputs: does each event of that kind agree with the input history, and change nothing else?"""

from __future__ import annotations

import numpy as np

from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import locate_all
from hybridsim.verification.report import Report

INPUTS_CHECK = "inputs"


def check_input_history(evaluator: Evaluator, report: Report) -> None:
    """Check that the input history belongs to the model and is in order; all other checks rely on it."""
    inputs, model, config = evaluator.run.inputs, evaluator.model, evaluator.config
    report.require_once(
        INPUTS_CHECK, inputs.records == model.inputs, INPUTS_CHECK, f"are {inputs.records}, expected {model.inputs}"
    )
    columns = inputs.t, inputs.j, inputs.index, inputs.value
    m = np.size(inputs.t)
    kinds = [np.asarray(column).dtype.kind for column in columns]
    shaped = all(np.shape(column) == (m,) for column in columns) and kinds == ["f", "i", "i", "f"]
    report.require_once(
        INPUTS_CHECK, shaped, INPUTS_CHECK, "t, j, input and value are not columns of one length and their types"
    )
    expected = [config.inputs[name] for name in model.inputs.names]
    same = np.array_equal(inputs.initial, expected)
    initial = np.asarray(inputs.initial).tolist()
    report.require_once(INPUTS_CHECK, same, INPUTS_CHECK, f"are {initial} at the start, expected {expected}")
    if shaped and report.ok:
        _check_changes_in_history(evaluator, report)


def _check_changes_in_history(evaluator: Evaluator, report: Report) -> None:
    """Check that each change is of an input that exists, within its bounds, in order of time."""
    inputs, records = evaluator.run.inputs, evaluator.model.inputs
    where, n = locate_all("change of inputs", inputs.t), len(records)
    known = (inputs.index >= 0) & (inputs.index < n)
    report.require(INPUTS_CHECK, known, where, "the model has no input of this number")
    lower, upper = (np.array([getattr(record, end) for record in records] + [0.0]) for end in ("lower", "upper"))
    index = np.where(known, inputs.index, n)
    inside = (inputs.value >= lower[index]) & (inputs.value <= upper[index]) & np.isfinite(inputs.value)
    report.require(INPUTS_CHECK, inside, where, lambda k: f"{inputs.value[k]!s} lies outside the bounds of the input")
    ordered = np.all((np.diff(inputs.t) >= 0.0) & (np.diff(inputs.j) >= 0))
    report.require_once(INPUTS_CHECK, bool(ordered), INPUTS_CHECK, "are not in order of t and j")


def check_changes(evaluator: Evaluator, report: Report) -> None:
    """Check that changes and their events correspond, that the chart stays, and that no boundary crosses."""
    inputs, events = evaluator.run.inputs, evaluator.run.events
    if not evaluator.model.inputs:
        return
    some = has_kind(events, "input")
    where = locate_all("event", events.t)[np.flatnonzero(some)]
    event_times = dict(zip(events.j[some].tolist(), events.t[some].tolist(), strict=True))
    found = np.array([event_times.get(int(j)) == t for t, j in zip(inputs.t, inputs.j, strict=True)], bool)
    report.require(INPUTS_CHECK, found, locate_all("change of inputs", inputs.t), "there is no event at its t and j")
    report.require(INPUTS_CHECK, np.isin(events.j[some], inputs.j), where, "no input changes there")
    still = (events.chart_after == events.chart_before)[some] & ~events.crossed[some].any(axis=1)
    report.require(INPUTS_CHECK, still, where, "a change of inputs must keep the chart, and no boundary may cross")
    timed = np.array([name == "time" for name in events.certificate], bool)[some]
    report.require("certificates", timed, where, "the certificate of a change of inputs must be `time`")
