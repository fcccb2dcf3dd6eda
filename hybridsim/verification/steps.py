"""A run that has every step: do its extensions follow the flow of the model, and do they lead from row to row?

The extension of each whole step is compared with the flow, integrated again, at quarters of the step; it begins with
the slope of the field and leads to the next row, both to the last digits.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.methods import METHODS
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import QUARTERS, Pieces, at_quarters, groups, march
from hybridsim.verification.evaluator import EPSILON, Replay, kind_of, rounding
from hybridsim.verification.report import Places, Report, places
from hybridsim.verification.tolerances import (
    CUBIC,
    accepted_step,
    classic_step_error,
    hermite_error,
    reference_scale,
    slide_error,
    step_error,
)


def check_steps(replay: Replay, report: Report) -> list[Pieces]:
    """Every step was recorded: check steps and extensions; returns the extensions within their epochs."""
    run = replay.run
    assert run.step is not None
    assert run.extension is not None
    begins = np.append(np.diff(run.j) == 0, False)
    here, none = places("row", run.t), run.step == 0.0
    report.require(
        "steps",
        np.where(begins, run.step > 0.0, none & (run.extension == 0.0).all(axis=(1, 2))),
        here,
        lambda k: f"step is {run.step[k]!s}; expected a step where one begins, and zeros elsewhere",  # type: ignore[index]
    )
    rows = np.flatnonzero(begins & (run.step > 0.0))
    if len(rows) != begins.sum():
        return []
    _check_lengths(replay, report, rows)
    _check_joints(replay, report, rows)
    check_declined(replay, report)
    rows = rows[~replay.straight[rows]]
    for some in groups(rows):
        _check_extensions(replay, report, some)
    return [_extensions(replay, rows)] if len(rows) else []


def _extensions(replay: Replay, rows: IntArray) -> Pieces:
    """The recorded extensions as pieces that end at the next row."""
    run = replay.run
    assert run.step is not None
    assert run.extension is not None
    span = run.t[rows + 1] - run.t[rows]
    theta = span / run.step[rows]
    extension = np.zeros((len(rows), run.extension.shape[1], replay.width))
    scale = theta[:, None] ** np.arange(1, run.extension.shape[1] + 1)
    extension[:, :, : replay.n_states] = run.extension[rows] * scale[:, :, None]
    return Pieces(rows, run.t[rows], span, replay.chart[rows], replay.x[rows], extension)


def _check_lengths(replay: Replay, report: Report, rows: IntArray) -> None:
    """A step ends at the next row, unless an event, a stop or the end of the run cut it; and keeps to its limits."""
    run, engine = replay.run, replay.config.engine
    assert run.step is not None
    step, left = run.step[rows], run.t[rows + 1] - run.t[rows]
    spacings = 4.0 * np.spacing(abs(run.t[rows + 1]))
    cut = np.isin(run.t[rows + 1], run.events.t) | (rows + 1 == len(run.t) - 1)
    here = places("row", run.t)[rows]
    report.require(
        "steps",
        np.where(cut, left <= step + spacings, abs(left - step) <= spacings),
        here,
        lambda k: f"step is {step[k]!s}, but the next row comes after {left[k]!s}",
    )
    longest = engine.first_step or engine.max_step if engine.method == "rk4" else engine.max_step
    report.require(
        "steps",
        step <= longest + spacings,
        here,
        lambda k: f"step is {step[k]!s}, expected at most {longest!r}",
    )


def _check_joints(replay: Replay, report: Report, rows: IntArray) -> None:
    """Extensions begin with the slope of the field, and lead to the next row, both to the last digits."""
    run, n = replay.run, replay.n_states
    assert run.step is not None
    assert run.extension is not None
    t, x, chart, step = run.t[rows], replay.x[rows], replay.chart[rows], run.step[rows, None]
    here = places("row", run.t)[rows]
    rise = step * replay.slopes(t, x, chart)
    allowed = step * rounding(replay.slopes, t, x, chart) + 16.0 * EPSILON * abs(rise)
    # The slope of a slide also pulls it back to its surface.
    allowed += slide_error(replay, x, chart)
    names = [f"the slope of {name} times the step" for name in run.states.names]
    straight = replay.straight[rows]
    rise[straight] = replay.x[rows[straight] + 1] - x[straight]
    allowed[straight] = 4.0 * EPSILON * (abs(x[straight]) + abs(replay.x[rows[straight] + 1]))
    bends = straight & (run.extension[rows, 1:] != 0.0).any(axis=(1, 2))
    report.require("extensions begin", ~bends, here, "the way to an accumulation is not straight")
    report.compare("extensions begin", run.extension[rows, 0], rise[:, :n], allowed[:, :n], here, names)
    theta = (run.t[rows + 1] - t)[:, None] / step
    powers = theta ** np.arange(1, run.extension.shape[1] + 1)
    reached = run.x[rows] + np.einsum("nd,ndm->nm", powers, run.extension[rows])
    size = abs(run.x[rows]) + abs(run.extension[rows]).sum(axis=1)
    weight = abs(METHODS[replay.config.engine.method]().extension).max()
    units = 16.0 * EPSILON * weight + 4.0 * EPSILON * abs(run.t[rows + 1])[:, None] / step
    # A state that nothing moves is held to the bit; the terms of one that moves cancel.
    moves = abs(run.extension[rows]).sum(axis=1) > 0.0
    names = [f"{name} reached" for name in run.states.names]
    report.compare("extensions end", reached, run.x[rows + 1], units * size * moves, here, names)


def _check_extensions(replay: Replay, report: Report, rows: IntArray) -> None:
    """The extension of whole steps against the flow at their quarters, also beyond an event that has cut them."""
    run, n = replay.run, replay.n_states
    assert run.step is not None
    assert run.extension is not None
    t, x, chart, step = run.t[rows], replay.x[rows], replay.chart[rows], run.step[rows]
    end, pieces = march(replay.slopes, t, x, chart, step, reference_scale(replay, x), np.arange(len(rows)))
    flow = at_quarters(pieces, t, step, end)
    allowed = (step_error(replay, x, end) + slide_error(replay, x, chart) + rounding_of_steps(replay, rows))[:, None]
    if replay.config.engine.method in CUBIC:
        f0, f1 = replay.slopes(t, x, chart), replay.slopes(t + step, end, chart)
        allowed = allowed + hermite_error(x, f0, end, f1, flow, QUARTERS, step)
    if replay.config.engine.method == "rk4":
        allowed = allowed + classic_step_error(replay, t, x, chart, step, end)[:, None]
    found = run.x[rows, None] + np.einsum(
        "qd,ndm->nqm", QUARTERS[:, None] ** np.arange(1, run.extension.shape[1] + 1), run.extension[rows]
    )
    far = np.flatnonzero((abs(found - flow[:, :, :n]) > allowed[:, :, :n]).any(axis=(1, 2)))
    if len(far) and METHODS[replay.config.engine.method]().adaptive:
        allowed = np.broadcast_to(allowed, flow.shape).copy()
        powers = QUARTERS[:, None] ** np.arange(1, run.extension.shape[1] + 1)
        extension = accepted_step(replay, t[far], x[far], chart[far], step[far])
        honest = x[far, None] + np.einsum("qd,ndw->nqw", powers, extension)
        allowed[far] = np.fmax(allowed[far], 2.0 * abs(honest - flow[far]))
    names = [f"{name} after {q:g} of the step" for q in QUARTERS for name in run.states.names]
    flat = len(rows), len(names)
    report.compare(
        "flow",
        found.reshape(flat),
        flow[:, :, :n].reshape(flat),
        np.broadcast_to(allowed, flow.shape)[:, :, :n].reshape(flat),
        places("row", run.t)[rows],
        names,
    )


def rounding_of_steps(replay: Replay, rows: IntArray) -> FloatArray:
    """What rounding the terms of an extension, and the weights in them, can do: (n, width)."""
    run = replay.run
    assert run.extension is not None
    weight = abs(METHODS[replay.config.engine.method]().extension).max()
    result = np.zeros((len(rows), replay.width))
    size = abs(run.x[rows]) + weight * abs(run.extension[rows, 0]) + abs(run.extension[rows]).sum(axis=1)
    result[:, : replay.n_states] = 64.0 * EPSILON * size
    return result


def check_declined(replay: Replay, report: Report) -> None:
    """Where every step is recorded, a declined crossing has a row: the step that it cut ends there."""
    run, events = replay.run, replay.run.events
    declined = np.flatnonzero(events.declined & kind_of(events, "crossing"))
    first = np.searchsorted(run.j, events.j[declined])
    last = np.searchsorted(run.j, events.j[declined], side="right") - 1
    rows = np.clip(np.searchsorted(run.t, events.t[declined]), first, last)
    here = Places("event", declined, events.t[declined])
    zero = np.zeros((1, 1))
    states = [f"{name} before" for name in run.states.names]
    report.compare("flow", events.t[declined, None], run.t[rows, None], zero, here, ["t"])
    report.compare("flow", events.x_before[declined], run.x[rows], np.zeros((1, replay.n_states)), here, states)
    report.compare("flow", events.chart_before[declined, None], run.chart[rows, None], zero, here, ["chart before"])
    _check_touches(replay, report)


def _check_touches(replay: Replay, report: Report) -> None:
    """The states of touches, which cut no step, lie on the extension of theirs."""
    run, events = replay.run, replay.run.events
    assert run.step is not None
    assert run.extension is not None
    some = np.flatnonzero(events.declined & kind_of(events, "touch"))
    first, last = (np.searchsorted(run.j, events.j[some], side) for side in ("left", "right"))
    rows = np.clip(np.searchsorted(run.t, events.t[some], side="right") - 1, first, np.maximum(last - 2, first))
    step = np.where(run.step[rows] > 0.0, run.step[rows], 1.0)
    powers = ((events.t[some] - run.t[rows]) / step)[:, None] ** np.arange(1, run.extension.shape[1] + 1)
    x = run.x[rows] + np.einsum("nd,ndm->nm", powers, run.extension[rows])
    spacing = 8.0 * np.spacing(abs(events.t[some]))[:, None]
    slopes = abs(replay.slopes(events.t[some], replay.padded(x), replay.chart[rows]))[:, : replay.n_states]
    allowed = rounding_of_steps(replay, rows)[:, : replay.n_states] + spacing * slopes
    here = Places("event", some, events.t[some])
    report.compare("touches", events.x_before[some], x, allowed, here, run.states.names)
    zero = np.zeros((1, 1))
    report.compare("touches", events.chart_before[some, None], run.chart[rows, None], zero, here, ["chart before"])
