"""Masses that make two bodies dynamically equal, as the inner and outer legs of a walking machine have to be.

M. Garcia, "Stability, scaling, and chaos in passive-dynamic gait models", PhD thesis, Cornell (1999), section 2.14.2.
Its equation 2.73 has M_2 - M_1 where the final mass is M_2 plus the mass of 2.72.
"""

from __future__ import annotations

from typing import NamedTuple

from hybridsim.errors import ModelError
from hybridsim.multibody.joints import number


class PlanarBody(NamedTuple):
    """A body that turns about one axis.

    Attributes
    ----------
    mass : float
        Its mass [kg].
    centre : float
        Place of its centre of mass on its line, from the hinge [m].
    inertia : float
        Moment of inertia about the centre of mass [kg m^2].
    """

    mass: float
    centre: float
    inertia: float

    def with_mass(self, mass: float, place: float) -> PlanarBody:
        """Return the body with a point mass [kg] added at a place on its line, from the hinge [m]."""
        total = self.mass + mass
        centre = (self.mass * self.centre + mass * place) / total
        inertia = self.inertia + self.mass * (self.centre - centre) ** 2 + mass * (place - centre) ** 2
        return PlanarBody(total, centre, inertia)


class AddedMass(NamedTuple):
    """A point mass to add: to which body (0 or 1), its mass [kg], and its place on the body's line [m]."""

    body: int
    mass: float
    place: float


class EqualBodies(NamedTuple):
    """The masses to add to two bodies, and the body that both are then."""

    added: tuple[AddedMass, ...]
    body: PlanarBody


def equalize(first: PlanarBody, second: PlanarBody, distance: float) -> EqualBodies:
    """Find masses that make two bodies dynamically equal (Garcia 1999, equations 2.68 to 2.75).

    The lighter body gets the difference of the masses where it brings the centres of mass together. Then the body with
    the smaller moment of inertia gets two equal masses at both sides of its centre of mass, and the other one the same
    mass in its centre.

    Parameters
    ----------
    first, second : PlanarBody
        The bodies.
    distance : float
        From the centre of mass to each of the two equal masses [m]; the larger it is, the smaller they are.

    Returns
    -------
    EqualBodies
        The masses, those of 0 kg left out, and what both bodies are with them.

    Raises
    ------
    ModelError
        If a mass or the distance is not positive, a moment of inertia is negative, or bodies of equal mass have
        different centres of mass, so that no difference of masses is there to move one of them.
    """
    bodies = [first, second]
    for name, body in zip(("first", "second"), bodies, strict=True):
        _refuse_unphysical(f"the {name} body", body)
    if not number("distance", distance) > 0.0:
        raise ModelError(f"the distance of the added masses must be positive, not {distance!r} m")
    added: list[AddedMass] = []
    light, heavy = (0, 1) if first.mass < second.mass else (1, 0)
    missing = bodies[heavy].mass - bodies[light].mass
    if missing == 0.0 and first.centre != second.centre:
        raise ModelError(
            "bodies of equal mass with different centres of mass: add a mass to one of them first, where you like"
        )
    if missing > 0.0:
        moment = bodies[heavy].mass * bodies[heavy].centre - bodies[light].mass * bodies[light].centre
        added.append(AddedMass(light, missing, moment / missing))
        bodies[light] = bodies[light].with_mass(*added[-1][1:])
    centre = bodies[heavy].centre
    slow, quick = (0, 1) if bodies[0].inertia > bodies[1].inertia else (1, 0)
    whole = (bodies[slow].inertia - bodies[quick].inertia) / distance**2
    if whole > 0.0:
        added += [AddedMass(quick, 0.5 * whole, centre + side * distance) for side in (-1.0, 1.0)]
        added.append(AddedMass(slow, whole, centre))
    return EqualBodies(tuple(added), PlanarBody(bodies[slow].mass + whole, centre, bodies[slow].inertia))


def _refuse_unphysical(name: str, body: PlanarBody) -> None:
    if not number(f"mass of {name}", body.mass) > 0.0:
        raise ModelError(f"the mass of {name} must be positive, not {body.mass!r} kg")
    number(f"centre of mass of {name}", body.centre)
    if number(f"moment of inertia of {name}", body.inertia) < 0.0:
        raise ModelError(f"the moment of inertia of {name} must not be negative, not {body.inertia!r} kg m^2")
