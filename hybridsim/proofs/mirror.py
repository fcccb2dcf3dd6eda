"""Whether the image of a motion is a motion, too: the functions in the image of each chart are the images of its own.

With s the image, f in the chart s(c) has to be s f s^-1 of the chart c; so have boundaries and transitions, and each
branch of the image has to follow from one that holds all along the motion. This is seen from the expressions, or not at
all. The image has to be an involution: the motion goes on in s^-1(c), and s twice in a row may change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hybridsim.graph import Program, Trace, UntraceableError
from hybridsim.proofs.events import CLOCK, NOTHING
from hybridsim.proofs.identities import vanish

if TYPE_CHECKING:
    from hybridsim.proofs.events import Event
    from hybridsim.proofs.legs import Chain, Traces


SHORT = 500
"""Operations of expressions that exact algebra is tried on."""


class Mirror(NamedTuple):
    """The functions of the model in the image of a leg's chart, as programs.

    Attributes
    ----------
    names : tuple of str
        The boundaries of the leg.
    kinds : tuple of str
        What `guards` have to be, "positive", ..
    boundaries : Program
        Their images.
    field, transition : Program
        The slopes of the variables, and their values after the event at the end.
    guards : Program
        What branches rest on.
    required : Program
        What has to be defined.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    boundaries: Program
    field: Program
    transition: Program
    guards: Program
    required: Program


def mirrors_of(chain: Chain, events: Sequence[Event], traces: Sequence[Traces]) -> tuple[Mirror, ...]:
    """Return the images of all legs; none if the image of a motion is not seen to be one, or there is no symmetry."""
    if not chain.image.words(chain.model) or not chain.image.is_involution():
        return ()
    try:
        found = [_mirror(chain, event, each) for event, each in zip(events, traces, strict=True)]
    except (UntraceableError, KeyError):
        return ()
    seen = tuple(mirror for mirror in found if mirror is not None)
    return seen if len(seen) == len(found) else ()


def _mirror(chain: Chain, event: Event, own: Traces) -> Mirror | None:
    graph, image, names = chain.graph, chain.image, chain.model.boundary_records.names
    found = _traced(chain, event)
    if found is None:
        return None
    (field, along, validity, reset), images = found, _images_of(chain)
    if {*along.nodes} != {images[b] for b in own.boundaries.nodes} or not _is_alike(chain, images):
        return None
    indices = [chain.states.index(name) for name in chain.variables if name in chain.states]
    slopes, after = image.on(graph, own.field.nodes), own.reset.nodes
    after = after if event.ends_stride else image.on(graph, after)
    pairs = [(along.nodes[images[b]], node) for b, node in own.boundaries.nodes.items()]
    pairs += [(field.nodes[i], slopes[i]) for i in indices] + [(reset.nodes[i], after[i]) for i in indices]
    # What holds where an event is need not hold before: branches of the transition itself tell nothing.
    every, all_own = (field, along, validity, reset), (own.field, own.boundaries, own.validity)
    guards = [guard for each in every for guard in each.guards]
    known = {(guard.kind, guard.node) for each in all_own for guard in each.guards}
    required = [a for each in every for a in each.required]
    moved = _moved(chain, [*(a for a, _ in pairs), *(g.node for g in guards), *required])
    defined = {_unsigned(chain, a) for each in all_own for a in each.required}
    if not all(_unsigned(chain, moved[a]) in defined for a in required):
        return None
    for guard in guards:
        stronger = ("positive", moved[guard.node]) in known and guard.kind == "nonnegative"
        if not (stronger or (guard.kind, moved[guard.node]) in known):
            return None
    if not _is_same(chain, [(moved[a], b) for a, b in pairs]):
        return None
    n, m, nodes = len(own.boundaries.nodes), len(indices), [a for a, _ in pairs]
    parts = nodes[:n], nodes[n : n + m], nodes[n + m :], [guard.node for guard in guards], required
    own_names, kinds = tuple(names[b] for b in own.boundaries.nodes), tuple(guard.kind for guard in guards)
    return Mirror(own_names, kinds, *(Program(graph, part) for part in parts))


def _is_same(chain: Chain, pairs: Sequence[tuple[int, int]]) -> bool:
    """Return whether pairs of expressions are seen to be the same, by exact algebra if they are short."""
    graph, given = chain.graph, chain.traced.values
    values = {name: Fraction(value) for name, value in given.items() if name not in chain.variables}
    others = [graph.sub(a, b) for a, b in pairs if a != b]
    return not others or (len(graph.reachable(others)) <= SHORT and vanish(graph, others, values))


def _traced(chain: Chain, event: Event) -> Sequence[Trace] | None:
    """Return what the functions compute in the image of a leg; None if the transition leads elsewhere."""
    model, trace, matrix = chain.model, chain.traced.trace, chain.orbit.symmetry.matrix(chain.model)
    at = event.t_on_the_way, matrix @ event.x_on_the_way, chain.image.charts[event.chart]
    along = [trace(name, *at) if name in model.functions else NOTHING for name in ("boundaries", "validate")]
    reset = Trace({i: chain.graph.input(name) for i, name in enumerate(chain.states)}, at[2], (), ())
    if event.boundary != CLOCK:
        crossed = np.zeros(len(model.boundary_records), np.int64)
        crossed[_images_of(chain)[event.boundary]] = 1
        reset = trace("transition", event.t, matrix @ event.x, at[2], crossed)
    if along[1].answer or reset.answer != chain.image.charts[event.next_chart]:
        return None
    return trace("vector_field", *at), *along, reset


def _images_of(chain: Chain) -> list[int]:
    """Return the image of each boundary: the symmetry names the one where a stride ends, whose image begins it."""
    names = chain.model.boundary_records.names
    back = {to: name for name, to in chain.orbit.symmetry.boundaries.items()}
    return [names.index(back.get(name, name)) for name in names]


def _is_alike(chain: Chain, images: Sequence[int]) -> bool:
    """Return whether boundaries fire as their images do."""
    records = chain.model.boundary_records
    kinds = [(record.armed, record.touch) for record in records]
    return all(kinds[b] == kinds[images[b]] for b in range(len(records)))


def _moved(chain: Chain, nodes: Sequence[int]) -> dict[int, int]:
    """Return expressions of the image as those of the motion itself."""
    inputs = {i: chain.graph.input(name) for i, name in enumerate(chain.states)}
    images = chain.image.on(chain.graph, inputs)
    return chain.graph.substitute(nodes, {name: images[i] for i, name in enumerate(chain.states)})


def _unsigned(chain: Chain, a: int) -> int:
    node = chain.graph.nodes[a]
    return int(node[1]) if node[0] == "neg" else a
