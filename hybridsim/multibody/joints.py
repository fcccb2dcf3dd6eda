"""Bodies and joints, as a person describes a mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.table import refuse_invalid_identifier
from hybridsim.multibody.looks import Look

Triple = Sequence[float]

DIRECTIONS: dict[str, tuple[float, float, float]] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
"""Names of directions."""

WORLD = "world"
"""The parent of a body whose joint is fixed to the ground."""

LARGEST_SKEWNESS = 1e-9
"""Deviation from orthogonality up to which nine numbers are a rotation matrix."""

INERTIA_TOLERANCE = 1e-9
"""Relative error up to which an inertia that breaks the triangle inequality is rounding: a flat body obeys it just."""


def triple(what: str, values: object) -> tuple[float, float, float]:
    """Return three finite numbers; `what` is named if they are something else."""
    try:
        numbers = tuple(float(value) for value in values)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != 3 or isinstance(values, str) or not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what}: expected three finite numbers, found {values!r}")
    return numbers[0], numbers[1], numbers[2]


def number(what: str, value: object, finite: bool = True) -> float:
    """Return a number; `what` is named if the value is something else, or infinite where it must be finite."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = math.nan
    if isinstance(value, str) or math.isnan(found) or (finite and math.isinf(found)):
        raise ModelError(f"{what}: expected a {'finite ' if finite else ''}number, found {value!r}")
    return found


def direction(what: str, axis: object) -> tuple[float, float, float]:
    """Return a vector of length 1 from a name or three numbers."""
    if isinstance(axis, str):
        if axis not in DIRECTIONS:
            raise ModelError(f"{what}: the axis {axis!r} is unknown; give one of {', '.join(DIRECTIONS)}, or a vector")
        return DIRECTIONS[axis]
    x, y, z = triple(f"{what}: axis", axis)
    length = math.sqrt(x * x + y * y + z * z)
    if length == 0.0:
        raise ModelError(f"{what}: the axis is a vector of length 0; give its direction")
    return x / length, y / length, z / length


@explain_arguments
@dataclass(frozen=True, kw_only=True)
class Joint:
    """What all joints have in common.

    Parameters
    ----------
    place : three floats
        Where the joint lies in the frame of the parent, at q = 0 the origin of the body [m].
    turn : (3, 3) array, optional
        Axes of the joint's frame, as columns in the frame of the parent; those of the parent if not given.
    """

    place: Triple = (0.0, 0.0, 0.0)
    turn: Sequence[Sequence[float]] | None = None


@explain_arguments
@dataclass(frozen=True)
class Fixed(Joint):
    """The body is fixed to its parent."""


@explain_arguments
@dataclass(frozen=True)
class Revolute(Joint):
    """The body turns about an axis: one angle.

    Parameters
    ----------
    name : str
        Name of the angle [rad]; its rate is called name + "dot".
    axis : str or three floats
        "x", "y", "z", "-x", "-y", "-z", or a vector in the joint's frame.
    stiffness, rest, damping : float
        The joint drives back with stiffness (q - rest) + damping u [N m/rad, rad, N m s/rad].
    lower, upper : float
        Limits of the angle [rad]. Nothing enforces them: `lower_margin` and `upper_margin` are boundary functions.
    armature : float
        Inertia of a motor's rotor, times its gear ratio squared [kg m^2]: it resists the rate of the angle alone.
    """

    name: str
    axis: str | Triple = "y"
    stiffness: float = field(default=0.0, kw_only=True)
    rest: float = field(default=0.0, kw_only=True)
    damping: float = field(default=0.0, kw_only=True)
    lower: float = field(default=-math.inf, kw_only=True)
    upper: float = field(default=math.inf, kw_only=True)
    armature: float = field(default=0.0, kw_only=True)


@explain_arguments
@dataclass(frozen=True)
class Prismatic(Joint):
    """The body slides along an axis: one displacement.

    Parameters
    ----------
    name : str
        Name of the displacement [m]; its rate is called name + "dot".
    axis : str or three floats
        As of `Revolute`.
    stiffness, rest, damping : float
        As of `Revolute` [N/m, m, N s/m].
    lower, upper, armature : float
        As of `Revolute` [m, kg].
    """

    name: str
    axis: str | Triple = "x"
    stiffness: float = field(default=0.0, kw_only=True)
    rest: float = field(default=0.0, kw_only=True)
    damping: float = field(default=0.0, kw_only=True)
    lower: float = field(default=-math.inf, kw_only=True)
    upper: float = field(default=math.inf, kw_only=True)
    armature: float = field(default=0.0, kw_only=True)


@explain_arguments
@dataclass(frozen=True)
class Spherical(Joint):
    """The body turns about a point in all directions: a quaternion and three speeds.

    Parameters
    ----------
    name : str
        The coordinates are name + "_qw", "_qx", "_qy", "_qz": a quaternion with the real part first, whose length does
        not matter. The speeds name + "_wx", "_wy", "_wz" are the angular velocity relative to the parent, along the
        body's axes [rad/s].
    damping : float
        A torque of -damping times each speed acts on the body [N m s/rad].
    """

    name: str
    damping: float = field(default=0.0, kw_only=True)


@explain_arguments
@dataclass(frozen=True)
class Planar(Joint):
    """The body moves in a plane: two displacements in it, and an angle.

    Parameters
    ----------
    name : str
        For the normal "y", the coordinates are name + "_x", "_z" [m] and "_angle" [rad], turning about the normal;
        their rates end in "dot".
    normal : str
        "x", "y" or "z".
    """

    name: str
    normal: str = "y"


@explain_arguments
@dataclass(frozen=True)
class Free(Joint):
    """The body moves freely: three displacements along the parent's axes, and a quaternion.

    Parameters
    ----------
    name : str
        The coordinates are name + "_x", "_y", "_z" [m], with rates that end in "dot", and those of `Spherical`.
    """

    name: str


@explain_arguments
@dataclass(frozen=True)
class Compound(Joint):
    """The body moves by several joints, one after the other: each is fixed to what the one before it moves.

    Parameters
    ----------
    joints : sequence of Revolute, Prismatic or Spherical
        The joints from the parent to the body; a universal joint is Compound((Revolute("a", "x"), Revolute("b", "y"))).
        Each may have its own place and turn.

    Raises
    ------
    ModelError
        If there is none, or one is of another kind.
    """

    joints: Sequence[Joint]

    def __post_init__(self) -> None:
        given: object = self.joints
        joints = given if isinstance(given, Sequence) else ()
        if not joints or not all(isinstance(each, Revolute | Prismatic | Spherical) for each in joints):
            raise ModelError(
                f"a compound joint is made of Revolute, Prismatic and Spherical joints, not of {self.joints!r}"
            )


@explains_keywords()
@explain_arguments
@dataclass(frozen=True)
class Body:
    """A rigid body, with the joint that connects it to its parent.

    Parameters
    ----------
    name : str
        An identifier, unique in the mechanism.
    joint : Fixed, Revolute, Prismatic, Spherical, Planar, Free or Compound
        The joint; the origin of the body's frame lies in it.
    parent : str
        Name of the body that the joint is fixed to; "world" for the ground.
    mass : float
        Its mass [kg].
    centre : three floats
        Its centre of mass in its own frame [m].
    inertia : three floats, six floats or (3, 3) array
        Moments of inertia about the centre of mass along the body's axes; (xx, yy, zz), or (xx, yy, zz, xy, xz, yz),
        or the whole matrix [kg m^2].
    looks : sequence of Look
        What is drawn of it; the box that has its mass and moments of inertia if there is nothing.

    Raises
    ------
    ModelError
        If a value is not physical: a negative mass, or moments of inertia that no distribution of mass has.
    """

    name: str
    joint: Joint
    parent: str = WORLD
    mass: float = 0.0
    centre: Triple = (0.0, 0.0, 0.0)
    inertia: Sequence[float] | Sequence[Sequence[float]] = (0.0, 0.0, 0.0)
    looks: Sequence[Look] = ()

    def __post_init__(self) -> None:
        refuse_invalid_identifier("body", self.name)
        where = f"body {self.name!r}"
        if self.name.startswith("_"):
            raise ModelError(f"{where}: its name begins with an underscore and cannot be a named index; rename it")
        parent: object = self.parent
        if not isinstance(parent, str):
            raise ModelError(f"{where}: its parent must be the name of a body, or {WORLD!r}, not {parent!r}")
        joint: object = self.joint
        if not isinstance(joint, Joint) or type(joint) is Joint:
            kinds = ", ".join(kind.__name__ for kind in Joint.__subclasses__())
            raise ModelError(f"{where}: its joint must be one of {kinds}, not {joint!r}")
        if number(f"{where}: mass", self.mass) < 0.0:
            raise ModelError(f"{where}: the mass {self.mass!r} must be a finite number, at least 0 kg")
        triple(f"{where}: centre", self.centre)
        _refuse_invalid_joint(where, joint)
        refuse_unphysical(where, self.inertia_matrix())

    def inertia_matrix(self) -> np.ndarray:
        """Return the inertia about the centre of mass along the body's axes, (3, 3) [kg m^2]."""
        try:
            given = np.asarray(self.inertia, float)
        except (TypeError, ValueError):
            given = np.zeros(0)
        if given.shape == (3,):
            return np.diag(given)
        if given.shape == (6,):
            return symmetric(*given)
        if given.shape == (3, 3) and np.abs(given - given.T).max() <= INERTIA_TOLERANCE * np.abs(given).max():
            return 0.5 * (given + given.T)
        raise ModelError(
            f"body {self.name!r}: the inertia must be (xx, yy, zz), (xx, yy, zz, xy, xz, yz) or a symmetric 3 x 3 "
            f"matrix, not {self.inertia!r}"
        )


def symmetric(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> np.ndarray:
    """Return the symmetric matrix of these components."""
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _refuse_invalid_joint(where: str, joint: Joint) -> None:
    """Raise a ModelError unless the numbers of a joint are what they must be."""
    triple(f"{where}: place of the joint", joint.place)
    turn_of(where, joint)
    for name in ("stiffness", "rest", "damping"):
        number(f"{where}: {name} of the joint", getattr(joint, name, 0.0))
    if isinstance(joint, Revolute | Prismatic):
        if number(f"{where}: armature of the joint", joint.armature) < 0.0:
            raise ModelError(f"{where}: the armature {joint.armature!r} of the joint must be at least 0")
        ends = {"lower": joint.lower, "upper": joint.upper}
        lower, upper = (number(f"{where}: {key} limit of the joint", end, finite=False) for key, end in ends.items())
        if lower > upper:
            raise ModelError(f"{where}: the lower limit of the joint, {lower:g}, is above the upper one, {upper:g}")


def refuse_unphysical(where: str, inertia: np.ndarray) -> None:
    """Raise a ModelError unless some distribution of mass has these moments of inertia."""
    if not np.all(np.isfinite(inertia)):
        raise ModelError(f"{where}: its moments of inertia must be finite numbers")
    smallest, middle, largest = np.linalg.eigvalsh(inertia)
    margin = INERTIA_TOLERANCE * max(abs(smallest), largest)
    if smallest < -margin or largest > smallest + middle + margin:
        raise ModelError(
            f"{where}: no body has the principal moments of inertia {smallest:g}, {middle:g}, {largest:g} "
            "kg m^2: none may be negative, and none larger than the sum of the other two"
        )


def turn_of(what: str, joint: Joint) -> np.ndarray:
    """Return the axes of a joint's frame in the frame of its parent, as columns of a rotation matrix."""
    if joint.turn is None:
        return np.eye(3)
    try:
        turn = np.asarray(joint.turn, float)
    except (TypeError, ValueError):
        turn = np.zeros(0)
    right = turn.shape == (3, 3) and np.abs(turn.T @ turn - np.eye(3)).max() < LARGEST_SKEWNESS
    if not right or np.linalg.det(turn) < 0.0:
        raise ModelError(f"{what}: `turn` must be a rotation matrix, whose columns are orthogonal unit vectors")
    return turn
