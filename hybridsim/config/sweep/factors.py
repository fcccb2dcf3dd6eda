"""The groups of a sweep (axes, zip, random, latin_hypercube, rows) as factors of its plan."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.config.schema import MOST_SAMPLES
from hybridsim.config.source import Address, Diagnostics, Node, shown
from hybridsim.config.sweep.axes import Axis, Factor
from hybridsim.config.sweep.axis_values import (
    Complain,
    axis_of_array,
    axis_of_node,
    axis_of_values,
    count_of,
    file_values,
    is_file,
    path_of,
    plain,
    resolved_values,
)
from hybridsim.config.sweep.expressions import RADIANS
from hybridsim.config.sweep.row_files import Table, read_table
from hybridsim.config.sweep.samples import drawn_axis, uniform_numbers
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.errors import ConfigError
from hybridsim.model import Model

MOST_ROWS = 10**10
"""Of a plan; more take years."""

_HEADER = re.compile(r"(\S+)\s*\[(.*)\]")


@dataclass(frozen=True, slots=True)
class Given:
    """One axis as it was given.

    Attributes
    ----------
    name : what its length is told under; "" for the name of nothing that may vary.
    count : how many values were given, right or wrong; None where that cannot be told.
    axis : None where something is wrong with them.
    """

    name: str
    count: int | None
    axis: Axis | None


@dataclass
class Reading:
    """The factors as they are read, and what must be remembered for that.

    Attributes
    ----------
    factors : what has been read so far.
    data : the groups as plain data, with full keys and absolute paths.
    places : key of an axis -> where it was written.
    """

    root: Node
    model: Model
    diagnostics: Diagnostics
    factors: list[Factor] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Address] = field(default_factory=dict)

    def complaint(self, address: Address) -> Complain:
        """Where the problems of the axis at an address go; a value in a list has a place of its own."""
        node, depth = self.root.at(address)
        listed = depth == len(address) and isinstance(node.value, list)

        def complain(text: str, number: int | None = None) -> None:
            place = address if number is None or not listed else (*address, number)
            self.diagnostics.error(self.root, place, text)

        return complain

    def target(self, name: str, address: Address) -> Target | None:
        """What an axis called `name` varies; None, and a problem, if that is nothing, or varied already."""
        try:
            target = find_target(name, self.model)
        except ConfigError as failure:
            self.diagnostics.error(self.root, address, str(failure))
            return None
        if target.key in self.places:
            first = self.root.name_of(self.places[target.key])
            self.diagnostics.error(
                self.root, address, f"{target.key} varies already ({first}); remove one of the two axes"
            )
            return None
        self.places[target.key] = address
        return target

    def add(self, group: str, given: list[Given]) -> None:
        """One more factor, if all its axes are right and of one length."""
        lengths = {one.name: one.count for one in given if one.count is not None}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} with {count:,}" for name, count in lengths.items())
            self.diagnostics.error(
                self.root, ("sweep", group), f"expected axes of one length, found {listed}; give all as many values"
            )
            return
        axes = tuple(one.axis for one in given if one.axis is not None)
        if given and len(axes) == len(given):
            self.factors.append(axes)


def read_factors(root: Node, model: Model, diagnostics: Diagnostics) -> Reading:
    """The groups of `sweep`, in the order of the plan; what is wrong with them becomes problems."""
    reading = Reading(root, model, diagnostics)
    for given in _listed(reading, "axes"):
        reading.add("axes", [given])
    reading.add("zip", list(_listed(reading, "zip")))
    for group in ("random", "latin_hypercube"):
        reading.add(group, _drawn(reading, group))
    reading.add("rows", _rows(reading))
    if _says_nothing(root):
        diagnostics.error(
            root,
            ("sweep",),
            "expected at least one axis, found none; write for example axes: {KEY: linspace(0, 1, 11)}",
        )
    n_rows = math.prod(len(factor[0].values) for factor in reading.factors)
    if n_rows > MOST_ROWS:
        diagnostics.error(
            root,
            ("sweep",),
            f"expected at most {MOST_ROWS:,} runs, found {n_rows:,}; vary fewer axes, or give them fewer values",
        )
    return reading


def _says_nothing(root: Node) -> bool:
    """Whether there are no axes, and no attempt at any."""
    settings = ("extra_outputs", "block")
    groups = [node.value for name, node in root.section("sweep").items() if name not in settings]
    return all(group is None or (isinstance(group, dict) and not group) for group in groups)


def _named(reading: Reading, address: Address) -> Iterator[tuple[str, Address, Node]]:
    """The entries of the mapping at an address, with `engine: {rtol: ...}` as `engine.rtol`."""
    node, depth = reading.root.at(address)
    if depth < len(address) or not isinstance(node.value, dict):
        return
    for name, item in node.value.items():
        if isinstance(item.value, dict):
            for inner, inner_address, inner_node in _named(reading, (*address, name)):
                yield f"{name}.{inner}", inner_address, inner_node
        else:
            yield name, (*address, name), item


def _listed(reading: Reading, group: str) -> Iterator[Given]:
    for name, address, node in _named(reading, ("sweep", group)):
        target = reading.target(name, address)
        if target is None:
            yield Given("", None, None)
        else:
            reading.data.setdefault(group, {})[target.key] = resolved_values(node, target)
            axis = axis_of_node(target, node, reading.complaint(address))
            yield Given(target.name, count_of(node, target) if axis is None else len(axis.values), axis)


def _drawn(reading: Reading, group: str) -> list[Given]:
    """The axes of a random group; the schema has checked its numbers, or has complained about them."""
    section = reading.root.section("sweep").get(group)
    entries = list(_named(reading, ("sweep", group, "axes")))
    if section is None or not isinstance(section.value, dict):
        return []
    samples, seed = (_whole(section.value.get(key), default) for key, default in (("samples", 0), ("seed", 0)))
    if not entries:
        if isinstance(getattr(section.value.get("axes"), "value", None), dict):
            reading.diagnostics.error(
                reading.root,
                ("sweep", group, "axes"),
                "expected at least one axis, found none; write KEY: uniform(0, 1)",
            )
        return []
    targets = [reading.target(name, address) for name, address, _ in entries]
    if not 1 <= samples <= MOST_SAMPLES or seed < 0:
        return [Given("", None, None)]
    u = uniform_numbers(group, samples, len(entries), seed)
    drawn = {target.key: plain(node) for target, (_, _, node) in zip(targets, entries, strict=True) if target}
    reading.data[group] = {"samples": samples, "seed": seed, "axes": drawn}
    axes = [
        drawn_axis(target, node, u[:, column], reading.complaint(address)) if target else None
        for column, (target, (_, address, node)) in enumerate(zip(targets, entries, strict=True))
    ]
    return [Given("", samples, axis) for axis in axes]


def _whole(node: Node | None, default: int) -> int:
    value = default if node is None else node.value
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else -1


def _rows(reading: Reading) -> list[Given]:
    """The columns of the table that `rows` names, or holds."""
    address: Address = ("sweep", "rows")
    node = reading.root.section("sweep").get("rows")
    if node is None or not isinstance(node.value, dict | str):
        return []  # nothing, or what the schema complains about
    if isinstance(node.value, dict):
        reading.data["rows"] = {}
        return [_given_column(reading, header, (*address, header), item) for header, item in node.value.items()]
    path = path_of(node)
    reading.data["rows"] = str(path)
    try:
        table = read_table(path)
    except ConfigError as failure:
        for problem in failure.problems:
            reading.diagnostics.error(reading.root, address, problem)
        return [Given("", None, None)]
    return [_file_column(reading, header, table, address) for header in table.columns]


def _given_column(reading: Reading, header: str, address: Address, node: Node) -> Given:
    complain = reading.complaint(address)
    target, degrees = _headed(reading, header, address, complain)
    cells = _given_cells(node, target, complain) if target else None
    if target is None or cells is None:
        return Given("", None, None)
    reading.data["rows"][f"{target.key} [deg]" if degrees else target.key] = resolved_values(node, target)
    return Given(target.name, len(cells) or None, _column(target, cells, complain, degrees=degrees))


def _given_cells(node: Node, target: Target, complain: Complain) -> Any:
    if isinstance(node.value, np.ndarray):
        return node.value
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    if is_file(node, target):
        try:
            return file_values(node)
        except ConfigError as failure:
            complain(str(failure))
            return None
    complain(f"expected a list of values, one for each run, found {shown(node.value)}; list them")
    return None


def _file_column(reading: Reading, header: str, table: Table, address: Address) -> Given:
    def complain(text: str, number: int | None = None) -> None:
        if number is None:
            reading.diagnostics.error(reading.root, address, f"{table.path}: column {header!r}: {text}")
        else:
            reading.diagnostics.problems.append(f"{table.where(number)}: {header}: {text}")

    target, degrees = _headed(reading, header, address, complain)
    cells = table.columns[header]
    return Given(header, len(cells), _column(target, cells, complain, degrees=degrees) if target else None)


def _headed(reading: Reading, header: str, address: Address, complain: Complain) -> tuple[Target | None, bool]:
    """What a column varies, and whether it is in degrees where the unit is rad."""
    match = _HEADER.fullmatch(header.strip())
    name, unit = (match[1], match[2].strip()) if match else (header.strip(), None)
    target = reading.target(name, address)
    if target is None or unit in (None, target.unit):
        return target, False
    if unit == "deg" and target.unit == "rad":
        return target, True
    complain(f"expected the unit [{target.unit}], found [{unit}]; convert the column and its header")
    return None, False


def _column(target: Target, cells: Any, complain: Complain, *, degrees: bool) -> Axis | None:
    if isinstance(cells, np.ndarray):
        numbers = cells * RADIANS if degrees else cells
        return axis_of_array(target, numbers, complain, degrees=degrees, what="the column")
    if degrees:
        cells = [cell if isinstance(cell, str) else f"{cell!r} deg" for cell in cells]
    return axis_of_values(target, cells, complain)
