"""A piece of a branch: for all values of a parameter from one end to the other, one orbit in a box along the branch."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.proofs import balls, certificate, krawczyk, multipliers
from hybridsim.proofs.api import COARSE, chain_of, point_of, words_of
from hybridsim.proofs.balls import Ball, ball, matrix, middle, upper
from hybridsim.proofs.enclosure import Enclosure
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.refusals import NotProvenError
from hybridsim.proofs.shooting import Period, period
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

INFLATIONS, INFLATION, ROUNDING = 4, 1.15, 1e-12
"""Boxes tried for a piece, by how much the next is larger than K, and what the engine's orbit may miss of a state."""


def prove_piece(
    orbit: Orbit,
    interval: tuple[str, float, float],
    tilt: FloatArray,
    reach: FloatArray,
    before: tuple[Mapping[str, Any], float] | None = None,
) -> tuple[dict[str, Any], int, float, float]:
    """Prove a piece.

    Parameters
    ----------
    orbit : Orbit
        The computed orbit in its middle.
    interval : (str, float, float)
        The parameter, and the ends.
    tilt : (n_free,) array
        By how much the free states change with the parameter.
    reach : (n_free,) array
        The box to begin with.
    before : (mapping, float), optional
        The piece that it is to be joined to, and where.

    Returns
    -------
    piece : dict
        What a certificate says of it; `model`, of all pieces with the same events, and `spread`, how far K reaches.
    tries : int
        How many boxes were tried.
    ratio : float
        How much of the box K takes.
    share : float
        How much narrower it would have to be to decide all multipliers, about; 1 if they are.

    Raises
    ------
    NotProvenError or TooWideError
        If it is not proven.
    """
    with balls.working(COARSE.bits, COARSE.order):
        proof = PieceProof(orbit, *interval, tilt)
        if before is not None:
            reach = np.maximum(reach, INFLATION * proof.miss(*before))
        return proof.prove(reach)


class PieceProof:
    """The proof of one piece, from the computed orbit in its middle."""

    def __init__(self, orbit: Orbit, parameter: str, low: float, high: float, tilt: FloatArray) -> None:
        self.ends, self.chain = (low, high), chain_of(orbit, parameter)
        self.model = model_of(orbit, self.chain)
        self.free = tuple(self.chain.variables.index(name) for name in orbit.free)
        indices = orbit.free_states.free
        self._x, slopes = orbit.found.x0[indices], orbit.found.by_state[np.ix_(indices, indices)]
        if not np.isfinite(slopes).all() or np.linalg.cond(slopes - np.eye(len(indices))) > 1e10:
            raise NotProvenError("DP - 1 is singular, as at a fold")
        self._inverse = matrix(np.linalg.inv(slopes - np.eye(len(indices))).tolist())
        self._tilt = [ball(float(t)) for t in tilt]
        self.box = dataclasses.replace(point_of(self.chain, self.free, self.ends), tilt=self._tilt)

    def miss(self, before: Mapping[str, Any], at: float) -> FloatArray:
        """Return how far the orbits of another piece are from the line of this one, at a value of the parameter."""
        own = line_at(certificate.box_record(self.box), at)
        away = [a - b for a, b in zip(orbit_at(before, at), own, strict=True)]
        return np.array([float(upper(a)) for a in away])

    def prove(self, reach: FloatArray) -> tuple[dict[str, Any], int, float, float]:
        """Return a piece, how many boxes were tried, how much of it K takes, and how much narrower signs need it.

        Raises
        ------
        NotProvenError
            If it is not proven.
        """
        least = np.abs(self._x) * ROUNDING + ROUNDING * np.abs(self._x).max(initial=1e-3)
        sides = [ball(float(r)) for r in np.maximum(reach, least)]
        for tries in range(1, INFLATIONS + 1):
            self.box = dataclasses.replace(self.box, reach=[*sides, self.box.reach[-1]])
            found = period(self.chain, self.box, COARSE)
            image = krawczyk.krawczyk(self.chain, self.box, found, self._inverse)
            ratio = max(float(upper(k) / r) for k, r in zip(image, sides, strict=True))
            if krawczyk.contains_one(self.box, image):
                return self._record(found, image, tries, ratio)
            if not np.isfinite(ratio):
                break
            sides = [middle(upper(k) * INFLATION + r * 0.01) for k, r in zip(image, sides, strict=True)]
        raise NotProvenError(f"K is {ratio:.3g} times as large as the box")

    def _record(
        self, found: Period, image: Sequence[Ball], tries: int, ratio: float
    ) -> tuple[dict[str, Any], int, float, float]:
        discs, vectors = multipliers.multiplier_discs(krawczyk.return_slopes(self.box, found))
        counts = multipliers.count(discs)
        piece = {
            "interval": [end.hex() for end in self.ends],
            "chain": hashlib.sha256(json.dumps(self.model).encode()).hexdigest()[:16],
            "model": self.model,
            "spread": [float(upper(k)) for k in image],
            "image": [balls.exact(k) for k in image],
            "pass": certificate.pass_of(self.box, found, self._inverse, COARSE),
            **certificate.claims(vectors, discs, counts, Enclosure(*balls.ends(found.moments[-1]))),
        }
        share = min((abs(abs(z.centre) - 1.0) / z.radius for z in discs), default=1.0) if counts[2] else 1.0
        return piece, tries, ratio, min(share, 1.0)


def model_of(orbit: Orbit, chain: Chain) -> dict[str, Any]:
    """Return what pieces with the same chain of events have in common."""
    words = words_of(orbit, chain)
    return {
        "variables": list(chain.variables),
        "legs": certificate.model_of(chain),
        "given": words["given"],
        "ignored": words["ignored"],
    }


def line_at(box: Mapping[str, Any], at: float) -> list[Ball]:
    """Return the middle of a box at a value of the parameter."""
    read = balls.from_exact
    centre, tilt = ([read((*pair, 0, 0)) for pair in box[name]] for name in ("centre", "tilt"))
    away = ball(at) - centre[-1]
    return [centre[i] + t * away for i, t in zip(box["free"], tilt, strict=True)]


def orbit_at(piece: Mapping[str, Any], at: float) -> list[Ball]:
    """Return where the orbit of a piece is at a value of the parameter."""
    return [x + balls.from_exact(k) for x, k in zip(line_at(piece["pass"], at), piece["image"], strict=True)]


def is_joined(first: Mapping[str, Any], second: Mapping[str, Any], at: float) -> bool:
    """Return whether two pieces have the same orbit at a value of the parameter that both have.

    That of one has to lie in the box of the other, in which there is only one.
    """
    if first["chain"] != second["chain"]:
        return False
    with balls.working(COARSE.bits, COARSE.order):
        return _is_in(first, second, at) or _is_in(second, first, at)


def _is_in(first: Mapping[str, Any], second: Mapping[str, Any], at: float) -> bool:
    box = second["pass"]
    away = [a - b for a, b in zip(orbit_at(first, at), line_at(box, at), strict=True)]
    return all(upper(a) < balls.from_exact((*r, 0, 0)) for a, r in zip(away, box["reach"], strict=False))
