"""What a person says of contacts: planes, patches, coefficients; and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.table import refuse_invalid_identifier
from hybridsim.multibody.joints import number, triple
from hybridsim.typing import Function


@explain_arguments
@dataclass(frozen=True, slots=True)
class Plane:
    """A fixed plane across the x-z plane; what is on the side of its normal is free.

    Parameters
    ----------
    name : str
        An identifier; `NAME_x`, `NAME_z` and `NAME_slope` become parameters.
    x, z : float
        One of its points [m].
    slope : float
        Angle from the x axis to the plane's tangent, positive where the plane rises along x [rad]. The normal is the
        tangent turned by a right angle upwards: pi/2 is a wall that faces -x, -pi/2 one that faces +x.
    """

    name: str = "ground"
    x: float = 0.0
    z: float = 0.0
    slope: float = 0.0

    def __post_init__(self) -> None:
        refuse_invalid_identifier("plane", self.name)
        for key in ("x", "z", "slope"):
            number(f"plane {self.name!r}: {key}", getattr(self, key))


GROUND = Plane()
"""The plane z = 0."""


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
    """

    friction: float | Mapping[str, float] = 0.0
    restitution: float = 0.0

    @property
    def coefficients(self) -> tuple[float, float]:
        """Static and kinetic friction."""
        if isinstance(self.friction, Mapping):
            return self.friction["static"], self.friction["kinetic"]
        return self.friction, self.friction

    def _check(self, where: str) -> None:
        if isinstance(self.friction, Mapping) and set(self.friction) != {"static", "kinetic"}:
            raise ModelError(f"{where}: friction is a number, or has `static` and `kinetic`, not {self.friction!r}")
        static, kinetic = (number(f"{where}: friction", value) for value in self.coefficients)
        if not 0.0 <= kinetic <= static:
            raise ModelError(f"{where}: friction must be 0 <= kinetic <= static, not {kinetic!r} and {static!r}")
        if not 0.0 <= number(f"{where}: restitution", self.restitution) <= 1.0:
            raise ModelError(f"{where}: restitution must be 0..1, not {self.restitution!r}")


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
        In the frame of the body [m], along a line: those that are down hold or slip together. Corners of a convex body
        that can come down on different sides are patches of their own.
    plane : Plane
        The plane that they meet.
    friction, restitution
        As of `Contact`.
    """

    name: str
    body: str
    points: Sequence[Sequence[float]] = field(default=((0.0, 0.0, 0.0),))
    plane: Plane = GROUND

    def __post_init__(self) -> None:
        refuse_invalid_identifier("contact", self.name)
        where = f"contact {self.name!r}"
        self._check(where)
        object.__setattr__(self, "points", tuple(triple(f"{where}: points", point) for point in self.points))
        if not 1 <= len(self.points) <= MOST_POINTS:
            raise ModelError(f"{where}: give one to {MOST_POINTS} points, not {len(self.points)}")

    @property
    def n_points(self) -> int:
        """The number of points."""
        return len(self.points)


MOST_POINTS = 4
"""Most points of a patch: in the plane the two ends of a foot do, whatever lies between."""


@dataclass(frozen=True)
class Rows(Contact):
    """A contact whose gap and rows a function gives: one point, in `Equations`.

    Parameters
    ----------
    name : str
        An identifier.
    friction, restitution
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
