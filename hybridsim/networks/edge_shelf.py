"""Types of edges that come with hybridsim: what each adds to an inflow of its target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybridsim.model.records import Parameter
from hybridsim.networks.description import Edge, Sine
from hybridsim.networks.node_shelf import records_of
from hybridsim.typing import Function

EDGES: dict[str, Edge] = {}
"""All types by name."""

ANGLE = {"weight": 1.0, "bias": (0.0, "rad", "by how much the target settles behind the source")}


def first(t, end, p):
    """The first state that is read of a source."""
    return end[0]


def first_and_bias(t, target, p):
    """The first state of a target, and the bias."""
    return target[0] + p[1]


def weight(t, source, p):
    """The weight alone."""
    return p[0]


def weight_and_amplitude(t, source, p):
    """The weight times the second state of the source, its amplitude."""
    return p[0] * source[1]


EDGES["phase"] = Edge(
    "phase",
    {"pull": Sine(first, first_and_bias, weight_and_amplitude)},
    source=("phi", "r"),
    target=("phi",),
    parameters=records_of(Parameter, ANGLE),
    doc="weight r_source sin(phi_source - phi_target - bias)",
)
EDGES["sine"] = Edge(
    "sine",
    {"pull": Sine(first, first_and_bias, weight)},
    source=("phi",),
    target=("phi",),
    parameters=records_of(Parameter, ANGLE),
    doc="weight sin(phi_source - phi_target - bias) (Kuramoto 1975, Sakaguchi 1986)",
)


def _edge(inflow: str, *ends: Sequence[str], **parameters: Any) -> Callable[[Function], Function]:
    """Return a decorator that makes a type of edges of what one adds."""

    def put(feed: Function) -> Function:
        name, doc = feed.__name__, (feed.__doc__ or "").rstrip(".")
        records = records_of(Parameter, parameters)
        EDGES[name] = Edge(name, {inflow: feed}, source=ends[0], target=ends[1], parameters=records, doc=doc)
        return feed

    return put


@_edge("flow", ("x",), ("x",), weight=1.0)
def diffusive(t, source, target, p):
    """weight (x_source - x_target)."""
    return p[0] * (source[0] - target[0])


@_edge("force", ("y", "v"), ("y", "v"), K=(1.0, "N/m"), D=(0.0, "N s/m"), rest=(0.0, "m"))
def spring_damper(t, source, target, p):
    """K (y_source - y_target - rest) + D (v_source - v_target)."""
    return p[0] * (source[0] - target[0] - p[2]) + p[1] * (source[1] - target[1])


@_edge("inhibition", ("x",), (), weight=1.0)
def inhibition(t, source, target, p):
    """weight max(x_source, 0) (Matsuoka 1985)."""
    return p[0] * max(source[0], 0.0)


@_edge("force", ("x",), (), weight=1.0)
def projection(t, source, target, p):
    """weight x_source, into any inflow."""
    return p[0] * source[0]


@_edge("current", ("s",), (), weight=1.0)
def synapse(t, source, target, p):
    """weight s_source, where s grows by 1 at each spike of the source and decays."""
    return p[0] * source[0]
