"""The height at which a mechanism of a config touches its planes and terrains."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from hybridsim.contacts.assembly import Assembly, axis_of
from hybridsim.contacts.contact_rows import Round, lowest
from hybridsim.contacts.description import Circle, Disk, Patch
from hybridsim.contacts.ground_rows import gap_above
from hybridsim.contacts.model import assembled
from hybridsim.contacts.reading import DescriptionError, read_parts
from hybridsim.contacts.terrain import Terrain
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.vectors import ZERO, Vector, dot

LEAST_RISE = 1e-9
"""A coordinate that moves a contact less than this part of its own motion does not lift it."""


def touching_height(
    description: Mapping[str, Any], initial: Mapping[str, float], parameters: Mapping[str, float], state: str
) -> float:
    """Return the value of a coordinate along z with which the lowest contact touches its plane [m].

    Parameters
    ----------
    description : mapping
        That of the model.
    initial, parameters : mapping of str to float
        The other initial values; parameters of planes and disks.
    state : str
        The coordinate.

    Raises
    ------
    DescriptionError
        If the coordinate moves no contact along the normal of its plane.
    """
    mechanism, contacts, *_ = read_parts(description)
    made = assembled(mechanism, contacts)
    q = {name: value for name, value in initial.items() if name in mechanism.coordinates.names}
    lifts = []
    for contact in (_with_parameters(each, parameters) for each in contacts):
        low, high = (_gaps(mechanism, {**q, state: value}, contact, made) for value in (0.0, 1.0))
        lifts += [-gap / (above - gap) for gap, above in zip(low, high, strict=True) if above - gap > LEAST_RISE]
    if not lifts:
        raise DescriptionError(f"{state}: it lifts no contact from its plane; write a number instead of `touching`")
    return float(max(lifts))


def _with_parameters(contact: Patch | Disk, parameters: Mapping[str, float]) -> Patch | Disk:
    """Return a contact whose plane and radius are as the parameters of a run say."""
    plane = contact.plane
    keys = [each.name for each in fields(plane) if f"{plane.name}_{each.name}" in parameters]
    numbers: dict[str, Any] = {key: parameters[f"{plane.name}_{key}"] for key in keys}
    if isinstance(contact, Disk):
        sizes = {key: parameters.get(f"{contact.name}_{key}", getattr(contact, key)) for key in ("radius", "tyre")}
        contact = replace(contact, **sizes)
    return replace(contact, plane=replace(plane, **numbers))


def _gaps(mechanism: Mechanism, q: Mapping[str, float], contact: Patch | Disk, made: Assembly) -> list[float]:
    """Return the distances of the points of a contact from its plane; from a circle and from terrain along z."""
    plane, shape = contact.plane, _round_of(mechanism, q, contact, made)
    centres = [np.array(mechanism.position(q, contact.body, place)) for place in contact.points]
    if isinstance(plane, Terrain):
        return [gap_above(plane, centre, shape, made.tangents) for centre in centres]
    foot = (plane.x, 0.0, plane.z)
    level = math.sin(plane.slope)
    along = level * math.cos(plane.heading), level * math.sin(plane.heading)
    normal = (plane.x - along[0], -along[1], plane.z + math.cos(plane.slope))
    if contact.on != WORLD:
        foot, normal = (mechanism.position(q, contact.on, place) for place in (foot, normal))  # type: ignore[assignment]
    if isinstance(plane, Circle):
        side = -1.0 if plane.hollow else 1.0
        reach = plane.radius + side * shape.tube
        squares = [reach**2 - (centre[0] - foot[0]) ** 2 for centre in centres]
        rises = [side * math.sqrt(each) if each >= 0.0 else math.nan for each in squares]
        return [float(centre[2] - foot[2] - rise) for centre, rise in zip(centres, rises, strict=True)]
    axis = Vector(*np.subtract(normal, foot))
    return [float(dot(axis, Vector(*(centre - foot)))) + float(dot(axis, lowest(shape, axis))) for centre in centres]


def _round_of(mechanism: Mechanism, q: Mapping[str, float], contact: Patch | Disk, made: Assembly) -> Round:
    """Return what touches, its axis in the world."""
    radius, axis = contact.radius if isinstance(contact, Disk) else 0.0, axis_of(made, contact)
    tube = contact.tyre if isinstance(contact, Disk) and axis.any() else radius
    turned = np.subtract(*(mechanism.position(q, contact.body, tuple(each)) for each in (axis, np.zeros(3))))
    return Round(Vector(*turned), ZERO, radius - tube, tube)
