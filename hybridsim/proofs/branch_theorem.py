"""What has been proven of a branch, as sentences and as numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

from hybridsim.errors import explains_keywords
from hybridsim.proofs.bifurcation_theorem import BifurcationTheorem
from hybridsim.proofs.enclosure import Enclosure
from hybridsim.proofs.theorem import WIDTH, Certified, assumptions

FORMAT = "hybridsim branch proof 1"
"""What a certificate of a branch begins with."""

Gap = tuple[float, float, str]
"""The ends of an interval for which nothing is proven, and why."""

MOST_LISTED = 8
"""Most gaps that are listed in words."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a branch, proven for all of its values at once.

    Attributes
    ----------
    low, high : float
        The values of the parameter.
    period : Enclosure
        All periods [s].
    state : mapping of str to float
        About where the orbit is in its middle, by the names of the states that have to return.
    inside, outside, undecided : int
        How many multipliers are smaller than 1 in size, larger, and not decided.
    """

    low: float
    high: float
    period: Enclosure
    state: Mapping[str, float]
    inside: int
    outside: int
    undecided: int

    @classmethod
    def of(cls, record: Mapping[str, Any], variables: Sequence[str]) -> Piece:
        """Return what the record of a piece says."""
        claims, box = record["claims"], record["pass"]
        low, high = map(float.fromhex, record["interval"])
        state = {
            variables[i]: float(m * Fraction(2) ** e) for i, (m, e) in ((i, box["centre"][i]) for i in box["free"])
        }
        return cls(low, high, Enclosure(*map(Fraction, claims["period"])), state, *claims["counts"])

    @property
    def verdict(self) -> str:
        """Whether the orbits are stable, in a word."""
        return "unstable" if self.outside else "not decided" if self.undecided else "exponentially stable"


@dataclass(frozen=True, slots=True)
class Tube:
    """Pieces that are joined: for each value of the parameter there is one orbit, which depends smoothly on it.

    Attributes
    ----------
    pieces : tuple of Piece
        The pieces along the branch.
    events : tuple of (str, str, str)
        The boundaries that a period crosses, each with the charts before and after.
    given : mapping of str to float
        The states that have these values, as the motion leaves them as they are, or an event sets them again.
    ignored : tuple of str
        The states that need not return, and change nothing of those that do.
    """

    pieces: tuple[Piece, ...]
    events: tuple[tuple[str, str, str], ...]
    given: Mapping[str, float]
    ignored: tuple[str, ...]

    @classmethod
    def of(cls, records: Sequence[Mapping[str, Any]], model: Mapping[str, Any]) -> Tube:
        """Return what the records of pieces say, and that of their chain."""
        events = tuple((leg["boundary"], leg["chart"], leg["next_chart"]) for leg in model["legs"])
        pieces = tuple(Piece.of(record, model["variables"]) for record in records)
        return cls(pieces, events, model["given"], tuple(model["ignored"]))

    @property
    def interval(self) -> tuple[float, float]:
        """The values of the parameter."""
        return min(piece.low for piece in self.pieces), max(piece.high for piece in self.pieces)

    @property
    def stability(self) -> list[tuple[float, float, str]]:
        """Intervals of the parameter, in order, with a word on each."""
        pieces = sorted(self.pieces, key=lambda piece: (piece.low, piece.high))
        groups = ([*some] for _, some in groupby(pieces, key=lambda piece: piece.verdict))
        return [(some[0].low, max(piece.high for piece in some), some[0].verdict) for some in groups]

    def describe(self, name: str) -> str:
        """Return what is proven for each value of a parameter."""
        low, high = self.interval
        there = self.pieces[len(self.pieces) // 2]
        state = ", ".join(f"{state} = {value:.6g}" for state, value in there.state.items())
        chain = ", ".join(f"{name} ({before} -> {after})" for name, before, after in self.events)
        shortest, longest = (
            pick(float(end) for piece in self.pieces for end in (piece.period.low, piece.period.high))
            for pick in (min, max)
        )
        others = "".join(f" Given is {name} = {value!r}." for name, value in self.given.items())
        if self.ignored:
            others += f" The motion does not depend on {', '.join(self.ignored)}, and need not return there."
        signs = "; ".join(f"{word} from {low!r} to {high!r}" for low, high, word in self.stability)
        return (
            f"For each {name} from {low!r} to {high!r} ({low.hex()} .. {high.hex()}) there is exactly one orbit in the "
            f"tube (a box for each value, {len(self.pieces)} pieces; about {state} at {name} = "
            f"{0.5 * (there.low + there.high):.6g}), and it depends smoothly on {name}. It crosses {chain}, each with "
            f"a slope that is not zero, and no other boundary in between; validate accepts it. Its period is between "
            f"{shortest:.12g} and {longest:.12g}.{others} It is {signs}."
        )


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BranchTheorem(Certified):
    """Theorems about a branch of orbits; `print(theorem)` says them in words.

    Parameters
    ----------
    model : str
        The name of the model.
    sources : mapping of str to str
        Its files with their SHA-256.
    parameters : mapping of str to float
        The values of its other parameters and inputs, exactly.
    parameter : str
        The parameter that has all values.
    tubes : tuple of Tube
        What is proven: pieces of the branch that are joined.
    not_proven : tuple of (float, float, str)
        The ends of intervals for which nothing is proven, and why.
    bifurcations : tuple of BifurcationTheorem
        Where the period doubles, and folds.
    certificate : mapping
        What an independent checker needs.
    """

    model: str
    sources: Mapping[str, str]
    parameters: Mapping[str, float]
    parameter: str
    tubes: tuple[Tube, ...]
    not_proven: tuple[Gap, ...]
    bifurcations: tuple[BifurcationTheorem, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the branch is left out."""
        return len(self.tubes) == 1 and not self.not_proven

    def __repr__(self) -> str:
        proven = ", ".join("{!r} to {!r}".format(*tube.interval) for tube in self.tubes) or "nothing"
        return f"<BranchTheorem about {self.model}: {self.parameter} = {proven}>"

    def __str__(self) -> str:
        paragraphs = [assumptions(self.model, self.sources, self.parameters)]
        paragraphs += [tube.describe(self.parameter) for tube in self.tubes]
        paragraphs += [sentence for each in self.bifurcations for sentence in each.sentences()]
        paragraphs += [
            f"Nothing is proven for {self.parameter} from {low!r} to {high!r}: {why}."
            if low < high
            else f"At {self.parameter} = {low!r}: {why}."
            for low, high, why in self.not_proven[:MOST_LISTED]
        ]
        if len(self.not_proven) > MOST_LISTED:
            paragraphs.append(f"Nor for {len(self.not_proven) - MOST_LISTED} further intervals: see the certificate.")
        return "\n\n".join(textwrap.fill(text, WIDTH, break_long_words=False) for text in paragraphs)


def shared(first: Mapping[str, Any], second: Mapping[str, Any]) -> float | None:
    """Return a value of the parameter that two pieces have in common, if there is one."""
    (a, b), (c, d) = (map(float.fromhex, piece["interval"]) for piece in (first, second))
    return max(a, c) if max(a, c) <= min(b, d) else None
