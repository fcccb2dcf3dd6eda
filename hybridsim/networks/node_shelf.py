"""Types of nodes that come with hybridsim: oscillators, neurons and masses.

x, p and inflow are in the order of the records, which are above each function; what it says is the type's description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from hybridsim.model.records import Boundary, Parameter, State
from hybridsim.model.table import Records
from hybridsim.networks.description import Node
from hybridsim.typing import Function

NODES: dict[str, Node] = {}
"""All types by name."""

RADIANS, HERTZ, SECOND = (0.0, "rad"), (1.0, "Hz"), (0.1, "s")
AMPLITUDE = {"r": 0.0, "rdot": (0.0, "1/s")}
DRIVE: dict[str, Any] = {"drive": 2.0, "lowest": 1.0, "highest": 5.0, "f_slope": (0.2, "Hz"), "f_offset": (0.3, "Hz")}
DRIVE |= {"R_slope": 0.065, "R_offset": 0.196, "a": (20.0, "1/s")}
NEURON: Mapping[str, Any] = {"tau1": SECOND, "tau2": SECOND, "beta": 2.0, "c": 1.0}
TILT = 0.2 * math.pi
HALF_SINE, HALF_COSINE = 0.5 * math.sin(TILT), 0.5 * math.cos(TILT)
SHAPE = {"s0": 0.0, "c1": -HALF_SINE, "s1": -HALF_COSINE, "c2": 0.2 * HALF_COSINE, "s2": -0.2 * HALF_SINE}
SHAPE |= {"c3": HALF_SINE, "s3": HALF_COSINE}
"""The Fourier coefficients of cos(2 phi + 0.2 pi) (0.1 + sin phi)."""


def records_of(kind: type, given: Mapping[str, Any]) -> Records[Any]:
    """Return records with these defaults, or defaults and units."""
    return Records(*(kind(name, *(value if isinstance(value, tuple) else (value,))) for name, value in given.items()))


def _node(
    states: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *inflows: str,
    angle: str = "",
    events: Mapping[str, Any] | None = None,
    **outputs: Function,
) -> Callable[[Function], Function]:
    """Return a decorator that makes a type of nodes of its vector field; `events` are further arguments of `Node`."""

    def put(field: Function) -> Function:
        NODES[field.__name__] = Node(
            field.__name__,
            records_of(State, states),
            parameters=records_of(Parameter, parameters),
            inflows=inflows,
            vector_field=field,
            outputs=outputs,
            angle=angle,
            **(events or {}),
            doc=(field.__doc__ or "").rstrip("."),
        )
        return field

    return put


def outward(t, x, p):
    """r (1 + cos phi)."""
    return x[1] * (1.0 + math.cos(x[0]))


def across(t, x, p):
    """r cos phi."""
    return x[1] * math.cos(x[0])


def firing(t, x, p):
    """max(x, 0)."""
    return max(x[0], 0.0)


def difference(t, x, p):
    """What the first neuron fires, less the second."""
    return max(x[0], 0.0) - max(x[2], 0.0)


@_node({"x": 0.0}, {"rate": 0.0}, "flow")
def integrator(xdot, t, x, p, inflow):
    """x' = rate + flow."""
    xdot[0] = p[0] + inflow[0]


@_node({"phi": RADIANS}, {"omega": (1.0, "rad/s")}, "pull", angle="phi")
def phase(xdot, t, x, p, inflow):
    """phi' = omega + pull (Kuramoto 1975)."""
    xdot[0] = p[0] + inflow[0]


@_node({"phi": RADIANS, **AMPLITUDE}, {"f": HERTZ, "R": 1.0, "a": (20.0, "1/s")}, "pull", angle="phi", out=outward)
def amplitude_phase(xdot, t, x, p, inflow):
    """phi' = 2 pi f + pull, r'' = a (a/4 (R - r) - r') (Ijspeert and others 2007)."""
    xdot[0] = 2.0 * math.pi * p[0] + inflow[0]
    xdot[1] = x[2]
    xdot[2] = p[2] * (0.25 * p[2] * (p[1] - x[1]) - x[2])


@_node({"phi": RADIANS, **AMPLITUDE}, DRIVE, "pull", angle="phi", out=outward)
def drive_oscillator(xdot, t, x, p, inflow):
    """amplitude_phase with f and R affine in a drive within limits, and 0 beyond (Ijspeert and others 2007)."""
    on = 1.0 if p[1] <= p[0] <= p[2] else 0.0
    xdot[0] = on * 2.0 * math.pi * (p[3] * p[0] + p[4]) + inflow[0]
    xdot[1] = x[2]
    xdot[2] = p[7] * (0.25 * p[7] * (on * (p[5] * p[0] + p[6]) - x[1]) - x[2])


@_node({"phi": RADIANS, "r": 1e-3}, {"f": HERTZ, "mu": 1.0, "gamma": (5.0, "1/s")}, "pull", angle="phi", out=across)
def hopf(xdot, t, x, p, inflow):
    """phi' = 2 pi f + pull, r' = gamma (mu - r^2) r (van den Kieboom 2014, 2.4)."""
    xdot[0] = 2.0 * math.pi * p[0] + inflow[0]
    xdot[1] = p[2] * (p[1] - x[1] * x[1]) * x[1]


@_node({"x": 1.0, "y": 0.0}, {"f": HERTZ, "mu": 1.0, "gamma": (5.0, "1/s")}, "pull_x", "pull_y")
def hopf_xy(xdot, t, x, p, inflow):
    """x' = gamma (mu - r^2) x - omega y + pull_x, y' = gamma (mu - r^2) y + omega x + pull_y."""
    growth = p[2] * (p[1] - x[0] * x[0] - x[1] * x[1])
    xdot[0] = growth * x[0] - 2.0 * math.pi * p[0] * x[1] + inflow[0]
    xdot[1] = growth * x[1] + 2.0 * math.pi * p[0] * x[0] + inflow[1]


@_node({"x": 1.0, "y": 0.0, "omega": (1.0, "rad/s")}, {"mu": 1.0, "gamma": (8.0, "1/s"), "epsilon": 0.9}, "force")
def adaptive_hopf(xdot, t, x, p, inflow):
    """hopf_xy with epsilon force in x' and omega' = -epsilon force y/r (Righetti, Buchli and Ijspeert 2006)."""
    r = math.hypot(x[0], x[1])
    growth = p[1] * (p[0] - r * r)
    xdot[0] = growth * x[0] - x[2] * x[1] + p[2] * inflow[0]
    xdot[1] = growth * x[1] + x[2] * x[0]
    xdot[2] = -p[2] * inflow[0] * x[1] / r


@_node({"x": 1.0, "v": 0.0}, {"mu": 5.0}, "force")
def van_der_pol(xdot, t, x, p, inflow):
    """x'' = mu (1 - x^2) x' - x + force (van der Pol 1926)."""
    xdot[0] = x[1]
    xdot[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0] + inflow[0]


@_node({"x": 1.0, "v": 0.0, "phi": RADIANS}, {"mu": 5.0, "A": 1.0, "omega": (2.0 * math.pi, "rad/s")}, "force")
def forced_van_der_pol(xdot, t, x, p, inflow):
    """van_der_pol with a force A sin(phi), phi' = omega (van den Kieboom 2014, 2.4.1)."""
    van_der_pol(xdot, t, x, p, inflow)
    xdot[1] += p[1] * math.sin(x[2])
    xdot[2] = p[2]


@_node({"x": 0.1, "v": 0.0}, NEURON, "inhibition", out=firing)
def matsuoka_neuron(xdot, t, x, p, inflow):
    """tau1 x' = c - x - beta v - inhibition, tau2 v' = max(x, 0) - v (Matsuoka 1985)."""
    xdot[0] = (p[3] - x[0] - p[2] * x[1] - inflow[0]) / p[0]
    xdot[1] = (max(x[0], 0.0) - x[1]) / p[1]


@_node({"x1": 0.1, "v1": 0.0, "x2": 0.0, "v2": 0.0}, {**NEURON, "a": 2.5}, "inhibition1", "inhibition2", out=difference)
def matsuoka(xdot, t, x, p, inflow):
    """Two neurons: tau1 x' = c - x - beta v - a max(x_other, 0) - inhibition (Matsuoka 1985)."""
    xdot[0] = (p[3] - x[0] - p[2] * x[1] - p[4] * max(x[2], 0.0) - inflow[0]) / p[0]
    xdot[1] = (max(x[0], 0.0) - x[1]) / p[1]
    xdot[2] = (p[3] - x[2] - p[2] * x[3] - p[4] * max(x[0], 0.0) - inflow[1]) / p[0]
    xdot[3] = (max(x[2], 0.0) - x[3]) / p[1]


@_node(
    {"phi": RADIANS, "r": 0.0},
    {"omega": (2.0 * math.pi, "rad/s"), "mu": 1.0, "gamma": (1.0, "1/s"), **SHAPE},
    "pull",
    angle="phi",
)
def morphed(xdot, t, x, p, inflow):
    """phi' = omega + pull, r' = mu s' + gamma (mu s - r), a Fourier series s (Ajallooeian and others 2013)."""
    xdot[0] = p[0] + inflow[0]
    shape, slope = p[3], 0.0
    for k in range(1, 4):
        cosine, sine = math.cos(k * x[0]), math.sin(k * x[0])
        shape += p[2 + 2 * k] * cosine + p[3 + 2 * k] * sine
        slope += k * (p[3 + 2 * k] * cosine - p[2 + 2 * k] * sine)
    xdot[1] = p[1] * slope * xdot[0] + p[2] * (p[1] * shape - x[1])


@_node(
    {"V": 0.1, "q": 0.0},
    {"tau_m": SECOND, "tau_s": (1.0, "s"), "A": 1.0, "sigma_f": 2.0, "sigma_s": 2.0, "E": 0.0, "I": 0.0},
    "current",
)
def rowat_selverston(xdot, t, x, p, inflow):
    """tau_m V' = current + I - q - V + A tanh(sigma_f V/A), tau_s q' = sigma_s (V - E) - q (1993)."""
    fast = x[0] - p[2] * math.tanh(p[3] * x[0] / p[2])
    xdot[0] = (p[6] + inflow[0] - x[1] - fast) / p[0]
    xdot[1] = (p[4] * (x[0] - p[5]) - x[1]) / p[1]


@_node({"v": -1.0, "w": 1.0}, {"a": 0.7, "b": 0.8, "epsilon": 0.08, "I": 0.5}, "current")
def fitzhugh_nagumo(xdot, t, x, p, inflow):
    """v' = v - v^3/3 - w + I + current, w' = epsilon (v + a - b w) (FitzHugh 1961)."""
    xdot[0] = x[0] - x[0] * x[0] * x[0] / 3.0 - x[1] + p[3] + inflow[0]
    xdot[1] = p[2] * (x[0] + p[0] - p[1] * x[1])


@_node({"y": (0.0, "m"), "v": (0.0, "m/s")}, {"m": (1.0, "kg"), "g": (9.81, "m/s^2"), "drag": (0.0, "N s/m")}, "force")
def point_mass(xdot, t, x, p, inflow):
    """y'' = -g + (force - drag y') / m."""
    xdot[0] = x[1]
    xdot[1] = -p[1] + (inflow[0] - p[2] * x[1]) / p[0]


def heights(g, t, x, p, chart):
    """How far the foot is above the ground, or the leg from its full length."""
    if chart:
        g[1] = p[3] - x[0]
    else:
        g[0] = x[0] - p[3]


def other_phase(x_new, t, x, p, chart, crossed):
    """From flight to stance, or back."""
    return 1 - chart


def phase_of_height(x_new, t, x, p):
    """Stance where the leg is shorter than at rest."""
    return 1 if x[0] < p[3] else 0


LEG = {
    "boundaries": heights,
    "transition": other_phase,
    "initial_chart": phase_of_height,
    "boundary_records": (Boundary("touchdown", unit="m", degree=1), Boundary("liftoff", unit="m", degree=1)),
    "fields": {"ground": 1},
}
POGO = {"m": (0.6, "kg"), "K": (1200.0, "N/m"), "D": (1.0, "N s/m"), "L": (0.1, "m"), "g": (9.81, "m/s^2")}


@_node({"y": (1.0, "m"), "v": (0.0, "m/s")}, POGO, "force", events=LEG)
def pogo(xdot, t, x, p, inflow, chart):
    """y'' = -g + force/m, on the ground + (K (L - y) - D y')/m, until y > L (van den Kieboom 2014)."""
    xdot[0] = x[1]
    xdot[1] = -p[4] + inflow[0] / p[0]
    if chart:
        xdot[1] += (p[1] * (p[3] - x[0]) - p[2] * x[1]) / p[0]


def below_threshold(g, t, x, p, chart):
    """How far the potential is below its threshold, the first parameter."""
    g[0] = p[0] - x[0]


def fire(x_new, t, x, p, chart, crossed):
    """The potential is reset to the second parameter, and the trace of spikes, the second state, grows by 1."""
    x_new[0] = p[1]
    x_new[1] = x[1] + 1.0
    return chart


def fire_and_adapt(x_new, t, x, p, chart, crossed):
    """The same, and the recovery grows by the fourth parameter."""
    x_new[2] = x[2] + p[3]
    return fire(x_new, t, x, p, chart, crossed)


SPIKES = {"boundaries": below_threshold, "transition": fire, "boundary_records": (Boundary("spike", degree=1),)}
IZHIKEVICH: Mapping[str, Any] = {"threshold": 30.0, "reset": -65.0, "tau_s": (0.005, "s"), "d": 8.0}


@_node(
    {"v": 0.0, "s": 0.0},
    {"threshold": 1.0, "reset": 0.0, "tau_s": (0.005, "s"), "tau": (0.02, "s"), "I": 1.5},
    "current",
    events=SPIKES,
)
def integrate_and_fire(xdot, t, x, p, inflow):
    """tau v' = I + current - v, tau_s s' = -s; at the threshold v is reset and s grows by 1 (Lapicque 1907)."""
    xdot[0] = (p[4] + inflow[0] - x[0]) / p[3]
    xdot[1] = -x[1] / p[2]


@_node(
    {"v": (-65.0, "mV"), "s": 0.0, "u": -13.0},
    {**IZHIKEVICH, "a": 0.02, "b": 0.2, "I": 10.0},
    "current",
    events={**SPIKES, "transition": fire_and_adapt},
)
def izhikevich(xdot, t, x, p, inflow):
    """v' = 0.04 v^2 + 5 v + 140 - u + I + current and u' = a (b v - u) per ms; v is reset, u grows by d (2003)."""
    xdot[0] = 1000.0 * ((0.04 * x[0] + 5.0) * x[0] + 140.0 - x[2] + p[6] + inflow[0])
    xdot[1] = -x[1] / p[2]
    xdot[2] = 1000.0 * p[4] * (p[5] * x[0] - x[2])
