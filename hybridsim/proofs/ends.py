"""How strides end: after a time, of a model that reads t, and in their image by a symmetry.

Time is a state t with t' = 1 then. Where a stride ends, the boundary is t_0 + P - t, and the transition sets t to t_0
again: with a field, boundaries and branches that repeat after P, which is seen from their expressions, the motion goes
on from there as it does from t_0 + P. P is that of the functions over the real numbers, as 2 pi / omega, which a float
is near to. An image is a part of the transition at the end of a stride.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.graph import ON_FLOATS, Graph, Program
from hybridsim.proofs.events import TIME
from hybridsim.proofs.identities import ratio
from hybridsim.proofs.refusals import NotProvenError

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

CLOSE = 1e-9
"""How far the time of a section may be from the period of what drives a model, relative to it."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A section after a time, in a model that reads t.

    Attributes
    ----------
    begins : float
        The time at which strides begin [s].
    period : int
        The expression of their duration.
    end : int
        The expression that falls to zero where they end.
    """

    begins: float
    period: int
    end: int


def clock_of(
    orbit: Orbit, graph: Graph, values: Mapping[str, float], varied: str, needed: Mapping[str, Sequence[int]]
) -> Clock:
    """Return the clock of an orbit whose section is a time; refuse a model whose functions are not seen to repeat.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    graph : Graph
        The expressions.
    values : mapping of str to float
        The values of the parameters.
    varied : str
        The parameter that has all values of an interval.
    needed : mapping of str to sequence of int
        What has to repeat, by what it is.
    """
    time, states = orbit.section.time, orbit.model.states.names
    if time is None:
        raise NotProvenError(
            "the model reads t; find the orbit with the period of what drives it as its section, Section(time=..), or "
            "make its phase a state, which a boundary sets back once a period, as `impact_oscillator` does"
        )
    turn = graph.mul(graph.const(8.0), graph.apply("atan", graph.const(1.0)))
    exact = {name: Fraction(value) for name, value in values.items() if name != f"p.{varied}"}
    waves = Waves(graph, states)
    seen = {name: waves.among(nodes) for name, nodes in needed.items()}
    rates = [rate for each in seen.values() for rate in each or ()]
    found = {float(Program(graph, [a])(values, ON_FLOATS)[0]): a for a in dict.fromkeys(rates)}
    found = {abs(rate): a if rate > 0.0 else graph.neg(a) for rate, a in found.items() if rate}
    turns, slowest = _turns(time, found) if found else (1, None)

    def is_whole(rate: int) -> bool:
        """Return whether a wave is seen to make a whole number of turns in a period."""
        parts = None if slowest is None else ratio(graph, rate, slowest, exact)
        return parts is not None and (turns * parts).denominator == 1

    for name, own in seen.items():
        if own is None or not all(map(is_whole, own)):
            raise NotProvenError(
                f"{name}: it reads t, and is not seen to repeat after {time!r} s; a theorem needs sines and cosines of "
                "c t + .. with numbers c whose ratios are exactly those of whole numbers, or the phase as a state"
            )
    period = graph.const(time) if slowest is None else graph.div(graph.mul(graph.const(turns), turn), slowest)
    begins = float(orbit.config.initial_time)
    return Clock(begins, period, graph.sub(graph.add(graph.const(begins), period), graph.input(TIME)))


class Waves:
    """By how much expressions grow with t, if all their waves, which are sines of what does so, repeat.

    Parameters
    ----------
    graph : Graph
        The expressions.
    moving : collection of str
        The names of the arguments that change with time, t apart.
    """

    def __init__(self, graph: Graph, moving: Collection[str]) -> None:
        self._graph, self._moving, self._zero = graph, {*moving, TIME}, graph.const(0.0)
        self._rates: dict[int, int | None] = {}
        self._waves: dict[int, int] = {}

    def among(self, nodes: Sequence[int]) -> set[int] | None:
        """Return the rates of the waves on which expressions rest; None if t is read in other ways, too."""
        reached = self._graph.reachable(nodes)
        for a in reached:
            if a not in self._rates:
                self._rates[a] = self._rate(a, *self._graph.nodes[a])
        repeats = all(self._rates[a] == self._zero for a in nodes)
        return {self._waves[a] for a in reached if a in self._waves} if repeats else None

    def _rate(self, a: int, word: str, *others: Any) -> int | None:
        """Return by how much an expression grows with t, which rests; None if that is not seen."""
        graph, taken = self._graph, self._graph.arguments(a)
        rates = [rate for b in taken if (rate := self._rates[b]) is not None]
        if len(rates) < len(taken):
            return None
        if all(rate == self._zero for rate in rates):  # of arguments and numbers, too
            return graph.const(1.0) if (word, *others) == ("input", TIME) else self._zero
        if word in ("sin", "cos", "tan"):
            self._waves[a] = rates[0]
            return self._zero
        if word in ("neg", "add", "sub"):
            return int(getattr(graph, word)(*rates))
        for k in {"mul": (0, 1), "div": (0,)}.get(word, ()):
            if not graph.inputs([taken[1 - k]]) & self._moving:
                return int(getattr(graph, word)(rates[k], taken[1 - k]))
        return None


def _turns(time: float, rates: Mapping[float, int]) -> tuple[int, int]:
    """Return the whole number of turns of the slowest wave that a time is close to, and the rate of that wave."""
    rate = min(rates)
    turns = max(round(time * rate / (2.0 * math.pi)), 1)
    exactly = turns * 2.0 * math.pi / rate
    if abs(exactly - time) > CLOSE * time:
        raise NotProvenError(
            f"the section's time is {time!r} s, and what drives the model repeats after {exactly!r} s; find the orbit "
            "with this time as its section"
        )
    return turns, rates[rate]


@dataclass(frozen=True, slots=True)
class Image:
    """The image in which a stride ends: state i becomes `signs[i]` times state `sources[i]`.

    Attributes
    ----------
    sources, signs, charts : tuple of int
        These, and the images of the charts.
    """

    sources: tuple[int, ...]
    signs: tuple[int, ...]
    charts: tuple[int, ...]

    @classmethod
    def of(cls, orbit: Orbit) -> Image:
        """Return the image of an orbit; without a symmetry it changes nothing."""
        matrix = orbit.symmetry.matrix(orbit.model)
        sources = np.abs(matrix).argmax(axis=1)
        signs = matrix[np.arange(len(matrix)), sources]
        charts = orbit.symmetry.chart_images(orbit.model)
        return cls(*(tuple(int(a) for a in each) for each in (sources, signs, charts)))

    def on(self, graph: Graph, nodes: Mapping[int, int]) -> dict[int, int]:
        """Return the expressions of the image of a state."""
        return {i: self._signed(graph, i, nodes[j]) for i, j in enumerate(self.sources)}

    def _signed(self, graph: Graph, i: int, node: int) -> int:
        return node if self.signs[i] > 0 else graph.neg(node)

    def among(self, names: Sequence[str], variables: Sequence[str]) -> list[list[int]]:
        """Return the source and the sign of each variable; what is no state is its own image."""
        rows = []
        for k, name in enumerate(variables):
            i = names.index(name) if name in names else -1
            rows.append([k, 1] if i < 0 else [variables.index(names[self.sources[i]]), self.signs[i]])
        return rows

    def is_involution(self) -> bool:
        """Return whether the image of the image of each state is the state, and that of each chart the chart."""
        sources, signs, charts = self.sources, self.signs, self.charts
        states = all(sources[j] == i and signs[i] * signs[j] == 1 for i, j in enumerate(sources))
        return states and all(charts[k] == c for c, k in enumerate(charts))

    def words(self, model: Any) -> str:
        """Return what the image is, in words; "" without a symmetry."""
        names, charts = model.states.names, model.charts.names
        changed = [
            f"{name} becomes {'-' if sign < 0 else ''}{names[j]}"
            for i, (name, j, sign) in enumerate(zip(names, self.sources, self.signs, strict=True))
            if (i, 1) != (j, sign)
        ]
        changed += [f"{charts[c]} becomes {charts[k]}" for c, k in enumerate(self.charts) if c != k]
        return ", ".join(changed)
