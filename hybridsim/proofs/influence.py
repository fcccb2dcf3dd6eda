"""Which states matter: those that need not return change nothing of those that do, and kept states are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hybridsim.graph import derivatives
from hybridsim.proofs.refusals import NotProvenError

if TYPE_CHECKING:
    from hybridsim.proofs.legs import Chain


def refuse_influence(chain: Chain) -> None:
    """See that states which need not return change nothing of those that do, and that kept states are kept."""
    orbit, graph = chain.orbit, chain.graph
    returning = {*orbit.free}
    for name in orbit.kept:
        for leg in chain.legs:
            i = chain.variables.index(name)
            if graph.constant(leg.nodes["field"][i]) != 0.0 or leg.nodes["reset"][i] != graph.input(name):
                raise NotProvenError(f"{name} is kept by the orbit, but not by each event and flow by itself")
    for name in chain.variables:
        if name in chain.states and name not in {*returning, *orbit.kept, *set_again(chain)}:
            shift = _carried(chain, {name: 1.0}, name)
            if changed := returning & shift.keys():
                raise NotProvenError(f"{name} need not return, but changes {min(changed)}, which has to")


def set_again(chain: Chain) -> tuple[str, ...]:
    """Return the states that the last transition sets to the number that they have on the section."""
    after = dict(zip(chain.variables, chain.legs[-1].nodes["reset"], strict=True))
    others = [name for name in chain.variables if name in chain.states and name not in chain.orbit.free]
    return tuple(name for name in others if chain.graph.constant(after[name]) == chain.start[name])


def _carried(chain: Chain, shift: Mapping[str, float], name: str) -> dict[str, float]:
    """Return what a change of states becomes along the chain, if it influences nothing on its way."""
    graph = chain.graph
    for leg in chain.legs:
        kinds = ("field", "watched", "arriving")
        rows = derivatives(graph, [a for kind in kinds for a in leg.nodes[kind]], [shift])
        if any(graph.constant(row[0]) != 0.0 for row in rows):
            raise NotProvenError(
                f"{name} need not return, but influences the motion in {chain.model.chart_name(leg.event.chart)}; "
                "a theorem needs it to have no influence at all, or to be moved along with others"
            )
        after = [row[0] for row in derivatives(graph, leg.nodes["reset"], [shift])]
        values = [graph.constant(a) for a in after]
        if None in values:
            raise NotProvenError(f"{name} need not return, but {chain.boundary(leg.event)} changes states by it")
        shift = {v: value for v, value in zip(chain.variables, values, strict=True) if value}
    return dict(shift)
