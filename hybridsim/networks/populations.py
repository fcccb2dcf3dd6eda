"""Populations of nodes, where their numbers lie, and what a model has of them: states, outputs, boundaries and bits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsim.errors import ModelError
from hybridsim.model.model import MAX_CHART_BITS
from hybridsim.model.records import Boundary, Output, State
from hybridsim.networks.description import Node, Nodes, Problems, entries_of


class Place(NamedTuple):
    """Where a parameter of a type has its number: a record of the model, and whether it is an array."""

    name: str
    is_array: bool


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Nodes of one type, and where their numbers lie.

    Attributes
    ----------
    name : str
        Its name.
    node : Node
        The type.
    count : int or None
        How many nodes; None for a single one, whose names have no number.
    first_state, first_inflow, first_boundary, first_bit : int
        Index of the first state in x, of the first inflow in the work space, of the first boundary in g, and of the
        first bit of the chart: blocks, of all nodes each.
    places : tuple of Place
        For each parameter of the type.
    """

    name: str
    node: Node
    count: int | None
    first_state: int
    first_inflow: int
    first_boundary: int
    first_bit: int
    places: tuple[Place, ...]

    @property
    def n(self) -> int:
        """How many nodes there are."""
        return 1 if self.count is None else self.count

    @property
    def n_bits(self) -> int:
        """How many bits of the chart they take."""
        return self.n * sum(self.node.fields.values())

    def state(self, name: str) -> int:
        """Return the index in x of a state of the first node."""
        return self.first_state + self.n * self.node.states.index(name)

    def inflow(self, name: str) -> int:
        """Return the index in the work space of an inflow of the first node."""
        return self.first_inflow + self.n * list(self.node.inflows).index(name)

    def states(self, values: Mapping[str, Any], problems: Problems) -> list[State]:
        """Return the blocks of states, with these defaults."""
        found: list[State] = []
        for record in self.node.states:
            address = ("nodes", self.name, record.name)
            default = entries_of(values.get(record.name, record.default), self.n, address, problems)
            if self.count is None and isinstance(default, np.ndarray):
                default = float(default[0])
            found += [] if default is None else self._block(record, address, problems, default=default)
        return found

    def boundaries(self) -> list[Boundary]:
        """Return the blocks of boundaries."""
        return [made for record in self.node.boundary_records for made in self._block(record, (), [])]

    def outputs(self) -> list[Output]:
        """Return what is recorded: the outputs of the nodes, and how much their angles are in step."""
        found = [made for each in self.node.outputs for made in self._block(Output(each), (), [])]
        if angle := self.node.angle if self.n > 1 else "":
            found.append(Output(f"{self.name}.order", "", f"length of the mean of exp(i {angle})"))
            found.append(Output(f"{self.name}.order_angle", "rad", f"angle of the mean of exp(i {angle})"))
        return found

    def fields(self) -> dict[str, int]:
        """Return the widths of the fields of the chart; each holds the bits of all nodes, the first one's lowest."""
        return {f"{self.name}.{name}": self.n * width for name, width in self.node.fields.items()}

    def _block(self, record: Any, address: tuple[str | int, ...], problems: Problems, **values: Any) -> list[Any]:
        """Return the record of a block; nothing, and a problem, if it cannot be."""
        shape = () if self.count is None else self.count
        made = changed(record, address, problems, name=f"{self.name}.{record.name}", shape=shape, **values)
        return [] if made is None else [made]


def populations_of(given: Mapping[str, Nodes], table: Any, problems: Problems) -> dict[str, Population]:
    """Return the populations, one behind the other; `table` places parameters."""
    found: dict[str, Population] = {}
    state = inflow = boundary = bit = 0
    for name, each in given.items():
        address, node = ("nodes", name), each.node
        if each.n < 1:
            problems.append(((*address, "count"), f"expected at least 1, found {each.n}"))
            continue
        places = table.places(address, name, node, each.values, each.n, of_type="")
        found[name] = Population(name, node, each.count, state, inflow, boundary, bit, places)
        state += each.n * len(node.states)
        inflow += each.n * len(node.inflows)
        boundary += each.n * len(node.boundary_records)
        bit += found[name].n_bits
        if found[name].n_bits and bit > MAX_CHART_BITS:
            text = f"with these {each.n} nodes of {sum(node.fields.values())} bits each the chart has {bit} bits"
            remedy = "take fewer nodes, or a type without bits; a state with continuous=False can hold what a bit says"
            problems.append(((*address, "count"), f"{text}; it can have {MAX_CHART_BITS}: {remedy}"))
    return found


def changed(record: Any, address: tuple[str | int, ...], problems: Problems, **values: Any) -> Any:
    """Return a record with other values; None, and a problem, if it does not accept them."""
    try:
        return dataclasses.replace(record, **values)
    except ModelError as problem:
        problems.append((address, str(problem)))
        return None
