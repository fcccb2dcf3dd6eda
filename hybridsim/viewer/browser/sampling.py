"""Key poses of a run: between two of them the page interpolates, and at a jump there are two at one time.

A pose is ten numbers: position (3) [m], quaternion (w, x, y, z), and scale (3); a scale of 0 stands for a hidden body.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.results.events import Event
from hybridsim.typing import FloatArray
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
PROGRESS_STEPS = 200
"""Most calls of `progress` for one run."""

POSITION, QUATERNION, SCALE = slice(0, 3), slice(3, 7), slice(7, 10)
"""Where position, quaternion and scale are among the ten numbers of a pose."""

Progress = Callable[[float], None]
"""progress(share), called now and then with the part that is done, from 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """Key poses in the order of time; of two at one time, the first is before a jump.

    Attributes
    ----------
    t : (n,) array
        Times [s].
    poses : (n, n_bodies, 10) array
        Poses of all bodies.
    outputs : (n, n_outputs) array
        The outputs that are shown.
    """

    t: FloatArray
    poses: FloatArray
    outputs: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """One key: a time [s], poses (n_bodies, 10), and outputs (n_outputs,)."""

    t: float
    poses: FloatArray
    outputs: FloatArray


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
        self._hurries = not source.finished  # whoever waits for it would rather see it soon
        self.tolerance = TOLERANCE * source.scene.camera.distance * (HURRIED_TOLERANCE if self._hurries else 1.0)
        self._solid = np.array([body.kind not in LOOSE_KINDS for body in source.scene.bodies])
        known = source.end - source.begin if source.finished else 0.0
        self._interval = max(speed / KEYS_PER_SECOND, known / MOST_INTERVALS)
        self._times: list[float] = []
        self._n_events = 0

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
        left, expected = self._key(begin), [math.inf] * n
        found = [left]
        rights: Iterable[Key] = (self._key(t, self._is_event(t)) for t in np.linspace(begin, end, n + 1)[1:].tolist())
        if self._hurries:
            rights = [*rights]
            expected = self._expected([left, *rights])
        for i, (right, error) in enumerate(zip(rights, expected, strict=True)):
            found += [*self._between(left, right, error), right]
            left, t = right, right.t
            if self._is_event(t) and (t < end or last):
                left = self._key(t)
                found += [left] if self._differ(right, left) else []
            if progress is not None and i % (n // PROGRESS_STEPS + 1) == 0:
                progress((i + 1) / n)
        poses, outputs = (np.array([getattr(key, name) for key in found]) for name in ("poses", "outputs"))
        return Keys(np.array([key.t for key in found]), continuous(poses), outputs)

    def _expected(self, keys: Sequence[Key]) -> list[float]:
        """Return the errors in the middles between keys at equal intervals, as far as their second differences tell."""
        errors = [self._error(*three) / 4.0 for three in zip(keys, keys[1:], keys[2:], strict=False)]
        around = [*errors[:1], *errors, *errors[-1:]] or [math.inf, math.inf]
        return [*map(max, itertools.pairwise(around))]

    def _key(self, t: float, before: bool = False) -> Key:
        frame = self.source.frame(t, before)
        outputs = np.array([frame.outputs.get(name, math.nan) for name in self.outputs])
        return Key(t, poses_as_numbers(frame.poses), outputs)

    def _is_event(self, t: float) -> bool:
        place = bisect_left(self._times, t)
        return place < len(self._times) and self._times[place] == t

    def _between(self, left: Key, right: Key, expected: float = math.inf) -> Iterator[Key]:
        """Yield the keys that are needed between two: the middle, and what is beside it while it is not between them.

        A jump shows in the middle by half its size, so the jumps are found without looking at both sides of all events.
        Without an event, the error falls with the square of the length, and need not be looked at once it is `expected`
        to be small [tolerances].
        """
        t, width = 0.5 * (left.t + right.t), right.t - left.t
        event = self._event_between(left.t, t, right.t)
        if not left.t < t < right.t or width < self._interval / SHORTEST:
            return
        if event is None and (expected < SURE or (self._hurries and width < HURRIED_PART * self._interval)):
            return
        middle = self._key(t)
        error = self._error(left, middle, right)
        if error < 1.0:
            yield middle
            return
        pairs = [(self._key(t, before=True) if self._is_event(t) else middle, middle)]
        if event is not None and event != t:
            pairs = sorted([*pairs, (self._key(event, before=True), self._key(event))], key=lambda pair: pair[0].t)
        for before, after in pairs:
            yield from self._between(left, before, error * ((before.t - left.t) / width) ** 2)
            yield before
            if after is not before and self._differ(before, after):
                yield after
            left = after
        yield from self._between(left, right, error * ((right.t - left.t) / width) ** 2)

    def _event_between(self, begin: float, middle: float, end: float) -> float | None:
        """Return the time of the event between two times that is nearest to their middle; None if there is none."""
        inside = self._times[bisect_right(self._times, begin) : bisect_left(self._times, end)]
        return min(inside, key=lambda t: abs(t - middle) or math.inf, default=None)

    def _error(self, left: Key, middle: Key, right: Key) -> float:
        """Return how far a body in the middle is from where interpolation puts it [tolerances]; inf if it vanishes.

        What stands for forces is not looked at.
        """
        ends = [aligned(key.poses, middle.poses) for key in (left, right)]
        shown = [poses[:, 9] != 0.0 for poses in (*ends, middle.poses)]
        changes = (shown[0] != shown[1]) | (shown[0] != shown[2])
        if (changes & self._solid).any():
            return math.inf
        misplaced = self._misplaced(middle.poses, 0.5 * (ends[0] + ends[1]))
        return float(misplaced[self._solid & shown[2]].max(initial=0.0))

    def _differ(self, before: Key, after: Key) -> bool:
        """Whether a solid body is in two places at one time, or an output has two values."""
        shown = (before.poses[:, 9] != 0.0) & self._solid
        if (((after.poses[:, 9] != 0.0) & self._solid) != shown).any():
            return True
        misplaced = self._misplaced(before.poses, aligned(after.poses, before.poses))[shown]
        values = np.abs(after.outputs - before.outputs) > 1e-3 * np.abs(after.outputs)
        return bool(misplaced.max(initial=0.0) > SAME or values.any())

    def _misplaced(self, poses: FloatArray, others: FloatArray) -> FloatArray:
        """Return how far each body is misplaced (n_bodies,), in tolerances."""
        away, reach = np.abs(poses - others), (self.reaches * poses[:, SCALE]).max(axis=1)
        parts = away[:, POSITION].max(axis=1), 2.0 * reach * away[:, QUATERNION].max(axis=1)
        stretch = (self.reaches * away[:, SCALE]).max(axis=1)
        return np.asarray(np.max([*parts, stretch], axis=0) / self.tolerance)

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


def poses_as_numbers(poses: FloatArray) -> FloatArray:
    """Return transforms (n_bodies, 4, 4) as position, quaternion and scale (n_bodies, 10); 0 for what is hidden."""
    axes = poses[:, :3, :3]
    scale = np.sqrt((axes * axes).sum(axis=1))
    shown = (poses[:, 3, 3] != 0.0) & (scale > 0.0).all(axis=1)
    m = axes / np.where(scale > 0.0, scale, 1.0)[:, None]
    # The outer product q q' of the quaternion; its row with the largest diagonal gives q.
    product, trace = np.empty((len(m), 4, 4)), m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    product[:, 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        product[:, i + 1, i + 1] = 1.0 + 2.0 * m[:, i, i] - trace
        product[:, 0, i + 1] = product[:, i + 1, 0] = m[:, k, j] - m[:, j, k]
        product[:, j + 1, k + 1] = product[:, k + 1, j + 1] = m[:, j, k] + m[:, k, j]
    rows = product[np.arange(len(m)), np.einsum("nii->ni", product).argmax(axis=1)]
    quaternion = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    numbers = np.concatenate([poses[:, :3, 3], quaternion, scale], axis=1)
    return np.where(shown[:, None], numbers, 0.0)


def aligned(poses: FloatArray, others: FloatArray) -> FloatArray:
    """Return poses with quaternions of the sign that is nearer to others; q and -q are one rotation."""
    dots = (poses[:, QUATERNION] * others[:, QUATERNION]).sum(axis=1)
    result = poses.copy()
    result[:, QUATERNION] *= np.where(dots < 0.0, -1.0, 1.0)[:, None]
    return result


def continuous(poses: FloatArray) -> FloatArray:
    """Return poses (n, n_bodies, 10) whose quaternions change no sign; a hidden body keeps its place, with scale 0."""
    hidden = poses[:, :, 9] == 0.0
    numbers = np.where(hidden, 0, np.arange(len(poses))[:, None])
    last = np.maximum.accumulate(numbers, axis=0)
    filled: FloatArray = poses[last, np.arange(poses.shape[1])]
    filled[:, :, SCALE] = np.where(hidden[:, :, None], 0.0, filled[:, :, SCALE])
    dots = (filled[1:, :, QUATERNION] * filled[:-1, :, QUATERNION]).sum(axis=2)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    filled[1:, :, QUATERNION] *= signs[:, :, None]
    return filled
