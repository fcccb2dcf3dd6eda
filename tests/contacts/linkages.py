"""Mechanisms with loops, stops, dry friction and disks whose motion is known."""

import math

from hybridsim.contacts import Disk, Patch, Pin, Plane, Rod, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Prismatic, Revolute

LINK = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1.0025 / 12, 1.0025 / 12, 0.005 / 12)}
END = (0.0, 0.0, -1.0)


def chain(n, axis="y"):
    """Links of 1 m and 1 kg that hang on each other."""
    joints = [Revolute(f"q{i}", axis, place=END if i else (0.0, 0.0, 0.0)) for i in range(n)]
    return Mechanism(
        *(Body(f"link{i}", joint, parent=f"link{i - 1}" if i else "world", **LINK) for i, joint in enumerate(joints))
    )


def four_bar(name="four_bar", axis="y", to=(-1.0, 0.0, 0.0), **settings):
    """A parallelogram of three links of 1 m, equivalent to a pendulum."""
    return contact_model(name, chain(3, axis), loops=[Pin("tip", "link2", END, to=to)], **settings)


def parallelogram(angle):
    """The state in which the outer links are turned by an angle, and the coupler is level."""
    return {"q0": angle, "q1": math.pi / 2 - angle, "q2": math.pi / 2 + angle}


INERTIA = 2 * (1.0025 / 12 + 0.25) + 1.0
"""Of the pendulum that a parallelogram is equivalent to; the weight drives it with 2 g sin(angle) [kg m^2]."""


def parallelogram_of_rods():
    """Two pendulums with a massless rod between their ends, and a joint in space."""
    arms = [Body(name, Revolute(name, "y", place=(x, 0.0, 0.0)), **LINK) for name, x in (("a", 0.0), ("b", 0.7))]
    return contact_model("rods", Mechanism(*arms), loops=[Rod("rod", "a", 0.7, END, to=END, on="b")])


def pantograph():
    """The leg of a pantograph: thigh, shank, foot, and a bar beside the thigh that closes on the hip's body."""

    def link(name, parent, mass, centre, length, place, **spring):
        inertia = (mass * (length**2 + 2.5e-5) / 12, mass * (length**2 + 1e-4) / 12, mass * 1.25e-4 / 12)
        joint = Revolute(name, "y", place=(0.0, 0.0, place), **spring)
        return Body(f"{name}_body", joint, parent, mass=mass, centre=(0.0, 0.0, centre), inertia=inertia)

    pi = math.pi
    leg = Mechanism(
        link("hip", "world", 0.01, -0.02, 0.04, 0.0, damping=1e-3),
        link("knee", "hip_body", 0.02, -0.03, 0.06, -0.04, stiffness=0.1, rest=-0.4 * pi),
        link("ankle", "knee_body", 0.01, -0.025, 0.05, -0.06),
        link("par", "ankle_body", 0.1, 0.025, 0.05, 0.02),
    )
    initial = {"hip": 0.1 * pi, "knee": -0.4 * pi, "ankle": 0.4 * pi, "par": -0.4 * pi}
    pin = Pin("close", "par_body", (0.0, 0.0, 0.06), to=(0.0, 0.0, -0.02), on="hip_body")
    return contact_model("pantograph", leg, loops=[pin], initial=initial)


def slider(**settings):
    """A mass of 2 kg that slides along x."""
    return contact_model("slider", Mechanism(Body("s", Prismatic("s", "x"), mass=2.0)), **settings)


def rolling_disk():
    body = Body("disk", Planar("disk", normal="y"), mass=1.0, inertia=(0.1, 0.125, 0.1))
    return contact_model("disk", Mechanism(body), [Disk("rim", "disk", 0.5, friction=0.2)], initial={"disk_z": 0.5})


def cradle(n, impacts):
    """Balls of 0.1 m on a line; each touches a plane of the next one."""
    balls = [Body(f"ball{i}", Prismatic(f"x{i}", "x"), mass=1.0) for i in range(n)]
    contacts = [
        Patch(
            f"touch{i}",
            f"ball{i}",
            ((0.05, 0.0, 0.0),),
            on=f"ball{i + 1}",
            plane=Plane(f"face{i}", x=-0.05, slope=math.pi / 2),
            restitution=1.0,
        )
        for i in range(n - 1)
    ]
    initial = {f"x{i}": 0.1 * i for i in range(1, n)}
    return contact_model("cradle", Mechanism(*balls), contacts, impacts=impacts, initial={**initial, "x0": -0.5})


def on_a_swing(disk, name="swing"):
    """A block or a disk that slides on a plank that swings: a plane that turns and moves."""
    plank = Body("plank", Revolute("swing", "y", place=(0.0, 0.0, 2.0)), mass=5.0, centre=END, inertia=(1.0, 1.0, 1.0))
    body = Body("rider", Planar("rider", normal="y"), mass=1.0, inertia=(0.1, 0.02, 0.1))
    floor = Plane("floor", z=-1.0)
    if disk:
        contacts = [Disk("rim", "rider", 0.2, friction=0.6, plane=floor, on="plank")]
    else:
        corners = ((-0.1, 0.0, -0.2), (0.1, 0.0, -0.2))
        contacts = [Patch("sole", "rider", corners, friction=0.1, plane=floor, on="plank")]
    return contact_model(name, Mechanism(plank, body), contacts, initial={"rider_z": 1.2 + 1e-3})
