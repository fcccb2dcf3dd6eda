"""The parts of a branch that is proven, computed like the rows of a sweep: pieces, each from the one before.

How wide a piece can be follows from the one before: where a step of a proof fails, or a multiplier is not decided, the
next is narrower. What is too narrow is given up, and the part is proven from its other end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.map_rows import Cell, Followed, MapRows
from hybridsim.analysis.moving import Place
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.config.sweep import SweepConfig
from hybridsim.proofs.refusals import NotProvenError, TooWideError
from hybridsim.sweeps.batch import Cancelled
from hybridsim.typing import FloatArray, IntArray

PROVEN, PARTLY, REFUSED = "PROVEN", "PARTLY", "NOT_PROVEN"
"""Statuses of cells."""

STATUS_COLUMN, TEXT_COLUMN = "proof.status", "proof.pieces"
"""Columns of the table."""

WIDER, MUCH_WIDER, NARROWER, CLEARLY = 1.15, 1.5, 0.7, 0.8
"""By how much the next piece is wider or narrower, and how much of a box K takes where pieces may be wider."""

REACH = 1.2
"""By how much the next box is larger than K of the piece before, for pieces of the same width."""

NARROWEST_FOR_SIGNS = 1.0 / 20.0
"""The part of the widest piece below which none is cut further to decide a multiplier."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a branch that is proven for itself.

    Attributes
    ----------
    begin, end : float
        Its ends along the branch, as values of the parameter.
    orbits : tuple of (float, tuple of float)
        The orbits that are known at the ends of the way between them: the parameter, and the state.
    """

    begin: float
    end: float
    orbits: tuple[tuple[float, tuple[float, ...]], ...]


class PieceRows:
    """Proves the parts of a branch; see `hybridsim.sweeps.batch.Runner`.

    Parameters
    ----------
    config : SweepConfig
        The table: its axis has a value for each part.
    followed : Followed
        The orbit that is followed.
    parts : mapping of float to Part
        The parts by these values.
    least : float
        The width below which a piece is given up.
    """

    def __init__(self, config: SweepConfig, followed: Followed, parts: Mapping[float, Part], least: float) -> None:
        self._orbits, (self._key,) = MapRows(config, followed), [axis.key for (axis,) in config.factors]
        (self._parameter,), self._parts, self._least = followed.names, parts, least
        self._models: dict[str, Any] = {}
        self._sizes, self._width, self._bend = followed.sizes, np.inf, np.zeros(len(followed.sizes))
        self._widest = 0.0

    def run(self, values: Mapping[str, NDArray[Any]], stop: IntArray) -> dict[str, NDArray[Any]]:
        """Prove parts; see `hybridsim.sweeps.batch`."""
        found = [self._part(self._parts[value], stop) for value in values[self._key].tolist()]
        statuses = [(REFUSED if not each["pieces"] else PARTLY) if each["gaps"] else PROVEN for each in found]
        texts = [json.dumps(each, separators=(",", ":")) for each in found]
        return {STATUS_COLUMN: np.array(statuses, object), TEXT_COLUMN: np.array(texts, object)}

    def _part(self, part: Part, stop: IntArray) -> dict[str, Any]:
        """Return the pieces of a part along its way, and what is not proven, and why."""
        self._place, self._models = self._begin(part), {}
        first, begin, why = self._march(part.begin, part.end, stop)
        last, end, _ = self._march(part.end, begin, stop)
        gaps = [[min(begin, end), max(begin, end), why]] if end != begin else []
        return {"pieces": [*first, *last[::-1]], "gaps": gaps, "models": self._models}

    def width_at(self, part: Part) -> float:
        """Return how wide pieces are in the middle of a part, about."""
        middle_of = 0.5 * (part.begin + part.end)
        self._place, self._models, self._width = self._begin(part), {}, abs(part.end - part.begin)
        while self._width > self._least:
            with suppress(NotProvenError, NoOrbitError, TooWideError):
                piece, self._width = self._piece(middle_of, middle_of + self._width, None, self._width)
                if piece is not None:
                    return self._width
                continue
            self._width *= NARROWER * NARROWER
        return self._least

    def joint(self, part: Part, at: float, width: float) -> dict[str, Any] | None:
        """Return a narrow piece about a value, which joins pieces that meet there, if it is proven."""
        self._place, self._models, self._bend = self._begin(part), {}, np.zeros_like(self._bend)
        try:
            return self._piece(at - width, at + width, None, 2.0 * width)[0]
        except (NotProvenError, NoOrbitError, TooWideError):
            return None

    def _begin(self, part: Part) -> Place:
        """Return the place of an orbit from which others can be reached: none can from a fold."""
        for value, x in part.orbits:
            place = self._orbits.begin(Cell(np.array([value]), np.array(x), 0.0, 0.0, ""))
            if self._orbits.leads_on(place):
                break
        return place

    def _march(self, begin: float, end: float, stop: IntArray) -> tuple[list[dict[str, Any]], float, str]:
        """Prove pieces one after the other, from one value towards another: return them, and how far it went."""
        pieces: list[dict[str, Any]] = []
        why = ""
        while begin != end:
            if stop[0]:
                raise Cancelled
            left = abs(end - begin)
            width = left / np.ceil(left / min(self._width, left))
            to = end if width >= left else begin + np.copysign(width, end - begin)
            try:
                piece, self._width = self._piece(begin, to, pieces[-1] if pieces else None, width)
            except (NotProvenError, NoOrbitError, TooWideError) as problem:
                why, self._width = str(problem), width * NARROWER * NARROWER
                if self._width < self._least:
                    self._width = 4.0 * self._least
                    break
                continue
            if piece is not None:
                pieces.append(piece)
                begin = to
        return pieces, begin, why

    def _piece(
        self, begin: float, to: float, before: dict[str, Any] | None, width: float
    ) -> tuple[dict[str, Any] | None, float]:
        """Prove a piece, or see that it has to be narrower; return it, and how wide the next one is to be."""
        from hybridsim.proofs.pieces import prove_piece  # noqa: PLC0415  (needs python-flint)

        ends, half = (min(begin, to), max(begin, to)), 0.5 * width
        orbit, tilt = self._orbit(0.5 * (begin + to))
        reach = self._bend * half * half
        joined = (before, begin) if before is not None else None
        piece, tries, ratio, share = prove_piece(orbit, (self._parameter, *ends), tilt, reach, joined)
        self._models.setdefault(piece["chain"], piece.pop("model"))
        self._bend = REACH * np.array(piece.pop("spread")) / (half * half)
        self._widest = max(self._widest, width)
        narrowest = max(self._least, NARROWEST_FOR_SIGNS * self._widest)
        if share < 1.0:
            return (None, max(width * share * CLEARLY, narrowest)) if width > 1.01 * narrowest else (piece, width)
        if width < 0.5 * self._widest:
            return piece, width * MUCH_WIDER
        wider = WIDER if tries == 1 and ratio < CLEARLY else 1.0
        return piece, wider * (max(width, self._width) if np.isfinite(self._width) else width)

    def _orbit(self, value: float) -> tuple[Orbit, FloatArray]:
        """Return the computed orbit at a value, and by how much its free states change with the parameter."""
        there = self._orbits.reach(self._place, np.array([value]))
        if there is None:
            raise NotProvenError("no orbit is found there")
        self._place = there
        orbit = self._orbits.orbit(there)
        return orbit, there.tangent[:, 0] * self._sizes
