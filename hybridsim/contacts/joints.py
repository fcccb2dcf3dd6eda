"""What a person says of joints and loops: stops, dry friction, motors, pins and rods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridsim.contacts.description import friction_coefficients, refuse_restitution, refuse_springs
from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.table import refuse_invalid_identifier
from hybridsim.multibody.joints import WORLD, number, triple


@explains_keywords()
@dataclass(frozen=True, kw_only=True)
class Stop:
    """Where a joint ends; the coordinate of a joint stays between its stops.

    Parameters
    ----------
    lower, upper : float, optional
        Least and largest coordinate [rad or m]; at least one.
    restitution : float
        Speed after an impact / before; 0 for none.
    stiffness, damping : float, optional
        Of a soft stop, a spring with a damper that pushes and never pulls [N m/rad, N m s/rad, or N/m, N s/m]; it has
        no restitution.
    """

    lower: float | None = None
    upper: float | None = None
    restitution: float = 0.0
    stiffness: float | None = None
    damping: float = 0.0

    @property
    def is_soft(self) -> bool:
        """Whether it is a spring."""
        return self.stiffness is not None

    @property
    def limits(self) -> dict[str, float]:
        """The stops that there are, by `lower` and `upper`."""
        both = {"lower": self.lower, "upper": self.upper}
        return {key: number(f"stop: {key}", value) for key, value in both.items() if value is not None}

    def __post_init__(self) -> None:
        refuse_springs("stop", self)
        refuse_restitution("stop", self.restitution)
        if not self.limits or self.limits.get("lower", 0.0) >= self.limits.get("upper", float("inf")):
            raise ModelError(f"stop: give `lower`, `upper` or both, lower < upper, not {self.lower} and {self.upper}")


@explains_keywords()
@dataclass(frozen=True, kw_only=True)
class DryFriction:
    """Dry friction of a joint.

    Parameters
    ----------
    static : float
        Up to this force or torque it holds [N or N m].
    kinetic : float, optional
        What brakes it where it moves; as much as `static` if not given.
    """

    static: float
    kinetic: float | None = None

    @property
    def coefficients(self) -> tuple[float, float]:
        """Static and kinetic friction."""
        kinetic = self.static if self.kinetic is None else self.kinetic
        return friction_coefficients("dry friction", {"static": self.static, "kinetic": kinetic})

    def __post_init__(self) -> None:
        assert self.coefficients


@explains_keywords()
@dataclass(frozen=True, kw_only=True)
class Motor:
    """A motor that drives a joint with stiffness (target - q) - damping u.

    Parameters
    ----------
    stiffness, damping, target : float
        Defaults of parameters [N m/rad, N m s/rad, rad, or N/m, N s/m, m].
    """

    stiffness: float = 0.0
    damping: float = 0.0
    target: float = 0.0

    def __post_init__(self) -> None:
        for key in ("stiffness", "damping", "target"):
            number(f"motor: {key}", getattr(self, key))


@explain_arguments
@dataclass(frozen=True)
class Pin:
    """A pin joins a point of a body to the world or to another body.

    Parameters
    ----------
    name : str
        An identifier.
    body : str
        The body.
    point : three floats
        In its frame [m].
    to : three floats
        Where the pin is, in the frame of `on` [m]: `NAME_x`, `NAME_y` and `NAME_z` become parameters, those along
        which the pin holds.
    on : str
        The world, or another body.
    """

    name: str
    body: str
    point: Sequence[float] = (0.0, 0.0, 0.0)
    to: Sequence[float] = (0.0, 0.0, 0.0)
    on: str = WORLD

    def __post_init__(self) -> None:
        refuse_invalid_identifier("loop", self.name)
        for key in ("point", "to"):
            triple(f"loop {self.name!r}: {key}", getattr(self, key))


@explain_arguments
@dataclass(frozen=True)
class Rod:
    """A massless rod keeps a distance between a point of a body and one of the world or of another body.

    Parameters
    ----------
    name : str
        An identifier; `NAME_length` becomes a parameter.
    body : str
        The body.
    length : float
        The distance [m].
    point, to, on
        As of `Pin`.
    """

    name: str
    body: str
    length: float
    point: Sequence[float] = (0.0, 0.0, 0.0)
    to: Sequence[float] = (0.0, 0.0, 0.0)
    on: str = WORLD

    def __post_init__(self) -> None:
        refuse_invalid_identifier("loop", self.name)
        for key in ("point", "to"):
            triple(f"loop {self.name!r}: {key}", getattr(self, key))
        if not number(f"loop {self.name!r}: length", self.length) > 0.0:
            raise ModelError(f"loop {self.name!r}: length must be greater than 0, not {self.length!r}; or give a Pin")


def joint_record(kind: Any, given: Any) -> Any:
    """Return a `Stop`, `DryFriction` or `Motor`, from a mapping or a number, too."""
    given = {"static": given} if kind is DryFriction and isinstance(given, int | float) else given
    if not isinstance(given, Mapping | kind):
        raise ModelError(f"expected a {kind.__name__} or a mapping, not {given!r}")
    return kind(**given) if isinstance(given, Mapping) else given


def joint_records(where: str, kind: Any, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return `Stop`, `DryFriction` or `Motor` of each joint, from mappings and numbers, too."""
    found = {}
    for joint, value in (given or {}).items():
        try:
            found[joint] = joint_record(kind, value)
        except (ModelError, TypeError) as problem:
            raise ModelError(f"{where}: {joint}: {problem}") from None
    return found
