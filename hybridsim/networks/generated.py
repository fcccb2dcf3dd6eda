"""The functions of a network: a small module with one loop for each population and each group of edges.

A loop copies what a node or an edge reads into arrays of its own, which the compiler keeps in registers, and calls the
functions of the type. Sines are computed for many edges at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.sines import sines
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.networks.description import Sine
from hybridsim.networks.layout import Group, Layout, Place, Population
from hybridsim.typing import Function

AT_ONCE = 512
"""Sines that are computed at once: their numbers lie in the first cache."""


def generated_functions(name: str, layout: Layout) -> dict[str, Function]:
    """Return the functions of a network by their names in the contract.

    Parameters
    ----------
    name : str
        Its name.
    layout : Layout
        Where its numbers lie.
    """
    writer = _Writer(layout)
    texts = [*writer.edges(), *writer.nodes(), *writer.vector_field(), *writer.outputs()]
    arrays = [value.tobytes() for value in writer.used.values() if hasattr(value, "tobytes")]
    digest = hashlib.sha256(b"".join(arrays)).hexdigest()[:16]
    heading = f'"""The network {name}, {digest}: written by hybridsim.networks.network."""\n\nimport math'
    module = load_generated(name, "\n\n\n".join([heading, *texts]) + "\n", writer.used)
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}


def _indented(lines: Iterable[str], depth: int) -> str:
    return "\n".join("    " * depth + line for line in lines)


class _Writer:
    """Writes the functions of a module, and collects what they call by name."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        names = [*(each.name for each in layout.parameters), *(each.name for each in layout.inputs)]
        self._index = {name: i for i, name in enumerate(names)}
        self.used: dict[str, Any] = {"scratch": scratch, "sines": sines}
        self.n_inflows = sum(each.n * len(each.node.inflows) for each in layout.populations)

    def _call(self, function: Function, name: str) -> str:
        self.used[name] = function
        return name

    def _own(self, places: Sequence[Place], index: str) -> tuple[list[str], list[str]]:
        """Return what reads parameters into `own`: before a loop, and for the entry with this index."""
        before, within = [f"own = scratch({max(len(places), 1)})"], []
        for k, place in enumerate(places):
            i = self._index[place.name]
            if place.is_array:
                before.append(f"first_{k} = int(p[{i}])")
                within.append(f"own[{k}] = p[first_{k} + {index}]")
            else:
                before.append(f"own[{k}] = p[{i}]")
        return before, within

    def _ends(self, group: Group) -> tuple[list[str], list[str], list[str]]:
        """Return what reads states of both ends: the arrays, those of the source `j`, and those of the target `i`."""
        edge, read = group.edge, list[list[str]]()
        for end, population, names, index in (
            ("source", group.source, edge.source, "j"),
            ("target", group.target, edge.target, "i"),
        ):
            places = (population.state(group.states.get(name, name)) for name in names)
            read.append([f"{end}[{k}] = x[{place} + {index}]" for k, place in enumerate(places)])
        memory = [
            f"source = scratch({max(len(edge.source), 1)})",
            f"target = scratch({max(len(edge.target), 1)})",
        ]
        return memory, read[0], read[1]

    def edges(self) -> Iterator[str]:
        """Write a function for each feed of each group, which adds to the inflows of its targets."""
        for g, group in enumerate(self.layout.groups):
            if not group.pattern.n_edges:
                continue
            for f, (name, feed) in enumerate(group.edge.feeds.items()):
                place = group.target.inflow(group.inflows.get(name, name))
                start = f"def edges_{g}_{f}(inflow, t, x, p):\n"
                if not isinstance(feed, Sine):
                    yield start + self._sum(g, group, self._call(feed, f"feed_{g}_{f}"), place)
                    continue
                for key in ("ahead", "behind", "factor"):
                    self._call(getattr(feed, key), f"{key}_{g}_{f}")
                is_complete = group.pattern.complete is not None
                write = self._sines_of_all if is_complete else self._sines_of_edges
                yield start + write(group, f"{g}_{f}", place)

    def _arrays(self, g: int | str, group: Group) -> None:
        self.used |= {f"SOURCES_{g}": group.pattern.sources, f"STARTS_{g}": group.starts}

    def _sum(self, g: int, group: Group, feed: str, place: int) -> str:
        self._arrays(g, group)
        memory, source, target = self._ends(group)
        own, own_of_edge = self._own(group.places, "e")
        of_edge = [f"j = SOURCES_{g}[e]", *source, *own_of_edge, f"total += {feed}(t, source, target, own)"]
        loop = [*target, "total = 0.0", f"for e in range(STARTS_{g}[i], STARTS_{g}[i + 1]):"]
        lines = [
            _indented([*memory, *own, f"for i in range({group.target.n}):"], 1),
            _indented(loop, 2),
            _indented(of_edge, 3),
            _indented([f"inflow[{place} + i] += total"], 2),
        ]
        return "\n".join(lines)

    def _sines_of_edges(self, group: Group, key: str, place: int) -> str:
        g = key.partition("_")[0]
        self._arrays(g, group)
        self.used[f"TARGETS_{g}"] = group.pattern.targets
        memory, source, target = self._ends(group)
        own, own_of_edge = self._own(group.places, "e")
        return SINES_OF_EDGES.format(
            g=g,
            key=key,
            place=place,
            n=group.pattern.n_edges,
            many=AT_ONCE,
            before=_indented([*memory, *own], 1),
            both=_indented([*source, *target, *own_of_edge], 3),
            one=_indented([*source, *own_of_edge], 4),
        )

    def _sines_of_all(self, group: Group, key: str, place: int) -> str:
        memory, source, target = self._ends(group)
        own, _ = self._own(group.places, "")
        complete = group.pattern.complete
        assert complete is not None
        text = SINES_OF_ALL + (WITHOUT_ITSELF if complete.is_same else "")
        return text.format(
            key=key,
            place=place,
            n_sources=group.source.n,
            n_targets=group.target.n,
            many=AT_ONCE,
            before=_indented([*memory, *own], 1),
            source=_indented(source, 3),
            target=_indented(target, 3),
            of_itself=_indented([line.replace("+ j]", "+ i]") for line in source], 3),
        )

    def nodes(self) -> Iterator[str]:
        """Write a function for each population, which writes the slopes of its states."""
        for q, each in enumerate(self.layout.populations):
            own, own_of_node = self._own(each.places, "i")
            states, inflows = each.node.states.names, each.node.inflows
            memory = [f"slopes = scratch({len(states)})", f"values = scratch({len(states)})"]
            memory += [f"pulls = scratch({max(len(inflows), 1)})"]
            lines = [*own_of_node, *_values(each)]
            lines += [f"pulls[{k}] = inflow[{each.inflow(name)} + i]" for k, name in enumerate(inflows)]
            lines += [f"{self._call(each.node.vector_field, f'field_{q}')}(slopes, t, values, own, pulls)"]
            lines += [f"xdot[{each.state(name)} + i] = slopes[{k}]" for k, name in enumerate(states)]
            yield "\n".join(
                [
                    f"def nodes_{q}(xdot, inflow, t, x, p):",
                    _indented([*memory, *own, f"for i in range({each.n}):"], 1),
                    _indented(lines, 2),
                ]
            )

    def vector_field(self) -> Iterator[str]:
        """Write the vector field: all edges, then all nodes."""
        lines = [f"inflow = scratch({max(self.n_inflows, 1)})", f"for i in range({self.n_inflows}):"]
        lines += ["    inflow[i] = 0.0"]
        for g, group in enumerate(self.layout.groups):
            if group.pattern.n_edges:
                lines += [f"edges_{g}_{f}(inflow, t, x, p)" for f in range(len(group.edge.feeds))]
        lines += [f"nodes_{q}(xdot, inflow, t, x, p)" for q in range(len(self.layout.populations))]
        yield "def vector_field(xdot, t, x, p, chart):\n" + _indented(lines, 1)

    def outputs(self) -> Iterator[str]:
        """Write the outputs of nodes, and how much angles are in step."""
        lines, place = [], 0
        for q, each in enumerate(self.layout.populations):
            own, own_of_node = self._own(each.places, "i")
            written = []
            for f, function in enumerate(each.node.outputs.values()):
                name = self._call(function, f"output_{q}_{f}")
                written.append(f"y[{place} + i] = {name}(t, values, own)")
                place += each.n
            if written:
                lines += [f"values = scratch({len(each.node.states)})", *own, f"for i in range({each.n}):"]
                lines += [f"    {line}" for line in (*own_of_node, *_values(each), *written)]
            if each.node.angle and each.n > 1:
                first = each.state(each.node.angle)
                lines += ORDER.format(first=first, n=each.n, place=place, many=AT_ONCE).splitlines()
                place += 2
        if lines:
            yield "def outputs(y, t, x, p, chart):\n" + _indented(lines, 1)


def _values(population: Population) -> list[str]:
    """Return what reads the states of the node `i`."""
    names = population.node.states.names
    return [f"values[{k}] = x[{population.state(name)} + i]" for k, name in enumerate(names)]


SINES_OF_EDGES = """{before}
    angles = scratch({many})
    e, i = 0, 0
    for first in range(0, {n}, {many}):
        n = min({many}, {n} - first)
        for k in range(n):
            e = first + k
            i = TARGETS_{g}[e]
            j = SOURCES_{g}[e]
{both}
            angles[k] = ahead_{key}(t, source, own) - behind_{key}(t, target, own)
        sines(angles, n, 0.0)
        e = first
        i = TARGETS_{g}[e]
        while e < first + n:
            end = min(STARTS_{g}[i + 1], first + n)
            total = 0.0
            while e < end:
                j = SOURCES_{g}[e]
{one}
                total += factor_{key}(t, source, own) * angles[e - first]
                e += 1
            inflow[{place} + i] += total
            i += 1"""
"""Sums by target: edges of a target that two blocks share are summed in two parts."""

SINES_OF_ALL = """{before}
    a, b = scratch({many}), scratch({many})
    total, total_of_cosines = 0.0, 0.0
    for first in range(0, {n_sources}, {many}):
        n = min({many}, {n_sources} - first)
        for k in range(n):
            j = first + k
{source}
            a[k] = ahead_{key}(t, source, own)
            b[k] = a[k]
        sines(a, n, 0.0)
        sines(b, n, 0.5)
        for k in range(n):
            j = first + k
{source}
            weight = factor_{key}(t, source, own)
            total += weight * a[k]
            total_of_cosines += weight * b[k]
    for first in range(0, {n_targets}, {many}):
        n = min({many}, {n_targets} - first)
        for k in range(n):
            i = first + k
{target}
            a[k] = behind_{key}(t, target, own)
            b[k] = a[k]
        sines(a, n, 0.0)
        sines(b, n, 0.5)
        for k in range(n):
            inflow[{place} + first + k] += total * b[k] - total_of_cosines * a[k]"""
"""The sum over j of w_j sin(a_j - b_i) is cos(b_i) times that of w_j sin(a_j), less sin(b_i) times that of cosines."""

WITHOUT_ITSELF = """
        for k in range(n):
            i = first + k
{target}
{of_itself}
            a[k] = ahead_{key}(t, source, own) - behind_{key}(t, target, own)
        sines(a, n, 0.0)
        for k in range(n):
            i = first + k
{of_itself}
            inflow[{place} + i] -= factor_{key}(t, source, own) * a[k]"""

ORDER = """a, b = scratch({many}), scratch({many})
total, total_of_cosines = 0.0, 0.0
for first in range(0, {n}, {many}):
    n = min({many}, {n} - first)
    for k in range(n):
        a[k] = x[{first} + first + k]
        b[k] = a[k]
    sines(a, n, 0.0)
    sines(b, n, 0.5)
    for k in range(n):
        total += a[k]
        total_of_cosines += b[k]
y[{place}] = math.hypot(total, total_of_cosines) / {n}
y[{place} + 1] = math.atan2(total, total_of_cosines)"""
"""Kuramoto's order parameter: the mean of exp(i angle)."""
