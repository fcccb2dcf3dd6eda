"""Types of nodes that come with hybridsim: oscillators, neurons and masses.

The functions have the names of their types; x, p and inflow are in the order of the records.
"""

from __future__ import annotations

import math

from hybridsim.model.records import Parameter, State
from hybridsim.model.table import Records
from hybridsim.networks.description import Node

PHI = State("phi", 0.0, "rad", "phase")
FREQUENCY = Parameter("f", 1.0, "Hz", "frequency without edges")
PULLED = ("pull",)


def integrator(xdot, t, x, p, inflow):
    """x' = rate + flow."""
    xdot[0] = p[0] + inflow[0]


def phase(xdot, t, x, p, inflow):
    """phi' = omega + pull."""
    xdot[0] = p[0] + inflow[0]


def amplitude_phase(xdot, t, x, p, inflow):
    """phi' = 2 pi f + pull, r'' = a (a/4 (R - r) - r')."""
    xdot[0] = 2.0 * math.pi * p[0] + inflow[0]
    xdot[1] = x[2]
    xdot[2] = p[2] * (0.25 * p[2] * (p[1] - x[1]) - x[2])


def outward(t, x, p):
    """r (1 + cos phi)."""
    return x[1] * (1.0 + math.cos(x[0]))


def drive_oscillator(xdot, t, x, p, inflow):
    """As `amplitude_phase`; f and R are affine in the drive between its limits, and 0 beyond them."""
    on = 1.0 if p[1] <= p[0] <= p[2] else 0.0
    xdot[0] = on * 2.0 * math.pi * (p[3] * p[0] + p[4]) + inflow[0]
    xdot[1] = x[2]
    xdot[2] = p[7] * (0.25 * p[7] * (on * (p[5] * p[0] + p[6]) - x[1]) - x[2])


def hopf(xdot, t, x, p, inflow):
    """phi' = 2 pi f + pull, r' = gamma (mu - r^2) r."""
    xdot[0] = 2.0 * math.pi * p[0] + inflow[0]
    xdot[1] = p[2] * (p[1] - x[1] * x[1]) * x[1]


def across(t, x, p):
    """r cos phi."""
    return x[1] * math.cos(x[0])


def hopf_xy(xdot, t, x, p, inflow):
    """x' = gamma (mu - r^2) x - omega y + pull_x, y' = gamma (mu - r^2) y + omega x + pull_y."""
    growth = p[2] * (p[1] - x[0] * x[0] - x[1] * x[1])
    xdot[0] = growth * x[0] - 2.0 * math.pi * p[0] * x[1] + inflow[0]
    xdot[1] = growth * x[1] + 2.0 * math.pi * p[0] * x[0] + inflow[1]


def adaptive_hopf(xdot, t, x, p, inflow):
    """As `hopf_xy`, with omega' = -epsilon force y / r, and epsilon force in x'."""
    r = math.hypot(x[0], x[1])
    growth = p[1] * (p[0] - r * r)
    xdot[0] = growth * x[0] - x[2] * x[1] + p[2] * inflow[0]
    xdot[1] = growth * x[1] + x[2] * x[0]
    xdot[2] = -p[2] * inflow[0] * x[1] / r


def van_der_pol(xdot, t, x, p, inflow):
    """x'' = mu (1 - x^2) x' - x + force."""
    xdot[0] = x[1]
    xdot[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0] + inflow[0]


def forced_van_der_pol(xdot, t, x, p, inflow):
    """As `van_der_pol`, with the force A sin(phi), phi' = omega."""
    van_der_pol(xdot, t, x, p, inflow)
    xdot[1] += p[1] * math.sin(x[2])
    xdot[2] = p[2]


def matsuoka_neuron(xdot, t, x, p, inflow):
    """tau1 x' = c - x - beta v - inhibition, tau2 v' = max(x, 0) - v."""
    xdot[0] = (p[3] - x[0] - p[2] * x[1] - inflow[0]) / p[0]
    xdot[1] = (max(x[0], 0.0) - x[1]) / p[1]


def firing(t, x, p):
    """max(x, 0)."""
    return max(x[0], 0.0)


def matsuoka(xdot, t, x, p, inflow):
    """Two neurons that inhibit each other: tau1 x' = c - x - beta v - a max(x_other, 0) - inhibition."""
    xdot[0] = (p[3] - x[0] - p[2] * x[1] - p[4] * max(x[2], 0.0) - inflow[0]) / p[0]
    xdot[1] = (max(x[0], 0.0) - x[1]) / p[1]
    xdot[2] = (p[3] - x[2] - p[2] * x[3] - p[4] * max(x[0], 0.0) - inflow[1]) / p[0]
    xdot[3] = (max(x[2], 0.0) - x[3]) / p[1]


def difference(t, x, p):
    """What the first neuron fires, less the second."""
    return max(x[0], 0.0) - max(x[2], 0.0)


def morphed(xdot, t, x, p, inflow):
    """phi' = omega + pull, r' = mu d/dt s(phi) + gamma (mu s(phi) - r), with a Fourier series s of order three."""
    xdot[0] = p[0] + inflow[0]
    shape, slope = p[3], 0.0
    for k in range(1, 4):
        cosine, sine = math.cos(k * x[0]), math.sin(k * x[0])
        shape += p[2 + 2 * k] * cosine + p[3 + 2 * k] * sine
        slope += k * (p[3 + 2 * k] * cosine - p[2 + 2 * k] * sine)
    xdot[1] = p[1] * slope * xdot[0] + p[2] * (p[1] * shape - x[1])


def rowat_selverston(xdot, t, x, p, inflow):
    """tau_m V' = current - q - V + A tanh(sigma_f V / A), tau_s q' = sigma_s (V - E) - q."""
    fast = x[0] - p[2] * math.tanh(p[3] * x[0] / p[2])
    xdot[0] = (p[6] + inflow[0] - x[1] - fast) / p[0]
    xdot[1] = (p[4] * (x[0] - p[5]) - x[1]) / p[1]


def fitzhugh_nagumo(xdot, t, x, p, inflow):
    """v' = v - v^3/3 - w + I + current, w' = epsilon (v + a - b w)."""
    xdot[0] = x[0] - x[0] * x[0] * x[0] / 3.0 - x[1] + p[3] + inflow[0]
    xdot[1] = p[2] * (x[0] + p[0] - p[1] * x[1])


def point_mass(xdot, t, x, p, inflow):
    """y'' = -g + (force - drag y') / m."""
    xdot[0] = x[1]
    xdot[1] = -p[1] + (inflow[0] - p[2] * x[1]) / p[0]


VAN_DER_POL_STATES = (State("x", 1.0), State("v", 0.0, "1/s"))
AMPLITUDE = (State("r", 0.0, "", "amplitude"), State("rdot", 0.0, "1/s"))
NEURON = (
    Parameter("tau1", 0.1, "s", "rise", lower=0.0),
    Parameter("tau2", 0.1, "s", "adaptation", lower=0.0),
    Parameter("beta", 2.0, "", "strength of the adaptation"),
    Parameter("c", 1.0, "", "tonic input"),
)
TILT = 0.2 * math.pi
SHAPE = {
    "s0": 0.0,
    "c1": -0.5 * math.sin(TILT),
    "s1": -0.5 * math.cos(TILT),
    "c2": 0.1 * math.cos(TILT),
    "s2": -0.1 * math.sin(TILT),
    "c3": 0.5 * math.sin(TILT),
    "s3": 0.5 * math.cos(TILT),
}
"""The Fourier coefficients of cos(2 phi + 0.2 pi) (0.1 + sin phi)."""

NODES = {
    node.name: node
    for node in (
        Node(
            "integrator",
            Records(State("x")),
            parameters=Records(Parameter("rate", 0.0)),
            inflows=("flow",),
            vector_field=integrator,
            doc="x' = rate + flow",
        ),
        Node(
            "phase",
            Records(PHI),
            parameters=Records(Parameter("omega", 1.0, "rad/s", "frequency without edges")),
            inflows=PULLED,
            vector_field=phase,
            angle="phi",
            doc="phase oscillator (Kuramoto 1975)",
        ),
        Node(
            "amplitude_phase",
            Records(PHI, *AMPLITUDE),
            parameters=Records(FREQUENCY, Parameter("R", 1.0, "", "amplitude at rest"), Parameter("a", 20.0, "1/s")),
            inflows=PULLED,
            vector_field=amplitude_phase,
            outputs={"out": outward},
            angle="phi",
            doc="phase and a critically damped amplitude (Ijspeert and others 2007)",
        ),
        Node(
            "drive_oscillator",
            Records(PHI, *AMPLITUDE),
            parameters=Records(
                Parameter("drive", 2.0, "", "from the brain stem"),
                Parameter("lowest", 1.0, "", "drive below which it rests"),
                Parameter("highest", 5.0, "", "drive above which it rests"),
                Parameter("f_slope", 0.2, "Hz"),
                Parameter("f_offset", 0.3, "Hz"),
                Parameter("R_slope", 0.065),
                Parameter("R_offset", 0.196),
                Parameter("a", 20.0, "1/s"),
            ),
            inflows=PULLED,
            vector_field=drive_oscillator,
            outputs={"out": outward},
            angle="phi",
            doc="amplitude_phase whose frequency and amplitude follow a drive (Ijspeert and others 2007)",
        ),
        Node(
            "hopf",
            Records(PHI, State("r", 1e-3, "", "amplitude")),
            parameters=Records(FREQUENCY, Parameter("mu", 1.0), Parameter("gamma", 5.0, "1/s")),
            inflows=PULLED,
            vector_field=hopf,
            outputs={"out": across},
            angle="phi",
            doc="normal form of the Hopf bifurcation in polar coordinates (van den Kieboom 2014, 2.4)",
        ),
        Node(
            "hopf_xy",
            Records(State("x", 1.0), State("y")),
            parameters=Records(FREQUENCY, Parameter("mu", 1.0), Parameter("gamma", 5.0, "1/s")),
            inflows=("pull_x", "pull_y"),
            vector_field=hopf_xy,
            doc="the same in Cartesian coordinates",
        ),
        Node(
            "adaptive_hopf",
            Records(State("x", 1.0), State("y"), State("omega", 1.0, "rad/s", "learnt frequency")),
            parameters=Records(Parameter("mu", 1.0), Parameter("gamma", 8.0, "1/s"), Parameter("epsilon", 0.9)),
            inflows=("force",),
            vector_field=adaptive_hopf,
            doc="it learns the frequency of its force (Righetti, Buchli and Ijspeert 2006)",
        ),
        Node(
            "van_der_pol",
            Records(*VAN_DER_POL_STATES),
            parameters=Records(Parameter("mu", 5.0)),
            inflows=("force",),
            vector_field=van_der_pol,
            doc="relaxation oscillator (van der Pol 1926)",
        ),
        Node(
            "forced_van_der_pol",
            Records(*VAN_DER_POL_STATES, PHI),
            parameters=Records(Parameter("mu", 5.0), Parameter("A", 1.0), Parameter("omega", 2.0 * math.pi, "rad/s")),
            inflows=("force",),
            vector_field=forced_van_der_pol,
            doc="van_der_pol with a force A sin(phi) (van den Kieboom 2014, 2.4.1)",
        ),
        Node(
            "matsuoka_neuron",
            Records(State("x", 0.1), State("v")),
            parameters=Records(*NEURON),
            inflows=("inhibition",),
            vector_field=matsuoka_neuron,
            outputs={"out": firing},
            doc="neuron with adaptation (Matsuoka 1985)",
        ),
        Node(
            "matsuoka",
            Records(State("x1", 0.1), State("v1"), State("x2"), State("v2")),
            parameters=Records(*NEURON, Parameter("a", 2.5, "", "inhibition of each other")),
            inflows=("inhibition1", "inhibition2"),
            vector_field=matsuoka,
            outputs={"out": difference},
            doc="two neurons that inhibit each other (Matsuoka 1985)",
        ),
        Node(
            "morphed",
            Records(PHI, State("r", 0.0, "", "shaped output")),
            parameters=Records(
                Parameter("omega", 2.0 * math.pi, "rad/s", "frequency without edges"),
                Parameter("mu", 1.0),
                Parameter("gamma", 1.0, "1/s"),
                *(Parameter(name, value) for name, value in SHAPE.items()),
            ),
            inflows=PULLED,
            vector_field=morphed,
            angle="phi",
            doc="phase oscillator whose output follows a Fourier series (Ajallooeian and others 2013)",
        ),
        Node(
            "rowat_selverston",
            Records(State("V", 0.1), State("q")),
            parameters=Records(
                *(Parameter("tau_m", 0.1, "s"), Parameter("tau_s", 1.0, "s"), Parameter("A", 1.0)),
                *(Parameter("sigma_f", 2.0), Parameter("sigma_s", 2.0), Parameter("E", 0.0), Parameter("I", 0.0)),
            ),
            inflows=("current",),
            vector_field=rowat_selverston,
            doc="cell with a fast and a slow current (Rowat and Selverston 1993)",
        ),
        Node(
            "fitzhugh_nagumo",
            Records(State("v", -1.0), State("w", 1.0)),
            parameters=Records(
                Parameter("a", 0.7), Parameter("b", 0.8), Parameter("epsilon", 0.08), Parameter("I", 0.5)
            ),
            inflows=("current",),
            vector_field=fitzhugh_nagumo,
            doc="excitable cell (FitzHugh 1961, Nagumo and others 1962)",
        ),
        Node(
            "point_mass",
            Records(State("y", 0.0, "m"), State("v", 0.0, "m/s")),
            parameters=Records(
                Parameter("m", 1.0, "kg", lower=1e-12),
                Parameter("g", 9.81, "m/s^2"),
                Parameter("drag", 0.0, "N s/m"),
            ),
            inflows=("force",),
            vector_field=point_mass,
            doc="mass in one dimension, under gravity",
        ),
    )
}
"""By name."""
