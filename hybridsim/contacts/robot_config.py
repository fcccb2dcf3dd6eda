"""A config of a robot on the soles, wheels and stops that its file suggests, as `hybridsim new --from` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybridsim.contacts.reading import read_mechanism, read_model
from hybridsim.contacts.robot_contacts import Entries, contacts_of, extras_of, stops_of
from hybridsim.errors import ModelError
from hybridsim.model.model import MAX_CHART_BITS
from hybridsim.multibody.joints import Prismatic, direction
from hybridsim.multibody.mechanism import Mechanism

CONFIG = """# {file}, with the contacts and the limits that its file suggests; what they touch is the ground, z = 0.
model:
  mechanism: {file}
{body}initial: {initial}
final_time: 2
"""

FRICTION = 0.8
"""Of the contacts of a URDF, which says nothing of it."""


UPRIGHT = 0.99
"""Least cosine of the angle between the vertical and a slide that lifts the robot."""


def config_of_robot(file: Path, written_as: str, moves: str = "planar") -> str:
    """Return the text of a config that runs a robot on the contacts which its file suggests.

    Parameters
    ----------
    file : Path
        A URDF or MJCF file.
    written_as : str
        The file as the config names it.
    moves : str
        How the root of a URDF moves: its `base`.

    Raises
    ------
    ModelError
        If it suggests none.
    """
    if not file.is_file():
        raise ModelError(f"{file}: cannot be read: there is no such file")
    base = {"base": moves} if file.suffix.lower() == ".urdf" else {}
    mechanism, extras, asked = _read(file, base)
    contacts, left_out = contacts_of(extras, mechanism)
    if not contacts:
        hint = "; ".join(["", *left_out])
        raise ModelError(f"{file}: no shape suggests a contact{hint}; write `contacts` yourself")
    contacts = {name: {**entry, "friction": entry.get("friction", FRICTION)} for name, entry in contacts.items()}
    stops = stops_of(mechanism)
    bits = 2 * len(extras.dry_friction()) if "dry_friction" in asked else 0
    bits += sum(side in stop for stop in stops.values() for side in ("lower", "upper"))
    chosen = _chosen(contacts, mechanism, MAX_CHART_BITS - bits)
    description = base | asked | {"contacts": chosen} | ({"stops": stops} if stops else {})
    read_model({"mechanism": str(file), **description})
    comments = [f"  # {name}: too many at once: {_flow(contacts[name])}" for name in contacts if name not in chosen]
    comments += [f"  # left out: {reason}" for reason in left_out]
    lines = [line for key, value in description.items() for line in _lines(key, value)]
    body = "".join(f"{line}\n" for line in [*lines, *comments])
    return CONFIG.format(file=written_as, body=body, initial=_flow(_initial(mechanism, stops)))


def _read(file: Path, base: Mapping[str, str]) -> tuple[Mechanism, Any, dict[str, Any]]:
    """Return the mechanism of a file, the rest of it, and what of this a config asks for or leaves out."""
    extras, asked = extras_of(file), dict[str, Any]()
    words = extras.gaps(base.get("base", "fixed"))
    for key, word in (("dry_friction", "frictionloss"), ("loops", "equality"), ("motors", "")):
        try:
            if getattr(extras, key)():
                asked[key] = "from_file"
                words = [each for each in words if each != word]
        except ModelError:
            continue
    if words:
        asked = {"ignore": words, **asked}
    return read_mechanism(str(file), base.get("base"), [*words, "frictionloss", "equality"]), extras, asked


def _chosen(contacts: Entries, mechanism: Mechanism, bits: int) -> Entries:
    """Return as many contacts as there are bits for in the chart, those of the last bodies of each limb first."""
    parents = {body.parent for body in mechanism.bodies}
    left, chosen = bits, list[str]()
    for name in sorted(contacts, key=lambda name: contacts[name]["body"] in parents):
        needed = 2 + len(contacts[name].get("points", "1"))
        if needed <= left:
            left -= needed
            chosen.append(name)
    return {name: entry for name, entry in contacts.items() if name in chosen}


def _initial(mechanism: Mechanism, stops: Entries) -> dict[str, Any]:
    """Return a height at which the robot touches, and coordinates between their stops."""
    names = mechanism.coordinates.names
    slides = (body.joint for body in mechanism.bodies if isinstance(body.joint, Prismatic))
    heights = (
        ["base_z"]
        if "base_z" in names
        else [f"{each[:-3]}_z" for each in names if each.endswith("_qw") and f"{each[:-3]}_z" in names]
        or [each.name for each in slides if abs(direction(each.name, each.axis)[2]) > UPRIGHT]
    )
    initial: dict[str, Any] = dict.fromkeys(heights[:1], "touching")
    for joint, limits in stops.items():
        lower, upper = (limits.get(side, sign * float("inf")) for side, sign in (("lower", -1), ("upper", 1)))
        if not lower < 0.0 < upper:
            initial[joint] = 0.5 * (max(lower, upper - 1.0) + min(upper, lower + 1.0))
    return initial


def _lines(key: str, value: Any) -> list[str]:
    """Return lines of a mapping under `model`: each entry of contacts and stops has its own."""
    if key in ("contacts", "stops"):
        return [f"  {key}:", *(f"    {name}: {_flow(entry)}" for name, entry in value.items())]
    return [f"  {key}: {_flow(value)}"]


def _flow(value: Any) -> str:
    """Return plain data as YAML in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return value if isinstance(value, str) else f"{value:.12g}"
