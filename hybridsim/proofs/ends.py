"""How strides end: after a time, of a model that reads t, and in their image by a symmetry.

Time is a state t with t' = 1 then. Where a stride ends, the boundary is t_0 + P - t, and the transition sets t to t_0
again: with a field, boundaries and branches that repeat after P, which is seen from their expressions, the motion goes
on from there as it does from t_0 + P. P is that of the functions over the real numbers, as 2 pi / omega, which a float
is near to. An image is a part of the transition at the end of a stride.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.graph import ON_FLOATS, Graph, Program
from hybridsim.proofs.check_time import TIME, Shift
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
    rates = _rates(graph, Shift(graph, graph.nodes, graph.const(1.0), turn, states, exact), needed.values())
    begins = float(orbit.config.initial_time)
    found = {float(Program(graph, [a])(values, ON_FLOATS)[0]): a for a in rates}
    found = {abs(rate): a if rate > 0.0 else graph.neg(a) for rate, a in found.items() if rate}
    period = _period(graph, time, turn, found) if found else graph.const(time)
    shift = Shift(graph, graph.nodes, period, turn, states, exact)
    for name, nodes in needed.items():
        if not all(map(shift.repeats, nodes)):
            raise NotProvenError(
                f"{name}: it reads t, and is not seen to repeat after {time!r} s; a theorem needs sines and cosines of "
                "c t + .. with numbers c whose ratios are exactly those of whole numbers, or the phase as a state"
            )
    return Clock(begins, period, graph.sub(graph.add(graph.const(begins), period), graph.input(TIME)))


def _rates(graph: Graph, shift: Shift, roots: Iterable[Sequence[int]]) -> list[int]:
    """Return the expressions of the angular frequencies of sines and cosines."""
    reached = graph.reachable([a for nodes in roots for a in nodes])
    arguments = [graph.nodes[a][1] for a in reached if graph.nodes[a][0] in ("sin", "cos", "tan")]
    rates = [rate for a in arguments if (rate := shift.of(a)) not in (None, graph.const(0.0))]
    return [*dict.fromkeys(rates)]


def _period(graph: Graph, time: float, turn: int, rates: Mapping[float, int]) -> int:
    """Return the whole number of turns of the slowest wave that a time is close to."""
    rate = min(rates)
    turns = max(round(time * rate / (2.0 * math.pi)), 1)
    exactly = turns * 2.0 * math.pi / rate
    if abs(exactly - time) > CLOSE * time:
        raise NotProvenError(
            f"the section's time is {time!r} s, and what drives the model repeats after {exactly!r} s; find the orbit "
            "with this time as its section"
        )
    return graph.div(graph.mul(graph.const(turns), turn), rates[rate])


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
