"""What a person says of contacts, joints and loops: planes, patches, coefficients; and what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.table import refuse_invalid_identifier
from hybridsim.multibody.joints import WORLD, number, triple
from hybridsim.typing import Function


@explain_arguments
@dataclass(frozen=True, slots=True)
class Plane:
    """A plane, of the world or of a body; what is on the side of its normal is free.

    Parameters
    ----------
    name : str
        An identifier; `NAME_x`, `NAME_z` and `NAME_slope` become parameters, in space `NAME_heading`, too.
    x, z : float
        One of its points [m].
    slope : float
        Angle from the x axis to the plane's tangent, positive where the plane rises along x [rad]. The normal is the
        tangent turned by a right angle upwards: pi/2 is a wall that faces -x, -pi/2 one that faces +x.
    heading : float
        Of contacts in space, the angle about z from the x axis to the direction in which the plane rises [rad].
    """

    name: str = "ground"
    x: float = 0.0
    z: float = 0.0
    slope: float = 0.0
    heading: float = 0.0

    def __post_init__(self) -> None:
        refuse_invalid_identifier("plane", self.name)
        for key in ("x", "z", "slope", "heading"):
            number(f"plane {self.name!r}: {key}", getattr(self, key))


GROUND = Plane()
"""The plane z = 0."""


@explain_arguments
@dataclass(frozen=True, slots=True)
class Circle(Plane):
    """A circle in the x-z plane, of the world or of a body, on which points and disks of other bodies move.

    Parameters
    ----------
    name : str
        An identifier; `NAME_x`, `NAME_z` and `NAME_radius` become parameters.
    x, z : float
        Its centre [m].
    slope, heading
        Leave them out.
    radius : float
        Its radius [m].
    hollow : bool
        Whether the inside is free, as of a drum, and not the outside.
    """

    radius: float = 0.0
    hollow: bool = False

    def __post_init__(self) -> None:
        Plane.__post_init__(self)
        if self.slope != 0.0 or self.heading != 0.0:
            raise ModelError(f"circle {self.name!r}: leave out slope and heading, which planes have")
        if not number(f"circle {self.name!r}: radius", self.radius) > 0.0:
            raise ModelError(f"circle {self.name!r}: radius must be greater than 0, not {self.radius!r}")
        if not isinstance(self.hollow, bool):
            raise ModelError(f"circle {self.name!r}: hollow is true or false, not {self.hollow!r}")


@explains_keywords()
@dataclass(frozen=True, kw_only=True)
class Contact:
    """What all contacts have in common.

    Parameters
    ----------
    friction : float or mapping
        Coefficient of Coulomb's friction, or `{"static": ..., "kinetic": ...}`.
    restitution : float
        Speed after an impact / before, along the normal; 0 for none.
    passes : str, optional
        Another contact: from where this one opens behind it on, it is ignored, wherever it is, until it is ahead along
        the plane's tangent and above its plane. So swings the foot of a straight leg.
    stiffness, damping : float, optional
        Of a soft contact, each of whose points is a spring with a damper [N/m, N s/m]; it has no restitution.
    tangential : mapping, optional
        `{"stiffness": ..., "damping": ...}` of the spring along the plane that friction of a soft contact stretches
        [N/m, N s/m]; without it there is no friction.
    """

    friction: float | Mapping[str, float] = 0.0
    restitution: float = 0.0
    passes: str | None = None
    stiffness: float | None = None
    damping: float = 0.0
    tangential: Mapping[str, float] | None = None

    @property
    def is_soft(self) -> bool:
        """Whether its points are springs."""
        return self.stiffness is not None

    @property
    def coefficients(self) -> tuple[float, float]:
        """Static and kinetic friction."""
        return friction_coefficients(f"contact {self.name!r}: friction", self.friction)  # type: ignore[attr-defined]

    def _check(self, where: str) -> None:
        friction_coefficients(f"{where}: friction", self.friction)
        refuse_restitution(where, self.restitution)
        refuse_soft(where, self)


def refuse_springs(where: str, soft: Any) -> None:
    """Raise a ModelError unless a contact or a stop is hard, or has a spring and a damper instead of restitution."""
    if not soft.is_soft and soft.damping != 0.0:
        raise ModelError(f"{where}: damping is that of a soft one; give its stiffness, too")
    if not soft.is_soft:
        return
    if soft.restitution != 0.0:
        raise ModelError(f"{where}: a soft one has damping instead of restitution; leave out one of them")
    if not number(f"{where}: stiffness", soft.stiffness) > 0.0:
        raise ModelError(f"{where}: stiffness must be greater than 0, not {soft.stiffness!r}")
    if not number(f"{where}: damping", soft.damping) >= 0.0:
        raise ModelError(f"{where}: damping must not be less than 0, not {soft.damping!r}")


def refuse_soft(where: str, contact: Contact) -> None:
    """Raise a ModelError unless a contact is hard, or has springs and dampers and nothing of a hard one."""
    refuse_springs(where, contact)
    along = contact.tangential
    if not contact.is_soft and along is not None:
        raise ModelError(f"{where}: tangential is that of a soft contact; give its stiffness, too")
    if contact.is_soft and getattr(contact, "lever", None) is not None:
        raise ModelError(f"{where}: a soft contact has no lever")
    if contact.is_soft and along is None and contact.coefficients[0] > 0.0:
        raise ModelError(f"{where}: friction of a soft contact needs tangential: {{stiffness: ..., damping: ...}}")
    if along is not None and not (isinstance(along, Mapping) and set(along) == {"stiffness", "damping"}):
        raise ModelError(f"{where}: tangential: expected a mapping of stiffness and damping, found {along!r}")
    for key, size in (along or {}).items():
        if not number(f"{where}: tangential: {key}", size) > 0.0:
            raise ModelError(f"{where}: tangential: {key} must be greater than 0, not {size!r}")


def friction_coefficients(where: str, friction: float | Mapping[str, float]) -> tuple[float, float]:
    """Return static and kinetic friction.

    Raises
    ------
    ModelError
        If they are not 0 <= kinetic <= static.
    """
    if isinstance(friction, Mapping) and set(friction) != {"static", "kinetic"}:
        raise ModelError(f"{where} is a number, or has `static` and `kinetic`, not {friction!r}")
    given = (friction["static"], friction["kinetic"]) if isinstance(friction, Mapping) else (friction, friction)
    static, kinetic = (number(where, value) for value in given)
    if not 0.0 <= kinetic <= static:
        raise ModelError(f"{where} must be 0 <= kinetic <= static, not {kinetic!r} and {static!r}")
    return static, kinetic


def point_names(contact: Any) -> list[str]:
    """Return the names of the points of a contact."""
    return [contact.name] if contact.n_points == 1 else [f"{contact.name}{i}" for i in range(contact.n_points)]


def refuse_restitution(where: str, restitution: float) -> None:
    """Raise a ModelError unless a restitution is between 0 and 1."""
    if not 0.0 <= number(f"{where}: restitution", restitution) <= 1.0:
        raise ModelError(f"{where}: restitution must be 0..1, not {restitution!r}")


@dataclass(frozen=True)
class Patch(Contact):
    """Points of one body that meet one plane: a foot's toe and heel, the corners of a box, or a single point.

    Parameters
    ----------
    name : str
        An identifier.
    body : str
        The body.
    points : sequence of three floats each
        In the frame of the body [m]: those that are down hold or slip together. In the plane they are along a line; in
        space they are the corners of a flat sole, in their order around it, and the centre of pressure is within its
        edges. Corners of a convex body that can come down on different sides are patches of their own.
    plane : Plane
        The plane that they meet.
    on : str
        The body that the plane is fixed to, in whose frame it is given.
    lever : float, optional
        Of several points in space, the lever of friction about the normal, at each of them [m]; half the mean distance
        of the points from their middle, if not given. `NAME_lever` becomes a parameter.
    friction, restitution, passes, stiffness, damping, tangential
        As of `Contact`.
    """

    name: str
    body: str
    points: Sequence[Sequence[float]] = field(default=((0.0, 0.0, 0.0),))
    plane: Plane = GROUND
    on: str = WORLD
    lever: float | None = None

    def __post_init__(self) -> None:
        refuse_invalid_identifier("contact", self.name)
        where = f"contact {self.name!r}"
        self._check(where)
        if not isinstance(self.points, Iterable):
            raise ModelError(f"{where}: points: expected a list of points, found {self.points!r}")
        object.__setattr__(self, "points", tuple(triple(f"{where}: points", point) for point in self.points))
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise ModelError(f"{where}: give one to {MOST_POINTS} points, not {len(self.points)}")
        if self.lever is not None and not number(f"{where}: lever", self.lever) > 0.0:
            raise ModelError(f"{where}: lever must be greater than 0, not {self.lever!r}")

    @property
    def n_points(self) -> int:
        """The number of points."""
        return len(self.points)


@dataclass(frozen=True)
class Disk(Contact):
    """A disk or wheel that rolls and slips with its rim; in space it leans, and its lowest point touches.

    Parameters
    ----------
    name : str
        An identifier; `NAME_radius` becomes a parameter, in space `NAME_tyre`, too.
    body : str
        The body.
    radius : float
        Its radius, with the tyre [m].
    centre : three floats
        In the frame of the body [m].
    plane, on
        As of `Patch`.
    axis : three floats
        The direction of its axis in the frame of the body; in the x-z plane, disks are across it.
    tyre : float
        Radius of a round tyre's cross section [m]; 0 for a sharp rim. As large as the radius, it is a ball's.
    friction, restitution, passes, stiffness, damping, tangential
        As of `Contact`.
    """

    name: str
    body: str
    radius: float
    centre: Sequence[float] = (0.0, 0.0, 0.0)
    plane: Plane = GROUND
    on: str = WORLD
    axis: Sequence[float] = (0.0, 1.0, 0.0)
    tyre: float = 0.0

    def __post_init__(self) -> None:
        refuse_invalid_identifier("contact", self.name)
        where = f"contact {self.name!r}"
        self._check(where)
        triple(f"{where}: centre", self.centre)
        if not number(f"{where}: radius", self.radius) > 0.0:
            raise ModelError(f"{where}: radius must be greater than 0, not {self.radius!r}")
        if not any(triple(f"{where}: axis", self.axis)):
            raise ModelError(f"{where}: axis must be a direction, not {self.axis!r}")
        if not 0.0 <= number(f"{where}: tyre", self.tyre) <= self.radius:
            raise ModelError(f"{where}: tyre must be between 0 and the radius, {self.radius!r}, not {self.tyre!r}")

    n_points = 1

    @property
    def points(self) -> tuple[Sequence[float]]:
        """The centre."""
        return (self.centre,)


@dataclass(frozen=True)
class Sphere(Disk):
    """A ball that rolls and slips on a plane, of a body that may move in space.

    Parameters
    ----------
    name, body, radius, centre, plane, on
        As of `Disk`.
    axis, tyre
        Leave them out.
    friction, restitution, stiffness, damping, tangential
        As of `Contact`.
    """

    def __post_init__(self) -> None:
        Disk.__post_init__(self)
        if tuple(self.axis) != (0.0, 1.0, 0.0) or self.tyre != 0.0:
            raise ModelError(f"contact {self.name!r}: a ball has no axis and no tyre; leave them out, or give a Disk")


MOST_POINTS = 4
"""Most points of a patch: in the plane the two ends of a foot do, whatever lies between."""


@dataclass(frozen=True)
class Rows(Contact):
    """A contact whose gap and rows a function gives: one point, in `Equations`.

    Parameters
    ----------
    name : str
        An identifier.
    friction, restitution, passes, stiffness, damping, tangential
        As of `Contact`.
    """

    name: str

    def __post_init__(self) -> None:
        refuse_invalid_identifier("contact", self.name)
        self._check(f"contact {self.name!r}")

    n_points = 1


@dataclass(frozen=True)
class Equations:
    """Equations of motion that a function gives, instead of a mechanism: M(q) udot = f + W^T lambda, qdot = u.

    Parameters
    ----------
    coordinates : sequence of str
        Names of the coordinates; the speeds have `dot` behind.
    terms : callable
        `terms(mass, force, rows, gaps, t, x, p)` writes M row by row, f, for each contact the rows of its normal and of
        its tangent, each followed by its drift (the acceleration where the rates of the speeds are 0), and its gap.
    length : float
        The system's size: gaps of less than 1e-9 of it are none where an event happens [unit of the gaps].
    """

    coordinates: Sequence[str]
    terms: Function
    length: float = 1.0
