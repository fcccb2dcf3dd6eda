"""What has been proven, as a sentence and as numbers."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridsim.errors import explains_keywords
from hybridsim.proofs.enclosure import Enclosure, MultiplierDisc
from hybridsim.results.files import refuse_unusable, replacing

WIDTH = 100


class Certified:
    """A theorem with its certificate."""

    __slots__ = ()

    certificate: Mapping[str, Any]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the certificate, which `hybridsim prove --check` reads.

        Parameters
        ----------
        path : path
            The .json file.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        path, record = Path(path), {**self.certificate, "theorem": str(self)}
        refuse_unusable(path)
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(record, separators=(",", ":")))
        return path


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Theorem(Certified):
    """A theorem about an orbit; `print(theorem)` says it in words.

    Parameters
    ----------
    model : str
        The name of the model.
    sources : mapping of str to str
        Its files with their SHA-256.
    parameters : mapping of str to float
        The values of its parameters and inputs, exactly.
    varied : str
        The parameter that has all values of an interval, "" if there is none; `interval` are its ends.
    interval : tuple of float
        The ends.
    section : str
        Where a period begins: "after heelstrike", or "at t = 0.0".
    image : str
        The image in which strides end, in words; "" without a symmetry.
    closes_after : int
        After how many periods the motion itself returns, if the image of a motion is seen to be a motion, too; else 0.
    events : tuple of (str, str, str)
        The boundaries that a period crosses, each with the charts before and after.
    unique_in : mapping of str to (float, float)
        The box in which exactly one state returns, by the names of the states that have to: its middle and its reach to
        both sides. With a varied parameter, the middle is that at the middle of the interval, and moves by `tilt`.
    tilt : mapping of str to float
        By how much the middle moves with the varied parameter.
    box : mapping of str to Enclosure
        Where this state is.
    beyond : tuple of str
        The states that are not within the limits that the model sets to initial values.
    fixed : mapping of str to float
        The level of an output that every flow and event keeps, for an orbit of a family.
    given : mapping of str to float
        The states that have these values, as the motion leaves them as they are, or an event sets them again.
    ignored : tuple of str
        The states that need not return, and change nothing of those that do.
    period : Enclosure
        The time of a period [s].
    multipliers : tuple of MultiplierDisc
        Discs that contain the multipliers, largest first.
    inside, outside, undecided : int
        How many of these are smaller than 1 in size, larger, and not decided.
    certificate : mapping
        What an independent checker needs.
    """

    model: str
    sources: Mapping[str, str]
    parameters: Mapping[str, float]
    varied: str
    interval: tuple[float, ...]
    section: str
    image: str
    closes_after: int
    events: tuple[tuple[str, str, str], ...]
    unique_in: Mapping[str, tuple[float, float]]
    tilt: Mapping[str, float]
    box: Mapping[str, Enclosure]
    beyond: tuple[str, ...]
    fixed: Mapping[str, float]
    given: Mapping[str, float]
    ignored: tuple[str, ...]
    period: Enclosure
    multipliers: tuple[MultiplierDisc, ...]
    inside: int
    outside: int
    undecided: int
    certificate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stable(self) -> bool | None:
        """Whether all multipliers are smaller than 1 in size; None if that is not decided.

        Of motions with the same value of what is `fixed` or `given`.
        """
        if self.outside:
            return False
        return None if self.undecided else True

    def __repr__(self) -> str:
        return f"<Theorem about {self.model}: period {self.period}, {self._verdict()}>"

    def __str__(self) -> str:
        paragraphs = [self._assumptions(), self._existence(), self._motion(), self._stability()]
        return "\n\n".join(textwrap.fill(text, WIDTH, break_long_words=False) for text in paragraphs)

    def _assumptions(self) -> str:
        varied = ""
        if self.varied:
            low, high = self.interval
            varied = f" For each {self.varied} from {low!r} to {high!r} ({low.hex()} .. {high.hex()}):"
        others = {name: value for name, value in self.parameters.items() if name != self.varied}
        return f"{assumptions(self.model, self.sources, others)}{varied}"

    def _existence(self) -> str:
        box = ", ".join(
            f"|{name} - {self._middle(name, at)}| <= {reach!r}" for name, (at, reach) in self.unique_in.items()
        )
        at = "\n".join(f"{name} = {value}" for name, value in self.box.items())
        others = ""
        if self.given:
            others += " Given are " + ", ".join(f"{name} = {value!r}" for name, value in self.given.items()) + "."
        if self.beyond:
            others += f" No run may begin there: {', '.join(self.beyond)} is beyond the limits of initial values."
        if self.ignored:
            others += f" The motion does not depend on {', '.join(self.ignored)}, and need not return there."
        word, level = "It lies in" if self.varied else "It is", ""
        for name, value in self.fixed.items():
            level = f" and the {name} {value!r} ({value.hex()})"
            others += f" Flows and events keep the {name}, which is seen from the expressions."
        return (
            f"Among the states {self.section} with {box}{level}, there is exactly one from which the "
            f"motion returns to {self._end()}. {word} {at.replace(chr(10), ', ')}.{others}"
        )

    @property
    def _reads_time(self) -> bool:
        return not self.section.startswith("after")

    def _end(self) -> str:
        """Return where a motion returns to, and when."""
        when = "after the period below" if self._reads_time else "after the events below"
        if not self.image:
            return f"itself {when}"
        then = "That the image of a motion is a motion, too, is a property of the model, and no part of this theorem"
        if self.closes_after:
            then = (
                "The image of a motion is a motion, too, which is seen from the expressions: so this one closes after "
                f"{self.closes_after} periods"
            )
        return f"itself {when} if each stride is followed by its image, in which {self.image}. ({then})"

    def _middle(self, name: str, at: float) -> str:
        if not self.varied:
            return repr(at)
        return f"({at!r} + {self.tilt[name]!r} ({self.varied} - {sum(self.interval) / 2!r}))"

    def _motion(self) -> str:
        chain = ", ".join(f"{name} ({before} -> {after})" for name, before, after in self.events)
        crossed, repeats = "no boundary", ""
        if chain:
            crossed = f"{chain}, each with a slope that is not zero, and no other boundary in between"
        if self._reads_time:
            repeats = " After this time the model's functions repeat, which is seen from the expressions that read t."
        return (
            f"It crosses {crossed}; every branch of the model's functions is decided throughout, and validate accepts "
            f"it. Its period is {self.period}.{repeats}"
        )

    def _stability(self) -> str:
        listed = "; ".join(map(str, self.multipliers))
        if self.fixed:
            listed += f" (on its level of {', '.join(self.fixed)})"
        section = "" if self._reads_time else ", with that of the section, which is 0,"
        return f"Its multipliers{section} are {listed}. {self._verdict()}."

    def _verdict(self) -> str:
        counts = f"{self.inside} smaller than 1 in size, {self.outside} larger"
        if self.undecided:
            return f"{counts}, {self.undecided} not decided"
        same = [f"the same {name}" for name in (*self.fixed, *self.given)]
        among = f" among motions with {' and '.join(same)}" if same else ""
        return f"{counts}: the orbit is {f'exponentially stable{among}' if self.stable else 'unstable'}"


def assumptions(model: str, sources: Mapping[str, str], parameters: Mapping[str, float]) -> str:
    """Return the hypotheses of a theorem in words."""
    files = ", ".join(f"{Path(path).name} (sha256 {digest})" for path, digest in sources.items())
    values = ", ".join(f"{name} = {value!r} ({value.hex()})" for name, value in parameters.items())
    return (
        f"Theorem (computer-assisted). Let the model {model} be the functions of "
        f"{files or 'a model that was made in a session'}, read over the real numbers, floats in the source being "
        f"exactly the doubles they are, with the parameters {values or '(none)'}. A boundary fires where it "
        "falls to zero."
    )
