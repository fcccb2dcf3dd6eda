"""Scenes of mechanisms: each body as the box of its mass and inertia, links from joint to joint, joints as spheres."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hybridsim.model import scene
from hybridsim.model.poses import between, placed
from hybridsim.model.shapes import Arrow, Box, Capsule, Sphere
from hybridsim.model.table import Records
from hybridsim.multibody.joints import Body, Fixed, Free, Planar, Prismatic
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.tree import AXES, FRAME_SIZE, ORIGIN
from hybridsim.typing import FloatArray, Function

LINK, THINNEST, JOINT = 0.015, 0.04, 0.03
"""Radius of a link, least width of a body and radius of a joint, as fractions of the mechanism's size."""

AXIS_COLOURS = {"x": "#c0392b", "y": "#2a9d55", "z": "#2f6fb8"}
AXIS, SEMI_AXIS = 0.25, math.sqrt(5.0 / 12.0)
"""Length of an axis, as a fraction of the mechanism's size; an ellipsoid's semi-axis by the side of the same box."""

BODY_COLOUR, LINK_COLOUR, JOINT_COLOUR, OPACITY = "#7d95b0", "#56616d", "#2f3740", 0.7


class MechanismScene(NamedTuple):
    """What a Model takes as `scene` and as `poses`."""

    scene: scene.Scene
    poses: Function


def scene_of(mechanism: Mechanism, ground: scene.Ground | None = None) -> MechanismScene:
    """Make the scene of a model whose state begins with the coordinates of a mechanism.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    ground : Ground, optional
        The ground; none if it is not given.

    Returns
    -------
    scene : Scene
        Each body is a box with its mass and moments of inertia; capsules lead to the joints of other bodies on it.
    poses : callable
        `Model(..., scene=scene, poses=poses)`.
    """
    size = size_of(mechanism)
    parts = [*_boxes(mechanism, size), *_links(mechanism, size), *_joints(mechanism, size), *_frames(mechanism, size)]
    followed = next((body.name for body, _ in parts), "")
    reach = size + _longest_limb(mechanism)
    moves = isinstance(mechanism.bodies[0].joint, Planar | Free | Prismatic)
    camera = scene.Camera(
        follow=followed if moves else "",
        at=(0.0, 0.0, 0.5 * reach) if moves else _middle(mechanism),
        distance=(5.0 if moves else 3.5) * reach,
    )

    def poses(T, t, x, p, chart):  # noqa: ARG001  (the model's contract)
        frames = frames_of(mechanism, x)
        for k, (_, pose) in enumerate(parts):
            T[k] = pose(frames)

    return MechanismScene(scene.Scene(Records(*(body for body, _ in parts)), ground=ground, camera=camera), poses)


def _longest_limb(mechanism: Mechanism) -> float:
    """Return the largest way from the world through joints to a body [m]."""
    ways = {"world": 0.0}
    for body in mechanism.bodies:
        ways[body.name] = ways[body.parent] + float(np.linalg.norm(body.joint.place))
    return max(ways.values())


def _middle(mechanism: Mechanism) -> tuple[float, float, float]:
    """Return the centre of mass where all coordinates are 0, of a mechanism on a fixed base [m]."""
    x, y, z = map(float, mechanism.centre_of_mass(np.zeros(mechanism.tree.n_coordinates)))
    return x, y, z


def frames_of(mechanism: Mechanism, x: FloatArray) -> FloatArray:
    """Return the transform from the frame of each body, the world's first, to the world: (n_frames, 4, 4)."""
    motion = mechanism.motion(np.asarray(x[: mechanism.tree.n_coordinates], float))
    frames = np.tile(np.eye(4), (mechanism.tree.n_frames, 1, 1))
    for f in range(1, mechanism.tree.n_frames):
        first = f * FRAME_SIZE
        frames[f, :3, :3] = motion[first + AXES : first + AXES + 9].reshape(3, 3).T
        frames[f, :3, 3] = motion[first + ORIGIN : first + ORIGIN + 3]
    return frames


def size_of(mechanism: Mechanism) -> float:
    """Return the largest distance within a body, or size of one [m]."""
    lengths = [np.linalg.norm(place) for body in mechanism.bodies for place in (body.centre, body.joint.place)]
    lengths += [max(_box(body)[0]) for body in mechanism.bodies if body.mass > 0.0]
    return float(max(lengths)) or 1.0


def _box(body: Body) -> tuple[FloatArray, FloatArray]:
    """Return the sides of the box that has a body's mass and moments of inertia [m], and its axes in the body."""
    inertia = body.inertia_matrix()
    moments, axes = np.linalg.eigh(inertia)
    if not np.count_nonzero(inertia - np.diag(np.diag(inertia))):
        moments, axes = np.diag(inertia), np.eye(3)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return np.sqrt(np.maximum(6.0 * (moments.sum() - 2.0 * moments) / body.mass, 0.0)), axes


def _boxes(mechanism, size):
    for body in mechanism.bodies:
        if body.mass > 0.0:
            frame, (sides, axes) = getattr(mechanism.frames, body.name), _box(body)
            shape = Box(tuple(np.maximum(sides, THINNEST * size).tolist()))
            local = placed(body.centre, axes)
            yield (
                scene.Body(body.name, shape, BODY_COLOUR, OPACITY),
                lambda frames, f=frame, local=local: frames[f] @ local,
            )


def _links(mechanism, size):
    """Yield a link to each joint on a body, and to the centre of mass of what has no other joint, as a last leg."""
    carrying = {body.parent for body in mechanism.bodies if np.any(body.joint.place)}
    ends = [(f"{body.name}_link", body.parent, body.joint.place) for body in mechanism.bodies]
    ends += [(f"{body.name}_end", body.name, body.centre) for body in mechanism.bodies if body.name not in carrying]
    for name, body, end in ends:
        place = np.append(np.asarray(end, float), 1.0)
        if place[:3].any():
            frame, shape = getattr(mechanism.frames, body, 0), Capsule(LINK * size, float(np.linalg.norm(place[:3])))
            yield (
                scene.Body(name, shape, LINK_COLOUR),
                lambda frames, f=frame, place=place: capsule_pose(frames[f, :3, 3], (frames[f] @ place)[:3]),
            )


def capsule_pose(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the pose of a capsule, whose length is its own, from a to b."""
    pose = np.array(between(a, b))
    pose[:3, 2] /= np.linalg.norm(b - a)
    pose[:3, 3] = 0.5 * (a + b)
    return pose


def _joints(mechanism, size):
    for body in mechanism.bodies:
        if not isinstance(body.joint, Fixed) and (body.parent != "world" or np.any(body.joint.place)):
            frame = getattr(mechanism.frames, body.name)
            shape = Sphere(JOINT * size)
            yield (
                scene.Body(f"{body.name}_joint", shape, JOINT_COLOUR),
                lambda frames, f=frame: placed(frames[f, :3, 3]),
            )


def _frames(mechanism, size):
    """Yield the axes of each body's frame, in its joint, and its ellipsoid of inertia."""
    for body in mechanism.bodies:
        frame = getattr(mechanism.frames, body.name)
        for i, (axis, colour) in enumerate(AXIS_COLOURS.items()):
            yield (
                scene.Body(f"{body.name}_{axis}_axis", Arrow(0.3 * LINK * size), colour, kind="frame"),
                lambda frames, f=frame, i=i: between(
                    frames[f, :3, 3], frames[f, :3, 3] + AXIS * size * frames[f, :3, i]
                ),
            )
        if body.mass > 0.0:
            sides, axes = _box(body)
            local = placed(body.centre, axes, scale=np.maximum(SEMI_AXIS * sides, 0.5 * THINNEST * size))
            yield (
                scene.Body(f"{body.name}_inertia", Sphere(1.0), JOINT_COLOUR, 0.4, kind="frame"),
                lambda frames, f=frame, local=local: frames[f] @ local,
            )
