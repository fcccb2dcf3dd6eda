"""From the bodies that a person describes to elementary frames: each has one joint of a kind in `tree.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsim.errors import ModelError, nearest
from hybridsim.model.table import refuse_invalid_identifier
from hybridsim.multibody import tree
from hybridsim.multibody.joints import (
    WORLD,
    Body,
    Compound,
    Fixed,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    direction,
    turn_of,
)
from hybridsim.typing import FloatArray

QUATERNION = ("qw", "qx", "qy", "qz")
ANGULAR_VELOCITY = ("wx", "wy", "wz")

NO_AXIS = (1.0, 0.0, 0.0)
"""What the constants of a joint without an axis contain."""

SPRING = ("stiffness", "rest", "damping", "lower", "upper", "armature")
"""The constants of a joint, in the order of their indices in `tree`."""


@dataclass(frozen=True)
class Coordinate:
    """One generalised coordinate or speed: its name, unit and value of rest."""

    name: str
    unit: str
    rest: float = 0.0


@dataclass(frozen=True)
class ElementaryFrame:
    """An elementary frame.

    Attributes
    ----------
    name, parent : str
        Names of this frame and of its parent.
    kind : int
        FIXED, REVOLUTE, PRISMATIC or SPHERICAL of `tree`.
    joint : Joint
        Where the joint lies in the parent's frame, and its spring.
    axis : three floats
        Direction of the joint in its frame.
    coordinates, speeds : tuple of Coordinate
        Those of the joint.
    body : Body or None
        The body that moves with the frame; None for a massless one.
    """

    name: str
    parent: str
    kind: int
    joint: Joint
    axis: tuple[float, float, float]
    coordinates: tuple[Coordinate, ...]
    speeds: tuple[Coordinate, ...]
    body: Body | None


def expand(bodies: Sequence[Body]) -> tuple[ElementaryFrame, ...]:
    """Return the elementary frames of bodies, parents first.

    Raises
    ------
    ModelError
        If names repeat, a parent does not exist, or bodies are each other's parents.
    """
    ordered = _parents_first(bodies)
    frames = tuple(frame for body in ordered for frame in _frames_of(body))
    massless = [frame.name for frame in frames if frame.body is None]
    _refuse_repeated("body", [*(body.name for body in bodies), *massless], massless)
    _refuse_repeated("coordinate", [each.name for frame in frames for each in frame.coordinates])
    _refuse_repeated("speed", [each.name for frame in frames for each in frame.speeds])
    return frames


def _refuse_repeated(what: str, names: Sequence[str], massless: Sequence[str] = ()) -> None:
    """Raise a ModelError for a name that is no identifier or occurs twice."""
    for name in names:
        refuse_invalid_identifier(what, name)
        if names.count(name) > 1:
            made = " (a joint of several parts adds massless bodies with such names)" if name in massless else ""
            raise ModelError(f"{what} {name!r} occurs twice; names must be unique{made}")


def _parents_first(bodies: Sequence[Body]) -> list[Body]:
    """Order the bodies so that parents come first; otherwise in the order given."""
    known = {body.name for body in bodies}
    for body in bodies:
        if body.name == WORLD:
            raise ModelError(f"a body cannot be called {WORLD!r}, which is the ground")
        if body.parent != WORLD and body.parent not in known:
            raise ModelError(
                f"body {body.name!r}: its parent {body.parent!r} is not a body of this mechanism"
                f"{nearest(body.parent, [*known, WORLD])}; the ground is {WORLD!r}"
            )
    placed: dict[str, Body] = {}
    waiting = list(bodies)
    while waiting:
        before = len(placed)
        for body in waiting:
            if body.parent == WORLD or body.parent in placed:
                placed[body.name] = body
        if len(placed) == before:
            loop = ", ".join(repr(body.name) for body in waiting)
            raise ModelError(
                f"bodies {loop} form a loop: none of them has {WORLD!r} as an ancestor. Cut the loop at one joint, and "
                "close it with constraint rows (`joining_rows`)"
            )
        waiting = [body for body in waiting if body.name not in placed]
    return list(placed.values())


def _frames_of(body: Body) -> Iterator[ElementaryFrame]:
    """Yield the frames of a body: the last one is its own, massless ones come before."""
    joint = body.joint
    if isinstance(joint, Fixed):
        yield ElementaryFrame(body.name, body.parent, tree.FIXED, joint, NO_AXIS, (), (), body)
    elif isinstance(joint, Revolute | Prismatic):
        yield _sliding_or_turning(body, joint)
    elif isinstance(joint, Spherical):
        yield _turning_in_all_directions(body, joint)
    elif isinstance(joint, Compound | Planar | Free):
        yield from _frames_of_several(body, joint)


def _frames_of_several(body: Body, joint: Compound | Planar | Free) -> Iterator[ElementaryFrame]:
    """Yield the frames of a body with several joints: massless ones, and the body's own for the last joint."""
    joints = joint.joints if isinstance(joint, Compound) else _parts_of(body.name, joint)
    parent = body.parent
    if joint.turn is not None or any(joint.place):
        parent = f"{body.name}_start"
        yield ElementaryFrame(parent, body.parent, tree.FIXED, joint, NO_AXIS, (), (), None)
    for number, part in enumerate(joints, 1):
        last = number == len(joints)
        name = body.name if last else f"{body.name}_{number}"
        (frame,) = _frames_of(Body(name, part, parent))
        yield replace(frame, body=body if last else None)
        parent = name


def _parts_of(body: str, joint: Planar | Free) -> tuple[Joint, ...]:
    """Return the joints that a planar or free joint is made of."""
    name = joint.name
    if isinstance(joint, Free):
        return (*(Prismatic(f"{name}_{letter}", letter) for letter in "xyz"), Spherical(name))
    if joint.normal not in ("x", "y", "z"):
        raise ModelError(f"body {body!r}: the normal of a planar joint is 'x', 'y' or 'z', not {joint.normal!r}")
    across = "xyz".replace(joint.normal, "")
    slides = (Prismatic(f"{name}_{letter}", letter) for letter in across)
    return (*slides, Revolute(f"{name}_angle", joint.normal))


def _sliding_or_turning(body: Body, joint: Revolute | Prismatic) -> ElementaryFrame:
    kind, unit = (tree.PRISMATIC, "m") if isinstance(joint, Prismatic) else (tree.REVOLUTE, "rad")
    axis = direction(f"body {body.name!r}", joint.axis)
    value, speed = Coordinate(joint.name, unit), Coordinate(f"{joint.name}dot", f"{unit}/s")
    return ElementaryFrame(body.name, body.parent, kind, joint, axis, (value,), (speed,), body)


def _turning_in_all_directions(body: Body, joint: Spherical) -> ElementaryFrame:
    values = tuple(Coordinate(f"{joint.name}_{part}", "", float(part == "qw")) for part in QUATERNION)
    speeds = tuple(Coordinate(f"{joint.name}_{part}", "rad/s") for part in ANGULAR_VELOCITY)
    return ElementaryFrame(body.name, body.parent, tree.SPHERICAL, joint, NO_AXIS, values, speeds, body)


def tree_of(frames: Sequence[ElementaryFrame]) -> tree.Tree:
    """Return the tree of these frames; frame 0 is the world."""
    number = {WORLD: 0} | {frame.name: index for index, frame in enumerate(frames, 1)}
    turned = [not np.array_equal(turn_of(frame.name, frame.joint), np.eye(3)) for frame in frames]
    return tree.Tree(
        n_frames=len(frames) + 1,
        n_coordinates=sum(len(frame.coordinates) for frame in frames),
        n_speeds=sum(len(frame.speeds) for frame in frames),
        parent=_integers([number[frame.parent] for frame in frames]),
        kind=_integers([frame.kind for frame in frames]),
        coordinate=_firsts([len(frame.coordinates) for frame in frames]),
        speed=_firsts([len(frame.speeds) for frame in frames]),
        turned=_integers([int(each) for each in turned]),
        heavy=_integers([int(frame.body is not None) for frame in frames]),
    )


def _integers(values: Sequence[int]) -> np.ndarray:
    return np.array([0, *values], np.int64)


def _firsts(counts: Sequence[int]) -> np.ndarray:
    """Return where each one's entries begin if they stand one after the other; the world has none."""
    return np.concatenate(([0], np.cumsum([0, *counts[:-1]]))).astype(np.int64)[: len(counts) + 1]


def constants_of(frames: Sequence[ElementaryFrame]) -> FloatArray:
    """Return the array `data` of these frames: BODY_SIZE numbers for each frame, SPRING_SIZE numbers for each speed."""
    bodies = np.zeros((len(frames) + 1, tree.BODY_SIZE))
    springs: list[list[float]] = []
    for frame, row in zip(frames, bodies[1:], strict=True):
        row[tree.PLACE : tree.PLACE + 3] = frame.joint.place
        row[tree.TURN : tree.TURN + 9] = turn_of(f"body {frame.name!r}", frame.joint).T.ravel()
        row[tree.AXIS : tree.AXIS + 3] = frame.axis
        if frame.body is not None:
            inertia = frame.body.inertia_matrix()
            row[tree.MASS], row[tree.CENTRE : tree.CENTRE + 3] = frame.body.mass, frame.body.centre
            row[tree.INERTIA : tree.INERTIA + 6] = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
        springs += [_spring_of(frame.joint) for _ in frame.speeds]
    return np.concatenate((bodies.ravel(), np.ravel(springs)))


def _spring_of(joint: Joint) -> list[float]:
    """Return the constants of a joint; one that has none is as free as a revolute one."""
    return [float(getattr(joint, name, getattr(Revolute, name))) for name in SPRING]
