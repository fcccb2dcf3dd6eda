"""What a model looks like: bodies with their shapes, a ground, a camera. Knows no graphics toolkit.

The world of all pictures: x forward, y left, z up, right-handed, lengths in metres. A planar model has its height on z.
A scene is drawn once; then, picture by picture, the model's function `poses(T, t, x, p, chart)` says where its bodies
are. It is plain Python. T has shape (n_bodies, 4, 4), one homogeneous transform from a body's own frame to the world
each, and arrives as identities:

    T[HULL] = placed((x[X], 0.0, x[Y]))
    T[LEG] = between(foot, body)
    T[PUSH] = HIDDEN
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.errors import ModelError
from hybridsim.model.source_location import line_of, where
from hybridsim.model.table import Records, check_identifier, nearest
from hybridsim.typing import FloatArray

Vector = Sequence[float] | FloatArray
Height = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""z = height(x, y, p) [m], for arrays x, y [m] of one shape and the parameters p."""

HIDDEN: FloatArray = np.zeros((4, 4))
"""The pose of a body that is not to be seen."""
HIDDEN.flags.writeable = False

KINDS = ("body", "force")
ROUNDING = 1e-9
"""How far the axes of a pose may be from right angles."""
REACH = 11.0
"""How far the ground is drawn, in distances of the camera."""
TRIED = (9, 7)
"""Places along x and y at which the ground is tried."""


def _check_sizes(shape: Any, **sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise ModelError(f"{type(shape).__name__}: {name} must be a positive number [m], not {size!r}")


@dataclass(frozen=True, slots=True)
class Sphere:
    """Centred at the origin of its frame; radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        _check_sizes(self, radius=self.radius)


@dataclass(frozen=True, slots=True)
class Box:
    """Centred at the origin of its frame; size along x, y and z [m]."""

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        x, y, z = self.size
        _check_sizes(self, x=x, y=y, z=z)


@dataclass(frozen=True, slots=True)
class Capsule:
    """A cylinder along z with round ends, centred; length [m] from centre to centre of its ends."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _check_sizes(self, radius=self.radius, length=self.length)


@dataclass(frozen=True, slots=True)
class Cylinder:
    """Along z from 0 to 1, which the pose stretches (`between`); radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        _check_sizes(self, radius=self.radius)


@dataclass(frozen=True, slots=True)
class Spring:
    """A coil along z from 0 to 1, which the pose stretches (`between`).

    radius : of the coil [m]. coils : how many turns. wire : radius of the wire [m]; 0: an eighth of the coil's.
    """

    radius: float
    coils: int = 8
    wire: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "wire", self.wire or self.radius / 8.0)
        _check_sizes(self, radius=self.radius, coils=self.coils, wire=self.wire)


@dataclass(frozen=True, slots=True)
class Arrow:
    """Along z from 0 to its tip at 1, which the pose stretches (`between`); radius of its shaft [m]."""

    radius: float

    def __post_init__(self) -> None:
        _check_sizes(self, radius=self.radius)


@dataclass(frozen=True, slots=True)
class Mesh:
    """A file with a surface (.stl, .ply, .obj, .vtp ...): its path from the root, `Path(__file__).with_name(...)`.

    scale : the length [m] of the file's unit.
    """

    file: str | os.PathLike[str]
    scale: float = 1.0

    def __post_init__(self) -> None:
        _check_sizes(self, scale=self.scale)
        if not Path(self.file).is_absolute():
            name = os.fspath(self.file)
            raise ModelError(f"Mesh: {name!r} is a relative path; write Path(__file__).with_name({name!r})")


Shape = Sphere | Box | Capsule | Cylinder | Spring | Arrow | Mesh


def _check_shape(where: str, shape: Any) -> None:
    if not isinstance(shape, Shape):
        kinds = ", ".join(kind.__name__ for kind in Shape.__args__)
        raise ModelError(f"{where}: expected a shape ({kinds}), found {shape!r}")


def _check_colour(where: str, colour: str) -> None:
    if not (isinstance(colour, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", colour)):
        raise ModelError(f"{where}: a colour is written '#rrggbb', not {colour!r}")


@dataclass(frozen=True, slots=True)
class Body:
    """One thing that is drawn; its place among the scene's bodies is its place in T.

    colour : "#rrggbb". opacity : from 0, not to be seen, to 1. kind : "force" for what shows a force, which the viewer
    can switch off; else "body".
    """

    name: str
    shape: Shape
    colour: str = "#8a97a6"
    opacity: float = 1.0
    kind: str = "body"

    def __post_init__(self) -> None:
        check_identifier("body", self.name)
        where = f"body {self.name!r}"
        _check_shape(where, self.shape)
        _check_colour(where, self.colour)
        if not 0.0 <= self.opacity <= 1.0:
            raise ModelError(f"{where}: opacity must be a number from 0 to 1, not {self.opacity!r}")
        if self.kind not in KINDS:
            raise ModelError(f"{where}: kind must be 'body' or 'force', not {self.kind!r}")


@dataclass(frozen=True, slots=True)
class Ground:
    """A surface with squares in two colours, everywhere.

    height : z [m], or `height(x, y, p) -> z` on numpy arrays, for terrain. checker : side of the squares [m].
    """

    height: float | Height = 0.0
    checker: float = 1.0
    colours: tuple[str, str] = ("#e9e6df", "#b9c2c9")

    def __post_init__(self) -> None:
        _check_sizes(self, checker=self.checker)
        for colour in self.colours:
            _check_colour("ground", colour)
        if not (callable(self.height) or math.isfinite(self.height)):
            raise ModelError(f"ground: height must be a finite number [m] or a function, not {self.height!r}")

    def at(self, x: FloatArray, y: FloatArray, p: FloatArray) -> FloatArray:
        """The height z [m] at places x, y [m], of their shape.

        Raises
        ------
        ModelError : the function fails, or what it returns is not a finite number for each place, or one for all.
        """
        if not callable(self.height):
            return np.full(np.shape(x), float(self.height))
        try:
            z = np.asarray(self.height(x, y, p), float)
        except Exception as problem:
            line = line_of(problem, self.height)
            raise ModelError(f"{line}: in the height of the ground: {type(problem).__name__}: {problem}") from problem
        if z.ndim and z.shape != np.shape(x):
            raise ModelError(
                f"{where(self.height)}, the height of the ground, returns an array of shape {z.shape} for places of "
                f"shape {np.shape(x)}; expected one z for each place, or one number for all"
            )
        z = np.array(np.broadcast_to(z, np.shape(x)))
        wrong = np.flatnonzero(~np.isfinite(z))
        if wrong.size:
            first = wrong[0]
            raise ModelError(
                f"{where(self.height)}, the height of the ground, is {z.flat[first]} at x = {x.flat[first]:.6g} m, "
                f"y = {y.flat[first]:.6g} m; expected finite numbers [m] everywhere"
            )
        return z


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the picture is taken from.

    Parameters
    ----------
    follow : the body that stays in the picture; "" for a camera that stands still.
    along : the axes in which the camera goes with it, some of "xyz".
    at : the point looked at [m]; in the axes followed, counted from the body.
    distance : from the eye to that point [m].
    view : the direction of sight in the world, of any length; (0, 1, 0) has x to the right and z up.
    """

    follow: str = ""
    along: str = "x"
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 5.0
    view: tuple[float, float, float] = (0.3, 1.0, -0.2)

    def __post_init__(self) -> None:
        _check_sizes(self, distance=self.distance)
        if not self.along or set(self.along) - set("xyz"):
            raise ModelError(f"camera: along must be made of 'x', 'y' and 'z', not {self.along!r}")
        for name in ("at", "view"):
            if not (len(getattr(self, name)) == 3 and all(map(math.isfinite, getattr(self, name)))):
                raise ModelError(f"camera: {name} must be three finite numbers, not {getattr(self, name)!r}")
        if not any(self.view):
            raise ModelError("camera: view must be a direction, not (0, 0, 0)")

    def focus(self, position: Vector) -> FloatArray:
        """The point looked at, (3,) [m], when the body that is followed is at this position [m]."""
        follows = np.array([bool(self.follow) and axis in self.along for axis in "xyz"])
        return np.asarray(self.at, float) + np.where(follows, position, 0.0)

    def eye(self, position: Vector) -> FloatArray:
        """Where the picture is taken from, (3,) [m]."""
        view = np.asarray(self.view, float)
        return self.focus(position) - self.distance / math.sqrt(view @ view) * view


def _bodies(rows: Iterable[Body]) -> Records[Body]:
    for row in rows:
        if not isinstance(row, Body):
            raise ModelError(f"bodies: expected Body records, found {row!r}")
    return Records(*rows)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to see of a model.

    Parameters
    ----------
    bodies : in the order of T.
    ground : None where there is none.
    outputs : names of outputs (of states, where the model has no outputs) shown as numbers and curves at first.

    Raises
    ------
    ModelError : two bodies of one name, or a camera that follows none of them.
    """

    bodies: Records[Body]
    ground: Ground | None = field(default_factory=Ground)
    camera: Camera = field(default_factory=Camera)
    outputs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", _bodies(tuple(self.bodies)))
        object.__setattr__(self, "outputs", tuple(self.outputs))
        followed, names = self.camera.follow, self.bodies.names
        if not names:
            raise ModelError("scene: bodies: there are none; give at least one Body")
        if followed and followed not in names:
            raise ModelError(
                f"scene: the camera follows {followed!r}, which is no body{nearest(followed, names)}; "
                f"give one of {', '.join(names)}, or '' for a camera that stands still"
            )


def identities(n: int) -> FloatArray:
    """What `poses` finds in T before it writes: (n, 4, 4)."""
    poses = np.zeros((n, 4, 4))
    poses[:, (0, 1, 2, 3), (0, 1, 2, 3)] = 1.0
    return poses


def placed(position: Vector, rotation: FloatArray | None = None, scale: float | Vector = 1.0) -> FloatArray:
    """The pose of a body at a position (3,) [m] in the world.

    rotation : (3, 3), from the body's frame to the world (`turn`). scale : how much larger it is drawn, altogether or
    along its own x, y and z.
    """
    pose = np.zeros((4, 4))
    pose[0, 0] = pose[1, 1] = pose[2, 2] = pose[3, 3] = 1.0
    if rotation is not None:
        pose[:3, :3] = rotation
    if not (isinstance(scale, float) and scale == 1.0):
        pose[:3, :3] *= scale
    pose[0, 3], pose[1, 3], pose[2, 3] = position
    return pose


def turn(axis: Vector, angle: float) -> FloatArray:
    """The rotation (3, 3) by an angle [rad] about an axis, right-handed (Rodrigues)."""
    x, y, z = (float(part) for part in axis)
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(angle), math.sin(angle)
    d = 1.0 - c
    return np.array(
        [
            [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
            [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
            [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
        ]
    )


def between(a: Vector, b: Vector) -> FloatArray:
    """The pose that takes the unit segment of z to the one from a to b [m]; x and y keep their lengths.

    The body's y stays as near to the world's as it can, so that nothing spins in a planar model. HIDDEN where a = b.
    """
    ax, ay, az = (float(part) for part in a)
    dx, dy, dz = float(b[0]) - ax, float(b[1]) - ay, float(b[2]) - az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length == 0.0:
        return HIDDEN
    ex, ey, ez = dx / length, dy / length, dz / length
    across = math.sqrt(ex * ex + ez * ez)
    # x = y_world x e; of a segment along y, any x will do.
    xx, xz = (ez / across, -ex / across) if across > ROUNDING else (1.0, 0.0)
    return np.array(
        [
            [xx, ey * xz, dx, ax],
            [0.0, ez * xx - ex * xz, dy, ay],
            [xz, -ey * xx, dz, az],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def try_ground(scene: Scene, p: FloatArray, focus: Vector = (0.0, 0.0, 0.0)) -> None:
    """Ask for the ground's height as far as it is drawn around a point looked at (3,) [m].

    Raises
    ------
    ModelError : it has none somewhere.
    """
    if scene.ground is not None:
        reach = REACH * scene.camera.distance
        lines = (focus[axis] + np.linspace(-reach, reach, TRIED[axis]) for axis in (0, 1))
        x, y = np.meshgrid(*lines, indexing="ij")
        scene.ground.at(x, y, p)


def faults(scene: Scene, poses: FloatArray) -> Iterator[str]:
    """What is wrong with poses (n_bodies, 4, 4), one message for each body: neither hidden nor a body in its place.

    A pose turns, moves and stretches along the body's own axes; it does not shear, mirror or flatten.
    """
    for body, pose in zip(scene.bodies, poses, strict=True):
        if not np.isfinite(pose).all():
            yield f"the pose of {body.name} is not finite; expected numbers (HIDDEN for a body that is not there)"
        elif pose.any() and not _is_in_place(pose):
            yield (
                f"the pose of {body.name} is no transform of a body: {pose.tolist()}; expected right angles between "
                "the first three columns, right-handed, and (0, 0, 0, 1) below (use `placed`, `between` or HIDDEN)"
            )


def _is_in_place(pose: FloatArray) -> bool:
    axes, below = pose[:3, :3], pose[3]
    lengths = np.sqrt((axes * axes).sum(axis=0))
    if not lengths.all() or (below != (0.0, 0.0, 0.0, 1.0)).any():
        return False
    rotation = axes / lengths
    return bool(np.abs(rotation.T @ rotation - np.eye(3)).max() < ROUNDING and np.linalg.det(rotation) > 0.0)
