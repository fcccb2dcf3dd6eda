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
from hybridsim.proofs.ends import Clock, Image, clock_of
from hybridsim.proofs.events import CLOCK, NOTHING, TIME, TIME_SECTION, Event, events_of
from hybridsim.proofs.influence import refuse_influence
from hybridsim.proofs.levels import level_of, quantity_of
from hybridsim.proofs.mirror import mirrors_of
from hybridsim.proofs.refusals import NotProvenError, refuse_section, refuse_tables
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
    transition : Program
        The state after the transition; behind it, what has to be defined.
    reset, reset_slopes : Program
        The same where no stride ends, else its image; and row by row its derivatives.
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
    transition: Program
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
        The states on which those that have to return depend, these included, time if something reads it, and the varied
        parameter.
    start : mapping of str to float
        Where a period begins: the states, and time.
    image : Image
        The image in which strides end.
    clock : Clock, optional
        The section, if it is a time.
    mirrors : tuple of Mirror
        The images of the legs, if the image of a motion is seen to be a motion.
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
        self.start = dict(zip(self.states, map(float, orbit.found.x0), strict=True))
        self.start[TIME] = float(orbit.config.initial_time)
        self.image, events = Image.of(orbit), events_of(orbit)
        self._bends: dict[Leg, tuple[Program, Program, Program]] = {}
        try:
            traces = [self._traces(event) for event in events]
            needed = self._needed(traces)
            self.clock = self._clock(traces, events, needed, varied)
            self.variables = (*needed, *([TIME] if self.clock else []), *([f"p.{varied}"] if varied else []))
            self.legs = tuple(
                self._leg(event, traces[k], traces[k - 1], events[k - 1], k == 0) for k, event in enumerate(events)
            )
        except UntraceableError as problem:
            raise NotProvenError(f"{problem}; a theorem needs expressions of real numbers") from None
        refuse_influence(self)
        self.level = level_of(self, [each.quantity for each in traces])
        self.mirrors = mirrors_of(self, events, traces)

    def _traces(self, event: Event) -> Traces:
        at, trace = (event.t_on_the_way, event.x_on_the_way, event.chart), self.traced.trace
        along = trace("vector_field", *at), trace("boundaries", *at) if self.model.boundaries else NOTHING
        return Traces(*along, self._validity(event), quantity_of(self, event), self._reset(event))

    def _clock(
        self, traces: Sequence[Traces], events: Sequence[Event], needed: Sequence[str], varied: str
    ) -> Clock | None:
        """Return the clock of a section after a time, if the model reads time."""
        indices, chart = [self.states.index(name) for name in needed], self.model.chart_name
        read = {f"in {chart(event.chart)}": each.roots(indices) for event, each in zip(events, traces, strict=True)}
        if not any(TIME in self.graph.inputs(nodes) for nodes in read.values()):
            refuse_section(self.orbit)
            return None
        return clock_of(self.orbit, self.graph, self.traced.values, varied, read)

    def _needed(self, traces: Sequence[Traces]) -> list[str]:
        """Return the states on which those that have to return depend, in the model's order."""
        needed: set[str] = set()
        more = {*self.orbit.free, *self.orbit.kept}
        while more - needed:
            needed |= more
            indices = [self.states.index(name) for name in needed]
            more = {name for each in traces for name in self.graph.inputs(each.roots(indices)) if name in self.states}
            more |= {self.states[self.image.sources[i]] for i in indices}
        return [name for name in self.states if name in needed]

    def _reset(self, event: Event) -> Trace:
        """Return the transition at the end of a leg, and its image at the end of a stride."""
        if event.boundary == CLOCK:
            trace = Trace({i: self.graph.input(name) for i, name in enumerate(self.states)}, event.next_chart, (), ())
        else:
            crossed = np.zeros(len(self.model.boundary_records), np.int64)
            crossed[event.boundary] = 1
            trace = self.traced.trace("transition", event.t, event.x, event.chart, crossed)
        if trace.answer != event.next_chart:
            raise NotProvenError(
                f"{self.boundary(event)}: the transition leads to {self.model.chart_name(trace.answer)}, and on the "
                f"computed orbit to {self.model.chart_name(event.next_chart)}; find the orbit again"
            )
        return replace(trace, nodes=self.image.on(self.graph, trace.nodes)) if event.ends_stride else trace

    def boundary(self, event: Event) -> str:
        """Return the name of the boundary of an event."""
        return TIME_SECTION if event.boundary == CLOCK else str(self.model.boundary_records.names[event.boundary])

    def _time_after(self, event: Event) -> int:
        """Return what an event makes of time."""
        ends = self.clock is not None and event.boundary == CLOCK
        return self.graph.const(self.start[TIME]) if ends else self.graph.input(TIME)

    def _leg(self, event: Event, traces: Traces, before: Traces, previous: Event, is_first: bool) -> Leg:
        field, reset, guards = traces.field, traces.reset, traces.guards
        required = [*traces.boundaries.required, *traces.validity.required, *traces.quantity.required]
        watches = self._watches(event, traces.boundaries, guards, self._zero_after(before, previous), is_first)
        indices = [self.states.index(name) for name in self.variables if name in self.states]
        others, graph = self.variables[len(indices) :], self.graph
        slopes = [field.nodes[i] for i in indices] + [graph.const(1.0 if v == TIME else 0.0) for v in others]
        after = [reset.nodes[i] for i in indices]
        after += [self._time_after(event) if v == TIME else graph.input(v) for v in others]
        own = [*after]
        for k, (source, sign) in enumerate(self.image.among(self.states, self.variables) if event.ends_stride else ()):
            own[source] = after[k] if sign > 0 else graph.neg(after[k])
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
            self._program([*own, *reset.required]),
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
                "field required": tuple(field.required),
                "watched required": tuple(required),
                "reset required": tuple(reset.required),
            },
        )

    def _validity(self, event: Event) -> Trace:
        """Return what `validate` rests on."""
        if self.model.validate is None:
            return NOTHING
        found = self.traced.trace("validate", event.t_on_the_way, event.x_on_the_way, event.chart)
        if found.answer:
            report = self.model.messages[found.answer - 1].name
            raise NotProvenError(f"in {self.model.chart_name(event.chart)}: validate reports: {report}")
        return found

    def _derivatives(self, nodes: Sequence[int]) -> Program:
        return self._program([a for row in derivatives(self.graph, nodes, self.variables) for a in row])

    def bends(self, leg: Leg) -> tuple[Program, Program, Program]:
        """Return the second derivatives by variables a <= b of the field, the boundary at the end, and the reset."""
        if leg not in self._bends:
            field, watched, reset = (leg.nodes[name] for name in ("field", "watched", "reset"))
            made = self._second_derivatives
            self._bends[leg] = made(field), made(watched[:1]), made(reset)
        return self._bends[leg]

    def _second_derivatives(self, nodes: Sequence[int]) -> Program:
        found: list[int] = []
        for row in derivatives(self.graph, nodes, self.variables):
            for a, slope in enumerate(row):
                found += derivatives(self.graph, [slope], self.variables[a:])[0]
        return self._program(found)

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
        if self.clock is not None and event.boundary == CLOCK:
            watches.append(Watch(TIME_SECTION, self.clock.end, False, False))
        watches.sort(key=lambda watch: watch.name != self.boundary(event))
        if not watches or watches[0].name != self.boundary(event):
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
        replaced[TIME] = self._time_after(previous)
        at_time = self.clock if previous.boundary == CLOCK else None
        crossed = at_time.end if at_time else before.boundaries.nodes[previous.boundary]

        def zero(node: int) -> bool:
            after = graph.substitute([node], replaced)[node]
            return after in (graph.const(0.0), crossed, graph.neg(crossed))

        return zero
