"""Mechanisms with contacts whose motion is known by formulas or by quadrature."""

import math
from pathlib import Path

from hybridsim import Parameter, load_model
from hybridsim.contacts import Patch, Plane, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Prismatic, Revolute

ROOT, TIGHT = Path(__file__).parents[2], {"rtol": 1e-10, "atol": 1e-12}


def box(width, height, mass=1.0, name="box"):
    """A uniform box that moves in the plane, its frame in its centre."""
    across = mass * (width**2 + height**2) / 12
    inertia = (mass * height**2 / 12, across, mass * width**2 / 12)
    return Body(name, Planar(name, normal="y"), mass=mass, inertia=inertia)


WIDTH, HEIGHT = 0.2, 0.8


def corners(width, height):
    return ((-width / 2, 0.0, -height / 2), (width / 2, 0.0, -height / 2))


def standing_block(unit=1.0, **contact):
    """A slender block on its lower edge, at rest; lengths are in this unit [m]."""
    width, height = WIDTH / unit, HEIGHT / unit
    patch = Patch("base", "box", corners(width, height), **contact)
    mechanism = Mechanism(box(width, height), gravity=(0.0, 0.0, -9.81 / unit))
    return contact_model("block", mechanism, [patch], initial={"box_z": height / 2})


def on_right_corner(angle, width=WIDTH, height=HEIGHT):
    """The state in which a block stands on its right corner, in the origin, tilted to the right."""
    x = -(math.cos(angle) * width / 2 - math.sin(angle) * height / 2)
    z = math.sin(angle) * width / 2 + math.cos(angle) * height / 2
    return {"box_x": x, "box_z": z, "box_angle": angle}


def point_mass(name="mass", **contact):
    """A mass that slides in the plane without turning, and touches with its centre."""
    sides = Body("side", Prismatic("x", "x"))
    body = Body("body", Prismatic("z", "z"), parent="side", mass=1.0)
    forces, parameters = contact.pop("forces", None), contact.pop("parameters", ())
    patch = Patch("foot", "body", **contact)
    return contact_model(name, Mechanism(sides, body), [patch], forces=forces, parameters=parameters)


def bar(points, name="bar", forces=None, parameters=(), offset=0.0, **contact):
    """A bar of 1 kg and 1 m with a contact at each of these places along it."""
    body = Body("box", Planar("box", normal="y"), mass=1.0, centre=(offset, 0.0, 0.0), inertia=(0.0, 1 / 12, 1 / 12))
    patches = [Patch(f"p{i}", "box", ((place, 0.0, 0.0),), **contact) for i, place in enumerate(points)]
    return contact_model(name, Mechanism(body), patches, forces=forces, parameters=parameters)


def falling_rod(friction):
    """A uniform rod of 1 m and 1 kg whose lower end touches the ground."""
    body = Body("box", Planar("box", normal="y"), mass=1.0, inertia=(1 / 12, 1 / 12, 0.0))
    return contact_model("rod", Mechanism(body), [Patch("foot", "box", ((0.0, 0.0, -0.5),), friction=friction)])


SLOPE = math.radians(10)


def push_down(force, t, x, p):
    """Down a slope of 10 degrees."""
    force[0] -= p[0] * math.sin(p[1] * t) * math.cos(SLOPE)
    force[1] -= p[0] * math.sin(p[1] * t) * math.sin(SLOPE)


PUSH = (Parameter("strength", 4.0, "N"), Parameter("rate", 3.0, "rad/s"))


def woodpecker():
    return load_model(ROOT / "configs/multibody/woodpecker.py")


def robot(friction=0.8, restitution=0.0, ground=None, name="robot", sign=1.0):
    """A trunk on two legs with knees and feet, whose joints are sprung and damped; it looks along x, or back."""
    ground = ground or Plane()
    bodies = [box(0.2, 0.6, 10.0, "trunk")]
    contacts = []
    for side in ("left", "right"):
        spring = {"stiffness": 600.0, "damping": 15.0}
        hip = Revolute(f"{side}_hip", "-y", place=(0.0, 0.0, -0.3), rest=sign * 0.3, **spring)
        knee = Revolute(f"{side}_knee", "-y", place=(0.0, 0.0, -0.4), rest=sign * -0.6, **spring)
        ankle = Revolute(f"{side}_ankle", "-y", place=(0.0, 0.0, -0.4), rest=sign * 0.3, **spring)
        leg = {"mass": 2.0, "centre": (0.0, 0.0, -0.2), "inertia": (0.03, 0.03, 0.002)}
        foot = {"mass": 0.5, "centre": (sign * 0.03, 0.0, -0.03), "inertia": (0.001, 0.002, 0.002)}
        bodies += [
            Body(f"{side}_thigh", hip, parent="trunk", **leg),
            Body(f"{side}_shank", knee, f"{side}_thigh", **leg),
        ]
        bodies.append(Body(f"{side}_foot", ankle, parent=f"{side}_shank", **foot))
        sole = ((sign * -0.05, 0.0, -0.05), (sign * 0.12, 0.0, -0.05))
        contacts.append(Patch(side, f"{side}_foot", sole, friction=friction, restitution=restitution, plane=ground))
    return contact_model(name, Mechanism(*bodies), contacts)


BENT = {
    f"{side}_{joint}": value
    for side in ("left", "right")
    for joint, value in (("hip", 0.3), ("knee", -0.6), ("ankle", 0.3))
}
STANDING = {"trunk_z": 0.3 + 0.8 * math.cos(0.3) + 0.05, **BENT}
