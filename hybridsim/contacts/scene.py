"""Scenes of mechanisms with contacts: points whose shapes and colours tell whether they hold, slip or are open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hybridsim.contacts import description
from hybridsim.contacts.assembly import Assembly, Places, axis_of
from hybridsim.contacts.contact_rows import Round, circle_axes, lowest
from hybridsim.contacts.description import MOST_POINTS, Circle, Disk, Plane, point_names
from hybridsim.contacts.ground_rows import axes_at, find_foot
from hybridsim.contacts.layout import HOLDS, PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z
from hybridsim.contacts.soft import SOFT_BITS
from hybridsim.contacts.soft_tables import soft_bit
from hybridsim.contacts.terrain import Terrain, heights_at
from hybridsim.model import scene
from hybridsim.model.poses import HIDDEN, between, placed
from hybridsim.model.shapes import Arrow, Box, Capsule, Cylinder, Shape, Sphere
from hybridsim.model.table import Records
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.scene import (
    LINK,
    LINK_COLOUR,
    MechanismScene,
    capsule_pose,
    frames_of,
    named_apart,
    scene_of,
    size_of,
)
from hybridsim.multibody.vectors import ZERO, Vector
from hybridsim.typing import FloatArray

STATES = {"open": "#b8bec5", "holds": "#2a9d55", "slips": "#e07b00"}
"""What a point does, with its colour: a ball, a cube that stands on the plane, a disk that lies on it."""

STATE_OF_SOFT = (0, 1, 2, 2, 2, 0, 0, 0)
"""The state that each number in the chart of a soft point is."""

SLIPPING = 2
"""The number of the state that slips."""

PER_POINT = 5
"""Bodies of a point: one for each state, its arm or disk, its force; a disk has spokes, so that one sees it roll."""

RADIUS, SLIP_RADIUS, SLIP_HEIGHT, ARROW, FORCE_COLOUR = 0.04, 0.07, 0.02, 0.012, "#c0392b"
"""Half width of a point, radius and height of one that slips, radius of an arrow: fractions of the mechanism's size."""

WEIGHT_LENGTH = 0.8
"""Length of an arrow for a force as large as the weight, as a fraction of the mechanism's size."""

DISK_WIDTH, SPOKE_WIDTH, SPOKE_HEIGHT, SPOKE_COLOUR = 0.04, 0.05, 0.12, "#46515c"
"""Widths of a disk and of its spokes, as fractions of the mechanism's size; their height, of the radius."""


def contact_scene(made: Assembly, places: Places, names: Sequence[str]) -> MechanismScene:
    """Make the scene of a mechanism with contacts.

    Parameters
    ----------
    made : Assembly
        The mechanism and its contacts.
    places : Places
        Where their numbers are in p.
    names : sequence of str
        Names of the model's outputs.
    """
    mechanism: Any = made.system
    points = [(contact.body, place) for contact in made.all_contacts for place in contact.points]
    whole, size = scene_of(mechanism, points=points, shaped=_shaped(made, mechanism)), size_of(mechanism)
    weight = sum(body.mass for body in mechanism.bodies) * float(np.linalg.norm(mechanism.gravity)) or 1.0
    per_newton = WEIGHT_LENGTH * size / weight
    planes, radii, circles = places.planes, places.radii, [each for each in made.planes if isinstance(each[0], Circle)]
    if places.soft:
        planes, radii = [*planes, *places.soft.planes], [*radii, *places.soft.radii]

    def poses(T, t, x, p, chart, y):
        whole.poses(T, t, x, p, chart)
        frames, first = frames_of(mechanism, x), len(whole.scene.bodies)
        touches = _touches(made, dict(zip(names, y.tolist(), strict=True)), chart)
        for j, contact in enumerate(made.all_contacts):
            frame, on = (frames[getattr(mechanism.frames, body)] for body in (contact.body, contact.on))
            shape = _round_of(frame, contact, axis_of(made, contact), p[radii[j] :])
            for place in contact.points:
                centre = frame[:3, :3] @ place + frame[:3, 3]
                axes = _axes(on, contact.plane, centre, p[planes[j] :], made.tangents == 2)
                if isinstance(contact.plane, Terrain):
                    axes = _ground_axes(contact.plane, planes[j], centre, shape, p, made.tangents)
                here = centre + lowest(shape, Vector(*axes[0]))
                state, forces = next(touches)
                T[first : first + 3] = HIDDEN
                T[first + state] = _mark(here, axes, SLIP_HEIGHT * size if state == SLIPPING else 1.0)
                T[first + 3] = _carrier(mechanism, contact, frame, place, size)
                push = sum(each * axis for each, axis in zip(forces, axes, strict=False))
                T[first + 4] = between(here, here + per_newton * push)
                first += PER_POINT
                if _rolls(contact):
                    T[first] = placed(centre, frame[:3, :3] @ _wheel_axes(contact)) if T[first - 2].any() else HIDDEN
                    first += 1
        for k, (plane, on) in enumerate(circles):
            j = [(each.plane, each.on) for each in made.all_contacts].index((plane, on))
            T[first + k] = _circle_pose(frames[getattr(mechanism.frames, on)], p[planes[j] :], DISK_WIDTH * size)

    drawn = [*_drawn(mechanism, made.all_contacts, size), *(_circle(each) for each, _ in circles)]
    bodies = Records(*named_apart([*whole.scene.bodies, *drawn]))
    look: dict[str, Any] = {"ground": _ground_of(made, planes), "camera": whole.scene.camera}
    return MechanismScene(scene.Scene(bodies, **look, newtons_per_metre=lambda _: 1.0 / per_newton), poses)


def _ground_axes(
    ground: Terrain, at: int, centre: FloatArray, shape: Round, p: FloatArray, tangents: int
) -> list[FloatArray]:
    """Return the normal of a terrain below a place and its tangents; its parameters begin there in p."""
    heading = p[at + PLANE_HEADING] if tangents == 2 else 0.0
    return [np.array(each) for each in axes_at(find_foot(ground, at, centre, shape, p, tangents), heading)]


def _shaped(made: Assembly, mechanism: Mechanism) -> set[str]:
    """Return the bodies whose disk, ball or circle says their shape: all of the mass has room in it."""
    rounds = [(each.body, each.centre, each.radius) for each in made.all_contacts if isinstance(each, Disk)]
    rounds += [(on, (each.x, 0.0, each.z), each.radius) for each, on in made.planes if isinstance(each, Circle)]
    bodies = {body.name: body for body in mechanism.bodies}
    return {name for name, centre, radius in rounds if name != WORLD and _has_room(bodies[name], centre, radius)}


def _has_room(body: Any, centre: Sequence[float], radius: float) -> bool:
    """Return whether the moments of inertia about a centre are at most those of a ring, but for rounding."""
    way = np.subtract(centre, body.centre)
    return bool(np.linalg.eigvalsh(body.inertia_matrix())[-1] <= body.mass * (1.000001 * radius**2 - way @ way))


def _wheel_axes(disk: Any) -> FloatArray:
    """Return axes in a body of which the second is that of a disk."""
    axis = np.asarray(disk.axis, float) / np.linalg.norm(disk.axis)
    across = np.cross(axis, (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0))
    across /= np.linalg.norm(across)
    return np.stack([across, axis, np.cross(across, axis)], axis=1)


def _circle_pose(frame: FloatArray, p: FloatArray, width: float) -> FloatArray:
    """Return the pose of a circle in a frame; its place comes first in p."""
    ends = [frame[:3, :3] @ (p[PLANE_X], side * width, p[PLANE_Z]) + frame[:3, 3] for side in (-0.5, 0.5)]
    return between(*ends)


def _circle(circle: Any) -> scene.Body:
    """Return the body of a circle: one whose inside is free is all but transparent."""
    opacity = 0.2 if circle.hollow else 0.5
    return scene.Body(f"{circle.name}_circle", Cylinder(circle.radius), LINK_COLOUR, opacity)


def _ground_of(made: Assembly, planes: Sequence[int]) -> scene.Ground | None:
    """Return what is drawn of the ground, if a contact meets it."""
    for contact, at in zip(made.all_contacts, planes, strict=True):
        if contact.on == WORLD and contact.plane.name == "ground":
            return _ground(contact.plane, at, made.tangents)
    return None


def _touches(made: Assembly, outputs: Mapping[str, float], chart: int) -> Iterator[tuple[int, Sequence[float]]]:
    """Yield of each point its state, as a number, and the forces on it along normal and tangents."""
    bit, tangents = 0, ("tangential", "lateral")[: made.tangents]
    for contact in made.contacts:
        slip, load = (chart >> (bit + contact.n_points)) & 3, outputs[f"{contact.name}_normal"]
        shares = [1.0, *(outputs[f"{contact.name}_{each}"] / load if load else 0.0 for each in tangents)]
        pressures = np.array([outputs[f"{point}_force"] for point in point_names(contact)])
        for k, pressure in enumerate(_loads(pressures) if made.tangents == 2 else pressures):
            state = (1 if slip == HOLDS else 2) if (chart >> (bit + k)) & 1 else 0
            yield state, [(pressure if state else 0.0) * share for share in shares]
        bit += contact.n_points + 2
    n = sum(each.n_points for each in made.soft)
    for i, point in enumerate(made.soft_part.points[:n]):
        state = STATE_OF_SOFT[(chart >> (soft_bit(made) + SOFT_BITS * i)) & 7]
        yield state, [outputs[f"{point}_{each}"] for each in ("normal", *tangents)]


def _mark(place: FloatArray, axes: Sequence[FloatArray], height: float) -> FloatArray:
    """Return the pose of the mark of a point on a plane, whose normal and tangent come first."""
    normal, tangent = axes[:2]
    turn = np.stack([tangent, np.cross(normal, tangent), normal], axis=1)
    return placed(place, turn, scale=(1.0, 1.0, height))


def _round_of(frame: FloatArray, contact: Any, axis: FloatArray, p: FloatArray) -> Round:
    """Return what touches; its radius, and the tyre of a wheel, come first in p."""
    radius = float(p[0]) if isinstance(contact, Disk) else 0.0
    tube = float(p[1]) if axis.any() else radius
    return Round(Vector(*(frame[:3, :3] @ axis)), ZERO, radius - tube, tube)


def _axes(on: FloatArray, ground: Plane, centre: FloatArray, p: FloatArray, in_space: bool) -> list[FloatArray]:
    """Return the normal of a plane or circle that is fixed to a frame, its tangent, and the level one to the left."""
    if isinstance(ground, Circle):
        away = centre - on[:3, :3] @ (p[PLANE_X], 0.0, p[PLANE_Z]) - on[:3, 3]
        axes, _ = circle_axes(-1.0 if ground.hollow else 1.0, Vector(*away), ZERO)
        return [np.array(each) for each in axes]
    sine, cosine = np.sin(p[PLANE_SLOPE]), np.cos(p[PLANE_SLOPE])
    x, y = (np.cos(p[PLANE_HEADING]), np.sin(p[PLANE_HEADING])) if in_space else (1.0, 0.0)
    return [
        on[:3, :3] @ each for each in ((-sine * x, -sine * y, cosine), (cosine * x, cosine * y, sine), (-y, x, 0.0))
    ]


def _loads(pressures: FloatArray) -> FloatArray:
    """Return the normal forces of the points of a contact; of four, whose outputs are those at edges, shares of all."""
    if len(pressures) < MOST_POINTS or not (pressures > 0.0).all():
        return pressures
    shares: FloatArray = np.roll(pressures, -1) * np.roll(pressures, -2)
    return shares * (pressures[0] + pressures[2]) / shares.sum()


def _drawn(mechanism: Mechanism, contacts: Sequence[Any], size: float) -> Iterator[scene.Body]:
    """Yield the bodies of each point, PER_POINT of them."""
    points = [(contact, place) for contact in contacts for place in contact.points]
    for i, (contact, place) in enumerate(points):
        name, arm = f"{contact.name}_{i}", float(np.linalg.norm(_arm(mechanism, contact, place)))
        side = 2.0 * RADIUS * size
        marks: tuple[Shape, ...] = (Sphere(0.5 * side), Box((side, side, side)), Cylinder(SLIP_RADIUS * size))
        for (what, colour), mark in zip(STATES.items(), marks, strict=True):
            yield scene.Body(f"{name}_{what}", mark, colour, kind="contact")
        disk, kind = isinstance(contact, Disk), Sphere if isinstance(contact, description.Sphere) else Cylinder
        shape = kind(contact.radius) if disk else Capsule(LINK * size, arm or size)
        yield scene.Body(f"{name}_{'disk' if disk else 'arm'}", shape, LINK_COLOUR, 0.5 if disk else 1.0)
        yield scene.Body(f"{name}_force", Arrow(ARROW * size), FORCE_COLOUR, kind="force")
        if _rolls(contact):
            spokes = Box((2.0 * contact.radius, SPOKE_WIDTH * size, SPOKE_HEIGHT * contact.radius))
            yield scene.Body(f"{name}_spokes", spokes, SPOKE_COLOUR)


def _rolls(contact: Any) -> bool:
    """Return whether a contact is a disk: that of a sphere is one, too, but is drawn as a ball."""
    return isinstance(contact, Disk) and not isinstance(contact, description.Sphere)


def _arm(mechanism: Mechanism, contact: Any, place: Sequence[float]) -> FloatArray:
    """Return the way from the centre of mass of a contact's body to one of its points, in the body's axes."""
    (centre,) = (body.centre for body in mechanism.bodies if body.name == contact.body)
    return np.subtract(place, centre)


def _carrier(mechanism: Mechanism, contact: Any, frame: FloatArray, place: Any, size: float) -> FloatArray:
    """Return the pose of what carries a point: a disk, an arm from the centre of mass; none if the body has looks."""
    if any(body.looks for body in mechanism.bodies if body.name == contact.body):
        return HIDDEN
    end = frame[:3, :3] @ place + frame[:3, 3]
    if isinstance(contact, description.Sphere):
        return placed(end)
    if isinstance(contact, Disk):
        axis = frame[:3, :3] @ contact.axis / np.linalg.norm(contact.axis)
        half = max(0.5 * DISK_WIDTH * size, contact.tyre) * axis
        return between(end - half, end + half)
    arm = frame[:3, :3] @ _arm(mechanism, contact, place)
    return capsule_pose(end - arm, end) if arm.any() else HIDDEN


def _ground(plane: Plane, first: int, tangents: int) -> scene.Ground:
    """Return the ground that is a plane, or a terrain above it; in the plane it is the same for every y."""

    def height(x, y, p):
        heading = p[first + PLANE_HEADING] if tangents == 2 else 0.0
        along = (x - p[first + PLANE_X]) * np.cos(heading) + y * np.sin(heading)
        flat = p[first + PLANE_Z] + along * np.tan(p[first + PLANE_SLOPE])
        if not isinstance(plane, Terrain):
            return flat
        return flat + heights_at(
            plane, x - p[first + PLANE_X] + 0.0 * y, y * (tangents - 1) + 0.0 * x, p, first + 2 + tangents
        )

    return scene.Ground(height)
