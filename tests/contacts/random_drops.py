"""Drops and pushes of random planar mechanisms: chains, trees and loops, with stops, dry friction, soles and disks."""

import math
import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np

from hybridsim import Model, Parameter, simulate
from hybridsim.contacts import Disk, Patch, Pin, Plane, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Revolute

KINDS = ("free", "stops", "dry", "loop", "everything")
"""What the joints of a mechanism have."""

PUSH = (Parameter("push", 0.0, "N"), Parameter("rate", 5.0, "rad/s"))


def push_base(force, t, x, p):
    """To and fro along x, and a quarter of it upward."""
    force[0] += p[0] * math.sin(p[1] * t)
    force[1] += 0.25 * p[0] * math.cos(p[1] * t)


def random_mechanism(rng, n_bodies, is_chain):
    """A base that moves in the plane, and bodies that are hinged to it or, in a chain, to the one before."""
    bodies = []
    for i in range(n_bodies):
        mass, length = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.3, 0.6))
        inertia = mass * length**2 / 12
        joint, parent = Planar("base", normal="y"), "world"
        if i:
            place = (float(rng.uniform(-0.3, 0.3)), 0.0, float(rng.uniform(-0.2, 0.2)))
            stiffness, damping = float(rng.choice([0.0, 30.0])), float(rng.choice([0.0, rng.uniform(0.0, 0.5)]))
            joint = Revolute(f"hinge{i}", "y", place=place, stiffness=stiffness, damping=damping)
            parent = f"body{i - 1 if is_chain else rng.integers(i)}"
        centre = (float(rng.uniform(-0.1, 0.1)), 0.0, float(rng.uniform(-0.1, 0.1)))
        bodies.append(
            Body(f"body{i}", joint, parent=parent, mass=mass, centre=centre, inertia=(inertia, inertia, inertia / 2))
        )
    return Mechanism(*bodies)


def random_contacts(rng, n_bodies, ground):
    """A point, a sole or a disk of each body, of any friction and restitution."""
    contacts = []
    for i in range(n_bodies):
        half, low = float(rng.uniform(0.05, 0.2)), -float(rng.uniform(0.15, 0.3))
        kinetic = float(rng.choice([0.0, rng.uniform(0.0, 2.0)], p=[0.1, 0.9]))
        settings = {"friction": {"static": kinetic * float(rng.choice([1.0, 1.3])), "kinetic": kinetic}}
        settings |= {"restitution": random_restitution(rng), "plane": ground}
        shape = rng.choice(["point", "sole", "disk"])
        if shape == "disk":
            contacts.append(Disk(f"foot{i}", f"body{i}", half, (0.0, 0.0, low), **settings))
        else:
            points = ((-half, 0.0, low), (half, 0.0, low))
            contacts.append(Patch(f"foot{i}", f"body{i}", points if shape == "sole" else points[:1], **settings))
    return contacts


@dataclass(frozen=True)
class Case:
    """A model, and what it is made of; the posture of its joints closes its loop and is between its stops."""

    model: Model
    mechanism: Mechanism
    contacts: list
    posture: dict
    has_loop: bool


def random_case(seed):
    """A mechanism of a kind that the seed says."""
    rng, kind = np.random.default_rng(seed), KINDS[seed % len(KINDS)]
    has_loop = kind in ("loop", "everything")
    n_bodies = int(rng.integers(3, 5)) if has_loop else 1 + seed // len(KINDS) % 4
    mechanism = random_mechanism(rng, n_bodies, is_chain=has_loop or bool(rng.integers(2)))
    joints = [f"hinge{i}" for i in range(1, n_bodies)]
    posture = {joint: float(rng.uniform(-1.2, 1.2)) for joint in joints}
    loops, stops, dry = [], {}, {}
    if has_loop:
        end = (float(rng.uniform(0.1, 0.3)), 0.0, -0.2)
        to = mechanism.position(posture, f"body{n_bodies - 1}", end)
        loops = [Pin("pin", f"body{n_bodies - 1}", end, to=tuple(map(float, to)), on="body0")]
    for joint in joints if kind in ("stops", "everything") else ():
        lower, upper = (posture[joint] + sign * float(rng.uniform(0.1, 0.6)) for sign in (-1, 1))
        stops[joint] = {"lower": lower, "upper": upper, "restitution": random_restitution(rng)}
    for joint in joints if kind in ("dry", "everything") else ():
        kinetic = float(rng.uniform(0.01, 2.0))
        dry[joint] = {"static": kinetic * float(rng.choice([1.0, 1.3])), "kinetic": kinetic}
    contacts = random_contacts(rng, n_bodies, Plane(slope=float(rng.uniform(-0.3, 0.3))))
    settings = {"loops": loops, "stops": stops, "dry_friction": dry, "forces": push_base, "parameters": PUSH}
    model = contact_model(f"drop{seed}", mechanism, contacts, **settings)
    return Case(model, mechanism, contacts, posture, has_loop)


def random_restitution(rng):
    return float(rng.choice([0.0, rng.uniform(0.0, 0.95)]))


def random_start(rng, case, is_pushed):
    """State and parameters of a drop, in which the lowest point is above the ground or touches it, or of a push."""
    state = {joint: q + (0.0 if case.has_loop else float(rng.uniform(-0.1, 0.1))) for joint, q in case.posture.items()}
    state |= {"base_angle": float(rng.uniform(-math.pi, math.pi)), "base_z": 0.0}
    state["base_z"] = lift(case, state) + float(rng.choice([0.0, rng.uniform(0.0, 0.6)]))
    if is_pushed:
        return state, {"push": float(rng.uniform(-60.0, 60.0)), "rate": float(rng.uniform(1.0, 12.0))}
    names = ["base_x", "base_z", "base_angle", *(() if case.has_loop else case.posture)]
    return state | {f"{name}dot": float(rng.normal()) for name in names}, {}


def lift(case, state):
    """The height by which the lowest point is below the ground."""
    heights = []
    for each in case.contacts:
        radius, slope = each.radius if isinstance(each, Disk) else 0.0, each.plane.slope
        for point in each.points:
            x, _, z = case.mechanism.position(state, each.body, point)
            heights.append(math.tan(slope) * x + radius / math.cos(slope) - z)
    return float(max(heights))


def ends(n_models):
    """How many of eight drops and pushes of each of the first models end how."""
    count = Counter()
    for seed in range(n_models):
        case = random_case(seed)
        for k in range(8):
            initial, parameters = random_start(np.random.default_rng([seed, k]), case, k % 2 == 1)
            settings = {"rtol": 1e-8, "atol": 1e-10, "max_transitions": 20000, "parameters": parameters}
            count[simulate(case.model, initial=initial, final_time=2.0, **settings).status.name] += 1
    return count


if __name__ == "__main__":
    sys.stdout.write(f"{ends(int(sys.argv[1]))}\n")
