"""Scenes of mechanisms with contacts: points whose colours say whether they hold, slip or are open; forces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hybridsim.contacts import description
from hybridsim.contacts.assembly import Assembly, Places
from hybridsim.contacts.description import MOST_POINTS, Disk
from hybridsim.contacts.layout import HOLDS, PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z
from hybridsim.model import scene
from hybridsim.model.poses import HIDDEN, between, placed
from hybridsim.model.shapes import Arrow, Capsule, Cylinder, Sphere
from hybridsim.model.table import Records
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.scene import LINK, LINK_COLOUR, MechanismScene, capsule_pose, frames_of, scene_of, size_of
from hybridsim.typing import FloatArray, Function

STATES = {"open": "#b8bec5", "holds": "#2a9d55", "slips": "#e07b00"}
"""What a point does, with its colour."""

PER_POINT = 5
"""Bodies of a point: one for each state, its arm or disk, its force."""

RADIUS, ARROW, FORCE_COLOUR = 0.03, 0.012, "#c0392b"
"""Radius of a point and of an arrow, as fractions of the mechanism's size."""

WEIGHT_LENGTH = 0.8
"""Length of an arrow for a force as large as the weight, as a fraction of the mechanism's size."""

DISK_WIDTH = 0.04
"""Width of a disk, as a fraction of the mechanism's size."""


def contact_scene(made: Assembly, places: Places, outputs: Function, names: Sequence[str]) -> MechanismScene:
    """Make the scene of a mechanism with contacts.

    Parameters
    ----------
    made : Assembly
        The mechanism and its contacts.
    places : Places
        Where their numbers are in p.
    outputs : callable
        The outputs of the model.
    names : sequence of str
        Their names.
    """
    mechanism: Any = made.system
    whole, size = scene_of(mechanism), size_of(mechanism)
    n_own, at_forces = len(whole.scene.bodies), len(made.coordinates) + len(made.speeds)
    weight = sum(body.mass for body in mechanism.bodies) * float(np.linalg.norm(mechanism.gravity)) or 1.0
    per_newton, in_space = WEIGHT_LENGTH * size / weight, made.tangents == 2
    lateral = names.index(f"{made.contacts[0].name}_lateral") if in_space else len(names)

    def poses(T, t, x, p, chart):
        whole.poses(T, t, x, p, chart)
        frames, y, bit, i = frames_of(mechanism, x), np.zeros(len(names) + 1), 0, 0
        outputs(y, t, x, p, chart)
        normals = y[at_forces + 3 * len(made.contacts) + 1 :: 2]
        for j, contact in enumerate(made.contacts):
            slip = (chart >> (bit + contact.n_points)) & 3
            frame, on = (frames[getattr(mechanism.frames, body)] for body in (contact.body, contact.on))
            axes = _axes(on, p[places.planes[j] :], in_space)
            load, along = y[at_forces + 3 * j : at_forces + 3 * j + 2]
            across = (
                axes[1] * (along / load) + axes[2] * (y[lateral + 3 * j * in_space] / load) if load else np.zeros(3)
            )
            loads = _loads(normals[i : i + contact.n_points]) if in_space else normals[i:]
            reach = float(p[places.radii[j]]) if isinstance(contact, Disk) else 0.0
            for k, place in enumerate(contact.points):
                down = (chart >> (bit + k)) & 1
                centre = frame[:3, :3] @ place + frame[:3, 3]
                here = centre - reach * axes[0]
                force = loads[k] * (axes[0] + across) if down else np.zeros(3)
                state = (1 if slip == HOLDS else 2) if down else 0
                first = n_own + PER_POINT * i
                for s in range(3):
                    T[first + s] = placed(here) if s == state else HIDDEN
                T[first + 3] = _carrier(mechanism, contact, frame, place, size)
                T[first + 4] = between(here, here + per_newton * force)
                i += 1
            bit += contact.n_points + 2

    bodies = Records(*whole.scene.bodies, *_drawn(mechanism, made.contacts, size))
    at_planes = zip(made.contacts, places.planes, strict=True)
    planes = {each.plane.name: at for each, at in at_planes if each.on == WORLD}
    return MechanismScene(scene.Scene(bodies, ground=_ground(planes, in_space), camera=whole.scene.camera), poses)


def _axes(on: FloatArray, plane: FloatArray, in_space: bool) -> list[FloatArray]:
    """Return the normal of a plane that is fixed to a frame, its tangent, and the level one to the left of it."""
    sine, cosine = np.sin(plane[PLANE_SLOPE]), np.cos(plane[PLANE_SLOPE])
    x, y = (np.cos(plane[PLANE_HEADING]), np.sin(plane[PLANE_HEADING])) if in_space else (1.0, 0.0)
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
        for what, colour in STATES.items():
            yield scene.Body(f"{name}_{what}", Sphere(RADIUS * size), colour)
        disk, kind = isinstance(contact, Disk), Sphere if isinstance(contact, description.Sphere) else Cylinder
        shape = kind(contact.radius) if disk else Capsule(LINK * size, arm or size)
        yield scene.Body(f"{name}_{'disk' if disk else 'arm'}", shape, LINK_COLOUR, 0.5 if disk else 1.0)
        yield scene.Body(f"{name}_force", Arrow(ARROW * size), FORCE_COLOUR, kind="force")


def _arm(mechanism: Mechanism, contact: Any, place: Sequence[float]) -> FloatArray:
    """Return the way from the centre of mass of a contact's body to one of its points, in the body's axes."""
    (centre,) = (body.centre for body in mechanism.bodies if body.name == contact.body)
    return np.subtract(place, centre)


def _carrier(mechanism: Mechanism, contact: Any, frame: FloatArray, place: Any, size: float) -> FloatArray:
    """Return the pose of what carries a point: the disk, or the arm from the centre of mass."""
    end = frame[:3, :3] @ place + frame[:3, 3]
    if isinstance(contact, description.Sphere):
        return placed(end)
    if isinstance(contact, Disk):
        half = frame[:3, :3] @ (0.0, 0.5 * DISK_WIDTH * size, 0.0)
        return between(end - half, end + half)
    arm = frame[:3, :3] @ _arm(mechanism, contact, place)
    return capsule_pose(end - arm, end) if arm.any() else HIDDEN


def _ground(planes: dict[str, int], in_space: bool) -> scene.Ground | None:
    """Return the plane of the name `ground`, or none."""
    if "ground" not in planes:
        return None
    first = planes["ground"]

    def height(x, y, p):
        heading = p[first + PLANE_HEADING] if in_space else 0.0
        along = (x - p[first + PLANE_X]) * np.cos(heading) + y * np.sin(heading)
        return p[first + PLANE_Z] + along * np.tan(p[first + PLANE_SLOPE])

    return scene.Ground(height)
