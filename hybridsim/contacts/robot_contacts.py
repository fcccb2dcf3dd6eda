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

SAME = 1e-9
"""Difference of places that is none, as a fraction of the size of a mesh."""

MOST_VERTICES = 8
"""Most vertices of a mesh that are kept, unless one says otherwise."""

Entries = dict[str, dict[str, Any]]
"""Contacts, stops and so on by name, each as a config has it."""


def found_in(file: Path, key: str, mechanism: Mechanism, vertices: int = MOST_VERTICES) -> tuple[Entries, list[str]]:
    """Return what a robot's file says of a key of a description, and what of its shapes is left out.

    The keys are contacts, loops, stops, dry_friction and motors.

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
        found, left_out = (
            contacts_of(extras, mechanism, vertices) if key == "contacts" else (getattr(extras, key)(), [])
        )
    if not found:
        what = {"contacts": "shape that suggests a contact", "stops": "joint with limits", "loops": "<connect>"}
        hint = "; ".join([what.get(key, key.replace("_", " ")), *left_out])
        raise ModelError(f"{file.name} has no {hint}; write `{key}` yourself")
    return found, left_out


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


def contacts_of(extras: Any, mechanism: Mechanism, vertices: int = MOST_VERTICES) -> tuple[Entries, list[str]]:
    """Return the contacts that shapes suggest, and what of them is left out, and why.

    Parameters
    ----------
    extras : Extras
        The robot's file.
    mechanism : Mechanism
        Its mechanism; shapes on what does not move are left out.
    vertices : int
        Most vertices of a mesh that are kept, of those of its convex hull.
    """
    found, left_out = [], list(extras.unread)
    friction_said = extras.file.suffix == ".xml"
    shapes = [each for each in extras.shapes() if _moves(mechanism, each.body)]
    in_space = any(leaves(mechanism, each.body, each.place) for each in shapes)
    for shape in shapes:
        if shape.kind == "mesh":
            ends, beyond = _corners(shape, in_space, vertices)
            left_out += [f"of the mesh of {shape.body!r}, {beyond}"] if beyond else []
        else:
            ends = list(_ends_in_space(shape) if in_space else _ends(shape))
        found += [(shape.body, {**end, "friction": shape.friction} if friction_said else end) for end in ends]
        if not ends and shape.kind != "mesh":
            why = "is turned out of the x-z plane, or is" if not in_space else "is"
            left_out.append(f"the {shape.kind} of {shape.body!r}, which {why} of a kind that suggests no contact")
    counts, seen, named = Counter(body for body, _ in found), Counter[str](), {}
    for body, entry in found:
        seen[body] += 1
        named[body if counts[body] == 1 else f"{body}_{seen[body]}"] = {"body": body, **entry}
    return named, left_out


def _corners(shape: Any, in_space: bool, most: int) -> tuple[list[dict[str, Any]], str]:
    """Return the corners of a mesh's convex hull as points, at most so many, and what is said of the others.

    In the plane, it is the hull of what is seen along y. Kept are the lowest corner, and again and again the one that
    is farthest outside of the hull of those kept.
    """
    seen = shape.size @ shape.world_axes.T
    seen = seen if in_space else seen[:, ::2]
    scale = np.abs(seen).max() or 1.0
    kept = [int(np.argmin(seen[:, -1]))]
    while (outside := _outside(seen, kept)).max() > SAME * scale and len(kept) < most:
        kept.append(int(np.argmax(outside)))
    left = float(outside.max())
    corners = shape.place + shape.size[kept] @ shape.axes.T
    ends = [{"points": [_plain(corner)]} for corner in corners]
    if left <= SAME * scale:
        return ends, ""
    return ends, (
        f"{len(kept)} corners of its convex hull are kept, and the others are up to {left:.2g} m outside; "
        f"more with from_geometry: {{vertices: {2 * most}}}, 3 bits of the chart each"
    )


def _outside(points: FloatArray, kept: Sequence[int]) -> FloatArray:
    """Return how far points are outside of the convex hull of those that are kept, which may be flat."""
    base, spanned, away = points[kept[0]], np.zeros((0, points.shape[1])), points - points[kept[0]]
    for k in kept[1:]:
        rest = (points[k] - base) - spanned.T @ (spanned @ (points[k] - base))
        if np.linalg.norm(rest) > SAME * np.abs(away).max() and len(spanned) < points.shape[1]:
            spanned = np.vstack([spanned, rest / np.linalg.norm(rest)])
    if len(spanned) < points.shape[1]:  # what leads out of the line or plane of those kept, first
        out: FloatArray = np.linalg.norm(away - away @ spanned.T @ spanned, axis=1)
        if out.max() > SAME * np.abs(away).max():
            return out
        points, spanned = away @ spanned.T, np.eye(len(spanned))
    if points.shape[1] == 1:
        line = points[list(kept), 0]
        return np.maximum(points[:, 0] - line.max(), line.min() - points[:, 0])
    hull: Any = importlib.import_module("scipy.spatial").ConvexHull  # most robots need it not
    faces = hull(points[list(kept)]).equations
    found: FloatArray = (points @ faces[:, :-1].T + faces[:, -1]).max(axis=1)
    return found


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
    """Return what of a shape touches in space: a ball, two ends, the lower side of a box, the rims of a cylinder."""
    radius, axis, down = float(shape.size[0]), shape.axes[:, 2], np.abs(shape.world_axes[2])
    if shape.kind == "sphere":
        return [{"sphere": _plain([*shape.place, radius])}]
    if shape.kind == "capsule":
        return [{"sphere": _plain([*(shape.place + sign * shape.size[1] * axis), radius])} for sign in (-1.0, 1.0)]
    if shape.kind == "cylinder" and down[2] < UPRIGHT:
        rims = [shape.place + sign * shape.size[1] * axis for sign in (-1.0, 1.0)]
        return [{"radius": radius, "centre": _plain(rim), "axis": _plain(axis)} for rim in rims]
    if shape.kind not in ("box", "cylinder"):
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


def with_found(
    description: Mapping[str, Any], key: str, word: str, file: Path, mechanism: Mechanism
) -> tuple[Any, list[str]]:
    """Return what a description has under a key, with what the word in it asks for; and what is left out of that.

    The word stands alone, or is a key beside others; what it maps to, as a restitution, holds for all that is found.
    """
    given = description.get(key, {})
    own = {name: value for name, value in given.items() if name != word} if isinstance(given, Mapping) else {}
    settings = (given[word] or {}) if isinstance(given, Mapping) else {}
    if file.suffix == ".py" and key != "stops":
        raise ModelError(f"{word} reads a URDF or MJCF file, and {file.name} is a Python file; write `{key}` yourself")
    if not isinstance(settings, Mapping):
        raise ModelError(f"{word}: expected a mapping of what holds for all that is found, not {settings!r}")
    most, settings = settings.get("vertices", MOST_VERTICES), {**settings}
    if key == "contacts":
        settings.pop("vertices", None)
    if not (isinstance(most, int) and most > 0):
        raise ModelError(f"{word}: vertices is how many corners of a mesh are kept at most, not {most!r}")
    found, left_out = found_in(file, key, mechanism, most)
    if key == "contacts" and any("friction" not in {**each, **settings} for each in found.values()):
        raise ModelError(f"a URDF says nothing of friction; write contacts: {{{word}: {{friction: 0.8}}}}")
    return {**{name: {**entry, **settings} for name, entry in found.items()}, **own}, left_out
