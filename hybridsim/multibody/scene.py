"""Scenes of mechanisms: each body as it looks, or as the box of its mass and inertia; links between joints; joints."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hybridsim.model import scene
from hybridsim.model.poses import between, placed
from hybridsim.model.shapes import Arrow, Box, Capsule, Cylinder, Sphere
from hybridsim.model.table import Records
from hybridsim.multibody import dynamics
from hybridsim.multibody import motion as motions
from hybridsim.multibody.joints import WORLD, Body, Fixed, Free, Planar, Prismatic, Revolute, direction
from hybridsim.multibody.looks import BODY_COLOUR
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.tree import AXES, FRAME_SIZE, ORIGIN
from hybridsim.typing import FloatArray, Function

LINK, THINNEST, JOINT = 0.015, 0.04, 0.03
"""Radius of a link, least width of a body and radius of a joint, as fractions of the mechanism's size."""

AXIS_COLOURS = {"x": "#c0392b", "y": "#2a9d55", "z": "#2f6fb8"}
AXIS, SEMI_AXIS = 0.25, math.sqrt(5.0 / 12.0)
"""Length of an axis, as a fraction of the mechanism's size; an ellipsoid's semi-axis by the side of the same box."""

DISTANCE = 9.0
"""Distance of the camera from what moves, in half sizes of it."""

LINK_COLOUR, JOINT_COLOUR, OPACITY = "#56616d", "#2f3740", 0.7


class MechanismScene(NamedTuple):
    """What a Model takes as `scene` and as `poses`."""

    scene: scene.Scene
    poses: Function


def scene_of(
    mechanism: Mechanism,
    ground: scene.Ground | None = None,
    points: Sequence[tuple[str, Sequence[float]]] = (),
    shaped: Collection[str] = (),
) -> MechanismScene:
    """Make the scene of a model whose state begins with the coordinates of a mechanism.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    ground : Ground, optional
        The ground; none if it is not given.
    points : sequence of (str, three floats)
        Bodies, and places on them [m] that the camera sees, as the feet.
    shaped : collection of str
        Bodies whose shape is drawn by others, as by the disk of a contact: a small ball is at their centre of mass.

    Returns
    -------
    scene : Scene
        Each body is what its `looks` say, or a box with its mass and moments of inertia; then capsules lead to the
        joints of other bodies on it.
    poses : callable
        `Model(..., scene=scene, poses=poses)`.
    """
    size = size_of(mechanism)
    parts = [*_looks(mechanism), *_boxes(mechanism, size, shaped), *_links(mechanism, size)]
    parts += [*_joints(mechanism, size), *_frames(mechanism, size)]
    bodies = named_apart(body for body, _ in parts)

    def poses(T, t, x, p, chart):  # noqa: ARG001  (the model's contract)
        frames = frames_of(mechanism, x)
        for k, (_, pose) in enumerate(parts):
            T[k] = pose(frames)

    camera = _camera(mechanism, parts, size, points) if parts else scene.Camera()
    return MechanismScene(scene.Scene(Records(*bodies), ground=ground, camera=camera), poses)


def named_apart(bodies: Iterable[scene.Body]) -> list[scene.Body]:
    """Return bodies whose names differ: those that come later get underscores behind."""
    found: dict[str, scene.Body] = {}
    for body in bodies:
        name = body.name
        while name in found:
            name += "_"
        found[name] = replace(body, name=name)
    return list(found.values())


def _camera(mechanism: Mechanism, parts: Any, size: float, points: Any) -> scene.Camera:
    """Return a camera that follows what moves in the world, and sees it with its joints between their limits."""
    roots = [body for body in mechanism.bodies if _is_root(mechanism, body)]
    motion = np.zeros(mechanism.motion_size)
    at_rest = np.zeros(mechanism.tree.n_speeds)
    motions.kinematics(motion, mechanism.tree, mechanism.data, _posture(mechanism), at_rest)  # compiles nothing
    reach, frames = size + _longest_limb(mechanism), _frames_in(motion, mechanism.tree.n_frames)
    if not any(isinstance(body.joint, Planar | Free | Prismatic) for body in roots):
        with np.errstate(all="ignore"):  # nan without masses
            x, y, z = map(float, dynamics.centre_of_mass(motion, mechanism.tree, mechanism.data))
        return scene.Camera(at=(x, y, z), distance=4.5 * reach, whole=True)
    if len(roots) > 1:
        return scene.Camera(at=(0.0, 0.0, 0.5 * reach), distance=5.0 * reach, whole=True)
    centres: list[Any] = [(body.name, body.centre) for body in mechanism.bodies]
    centres += [(body.name, look.pose[:3, 3]) for body in mechanism.bodies for look in body.looks]
    seen = [frames[getattr(mechanism.frames, body)] @ np.append(place, 1.0) for body, place in (*centres, *points)]
    low, high = np.min(seen, axis=0)[:3], np.max(seen, axis=0)[:3]
    x, y, z = (0.5 * (low + high) - parts[0][1](frames)[:3, 3]).tolist()
    radius = 0.5 * max(float(np.linalg.norm(high - low)), size)
    return scene.Camera(parts[0][0].name, along="xyz", at=(x, y, z), distance=DISTANCE * radius)


def _posture(mechanism: Mechanism) -> FloatArray:
    """Return coordinates between their limits, or 0 where there are none; quaternions that turn nothing."""
    found = np.array([each.rest for each in mechanism.coordinates])
    for body in mechanism.bodies:
        joints: Any = getattr(body.joint, "joints", (body.joint,))
        for joint in joints:
            middle = 0.5 * (getattr(joint, "lower", -math.inf) + getattr(joint, "upper", math.inf))
            if math.isfinite(middle):
                found[mechanism.coordinates.index(joint.name)] = middle
    return found


def _is_root(mechanism: Mechanism, body: Body) -> bool:
    """Return whether a body moves in the world, and what it is fixed to does not."""
    bodies, name = {each.name: each for each in mechanism.bodies}, body.parent
    while name != WORLD and isinstance(bodies[name].joint, Fixed):
        name = bodies[name].parent
    return name == WORLD and not isinstance(body.joint, Fixed)


def _longest_limb(mechanism: Mechanism) -> float:
    """Return the largest way from the middle of the joints on the world through joints to a body [m]."""
    middle = np.mean([body.joint.place for body in mechanism.bodies if body.parent == WORLD], axis=0)
    ways: dict[str, float] = {}
    for body in mechanism.bodies:
        way = np.asarray(body.joint.place) - (middle if body.parent == WORLD else 0.0)
        ways[body.name] = ways.get(body.parent, 0.0) + float(np.linalg.norm(way))
    return max(ways.values())


def frames_of(mechanism: Mechanism, x: FloatArray) -> FloatArray:
    """Return the transform from the frame of each body, the world's first, to the world: (n_frames, 4, 4)."""
    motion = mechanism.motion(np.asarray(x[: mechanism.tree.n_coordinates], float))
    return _frames_in(motion, mechanism.tree.n_frames)


def _frames_in(motion: FloatArray, n_frames: int) -> FloatArray:
    """Return the transforms of `frames_of` that a motion has."""
    frames = np.tile(np.eye(4), (n_frames, 1, 1))
    for f in range(1, n_frames):
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


def _looks(mechanism):
    """Yield what is drawn of the bodies that say it."""
    for body in mechanism.bodies:
        for i, look in enumerate(body.looks):
            frame, name = getattr(mechanism.frames, body.name), f"{body.name}_{i}" if i else body.name
            yield (
                scene.Body(name, look.shape, look.colour, look.opacity),
                lambda frames, f=frame, local=look.pose: frames[f] @ local,
            )


def _boxes(mechanism, size, shaped):
    """Yield the boxes of the other bodies; of those that have a shape, balls that do not hide it."""
    for body in mechanism.bodies:
        if body.mass > 0.0 and not body.looks:
            frame, (sides, axes) = getattr(mechanism.frames, body.name), _box(body)
            sides = np.maximum(sides, THINNEST * size).tolist()
            shape = Sphere(JOINT * size) if body.name in shaped else Box(tuple(sides))
            local = placed(body.centre, axes)
            yield (
                scene.Body(body.name, shape, BODY_COLOUR, OPACITY),
                lambda frames, f=frame, local=local: frames[f] @ local,
            )


def _links(mechanism, size):
    """Yield a link to each joint on a body, and to the centre of mass of what has no other joint, as a last leg.

    A body that looks like something needs none.
    """
    looks = {body.name for body in mechanism.bodies if body.looks}
    carrying = {body.parent for body in mechanism.bodies if np.any(body.joint.place)}
    ends = [(f"{body.name}_link", body.parent, body.joint.place) for body in mechanism.bodies]
    ends += [(f"{body.name}_end", body.name, body.centre) for body in mechanism.bodies if body.name not in carrying]
    for name, body, end in ends:
        place = np.append(np.asarray(end, float), 1.0)
        if place[:3].any() and body not in looks:
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
    """Yield a pin along the axis of each hinge, and balls for other joints."""
    for body in mechanism.bodies:
        if not isinstance(body.joint, Fixed) and (body.parent != WORLD or np.any(body.joint.place)):
            frame, ball = getattr(mechanism.frames, body.name), Sphere(JOINT * size)
            half = JOINT * size * np.asarray(direction(body.name, getattr(body.joint, "axis", "y")))
            hinge = isinstance(body.joint, Revolute)
            yield (
                scene.Body(f"{body.name}_joint", Cylinder(JOINT * size) if hinge else ball, JOINT_COLOUR, kind="joint"),
                (lambda frames, f=frame, half=half: _pin(frames[f], half))
                if hinge
                else (lambda frames, f=frame: placed(frames[f, :3, 3])),
            )


def _pin(frame, half):
    """Return the pose of a pin through the origin of a frame, from -half to half in its axes."""
    along = frame[:3, :3] @ half
    return between(frame[:3, 3] - along, frame[:3, 3] + along)


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
                scene.Body(f"{body.name}_inertia", Sphere(1.0), JOINT_COLOUR, 0.4, kind="inertia"),
                lambda frames, f=frame, local=local: frames[f] @ local,
            )
