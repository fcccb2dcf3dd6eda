"""Print the installed models, or all names of one model that a config can use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.errors import ModelError
from hybridsim.model import Model, Records
from hybridsim.model.composition import ComposedModel
from hybridsim.model.parts import Part
from hybridsim.model.registry import load_model
from hybridsim.networks import NetworkModel
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

MOST_NUMBERS = 8
"""Most numbers of a default that are shown."""


def show_models(installed: Mapping[str, EntryPoint]) -> None:
    """Print the name of each model with its description, or with the reason why it cannot be loaded."""
    table = Table("model", "", box=None, padding=(0, 2, 0, 0))
    for name in installed:
        try:
            table.add_row(Text(name, "bold"), Text(load_model(name).doc))
        except ModelError as error:
            table.add_row(Text(name, "bold"), Text(str(error), "red"))
    Console().print(table)


def show_model(model: Model | Part) -> None:
    """Print all names of a model that a config can use, or what a part adds to a model."""
    console = Console()
    console.print(Text.assemble((model.name, "bold"), f": {model.doc}" if model.doc else ""))
    if isinstance(model, NetworkModel):
        _show_network(console, model)
    if isinstance(model, Part) and model.slot:
        console.print(f"\nfor the slot {model.slot}")
    for kind, records in (("state", model.states), ("parameter", model.parameters), ("input", model.inputs)):
        _show_records(console, kind, ("default", "unit", "bounds", "doc"), records)
    _show_records(console, "constant", ("doc",), model.constants)
    if isinstance(model, ComposedModel):
        _show_slots(console, model)
    if model.chart_fields:
        fields = ", ".join(f"{name} ({width})" for name, width in model.chart_fields.items())
        console.print(f"\ncharts: bit fields {fields}")
    if isinstance(model, Model):
        _show_records(console, "chart", ("doc",), model.charts)
    _show_records(console, "boundary", ("unit", "doc"), model.boundary_records)
    _show_records(console, "output", ("unit", "doc"), model.output_records)


def _show_network(console: Console, model: NetworkModel) -> None:
    """Print the populations and the groups of edges, with the least and the largest number of edges at a node."""
    table = Table("population", "type", "nodes", "doc", box=None, padding=(0, 2, 0, 0))
    for each in model.populations:
        table.add_row(Text(each.name, "bold"), each.node.name, f"{each.n:,}", Text(each.node.doc))
    console.print("", table)
    table = Table("edges", "type", "", "number", "in", "out", "doc", box=None, padding=(0, 2, 0, 0))
    for group in model.groups:
        ends = f"{group.source.name} -> {group.target.name}"
        table.add_row(
            Text(group.name, "bold"),
            group.edge.name,
            ends,
            f"{group.pattern.n_edges:,}",
            *(f"{least} to {most}" if least < most else str(most) for least, most in group.degrees()),
            Text(group.edge.doc),
        )
    console.print("", table)


def show_shelf() -> None:
    """Print the types of nodes and edges that come with hybridsim."""
    for what, sums, shelf in (("node", "inflows", NODES), ("edge", "feeds", EDGES)):
        table = Table(what, "parameters", sums, "", box=None, padding=(0, 2, 0, 0))
        for name, kind in shelf.items():
            parameters = ", ".join(f"{each.name} {each.default:g}" for each in kind.parameters)
            table.add_row(Text(name, "bold"), parameters, ", ".join(getattr(kind, sums)), Text(kind.doc))
        Console().print(table, "")


def _show_slots(console: Console, model: ComposedModel) -> None:
    """Print the parts for each slot, which one fills it, and which functions a part in a file has to have."""
    for slot in model.plant.slots:
        table = Table(f"part for {slot.name}", "", "doc", box=None, padding=(0, 2, 0, 0))
        filled = model.part_words[slot.name]
        for word, part in slot.choices.items():
            table.add_row(Text(word, "bold"), "fills it" if word == filled else "", Text(part.doc))
        if filled not in slot.choices:
            table.add_row(Text(filled, "bold"), "fills it", Text(model.parts[slot.name].doc))
        calls = " that has " + ", ".join(map(slot.signature, slot.couplings)) if slot.couplings else ""
        sensors = (
            f"; its functions may use the sensors {', '.join(slot.sensor_functions)}" if slot.sensor_functions else ""
        )
        table.add_row("[italic]or a file", "", f"with PART = Part(...){calls}{sensors}")
        console.print("", table)


def _show_records(console: Console, kind: str, columns: Sequence[str], records: Records[Any]) -> None:
    if not records:
        return
    table = Table(kind, *columns, box=None, padding=(0, 2, 0, 0), title_justify="left")
    for record in records.blocks:
        cells = (_bounds(record) if column == "bounds" else _short(getattr(record, column)) for column in columns)
        size = " x ".join(map(str, getattr(record, "shape", ())))
        table.add_row(Text.assemble((record.name, "bold"), f" ({size})" if size else ""), *map(Text, cells))
    console.print("", table)


def _short(value: Any) -> str:
    """Return a default as text; of many numbers the first ones, and how many there are."""
    if isinstance(value, tuple) and len(value) > MOST_NUMBERS:
        return f"{', '.join(f'{number:g}' for number in value[:MOST_NUMBERS])} ... ({len(value):,} numbers)"
    return str(value)


def _bounds(record: Any) -> str:
    """Return the values that are allowed: `0 to 1`, `>= 0`, `flat | sloped`; "" if all are."""
    if getattr(record, "choices", ()):
        return " | ".join(record.choices)
    lower, upper = record.lower, record.upper
    kind = "integer " if getattr(record, "integer", False) else ""
    if math.isfinite(lower) and math.isfinite(upper):
        return f"{kind}{lower:g} to {upper:g}"
    if math.isfinite(lower):
        return f"{kind}>= {lower:g}"
    return f"{kind}<= {upper:g}" if math.isfinite(upper) else kind.strip()
