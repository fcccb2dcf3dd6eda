"""The events of a computed orbit, which a theorem is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.engine.memory import EVENT_KINDS
from hybridsim.graph import Trace
from hybridsim.proofs.refusals import NotProvenError
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

CLOCK = -1
"""In place of a boundary: the time of a section."""

TIME, TIME_SECTION = "t", "the section's time"
"""The names of time among the arguments of expressions, and of the boundary of such a section."""

NOTHING = Trace({}, 0, (), ())
"""What a function that is not there computes."""

CROSSING, TOUCH = EVENT_KINDS.index("crossing"), EVENT_KINDS.index("touch")


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the computed orbit, and the leg before it.

    Attributes
    ----------
    chart, next_chart : int
        The charts before and after.
    boundary : int
        The boundary that crosses; `CLOCK` where a stride ends after a time.
    duration : float
        The time since the event before [s].
    x : (n_states,) array
        The state before it.
    x_on_the_way : (n_states,) array
        A state on the leg, about in its middle.
    t, t_on_the_way : float
        The times of both states [s].
    ends_stride : bool
        Whether it is the last one of a stride.
    """

    chart: int
    next_chart: int
    boundary: int
    duration: float
    x: FloatArray
    x_on_the_way: FloatArray
    t: float
    t_on_the_way: float
    ends_stride: bool = False


def events_of(orbit: Orbit) -> list[Event]:
    """Return the events of a period of a computed orbit; refuse those that no theorem here is about."""
    strides = [[*_events_of_stride(orbit, stride)] for stride in orbit.found.strides]
    return [event for *before, last in strides for event in (*before, replace(last, ends_stride=True))]


def _events_of_stride(orbit: Orbit, stride: Any) -> Iterator[Event]:
    rows, events, names = stride.rows, stride.events, orbit.model.boundary_records.names
    t = float(rows.t[0])
    for k in range(len(events)):
        at = float(events.t[k])
        place = f"{at - float(rows.t[0]):.6g} s after the section"
        if events.kind[k] == TOUCH and events.declined[k]:
            continue
        crossed = [names[i] for i in np.flatnonzero(events.crossed[k])]
        if events.kind[k] != CROSSING or events.surface[k] >= 0:
            raise NotProvenError(
                f"{place}: `{EVENT_KINDS[events.kind[k]]}` at {' and '.join(crossed)}; only crossings of boundaries "
                "are proven, no slides and no limits of infinitely many jumps"
            )
        if events.declined[k]:
            raise NotProvenError(
                f"{place}: {crossed[0]} is declined; only events that the transition accepts are proven"
            )
        if len(crossed) > 1:
            raise NotProvenError(f"{place}: {' and '.join(crossed)} cross together; give parameters where they do not")
        charts = int(events.chart_before[k]), int(events.chart_after[k])
        yield _event(rows, (t, at), charts, (names.index(crossed[0]), crossed[0]), events.x_before[k])
        t = at
    if orbit.section.time is not None:
        at, chart = float(rows.t[-1]), int(rows.chart[-1])
        yield _event(rows, (t, at), (chart, chart), (CLOCK, TIME_SECTION), rows.x[-1])


def _event(
    rows: Any, ends: tuple[float, float], charts: tuple[int, int], boundary: tuple[int, str], x: FloatArray
) -> Event:
    """Return an event at the end of a leg, from one time to another."""
    (t, at), (index, name) = ends, boundary
    if not at > t:
        place = f"{at - float(rows.t[0]):.6g} s after the section"
        raise NotProvenError(
            f"{place}: {name} comes in the instant of the event before it, or of the section; a theorem needs time in "
            "between"
        )
    within = np.flatnonzero((rows.t > t) & (rows.t < at))
    between, moment = 0.5 * (rows.x[np.searchsorted(rows.t, t, "right") - 1] + x), 0.5 * (t + at)
    if len(within):
        middle = within[len(within) // 2]
        between, moment = rows.x[middle], float(rows.t[middle])
    return Event(*charts, index, at - t, x, between, at, moment)
