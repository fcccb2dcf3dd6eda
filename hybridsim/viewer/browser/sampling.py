"""Which key poses a run needs: between two of them the page interpolates, and at a jump there are two at one time."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.results.events import Event
from hybridsim.typing import FloatArray
from hybridsim.viewer.browser.keys import AFTER, BEFORE, POSITION, QUATERNION, SCALE, Keys, Taken, aligned
from hybridsim.viewer.source import Source

KEYS_PER_SECOND = 30.0
"""Keys in a second of real time, before intervals are divided."""
MOST_INTERVALS = 20_000
"""Most of these intervals in a finished run; of a long one they are longer, and divided where bodies move fast."""
TOLERANCE = 5e-4
"""Largest way by which a body may be misplaced, in camera distances: half a pixel of a picture with 540 lines."""
HURRIED_TOLERANCE, HURRIED_PART = 4.0, 0.6
"""Factor of the tolerance for a run that is computed meanwhile, and the part of an interval that is divided no more
unless it has events, as no screen shows it in real time."""
LOOSE_KINDS = ("force", "cone")
"""Kinds of bodies that may be misplaced more than others, and for which no keys are added."""
LOOSE = 4.0
"""How much more these may be misplaced."""
SAME = 0.2
"""Part of the tolerance within which both sides of an event are one key."""
SURE = 0.6
"""Error that need not be looked at if it is expected to be smaller, in tolerances."""
SHORTEST = 4096.0
"""How often the shortest interval that is divided fits into the distance of keys before that."""
AT_ONCE = 32
"""Most of these intervals whose keys are taken together."""

Progress = Callable[[float], None]
"""progress(share), called now and then with the part that is done, from 0 to 1."""


class Interval(NamedTuple):
    """The keys at its ends, and what its error is expected to be, over the square of its length [tolerances/s^2]."""

    left: int
    right: int
    bend: float


class Sampler:
    """Takes keys of a run, interval by interval.

    Parameters
    ----------
    source : Source
        The run.
    outputs : sequence of str
        The outputs that are shown.
    reaches : (n_bodies, 3) array
        How far each body reaches from its origin along its own axes, before it is stretched [m].
    speed : float
        Simulated seconds per second; slower than real time, there are more keys in a second.
    """

    def __init__(self, source: Source, outputs: Sequence[str], reaches: FloatArray, speed: float = 1.0) -> None:
        self.source, self.outputs, self.reaches = source, tuple(outputs), reaches
        names = source.model.columns.names
        self._columns = [names.index(name) if name in names else -1 for name in outputs]
        self._hurries = not source.finished  # whoever waits for it would rather see it soon
        self.tolerance = TOLERANCE * source.scene.camera.distance * (HURRIED_TOLERANCE if self._hurries else 1.0)
        self._solid = np.array([body.kind not in LOOSE_KINDS for body in source.scene.bodies])
        known = source.end - source.begin if source.finished else 0.0
        self._interval = max(speed / KEYS_PER_SECOND, known / MOST_INTERVALS)
        self._times: list[float] = []
        self._n_events = 0
        self._latest: tuple[float, FloatArray, FloatArray] | None = None  # the key with which the next piece begins

    def new_events(self) -> Sequence[Event]:
        """Return the events since the last call; those that change state or chart are from then on possible jumps."""
        new = self.source.events[self._n_events : len(self.source.events)]
        self._n_events += len(new)
        self._times += [event.t for event in new if not _changes_nothing(event)]
        return new

    def keys(self, begin: float, end: float, last: bool = True, progress: Progress | None = None) -> Keys:
        """Take the keys from the state after `begin` to that before `end`; if it is the last, to that after it.

        Parameters
        ----------
        begin, end : float
            The interval [s]; `new_events` has been called when the run had reached its end.
        last : bool
            Whether no interval follows.
        progress : callable, optional
            Called with the part that is done.
        """
        n = max(math.ceil((end - begin) / self._interval), 1)
        times, taken = np.linspace(begin, end, n + 1)[1:].tolist(), Taken(self.source, self._columns)
        known = None if self._is_event(begin) else self._latest
        (left,) = taken.put(*known) if known and known[0] == begin else taken.take([(begin, AFTER)])
        taken.needed.add(left)
        for i in range(0, n, AT_ONCE):
            done = min(i + AT_ONCE, n)
            left = self._take(taken, left, times[i:done], both=last or done < n)
            if progress is not None:
                progress(done / n)
        self._latest = taken.t[left], taken.poses[left], taken.outputs[left]
        return taken.keys()

    def _take(self, taken: Taken, left: int, times: Sequence[float], both: bool) -> int:
        """Take the keys from one on to these times, at the last one before a jump or on both sides; return the last."""
        moments = [(t, side) for t in times for side in ((BEFORE, AFTER) if self._is_event(t) else (AFTER,))]
        if moments[-2:-1] == [(times[-1], BEFORE)] and not both:
            moments.pop()
        chain = [left, *taken.take(moments)]
        intervals = self._between(taken, [(chain, math.inf)])
        if self._hurries and intervals:
            bends = self._bends(taken, [left, *(interval.right for interval in intervals)])
            intervals = [interval._replace(bend=bend) for interval, bend in zip(intervals, bends, strict=True)]
        while intervals:
            intervals = self._divided(taken, intervals)
        return chain[-1]

    def _bends(self, taken: Taken, ends: Sequence[int]) -> list[float]:
        """Return what is expected of equal intervals, as far as second differences of their ends tell."""
        width = taken.t[ends[1]] - taken.t[ends[0]]
        errors = self._errors(taken, [*zip(ends, ends[1:], ends[2:], strict=False)]) / (4.0 * width * width)
        around = [*errors[:1], *errors, *errors[-1:]] or [math.inf, math.inf]
        return [*map(max, itertools.pairwise(around))]

    def _between(self, taken: Taken, chains: Iterable[tuple[Sequence[int], float]]) -> list[Interval]:
        """Return the intervals between neighbouring keys, with a `bend`; of two at one time, note if they differ."""
        pairs = [Interval(*ends, bend) for chain, bend in chains for ends in itertools.pairwise(chain)]
        intervals = [pair for pair in pairs if taken.t[pair.left] != taken.t[pair.right]]
        jumps = [pair[:2] for pair in pairs if taken.t[pair.left] == taken.t[pair.right]]
        taken.needed.update(interval.right for interval in intervals)
        taken.needed.update(
            after for (_, after), differ in zip(jumps, self._differ(taken, jumps), strict=True) if differ
        )
        return intervals

    def _divided(self, taken: Taken, intervals: Sequence[Interval]) -> list[Interval]:
        """Take the middles of intervals, and return the parts of those whose middle is not between their ends.

        A jump shows in the middle by half its size, so the jumps are found without looking at both sides of all events.
        """
        cuts = [(interval, *cut) for interval in intervals if (cut := self._cut(taken, interval)) is not None]
        middles = taken.take([(t, AFTER) for _, t, _ in cuts])
        triples = [(cut[0].left, middle, cut[0].right) for cut, middle in zip(cuts, middles, strict=True)]
        errors = self._errors(taken, triples).tolist()
        taken.needed.update(middle for middle, error in zip(middles, errors, strict=True) if error < 1.0)
        bad = [i for i, error in enumerate(errors) if error >= 1.0]
        more = [moments for _, _, moments in map(cuts.__getitem__, bad)]
        numbers = iter(taken.take([*itertools.chain(*more)]))
        chains = []
        for i, moments in zip(bad, more, strict=True):
            chain = taken.in_order([*triples[i], *itertools.islice(numbers, len(moments))])
            chains.append((chain, errors[i] / (taken.t[chain[-1]] - taken.t[chain[0]]) ** 2))
        return self._between(taken, chains)

    def _cut(self, taken: Taken, interval: Interval) -> tuple[float, list[tuple[float, int]]] | None:
        """Return where to look at an interval, and at which moments besides if it is not as interpolated there.

        None without an event and where the error is expected to be small: it falls with the square of the length.
        """
        left, right = taken.t[interval.left], taken.t[interval.right]
        t, width = 0.5 * (left + right), right - left
        event = self._event_between(left, t, right)
        if not left < t < right or width < self._interval / SHORTEST:
            return None
        hurries = self._hurries and width < HURRIED_PART * self._interval
        if event is None and (interval.bend * width * width < SURE or hurries):
            return None
        moments = [(t, BEFORE)] if self._is_event(t) else []
        return t, moments if event in (None, t) else [*moments, (event, BEFORE), (event, AFTER)]

    def _is_event(self, t: float) -> bool:
        place = bisect_left(self._times, t)
        return place < len(self._times) and self._times[place] == t

    def _event_between(self, begin: float, middle: float, end: float) -> float | None:
        """Return the time of the event between two times that is nearest to their middle; None if there is none."""
        inside = self._times[bisect_right(self._times, begin) : bisect_left(self._times, end)]
        return min(inside, key=lambda t: abs(t - middle) or math.inf, default=None)

    def _errors(self, taken: Taken, triples: Sequence[tuple[int, ...]]) -> FloatArray:
        """Return how far a body is, in the second of three keys, from where interpolation puts it [tolerances].

        inf if it vanishes. What stands for forces is not looked at.
        """
        if not triples:
            return np.zeros(0)
        left, middle, right = taken.poses_of(triples)
        ends = [aligned(poses, middle) for poses in (left, right)]
        shown = [poses[..., 9] != 0.0 for poses in (*ends, middle)]
        changes = ((shown[0] != shown[1]) | (shown[0] != shown[2])) & self._solid
        misplaced = self._misplaced(middle, 0.5 * (ends[0] + ends[1]))
        errors = np.where(self._solid & shown[2], misplaced, 0.0).max(axis=1, initial=0.0)
        return np.where(changes.any(axis=1), math.inf, errors)

    def _differ(self, taken: Taken, jumps: Sequence[tuple[int, ...]]) -> NDArray[np.bool_]:
        """Return whether, in two keys at one time, a solid body is in two places, or an output has two values."""
        if not jumps:
            return np.zeros(0, bool)
        before, after = taken.poses_of(jumps)
        y_before, y_after = (np.array([taken.outputs[i] for i in side]) for side in zip(*jumps, strict=True))
        shown, shown_after = ((poses[..., 9] != 0.0) & self._solid for poses in (before, after))
        misplaced = shown & (self._misplaced(before, aligned(after, before)) > SAME)
        values = np.abs(y_after - y_before) > 1e-3 * np.abs(y_after)
        return np.asarray((shown != shown_after).any(axis=1) | misplaced.any(axis=1) | values.any(axis=1))

    def _misplaced(self, poses: FloatArray, others: FloatArray) -> FloatArray:
        """Return how far each body is misplaced (n, n_bodies), in tolerances."""
        away, reach = np.abs(poses - others), (self.reaches * poses[..., SCALE]).max(axis=-1)
        misplaced = np.maximum(away[..., POSITION].max(axis=-1), 2.0 * reach * away[..., QUATERNION].max(axis=-1))
        return np.asarray(np.maximum(misplaced, (self.reaches * away[..., SCALE]).max(axis=-1)) / self.tolerance)

    def tolerances(self, keys: Keys) -> FloatArray:
        """Return by how much each number of each body may be wrong, (n_bodies, 10)."""
        reach = np.maximum((self.reaches * keys.poses[:, :, SCALE]).max(axis=(0, 2)), 1e-3 * self.tolerance)
        longest = np.maximum(self.reaches.max(axis=1), 1e-3 * self.tolerance)
        columns = [np.full(len(reach), 1.0)] * 3 + [0.5 / reach] * 4 + [1.0 / longest] * 3
        loose = np.where(self._solid, 1.0, LOOSE)[:, None]
        return np.asarray(self.tolerance * loose * np.minimum(np.stack(columns, axis=1), 1e3))


def _changes_nothing(event: Event) -> bool:
    """Whether chart, state and inputs are the same on both sides of an event, and no slide begins or ends."""
    same = event.chart_before == event.chart_after and np.array_equal(event.x_before, event.x_after)
    return same and event.adjacent_chart < 0 and event.kind != "input"
