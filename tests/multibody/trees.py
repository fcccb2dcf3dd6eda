"""Random trees of bodies, as mechanisms and as models of pinocchio."""

from typing import NamedTuple

import numpy as np
import pinocchio as pin

from hybridsim.multibody import Body, Fixed, Mechanism, Prismatic, Revolute, Spherical
from hybridsim.multibody.tree import PRISMATIC, SPHERICAL

KINDS = ("revolute", "prismatic", "spherical", "fixed")


class Units(NamedTuple):
    """A unit of length and one of mass, as how many of them are 1 m and 1 kg."""

    length: float = 1.0
    mass: float = 1.0


class Twin(NamedTuple):
    """The same tree twice, with a point on each body."""

    mechanism: Mechanism
    model: pin.Model
    points: dict[str, np.ndarray]


def random_rotation(rng):
    """Return a rotation matrix."""
    factor, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return factor * np.sign(np.linalg.det(factor))


def random_inertia(rng, mass):
    """Return the inertia of four equal point masses about their centre [kg m^2]."""
    points = 0.3 * rng.normal(size=(4, 3))
    points -= points.mean(axis=0)
    return sum(mass / 4.0 * ((p @ p) * np.eye(3) - np.outer(p, p)) for p in points)


def random_twin(seed, count, units=None, base=(0.0, 0.0, 0.0), kinds=KINDS):
    """Return a tree of `count` bodies; what the ground carries lies `base` [m] further away."""
    rng, units = np.random.default_rng(seed), units or Units()
    model, bodies, points = pin.Model(), [], {}
    model.gravity.linear = 9.81 * units.length * random_rotation(rng)[0]
    placed = {"world": (0, pin.SE3.Identity())}  # pinocchio's joint of each body, and the body's frame in that joint's
    for i in range(count):
        name, parent = f"b{i}", str(rng.choice(list(placed)[-4:]))
        mass, length = units.mass * rng.uniform(0.1, 3.0), units.length
        inertia, centre = random_inertia(rng, mass) * length**2, 0.3 * length * rng.normal(size=3)
        points[name] = length * rng.normal(size=3)
        place = 0.5 * length * rng.normal(size=3) + length * np.asarray(base) * (parent == "world")
        turn = random_rotation(rng) if rng.random() < 0.7 else np.eye(3)
        axis = random_rotation(rng)[0] if rng.random() < 0.6 else np.eye(3)[rng.integers(3)]
        kind = kinds[rng.integers(len(kinds))]
        if kind == "fixed" and parent == "world":  # pinocchio does not count a mass that is fixed to the ground
            kind = "revolute"
        joint, pinned = {
            "revolute": (Revolute(f"q{i}", axis, place=place, turn=turn), pin.JointModelRevoluteUnaligned(axis)),
            "prismatic": (Prismatic(f"q{i}", axis, place=place, turn=turn), pin.JointModelPrismaticUnaligned(axis)),
            "spherical": (Spherical(f"q{i}", place=place, turn=turn), pin.JointModelSpherical()),
            "fixed": (Fixed(place=place, turn=turn), None),
        }[kind]
        bodies.append(Body(name, joint, parent, mass, centre, inertia))
        number, frame = placed[parent][0], placed[parent][1] * pin.SE3(turn, place)
        if pinned is not None:
            number, frame = model.addJoint(number, pinned, frame, name), pin.SE3.Identity()
        model.appendBodyToJoint(number, pin.Inertia(mass, centre, inertia), frame)
        at_point = frame * pin.SE3(np.eye(3), points[name])
        model.addFrame(pin.Frame(name, number, 0, at_point, pin.FrameType.OP_FRAME))
        placed[name] = number, frame
    order = rng.permutation(count) if parents_may_follow(seed) else np.arange(count)
    mechanism = Mechanism(*(bodies[i] for i in order), gravity=model.gravity.linear)
    return Twin(mechanism, model, points)


def parents_may_follow(seed):
    """Every third tree is described in a random order."""
    return seed % 3 == 0


def random_motion(twin, seed, units=None):
    """Return coordinates and speeds of the mechanism: quaternions have any length, and slides are in metres."""
    rng, tree, units = np.random.default_rng(seed + 1000), twin.mechanism.tree, units or Units()
    q, u = rng.uniform(-2.0, 2.0, tree.n_coordinates), rng.normal(size=tree.n_speeds)
    for frame in range(1, tree.n_frames):
        if tree.kind[frame] == PRISMATIC:
            q[tree.coordinate[frame]] *= units.length
            u[tree.speed[frame]] *= units.length
    return q, u


def of_pinocchio(twin, q, *speeds):
    """Return coordinates, and vectors with an entry for each speed, in the order and form of pinocchio."""
    tree, model = twin.mechanism.tree, twin.model
    theirs, order = pin.neutral(model), speed_order(twin)
    for name, frame in twin.mechanism.frames._asdict().items():
        if not model.existJointName(name) or frame == 0:
            continue
        joint, i = model.joints[model.getJointId(name)], tree.coordinate[frame]
        if tree.kind[frame] == SPHERICAL:
            quaternion = q[[i + 1, i + 2, i + 3, i]]
            theirs[joint.idx_q : joint.idx_q + 4] = quaternion / np.linalg.norm(quaternion)
        else:
            theirs[joint.idx_q] = q[i]
    return theirs, *(values[order] for values in speeds)


def speed_order(twin):
    """Return the index of our speed for each of pinocchio's."""
    tree, order = twin.mechanism.tree, np.zeros(twin.model.nv, int)
    for name, frame in twin.mechanism.frames._asdict().items():
        if twin.model.existJointName(name) and frame > 0:
            joint = twin.model.joints[twin.model.getJointId(name)]
            order[joint.idx_v : joint.idx_v + joint.nv] = tree.speed[frame] + np.arange(joint.nv)
    return order


def assert_close(ours, theirs, relative=1e-12):
    """Assert that arrays agree, relative to the largest entry."""
    __tracebackhide__ = True
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=relative * max(np.abs(theirs).max(initial=0.0), 1e-300))
