"""Chains and closed loops that configs of this folder make models of, without another line of code."""

import math

from hybridsim.multibody import Body, Mechanism, Revolute

END = (0.0, 0.0, -1.0)
LINK = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1.0025 / 12, 1.0025 / 12, 0.005 / 12)}


def hanging(n):
    """Return a chain of links of 1 m and 1 kg, boxes 5 cm wide: q0 is its first joint."""
    names = [f"link{i}" for i in range(n)]
    parents = ["world", *names[:-1]]
    places = [(0.0, 0.0, 0.0), *[END] * (n - 1)]
    joints = [Revolute(f"q{i}", "y", place=place) for i, place in enumerate(places)]
    return Mechanism(*(Body(*each, **LINK) for each in zip(names, joints, parents, strict=True)))


PENDULUM = hanging(5)
THREE_LINKS = hanging(3)

ROCKER = Body("rocker", Revolute("rocker", "y", place=(-1.0, 0.0, 0.0)), **LINK)
CUT_AT_COUPLER = Mechanism(
    Body("crank", Revolute("crank", "y"), **LINK),
    Body("coupler", Revolute("coupler", "y", place=END), "crank", **LINK),
    ROCKER,
)
"""The three links, to be closed between coupler and rocker: the fixed pin of the rocker is a joint here."""


def bar(name, parent, mass, centre, length, place, **spring):
    """Return a box of this length and of 1 cm by 5 mm."""
    inertia = (mass * (length**2 + 2.5e-5) / 12, mass * (length**2 + 1e-4) / 12, mass * 1.25e-4 / 12)
    joint = Revolute(name, "y", place=(0.0, 0.0, place), **spring)
    return Body(f"{name}_bar", joint, parent, mass=mass, centre=(0.0, 0.0, centre), inertia=inertia)


PANTOGRAPH = Mechanism(
    bar("hip", "world", 0.01, -0.02, 0.04, 0.0, damping=1e-3),
    bar("knee", "hip_bar", 0.02, -0.03, 0.06, -0.04, stiffness=0.1, rest=-0.4 * math.pi),
    bar("ankle", "knee_bar", 0.01, -0.025, 0.05, -0.06),
    bar("parallel", "ankle_bar", 0.1, 0.025, 0.05, 0.02),
)
