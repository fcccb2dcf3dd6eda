"""Random planar mechanisms with contacts: bodies in chains, points below and beside them, slopes and walls."""

import numpy as np

from hybridsim.contacts import HeightMap, Patch, Plane, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Revolute


def random_model(rng, n_bodies, restitution, bumps=0):
    """A base that moves in the plane, and bodies hinged to it, each with a point or a foot; on bumps with a point."""
    bodies, contacts = [], []
    slope = float(rng.uniform(-0.3, 0.3))
    ground = HeightMap(slope=slope, height=0.05, step=0.4, seed=bumps) if bumps else Plane(slope=slope)
    for i in range(n_bodies):
        mass, length = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.3, 0.6))
        joint = Planar("base", normal="y")
        if i:
            place = (float(rng.uniform(-0.3, 0.3)), 0.0, float(rng.uniform(-0.2, 0.2)))
            stiffness, damping = float(rng.choice([0.0, 30.0])), float(rng.uniform(0.0, 0.5))
            joint = Revolute(f"hinge{i}", "y", place=place, stiffness=stiffness, damping=damping)
        inertia = mass * length**2 / 12
        centre = (float(rng.uniform(-0.1, 0.1)), 0.0, float(rng.uniform(-0.1, 0.1)))
        parent = f"body{rng.integers(i)}" if i else "world"
        bodies.append(
            Body(f"body{i}", joint, parent=parent, mass=mass, centre=centre, inertia=(inertia, inertia, inertia / 2))
        )
        half = float(rng.uniform(0.05, 0.2))
        foot = [(-half, 0.0, -length / 2), (half, 0.0, -length / 2)][: int(rng.integers(1, 3))]
        foot = foot[:1] if bumps else foot
        kinetic = float(rng.choice([0.0, rng.uniform(0.1, 1.0)]))
        friction = {"static": kinetic * float(rng.choice([1.0, 1.3])), "kinetic": kinetic}
        contacts.append(Patch(f"foot{i}", f"body{i}", foot, friction=friction, restitution=restitution, plane=ground))
    return contact_model("random", Mechanism(*bodies), contacts)


def random_drop(rng, model):
    """A state in which all points are above the ground."""
    names = [name for name in model.states.names if f"{name}dot" in model.states.names]
    state = {name: float(rng.uniform(-1.5, 1.5)) for name in names}
    state |= {f"{name}dot": float(rng.normal()) for name in names}
    return state | {"base_x": 0.0, "base_z": float(rng.uniform(1.2, 1.6))}


WEIGHT = 50.0
"""A force like those of the ground [N]."""


def breaches_of(run):
    """The largest breaches of the laws of contacts: force that pulls, friction beyond the cone, gaps below zero [m]."""
    points = [name.removesuffix("_gap") for name in run.outputs.names if name.endswith("_gap")]
    patches = [name.removesuffix("_normal") for name in run.outputs.names if name.endswith("_normal")]
    pull = max(-run[f"{point}_force"].min() for point in points) / WEIGHT
    gap = max(-run[f"{point}_gap"].min() for point in points)
    cone = max(
        (np.abs(run[f"{patch}_tangential"]) - run.parameters[f"{patch}_static"] * run[f"{patch}_normal"]).max()
        for patch in patches
    )
    return pull, cone / WEIGHT, gap
