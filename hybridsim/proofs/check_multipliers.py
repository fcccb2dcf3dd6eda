"""The discs of the multipliers, checked, and on which side of the unit circle they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hybridsim.proofs.check_numbers import Ball, one, sqrt
from hybridsim.proofs.check_step import require

if TYPE_CHECKING:
    from hybridsim.proofs.check_period import PassCheck

Complex = tuple[Ball, Ball]


def _times(a: Sequence[Sequence[Complex]], b: Sequence[Sequence[Complex]]) -> list[list[Complex]]:
    rows = []
    for row in a:
        cells = []
        for column in zip(*b, strict=True):
            real, imaginary = Ball(0), Ball(0)
            for (p, q), (r, s) in zip(row, column, strict=True):
                real, imaginary = real + p * r - q * s, imaginary + p * s + q * r
            cells.append((real, imaginary))
        rows.append(cells)
    return rows


def _size(z: Complex) -> Ball:
    """Return a bound of the size of a complex number."""
    square = z[0].size() * z[0].size() + z[1].size() * z[1].size()
    return sqrt(Ball(square.high + 1)).size()


def multiplier_discs(certificate: Mapping[str, Any], found: PassCheck) -> list[tuple[Complex, Ball]]:
    """Check the discs: with E = W T near 1, the eigenvalues of DP are those of E^-1 W DP T (Gershgorin)."""

    def read(name: str) -> list[list[Complex]]:
        return [
            [(Ball.of_float(float.fromhex(re)), Ball.of_float(float.fromhex(im))) for re, im in row]
            for row in certificate[name]
        ]

    vectors, inverse = read("vectors"), read("inverse_vectors")
    slopes = [[(x, Ball(0)) for x in row] for row in found.slopes]
    n = len(slopes)
    square = all(len(matrix) == n == len(row) for matrix in (vectors, inverse, slopes) for row in matrix)
    require(n > 0 and square, "the vectors are not as many as the states that return")
    near_one = _times(inverse, vectors)
    for i, row in enumerate(near_one):
        row[i] = (row[i][0] - one(), row[i][1])
    error = max((total([_size(z) for z in row]) for row in near_one), key=lambda x: x.high)
    require(error.high < one().m // 2, "the vectors are not near to eigenvectors")
    share = (error / (one() - error)).size()
    moved = _times(_times(inverse, slopes), vectors)
    largest = [max((_size(row[j]) for row in moved), key=lambda x: x.high) for j in range(len(moved))]
    discs = []
    for i, row in enumerate(moved):
        reach = total([_size(z) for j, z in enumerate(row) if j != i] + [share * size for size in largest])
        discs.append((row[i], reach.size()))
    discs = one_apart(discs, one(), "the multiplier 1 of a kept quantity") if certificate["fixed"] else discs
    claims = [
        (Ball.of_float(float.fromhex(re)), Ball.of_float(float.fromhex(im)), Ball.of_float(float.fromhex(r)))
        for re, im, r in certificate["claims"]["multipliers"]
    ]
    require(len(claims) == len(discs), "there is not one disc for each multiplier")
    used = set()
    for centre, reach in discs:
        inside = [(_size((centre[0] - re, centre[1] - im)) + reach).high <= radius.low for re, im, radius in claims]
        require(any(inside), "a multiplier is not proven to be in its disc")
        used |= {k for k, holds in enumerate(inside) if holds}
    require(len(used) == len(claims), "a disc has no multiplier")
    return discs


def one_apart(discs: Sequence[tuple[Complex, Ball]], value: Ball, what: str) -> list[tuple[Complex, Ball]]:
    """Return the discs without that of a multiplier that is known, and which has to be apart from all others."""
    near = [sqrt_below((z[0] - value, z[1])).low <= reach.high for z, reach in discs]
    require(near.count(True) == 1, f"{what} is not in one disc")
    (at, size) = discs[near.index(True)]
    others = [disc for disc, holds in zip(discs, near, strict=True) if not holds]
    for z, reach in others:
        apart = sqrt_below((at[0] - z[0], at[1] - z[1])).low > (size + reach).high
        require(apart, f"{what} is not apart from others")
    return others


def total(parts: Sequence[Ball]) -> Ball:
    """Return the sum."""
    total = Ball(0)
    for part in parts:
        total += part
    return total


def check_counts(discs: Sequence[tuple[Complex, Ball]], counts: Sequence[int]) -> None:
    """Check how many multipliers are inside and outside of the unit circle; those of overlapping discs are together."""
    sides = []
    for centre, reach in discs:
        size = _size(centre)
        least = sqrt_below(centre) - reach
        sides.append(1 if (size + reach).high < one().m else -1 if least.low > one().m else 0)
    for _ in discs:
        for i, (a, r) in enumerate(discs):
            for j, (b, s) in enumerate(discs):
                apart = sqrt_below((a[0] - b[0], a[1] - b[1])).low > (r + s).high
                if sides[j] == 0 and not apart:
                    sides[i] = 0
    found = [sides.count(1), sides.count(-1), sides.count(0)]
    require(all(a >= b for a, b in zip(found[:2], counts[:2], strict=True)), "the multipliers are not counted right")
    require(sum(counts) == len(discs) and min(counts) >= 0, "not all multipliers are counted")


def sqrt_below(z: Complex) -> Ball:
    """Return a number that is not above the size of a complex number."""
    parts = [max(abs(x.m) - x.r, 0) for x in z]
    square = sum(part * part for part in parts) >> Ball.bits
    return Ball(sqrt(Ball(square)).low) if square > 1 else Ball(0)
