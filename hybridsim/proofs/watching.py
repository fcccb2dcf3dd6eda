"""The sign of what is watched, along a leg: boundaries fire where they fall to zero, and nowhere else.

What is proven of each piece [a, b] of a step, for all solutions together, is one of: it is positive; it is negative and
has not been positive, of a boundary that is armed when it is; it rises; it sinks from exactly zero, or from below, of
such a boundary. What has risen is positive as soon as its value
says so. A piece of which none of it can be proven is halved.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from hybridsim.proofs.balls import Ball, ball, digits, hull, middle
from hybridsim.proofs.chart_flow import Step
from hybridsim.proofs.legs import Watch
from hybridsim.proofs.refusals import TooWideError

MAX_HALVINGS = 24
"""How often a step is halved to see the sign of a boundary."""


class Sign(Enum):
    """What has been proven of a boundary up to some instant."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    RISING = "rising"
    ZERO = "zero"


class Piece(NamedTuple):
    """A piece [a, b] of a step, and what is proven there: the sign of the values, or that they rise or fall."""

    a: Ball
    b: Ball
    proven: str


def first_sign(watch: Watch, value: Ball) -> Sign:
    """Return what is known where a leg begins, from the values there.

    Raises
    ------
    TooWideError
        If a boundary may be negative that must not be.
    """
    if watch.begins_at_zero and watch.may_be_zero:
        return Sign.ZERO if watch.may_be_negative else Sign.RISING
    if value > 0:
        return Sign.POSITIVE
    if watch.may_be_negative:
        return Sign.NEGATIVE if value < 0 else Sign.RISING
    raise TooWideError(f"{watch.name} is not known to be positive where the chart begins: {digits(value, 6)}")


def watch_step(step: Step, index: int, sign: Sign, until: Ball, since: Ball | None = None) -> tuple[Sign, list[Piece]]:
    """Prove the sign of what is watched from the beginning of a step on, or from an instant within it.

    Parameters
    ----------
    step : Step
        The step.
    index : int
        What is watched.
    sign : Sign
        What is known where the step begins.
    until : Ball
        Where it ends, an exact number.
    since : Ball, optional
        Where it begins, an exact number.

    Returns
    -------
    sign : Sign
        What is known at its end.
    pieces : list of Piece
        What is proven of each piece.

    Raises
    ------
    TooWideError
        If nothing can be proven of a piece that is as short as pieces get.
    """
    pieces: list[Piece] = []
    for piece, after in _pieces(step, index, sign, ball(0) if since is None else since, until):
        pieces.append(piece)
        sign = after
    return sign, pieces


def _pieces(step: Step, index: int, sign: Sign, a: Ball, b: Ball) -> Iterator[tuple[Piece, Sign]]:
    left = [(a, b, 0)]
    while left:
        a, b, depth = left.pop()
        found = _proven(step, index, sign, a, b)
        if found is not None:
            word, sign = found
            yield Piece(a, b, word), sign
        elif depth == MAX_HALVINGS:
            watch, value = step.leg.watches[index], step.value(index, hull(a, b))
            raise TooWideError(
                f"{watch.name} may fall to zero: its value is {digits(value, 6)} at {digits(a, 6)} s into a step"
            )
        else:
            half = middle((a + b) / 2)
            left += [(half, b, depth + 1), (a, half, depth + 1)]


def _proven(step: Step, index: int, sign: Sign, a: Ball, b: Ball) -> tuple[str, Sign] | None:
    """Return what can be proven between a and b, and what is known at b; None if nothing."""
    between = hull(a, b)
    value = step.value(index, between)
    if value > 0:
        return "positive", Sign.POSITIVE
    if value < 0 and sign is Sign.NEGATIVE:
        return "negative", Sign.NEGATIVE
    rate = step.rate(index, between)
    if rate > 0:
        is_positive = sign is Sign.POSITIVE or step.value_at(index, b) > 0
        return "rises", Sign.POSITIVE if is_positive else Sign.RISING
    if rate < 0 and sign in (Sign.ZERO, Sign.NEGATIVE):
        return "sinks", Sign.NEGATIVE
    if rate < 0 and sign is Sign.POSITIVE and step.value_at(index, b) > 0:
        return "falls", Sign.POSITIVE
    return None
