"""The motion of a state and of a deviation from it as one system: its map is (x, p, w) -> (P(x, p), p, DP(x, p) w).

The deviation w follows w' = f_x w along a leg, and at an event of the boundary g with the transition h

    w -> h_x (w - f (g_x w) / (g_x f)),

as the time of the crossing varies, too; it then says how states vary that have crossed, each at its own time. Where
nothing changes but the chart, w stays. All of these are expressions, so that what is proven of the derivatives of this
system's map is proven of the second derivatives of P.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence

from hybridsim.graph import Graph, Program, derivatives
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.shooting import is_transparent
from hybridsim.proofs.system import DEVIATION


def with_deviations(chain: Chain) -> Chain:
    """Return the chain of states and their deviations; behind the chain's variables come the deviations of its states.

    Parameters
    ----------
    chain : Chain
        A chain; a varied parameter is the last of its variables.
    """
    both = copy.copy(chain)
    states = [name for name in chain.variables if name in chain.states]
    both.variables = (*chain.variables, *(f"{DEVIATION}{name}" for name in states))
    following = [*chain.legs[1:], None]
    both.legs = tuple(
        _leg(chain, leg, after is not None and is_transparent(leg, after), both.variables)
        for leg, after in zip(chain.legs, following, strict=True)
    )
    return both


def _leg(chain: Chain, leg: Leg, stays: bool, variables: tuple[str, ...]) -> Leg:
    graph, states = chain.graph, [name for name in leg.variables if name in chain.states]
    n = len(states)
    own = [graph.input(f"{DEVIATION}{name}") for name in states]
    field, reset = leg.nodes["field"], leg.nodes["reset"]

    def along(nodes: Sequence[int], by: Sequence[int]) -> list[int]:
        return [total(graph, row, by) for row in derivatives(graph, nodes, states)]

    after = own
    if not stays:
        target = leg.nodes["watched"][:1]
        moment = graph.div(along(target, own)[0], along(target, field[:n])[0])
        crossed = [graph.sub(w, graph.mul(f, moment)) for w, f in zip(own, field, strict=False)]
        after = along(reset[:n], crossed)
    nodes = {**leg.nodes, "field": (*field, *along(field[:n], own)), "reset": (*reset, *after)}

    def program(name: str, required: str = "") -> Program:
        return Program(graph, [*nodes[name], *(nodes[required] if required else ())], variables)

    def slopes(name: str) -> Program:
        return Program(graph, [a for row in derivatives(graph, nodes[name], variables) for a in row], variables)

    return dataclasses.replace(
        leg,
        variables=variables,
        field=program("field", "field required"),
        slopes=slopes("field"),
        watched=program("watched", "watched required"),
        gradients=slopes("watched"),
        reset=program("reset", "reset required"),
        reset_slopes=slopes("reset"),
        conditions=program("arriving"),
        nodes=nodes,
    )


def total(graph: Graph, row: Sequence[int], by: Sequence[int]) -> int:
    """Return the sum of products of expressions."""
    found = graph.const(0.0)
    for a, b in zip(row, by, strict=True):
        found = graph.add(found, graph.mul(a, b))
    return found
