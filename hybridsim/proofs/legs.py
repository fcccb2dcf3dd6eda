"""The chain of an orbit as expressions: between two events a leg, in one chart, until its boundary falls to zero.

The chain, and the sides of branches, are read from the computed orbit; what they rest on is proven later. Three things
are seen from the expressions alone: which boundaries are exactly zero after a transition, as they become the boundary
that has just crossed, or its negative; that states which need not return have no influence on those that do; and that
kept states are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hybridsim.graph import WITHOUT_PIVOTS, Guard, ModelGraph, Program, Trace, UntraceableError, derivatives
from hybridsim.proofs.events import Event, events_of
from hybridsim.proofs.levels import level_of, quantity_of
from hybridsim.proofs.refusals import NotProvenError, refuse_tables
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit


@dataclass(frozen=True, slots=True)
class Watch:
    """An expression whose sign is watched along a leg.

    Attributes
    ----------
    name : str
        What it is: a boundary, or the file and line of a branch.
    node : int
        The expression, which has to stay positive.
    may_be_negative : bool
        Whether it is a boundary that may be negative at first, and is then not armed.
    may_be_zero : bool
        Whether it may be zero where the leg begins.
    begins_at_zero : bool
        Whether it is exactly zero there, on the orbit.
    """

    name: str
    node: int
    may_be_negative: bool
    may_be_zero: bool
    begins_at_zero: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """A leg: programs of its field, of what is watched, and of the transition at its end.

    Attributes
    ----------
    event : Event
        The event at its end.
    field, slopes : Program
        The slopes of the variables, and row by row their derivatives; what has to be defined follows behind the former.
    watched : Program
        Of `watches`, the values; what has to be defined follows.
    gradients : Program
        Row by row, the derivatives of what is watched.
    watches : tuple of Watch
        What is watched; the boundary at the end is the first.
    reset, reset_slopes : Program
        The state after the transition, and row by row its derivatives; behind the former, what has to be defined.
    reset_guards : tuple of Guard
        What has to hold at the transition; `conditions` is their program.
    constants : Program
        What has to hold for the parameters alone; `constant_guards` says how.
    """

    event: Event
    variables: tuple[str, ...]
    field: Program
    slopes: Program
    watched: Program
    gradients: Program
    watches: tuple[Watch, ...]
    reset: Program
    reset_slopes: Program
    reset_guards: tuple[Guard, ...]
    conditions: Program
    constant_guards: tuple[Guard, ...]
    constants: Program
    nodes: Mapping[str, tuple[int, ...]]


class Traces(NamedTuple):
    """What the functions of a model compute on a leg."""

    field: Trace
    boundaries: Trace
    validity: Trace
    quantity: Trace
    reset: Trace

    @property
    def guards(self) -> list[Guard]:
        """What has to hold along the leg."""
        return [*self.field.guards, *self.boundaries.guards, *self.validity.guards]

    def roots(self, states: Sequence[int]) -> list[int]:
        """Return all expressions on which some states, the events and what has to be defined depend."""
        nodes = [*self.boundaries.nodes.values(), *(guard.node for guard in (*self.guards, *self.reset.guards))]
        nodes += [a for trace in self for a in trace.required]
        return nodes + [trace.nodes[i] for trace in (self.field, self.reset) for i in states]


class Chain:
    """The legs of a period.

    Parameters
    ----------
    orbit : Orbit
        The computed orbit.
    p : (n,) array
        The values of parameters, inputs and constants.
    varied : str
        A parameter that is a variable, "" for none.

    Attributes
    ----------
    traced : ModelGraph
        The expressions.
    states : tuple of str
        All states.
    variables : tuple of str
        The states on which those that have to return depend, these included, and behind them the varied parameter.
    legs : tuple of Leg
        The legs.
    level : Level, optional
        The level of a kept quantity, for an orbit of a family.
    """

    def __init__(self, orbit: Orbit, p: FloatArray, varied: str = "") -> None:
        self.orbit, self.model = orbit, orbit.model
        refuse_tables(self.model)
        self.traced = ModelGraph(self.model, p, numbers=WITHOUT_PIVOTS)
        self.graph = self.traced.graph
        self.states = tuple(self.model.states.names)
        events = events_of(orbit)
        image = orbit.symmetry
        if image.negate or image.swap or image.charts or image.boundaries:
            raise NotProvenError("the orbit returns to its image in a symmetry; find it over a whole period")
        try:
            traces = [self._traces(event) for event in events]
            self.variables = (*self._needed(traces), *([f"p.{varied}"] if varied else []))
            self.legs = tuple(
                self._leg(event, traces[k], traces[k - 1], events[k - 1], k == 0) for k, event in enumerate(events)
            )
        except UntraceableError as problem:
            raise NotProvenError(f"{problem}; a theorem needs expressions of real numbers") from None
        self._refuse_influence()
        self.level = level_of(self, [each.quantity for each in traces])

    def _traces(self, event: Event) -> Traces:
        x, chart, trace = event.x_on_the_way, event.chart, self.traced.trace
        along = trace("vector_field", 0.0, x, chart), trace("boundaries", 0.0, x, chart)
        found = Traces(*along, self._validity(event), quantity_of(self, event), self._reset(event))
        self._refuse_time(found.roots(range(len(self.states))), chart)
        return found

    def _needed(self, traces: Sequence[Traces]) -> list[str]:
        """Return the states on which those that have to return depend, in the model's order."""
        needed: set[str] = set()
        more = {*self.orbit.free, *self.orbit.kept}
        while more - needed:
            needed |= more
            indices = [self.states.index(name) for name in needed]
            more = {name for each in traces for name in self.graph.inputs(each.roots(indices)) if name in self.states}
        return [name for name in self.states if name in needed]

    def _reset(self, event: Event) -> Trace:
        crossed = np.zeros(len(self.model.boundary_records), np.int64)
        crossed[event.boundary] = 1
        trace = self.traced.trace("transition", 0.0, event.x, event.chart, crossed)
        if trace.answer != event.next_chart:
            raise NotProvenError(
                f"{self.boundary(event)}: the transition leads to {self.model.chart_name(trace.answer)}, and on the "
                f"computed orbit to {self.model.chart_name(event.next_chart)}; find the orbit again"
            )
        return trace

    def boundary(self, event: Event) -> str:
        """Return the name of the boundary of an event."""
        return str(self.model.boundary_records.names[event.boundary])

    def _leg(self, event: Event, traces: Traces, before: Traces, previous: Event, is_first: bool) -> Leg:
        field, reset, guards = traces.field, traces.reset, traces.guards
        required = [*traces.boundaries.required, *traces.validity.required, *traces.quantity.required]
        watches = self._watches(event, traces.boundaries, guards, self._zero_after(before, previous), is_first)
        indices = [self.states.index(name) for name in self.variables if name in self.states]
        varied = self.variables[len(indices) :]
        slopes = [field.nodes[i] for i in indices] + [self.graph.const(0.0)] * len(varied)
        after = [reset.nodes[i] for i in indices] + [self.graph.input(v) for v in varied]
        nodes = tuple(watch.node for watch in watches)
        of_parameters = [g for g in (*guards, *reset.guards) if not self._varies(g.node)]
        arriving = [g for g in reset.guards if self._varies(g.node)]
        return Leg(
            event,
            self.variables,
            self._program([*slopes, *field.required]),
            self._derivatives(slopes),
            self._program([*nodes, *required]),
            self._derivatives(nodes),
            watches,
            self._program([*after, *reset.required]),
            self._derivatives(after),
            tuple(arriving),
            self._program([g.node for g in arriving]),
            tuple(of_parameters),
            self._program([g.node for g in of_parameters]),
            {
                "field": tuple(slopes),
                "watched": nodes,
                "reset": tuple(after),
                "arriving": tuple(g.node for g in arriving),
            },
        )

    def _validity(self, event: Event) -> Trace:
        """Return what `validate` rests on."""
        if self.model.validate is None:
            return Trace({}, 0, (), ())
        found = self.traced.trace("validate", 0.0, event.x_on_the_way, event.chart)
        if found.answer:
            report = self.model.messages[found.answer - 1].name
            raise NotProvenError(f"in {self.model.chart_name(event.chart)}: validate reports: {report}")
        return found

    def _derivatives(self, nodes: Sequence[int]) -> Program:
        return self._program([a for row in derivatives(self.graph, nodes, self.variables) for a in row])

    def _program(self, nodes: Sequence[int]) -> Program:
        return Program(self.graph, nodes, self.variables)

    def _varies(self, node: int) -> bool:
        return bool(self.graph.inputs([node]) & {*self.variables})

    def _watches(
        self, event: Event, boundaries: Trace, guards: Sequence[Guard], zero: Any, is_first: bool
    ) -> tuple[Watch, ...]:
        records, chart = self.model.boundary_records, self.model.chart_name(event.chart)
        watches = []
        for index, node in boundaries.nodes.items():
            record = records[index]
            if record.touch == "trigger":
                raise NotProvenError(f"{record.name} has touch='trigger', and a touch has no transition in a theorem")
            waits = record.armed == "when_positive"
            # The box of the section also has states that are no image of the last transition: where such a boundary is
            # positive it fires, and where it is negative it waits.
            watches.append(Watch(records.names[index], node, waits, True, zero(node) and not (waits and is_first)))
        order = sorted(range(len(watches)), key=lambda k: watches[k].name != records.names[event.boundary])
        watches = [watches[k] for k in order]
        if not watches or watches[0].name != records.names[event.boundary]:
            raise NotProvenError(f"{self.boundary(event)} is not active in {chart}; find the orbit again")
        target = watches[0].node
        if any(guard.kind == "nonnegative" and guard.node == target for guard in guards):
            watches[0] = replace(watches[0], may_be_negative=False)  # the branch is another one below zero
        for guard in guards:
            if self._varies(guard.node) and not (guard.kind == "nonnegative" and guard.node == target):
                if guard.kind == "zero":
                    raise NotProvenError(
                        f"{guard.where}: in {chart}, a branch rests on an equality that holds on the orbit; no theorem "
                        "covers its neighbours"
                    )
                begins_at_zero = not is_first and zero(guard.node)
                watches.append(Watch(guard.where, guard.node, False, guard.kind != "positive", begins_at_zero))
        return tuple(dict.fromkeys(watches))

    def _zero_after(self, before: Traces, previous: Event) -> Any:
        """Return the function that tells whether an expression is zero after a transition, as its boundary was."""
        names, graph = self.states, self.graph
        replaced = {names[i]: node for i, node in before.reset.nodes.items()}
        crossed = before.boundaries.nodes[previous.boundary]

        def zero(node: int) -> bool:
            after = graph.substitute([node], replaced)[node]
            return after in (graph.const(0.0), crossed, graph.neg(crossed))

        return zero

    def _refuse_time(self, nodes: Sequence[int], chart: int) -> None:
        if "t" in self.graph.inputs(nodes):
            raise NotProvenError(
                f"in {self.model.chart_name(chart)}, the model reads t; make the phase of what drives it a state, "
                "which a boundary sets back once a period, as `impact_oscillator` does"
            )

    def _refuse_influence(self) -> None:
        """See that states which need not return change nothing of those that do, and that kept states are kept."""
        orbit, graph = self.orbit, self.graph
        returning = {*orbit.free}
        for name in orbit.kept:
            for leg in self.legs:
                i = self.variables.index(name)
                if graph.constant(leg.nodes["field"][i]) != 0.0 or leg.nodes["reset"][i] != graph.input(name):
                    raise NotProvenError(f"{name} is kept by the orbit, but not by each event and flow by itself")
        for name in self.variables:
            if name in self.states and name not in {*returning, *orbit.kept, *self.set_again}:
                shift = self._carried({name: 1.0}, name)
                if changed := returning & shift.keys():
                    raise NotProvenError(f"{name} need not return, but changes {min(changed)}, which has to")

    @property
    def set_again(self) -> tuple[str, ...]:
        """The states that the last transition sets to the number that they have on the section."""
        after = dict(zip(self.variables, self.legs[-1].nodes["reset"], strict=True))
        start = dict(zip(self.states, self.orbit.found.x0, strict=True))
        others = [name for name in self.variables if name in start and name not in self.orbit.free]
        return tuple(name for name in others if self.graph.constant(after[name]) == float(start[name]))

    def _carried(self, shift: Mapping[str, float], name: str) -> dict[str, float]:
        """Return what a change of states becomes along the chain, if it influences nothing on its way."""
        graph = self.graph
        for leg in self.legs:
            kinds = ("field", "watched", "arriving")
            rows = derivatives(graph, [a for kind in kinds for a in leg.nodes[kind]], [shift])
            if any(graph.constant(row[0]) != 0.0 for row in rows):
                raise NotProvenError(
                    f"{name} need not return, but influences the motion in {self.model.chart_name(leg.event.chart)}; "
                    "a theorem needs it to have no influence at all, or to be moved along with others"
                )
            after = [row[0] for row in derivatives(graph, leg.nodes["reset"], [shift])]
            values = [graph.constant(a) for a in after]
            if None in values:
                raise NotProvenError(f"{name} need not return, but {self.boundary(leg.event)} changes states by it")
            shift = {v: value for v, value in zip(self.variables, values, strict=True) if value}
        return dict(shift)
