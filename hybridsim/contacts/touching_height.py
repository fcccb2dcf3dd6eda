"""The height at which a mechanism of a config touches its planes and terrains."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from hybridsim.contacts.description import Disk, Patch
from hybridsim.contacts.ground_rows import gap_above
from hybridsim.contacts.model import assembled
from hybridsim.contacts.reading import DescriptionError, read_parts
from hybridsim.contacts.terrain import Terrain
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism

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
    tangents = assembled(mechanism, contacts).tangents
    q = {name: value for name, value in initial.items() if name in mechanism.coordinates.names}
    lifts = []
    for contact in (_with_parameters(each, parameters) for each in contacts):
        low, high = (_gaps(mechanism, {**q, state: value}, contact, tangents) for value in (0.0, 1.0))
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
        contact = replace(contact, radius=parameters.get(f"{contact.name}_radius", contact.radius))
    return replace(contact, plane=replace(plane, **numbers))


def _gaps(mechanism: Mechanism, q: Mapping[str, float], contact: Patch | Disk, tangents: int) -> list[float]:
    """Return the distances of the points of a contact from its plane."""
    plane = contact.plane
    radius = contact.radius if isinstance(contact, Disk) else 0.0
    if isinstance(plane, Terrain):
        centres = [mechanism.position(q, contact.body, place) for place in contact.points]
        return [gap_above(plane, centre, radius, tangents) for centre in centres]
    foot = (plane.x, 0.0, plane.z)
    level = math.sin(plane.slope)
    along = level * math.cos(plane.heading), level * math.sin(plane.heading)
    normal = (plane.x - along[0], -along[1], plane.z + math.cos(plane.slope))
    if contact.on != WORLD:
        foot, normal = (mechanism.position(q, contact.on, place) for place in (foot, normal))  # type: ignore[assignment]
    away = np.subtract(normal, foot)
    return [float(away @ (mechanism.position(q, contact.body, place) - foot)) - radius for place in contact.points]
