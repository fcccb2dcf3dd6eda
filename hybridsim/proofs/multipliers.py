"""Multipliers: discs that contain the eigenvalues of DP, and how many lie inside and outside of the unit circle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybridsim.proofs.balls import Ball, Matrix, eigenvalue_discs
from hybridsim.proofs.enclosure import MultiplierDisc, tidy
from hybridsim.proofs.krawczyk import floats
from hybridsim.proofs.refusals import NotProvenError


def multiplier_discs(slopes: Matrix) -> tuple[list[MultiplierDisc], Any]:
    """Return discs with all eigenvalues of every matrix in DP, the largest first, and the vectors used."""
    vectors = np.linalg.eig(floats(slopes))[1]
    found = eigenvalue_discs(slopes, vectors)
    largest = max((abs(at) for at, *_ in found), default=0.0)
    discs = [
        tidy(at, _up(reach, at, (real, imaginary)) + FLOAT * (1.0 + largest)) for at, real, imaginary, reach in found
    ]
    return sorted(discs, key=lambda disc: -abs(disc.centre)), vectors


FLOAT = 1e-13
"""What is added to a radius, as whoever checks it takes the eigenvectors as floats."""


def _up(reach: Ball, at: complex, centre: Sequence[Ball]) -> float:
    """Return a float that is at least the radius about a centre that is rounded."""
    rounding = abs(centre[0] - at.real) + abs(centre[1] - at.imag)
    return float((reach + rounding).upper()) * (1.0 + 1e-15)


def count(discs: Sequence[MultiplierDisc]) -> tuple[int, int, int]:
    """Return how many multipliers are inside of the unit circle, outside of it, and not decided.

    Discs that overlap contain as many eigenvalues together as there are discs, and it is not known which has how many:
    what overlaps one that is not decided is not decided, either.
    """
    sides = [_side(disc) for disc in discs]
    for _ in discs:
        for i, first in enumerate(discs):
            for j, second in enumerate(discs):
                if sides[j] == 0 and not apart(first, second):
                    sides[i] = 0
    return sides.count(1), sides.count(-1), sides.count(0)


def on_level(discs: Sequence[MultiplierDisc]) -> list[MultiplierDisc]:
    """Return discs of the multipliers on a level of a kept quantity: all but that of 1, which the quantity makes.

    Raises
    ------
    NotProvenError
        If the disc with 1 overlaps another one.
    """
    there = [disc for disc in discs if abs(disc.centre - 1.0) <= disc.radius * (1.0 + 1e-14)]
    others = [disc for disc in discs if disc not in there]
    if len(there) != 1 or any(not apart(there[0], disc) for disc in others):
        raise NotProvenError("the multiplier 1 of the kept quantity is not apart from others: the orbit is at a fold")
    return others


def apart(first: MultiplierDisc, second: MultiplierDisc) -> bool:
    """Return whether two discs have no number in common."""
    return abs(first.centre - second.centre) * (1.0 - 1e-14) > first.radius + second.radius


def _side(disc: MultiplierDisc) -> int:
    """Return 1 for a disc inside of the unit circle, -1 for one outside of it, 0 for others."""
    size = abs(disc.centre)
    return 1 if size + disc.radius < 1.0 - 1e-14 else -1 if size - disc.radius > 1.0 + 1e-14 else 0
