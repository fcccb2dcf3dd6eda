"""What a network is described with: types of nodes and of edges, and populations and groups of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from hybridsim.errors import ModelError, nearest
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.contract import CONTRACT, refuse_uncallable, refuse_unpaired
from hybridsim.model.records import Boundary, Parameter, State
from hybridsim.model.table import Records, list_names, records_of, refuse_invalid_identifier
from hybridsim.networks.patterns import Pattern, from_matrix, named_pattern
from hybridsim.typing import Function

Problems = list[tuple[tuple[str | int, ...], str]]
"""Keys of a description, and what is wrong there."""

EVENTS = ("boundaries", "transition", "initial_chart")
"""The functions of a type of nodes that has events."""


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A type of nodes, as an oscillator: its states and its own equations.

    The functions of a node receive the node's own numbers: x begins with its first state, p with its first parameter,
    and inflow with its first inflow. `dataclasses.replace` makes a changed copy.

    Parameters
    ----------
    name : str
        An identifier.
    states : Records of State
        Its states.
    vector_field : callable
        `vector_field(xdot, t, x, p, inflow)` writes the slope of every state [state unit/s].
    parameters : Records of Parameter
        The entries of p, each a number.
    inflows : tuple of str
        The entries of inflow: each is the sum of what all edges add that feed it.
    outputs : mapping of str to callable
        Recorded quantities, `output(t, x, p) -> float`.
    boundaries, transition, initial_chart : callable, optional
        As for `Model`: `boundaries(g, t, x, p, chart)`, `transition(x_new, t, x, p, chart, crossed)` and
        `initial_chart(x_new, t, x, p)`; g, crossed and chart, too, are the node's own. The transition is called for
        each node of which a boundary has crossed.
    boundary_records : Records of Boundary
        The entries of g and crossed.
    fields : mapping of str to int
        Bit fields of its own chart number and their widths; without any, it has one chart, 0. With some, `chart` is
        the last argument of `vector_field` and of all outputs.
    angle : str
        The state that is an angle, if there is one: populations then have the outputs `order` and `order_angle`, the
        length and the angle of the mean of exp(i angle).
    doc : str
        What it is, in one line, with the source of its equations.

    Raises
    ------
    ModelError
        If a function or a record is missing, a function has other arguments, or `angle` is no state.
    """

    name: str
    states: Records[State]
    _: KW_ONLY
    vector_field: Function
    parameters: Records[Parameter] = field(default_factory=Records)
    inflows: Sequence[str] = ()
    outputs: Mapping[str, Function] = field(default_factory=dict)
    boundaries: Function | None = None
    transition: Function | None = None
    initial_chart: Function | None = None
    boundary_records: Records[Boundary] = field(default_factory=Records)
    fields: Mapping[str, int] = field(default_factory=dict)
    angle: str = ""
    doc: str = ""

    def __post_init__(self) -> None:
        tables = {"states": State, "parameters": Parameter, "boundary_records": Boundary}
        where = _checked(self, "node", tables)
        _check_events(self, where)
        for name in (*self.inflows, *self.outputs):
            refuse_invalid_identifier(where, name)
        if self.angle and self.angle not in self.states.names:
            raise ModelError(f"{where}: angle: there is no state {self.angle!r}; it has {', '.join(self.states.names)}")


@dataclass(frozen=True, slots=True)
class Sine:
    """What an edge adds as a factor times the sine of a difference: factor * sin(ahead - behind).

    A network computes the sines of many edges at once; and where all nodes are connected, it needs no sum over edges.

    Parameters
    ----------
    ahead : callable
        `ahead(t, source, p)`, an angle of the source [rad].
    behind : callable
        `behind(t, target, p)`, an angle of the target [rad].
    factor : callable
        `factor(t, source, p)`.
    """

    ahead: Function
    behind: Function
    factor: Function


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A type of edges: what a source adds to the inflows of a target.

    Parameters
    ----------
    name : str
        An identifier.
    feeds : mapping of str to callable or Sine
        By inflow of the target, `feed(t, source, target, p) -> float`, or a `Sine`.
    source, target : tuple of str
        Names of the states of either end that the functions receive, in this order: `source[0]` is the first.
    parameters : Records of Parameter
        The entries of p, each a number.
    doc : str
        What it is, in one line.

    Raises
    ------
    ModelError
        If it feeds nothing.
    """

    name: str
    feeds: Mapping[str, Function | Sine]
    _: KW_ONLY
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    parameters: Records[Parameter] = field(default_factory=Records)
    doc: str = ""

    def __post_init__(self) -> None:
        where = _checked(self, "edge", {"parameters": Parameter})
        if not self.feeds:
            raise ModelError(f"{where}: it feeds nothing; give feeds={{'inflow': function}}")


class Nodes:
    """A population: so many nodes of one type.

    Parameters
    ----------
    node : Node
        Their type.
    count : int, optional
        How many they are; without it a single node, whose names have no number.
    **values : float, sequence of float, Parameter or Input
        Values of parameters and defaults of states: a number for all, or one for each. A parameter may also be a
        record, `drive=Input("drive", 4.0)`: it is then that parameter or input of the network, which others may share.
    """

    def __init__(self, node: Node, count: int | None = None, /, **values: Any) -> None:
        if not isinstance(node, Node):
            raise ModelError(f"expected a type of nodes, found {node!r}; give a Node, for example NODES['hopf']")
        if count is not None and (isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1):
            raise ModelError(
                f"nodes of type {node.name}: expected a whole number of them, found {count!r}; give 1 or more"
            )
        self.node, self.count, self.values = node, count, values

    @property
    def n(self) -> int:
        """How many they are."""
        return 1 if self.count is None else self.count


class Edges:
    """A group: edges of one type between two populations, or within one.

    Parameters
    ----------
    edge : Edge
        Their type.
    source, target : str
        The populations.
    pattern : Pattern, str, matrix, or pair of arrays
        Who is connected with whom: "chain", "ring", "pairs", "all", or what the functions of these names make; the
        numbers of sources and of targets, as a tuple of two arrays.
    name : str
        What its parameters are called after, `NAME.weight`; without one, that of the type, with a number if there are
        several groups of the type. A parameter that is not given belongs to the type, and all its groups share it.
    states, inflows : mapping of str to str, optional
        States and inflows of the type -> those of the nodes, where they have other names.
    **values : float, sequence of float, Parameter or Input
        Values of parameters: a number for all, or one for each edge of the pattern; or a record, as of `Nodes`.
    """

    def __init__(
        self,
        edge: Edge,
        source: str,
        target: str,
        pattern: Any = "pairs",
        /,
        *,
        name: str = "",
        states: Mapping[str, str] | None = None,
        inflows: Mapping[str, str] | None = None,
        **values: Any,
    ) -> None:
        if not isinstance(edge, Edge):
            raise ModelError(f"expected a type of edges, found {edge!r}; give an Edge, for example EDGES['phase']")
        self.edge, self.source, self.target, self.pattern, self.name = edge, source, target, pattern, name
        self.states, self.inflows, self.values = dict(states or {}), dict(inflows or {}), values


def entries_of(value: Any, n: int, address: tuple[str | int, ...], problems: Problems) -> Any:
    """Return a number, or an array of n of them; None, and a problem, for anything else."""
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError):
        problems.append((address, f"expected a number, or {n} of them, found {value!r}"))
        return None
    if not numbers.ndim:
        return float(numbers)
    if numbers.shape != (n,):
        problems.append((address, f"expected one number, or {n} of them, found {numbers.size}"))
        return None
    return numbers


def pattern_of(given: Any, n_sources: int, n_targets: int, is_same: bool) -> Pattern:
    """Return the pattern that a group was given, with numbers of nodes that exist.

    Raises
    ------
    ModelError
        If it is no pattern, or names nodes that there are not.
    """
    if isinstance(given, str):
        return named_pattern(given, n_sources, n_targets, is_same)
    if isinstance(given, tuple):
        ends = [np.asarray(each) for each in given]
        if len(ends) != 2 or any(each.dtype.kind not in "iu" or each.ndim != 1 for each in ends if each.size):
            raise ModelError(
                "pattern: expected two arrays of whole numbers, sources and targets; give (sources, targets)"
            )
        sources, targets = (each.astype(np.int64) for each in ends)
        given = Pattern(sources, targets)
    found = given if isinstance(given, Pattern) else from_matrix(given)
    if found.complete is not None and found.complete != (n_sources, n_targets, found.complete.is_same):
        raise ModelError(f"pattern: it is for {found.complete[:2]} nodes, and there are {n_sources, n_targets}")
    if found.shape not in (None, (n_targets, n_sources)):
        expected = f"a row for each of {n_targets} targets and a column for each of {n_sources} sources"
        raise ModelError(f"pattern: expected {expected}, found a matrix {found.shape}; give one of that size")
    if len(found.sources) != len(found.targets):
        raise ModelError(f"pattern: {len(found.sources)} sources and {len(found.targets)} targets; give as many")
    for what, numbers, n in (("source", found.sources, n_sources), ("target", found.targets, n_targets)):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < n:
            wrong = numbers[(numbers < 0) | (numbers >= n)][0]
            raise ModelError(f"pattern: there is no {what} {wrong}; the population has {n} nodes, from 0 on")
    return found


def _checked(record: Any, what: str, tables: Mapping[str, type]) -> str:
    """Check name and tables of a type, and return how messages call it."""
    where = f"{what} {record.name!r}"
    refuse_invalid_identifier(what, record.name)
    for attribute, kind in tables.items():
        object.__setattr__(record, attribute, records_of(getattr(record, attribute), kind))
    for parameter in record.parameters:
        if parameter.is_array or parameter.choices:
            raise ModelError(f"{where}: parameter {parameter.name!r}: expected a number; a network makes arrays of it")
    return where


def _check_events(node: Node, where: str) -> None:
    """Check boundaries, bits and the arguments of all functions of a type of nodes."""
    events = {name: each for name in EVENTS if (each := getattr(node, name)) is not None}
    refuse_uncallable(where, {"vector_field": node.vector_field, **events, **node.outputs})
    refuse_unpaired(where, events, node.boundary_records, ())
    if node.fields and "transition" not in events:
        raise ModelError(f"{where}: it has fields, and no function `transition` that changes them")
    for name, width in node.fields.items():
        refuse_invalid_identifier(f"{where}: field", name)
        if type(width) is not int or width < 1:
            raise ModelError(f"{where}: field {name!r}: expected a number of bits, 1 at least, found {width!r}")
    chart = ("chart",) if node.fields else ()
    expected = {name: CONTRACT[name] for name in events} | dict.fromkeys(node.outputs, ("t", "x", "p", *chart))
    expected["vector_field"] = ("xdot", "t", "x", "p", "inflow", *chart)
    for name, function in {"vector_field": node.vector_field, **events, **node.outputs}.items():
        taken = [*inspect.signature(function).parameters]
        if len(taken) != len(expected[name]):
            listed = f"({', '.join(taken)}); expected ({', '.join(expected[name])})"
            raise ModelError(f"{where}: `{name}` takes {listed}; mend its arguments")


def hint_at(word: str, known: Any) -> str:
    """Return the end of a message on a word that there is not."""
    return nearest(word, known) or f"; choose from: {list_names(known)}"


def check_ends(address: tuple[str | int, ...], given: Edges, source: Node, target: Node, problems: Problems) -> None:
    """Find states that an edge reads and its nodes do not have, and inflows that nobody sums."""
    edge = given.edge
    for end, node, names in (("from", source, edge.source), ("to", target, edge.target)):
        for name in (given.states.get(each, each) for each in names):
            if name not in node.states.names:
                text = f"the edge {edge.name} reads the state {name!r}, and {node.name} has none"
                problems.append(((*address, end), text + hint_at(name, node.states.names)))
    for name in (given.inflows.get(each, each) for each in edge.feeds):
        if name not in target.inflows:
            text = f"the edge {edge.name} feeds {name!r}, and {target.name} does not sum it"
            problems.append(((*address, "to"), text + hint_at(name, target.inflows)))
    for key, named, known in (
        ("states", given.states, (*edge.source, *edge.target)),
        ("inflows", given.inflows, edge.feeds),
    ):
        for name in named:
            if name not in known:
                problems.append(((*address, key), f"the edge {edge.name} has no {name!r}{hint_at(name, known)}"))
