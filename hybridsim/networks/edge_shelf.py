"""Types of edges that come with hybridsim."""

from __future__ import annotations

from hybridsim.model.records import Parameter
from hybridsim.model.table import Records
from hybridsim.networks.description import Edge, Sine

WEIGHT = Parameter("weight", 1.0)
BIAS = Parameter("bias", 0.0, "rad", "by how much the target settles behind the source")


def first(t, end, p):
    """The first state that is read of a source or a target."""
    return end[0]


def first_and_bias(t, target, p):
    """The angle of the target, and the bias."""
    return target[0] + p[1]


def weight(t, source, p):
    """The weight alone."""
    return p[0]


def weight_and_amplitude(t, source, p):
    """The weight times the second state of the source, its amplitude."""
    return p[0] * source[1]


def difference(t, source, target, p):
    """weight (x_source - x_target)."""
    return p[0] * (source[0] - target[0])


def spring_force(t, source, target, p):
    """K (y_source - y_target - rest) + D (v_source - v_target)."""
    return p[0] * (source[0] - target[0] - p[2]) + p[1] * (source[1] - target[1])


def what_fires(t, source, target, p):
    """weight max(x_source, 0)."""
    return p[0] * max(source[0], 0.0)


def projected(t, source, target, p):
    """weight x_source."""
    return p[0] * source[0]


EDGES = {
    edge.name: edge
    for edge in (
        Edge(
            "phase",
            {"pull": Sine(first, first_and_bias, weight_and_amplitude)},
            source=("phi", "r"),
            target=("phi",),
            parameters=Records(WEIGHT, BIAS),
            doc="weight r_source sin(phi_source - phi_target - bias)",
        ),
        Edge(
            "sine",
            {"pull": Sine(first, first_and_bias, weight)},
            source=("phi",),
            target=("phi",),
            parameters=Records(WEIGHT, BIAS),
            doc="weight sin(phi_source - phi_target - bias) (Kuramoto 1975; Sakaguchi 1986)",
        ),
        Edge(
            "diffusive",
            {"flow": difference},
            source=("x",),
            target=("x",),
            parameters=Records(WEIGHT),
            doc="weight (x_source - x_target)",
        ),
        Edge(
            "spring_damper",
            {"force": spring_force},
            source=("y", "v"),
            target=("y", "v"),
            parameters=Records(
                *(Parameter("K", 1.0, "N/m"), Parameter("D", 0.0, "N s/m")),
                Parameter("rest", 0.0, "m", "y_source - y_target without force"),
            ),
            doc="K (y_source - y_target - rest) + D (v_source - v_target)",
        ),
        Edge(
            "inhibition",
            {"inhibition": what_fires},
            source=("x",),
            parameters=Records(WEIGHT),
            doc="weight max(x_source, 0) (Matsuoka 1985)",
        ),
        Edge(
            "projection",
            {"force": projected},
            source=("x",),
            parameters=Records(WEIGHT),
            doc="weight x_source, into any inflow",
        ),
    )
}
"""By name."""
