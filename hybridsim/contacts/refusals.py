"""What contacts refuse of a model: parts that do not belong to each other, shapes, and too many of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.contacts.assembly import Assembly
from hybridsim.contacts.description import Circle, Disk, Patch, Rows
from hybridsim.contacts.soft import SOFT_BITS, STOP_BITS
from hybridsim.contacts.terrain import Terrain
from hybridsim.errors import ModelError, nearest
from hybridsim.model.model import MAX_CHART_BITS
from hybridsim.multibody.joints import WORLD


def refuse(where: str, made: Assembly) -> None:
    """Raise a ModelError if parts do not belong to each other, or are too many."""
    expected: Any = Patch | Disk if made.is_mechanism else Rows
    for each in made.all_contacts:
        if not isinstance(each, expected):
            what = "Patch or Disk" if made.is_mechanism else "Rows"
            raise ModelError(f"{where}: the contacts of {type(made.system).__name__} are {what}, not {each!r}")
    names = [each.name for each in (*made.all_contacts, *made.loops)]
    if len(set(names)) < len(names):
        raise ModelError(f"{where}: give contacts and loops, each with a name of its own, not {', '.join(names)}")
    if not (names or made.dry or made.stops or made.soft_stops or made.motors):
        raise ModelError(f"{where}: give at least one contact, loop, stop, dry friction or motor")
    if made.loops and not made.is_mechanism:
        raise ModelError(f"{where}: loops are those of a mechanism; rows of equations are contacts")
    if (made.soft or made.soft_stops) and not made.is_mechanism:
        raise ModelError(f"{where}: soft contacts and stops are those of a mechanism; leave out stiffness and damping")
    for joint in (*made.dry, *made.stops, *made.soft_stops, *made.motors):
        if joint not in made.coordinates or f"{joint}dot" not in made.speeds:
            known = [each for each in made.coordinates if f"{each}dot" in made.speeds]
            raise ModelError(f"{where}: there is no joint {joint!r} with one coordinate{nearest(joint, known)}")
    planes = [plane.name for plane, _ in made.planes]
    if len(set(planes)) < len(planes):
        raise ModelError(f"{where}: planes that differ, or are on different bodies, need names of their own: {planes}")
    _refuse_passes(where, made)
    _refuse_many(where, made)
    for each in made.all_contacts if made.is_mechanism else ():
        _refuse_shape(f"{where}: {each.name}", each, made.tangents == 2)


def _refuse_passes(where: str, made: Assembly) -> None:
    hard = [each.name for each in made.contacts]
    for each in made.all_contacts:
        if each.passes is None:
            continue
        if each.is_soft or each.passes in [other.name for other in made.soft]:
            raise ModelError(f"{where}: {each.name}: passes: a soft contact neither passes another one nor is passed")
        if each.passes not in hard or each.passes == each.name or not made.is_mechanism:
            hint = nearest(each.passes, hard)
            raise ModelError(f"{where}: {each.name}: passes: {each.passes!r} is no other contact{hint}")


def _refuse_shape(where: str, contact: Patch | Disk, in_space: bool) -> None:
    if in_space and isinstance(contact.plane, Circle):
        raise ModelError(
            f"{where}: circles are those of mechanisms in the x-z plane, and the body {contact.body!r} can leave it: "
            'give the base a joint Planar("base", normal="y")'
        )
    if not in_space and contact.plane.heading != 0.0:
        raise ModelError(f"{where}: the mechanism moves in the x-z plane; leave out the plane's heading")
    if not in_space and isinstance(contact, Disk) and any(contact.axis[::2]):
        raise ModelError(f"{where}: the mechanism moves in the x-z plane, and disks are across it; leave out the axis")
    corners, n = np.array(contact.points, float), contact.n_points
    if isinstance(contact.plane, Terrain) and contact.on != WORLD:
        raise ModelError(f"{where}: a terrain is of the world; leave out on: {contact.on!r}")
    if isinstance(contact.plane, Terrain | Circle) and n > 1 and not contact.is_soft:
        raise ModelError(f"{where}: on a terrain or circle, a contact has one point: give each point as a contact")
    if isinstance(contact.plane, Circle) and contact.passes:
        raise ModelError(f"{where}: passes: contacts pass each other on planes and terrain, not on circles")
    if in_space and n == 2 and (corners[0] == corners[1]).all():
        raise ModelError(f"{where}: its two points are the same; give one, or the two ends of an edge")
    if in_space and n > 2:
        edges = np.roll(corners, -1, axis=0) - corners
        turns = np.cross(edges, np.roll(edges, -1, axis=0))
        size = float(np.abs(edges).max()) ** 2
        flat = np.abs((corners - corners[0]) @ turns[0]).max() <= 1e-9 * size**1.5
        if not (flat and (turns @ turns[0] > 1e-6 * size**2).all()):
            raise ModelError(f"{where}: the points are no corners of a flat, convex sole in their order around it")


def _refuse_many(where: str, made: Assembly) -> None:
    bits = {each.name: each.n_points + 2 for each in made.contacts} | {f"{joint}_dry": 2 for joint in made.dry}
    bits |= {f"{joint}_stop": len(stop.limits) for joint, stop in made.stops.items()}
    bits |= {each.name: SOFT_BITS * each.n_points for each in made.soft}
    bits |= {f"{joint}_stop": STOP_BITS * len(stop.limits) for joint, stop in made.soft_stops.items()}
    if sum(bits.values()) > MAX_CHART_BITS:
        what = ", ".join(f"{key} {value}" for key, value in bits.items())
        hint = "; leave out stops or dry_friction of some joints" if made.stops or made.soft_stops or made.dry else ""
        raise ModelError(f"{where}: {sum(bits.values())} bits are needed, {MAX_CHART_BITS} are there: {what}{hint}")
