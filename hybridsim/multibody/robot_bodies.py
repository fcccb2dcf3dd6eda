"""From a model that MuJoCo has read to the bodies of a mechanism."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from hybridsim.errors import ModelError
from hybridsim.multibody.joints import WORLD, Body, Fixed, Free, Joint, Prismatic, Revolute, Spherical, symmetric
from hybridsim.typing import FloatArray


def identifier(kind: str, name: str) -> str:
    """Return a name from a file as an identifier.

    Parameters
    ----------
    kind : str
        "body" or "joint".
    name : str
        The name in the file.
    """
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    return plain if plain[:1].isalpha() and not keyword.iskeyword(plain) else f"{kind}_{plain}"


class Inertial(NamedTuple):
    """The name of a body; its mass [kg], centre [m] and inertia about it along the axes of the body [kg m^2]."""

    body: str
    mass: float
    centre: FloatArray
    inertia: FloatArray


def inertials_of_spec(spec: Any) -> dict[str, Inertial]:
    """Return what a URDF file says of its links, by name; MuJoCo would refuse some that move without mass or inertia.

    Parameters
    ----------
    spec : MjSpec
        What MuJoCo has read.
    """
    found = {}
    for body in spec.bodies:
        if not body.explicitinertial:
            found[body.name] = Inertial(body.name, 0.0, np.zeros(3), np.zeros((3, 3)))
            continue
        # MuJoCo marks six zeros, and moments without products, by "not a number".
        given = np.diag(body.inertia) if np.isnan(body.fullinertia[0]) else symmetric(*body.fullinertia)
        turn = rotation_of(body.iquat)
        inertia = turn @ given @ turn.T
        found[body.name] = Inertial(body.name, float(body.mass), body.ipos.copy(), inertia)
    return found


def inertials_of_model(model: Any) -> list[Inertial]:
    """Return what MuJoCo has found for each body from the inertias or the shapes in the file.

    Parameters
    ----------
    model : MjModel
        What MuJoCo has read.
    """
    found = []
    for index in range(model.nbody):
        turn = rotation_of(model.body_iquat[index])
        inertia = turn @ np.diag(model.body_inertia[index]) @ turn.T
        found.append(Inertial(model.body(index).name, float(model.body_mass[index]), model.body_ipos[index], inertia))
    return found


def bodies_of(model: Any, inertials: Sequence[Inertial]) -> list[Body]:
    """Return the bodies of a compiled model, in its order.

    A body with several joints, or with one that is not at its origin, gets massless bodies before it.

    Parameters
    ----------
    model : MjModel
        What MuJoCo has read.
    inertials : sequence of Inertial
        Those of all bodies, the world first.

    Raises
    ------
    ModelError
        If names collide, or a body moves that has no mass and carries none.
    """
    _refuse_moving_without_mass(model, inertials)
    reading = _Reading(model, inertials)
    return [body for index in range(1, model.nbody) for body in reading.bodies_at(index)]


def names_of(model: Any) -> tuple[list[str], list[str]]:
    """Return the names of bodies, the world first, and of joints, which a mechanism has for those of the file."""
    reading = _Reading(model, ())
    return reading.bodies, reading.joints


def _refuse_moving_without_mass(model: Any, inertials: Sequence[Inertial]) -> None:
    carries = [inertial.mass != 0.0 or bool(inertial.inertia.any()) for inertial in inertials]
    for index in range(model.nbody - 1, 0, -1):
        if model.body_jntnum[index] and not carries[index]:
            name = model.body(index).name or str(index)
            raise ModelError(
                f"body {name!r} moves, but neither it nor what it carries has a mass; give it an <inertial>"
            )
        carries[model.body_parentid[index]] |= carries[index]


class _Reading:
    """One model, with the names that its bodies and joints get."""

    def __init__(self, model: Any, inertials: Sequence[Inertial]) -> None:
        self.model, self.inertials = model, inertials
        self.bodies = _unique("body", [WORLD, *(model.body(i).name or str(i) for i in range(1, model.nbody))])
        self.joints = _unique("joint", [self._joint_name(i) for i in range(model.njnt)])

    def _joint_name(self, index: int) -> str:
        body, name = self.model.jnt_bodyid[index], self.model.joint(index).name
        if name:
            return str(name)
        number = index - self.model.body_jntadr[body] + 1
        return self.bodies[body] if self.model.body_jntnum[body] == 1 else f"{self.bodies[body]}_{number}"

    def bodies_at(self, index: int) -> Iterator[Body]:
        """Yield a body, after the massless ones that its joints need."""
        model, name = self.model, self.bodies[index]
        parent = self.bodies[model.body_parentid[index]]
        place, turn = model.body_pos[index], rotation_of(model.body_quat[index])
        reached = np.zeros(3)  # the point of the body that the chain of joints has come to, in the body's axes
        first, count = model.body_jntadr[index], model.body_jntnum[index]
        for joint in range(first, first + count):
            sliding = mujoco.mjtJoint(model.jnt_type[joint]) == mujoco.mjtJoint.mjJNT_SLIDE
            anchor = reached if sliding else model.jnt_pos[joint]
            connection = self._joint(joint, place + turn @ (anchor - reached), turn)
            if joint == first + count - 1 and not anchor.any():
                yield Body(name, connection, parent, **self._inertia(index))
                return
            frame = f"{name}_{self.joints[joint]}"
            yield Body(frame, connection, parent)
            parent, place, turn, reached = frame, np.zeros(3), np.eye(3), anchor
        yield Body(name, Fixed(place=_triple(place - turn @ reached), turn=_turn(turn)), parent, **self._inertia(index))

    def _joint(self, index: int, place: FloatArray, turn: FloatArray) -> Joint:
        """Return a joint whose coordinates are those of MuJoCo."""
        model, kinds, name = self.model, mujoco.mjtJoint, self.joints[index]
        kind, speed, coordinate = kinds(model.jnt_type[index]), model.jnt_dofadr[index], model.jnt_qposadr[index]
        if kind == kinds.mjJNT_FREE:
            return Free(name)  # its coordinates are relative to the world, wherever the file places the body
        damping = float(model.dof_damping[speed])
        if kind == kinds.mjJNT_BALL:
            return Spherical(name, damping=damping, place=_triple(place), turn=_turn(turn))
        axis, reference = model.jnt_axis[index], model.qpos0[coordinate]
        if kind == kinds.mjJNT_HINGE:
            turn = turn @ _rotation_about(axis, -reference)
        else:
            place = place - reference * (turn @ axis)
        lower, upper = model.jnt_range[index] if model.jnt_limited[index] else (-np.inf, np.inf)
        return (Revolute if kind == kinds.mjJNT_HINGE else Prismatic)(
            name,
            _triple(axis),
            stiffness=float(model.jnt_stiffness[index]),
            rest=float(model.qpos_spring[coordinate]),
            damping=damping,
            armature=float(model.dof_armature[speed]),
            lower=float(lower),
            upper=float(upper),
            place=_triple(place),
            turn=_turn(turn),
        )

    def _inertia(self, index: int) -> dict[str, Any]:
        _, mass, centre, inertia = self.inertials[index]
        components = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return {"mass": mass, "centre": _triple(centre), "inertia": tuple(map(float, components))}


def rotation_of(quaternion: FloatArray) -> FloatArray:
    """Return the rotation matrix, shape (3, 3), of a quaternion."""
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def _rotation_about(axis: FloatArray, angle: float) -> FloatArray:
    quaternion = np.zeros(4)
    mujoco.mju_axisAngle2Quat(quaternion, axis, angle)
    return rotation_of(quaternion)


def _unique(kind: str, names: Sequence[str]) -> list[str]:
    """Return names as identifiers; a ModelError names two that become the same."""
    found: dict[str, str] = {}
    for name in names:
        plain = identifier(kind, name)
        if plain in found:
            raise ModelError(
                f"the {kind} names {found[plain]!r} and {name!r} both become the identifier {plain!r}; rename one"
            )
        found[plain] = name
    return list(found)


def _triple(vector: FloatArray) -> tuple[float, float, float]:
    x, y, z = map(float, vector)
    return x, y, z


def _turn(matrix: FloatArray) -> list[list[float]] | None:
    """Return a rotation as joints take it: None where there is none."""
    return None if np.array_equal(matrix, np.eye(3)) else matrix.tolist()
