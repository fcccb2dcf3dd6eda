"""Orbits of a family on one level of a quantity that flows and events keep, as the energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hybridsim.graph import ON_FLOATS, Program, Trace, derivatives
from hybridsim.proofs.identities import vanish
from hybridsim.proofs.refusals import NotProvenError

if TYPE_CHECKING:
    from hybridsim.proofs.events import Event
    from hybridsim.proofs.legs import Chain


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a kept quantity.

    Attributes
    ----------
    name : str
        The output that is kept.
    value : float
        Its value.
    replaced : int
        Which free state is not asked to return: it does so as the others do, and the quantity is kept.
    quantities : tuple of Program
        The quantity in the chart of each leg.
    gradient : Program
        The derivatives of the first by all variables.
    """

    name: str
    value: float
    replaced: int
    quantities: tuple[Program, ...]
    gradient: Program


def quantity_of(chain: Chain, event: Event) -> Trace:
    """Return the expression of the fixed output on a leg, which has to be defined there; an empty trace without one."""
    fixed, model = chain.orbit.fixed, chain.model
    if not fixed:
        return Trace({}, 0, (), ())
    name = next(iter(fixed))
    if len(fixed) > 1 or name not in model.output_records.names:
        raise NotProvenError(f"{', '.join(fixed)} are fixed; one output that the model keeps, as its energy, can be")
    found = chain.traced.trace("outputs", 0.0, event.x_on_the_way, event.chart)
    node = found.nodes[model.output_records.names.index(name)]
    return Trace({0: node}, 0, found.guards, (node,))


def level_of(chain: Chain, quantities: Sequence[Trace]) -> Level | None:
    """Return the level of an orbit that was found on one; refuse a quantity that is not seen to be kept."""
    if not chain.orbit.fixed:
        return None
    ((name, value),), graph = chain.orbit.fixed.items(), chain.graph
    if chain.variables[-1].startswith("p."):
        raise NotProvenError(f"{name} is fixed; give the parameters one value each")
    if any(graph.inputs([guard.node]) & {*chain.variables} for guard in quantities[0].guards):
        raise NotProvenError(f"the outputs have branches where the period begins; {name} needs one expression")
    nodes = [quantity.nodes[0] for quantity in quantities]
    if strange := (graph.inputs(nodes[:1]) & {*chain.states}) - {*chain.orbit.free, *chain.orbit.kept}:
        raise NotProvenError(f"{name} depends on {min(strange)}, which need not return")
    _refuse_change(chain, name, nodes)
    slopes = derivatives(graph, nodes[:1], chain.variables)[0]
    at = dict(zip(chain.states, map(float, chain.orbit.found.x0), strict=True))
    found = dict(zip(chain.variables, Program(graph, slopes)(at | chain.traced.values, ON_FLOATS), strict=True))
    weights = [abs(float(found[free]) * at[free]) for free in chain.orbit.free]
    programs = tuple(Program(graph, [node], chain.variables) for node in nodes)
    return Level(name, float(value), weights.index(max(weights)), programs, Program(graph, slopes, chain.variables))


def _refuse_change(chain: Chain, name: str, nodes: list[int]) -> None:
    graph, values = chain.graph, {key: Fraction(value) for key, value in chain.traced.values.items()}
    for leg, node, after in zip(chain.legs, nodes, [*nodes[1:], nodes[0]], strict=True):
        rate = graph.const(0.0)
        for slope, field in zip(derivatives(graph, [node], chain.variables)[0], leg.nodes["field"], strict=True):
            rate = graph.add(rate, graph.mul(slope, field))
        arriving = dict(zip(chain.variables, leg.nodes["reset"], strict=True))
        jump = graph.sub(graph.substitute([after], arriving)[after], node)
        where = chain.model.chart_name(leg.event.chart)
        if not vanish(graph, [rate], values):
            raise NotProvenError(f"{name} is not seen to be kept in {where}: its slope is no expression that vanishes")
        if not vanish(graph, [jump], values, leg.nodes["watched"][0]):
            raise NotProvenError(f"{name} is not seen to be kept at {chain.boundary(leg.event)}, from {where}")
