"""Pieces of a run as bytes, for a file and for a websocket alike: the length of a JSON text, the text, and arrays.

The bytes of numbers are sorted by their place in the number, and poses are written as differences in time, so that gzip
finds zeros. `page/data.js` reads it.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.results.colours import family_labels
from hybridsim.results.events import Event
from hybridsim.typing import FloatArray
from hybridsim.viewer.browser.carried import Carriers
from hybridsim.viewer.browser.keys import POSITION, QUATERNION, SCALE, Keys
from hybridsim.viewer.browser.sampling import Progress, Sampler
from hybridsim.viewer.browser.terrain import Tiles
from hybridsim.viewer.browser.thinning import needed
from hybridsim.viewer.frames import chart_label, event_label
from hybridsim.viewer.source import Source

ROUNDING = 0.1
"""Largest unit in which poses are rounded, in tolerances; units are powers of 2."""
EVENT_TYPES = ("<f8", "<u2", "<u2", "<u2", "<u4")
"""Types of the columns of events: time, kind, text, chart after it, number of jumps after it."""
MOST_UNITS = 2**30
"""Largest rounded number; beyond it a body is not where it is any more."""

INPUT_KIND = "inputs"
"""The kind of events at which inputs change."""


class RunPacker:
    """Packs one run, interval by interval; charts and texts are sent with the interval in which they first occur.

    Parameters
    ----------
    number : int
        Index of the run in the page.
    sampler : Sampler
        What takes the keys.

    Attributes
    ----------
    kinds : list of str
        The kinds of events: boundaries, and families of them.
    """

    def __init__(self, number: int, sampler: Sampler) -> None:
        self.number, self.sampler, self.source = number, sampler, sampler.source
        labels = [*family_labels(self.source.model.boundary_records.names)]
        self.kinds = [*(label for label, _ in labels), INPUT_KIND]
        self._kind_of = {name: i for i, (_, names) in enumerate(labels) for name in names}
        self._numbers: dict[str, dict[str, int]] = {"charts": {}, "texts": {}}
        self._tiles = Tiles(self.source)
        self._carriers = Carriers(sampler.reaches.max(axis=1, initial=0.0))
        self._moments = list[tuple[float, int, int]]()  # the last event of the pieces so far, and those after them

    def piece(self, begin: float, end: float, last: bool = True, progress: Progress | None = None) -> bytes:
        """Return the run from `begin` to `end` [s]; the whole run has been computed up to there."""
        sent = {table: len(numbers) for table, numbers in self._numbers.items()}
        latest = end if last else math.inf  # what comes after the last interval is not shown
        new = [event for event in self.sampler.new_events() if begin <= event.t <= latest]
        events = [*self._event_rows(new)]
        chart, j = self._moment(begin, events)
        keys = self.sampler.keys(begin, end, last, progress)
        poses, arrays = self._poses(keys)
        tiles = [*self._tiles.new_ones(keys.poses)]
        head = {
            "run": self.number,
            "begin": begin,
            "end": end,
            "j": j,
            "chart": chart,
            **{table: [*numbers][sent[table] :] for table, numbers in self._numbers.items()},
            "keys": len(keys.t),
            "events": len(events),
            "tiles": [tile.head for tile in tiles],
            "finished": last,
            "message": self.source.message if last and end >= self.source.end else "",
        }
        columns = zip(*events, strict=True) if events else ((),) * len(EVENT_TYPES)
        rows = [np.array([*column], kind) for column, kind in zip(columns, EVENT_TYPES, strict=True)]
        outputs = map(shortened, keys.outputs.T)
        return framed(head | poses, [keys.t, *rows, *arrays, *outputs, *(tile.heights for tile in tiles)])

    def _moment(self, t: float, rows: Sequence[tuple[float, int, int, int, int]]) -> tuple[int, int]:
        """Return the numbers of the chart at a time and of jumps up to it: those after the event before, if known."""
        known = [*self._moments, *((when, chart, j) for when, _, _, chart, j in rows)]
        past = sum(when <= t for when, _, _ in known)
        self._moments = known[max(past - 1, 0) :]
        if past:
            return self._moments[0][1:]
        first = self.source.frame(t)
        return self._number("charts", first.chart), first.j

    def _poses(self, keys: Keys) -> tuple[dict[str, Any], list[NDArray[np.generic]]]:
        """Return what the page is told of the poses, and two arrays: which keys each body has, and its poses there."""
        tolerances = self.sampler.tolerances(keys)
        carried = self._carriers.find(keys.poses, tolerances)
        units = np.floor(np.log2(ROUNDING * tolerances)).astype(int)
        kept = np.zeros((len(tolerances), len(keys.t)), bool)
        own = [body for body in range(len(tolerances)) if body not in carried]
        kept[own] = needed(keys.t, keys.poses[:, own], tolerances[own])
        head = {
            "counts": kept.sum(axis=1).tolist(),
            "units": units[:, (POSITION.start, QUATERNION.start, SCALE.start)].tolist(),
            "carried": [[body, carrier, *pose.tolist()] for body, (carrier, pose) in carried.items()],
        }
        return head, [*rounded(keys, kept, 2.0**units)]

    def _event_rows(self, events: Sequence[Event]) -> Iterator[tuple[float, int, int, int, int]]:
        """Yield time, kind, text, chart and number of jumps after it; one row for each kind that has crossed."""
        for event in events:
            chart = chart_label(self.source.model, event.chart_after)
            if event.adjacent_chart >= 0:
                chart = self.source.frame(event.t).chart
            text = event_label(event) + (" (declined)" if event.declined and event.kind == "crossing" else "")
            numbers = self._number("texts", text), self._number("charts", chart), event.j + (not event.declined)
            kinds = {self._kind_of.get(name, len(self.kinds) - 1) for name in event.boundaries}
            for kind in sorted(kinds) or [len(self.kinds) - 1]:
                yield event.t, kind, *numbers

    def _number(self, table: str, text: str) -> int:
        numbers = self._numbers[table]
        return numbers.setdefault(text, len(numbers))


def rounded(keys: Keys, kept: NDArray[np.bool_], units: FloatArray) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return which keys each body has, and its poses there, as differences from the one before.

    The differences of poses are of rounded numbers, column by column: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...

    Parameters
    ----------
    keys : Keys
        The keys of all bodies.
    kept : (n_bodies, n) array of bool
        Which of them each body needs.
    units : (n_bodies, 10) array
        What is rounded to 1.
    """
    body, index = np.nonzero(kept)
    whole = np.clip(np.round(keys.poses[index, body] / units[body]), -MOST_UNITS, MOST_UNITS)
    table, first = np.column_stack([index, whole]).astype(np.int64), np.diff(body, prepend=-1) > 0
    steps = np.where(first[:, None], table, np.diff(table, axis=0, prepend=0))
    columns = [part.T.ravel() for part in np.split(steps[:, 1:], np.flatnonzero(first)[1:])]
    signed = np.concatenate(columns)
    return steps[:, 0].astype("<u4"), np.where(signed < 0, -2 * signed - 1, 2 * signed).astype("<u4")


def shortened(values: FloatArray) -> NDArray[np.float32]:
    """Return numbers of 32 bits, of which the last ones, beyond five digits, are 0."""
    whole = values.astype("<f4").view("<u4")
    return ((whole + 0x40) & 0xFFFFFF80).astype("<u4").view("<f4")


def framed(head: Mapping[str, object], arrays: Sequence[NDArray[np.generic]]) -> bytes:
    """Return a piece: JSON and arrays, whose bytes are sorted by their place in the number."""
    text = json.dumps(head).encode()
    planes = [by_place(np.asarray(array, "<f8") if array.dtype == float else array) for array in arrays]
    return b"".join([struct.pack("<I", len(text)), text, *planes])


def head_of(piece: bytes) -> dict[str, Any]:
    """Return what a piece says of itself."""
    head: dict[str, Any] = json.loads(piece[4 : 4 + struct.unpack_from("<I", piece)[0]])
    return head


def summary(pieces: Sequence[bytes], following: bytes) -> bytes:
    """Return one piece without keys for pieces of a run that are dropped: what later ones need of them.

    Parameters
    ----------
    pieces : sequence of bytes
        The first pieces of a run, or a summary and those after it.
    following : bytes
        The piece after them, with which the run then begins.
    """
    heads, after = [head_of(piece) for piece in pieces], head_of(following)
    tables = {name: [entry for head in heads for entry in head[name]] for name in ("charts", "texts", "tiles")}
    nothing = {"keys": 0, "events": 0, "counts": [0] * len(after["counts"]), "carried": []}
    rest = {"end": after["begin"], "finished": False, "message": "", "dropped": True}
    sizes = (sum(4 * len(tile["x"]) * len(tile["y"]) for tile in head["tiles"]) for head in heads)
    ground = (piece[len(piece) - size :] for piece, size in zip(pieces, sizes, strict=True))
    return framed(after | tables | nothing | rest, []) + b"".join(ground)


def by_place(array: NDArray[np.generic]) -> bytes:
    """Return the first bytes of all numbers, then the second ones, and so on."""
    numbers = np.ascontiguousarray(array).ravel()
    return numbers.view(np.uint8).reshape(numbers.size, numbers.itemsize).T.tobytes()


def shown_outputs(source: Source, chosen: Sequence[str] | None) -> list[str]:
    """Return the names of the outputs that are shown: those chosen, or else those of the scene."""
    names = source.scene.outputs if chosen is None else chosen
    return [name for name in names if name in source.model.columns.names]
