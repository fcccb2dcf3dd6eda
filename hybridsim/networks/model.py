"""`network`: from populations and groups of edges to an ordinary model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.model import Model
from hybridsim.model.parts import Part
from hybridsim.networks.description import Edges, Node, Nodes, Problems
from hybridsim.networks.generated import generated_functions
from hybridsim.networks.layout import Group, layout_of
from hybridsim.networks.populations import Population
from hybridsim.typing import Function


class NetworkError(ModelError):
    """What is wrong with the description of a network: texts, each with the keys where it stands."""

    def __init__(self, name: str, problems: Problems) -> None:
        self.problems = tuple(problems)
        lines = (f"{' '.join(map(str, address))}: {text}" for address, text in problems)
        super().__init__("\n".join(f"network {name!r}: {line}" for line in lines))


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class NetworkModel(Model):
    """A model made by `network`, with its populations and groups of edges.

    Parameters
    ----------
    populations : tuple of Population
        The populations, in the order of their states.
    groups : tuple of Group
        The groups of edges.
    """

    populations: tuple[Population, ...] = field(kw_only=True)
    groups: tuple[Group, ...] = field(kw_only=True)

    def isolated(self) -> list[str]:
        """Return the names of nodes at which no edge begins or ends: `h[3]`, `v`."""
        found = []
        for each in self.populations:
            met = np.zeros(each.n, bool)
            for group in self.groups:
                for end, numbers in ((group.source, group.pattern.sources), (group.target, group.pattern.targets)):
                    if end is each:
                        met[slice(None) if group.pattern.complete else numbers] = True
            names = [each.name] if each.count is None else [f"{each.name}[{i}]" for i in np.flatnonzero(~met)]
            found += [] if met.all() else names
        return found


@explains_keywords()
def network(
    name: str,
    nodes: Mapping[str, Nodes | Node | tuple[Node, int]],
    edges: Sequence[Edges] = (),
    *,
    each: Sequence[str] = (),
    doc: str = "",
    part_for: str = "",
    couplings: Mapping[str, Function] | None = None,
) -> Any:
    """Make a model of populations of nodes, and of edges that add to their inflows.

    States are blocks, `h.phi` with the entries `h.phi[0]`, `h.phi[1]` and so on; parameters are `h.f`, a number or an
    array, and of edges `phase.weight`. Edges and their arrays are in the order of their targets, then their sources.

    Parameters
    ----------
    name : str
        An identifier.
    nodes : mapping of str to Nodes, Node, or pair of Node and int
        The populations by name; a Node alone is one node.
    edges : sequence of Edges
        The groups of edges.
    each : sequence of str
        Parameters that are arrays although the network gives one number: "h.f", so that a run may change "h.f[2]".
    doc : str
        What the network is, in one line.
    part_for : str
        The slot of a plant for which it is a part, "hexapod.control_type".
    couplings : mapping of str to function, optional
        Of a part, the functions that the plant calls.

    Returns
    -------
    NetworkModel or Part
        The model; a part with `part_for`.

    Raises
    ------
    NetworkError
        If there is no such population, state, inflow or parameter, or an array has another length; with every problem.
    """
    problems: Problems = []
    layout = layout_of(nodes, edges, each, problems)
    if problems:
        raise NetworkError(name, problems)
    kept: dict[str, Any] = {
        **generated_functions(name, layout),
        "parameters": layout.parameters,
        "inputs": layout.inputs,
        "constants": layout.constants,
        "output_records": layout.outputs,
        "boundary_records": layout.boundaries,
        "chart_fields": layout.fields,
        "doc": doc,
    }
    if part_for:
        return Part(name, layout.states, couplings=couplings or {}, slot=part_for, **kept)
    if couplings:
        raise ModelError(f"network {name!r}: couplings are functions of a part; say for which slot, part_for=...")
    return NetworkModel(name, layout.states, **kept, populations=layout.populations, groups=layout.groups)
