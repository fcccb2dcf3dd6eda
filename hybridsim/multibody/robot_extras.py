"""What a robot file says beside bodies and joints, on request: shapes, dry friction, actuators, closed loops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

from hybridsim.errors import ModelError
from hybridsim.multibody.robot_bodies import names_of, rotation_of
from hybridsim.multibody.robot_looks import find_mesh, keep_alone, with_visuals
from hybridsim.multibody.robot_reading import messages_of_mujoco, read_robot, read_whole
from hybridsim.typing import FloatArray

READ_MESHES = (".stl", ".obj", ".msh")
"""Endings of the mesh files whose vertices are read: those that MuJoCo reads."""


class Shape(NamedTuple):
    """A shape of a body.

    Attributes
    ----------
    body, kind : str
        Its body; MuJoCo's word for it: "box", "sphere", "capsule", "cylinder", "ellipsoid", "mesh".
    size : array
        Half lengths, or radius and half length [m]; of a mesh its vertices, (n, 3), from its centre, along its axes.
    place : array of shape (3,)
        Its centre in the frame of the body [m].
    axes, world_axes : array of shape (3, 3)
        Its axes in the frame of the body; in that of the world where all coordinates are 0.
    friction : float
        Coefficient of friction.
    """

    body: str
    kind: str
    size: FloatArray
    place: FloatArray
    axes: FloatArray
    world_axes: FloatArray
    friction: float


class Extras:
    """A file that is read again, with all that it says.

    Parameters
    ----------
    file : Path
        A URDF or MJCF file.

    Raises
    ------
    ModelError
        If it cannot be read.
    """

    def __init__(self, file: Path) -> None:
        try:
            self.model, n_meshes = read_whole(file)
        except ValueError as problem:
            raise ModelError(f"{file}: {problem}") from None
        self.file, (self.bodies, self.joints) = file, names_of(self.model)
        self.unread: list[str] = []
        self.with_meshes = self._meshes() if n_meshes else None

    def _meshes(self) -> Any:
        """Return the model of the shapes that collide and are meshes; None, and why not, if there are none to read."""
        root = ElementTree.fromstring(self.file.read_bytes())
        try:
            with messages_of_mujoco():
                spec = with_visuals(root) if root.tag == "robot" else mujoco.MjSpec.from_file(str(self.file))
                spec.compiler.fusestatic = False
                folder = self.file.parent / (spec.meshdir if root.tag == "mujoco" else "")
                shown = [each for each in spec.geoms if each.meshname and (each.contype or each.conaffinity)]
                named = {each.meshname for each in shown}
                for mesh in list(spec.meshes):
                    place = find_mesh(folder, mesh.file, READ_MESHES) if mesh.file and mesh.name in named else None
                    if mesh.name in named and mesh.file and place is None:
                        raise ValueError(f"there is no file {mesh.file}, or it is none of {', '.join(READ_MESHES)}")
                    mesh.file = str(place) if place else mesh.file
                spec.meshdir = ""
                keep_alone(spec, shown)
                for mesh in [mesh for mesh in spec.meshes if mesh.name not in named]:
                    spec.delete(mesh)
                for mesh in spec.meshes:
                    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL  # that of a flat one has no volume
                return spec.compile() if shown else None
        except ValueError as problem:
            self.unread.append(f"meshes that collide cannot be read: {str(problem).splitlines()[0]}")
            return None

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes that collide, but for those of the world."""
        for model in (self.model, *([self.with_meshes] if self.with_meshes is not None else [])):
            data, bodies = mujoco.MjData(model), names_of(model)[0]
            mujoco.mj_kinematics(model, data)
            for i in range(model.ngeom):
                body = model.geom_bodyid[i]
                if body and (model.geom_contype[i] or model.geom_conaffinity[i]):
                    kind = mujoco.mjtGeom(model.geom_type[i]).name.removeprefix("mjGEOM_").lower()
                    axes, world_axes = rotation_of(model.geom_quat[i]), data.geom_xmat[i].reshape(3, 3)
                    friction, size, mesh = float(model.geom_friction[i, 0]), model.geom_size[i], model.geom_dataid[i]
                    if mesh >= 0:
                        first = model.mesh_vertadr[mesh]
                        size = np.array(model.mesh_vert[first : first + model.mesh_vertnum[mesh]], float)
                    yield Shape(bodies[body], kind, size, model.geom_pos[i], axes, world_axes, friction)

    def dry_friction(self) -> dict[str, dict[str, float]]:
        """Return the dry friction of hinges and slides [N m or N].

        Raises
        ------
        ModelError
            If another joint has some.
        """
        model = self.model
        found: dict[str, dict[str, float]] = {}
        for speed in np.flatnonzero(model.dof_frictionloss):
            joint = int(model.dof_jntid[speed])
            self._refuse_other_joint(joint, "dry friction")
            found[self.joints[joint]] = {"static": float(model.dof_frictionloss[speed])}
        return found

    def motors(self) -> dict[str, dict[str, float]]:
        """Return stiffness and damping that the actuators have where their controls are 0, by joint.

        Raises
        ------
        ModelError
            If an actuator is neither a torque, a position nor a velocity of a hinge or slide.
        """
        model = self.model
        found: dict[str, dict[str, float]] = {}
        for i in range(model.nu):
            where = f"{self.file.name}: actuator {model.actuator(i).name or i!r}"
            gain, bias, dynamics = (
                int(each[i]) for each in (model.actuator_gaintype, model.actuator_biastype, model.actuator_dyntype)
            )
            at_joint = model.actuator_trntype[i] == mujoco.mjtTrn.mjTRN_JOINT
            if not at_joint or gain or bias > 1 or dynamics or model.actuator_biasprm[i, 0]:
                raise ModelError(f"{where}: motors are torques, positions and velocities of joints; leave it out")
            joint, gear = int(model.actuator_trnid[i, 0]), float(model.actuator_gear[i, 0])
            self._refuse_other_joint(joint, "a motor")
            motor = found.setdefault(self.joints[joint], {"stiffness": 0.0, "damping": 0.0})
            for key, term in (("stiffness", 1), ("damping", 2)):
                motor[key] -= gear**2 * float(model.actuator_biasprm[i, term]) * bias
        return found

    def loops(self) -> dict[str, dict[str, Any]]:
        """Return the points that are joined, by the names of the closures.

        Raises
        ------
        ModelError
            If there are equalities that join no points.
        """
        model = self.model
        found: dict[str, dict[str, Any]] = {}
        for i in range(model.neq):
            name = model.equality(i).name or f"loop_{i}"
            if model.eq_type[i] != mujoco.mjtEq.mjEQ_CONNECT:
                raise ModelError(
                    f"{self.file.name}: equality {name!r}: loops are made of `connect` alone; leave it out"
                )
            ends, points = [model.eq_obj1id[i], model.eq_obj2id[i]], model.eq_data[i, :6].reshape(2, 3)
            if model.eq_objtype[i] == mujoco.mjtObj.mjOBJ_SITE:
                ends, points = model.site_bodyid[ends], model.site_pos[ends]
            (body, on), (point, to) = ends, points.tolist()
            if not body:
                (body, on), (point, to) = (on, body), (to, point)
            found[name] = {"body": self.bodies[body], "point": point, "on": self.bodies[on], "to": to}
        return found

    def gaps(self, base: str) -> list[str]:
        """Return the words of what changes the motion and has no place in a mechanism."""
        return list(dict.fromkeys(word for word, _ in read_robot(self.file, base).gaps))

    def _refuse_other_joint(self, joint: int, what: str) -> None:
        kind = mujoco.mjtJoint(self.model.jnt_type[joint])
        if kind not in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            raise ModelError(f"{self.file.name}: joint {self.joints[joint]!r}: {what} belongs to hinges and slides")
