"""Read the groups of a sweep (axes, zip, random, latin_hypercube, rows) as the factors of its plan."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.config.row_files import RowTable, read_table
from hybridsim.config.source import Address, Diagnostics, Node, show
from hybridsim.config.sweep.axis_values import (
    Axis,
    Factor,
    ReportError,
    axis_of_array,
    axis_of_node,
    axis_of_values,
    count_of,
    draw_axis,
    file_values,
    is_file,
    path_of,
    plain,
    resolve_values,
    uniform_numbers,
)
from hybridsim.config.sweep.expressions import RADIANS_PER_DEGREE
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.config.sweep_settings import MAX_RANDOM_RUNS
from hybridsim.errors import ConfigError
from hybridsim.model import Model

MAX_SWEEP_ROWS = 10**10
"""Most rows of a sweep; more would take years to compute."""

_HEADER = re.compile(r"(\S+)\s*\[(.*)\]")


@dataclass(frozen=True, slots=True)
class GivenAxis:
    """An axis as it was given, valid or not.

    Attributes
    ----------
    name : str
        Its name in messages about lengths; "" if its key cannot vary.
    count : int or None
        Number of values given, valid or not; None if unknown.
    axis : Axis or None
        The axis; None if something about it is invalid.
    """

    name: str
    count: int | None
    axis: Axis | None


@dataclass
class FactorReader:
    """Collects the factors of a sweep while its groups are read.

    Attributes
    ----------
    root : Node
        The configuration.
    model : Model
        The model.
    diagnostics : Diagnostics
        Gets the errors.
    factors : list of Factor
        The factors read so far.
    data : dict
        The groups as plain data, with full keys and absolute paths.
    addresses : dict
        Key of an axis -> address at which it was written.
    """

    root: Node
    model: Model
    diagnostics: Diagnostics
    factors: list[Factor] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    addresses: dict[str, Address] = field(default_factory=dict)

    def error(self, address: Address, text: str) -> None:
        """Record an error for a key."""
        self.diagnostics.error(self.root, address, text)

    def reporter(self, address: Address) -> ReportError:
        """Return the function that reports errors of the axis at an address; in a list, each value has its own."""
        node, depth = self.root.at(address)
        listed = depth == len(address) and isinstance(node.value, list)

        def report(text: str, index: int | None = None) -> None:
            self.error(address if index is None or not listed else (*address, index), text)

        return report

    def target(self, name: str, address: Address) -> Target | None:
        """Return the key that an axis called `name` varies; None, after an error, if it cannot vary or does already."""
        try:
            target = find_target(name, self.model)
        except ConfigError as failure:
            self.error(address, str(failure))
            return None
        if target.key in self.addresses:
            first = self.root.name_of(self.addresses[target.key])
            self.error(address, f"{target.key} varies already ({first}); remove one of the two axes")
            return None
        self.addresses[target.key] = address
        return target

    def add(self, group: str, given: list[GivenAxis]) -> None:
        """Add a factor if all its axes are valid and of one length."""
        lengths = {one.name: one.count for one in given if one.count is not None}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} with {count:,}" for name, count in lengths.items())
            self.error(("sweep", group), f"expected axes of one length, found {listed}; give all as many values")
            return
        axes = tuple(one.axis for one in given if one.axis is not None)
        if given and len(axes) == len(given):
            self.factors.append(axes)


def read_factors(root: Node, model: Model, diagnostics: Diagnostics) -> FactorReader:
    """Read the groups of `sweep` in the order of the plan, and record errors for those that are invalid."""
    reader = FactorReader(root, model, diagnostics)
    for given in _listed_axes(reader, "axes"):
        reader.add("axes", [given])
    reader.add("zip", list(_listed_axes(reader, "zip")))
    for group in ("random", "latin_hypercube"):
        reader.add(group, _random_axes(reader, group))
    reader.add("rows", _rows(reader))
    if _has_no_axes(root):
        text = "expected at least one axis, found none; write for example axes: {KEY: 'linspace(0, 1, 11)'}"
        reader.error(("sweep",), text)
    n_rows = math.prod(len(factor[0].values) for factor in reader.factors)
    if n_rows > MAX_SWEEP_ROWS:
        found = f"expected at most {MAX_SWEEP_ROWS:,} runs, found {n_rows:,}"
        reader.error(("sweep",), f"{found}; vary fewer axes, or give them fewer values")
    return reader


def _has_no_axes(root: Node) -> bool:
    """Return whether no group with axes is given, valid or not."""
    settings = ("extra_outputs", "results", "block")
    groups = [node.value for name, node in root.section("sweep").items() if name not in settings]
    return all(group is None or (isinstance(group, dict) and not group) for group in groups)


def _named_entries(reader: FactorReader, address: Address) -> Iterator[tuple[str, Address, Node]]:
    """Yield (name, path of keys, node) of each entry.

    Nested keys are joined: `engine: {rtol: ...}` gives `engine.rtol`.
    """
    node, depth = reader.root.at(address)
    if depth < len(address) or not isinstance(node.value, dict):
        return
    for name, item in node.value.items():
        if isinstance(item.value, dict):
            for inner, inner_address, inner_node in _named_entries(reader, (*address, name)):
                yield f"{name}.{inner}", inner_address, inner_node
        else:
            yield name, (*address, name), item


def _listed_axes(reader: FactorReader, group: str) -> Iterator[GivenAxis]:
    for name, address, node in _named_entries(reader, ("sweep", group)):
        target = reader.target(name, address)
        if target is None:
            yield GivenAxis("", None, None)
        else:
            reader.data.setdefault(group, {})[target.key] = resolve_values(node, target)
            axis = axis_of_node(target, node, reader.reporter(address))
            yield GivenAxis(target.name, count_of(node, target) if axis is None else len(axis.values), axis)


def _random_axes(reader: FactorReader, group: str) -> list[GivenAxis]:
    """Return the axes of a random group; errors in `samples` and `seed` are reported by the schema."""
    section = reader.root.section("sweep").get(group)
    entries = list(_named_entries(reader, ("sweep", group, "axes")))
    if section is None or not isinstance(section.value, dict):
        return []
    samples, seed = (_integer(section.value.get(key), default) for key, default in (("samples", 0), ("seed", 0)))
    if not entries:
        if isinstance(getattr(section.value.get("axes"), "value", None), dict):
            text = "expected at least one axis, found none; write KEY: uniform(0, 1)"
            reader.error(("sweep", group, "axes"), text)
        return []
    targets = [reader.target(name, address) for name, address, _ in entries]
    if not 1 <= samples <= MAX_RANDOM_RUNS or seed < 0:
        return [GivenAxis("", None, None)]
    u = uniform_numbers(group, samples, len(entries), seed)
    drawn = {target.key: plain(node) for target, (_, _, node) in zip(targets, entries, strict=True) if target}
    reader.data[group] = {"samples": samples, "seed": seed, "axes": drawn}
    axes = [
        draw_axis(target, node, u[:, column], reader.reporter(address)) if target else None
        for column, (target, (_, address, node)) in enumerate(zip(targets, entries, strict=True))
    ]
    return [GivenAxis("", samples, axis) for axis in axes]


def _integer(node: Node | None, default: int) -> int:
    """Return the integer that a node gives, -1 if it gives none."""
    value = default if node is None else node.value
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else -1


def _rows(reader: FactorReader) -> list[GivenAxis]:
    """Return the columns of `rows`: of the table in the file that it names, or of the mapping that it gives."""
    address: Address = ("sweep", "rows")
    node = reader.root.section("sweep").get("rows")
    if node is None or not isinstance(node.value, dict | str):
        return []  # not given, or reported by the schema
    if isinstance(node.value, dict):
        reader.data["rows"] = {}
        return [_column_of_values(reader, header, (*address, header), item) for header, item in node.value.items()]
    try:
        path = path_of(node)
        table = read_table(path)
    except ConfigError as failure:
        for problem in failure.problems:
            reader.error(address, problem)
        return [GivenAxis("", None, None)]
    reader.data["rows"] = str(path)
    return [_file_column(reader, header, table, address) for header in table.columns]


def _column_of_values(reader: FactorReader, header: str, address: Address, node: Node) -> GivenAxis:
    report = reader.reporter(address)
    target, degrees = _read_header(reader, header, address, report)
    cells = _cells_of_values(node, target, report) if target else None
    if target is None or cells is None:
        return GivenAxis("", None, None)
    reader.data["rows"][f"{target.key} [deg]" if degrees else target.key] = resolve_values(node, target)
    return GivenAxis(target.name, len(cells) or None, _column(target, cells, report, degrees=degrees))


def _cells_of_values(node: Node, target: Target, report: ReportError) -> Any:
    if isinstance(node.value, np.ndarray):
        return node.value
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    if is_file(node, target):
        try:
            return file_values(node)
        except ConfigError as failure:
            report(str(failure))
            return None
    report(f"expected a list of values, one for each run, found {show(node.value)}; list them")
    return None


def _file_column(reader: FactorReader, header: str, table: RowTable, address: Address) -> GivenAxis:
    def report(text: str, index: int | None = None) -> None:
        if index is None:
            reader.error(address, f"{table.path}: column {header!r}: {text}")
        else:
            reader.diagnostics.problems.append(f"{table.where(index)}: {header}: {text}")

    target, degrees = _read_header(reader, header, address, report)
    cells = table.columns[header]
    return GivenAxis(header, len(cells), _column(target, cells, report, degrees=degrees) if target else None)


def _read_header(
    reader: FactorReader, header: str, address: Address, report: ReportError
) -> tuple[Target | None, bool]:
    """Return the key that a column varies, and whether the column is in degrees though the unit is rad."""
    match = _HEADER.fullmatch(header.strip())
    name, unit = (match[1], match[2].strip()) if match else (header.strip(), None)
    target = reader.target(name, address)
    if target is None or unit in (None, target.unit):
        return target, False
    if unit == "deg" and target.unit == "rad":
        return target, True
    report(f"expected the unit [{target.unit}], found [{unit}]; convert the column and its header")
    return None, False


def _column(target: Target, cells: Any, report: ReportError, *, degrees: bool) -> Axis | None:
    if isinstance(cells, np.ndarray):
        numbers = cells * RADIANS_PER_DEGREE if degrees else cells
        return axis_of_array(target, numbers, report, degrees=degrees, source="the column")
    if degrees:
        cells = [cell if isinstance(cell, str) else f"{cell!r} deg" for cell in cells]
    return axis_of_values(target, cells, report)
