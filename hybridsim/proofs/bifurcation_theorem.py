"""What has been proven of a period doubling or a fold, as sentences and as numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hybridsim.errors import explains_keywords
from hybridsim.proofs.enclosure import Enclosure, MultiplierDisc
from hybridsim.proofs.theorem import WIDTH, Certified, assumptions


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BifurcationTheorem(Certified):
    """A theorem about a period doubling or a fold; `print(theorem)` says it in words.

    Parameters
    ----------
    model : str
        The name of the model.
    sources : mapping of str to str
        Its files with their SHA-256.
    parameters : mapping of str to float
        The values of its other parameters and inputs, exactly.
    parameter : str
        The parameter that varies.
    value : Enclosure
        Its value at the bifurcation.
    within : (float, float)
        The interval in which there is no other one: its middle and its reach to both sides.
    events : tuple of (str, str, str)
        The boundaries that a period crosses, each with the charts before and after.
    unique_in : mapping of str to (float, float)
        The box of states that this is about, by the names of the states that have to return.
    box : mapping of str to Enclosure
        The state there.
    period : Enclosure
        The period there [s].
    multiplier : int
        The multiplier that is proven: -1 where the period doubles, 1 at a fold.
    disc : MultiplierDisc
        The disc that has this multiplier, and no other.
    others : tuple of MultiplierDisc
        Discs of the others.
    inside, outside, undecided : int
        How many of these are smaller than 1 in size, larger, and not decided.
    given : mapping of str to float
        The states that have these values, as the motion leaves them as they are, or an event sets them again.
    ignored : tuple of str
        The states that need not return, and change nothing of those that do.
    certificate : mapping
        What an independent checker needs.
    """

    model: str
    sources: Mapping[str, str]
    parameters: Mapping[str, float]
    parameter: str
    value: Enclosure
    within: tuple[float, float]
    events: tuple[tuple[str, str, str], ...]
    unique_in: Mapping[str, tuple[float, float]]
    box: Mapping[str, Enclosure]
    period: Enclosure
    multiplier: int
    disc: MultiplierDisc
    others: tuple[MultiplierDisc, ...]
    inside: int
    outside: int
    undecided: int
    given: Mapping[str, float]
    ignored: tuple[str, ...]
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<BifurcationTheorem about {self.model}: {self.parameter} = {self.value}>"

    def __str__(self) -> str:
        paragraphs = [assumptions(self.model, self.sources, self.parameters), *self.sentences()]
        return "\n\n".join(textwrap.fill(text, WIDTH, break_long_words=False) for text in paragraphs)

    def sentences(self) -> list[str]:
        """Say the theorem without its hypotheses.

        Returns
        -------
        list of str
            Its paragraphs.
        """
        (at, reach), chain = self.within, ", ".join(f"{name} ({a} -> {b})" for name, a, b in self.events)
        box = ", ".join(f"|{name} - {x!r}| <= {by!r}" for name, (x, by) in self.unique_in.items())
        state = ", ".join(f"{name} = {value}" for name, value in self.box.items())
        counts = f"{self.inside} smaller than 1 in size, {self.outside} larger"
        counts += f", {self.undecided} not decided" if self.undecided else ""
        others = "".join(f" Given is {name} = {value!r}." for name, value in self.given.items())
        if self.ignored:
            others += f" The motion does not depend on {', '.join(self.ignored)}, and need not return there."
        name, what = self.parameter, f"a multiplier {self.multiplier}"
        return [
            f"There is exactly one {name} with |{name} - {at!r}| <= {reach!r} at which an orbit that begins behind "
            f"{self.events[-1][0]} with {box} has {what}, and one such orbit: {name} is {self.value}. It crosses "
            f"{chain}; there, {state}, and its period is {self.period}.{others} {self._what_happens()} The others, "
            f"with that of the section, are {'; '.join(map(str, self.others))}: {counts}."
        ]

    def _what_happens(self) -> str:
        if self.multiplier < 0:
            return (
                "The period doubles: the multiplier is simple, and crosses -1, as its derivative by "
                f"{self.parameter} along the orbits is not 0."
            )
        return (
            f"The multiplier is simple. The curve of orbits turns round there: {self.parameter} along it has the "
            "derivative 0, and a second derivative that is not 0."
        )
