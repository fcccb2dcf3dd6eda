"""The functions of a network: a small module with a loop for each kind of populations and of groups of edges.

A loop copies what a node or an edge reads into arrays of its own, which the compiler keeps in registers, and calls the
functions of the type. Where the numbers lie are arguments, so that populations and groups of a kind share a loop. Sines
are computed for many edges at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hybridsim.engine.compiler.scratch import buffer, integers, scratch
from hybridsim.engine.compiler.sines import sines
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.networks.description import Sine
from hybridsim.networks.layout import INFLOWS, Group, Layout
from hybridsim.networks.loops import (
    BOUNDARIES,
    FEEDS,
    INITIAL_CHART,
    NODES,
    OUTPUTS,
    SINES_OF_ALL,
    SINES_OF_EDGES,
    TRANSITION,
    WITHOUT_ITSELF,
)
from hybridsim.networks.order import AT_ONCE, put_order
from hybridsim.networks.populations import Place, Population
from hybridsim.typing import Function

CALLED: dict[str, Any] = {
    "scratch": scratch,
    "buffer": buffer,
    "integers": integers,
    "sines": sines,
    "put_order": put_order,
    "AT_ONCE": AT_ONCE,
}
"""What generated modules call by name."""


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
    functions = [writer.vector_field(), writer.outputs()]
    functions += [writer.boundaries(), writer.transition(), writer.initial_chart()]
    heading = f'"""The network {name}: written by hybridsim.networks.network."""'
    texts = [heading, *writer.loops, *(text for text in functions if text)]
    module = load_generated(name, "\n\n\n".join(texts) + "\n", writer.used)
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}


def _indented(lines: Iterable[str], depth: int) -> str:
    return "\n".join("    " * depth + line for line in lines) or "    " * depth + "pass"


class _Writer:
    """Writes the functions of a module, and collects what they call by name."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.loops, self.used = layout, list[str](), dict(CALLED)
        tables = layout.parameters, layout.inputs, layout.constants
        self._index = {name: i for i, name in enumerate(name for table in tables for name in table.names)}
        self._beyond = 1 << sum(layout.fields.values())
        self._names: dict[int, str] = {}
        self._loop_names: dict[str, str] = {}

    def _name(self, function: Function) -> str:
        """Return the name by which the module calls a function."""
        if id(function) not in self._names:
            self._names[id(function)] = f"{function.__name__.strip('<>')}_f{len(self._names)}"
            self.used[self._names[id(function)]] = function
        return self._names[id(function)]

    def _call(self, what: str, taken: str, body: str, numbers: dict[str, int]) -> str:
        """Write a loop, unless it is there, and return a call of it with these numbers."""
        arguments = ", ".join([taken, *numbers])
        text = f"({arguments}):\n{body}"
        if text not in self._loop_names:
            self._loop_names[text] = f"{what}_{len(self.loops)}"
            self.loops.append(f"def {self._loop_names[text]}{text}")
        return f"{self._loop_names[text]}({', '.join([taken, *map(str, numbers.values())])})"

    def _own(self, places: Sequence[Place], index: str) -> tuple[list[str], list[str], dict[str, int]]:
        """Return what reads parameters into `own`: before a loop, and for the entry with this index; and where from."""
        before, within, numbers = [f"own = scratch({max(len(places), 1)})"], [], {}
        for k, place in enumerate(places):
            numbers[f"p{k}"] = self._index[place.name]
            if place.is_array:
                before.append(f"first_{k} = int(p[p{k}])")
                within.append(f"own[{k}] = p[first_{k} + {index}]")
            else:
                before.append(f"own[{k}] = p[p{k}]")
        return before, within, numbers

    def _feed(self, group: Group, name: str, feed: Function | Sine) -> str:
        """Return the call of a loop that adds to an inflow of all targets."""
        edge, complete = group.edge, group.pattern.complete
        own, own_of_edge, numbers = self._own(group.places, "e")
        numbers = {"place": group.target.inflow(group.inflows.get(name, name)), **numbers}
        numbers |= {f"s{k}": group.source.state(group.states.get(each, each)) for k, each in enumerate(edge.source)}
        numbers |= {f"e{k}": group.target.state(group.states.get(each, each)) for k, each in enumerate(edge.target)}
        source = [f"source[{k}] = x[s{k} + j]" for k in range(len(edge.source))]
        target = [f"target[{k}] = x[e{k} + i]" for k in range(len(edge.target))]
        before = [f"source = scratch({max(len(source), 1)})", f"target = scratch({max(len(target), 1)})", *own]
        parts = {"before": _indented(before, 1), "target": _indented(target, 3), "source": _indented(source, 3)}
        if isinstance(feed, Sine):
            parts |= {key: self._name(getattr(feed, key)) for key in ("ahead", "behind", "factor")}
        if complete is not None and isinstance(feed, Sine):
            numbers = {"n_sources": complete.n_sources, "n_targets": complete.n_targets, **numbers}
            itself = [line.replace("+ j]", "+ i]") for line in source]
            text = SINES_OF_ALL + (WITHOUT_ITSELF if complete.is_same else "")
            return self._call("feed", FED, text.format(**parts, itself=_indented(itself, 3)), numbers)
        numbers = {"n_edges": group.pattern.n_edges, "n_targets": group.target.n, **numbers}
        numbers |= {f"{key}_at": self._index[f"{group.name}.{key}"] for key in ("sources", "targets", "starts")}
        if isinstance(feed, Sine):
            parts |= {"both": _indented([*source, *target, *own_of_edge], 3)}
            text = SINES_OF_EDGES.format(**parts, one=_indented([*source, *own_of_edge], 4))
        else:
            one = _indented([*source, *own_of_edge], 3)
            text = FEEDS.format(**parts, one=one, of_target=_indented(target, 2), feed=self._name(feed))
        return self._call("feed", FED, text, numbers)

    def _of_nodes(self, each: Population, depth: int = 2) -> tuple[dict[str, Any], dict[str, int]]:
        """Return what the loops over a population have alike, and their numbers."""
        own, own_of_node, numbers = self._own(each.places, "i")
        states, widths = range(len(each.node.states)), [*each.node.fields.values()]
        numbers = {"n": each.n, **{f"x{k}": each.first_state + k * each.n for k in states}, **numbers}
        numbers |= {f"c{k}": each.first_bit + each.n * sum(widths[:k]) for k in range(len(widths))}
        before = [f"values = scratch({len(states)})", *own]
        within = [*own_of_node, *(f"values[{k}] = x[x{k} + i]" for k in states)]
        parts = {"before": _indented(before, 1), "within": _indented(within, depth), "n_states": len(states)}
        fields = (
            f"(chart >> c{k} + {width} * i & {(1 << width) - 1}) << {sum(widths[:k])}" for k, width in enumerate(widths)
        )
        bits = " | ".join(fields)
        parts |= {"bits": bits or "0", "chart": f", {bits}" if bits else ""}
        return parts, numbers

    def _slopes(self, each: Population) -> str:
        """Return the call of a loop that writes the slopes of a population."""
        parts, numbers = self._of_nodes(each)
        inflows, moving = range(len(each.node.inflows)), _moving(each)
        numbers |= {f"u{k}": each.first_inflow + k * each.n for k in inflows}
        pulls = [f"pulls[{k}] = inflow[u{k} + i]" for k in inflows]
        still = [f"slopes[{k}] = 0.0" for k in moving]  # as everywhere, a slope that is not written is 0
        text = NODES.format(
            **parts,
            n_inflows=max(len(inflows), 1),
            pulls=_indented([*pulls, *still], 2),
            field=self._name(each.node.vector_field),
            written=_indented([f"xdot[x{k} + i] = slopes[{k}]" for k in moving], 2),
        )
        return self._call("nodes", f"xdot, inflow, t, x, p{', chart' if each.node.fields else ''}", text, numbers)

    def vector_field(self) -> str:
        """Write the vector field: all edges, then all nodes."""
        size = self.layout.n_inflows
        room = f"buffer(p, {self._index[INFLOWS]}, {size})" if INFLOWS in self._index else f"scratch({max(size, 1)})"
        lines = [f"inflow = {room}", f"for i in range({size}):", "    inflow[i] = 0.0"]
        for group in self.layout.groups:
            if group.pattern.n_edges:
                lines += [self._feed(group, *each) for each in group.edge.feeds.items()]
        lines += map(self._slopes, self.layout.populations)
        return "def vector_field(xdot, t, x, p, chart):\n" + _indented(lines, 1)

    def outputs(self) -> str:
        """Write the outputs of nodes, and how much angles are in step; "" if there are none."""
        lines, place = [], 0
        for each in self.layout.populations:
            for function in each.node.outputs.values():
                parts, numbers = self._of_nodes(each)
                text, chart = OUTPUTS.format(**parts, output=self._name(function)), ", chart" * bool(each.node.fields)
                lines.append(self._call("outputs", f"y, t, x, p{chart}", text, {"place": place, **numbers}))
                place += each.n
            if each.node.angle and each.n > 1:
                lines.append(f"put_order(y, {place}, x, {each.state(each.node.angle)}, {each.n})")
                place += 2
        return "def outputs(y, t, x, p, chart):\n" + _indented(lines, 1) if lines else ""

    def boundaries(self) -> str:
        """Write the boundaries of nodes; "" if there are none."""
        lines = []
        for each in self.layout.populations:
            if each.node.boundaries is not None:
                parts, numbers = self._of_nodes(each)
                entries = _boundaries_of(each)
                text = BOUNDARIES.format(
                    **parts,
                    boundaries=self._name(each.node.boundaries),
                    n_boundaries=len(entries),
                    unset=_indented([f"distances[{k}] = g[{at} + i]" for k, at in enumerate(entries)], 2),
                    written=_indented([f"g[{at} + i] = distances[{k}]" for k, at in enumerate(entries)], 2),
                )
                lines.append(self._call("boundaries", "g, t, x, p, chart", text, numbers | entries))
        return "def boundaries(g, t, x, p, chart):\n" + _indented(lines, 1) if lines else ""

    def _change(self, each: Population, name: str, text: str, depth: int, crossed: dict[str, int]) -> str:
        """Return the call of a loop over nodes that change their states and bits."""
        parts, numbers = self._of_nodes(each, depth)
        states, within = range(len(each.node.states)), depth + bool(crossed)
        fields, put = [*each.node.fields.values()], []
        for k, width in enumerate(fields):
            mask, own, place = (1 << width) - 1, sum(fields[:k]), f"c{k} + {width} * i"
            put.append(f"chart = chart & ~({mask} << {place}) | (answer >> {own} & {mask}) << {place}")
        text = text.format(
            **parts,
            function=self._name(getattr(each.node, name)),
            last=(1 << sum(fields)) - 1,
            n_boundaries=len(crossed),
            any_crossed=" or ".join(f"crossed[{at} + i]" for at in crossed),
            marked=_indented([f"marks[{k}] = crossed[{at} + i]" for k, at in enumerate(crossed)], depth),
            copied=_indented([f"new[{k}] = values[{k}]" for k in states], depth),
            written=_indented([*(f"x_new[x{k} + i] = new[{k}]" for k in states), *put], within),
        )
        taken = f"x_new, t, x, p, chart{', crossed' if crossed else ''}"
        return self._call(name, taken, text, {"beyond": self._beyond, **numbers, **crossed})

    def transition(self) -> str:
        """Write the transition, which asks each population in turn; "" if no node has events."""
        lines = ["declined = True"]
        for each in self.layout.populations:
            if each.node.boundaries is not None:
                call = self._change(each, "transition", TRANSITION, 3, _boundaries_of(each))
                lines += [f"answer = {call}", f"if answer < -1 or answer >= {self._beyond}:", "    return answer"]
                lines += ["if answer >= 0:", "    chart, declined = answer, False"]
        lines.append("return -1 if declined else chart")
        return "def transition(x_new, t, x, p, chart, crossed):\n" + _indented(lines, 1) if len(lines) > 2 else ""

    def initial_chart(self) -> str:
        """Write what begins a run, in the same way."""
        lines = ["chart = 0"]
        for each in self.layout.populations:
            if each.node.initial_chart is not None:
                lines.append(f"chart = {self._change(each, 'initial_chart', INITIAL_CHART, 2, {})}")
                lines += [f"if chart < 0 or chart >= {self._beyond}:", "    return chart"]
        lines.append("return chart")
        return "def initial_chart(x_new, t, x, p):\n" + _indented(lines, 1) if len(lines) > 2 else ""


def _boundaries_of(each: Population) -> dict[str, int]:
    """Return where in g each block of boundaries of a population begins, by the name of the number in a loop."""
    return {f"b{k}": each.first_boundary + k * each.n for k in range(len(each.node.boundary_records))}


def _moving(each: Population) -> list[int]:
    """Return the numbers of the states that have a slope."""
    return [k for k, state in enumerate(each.node.states) if state.continuous]


FED = "inflow, t, x, p"
"""The first arguments of a loop over edges."""
