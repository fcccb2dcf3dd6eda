"""Changes of inputs: are they what the record of the inputs says, and do they change nothing else?"""

from __future__ import annotations

import numpy as np

from hybridsim.verification.evaluator import Replay, kind_of
from hybridsim.verification.report import Report, places

NAME = "inputs"


def check_input_history(replay: Replay, report: Report) -> None:
    """The record of the inputs belongs to the model and the config, and is in order: all else relies on it."""
    inputs, model, config = replay.run.inputs, replay.model, replay.config
    report.demand(NAME, inputs.records == model.inputs, NAME, f"are {inputs.records}, expected {model.inputs}")
    columns = inputs.t, inputs.j, inputs.place, inputs.value
    m, n = np.size(inputs.t), len(model.inputs)
    kinds = [np.asarray(column).dtype.kind for column in columns]
    shaped = all(np.shape(column) == (m,) for column in columns) and kinds == ["f", "i", "i", "f"]
    report.demand(NAME, shaped, NAME, "t, j, input and value are not columns of one length")
    expected = [config.inputs[name] for name in model.inputs.names]
    same = np.array_equal(inputs.initial, expected)
    report.demand(NAME, same, NAME, f"begin with {np.asarray(inputs.initial).tolist()}, expected {expected}")
    if not (shaped and report.ok):
        return
    here = places("change of inputs", inputs.t)
    known = (inputs.place >= 0) & (inputs.place < n)
    report.require(NAME, known, here, "there is no such input")
    lower, upper = (np.array([getattr(record, end) for record in model.inputs] + [0.0]) for end in ("lower", "upper"))
    place = np.where(known, inputs.place, n)
    inside = (inputs.value >= lower[place]) & (inputs.value <= upper[place]) & np.isfinite(inputs.value)
    report.require(NAME, inside, here, lambda k: f"{inputs.value[k]!s} lies outside the bounds of the input")
    ordered = np.all((np.diff(inputs.t) >= 0.0) & (np.diff(inputs.j) >= 0))
    report.demand(NAME, bool(ordered), NAME, "are not in order of t and j")


def check_changes(replay: Replay, report: Report) -> None:
    """Every change is an event and every such event a change; it leaves the chart alone, and nothing crosses."""
    inputs, events = replay.run.inputs, replay.run.events
    if not replay.model.inputs:
        return
    some = kind_of(events, "input")
    here = places("event", events.t)[np.flatnonzero(some)]
    begun = dict(zip(events.j[some].tolist(), events.t[some].tolist(), strict=True))
    found = np.array([begun.get(int(j)) == t for t, j in zip(inputs.t, inputs.j, strict=True)], bool)
    report.require(NAME, found, places("change of inputs", inputs.t), "there is no event at its t and j")
    report.require(NAME, np.isin(events.j[some], inputs.j), here, "no input changes there")
    still = (events.chart_after == events.chart_before)[some] & ~events.crossed[some].any(axis=1)
    report.require(NAME, still, here, "a change of inputs crosses nothing and stays in its chart")
    timed = np.array([name == "time" for name in events.certificate], bool)[some]
    report.require("certificates", timed, here, "a change of inputs has the certificate `time`")
