"""Contacts that the geometry of a URDF file suggests: the lower edges of boxes, as heel and toe of a sole."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from hybridsim.errors import ModelError
from hybridsim.multibody.robot_bodies import identifier

CONFIG = """# {file}, with the soles that its boxes suggest; what they touch is the ground, z = 0.
model:
  mechanism: {file}
  base: planar
  contacts:
{contacts}
initial: {{base_z: touching}}
final_time: 2
"""


def soles_of(file: Path) -> dict[str, list[list[float]]]:
    """Return the ends of the lower edge along x of each box of collision geometry that is not turned, by its link.

    Raises
    ------
    ModelError
        If it is not a URDF file.
    """
    try:
        root = ElementTree.parse(file).getroot()
    except (OSError, ElementTree.ParseError) as problem:
        raise ModelError(f"{file}: cannot be read as URDF: {problem}") from None
    found: dict[str, list[list[float]]] = {}
    for link in root.iter("link"):
        for collision in link.iter("collision"):
            origin, box = collision.find("origin"), collision.find("geometry/box")
            where = {} if origin is None else origin.attrib
            if box is None or any(float(angle) for angle in where.get("rpy", "0 0 0").split()):
                continue
            (x, y, z), (a, _, c) = (
                [float(each) for each in text.split()] for text in (where.get("xyz", "0 0 0"), box.attrib["size"])
            )
            name = identifier("body", link.attrib["name"])
            found[name] = [[x - 0.5 * a, y, z - 0.5 * c], [x + 0.5 * a, y, z - 0.5 * c]]
    return found


def config_of_robot(file: Path, written_as: str) -> str:
    """Return the text of a config that runs a robot on the soles which its file suggests.

    Raises
    ------
    ModelError
        If it suggests none.
    """
    soles = soles_of(file)
    if not soles:
        raise ModelError(f"{file}: no box of collision geometry suggests a sole; write `contacts` yourself")
    lines = [f"    {name}: {{body: {name}, points: {points}, friction: 0.8}}" for name, points in soles.items()]
    return CONFIG.format(file=written_as, contacts="\n".join(lines))
