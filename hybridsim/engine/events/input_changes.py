"""Where an input changes between two calls of the engine: the record is cut at that time, and the run goes on from it.

The engine stops at the end of the step that goes beyond the time it was asked for. `cut` writes down what there is up
to that time; then the caller puts the engine's memory back to what it was before the step (see `rollback.Rollback`),
and `resume` sets it to the time and the state of the cut, with the step size proposed last.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import integer, kernel
from hybridsim.engine.events.sliding import surface_value
from hybridsim.engine.flow import ENTERING, FLOWING, RESUMING
from hybridsim.engine.log import log_before_jump, log_event
from hybridsim.engine.memory import INPUT, NOWHERE, TIME, TOUCH, ZENO
from hybridsim.engine.runge_kutta import copy, extension_at

CUT, INDIVISIBLE = range(2)
"""What becomes of a cut: made; or there is an accumulation beyond the time, before which a run cannot stop."""


@routine(integer, integer)
def cut(problem, now, work, log, _):
    """Let the record end at now.t_look, with the change of an input as its last event."""
    problem, work, log = loaded(problem), loaded(work), loaded(log)
    settings, t = problem.settings, now.t_look
    if now.t > t:
        events = now.events
        while events > 0 and log.event_t[events - 1] > t:
            events -= 1
            if log.event_kind[events] == ZENO:
                return INDIVISIBLE
        now.events = events
        while now.rows > 0 and log.t[now.rows - 1] > t:
            now.rows -= 1
        extension_at(problem, work, (t - now.t_start) / now.step, work.x_event)
        if now.j != now.j_start:
            now.h = now.step  # the size chosen since is that of another epoch
        now.t, now.j, now.chart = t, now.j_start, now.chart_start
        now.adjacent_chart, now.surface = now.adjacent_chart_start, now.surface_start
    else:
        copy(settings, work.x, work.x_event)
    for i in range(settings.n_watched):
        work.crossed[i] = 0
    now.value, now.depth, now.error, now.certificate = np.nan, np.nan, np.nan, TIME
    if settings.record_steps:
        log_before_jump(problem, now, work, log)
    log_event(problem, now, work, log, now.t, INPUT, now.chart, now.chart, now.adjacent_chart, work.x_event, False)
    return CUT


@routine(integer, integer)
def resume(problem, now, work, log, first):
    """Stand where the record has been cut, as the next epoch; `first` : the first event logged since the memory is of.

    The inputs are still those of before. A slide ends: if both flows still point at its surface, it begins again.
    """
    problem, work, log = loaded(problem), loaded(work), loaded(log)
    settings, last = problem.settings, now.events - 1
    for event in range(first, last):
        note_touch(settings, work, log, event)
    now.t, now.j = log.event_t[last], log.event_j[last] + 1
    for m in range(settings.n_states):
        work.x[m] = log.event_x_before[last * settings.n_states + m]
    if now.adjacent_chart != NOWHERE:
        now.drift = 2.0 * abs(surface_value(problem, now, work, now.t, work.x))
        now.adjacent_chart, now.changed = NOWHERE, 1
        now.phase = ENTERING
    elif now.phase == FLOWING:
        now.phase = RESUMING
    return CUT


@kernel
def note_touch(settings, work, log, event):
    """A touch that is in the record is not reported again."""
    if log.event_kind[event] == TOUCH:
        for i in range(settings.n_boundaries):
            if log.event_crossed[event * settings.n_boundaries + i]:
                work.touched[i] = 1
