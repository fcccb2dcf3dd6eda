"""A file as MuJoCo reads it, without what is neither body nor joint."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import mujoco

from hybridsim.errors import ModelError
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.robot_bodies import Inertial, inertials_of_model, inertials_of_spec
from hybridsim.multibody.robot_gaps import Gap, gaps_of_inertials, gaps_of_mjcf, gaps_of_model, gaps_of_urdf

ROBOT_FILE_SUFFIXES = (".urdf", ".xml")
"""Endings of file names from which MuJoCo knows that a file is XML."""

EXPECTED_FILES = "expected a URDF file (<robot>) or an MJCF file (<mujoco>)"

XACRO = re.compile(r"\{.*xacro.*\}")
"""The namespaces of the macros that a URDF file is often generated from."""

DRAKE = "http://drake.mit.edu"
"""The namespace of the elements with which Drake extends URDF."""

IGNORED_ELEMENTS = (
    *("keys", "sensors", "actuators", "tendons", "equalities", "pairs", "excludes", "tuples", "flexes", "skins"),
    *("cameras", "lights", "sites", "textures", "hfields", "plugins"),
)
"""Elements of a file that say nothing of bodies and joints; those that change the motion have been named before."""

KEPT_ELEMENTS = ("actuators", "equalities", "tendons", "sites")
"""Those of them that are read on request, and what they refer to."""

MESHES = (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_SDF)

INERTIA_FROM_SHAPES = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE


class Robot(NamedTuple):
    """A file that has been read.

    Attributes
    ----------
    model : MjModel
        Its bodies and joints.
    inertials : list of Inertial
        Those of the bodies, in the order of the model.
    gaps : list of Gap
        What it describes beyond them.
    """

    model: Any
    inertials: list[Inertial]
    gaps: list[Gap]


def read_robot(file: Path, base: str) -> Robot:
    """Read a URDF or MJCF file.

    Parameters
    ----------
    file : Path
        The file.
    base : str
        How the root of a URDF moves.

    Raises
    ------
    ModelError
        If it cannot be read.
    """
    root = _root_of(file)
    if root.tag == "robot":
        _refuse_malformed(file, root)
    with messages_of_mujoco() as texts:
        spec = _parse(file)
        robot = _urdf(file, root, spec, base) if root.tag == "robot" else _mjcf(file, spec, base)
    more = [*gaps_of_model(robot.model), *gaps_of_inertials(robot.inertials), *(("warning", text) for text in texts)]
    return robot._replace(gaps=[*robot.gaps, *more])


def read_whole(file: Path) -> tuple[Any, int]:
    """Read a file with its shapes, actuators and equalities, but without meshes and masses.

    Returns
    -------
    model : MjModel
        What MuJoCo has read.
    n_meshes : int
        The number of its shapes that are meshes.
    """
    _root_of(file)
    with messages_of_mujoco():
        spec = _parse(file)
        spec.compiler.fusestatic = False
        meshes = [geom for geom in spec.geoms if geom.type in MESHES]
        for geom in spec.geoms:
            geom.material = ""
        for geom in meshes:
            spec.delete(geom)
        for elements in (*(each for each in IGNORED_ELEMENTS if each not in KEPT_ELEMENTS), "materials", "meshes"):
            for element in list(getattr(spec, elements)):
                spec.delete(element)
        weigh_equally(spec)
        return spec.compile(), len(meshes)


def weigh_equally(spec: Any) -> None:
    """Give each body a mass and an inertia that MuJoCo accepts."""
    for body in spec.bodies[1:]:
        body.explicitinertial, body.mass, body.inertia = True, 1.0, (1.0, 1.0, 1.0)
        body.fullinertia = (float("nan"), 0.0, 0.0, 0.0, 0.0, 0.0)


def gravity_of(model: Any) -> Sequence[float]:
    """Return the acceleration of gravity that a file gives [m/s^2]."""
    off = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    return (0.0, 0.0, 0.0) if off else tuple(model.opt.gravity)


def _root_of(file: Path) -> ElementTree.Element:
    """Return the root element of a file of the right kind."""
    if file.suffix not in ROBOT_FILE_SUFFIXES:
        raise ModelError(f"{file}: {EXPECTED_FILES} whose name ends in {' or '.join(ROBOT_FILE_SUFFIXES)}")
    try:
        root = ElementTree.fromstring(file.read_bytes())
    except OSError as error:
        raise ModelError(f"{file}: cannot be read: {error.strerror}") from None
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ModelError(f"{file}: is not XML: {error}; {EXPECTED_FILES}") from None
    if root.tag not in ("robot", "mujoco"):
        raise ModelError(f"{file}: the root element is <{root.tag}>; {EXPECTED_FILES}")
    if any(XACRO.match(element.tag) for element in root.iter() if isinstance(element.tag, str)):
        raise ModelError(f"{file}: contains xacro macros; expand them first: xacro {file.name} > robot.urdf")
    return root


def _refuse_malformed(file: Path, root: ElementTree.Element) -> None:
    """Refuse what MuJoCo reads as something else: the second joint of a name has none, an empty limit is left out."""
    joints = root.findall("joint")
    counts = Counter(joint.get("name") for joint in joints)
    problems = [f"joint {name!r}: {n} joints have this name; give each its own" for name, n in counts.items() if n > 1]
    for joint in joints:
        for limit in joint.findall("limit"):
            for bound in ("lower", "upper"):
                try:
                    float(limit.get(bound, "0"))
                except ValueError:
                    where = f"joint {joint.get('name')!r}: <limit {bound}={limit.get(bound)!r}>"
                    problems.append(f"{where}: expected a number; write it, in rad or m")
    if problems:
        raise ModelError("\n".join(f"{file}: {problem}" for problem in problems))


@contextmanager
def messages_of_mujoco() -> Iterator[list[str]]:
    """Receive MuJoCo's warnings, some of which it prints and writes into a file in the current folder."""
    received: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(received.append)
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            yield received
    finally:
        mujoco.set_mju_user_warning(before)
    received += [str(warning.message) for warning in raised]


def _parse(file: Path) -> Any:
    try:
        return mujoco.MjSpec.from_file(str(file))
    except ValueError as error:
        raise ModelError(f"{file}: {_in_one_line(error)}") from None


def _in_one_line(error: ValueError) -> str:
    return "; ".join(line for line in str(error).removeprefix("Error: ").splitlines() if line)


def _urdf(file: Path, root: ElementTree.Element, spec: Any, base: str) -> Robot:
    """Read a URDF file: shapes give a link no inertia, and the links' own are not MuJoCo's to judge."""
    gaps, inertials = [*gaps_of_urdf(root, spec)], inertials_of_spec(spec)
    _add_rotors(file, root, spec)
    if base != "fixed":
        roots = list(spec.worldbody.bodies)
        if len(roots) != 1 or len(roots[0].joints) > 0:
            raise ModelError(
                f"{file}: base={base!r} releases the root link; here this is the link {WORLD!r}, the ground. Give the "
                "robot one root link of another name, or leave out base"
            )
        if base == "floating":
            roots[0].add_freejoint()
    for geom in list(spec.geoms):
        spec.delete(geom)
    weigh_equally(spec)
    model = _compile(file, spec)
    return Robot(model, [inertials[model.body(index).name] for index in range(model.nbody)], gaps)


def _add_rotors(file: Path, root: ElementTree.Element, spec: Any) -> None:
    """Give joints the inertia of rotors that their transmissions have, in the elements that Drake reads."""
    for each in root.iterfind("transmission[joint]"):
        name = next(each.iterfind("joint")).get("name", "")
        where, joint = f"{file}: transmission of joint {name!r}", spec.joint(name)
        inertia = _number_of(where, each, "rotor_inertia", 0.0) * _number_of(where, each, "gear_ratio", 1.0) ** 2
        if joint is not None:
            joint.armature = inertia
        elif inertia != 0.0:
            raise ModelError(f"{where}: there is no such joint that moves; name one that does")


def _number_of(where: str, transmission: ElementTree.Element, key: str, usual: float) -> float:
    """Return a number, at least 0, of the actuator of a transmission, the usual one if it does not say it."""
    for element in transmission.iterfind(f"actuator/{{{DRAKE}}}{key}"):
        text = element.get("value", "")
        try:
            math.sqrt(float(text))
        except ValueError:
            raise ModelError(f"{where}: <{key} value={text!r}>: expected a number, at least 0") from None
        return float(text)
    return usual


def _mjcf(file: Path, spec: Any, base: str) -> Robot:
    if base != "fixed":
        raise ModelError(f"{file}: base={base!r} is for URDF files; in MJCF files write <freejoint/> in the root body")
    gaps = [*gaps_of_mjcf(spec)]
    model = _compile(file, spec)
    return Robot(model, inertials_of_model(model), gaps)


def _compile(file: Path, spec: Any) -> Any:
    """Return the model of the bodies and joints; no other file is read but the meshes that an inertia follows from."""
    spec.compiler.fusestatic = False  # bodies that are fixed to others keep their names and frames
    for elements in IGNORED_ELEMENTS:
        for element in list(getattr(spec, elements)):
            spec.delete(element)
    for geom in list(spec.geoms):
        explicit = geom.parent.explicitinertial and spec.compiler.inertiafromgeom != INERTIA_FROM_SHAPES
        if explicit or geom.parent.name == WORLD:
            spec.delete(geom)
        else:
            geom.material = ""
    for material in list(spec.materials):
        spec.delete(material)
    needed = {geom.meshname for geom in spec.geoms}
    for mesh in list(spec.meshes):
        if mesh.name not in needed:
            spec.delete(mesh)
    try:
        return spec.compile()
    except ValueError as error:
        message = _in_one_line(error)
        missing = "; a mass or an inertia follows from this file: put it there, or give its body an <inertial>"
        raise ModelError(f"{file}: {message}{missing if 'opening file' in message else ''}") from None
