"""Scenes of mechanisms with contacts: points whose colours say whether they hold, slip or are open; forces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsim.contacts.description import Patch, Plane
from hybridsim.contacts.layout import HOLDS, N_PLANE, PLANE_SLOPE, PLANE_X, PLANE_Z
from hybridsim.model import scene
from hybridsim.model.poses import HIDDEN, between, placed
from hybridsim.model.shapes import Arrow, Capsule, Sphere
from hybridsim.model.table import Records
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.scene import LINK, LINK_COLOUR, MechanismScene, capsule_pose, frames_of, scene_of, size_of
from hybridsim.typing import Function

STATES = {"open": "#b8bec5", "holds": "#2a9d55", "slips": "#e07b00"}
"""What a point does, with its colour."""

PER_POINT = 5
"""Bodies of a point: one for each state, its arm, its force."""

RADIUS, ARROW, FORCE_COLOUR = 0.03, 0.012, "#c0392b"
"""Radius of a point and of an arrow, as fractions of the mechanism's size."""

WEIGHT_LENGTH = 0.8
"""Length of an arrow for a force as large as the weight, as a fraction of the mechanism's size."""


def contact_scene(
    mechanism: Mechanism, contacts: Sequence[Patch], planes: Sequence[Plane], at_planes: int, outputs: Function
) -> MechanismScene:
    """Make the scene of a mechanism with contacts.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    contacts, planes : sequences
        The contacts, and the planes that they meet.
    at_planes : int
        Index in p of the first parameter of the planes.
    outputs : callable
        The outputs of the model.
    """
    whole, size = scene_of(mechanism), size_of(mechanism)
    n_own, n_points = len(whole.scene.bodies), sum(len(each.points) for each in contacts)
    weight = sum(body.mass for body in mechanism.bodies) * float(np.linalg.norm(mechanism.gravity)) or 1.0
    n_outputs = mechanism.tree.n_coordinates + mechanism.tree.n_speeds + 3 * len(contacts) + 2 * n_points + 3
    at_forces = n_outputs - 3 - 2 * n_points - 3 * len(contacts)

    def poses(T, t, x, p, chart):
        whole.poses(T, t, x, p, chart)
        frames, y, bit, i = frames_of(mechanism, x), np.zeros(n_outputs), 0, 0
        outputs(y, t, x, p, chart)
        for j, contact in enumerate(contacts):
            slip = (chart >> (bit + len(contact.points))) & 3
            sine, cosine = _direction(p, at_planes + N_PLANE * planes.index(contact.plane))
            load, along = y[at_forces + 3 * j : at_forces + 3 * j + 2]
            for k, place in enumerate(contact.points):
                frame = frames[getattr(mechanism.frames, contact.body)]
                here = frame[:3, :3] @ place + frame[:3, 3]
                arm = frame[:3, :3] @ _arm(mechanism, contact, place)
                down = (chart >> (bit + k)) & 1
                state = (1 if slip == HOLDS else 2) if down else 0
                for s in range(3):
                    T[n_own + PER_POINT * i + s] = placed(here) if s == state else HIDDEN
                normal = y[at_forces + 3 * len(contacts) + 2 * i + 1] if down else 0.0
                share = along * normal / load if load else 0.0
                force = normal * np.array([-sine, 0.0, cosine]) + share * np.array([cosine, 0.0, sine])
                length = WEIGHT_LENGTH * size / weight
                T[n_own + PER_POINT * i + 3] = capsule_pose(here - arm, here) if arm.any() else HIDDEN
                T[n_own + PER_POINT * i + 4] = between(here, here + length * force)
                i += 1
            bit += len(contact.points) + 2

    bodies = Records(*whole.scene.bodies, *_drawn(mechanism, contacts, size))
    found = scene.Scene(bodies, ground=_ground(planes, at_planes), camera=whole.scene.camera)
    return MechanismScene(found, poses)


def _drawn(mechanism, contacts, size):
    """Yield the bodies of each point, PER_POINT of them."""
    points = [(contact, place) for contact in contacts for place in contact.points]
    for i, (contact, place) in enumerate(points):
        name, arm = f"{contact.name}_{i}", float(np.linalg.norm(_arm(mechanism, contact, place)))
        for what, colour in STATES.items():
            yield scene.Body(f"{name}_{what}", Sphere(RADIUS * size), colour)
        yield scene.Body(f"{name}_arm", Capsule(LINK * size, arm or size), LINK_COLOUR)
        yield scene.Body(f"{name}_force", Arrow(ARROW * size), FORCE_COLOUR, kind="force")


def _arm(mechanism, contact, place):
    """Return the way from the centre of mass of a contact's body to one of its points, in the body's axes."""
    (centre,) = (body.centre for body in mechanism.bodies if body.name == contact.body)
    return np.subtract(place, centre)


def _direction(p, plane):
    """Return sine and cosine of the slope of the plane whose parameters begin there."""
    return np.sin(p[plane + PLANE_SLOPE]), np.cos(p[plane + PLANE_SLOPE])


def _ground(planes: Sequence[Plane], at_planes: int) -> scene.Ground | None:
    """Return the plane of the name `ground`, or none."""
    names = [plane.name for plane in planes]
    if "ground" not in names:
        return None
    first = at_planes + N_PLANE * names.index("ground")

    def height(x, y, p):
        return p[first + PLANE_Z] + (x - p[first + PLANE_X]) * np.tan(p[first + PLANE_SLOPE]) + 0.0 * y

    return scene.Ground(height)
