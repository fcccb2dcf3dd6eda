"""A mechanism with contacts from plain data, as the key `model` of a config has it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsim.contacts.description import GROUND, Disk, Patch, Plane
from hybridsim.contacts.joints import Pin, Rod
from hybridsim.contacts.model import contact_model
from hybridsim.errors import ModelError, nearest
from hybridsim.model.model import Model
from hybridsim.model.plugin_file import execute
from hybridsim.model.plugin_import import include_in_current
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.robot_files import load_mechanism

CONTACT_KEYS = ("body", "on", "friction", "restitution", "plane")
PATCH_KEYS, DISK_KEYS = (*CONTACT_KEYS, "points"), (*CONTACT_KEYS, "radius", "centre")
LOOP_KEYS = ("body", "point", "to", "on", "length")
PLANE_KEYS = ("x", "z", "slope")
NUMBERS = ("stabilise", "rest_speed")
JOINT_KEYS = ("stops", "dry_friction", "motors")
KEYS = ("name", "mechanism", "base", "contacts", "planes", "loops", "impacts", *NUMBERS, *JOINT_KEYS)
"""What a description may have."""

ROBOT_ENDINGS = (".urdf", ".xml")


class DescriptionError(ModelError):
    """What is wrong, and at which keys of the description."""

    def __init__(self, text: str, *address: str) -> None:
        super().__init__(text)
        self.address = address


def read_model(description: Mapping[str, Any]) -> Model:
    """Return the model that a description makes.

    Parameters
    ----------
    description : mapping
        Plain data; `mechanism` is an absolute path.

    Raises
    ------
    DescriptionError
        If a key is unknown, or a value is wrong.
    """
    mechanism, contacts = read_contacts(description)
    further = {key: description[key] for key in (*NUMBERS, "impacts", *JOINT_KEYS) if key in description}
    return contact_model(name_of(description), mechanism, contacts, loops=_loops(description, mechanism), **further)


def name_of(description: Mapping[str, Any]) -> str:
    """Return the name of a model: its own, or that of the file of the mechanism."""
    stem = Path(str(description["mechanism"]).rpartition(":")[0] or str(description["mechanism"])).stem
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in stem)
    return str(description.get("name", letters if letters.isidentifier() else f"robot_{letters}"))


def read_contacts(description: Mapping[str, Any]) -> tuple[Mechanism, list[Patch | Disk]]:
    """Return the mechanism of a description, and its contacts.

    Raises
    ------
    DescriptionError
        If a key is unknown, or a value is wrong.
    """
    refuse_unknown(description, KEYS)
    _refuse_missing(description)
    mechanism = read_mechanism(str(description["mechanism"]), description.get("base"))
    planes = {"ground": GROUND}
    for name, given in _mapping(description.get("planes", {}), "planes").items():
        refuse_unknown(_mapping(given, "planes", name), PLANE_KEYS, "planes", name)
        planes[name] = Plane(name, **given)
    contacts = []
    for name, given in _mapping(description.get("contacts", {}), "contacts").items():
        contacts.append(_contact(name, _mapping(given, "contacts", name), mechanism, planes))
    return mechanism, contacts


def _loops(description: Mapping[str, Any], mechanism: Mechanism) -> list[Pin | Rod]:
    """Return the loops of a description: rods where they have a length."""
    found: list[Pin | Rod] = []
    for name, given in _mapping(description.get("loops", {}), "loops").items():
        where = "loops", name
        refuse_unknown(_mapping(given, *where), LOOP_KEYS, *where)
        _refuse_body(given, mechanism, *where)
        try:
            found.append((Rod if "length" in given else Pin)(**{"name": name, **given}))
        except ModelError as problem:
            raise DescriptionError(str(problem), *where) from None
    return found


def _refuse_missing(description: Mapping[str, Any]) -> None:
    if "mechanism" not in description:
        raise DescriptionError("expected `mechanism`; write for example mechanism: robot.urdf, contacts: {...}")
    if not any(key in description for key in ("contacts", "loops", *JOINT_KEYS)):
        raise DescriptionError("expected `contacts`, `loops`, `stops`, `dry_friction` or `motors`")


def refuse_unknown(given: Mapping[str, Any], keys: Sequence[str], *address: str) -> None:
    """Refuse a key that there is not, with the nearest one."""
    for key in given:
        if key not in keys:
            hint = nearest(str(key), keys) or f"; choose from: {', '.join(keys)}"
            raise DescriptionError(f"there is no such key{hint}", *address, key)


def _mapping(value: Any, *address: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DescriptionError(f"expected a mapping, found {value!r}", *address)
    return value


def _contact(name: str, given: Mapping[str, Any], mechanism: Mechanism, planes: Mapping[str, Plane]) -> Patch | Disk:
    """Return a contact: a disk where it has a radius."""
    where, kind = ("contacts", name), Disk if "radius" in given else Patch
    refuse_unknown(given, DISK_KEYS if kind is Disk else PATCH_KEYS, *where)
    _refuse_body(given, mechanism, *where)
    plane = given.get("plane", "ground")
    _refuse_other("plane", plane, [*planes], given, *where)
    try:
        return kind(**{"name": name, **given, "plane": planes[plane]})
    except ModelError as problem:
        raise DescriptionError(str(problem), *where) from None


def _refuse_body(given: Mapping[str, Any], mechanism: Mechanism, *address: str) -> None:
    bodies = [each.name for each in mechanism.bodies]
    _refuse_other("body", given.get("body"), bodies, given, *address)
    _refuse_other("on", given.get("on", WORLD), [WORLD, *bodies], given, *address)


def _refuse_other(key: str, word: Any, words: Sequence[str], given: Mapping[str, Any], *address: str) -> None:
    """Refuse a name that is none of those known, with the nearest one."""
    if word not in words:
        hint = nearest(str(word), words) or f"; choose from: {', '.join(words)}"
        what = "body" if key == "on" else key
        raise DescriptionError(f"there is no {what} {word!r}{hint}", *address, *([key] if key in given else []))


def read_mechanism(path: str, base: Any = None) -> Mechanism:
    """Return the mechanism of a URDF or MJCF file, or of a variable in a Python file, `file.py:MECHANISM`.

    Raises
    ------
    DescriptionError
        If it cannot be read.
    """
    file, _, variable = path.rpartition(":") if ".py:" in path else (path, "", "")
    if Path(file).suffix not in (".py", *ROBOT_ENDINGS):
        raise DescriptionError(f"expected robot.urdf, robot.xml or file.py:MECHANISM, found {path!r}", "mechanism")
    if not Path(file).is_file():
        raise DescriptionError(f"there is no file {file}", "mechanism")
    if Path(file).suffix in ROBOT_ENDINGS:
        try:
            return load_mechanism(file, base=base or "fixed")
        except ModelError as problem:
            raise DescriptionError(str(problem), "mechanism") from None
    if base is not None:
        raise DescriptionError("it is for URDF files; the bodies of a Python file say themselves how they move", "base")
    module, hashes = execute(Path(file))
    include_in_current(hashes)
    found = getattr(module, variable or "MECHANISM", None)
    if not isinstance(found, Mechanism):
        raise DescriptionError(f"{file} has no Mechanism {variable or 'MECHANISM'!r}", "mechanism")
    return found


def touching_height(description: Mapping[str, Any], initial: Mapping[str, float], state: str) -> float:
    """Return the value of a coordinate along z with which the lowest contact touches its plane [m]."""
    mechanism, contacts = read_contacts(description)
    q = {name: value for name, value in initial.items() if name in mechanism.coordinates.names} | {state: 0.0}
    lift = -math.inf
    for contact in contacts:
        reach = contact.radius / math.cos(contact.plane.slope) if isinstance(contact, Disk) else 0.0
        for point in contact.points:
            x, _, z = mechanism.position(q, contact.body, point)
            lift = max(lift, reach + contact.plane.z + (x - contact.plane.x) * math.tan(contact.plane.slope) - z)
    return float(lift)
