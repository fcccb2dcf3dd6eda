"""What the file of a robot suggests, on request: soles, disks, stops, dry friction, motors and loops."""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.contacts.assembly import leaves
from hybridsim.errors import ModelError
from hybridsim.multibody.joints import Fixed
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.typing import FloatArray

UPRIGHT = math.sqrt(0.5)
"""Least cosine of the angle between the vertical and the axis of an upright cylinder in space."""

IN_PLANE = 1e-9
"""Sine of the largest angle by which an axis may leave the x-z plane, or the direction y."""

Entries = dict[str, dict[str, Any]]
"""Contacts, stops and so on by name, each as a config has it."""


def found_in(file: Path, key: str, mechanism: Mechanism) -> Entries:
    """Return what a robot's file says of a key of a description: contacts, loops, stops, dry_friction or motors.

    Raises
    ------
    ModelError
        If it says nothing of it, or what cannot be represented.
    """
    left_out: list[str] = []
    if key == "stops":
        found = stops_of(mechanism)
    else:
        extras = extras_of(file)
        found, left_out = contacts_of(extras, mechanism) if key == "contacts" else (getattr(extras, key)(), [])
    if not found:
        what = {"contacts": "shape that suggests a contact", "stops": "joint with limits", "loops": "<connect>"}
        hint = "; ".join([what.get(key, key.replace("_", " ")), *left_out])
        raise ModelError(f"{file.name} has no {hint}; write `{key}` yourself")
    return found


def extras_of(file: Path) -> Any:
    """Return all that a robot's file says; MuJoCo, which reads it, is optional."""
    return importlib.import_module("hybridsim.multibody.robot_extras").Extras(file)


def stops_of(mechanism: Mechanism) -> Entries:
    """Return the limits of joints."""
    found = {}
    for body in mechanism.bodies:
        joints: Sequence[Any] = getattr(body.joint, "joints", (body.joint,))
        for joint in joints:
            limits = {side: getattr(joint, side, np.inf) for side in ("lower", "upper")}
            limits = {side: limit for side, limit in limits.items() if np.isfinite(limit)}
            if limits and limits.get("lower", -np.inf) < limits.get("upper", np.inf):
                found[joint.name] = limits
    return found


def contacts_of(extras: Any, mechanism: Mechanism) -> tuple[Entries, list[str]]:
    """Return the contacts that shapes suggest, and why others suggest none.

    Parameters
    ----------
    extras : Extras
        The robot's file.
    mechanism : Mechanism
        Its mechanism; shapes on what does not move are left out.
    """
    found, left_out = [], [f"{extras.n_meshes} shapes are meshes"] if extras.n_meshes else []
    friction_said = extras.file.suffix == ".xml"
    shapes = [each for each in extras.shapes() if _moves(mechanism, each.body)]
    in_space = any(leaves(mechanism, each.body, each.place) for each in shapes)
    for shape in shapes:
        ends = list(_ends_in_space(shape) if in_space else _ends(shape))
        found += [(shape.body, {**end, "friction": shape.friction} if friction_said else end) for end in ends]
        if not ends:
            why = "lies" if in_space and shape.kind == "cylinder" else "is turned out of the x-z plane"
            left_out.append(f"the {shape.kind} of {shape.body!r} {why}, or is of another kind")
    counts, seen, named = Counter(body for body, _ in found), Counter[str](), {}
    for body, entry in found:
        seen[body] += 1
        named[body if counts[body] == 1 else f"{body}_{seen[body]}"] = {"body": body, **entry}
    return named, left_out


def _moves(mechanism: Mechanism, name: str) -> bool:
    """Return whether a joint from a body down to the world moves."""
    bodies = {body.name: body for body in mechanism.bodies}
    while name in bodies and isinstance(bodies[name].joint, Fixed):
        name = bodies[name].parent
    return name in bodies


def _ends(shape: Any) -> list[dict[str, Any]]:
    """Return what of a shape touches in the plane: a disk, two ends, a lower edge; nothing if it is turned."""
    radius, axis = float(shape.size[0]), shape.world_axes[:, 2]
    along = abs(axis[1]) < IN_PLANE
    if shape.kind == "sphere" or (shape.kind in ("cylinder", "capsule") and np.hypot(axis[0], axis[2]) < IN_PLANE):
        return [{"radius": radius, "centre": _plain(shape.place)}]
    if shape.kind == "capsule" and along:
        half = shape.size[1] * shape.axes[:, 2]
        return [{"radius": radius, "centre": _plain(shape.place + sign * half)} for sign in (-1.0, 1.0)]
    if shape.kind == "cylinder" and along:
        across = np.cross((0.0, 1.0, 0.0), axis)
        body_from_world = shape.axes @ shape.world_axes.T
        sides = [(radius * across, radius * body_from_world @ across)]
        return [_lower_edge(shape.place, [*sides, (shape.size[1] * axis, shape.size[1] * shape.axes[:, 2])])]
    in_plane = [i for i in range(3) if abs(shape.world_axes[1, i]) < IN_PLANE]
    if shape.kind == "box" and len(in_plane) == 2:
        sides = [(shape.size[i] * shape.world_axes[:, i], shape.size[i] * shape.axes[:, i]) for i in in_plane]
        return [_lower_edge(shape.place, sides)]
    return []


def _ends_in_space(shape: Any) -> list[dict[str, Any]]:
    """Return what of a shape touches in space: a ball, two ends, the lower side of a box, the rim of a cylinder."""
    radius, axis, down = float(shape.size[0]), shape.axes[:, 2], np.abs(shape.world_axes[2])
    if shape.kind == "sphere":
        return [{"sphere": _plain([*shape.place, radius])}]
    if shape.kind == "capsule":
        return [{"sphere": _plain([*(shape.place + sign * shape.size[1] * axis), radius])} for sign in (-1.0, 1.0)]
    if shape.kind not in ("box", "cylinder") or (shape.kind == "cylinder" and down[2] < UPRIGHT):
        return []
    k = int(np.argmax(down)) if shape.kind == "box" else 2
    low = shape.size[k if shape.kind == "box" else 1] * shape.axes[:, k] * np.sign(shape.world_axes[2, k])
    a, b = shape.axes[:, (k + 1) % 3], shape.axes[:, (k + 2) % 3]
    if shape.kind == "box":
        a, b = shape.size[(k + 1) % 3] * a, shape.size[(k + 2) % 3] * b
        a, b = a + b, b - a
    else:
        a, b = radius * a, radius * b
    return [{"points": [_plain(shape.place - low + each) for each in (a, b, -a, -b)]}]


def _lower_edge(place: FloatArray, sides: list[tuple[FloatArray, FloatArray]]) -> dict[str, Any]:
    """Return heel and toe of the side that looks down most, of half sides in the world's and in the body's axes."""
    (down, other) = sorted(sides, key=lambda side: abs(side[0][2]) / np.linalg.norm(side[0]), reverse=True)
    below = place - np.sign(down[0][2]) * down[1]
    forward = np.sign(other[0][0]) * other[1]
    return {"points": [_plain(below - forward), _plain(below + forward)]}


def _plain(place: FloatArray | list[float]) -> list[float]:
    return [round(float(each), 12) + 0.0 for each in place]


def with_found(description: Mapping[str, Any], key: str, word: str, file: Path, mechanism: Mechanism) -> Any:
    """Return what a description has under a key, with what the word in it asks for.

    The word stands alone, or is a key beside others; what it maps to, as a restitution, holds for all that is found.
    """
    given = description.get(key, {})
    if given != word and not (isinstance(given, Mapping) and word in given):
        return given
    own = {name: value for name, value in given.items() if name != word} if isinstance(given, Mapping) else {}
    settings = (given[word] or {}) if isinstance(given, Mapping) else {}
    if file.suffix == ".py" and key != "stops":
        raise ModelError(f"{word} reads a URDF or MJCF file, and {file.name} is a Python file; write `{key}` yourself")
    found = found_in(file, key, mechanism)
    if key == "contacts" and any("friction" not in {**each, **settings} for each in found.values()):
        raise ModelError(f"a URDF says nothing of friction; write contacts: {{{word}: {{friction: 0.8}}}}")
    if not isinstance(settings, Mapping):
        raise ModelError(f"{word}: expected a mapping of what holds for all that is found, not {settings!r}")
    return {**{name: {**entry, **settings} for name, entry in found.items()}, **own}
