"""What the bodies of a robot file look like, for scenes: its meshes, boxes, balls, capsules and cylinders."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np

from hybridsim.model.poses import placed
from hybridsim.model.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from hybridsim.multibody.looks import BODY_COLOUR, Look
from hybridsim.multibody.robot_bodies import names_of, rotation_of
from hybridsim.multibody.robot_reading import IGNORED_ELEMENTS, messages_of_mujoco, weigh_equally
from hybridsim.typing import FloatArray

URDF_GROUPS, MJCF_GROUPS = (1,), (0, 1, 2)
"""Groups of the shapes that are drawn: of a URDF `<visual>`, of MJCF those that MuJoCo's viewer draws."""

MESH_FILES = (".stl", ".obj", ".ply", ".vtp")
"""Endings of the mesh files that scenes show."""

KINDS = mujoco.mjtGeom
MARK, UNSET_COLOUR = 1e-3, np.array([0.5, 0.5, 0.5, 1.0], np.float32)
"""Radius of the ball that stands for a mesh while MuJoCo finds its place [m]; the colour of a shape without one."""


def looks_in(file: Path) -> dict[str, list[Look]]:
    """Return what the bodies of a URDF or MJCF file look like, by the names that a mechanism gives them.

    A link of a URDF looks like its `<visual>` elements, a body of an MJCF file like its shapes. No mesh file is read;
    what cannot be drawn, as a mesh that is not there, is left out.
    """
    try:
        with messages_of_mujoco():
            return _looks_in(file)
    except (ValueError, KeyError):  # what MuJoCo cannot read of shapes does not matter for the motion
        return {}


def _looks_in(file: Path) -> dict[str, list[Look]]:
    root = ElementTree.fromstring(file.read_bytes())
    spec = with_visuals(root) if root.tag == "robot" else mujoco.MjSpec.from_file(str(file))
    groups = URDF_GROUPS if root.tag == "robot" else MJCF_GROUPS
    shown = [geom for body in spec.bodies[1:] for geom in body.geoms if geom.group in groups]
    folder = file.parent / (spec.meshdir if root.tag == "mujoco" else "")
    meshes, colours = {each.name: (find_mesh(folder, each.file), each.scale) for each in spec.meshes}, []
    names = [geom.meshname for geom in shown]
    for geom in shown:
        material = spec.material(geom.material) if geom.material else None
        plain = material is not None and np.array_equal(geom.rgba, UNSET_COLOUR)
        colours.append(material.rgba if plain and material is not None else geom.rgba)
        if geom.meshname:
            geom.type, geom.size, geom.meshname = KINDS.mjGEOM_SPHERE, (MARK, 0.0, 0.0), ""
    model = _compiled(spec, shown)
    bodies, found = names_of(model)[0], defaultdict(list)
    for i, (name, colour) in enumerate(zip(names, colours, strict=True)):
        index = model.geom(f"look{i}").id
        drawn = _drawn(model, index) if not name else _mesh(model, index, *meshes[name])
        if drawn is not None:
            found[bodies[model.geom_bodyid[index]]].append(Look(*drawn, *_colour(colour)))
    return dict(found)


def with_visuals(root: ElementTree.Element) -> Any:
    """Return a URDF as MuJoCo reads it, with the `<visual>` elements that it leaves out otherwise."""
    options = next(iter(root.findall("mujoco")), None)
    options = ElementTree.SubElement(root, "mujoco") if options is None else options
    compiler = next(iter(options.findall("compiler")), None)
    compiler = ElementTree.SubElement(options, "compiler") if compiler is None else compiler
    compiler.attrib |= {"discardvisual": "false", "strippath": "false"}
    return mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))


def _compiled(spec: Any, shown: list[Any]) -> Any:
    """Return the model of the shapes that are shown, called look0, look1 ..."""
    spec.compiler.fusestatic = False
    keep_alone(spec, shown)
    for mesh in list(spec.meshes):
        spec.delete(mesh)
    return spec.compile()


def keep_alone(spec: Any, shown: list[Any]) -> None:
    """Call these shapes look0, look1 ..., and delete all others, and what is neither body nor joint, but for meshes."""
    for geom in list(spec.geoms):
        geom.name = ""
    for i, geom in enumerate(shown):
        geom.name, geom.material = f"look{i}", ""
    for geom in [geom for geom in spec.geoms if not geom.name]:
        spec.delete(geom)
    for elements in (*IGNORED_ELEMENTS, "materials"):
        for element in list(getattr(spec, elements)):
            spec.delete(element)
    weigh_equally(spec)


def _drawn(model: Any, i: int) -> tuple[Shape, FloatArray] | None:
    """Return a shape and its pose in the frame of its body; None for what scenes do not draw."""
    place, axes, (a, b, c) = model.geom_pos[i], rotation_of(model.geom_quat[i]), model.geom_size[i].tolist()
    match KINDS(model.geom_type[i]):
        case KINDS.mjGEOM_SPHERE:
            return Sphere(a), placed(place)
        case KINDS.mjGEOM_ELLIPSOID:
            return Sphere(1.0), placed(place, axes, scale=(a, b, c))
        case KINDS.mjGEOM_BOX:
            return Box((2.0 * a, 2.0 * b, 2.0 * c)), placed(place, axes)
        case KINDS.mjGEOM_CAPSULE:
            return Capsule(a, 2.0 * b), placed(place, axes)
        case KINDS.mjGEOM_CYLINDER:
            return Cylinder(a), placed(place - b * axes[:, 2], axes, scale=(1.0, 1.0, 2.0 * b))
    return None


def _mesh(model: Any, i: int, file: Path | None, scale: FloatArray) -> tuple[Shape, FloatArray] | None:
    """Return a mesh and its pose; None if its file is not there, is of another kind, or is mirrored."""
    if file is None or min(scale) <= 0.0:
        return None
    return Mesh(file), placed(model.geom_pos[i], rotation_of(model.geom_quat[i]), scale=scale)


def find_mesh(folder: Path, name: str, endings: tuple[str, ...] = MESH_FILES) -> Path | None:
    """Return the absolute path of a mesh file; one of a ROS package is looked for in the folders around."""
    package, path = "package://" in name, Path(name.rsplit("://", maxsplit=1)[-1])
    places = [folder / path]
    if package:
        parents = folder.resolve().parents
        places += [parent / part for parent in (folder, *parents) for part in (path, Path(*path.parts[1:]))]
    return next((each.resolve() for each in places if each.suffix.lower() in endings and each.is_file()), None)


def _colour(rgba: FloatArray) -> tuple[str, float]:
    """Return a colour and its opacity."""
    if np.array_equal(rgba, UNSET_COLOUR):
        return BODY_COLOUR, 1.0
    red, green, blue = (round(255 * min(max(float(each), 0.0), 1.0)) for each in rgba[:3])
    return f"#{red:02x}{green:02x}{blue:02x}", min(max(float(rgba[3]), 0.0), 1.0)
