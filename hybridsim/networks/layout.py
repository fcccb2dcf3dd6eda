"""Where the numbers of a network lie in x, p and y, and which edges end at each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ModelError
from hybridsim.model.constants import Buffer, Constant
from hybridsim.model.records import Boundary, Input, Output, Parameter, State
from hybridsim.model.table import Records, refuse_invalid_identifier
from hybridsim.networks.description import (
    Edge,
    Edges,
    Node,
    Nodes,
    Problems,
    Sine,
    check_ends,
    entries_of,
    hint_at,
    pattern_of,
)
from hybridsim.networks.patterns import Pattern
from hybridsim.networks.populations import Place, Population, changed, populations_of

INFLOWS = "inflows"
"""The name of the work space of a large network."""

MOST_EDGES = 2**28
"""Edges of a group that are listed: two arrays of 1 GB."""

MOST_IN_SCRATCH = 4096
"""Inflows for which there is room on the stack."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Edges of one type, in the order of their targets.

    Attributes
    ----------
    name : str
        Its name.
    edge : Edge
        The type.
    source, target : Population
        Both ends.
    pattern : Pattern
        The pairs; where all are connected and nothing differs between edges, they are not listed.
    starts : (n + 1,) int32 array
        Of each target the index of its first edge; then the number of edges.
    states, inflows : mapping of str to str
        What the type calls otherwise than the nodes do.
    places : tuple of Place
        For each parameter of the type.
    """

    name: str
    edge: Edge
    source: Population
    target: Population
    pattern: Pattern
    starts: NDArray[np.int32]
    states: Mapping[str, str]
    inflows: Mapping[str, str]
    places: tuple[Place, ...]

    def degrees(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the least and the largest number of edges that end, and that begin, at a node."""
        complete = self.pattern.complete
        if complete is not None:
            ends, begins = complete.n_sources - complete.is_same, complete.n_targets - complete.is_same
            return (ends, ends), (begins, begins)
        into, out = np.diff(self.starts), np.bincount(self.pattern.sources, minlength=self.source.n)
        return (int(into.min()), int(into.max())), (int(out.min()), int(out.max()))


class Layout(NamedTuple):
    """A network as its model has it."""

    populations: tuple[Population, ...]
    groups: tuple[Group, ...]
    states: Records[State]
    parameters: Records[Parameter]
    inputs: Records[Input]
    outputs: Records[Output]
    constants: Records[Constant]
    boundaries: Records[Boundary]
    fields: Mapping[str, int]
    n_inflows: int


def layout_of(nodes: Mapping[str, Any], edges: Sequence[Edges], each_of: Sequence[str], problems: Problems) -> Layout:
    """Lay a network out.

    Parameters
    ----------
    nodes, edges, each_of
        As `network` takes them.
    problems : list
        Gets what is wrong.
    """
    given = {name: _nodes(each) for name, each in nodes.items()}
    table = _Parameters(problems, each_of)
    populations = populations_of(given, table, problems)
    states = [state for each in populations.values() for state in each.states(given[each.name].values, problems)]
    names = _names_of_groups(edges, populations, problems)
    groups = [
        _group(i, each, name, populations, table) for i, (each, name) in enumerate(zip(edges, names, strict=True))
    ]
    made = [group for group in groups if group is not None]
    n_inflows = sum(each.n * len(each.node.inflows) for each in populations.values())
    buffers = [Buffer(INFLOWS, n_inflows, "sums by target")] if n_inflows > MOST_IN_SCRATCH else []
    return Layout(
        tuple(populations.values()),
        tuple(made),
        _records(states, problems),
        _records([each for each in table.found.values() if isinstance(each, Parameter)], problems),
        _records([each for each in table.found.values() if isinstance(each, Input)], problems),
        Records(*(each for population in populations.values() for each in population.outputs())),
        _records([*buffers, *(each for group in made for each in _constants(group))], problems),
        Records(*(each for population in populations.values() for each in population.boundaries())),
        {name: width for each in populations.values() for name, width in each.fields().items()},
        n_inflows,
    )


def _constants(group: Group) -> list[Constant]:
    """Return the arrays of a group whose edges are listed."""
    if group.pattern.complete is not None or not group.pattern.n_edges:
        return []
    arrays = {"sources": group.pattern.sources, "targets": group.pattern.targets, "starts": group.starts}
    return [Constant(f"{group.name}.{key}", array) for key, array in arrays.items()]


def _records(records: Sequence[Any], problems: Problems) -> Records[Any]:
    try:
        return Records(*records)
    except ModelError as problem:
        problems.append(((), str(problem)))
        return Records()


def _nodes(given: Any) -> Nodes:
    if isinstance(given, Node):
        return Nodes(given)
    if isinstance(given, tuple) and len(given) == 2:
        return Nodes(*given)
    if not isinstance(given, Nodes):
        raise ModelError(
            f"expected Nodes, a Node, or a pair of a Node and a number, found {given!r}; write Nodes(NODE, 3)"
        )
    return given


class _Parameters:
    """The parameters and inputs of a network, as they are met."""

    def __init__(self, problems: Problems, each_of: Sequence[str]) -> None:
        self.found: dict[str, Parameter | Input] = {}
        self.problems, self.each_of = problems, each_of

    def places(
        self,
        address: tuple[str | int, ...],
        name: str,
        kind: Node | Edge,
        values: Mapping[str, Any],
        n: int,
        *,
        of_type: str,
        order: Any = None,
    ) -> tuple[Place, ...]:
        """Return where the parameters of nodes or edges lie; `of_type` is what those are called after that all share.

        An array is put into this order, if there is one.
        """
        states = kind.states.names if isinstance(kind, Node) else ()
        for key in values:
            if key not in (*kind.parameters.names, *states):
                hint = hint_at(key, [*kind.parameters.names, *states])
                what = "parameter or state" if states else "parameter"
                self.problems.append(((*address, key), f"{kind.name} has no {what} {key!r}{hint}"))
        found = []
        for record in kind.parameters:
            owner = name if record.name in values or not of_type else of_type
            value = values.get(record.name, record.default)
            found.append(self._place((*address, record.name), f"{owner}.{record.name}", record, value, n, order))
        return tuple(found)

    def _place(
        self, address: tuple[str | int, ...], name: str, record: Parameter, value: Any, n: int, order: Any
    ) -> Place:
        given: Any = value
        if not isinstance(value, Parameter | Input):
            numbers = entries_of(value, n, address, self.problems)
            if isinstance(numbers, float) and name in self.each_of:
                numbers = np.full(n, numbers)
            if isinstance(numbers, np.ndarray):
                numbers = tuple(map(float, numbers if order is None else numbers[order]))
            given = None if numbers is None else changed(record, address, self.problems, name=name, default=numbers)
        if given is None:
            return Place(name, False)
        if self.found.setdefault(given.name, given) != given:
            self.problems.append((address, f"{given.name!r} is there twice, with different values; choose names"))
        return Place(given.name, getattr(given, "is_array", False))


def _names_of_groups(edges: Sequence[Edges], populations: Mapping[str, Population], problems: Problems) -> list[str]:
    """Return the names of groups, by default those of their types, with numbers where there are several."""
    unnamed = [each.edge.name for each in edges if not each.name]
    names, counts = [], dict.fromkeys(unnamed, 0)
    for i, each in enumerate(edges):
        kind = each.edge.name
        if not each.name:
            counts[kind] += 1
        name = each.name or (f"{kind}{counts[kind]}" if unnamed.count(kind) > 1 else kind)
        if name in names or name in populations:
            problems.append((("edges", i, "name"), f"{name!r} is the name of another group or population; choose one"))
        names.append(name)
    return names


def _group(i: int, given: Edges, name: str, populations: Mapping[str, Population], table: _Parameters) -> Group | None:
    problems, edge, address = table.problems, given.edge, ("edges", i)
    before = len(problems)
    for key, end in (("from", given.source), ("to", given.target)):
        if end not in populations:
            problems.append(((*address, key), f"there are no nodes {end!r}{hint_at(end, populations)}"))
    if len(problems) > before:
        return None
    source, target = populations[given.source], populations[given.target]
    try:
        refuse_invalid_identifier("group", name)
        found = pattern_of(given.pattern, source.n, target.n, source is target)
    except ModelError as problem:
        problems.append(((*address, "pattern"), str(problem).removeprefix("pattern: ")))
        return None
    values = given.values
    if found.weights is not None:
        if np.any(found.weights != 1.0) and ("weight" in values or "weight" not in edge.parameters.names):
            cause = "weight is given, too; leave out one" if "weight" in values else f"{edge.name} has no weight"
            problems.append(((*address, "pattern"), f"the matrix has weights other than 1, but {cause}"))
        if "weight" in edge.parameters.names:
            values = {"weight": found.weights, **values}
    varies = any(not isinstance(value, int | float | Parameter | Input) for value in values.values())
    varies |= any(f"{name}.{key}" in table.each_of for key in edge.parameters.names)
    if varies or not all(isinstance(feed, Sine) for feed in edge.feeds.values()):
        if found.n_edges > MOST_EDGES:
            problems.append(((*address, "pattern"), f"{found.n_edges:,} edges; expected at most {MOST_EDGES:,}"))
            return None
        found = found.listed
    order = np.lexsort((found.sources, found.targets))
    places = table.places(address, name, edge, values, found.n_edges, of_type=edge.name, order=order)
    check_ends(address, given, source.node, target.node, problems)
    pattern = Pattern(
        found.sources[order].astype(np.int32), found.targets[order].astype(np.int32), None, found.complete
    )
    starts = np.searchsorted(pattern.targets, np.arange(target.n + 1)).astype(np.int32)
    return Group(name, edge, source, target, pattern, starts, given.states, given.inflows, places)
