"""A mechanism with contacts from plain data, as the key `model` of a config has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from hybridsim.contacts.description import GROUND, Circle, Disk, Patch, Plane, Sphere
from hybridsim.contacts.joints import DryFriction, Motor, Pin, Rod, Stop, joint_record
from hybridsim.contacts.model import assembled, contact_model
from hybridsim.contacts.refusals import refuse
from hybridsim.contacts.robot_contacts import with_found
from hybridsim.contacts.terrain import HeightMap, Waves
from hybridsim.errors import ModelError, nearest
from hybridsim.model.model import Model
from hybridsim.model.plugin_file import execute
from hybridsim.model.plugin_import import include_in_current
from hybridsim.multibody.joints import WORLD, number
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.robot_files import load_mechanism

CONTACT_KEYS = ("body", "on", "friction", "restitution", "plane", "passes", "stiffness", "damping", "tangential")
PATCH_KEYS, DISK_KEYS = (*CONTACT_KEYS, "points", "lever"), (*CONTACT_KEYS, "radius", "centre", "axis", "tyre")
CIRCLE_KEYS = ("x", "z", "radius", "hollow")
SHAPES: Mapping[str, Any] = {"sphere": (Sphere, (*CONTACT_KEYS, "sphere")), "radius": (Disk, DISK_KEYS)}
LOOP_KEYS = ("body", "point", "to", "on", "length")
TERRAINS: Mapping[str, Any] = {"flat": Plane, "sinusoid": Waves, "rough": HeightMap, "height_map": HeightMap}
EDGES = (
    "it has edges, where contacts have no normal, and bends that jump where they are rounded; give it as a height map"
)
NO_TERRAINS = {"stairs": EDGES, "ditchedflat": EDGES, "sloped": "write slope: 0.1, the angle [rad], instead"}
"""Grounds by their words, and those of other models that contacts do not have."""
IMPACTS = ("together", "in_turn")
NUMBERS = ("stabilise", "rest_speed", "begin_speed")
JOINT_KINDS: Mapping[str, Any] = {"stops": Stop, "dry_friction": DryFriction, "motors": Motor}
KEYS = ("name", "mechanism", "base", "ignore", "contacts", "planes", "loops", "impacts", *NUMBERS, *JOINT_KINDS)
"""What a description may have."""

IGNORE_HINT = (
    "\n  In a config, write ignore: [...] under `model`; `dry_friction: from_file` and `loops: from_file` read what a "
    "file says of frictionloss and of equality/connect."
)

BALL_NUMBERS = 4
"""A ball's centre and radius."""

WORDS = {"contacts": "from_geometry", **dict.fromkeys(("loops", *JOINT_KINDS), "from_file")}
"""What asks for that which the file of the mechanism says, by key."""

ANSWERS = {"dry_friction": "frictionloss", "loops": "equality"}
"""What a mechanism has no place for, by the key that reads it."""

ROBOT_ENDINGS = (".urdf", ".xml")


class DescriptionError(ModelError):
    """What is wrong, and at which keys of the description."""

    def __init__(self, text: str, *address: str) -> None:
        super().__init__(text)
        self.address = address


class Parts(NamedTuple):
    """A mechanism with what closes, touches and drives it."""

    mechanism: Mechanism
    contacts: list[Patch | Disk]
    loops: list[Pin | Rod]
    joints: Any
    """By `stops`, `dry_friction` and `motors`, and by joint."""
    notes: Sequence[str] = ()
    """What is left out of what the file of the mechanism says."""


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
    parts = read_parts(description)
    further = {key: description[key] for key in (*NUMBERS, "impacts") if key in description}
    name = name_of(description)
    return contact_model(name, parts.mechanism, parts.contacts, loops=parts.loops, **parts.joints, **further)


def name_of(description: Mapping[str, Any]) -> str:
    """Return the name of a model: its own, or that of the file of the mechanism."""
    stem = Path(str(description["mechanism"]).rpartition(":")[0] or str(description["mechanism"])).stem
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in stem)
    return str(description.get("name", letters if letters.isidentifier() else f"robot_{letters}"))


def read_parts(description: Mapping[str, Any]) -> Parts:
    """Return what a description says.

    Raises
    ------
    DescriptionError
        If a key is unknown, or a value is wrong.
    """
    refuse_unknown(description, KEYS)
    _refuse_missing(description)
    path = str(description["mechanism"])
    ignored = [each for key, each in ANSWERS.items() if _asks(description, key)]
    mechanism = read_mechanism(path, description.get("base"), [*_words(description, "ignore"), *ignored])
    if not mechanism.tree.n_speeds:
        raise DescriptionError("nothing in this mechanism can move; write base: planar or floating", "base")
    description, notes = dict(description), list[str]()
    for key, word in WORDS.items():
        if _asks(description, key):
            found = _said(with_found, description, key, word, _file(path), mechanism, address=(key,))
            description[key], notes = found[0], [*notes, *(f"{key}: {word} leaves out: {each}" for each in found[1])]
    planes = {"ground": GROUND} | {name: _plane(name, given) for name, given in _entries(description, "planes")}
    parts = Parts(
        mechanism,
        [_contact(name, given, mechanism, planes) for name, given in _entries(description, "contacts")],
        [_loop(name, given, mechanism) for name, given in _entries(description, "loops")],
        {key: _joints(description, key, mechanism) for key in JOINT_KINDS},
        notes,
    )
    _refuse_unmet(planes, parts.contacts)
    for key in NUMBERS:
        _said(number, key, description.get(key, 0.0), address=(key,))
    impacts = description.get("impacts", IMPACTS[0])
    _refuse_other("impacts", impacts, IMPACTS, description)
    made = assembled(mechanism, parts.contacts, parts.loops, impacts=impacts, **parts.joints)
    _said(refuse, f"model {name_of(description)!r}", made)
    return parts


def _refuse_unmet(planes: Mapping[str, Plane], contacts: Iterable[Patch | Disk]) -> None:
    """Refuse planes of the description that no contact meets, and whose name is much like another one."""
    met = {contact.plane.name for contact in contacts}
    for name in planes:
        hint = nearest(name, {*met, GROUND.name} - {name})
        if name not in met and hint:
            raise DescriptionError(f"no contact meets this plane{hint}", "planes", name)


def _asks(description: Mapping[str, Any], key: str) -> bool:
    """Return whether a description asks for what the file of the mechanism says."""
    given = description.get(key)
    return given == WORDS[key] or (isinstance(given, Mapping) and WORDS[key] in given)


def _words(description: Mapping[str, Any], key: str) -> list[str]:
    given = description.get(key, [])
    if not isinstance(given, list):
        raise DescriptionError(f"expected a list of words, found {given!r}", key)
    return given


def _entries(description: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
    return _mapping(description.get(key, {}), key).items()


def _said(call: Callable[..., Any], *arguments: Any, address: Sequence[str] = (), **keywords: Any) -> Any:
    """Return what a call returns; what it refuses is said with the keys of the description."""
    try:
        return call(*arguments, **keywords)
    except ModelError as problem:
        raise DescriptionError(str(problem), *address) from None


def _plane(name: str, given: Any) -> Plane:
    """Return a plane; a terrain where it has one; a circle where it has a radius."""
    where, kind = ("planes", name), Plane
    given = dict(_mapping(given, *where))
    if "terrain" in given:
        word = given.pop("terrain")
        if word in NO_TERRAINS:
            raise DescriptionError(f"{word}: {NO_TERRAINS[word]}", *where, "terrain")
        given = {"seed": 1, **given} if word == "rough" else given
        _refuse_other("terrain", word, [*TERRAINS], {"terrain": word}, *where)
        kind = TERRAINS[word]
    keys: Sequence[str] = [each.name for each in fields(kind) if each.name not in ("name", "shape")]
    if "radius" in given and kind is Plane:
        kind, keys = Circle, CIRCLE_KEYS
    refuse_unknown(given, ["terrain", *keys], *where)
    plane: Plane = _said(kind, address=where, **{"name": name, **given})
    return plane


def _loop(name: str, given: Any, mechanism: Mechanism) -> Pin | Rod:
    """Return a loop: a rod where it has a length."""
    where = "loops", name
    refuse_unknown(_mapping(given, *where), LOOP_KEYS, *where)
    _refuse_bodies(given, mechanism, *where)
    loop: Pin | Rod = _said(Rod if "length" in given else Pin, address=where, **{"name": name, **given})
    return loop


def _joints(description: Mapping[str, Any], key: str, mechanism: Mechanism) -> dict[str, Any]:
    """Return stops, dry friction or motors by joint."""
    kind, speeds, found = JOINT_KINDS[key], mechanism.speeds.names, {}
    known = [each for each in mechanism.coordinates.names if f"{each}dot" in speeds]
    for joint, given in _entries(description, key):
        _refuse_other("joint", joint, known, {}, key, joint)
        if isinstance(given, Mapping):
            refuse_unknown(given, [each.name for each in fields(kind)], key, joint)
        found[joint] = _said(joint_record, kind, given, address=(key, joint))
    return found


def _refuse_missing(description: Mapping[str, Any]) -> None:
    if "mechanism" not in description:
        raise DescriptionError("expected `mechanism`; write for example mechanism: robot.urdf, contacts: {...}")
    if not any(key in description for key in ("contacts", "loops", *JOINT_KINDS)):
        raise DescriptionError("expected `contacts`, `loops`, `stops`, `dry_friction` or `motors`")


def refuse_unknown(given: Mapping[str, Any], keys: Sequence[str], *address: str) -> None:
    """Refuse a key that there is not, with the nearest one."""
    for key in given:
        if key not in keys:
            hint = nearest(str(key), keys) or f"; choose from: {', '.join(keys)}"
            raise DescriptionError(f"there is no such key{hint}", *address, key)


def _mapping(value: Any, *address: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        hint = f" or the word {WORDS[address[0]]}" if len(address) == 1 and address[0] in WORDS else ""
        raise DescriptionError(f"expected a mapping{hint}, found {value!r}", *address)
    return value


def _contact(name: str, given: Any, mechanism: Mechanism, planes: Mapping[str, Plane]) -> Patch | Disk:
    """Return a contact: a disk where it has a radius, a ball where it has a sphere."""
    where = "contacts", name
    kind, keys = next((SHAPES[key] for key in SHAPES if key in _mapping(given, *where)), (Patch, PATCH_KEYS))
    refuse_unknown(given, keys, *where)
    if "sphere" in given:
        if not isinstance(given["sphere"], list) or len(given["sphere"]) != BALL_NUMBERS:
            raise DescriptionError(f"expected [x, y, z, radius], found {given['sphere']!r}", *where, "sphere")
        *centre, radius = given["sphere"]
        given = {key: each for key, each in given.items() if key != "sphere"} | {"centre": centre, "radius": radius}
    _refuse_bodies(given, mechanism, *where)
    plane = given.get("plane", "ground")
    _refuse_other("plane", plane, [*planes], given, *where)
    contact: Patch | Disk = _said(kind, address=where, **{"name": name, **given, "plane": planes[plane]})
    return contact


def _refuse_bodies(given: Mapping[str, Any], mechanism: Mechanism, *address: str) -> None:
    bodies = [each.name for each in mechanism.bodies]
    _refuse_other("body", given.get("body"), bodies, given, *address)
    _refuse_other("on", given.get("on", WORLD), [WORLD, *bodies], given, *address)
    if given["body"] == given.get("on"):
        raise DescriptionError(f"it is the same body, {given['on']!r}; give another one, or the world", *address, "on")


def _refuse_other(key: str, word: Any, words: Sequence[str], given: Mapping[str, Any], *address: str) -> None:
    """Refuse a name that is none of those known, with the nearest one."""
    if word not in words:
        hint = nearest(str(word), words) or f"; choose from: {', '.join(words)}"
        what = {"on": "body", "impacts": "law of impacts"}.get(key, key)
        raise DescriptionError(f"there is no {what} {word!r}{hint}", *address, *([key] if key in given else []))


def _file(path: str) -> Path:
    """Return the file of a mechanism, without the variable behind it."""
    return Path(path.rpartition(":")[0] if ".py:" in path else path)


def read_mechanism(path: str, base: Any = None, ignore: Sequence[str] = ()) -> Mechanism:
    """Return the mechanism of a URDF or MJCF file, or of a variable in a Python file, `file.py:MECHANISM`.

    Raises
    ------
    DescriptionError
        If it cannot be read.
    """
    file, variable = _file(path), path.rpartition(":")[2] if ".py:" in path else "MECHANISM"
    if file.suffix not in (".py", *ROBOT_ENDINGS):
        raise DescriptionError(f"expected robot.urdf, robot.xml or file.py:MECHANISM, found {path!r}", "mechanism")
    if not file.is_file():
        raise DescriptionError(f"there is no file {file}", "mechanism")
    if file.suffix in ROBOT_ENDINGS:
        try:
            return load_mechanism(file, base=base or "fixed", ignore=ignore)
        except ModelError as problem:
            hint = IGNORE_HINT if "ignore=" in str(problem) else ""
            raise DescriptionError(f"{problem}{hint}", "mechanism") from None
    if base is not None:
        raise DescriptionError("it is for URDF files; the bodies of a Python file say themselves how they move", "base")
    module, hashes = execute(file)
    include_in_current(hashes)
    found = getattr(module, variable, None)
    if not isinstance(found, Mechanism):
        raise DescriptionError(f"{file} has no Mechanism {variable!r}", "mechanism")
    return found
