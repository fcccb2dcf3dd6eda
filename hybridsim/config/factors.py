"""The groups of a sweep (axes, zip, random, latin_hypercube, rows) as factors of its plan."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.config.axes import Axis, Factor
from hybridsim.config.axis_values import Complain, axis_of_array, axis_of_node, axis_of_values
from hybridsim.config.row_files import Table, read_table
from hybridsim.config.samples import drawn_axis, uniform_numbers
from hybridsim.config.schema import MOST_SAMPLES
from hybridsim.config.source import Address, Findings, Node, shown
from hybridsim.config.targets import Target, find_target
from hybridsim.errors import ConfigError
from hybridsim.model import Model

MOST_ROWS = 10**12
"""Of a plan; a thousand years of computing."""

_HEADER = re.compile(r"(\S+)\s*\[(.*)\]")
_RADIANS = math.pi / 180.0


@dataclass
class Plan:
    """The factors as they are read, and what must be remembered for that.

    Attributes
    ----------
    factors : what has been read so far.
    data : the groups as plain data, with full keys and absolute paths.
    places : key of an axis -> where it was written.
    """

    root: Node
    model: Model
    findings: Findings
    factors: list[Factor] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Address] = field(default_factory=dict)

    def complaint(self, address: Address) -> Complain:
        """Where the problems of the axis at an address go; a value in a list has a place of its own."""
        node, depth = self.root.at(address)
        listed = depth == len(address) and isinstance(node.value, list)

        def complain(text: str, number: int | None = None) -> None:
            place = address if number is None or not listed else (*address, number)
            self.findings.complain(self.root, place, text)

        return complain

    def target(self, name: str, address: Address) -> Target | None:
        """What an axis called `name` varies; None, and a problem, if that is nothing, or varied already."""
        try:
            target = find_target(name, self.model)
        except ConfigError as failure:
            self.findings.complain(self.root, address, str(failure))
            return None
        if target.key in self.places:
            node, _ = self.root.at(self.places[target.key])
            self.findings.complain(
                self.root, address, f"{target.key} varies already ({node.place.origin}); remove one of the two axes"
            )
            return None
        self.places[target.key] = address
        return target

    def add(self, group: str, axes: list[Axis | None]) -> None:
        """One more factor, if all its axes are right and of one length."""
        if not axes or None in axes:
            return
        factor = tuple(axis for axis in axes if axis is not None)
        lengths = {axis.name: len(axis.values) for axis in factor}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} with {count:,}" for name, count in lengths.items())
            self.findings.complain(
                self.root, ("sweep", group), f"expected axes of one length, found {listed}; give all as many values"
            )
        else:
            self.factors.append(factor)


def read_factors(root: Node, model: Model, findings: Findings) -> Plan:
    """The groups of `sweep`, in the order of the plan; what is wrong with them becomes problems."""
    plan = Plan(root, model, findings)
    before = len(findings.problems)
    for axis in _listed(plan, "axes"):
        plan.add("axes", [axis])
    plan.add("zip", list(_listed(plan, "zip")))
    for group in ("random", "latin_hypercube"):
        plan.add(group, _drawn(plan, group))
    plan.add("rows", _rows(plan))
    if not plan.factors and len(findings.problems) == before:
        findings.complain(
            root,
            ("sweep",),
            "expected at least one axis, found none; write for example axes: {KEY: linspace(0, 1, 11)}",
        )
    n_rows = math.prod(len(factor[0].values) for factor in plan.factors)
    if n_rows > MOST_ROWS:
        findings.complain(
            root,
            ("sweep",),
            f"expected at most {MOST_ROWS:,} runs, found {n_rows:,}; vary fewer axes, or give them fewer values",
        )
    return plan


def _named(plan: Plan, address: Address) -> Iterator[tuple[str, Address, Node]]:
    """The entries of the mapping at an address, with `engine: {rtol: ...}` as `engine.rtol`."""
    node, depth = plan.root.at(address)
    if depth < len(address) or not isinstance(node.value, dict):
        return
    for name, item in node.value.items():
        if isinstance(item.value, dict):
            for inner, inner_address, inner_node in _named(plan, (*address, name)):
                yield f"{name}.{inner}", inner_address, inner_node
        else:
            yield name, (*address, name), item


def _listed(plan: Plan, group: str) -> Iterator[Axis | None]:
    for name, address, node in _named(plan, ("sweep", group)):
        target = plan.target(name, address)
        if target is None:
            yield None
        else:
            plan.data.setdefault(group, {})[target.key] = _plain(node)
            yield axis_of_node(target, node, plan.complaint(address))


def _drawn(plan: Plan, group: str) -> list[Axis | None]:
    """The axes of a random group; the schema has checked its numbers, or has complained about them."""
    section = plan.root.section("sweep").get(group)
    entries = list(_named(plan, ("sweep", group, "axes")))
    if section is None or not isinstance(section.value, dict):
        return []
    samples, seed = (_whole(section.value.get(key), default) for key, default in (("samples", 0), ("seed", 0)))
    if not entries:
        if isinstance(getattr(section.value.get("axes"), "value", None), dict):
            plan.findings.complain(
                plan.root, ("sweep", group, "axes"), "expected at least one axis, found none; write KEY: uniform(0, 1)"
            )
        return []
    targets = [plan.target(name, address) for name, address, _ in entries]
    if not 1 <= samples <= MOST_SAMPLES or seed < 0:
        return [None]
    u = uniform_numbers(group, samples, len(entries), seed)
    drawn = {target.key: _plain(node) for target, (_, _, node) in zip(targets, entries, strict=True) if target}
    plan.data[group] = {"samples": samples, "seed": seed, "axes": drawn}
    return [
        drawn_axis(target, node, u[:, column], plan.complaint(address)) if target else None
        for column, (target, (_, address, node)) in enumerate(zip(targets, entries, strict=True))
    ]


def _whole(node: Node | None, default: int) -> int:
    value = default if node is None else node.value
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else -1


def _rows(plan: Plan) -> list[Axis | None]:
    """The columns of the table that `rows` names, or holds."""
    address: Address = ("sweep", "rows")
    node = plan.root.section("sweep").get("rows")
    if node is None or not isinstance(node.value, dict | str):
        return []  # nothing, or what the schema complains about
    if isinstance(node.value, dict):
        plan.data["rows"] = {}
        return [_given_column(plan, header, (*address, header), item) for header, item in node.value.items()]
    path = (node.place.folder / Path(node.value).expanduser()).resolve()
    plan.data["rows"] = str(path)
    try:
        table = read_table(path)
    except ConfigError as failure:
        for problem in failure.problems:
            plan.findings.complain(plan.root, address, problem)
        return [None]
    return [_file_column(plan, header, table, address) for header in table.columns]


def _given_column(plan: Plan, header: str, address: Address, node: Node) -> Axis | None:
    complain = plan.complaint(address)
    target, degrees = _headed(plan, header, address, complain)
    if target is None:
        return None
    if not isinstance(node.value, np.ndarray | list):
        complain(f"expected a list of values, one for each run, found {shown(node.value)}; list them")
        return None
    plan.data["rows"][f"{target.key} [deg]" if degrees else target.key] = _plain(node)
    cells = node.value if isinstance(node.value, np.ndarray) else [item.value for item in node.value]
    return _column(target, cells, complain, degrees=degrees)


def _file_column(plan: Plan, header: str, table: Table, address: Address) -> Axis | None:
    def complain(text: str, number: int | None = None) -> None:
        if number is None:
            plan.findings.complain(plan.root, address, f"{table.path}: column {header!r}: {text}")
        else:
            plan.findings.problems.append(f"{table.where(number)}: {header}: {text}")

    target, degrees = _headed(plan, header, address, complain)
    return _column(target, table.columns[header], complain, degrees=degrees) if target else None


def _headed(plan: Plan, header: str, address: Address, complain: Complain) -> tuple[Target | None, bool]:
    """What a column varies, and whether it is in degrees where the unit is rad."""
    match = _HEADER.fullmatch(header.strip())
    name, unit = (match[1], match[2].strip()) if match else (header.strip(), None)
    target = plan.target(name, address)
    if target is None or unit in (None, target.unit):
        return target, False
    if unit == "deg" and target.unit == "rad":
        return target, True
    complain(f"expected the unit [{target.unit}], found [{unit}]; convert the column and its header")
    return None, False


def _column(target: Target, cells: Any, complain: Complain, *, degrees: bool) -> Axis | None:
    if isinstance(cells, np.ndarray):
        numbers = cells * _RADIANS if degrees else cells
        return axis_of_array(target, numbers, complain, degrees=degrees, what="the column")
    if degrees:
        cells = [cell if isinstance(cell, str) else f"{cell!r} deg" for cell in cells]
    return axis_of_values(target, cells, complain)


def _plain(node: Node) -> Any:
    value = node.plain()
    return value.tolist() if isinstance(value, np.ndarray) else value
