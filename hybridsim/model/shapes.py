"""The shapes that bodies have in pictures. Lengths are in metres; no graphics toolkit is involved."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hybridsim.errors import ModelError, explains_keywords


def refuse_invalid_sizes(owner: Any, **sizes: float) -> None:
    """Raise a ModelError for a length that is not positive and finite."""
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise ModelError(f"{type(owner).__name__}: {name} must be a positive number [m], not {size!r}")


@dataclass(frozen=True, slots=True)
class _Sized:
    """Base of the shapes all of whose fields must be positive and finite."""

    def __post_init__(self) -> None:
        refuse_invalid_sizes(self, **{field.name: getattr(self, field.name) for field in fields(self)})


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Sphere(_Sized):
    """A sphere, centred at the origin of the body's frame.

    Parameters
    ----------
    radius : float
        Its radius [m].

    Raises
    ------
    ModelError
        If the radius is not positive and finite.
    """

    radius: float


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Box:
    """A box, centred at the origin of the body's frame.

    Parameters
    ----------
    size : tuple of 3 floats
        Its edges along x, y and z [m].

    Raises
    ------
    ModelError
        If an edge is not positive and finite.
    """

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        x, y, z = self.size
        refuse_invalid_sizes(self, x=x, y=y, z=z)


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Capsule(_Sized):
    """A cylinder along z with round ends, centred at the origin of the body's frame.

    Parameters
    ----------
    radius : float
        The radius of the cylinder and of its ends [m].
    length : float
        The distance between the centres of the ends [m].

    Raises
    ------
    ModelError
        If a length is not positive and finite.
    """

    radius: float
    length: float


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Cylinder(_Sized):
    """A cylinder along z from 0 to 1; the pose of the body stretches it (`between`).

    Parameters
    ----------
    radius : float
        Its radius [m].

    Raises
    ------
    ModelError
        If the radius is not positive and finite.
    """

    radius: float


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Spring(_Sized):
    """A coil spring along z from 0 to 1; the pose of the body stretches it (`between`).

    Parameters
    ----------
    radius : float
        The radius of the coil [m].
    coils : int
        The number of turns.
    wire : float
        The radius of the wire [m]; 0 for an eighth of that of the coil.

    Raises
    ------
    ModelError
        If a size is not positive and finite.
    """

    radius: float
    coils: int = 8
    wire: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "wire", self.wire or self.radius / 8.0)
        _Sized.__post_init__(self)


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Arrow(_Sized):
    """An arrow along z from 0 to its tip at 1; the pose of the body stretches it (`between`).

    Parameters
    ----------
    radius : float
        The radius of its shaft [m].

    Raises
    ------
    ModelError
        If the radius is not positive and finite.
    """

    radius: float


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Cone(_Sized):
    """A cone along z from its tip at 0 to its open end at 1; the pose of the body stretches it.

    Parameters
    ----------
    radius : float
        The radius of its open end [m].

    Raises
    ------
    ModelError
        If the radius is not positive and finite.
    """

    radius: float = 1.0


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Mesh:
    """A surface from a file (.stl, .ply, .obj, .vtp and others), in the body's frame.

    Parameters
    ----------
    file : str or path
        Its absolute path; for a file in the plug-in's folder, `Path(__file__).with_name("hull.stl")`.
    scale : float
        The length of the file's unit [m].

    Raises
    ------
    ModelError
        If the path is relative, or the scale is not positive and finite.
    """

    file: str | os.PathLike[str]
    scale: float = 1.0

    def __post_init__(self) -> None:
        refuse_invalid_sizes(self, scale=self.scale)
        if not Path(self.file).is_absolute():
            name = os.fspath(self.file)
            raise ModelError(f"Mesh: {name!r} is a relative path; write Path(__file__).with_name({name!r})")


Shape = Sphere | Box | Capsule | Cylinder | Spring | Arrow | Cone | Mesh
