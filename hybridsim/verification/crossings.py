"""Boundaries: positive along each epoch, and zero at the events that end it.

What the engine looks for in its steps is looked for here again, in another way: on each piece of flow every boundary
is sampled, and its lowest value followed to the minimum. A boundary is armed by being positive; where a chart begins it
is armed in any case, unless it may wait (`armed="when_positive"`); after a declined crossing it waits as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import CERTIFICATES, TIME
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import Pieces
from hybridsim.verification.evaluator import EPSILON, Replay, kind_of, rounding
from hybridsim.verification.report import Places, Report, places
from hybridsim.verification.tolerances import longest_steps

Flags = NDArray[np.bool_]

PLACES = 0.5 * (1.0 - np.cos(np.pi * np.arange(17) / 16.0))
"""Where each piece is sampled: Chebyshev points, dense at its ends."""

ZOOM, ZOOMS = 33, 3
NEAR = 0.5
"""A lowest sample that is less than this share of the spread of all may hide a lower value beside it."""

TOGETHER = 2048
RISES = 0.5 ** np.arange(40)
"""Shares of a step after which a boundary may be highest, each half the one before."""

INSTANT = 4.0
"""Spacings of t that are one instant."""


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """What may not fall below zero: the boundaries of the model, then the states whose value ends the run."""

    replay: Replay
    names: tuple[str, ...]
    patient: Flags
    stops: IntArray
    values: FloatArray
    sides: FloatArray

    def __call__(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        """Values at n states, (n, n_watched), infinite where a boundary is not active."""
        return np.hstack([self.replay.boundaries(t, x, chart), self.sides * (x[:, self.stops] - self.values)])


def make_watch(replay: Replay) -> Watch:
    """The boundaries, and the state stops seen from the side on which the run begins."""
    stops = [stop for stop in replay.config.stop if stop.state is not None]
    states = np.array([replay.model.states.index(stop.state) for stop in stops], np.int64)
    values = np.array([float(stop.value or 0.0) for stop in stops])
    distance = replay.x[:, states] - values
    first = np.argmax(distance != 0.0, axis=0)
    sides = np.sign(distance[first, np.arange(len(stops))])
    names = (*replay.model.boundary_records.names, *(f"{stop.state} = {stop.value:g}" for stop in stops))
    patient = np.array([boundary.armed == "when_positive" for boundary in replay.model.boundary_records], bool)
    return Watch(replay, names, np.append(patient, np.zeros(len(stops), bool)), states, values, sides)


def tolerance(
    watch: Watch, t: FloatArray, x: FloatArray, chart: IntArray, length: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """What may be taken for zero at n states, and the rates dg/dt along the flow: both (n, n_watched).

    That is `stop_precision`, what rounding does to the value, and how far it moves within one instant of t. `length`,
    (n,) [s], is that of the steps there.
    """
    value_noise = rounding(watch, t, x, chart)
    rates = rates_along_flow(watch, t, x, chart, length)
    instant = INSTANT * (np.spacing(abs(t)) + EPSILON * np.maximum(abs(t), length))
    zero = watch.replay.config.engine.stop_precision
    with np.errstate(invalid="ignore"):
        return zero + value_noise + np.nan_to_num(abs(rates)) * instant[:, None], rates


def rates_along_flow(watch: Watch, t: FloatArray, x: FloatArray, chart: IntArray, length: FloatArray) -> FloatArray:
    """dg/dt at n states, by a central difference along the field."""
    delta = np.maximum(1e-6 * length, 64.0 * np.spacing(abs(t)))
    step = delta[:, None] * watch.replay.slopes(t, x, chart)
    with np.errstate(invalid="ignore"):
        after, before = watch(t + delta, x + step, chart), watch(t - delta, x - step, chart)
        return np.asarray(np.nan_to_num((after - before) / (2.0 * delta[:, None])))


@dataclass(frozen=True, slots=True, eq=False)
class Dips:
    """How low each boundary gets on each piece, all (n, n_watched).

    first : value at the start; positive : is it ever; lowest, where : least value and its place theta; lowest_after,
    where_after : the same of what follows a positive value.
    """

    first: FloatArray
    positive: Flags
    lowest: FloatArray
    where: FloatArray
    lowest_after: FloatArray
    where_after: FloatArray


def check_inside(replay: Replay, report: Report, pieces: list[Pieces], slack: FloatArray) -> None:
    """No armed boundary falls below zero along an epoch, by more than rounding or the error of the flow.

    slack : (n_nodes, width) what the flow from each node may be off by; nothing where the extensions are recorded.
    """
    watch = make_watch(replay)
    if not pieces or not watch.names:
        return
    flow = joined(pieces)
    dips = find_dips(watch, flow)
    armed = armed_at_start(watch, flow, dips)
    lowest = np.where(armed, dips.lowest, dips.lowest_after)
    where = np.where(armed, dips.where, dips.where_after)
    report.check("boundaries inside").count += lowest.size
    suspects = np.argwhere(~(lowest >= -replay.config.engine.stop_precision))
    if not len(suspects):
        return
    k, i = suspects.T
    some, theta = flow[k], where[k, i]
    t, x = some.at(theta[:, None])
    t, x = t[:, 0], x[:, 0]
    allowed, _ = tolerance(watch, t, x, some.chart, some.span)
    allowed = 2.0 * allowed + moved_by(watch, t, x, some.chart, slack[some.row])
    floor = np.minimum(np.nan_to_num(dips.first[k, i], posinf=0.0), 0.0)
    here = Places("row", row_of(replay, some.t), t)
    names = [watch.names[column] for column in i]
    size = np.arange(len(k))
    for name in dict.fromkeys(names):
        of = size[np.array(names) == name]
        columns = i[of]
        value = np.minimum(lowest[k[of], columns], 0.0)
        report.compare(
            "boundaries inside",
            value[:, None],
            np.zeros((len(of), 1)),
            (allowed[of, columns] - floor[of])[:, None],
            here[of],
            [f"boundary {name} falls without an event; it"],
        )


def moved_by(watch: Watch, t: FloatArray, x: FloatArray, chart: IntArray, slack: FloatArray) -> FloatArray:
    """By how much the boundaries change when each state is moved by its slack."""
    total, value = np.zeros((len(t), len(watch.names))), watch(t, x, chart)
    if not slack.any():
        return total
    for m in range(watch.replay.n_states):
        moved = x.copy()
        moved[:, m] += slack[:, m]
        with np.errstate(invalid="ignore"):
            total += np.nan_to_num(abs(watch(t, moved, chart) - value))
    return total


def joined(pieces: list[Pieces]) -> Pieces:
    """All pieces in the order of the run."""
    columns = (np.concatenate([getattr(piece, name) for piece in pieces]) for name in Pieces.__slots__)
    flow = Pieces(*columns)
    return flow[np.lexsort((flow.t, flow.row))]


def row_of(replay: Replay, t: FloatArray) -> IntArray:
    """The rows at or before these times."""
    return np.maximum(np.searchsorted(replay.run.t, t, side="right") - 1, 0)


def find_dips(watch: Watch, flow: Pieces) -> Dips:
    groups = [slice(first, first + TOGETHER) for first in range(0, len(flow), TOGETHER)]
    found = [_dips(watch, flow[group]) for group in groups]
    return Dips(*(np.concatenate([getattr(part, name) for part in found]) for name in Dips.__slots__))


def _values(watch: Watch, flow: Pieces, theta: FloatArray) -> FloatArray:
    """Values of all boundaries on n pieces at k places each: (n, k, n_watched)."""
    t, x = flow.at(theta)
    k = t.shape[1]
    g = watch(t.ravel(), x.reshape(-1, x.shape[2]), np.repeat(flow.chart, k))
    return np.asarray(np.where(np.isnan(g), -np.inf, g).reshape(len(flow), k, -1))


def _dips(watch: Watch, flow: Pieces) -> Dips:
    g = _values(watch, flow, PLACES)
    above = np.maximum.accumulate(g > watch.replay.config.engine.stop_precision, axis=1)
    after = np.where(above, g, np.inf)
    lowest, where = g.min(axis=1), PLACES[g.argmin(axis=1)]
    highest = np.where(np.isinf(g), -np.inf, g).max(axis=1)
    with np.errstate(invalid="ignore"):
        near = np.isfinite(lowest) & (lowest < NEAR * (highest - lowest))
    for column in np.flatnonzero(near.any(axis=0)):
        some = np.flatnonzero(near[:, column])
        lowest[some, column], where[some, column] = _minimum(watch, flow[some], int(column), where[some, column])
    return Dips(g[:, 0], above[:, -1], lowest, where, after.min(axis=1), PLACES[after.argmin(axis=1)])


def _minimum(watch: Watch, flow: Pieces, column: int, where: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least value of one boundary near `where` on n pieces, and its place: ever finer samples."""
    place = np.searchsorted(PLACES, where)
    low, high = PLACES[np.maximum(place - 1, 0)], PLACES[np.minimum(place + 1, len(PLACES) - 1)]
    share = np.linspace(0.0, 1.0, ZOOM)
    row = np.arange(len(flow))
    for _ in range(ZOOMS):
        theta = low[:, None] + share * (high - low)[:, None]
        g = _values(watch, flow, theta)[:, :, column]
        best = g.argmin(axis=1)
        low, high = theta[row, np.maximum(best - 1, 0)], theta[row, np.minimum(best + 1, ZOOM - 1)]
    return g[row, best], theta[row, best]


def armed_at_start(watch: Watch, flow: Pieces, dips: Dips) -> Flags:
    """Which boundaries are armed at the start of each piece: (n, n_watched).

    By its chart's beginning, or by having been positive since it was last told to wait.
    """
    replay, n = watch.replay, len(flow)
    j = replay.run.j[row_of(replay, flow.t)]
    begins = np.append(True, np.diff(j) != 0)
    begins &= ~np.isin(j, replay.run.events.j[kind_of(replay.run.events, "input")] + 1)  # no chart begins there
    told = np.where(begins[:, None], np.arange(n)[:, None], -1) * np.ones(len(watch.names), np.int64)
    waits = begins[:, None] & watch.patient & ((dips.first < 0.0) | _just_crossed(watch, flow.t))
    for event, first in zip(*_declined_before(replay, flow.t, j), strict=True):
        crossed = np.flatnonzero(replay.run.events.crossed[event])
        told[first, crossed], waits[first, crossed] = first, True
    told = np.maximum.accumulate(told, axis=0)
    rose = np.maximum.accumulate(np.where(dips.positive, np.arange(n)[:, None], -1), axis=0)
    rose = np.vstack([np.full((1, rose.shape[1]), -1), rose[:-1]])
    return ~np.take_along_axis(waits, told, axis=0) | (rose >= told)


def _just_crossed(watch: Watch, t: FloatArray) -> Flags:
    """Which boundaries have crossed at these very times: (n, n_watched)."""
    events = watch.replay.run.events
    result = np.zeros((len(t), len(watch.names)), bool)
    for i in range(watch.replay.n_boundaries):
        result[:, i] = np.isin(t, events.t[events.crossed[:, i]])
    return result


def _declined_before(replay: Replay, t: FloatArray, j: IntArray) -> tuple[IntArray, IntArray]:
    """Declined events, each with the first piece of its epoch that begins with it or after it."""
    events = replay.run.events
    declined = np.flatnonzero(events.declined & kind_of(events, "crossing"))
    low, high = np.searchsorted(j, events.j[declined]), np.searchsorted(j, events.j[declined], side="right")
    first = np.clip(np.searchsorted(t, events.t[declined]), low, high)
    return declined[first < high], first[first < high]


def _may_be(certificate: str, declared: NDArray[np.str_]) -> bool:
    """A bounded boundary at rest on zero may leave its proof, and says so."""
    return certificate in declared or (certificate == "sampled" and "bounded" in declared)


def check_events(replay: Replay, report: Report) -> None:
    """What crosses is active, zero and on its way out; nothing else is; and it was decided as the model declares."""
    events = replay.run.events
    kinds = np.array(CERTIFICATES)[replay.packed.problem.certificate[: replay.n_boundaries]]
    plain = kind_of(events, "crossing", "touch", "entry")
    proper = [not plain[k] or _may_be(name, kinds[events.crossed[k]]) for k, name in enumerate(events.certificate)]
    here = places("event", events.t)
    what = "certificate is not that of what crossed"
    report.require("certificates", proper, here, what)
    some = np.flatnonzero(kind_of(events, "crossing", "entry"))
    if len(some):
        _check_crossings(replay, report, some, here[some])


def _check_crossings(replay: Replay, report: Report, some: IntArray, here: Places) -> None:
    """These events lie on the surfaces of what crosses in them."""
    events, watch, n = replay.run.events, make_watch(replay), replay.n_boundaries
    crossed, name = events.crossed[some], "events on their surfaces"
    t, x, chart = events.t[some], replay.padded(events.x_before[some]), replay.chart_at(events.j[some])
    length = longest_steps(replay, t, x, chart, np.full(len(t), replay.duration))
    value = watch(t, x, chart)[:, :n]
    allowed, rates = (part[:, :n] for part in tolerance(watch, t, x, chart, length))
    of_time = replay.packed.problem.certificate[:n] == TIME
    noise = rounding(replay.boundaries, t, x, chart)
    # An instant that is a float is hit; a value that rests below zero fires below that.
    below = np.where(of_time, noise + INSTANT * np.spacing(abs(t))[:, None], 2.0 * allowed)
    inactive = crossed & np.isinf(value)
    report.require(name, ~inactive.any(axis=1), here, lambda k: f"{_listed(watch, inactive[k])} cannot cross there")
    seen = np.where(crossed & ~inactive, value, 0.0)
    pushed = _by_inputs(replay, report, some, t, x, crossed, allowed, here)
    seen[pushed] = np.maximum(seen[pushed], 0.0)
    report.compare(name, seen, np.zeros_like(seen), np.where(seen > 0.0, noise, below), here, watch.names[:n])
    rising = crossed & ~inactive & (rates * length[:, None] > 1e3 * below) & ~pushed[:, None]
    again = np.flatnonzero(rising.any(axis=1))
    rising[again] &= _rise(replay, t[again], x[again], chart[again], length[again]) > 2.0 * below[again]
    report.require(name, ~rising.any(axis=1), here, lambda k: f"{_listed(watch, rising[k])} rises there")
    outward = (rates * length[:, None] < -1e3 * allowed) & ~crossed
    _check_all_crossed(watch, report, some, value, outward, noise)


def _by_inputs(
    replay: Replay,
    report: Report,
    some: IntArray,
    t: FloatArray,
    x: FloatArray,
    crossed: Flags,
    allowed: FloatArray,
    here: Places,
) -> Flags:
    """Which of these events inputs have pushed their boundaries to, by a change at the same instant: (n,).

    What they have pushed below zero was positive before, or at rest on zero.
    """
    events = replay.run.events
    before = np.maximum(some - 1, 0)
    pushed = (some > 0) & kind_of(events, "input")[before] & (events.t[before] == t)
    rows = np.flatnonzero(pushed)
    value = replay.boundaries(t[rows], x[rows], replay.coded(events.chart_before[some[rows]], events.j[before[rows]]))
    negative = crossed[rows] & (value < -2.0 * allowed[rows])
    name = "events on their surfaces"
    report.require(name, ~negative.any(axis=1), here[rows], "was not positive before the inputs changed")
    return np.asarray(pushed)


def _rise(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, length: FloatArray) -> FloatArray:
    """How much higher each boundary gets along the parabola through n states, (n, n_boundaries), in a step's time."""
    f, value = replay.slopes(t, x, chart), replay.boundaries(t, x, chart)
    delta = 1e-3 * length
    bend = (replay.slopes(t + delta, x + delta[:, None] * f, chart) - f) / delta[:, None]
    rise = np.zeros_like(value)
    for share in RISES:
        time = (share * length)[:, None]
        with np.errstate(invalid="ignore"):
            higher = replay.boundaries(t + time[:, 0], x + time * f + 0.5 * time**2 * bend, chart) - value
        rise = np.fmax(rise, higher)
    return rise


def _listed(watch: Watch, which: Flags) -> str:
    return ", ".join(watch.names[i] for i in np.flatnonzero(which))


def _check_all_crossed(
    watch: Watch, report: Report, some: IntArray, value: FloatArray, outward: Flags, noise: FloatArray
) -> None:
    """A boundary that is zero and on its way out crosses with the others, unless it waits."""
    replay, events = watch.replay, watch.replay.run.events
    missing = outward & (value <= -noise) & (value >= -replay.config.engine.stop_precision)
    missing &= ~watch.patient[: replay.n_boundaries]
    for k in np.flatnonzero(missing.any(axis=1)):
        event = some[k]
        same = (events.j == events.j[event]) & events.declined & (events.t <= events.t[event])
        missing[k] &= ~events.crossed[same].any(axis=0)  # declined before in this epoch: it may wait
        if event and events.kind[event - 1] == "exit":
            missing[k] &= ~events.crossed[event - 1]  # off the surface by as much as the slide was
    report.require(
        "events on their surfaces",
        ~missing.any(axis=1),
        places("event", events.t)[some],
        lambda k: f"{_listed(watch, missing[k])} crosses as well, and is not listed",
    )
