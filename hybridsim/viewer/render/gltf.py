"""Write surfaces with names, colours and transforms as glTF 2.0, one text file for Blender, browsers and slides."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ModelError
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.colours import rgb

FLOAT, UNSIGNED_INT = 5126, 5125
"""Component types of accessors (glTF 2.0, section 3.6.2.2)."""
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
"""Targets of buffer views: for points and normals, and for the indices of faces."""
DATA_URI = "data:application/octet-stream;base64,"
"""What precedes the bytes of a buffer that is in the file itself."""
Z_UP_TO_Y_UP = (1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
"""Transform from axes (x, y, z) with z upwards to glTF's (x, z, -y), column by column."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """One surface of a scene.

    Attributes
    ----------
    name : str
        Name of its node.
    points : (n, 3) array
        Points in the surface's own coordinates [m].
    faces : (m, 3) array
        Indices of the points of triangles.
    colour : str
        "#rrggbb".
    opacity : float
        From 0 to 1.
    transform : (4, 4) array
        Transform to the world.
    normals : (n, 3) array, optional
        Normals at the points.
    """

    name: str
    points: Any
    faces: Any
    colour: str
    opacity: float = 1.0
    transform: FloatArray = field(default_factory=lambda: np.eye(4))
    normals: Any = None


def write_gltf(file: Path, surfaces: Sequence[Surface]) -> None:
    """Write a scene.

    Parameters
    ----------
    file : Path
        The file.
    surfaces : sequence of Surface
        Everything in the scene.

    Raises
    ------
    OSError
        If the file cannot be written.
    ModelError
        If a surface has a point that is not finite.
    """
    for surface in surfaces:
        if not np.isfinite(surface.points).all():
            raise ModelError(f"body {surface.name!r}: a point of its surface is not finite; correct its mesh file")
    file.write_text(json.dumps(_Document(surfaces).content, allow_nan=False))


class _Document:
    """The JSON document of a scene; the arrays are in one buffer inside it."""

    def __init__(self, surfaces: Sequence[Surface]) -> None:
        self._data, self._views, self._accessors = bytearray(), list[Any](), list[Any]()
        meshes = [self._mesh(number, surface) for number, surface in enumerate(surfaces)]
        nodes = [
            {"name": surface.name, "mesh": number, "matrix": surface.transform.T.ravel().tolist()}
            for number, surface in enumerate(surfaces)
        ]
        world = {"name": "world", "matrix": list(Z_UP_TO_Y_UP), "children": list(range(len(nodes)))}
        self.content = {
            "asset": {"version": "2.0", "generator": "hybridsim"},
            "scene": 0,
            "scenes": [{"nodes": [len(nodes)]}],
            "nodes": [*nodes, world],
            "meshes": meshes,
            "materials": [_material(surface) for surface in surfaces],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._data), "uri": DATA_URI + base64.b64encode(self._data).decode()}],
        }

    def _mesh(self, number: int, surface: Surface) -> dict[str, Any]:
        points = np.asarray(surface.points, np.float32)
        attributes = {"POSITION": self._add(points, ARRAY_BUFFER, FLOAT, "VEC3")}
        self._accessors[-1] |= {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        if surface.normals is not None:
            attributes["NORMAL"] = self._add(np.asarray(surface.normals, np.float32), ARRAY_BUFFER, FLOAT, "VEC3")
        faces = self._add(np.asarray(surface.faces, np.uint32).ravel(), ELEMENT_ARRAY_BUFFER, UNSIGNED_INT, "SCALAR")
        return {"name": surface.name, "primitives": [{"attributes": attributes, "indices": faces, "material": number}]}

    def _add(self, numbers: NDArray[Any], target: int, component_type: int, shape: str) -> int:
        """Append an array to the buffer, and return the index of its accessor."""
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": numbers.nbytes, "target": target})
        self._data += numbers.astype(numbers.dtype.newbyteorder("<")).tobytes()
        self._accessors.append(
            {"bufferView": len(self._views) - 1, "componentType": component_type, "count": len(numbers), "type": shape}
        )
        return len(self._accessors) - 1


def _material(surface: Surface) -> dict[str, Any]:
    # glTF's colours are linear in intensity; "#rrggbb" is sRGB (IEC 61966-2-1).
    colour = np.array(rgb(surface.colour))
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    material: dict[str, Any] = {
        "name": surface.name,
        "doubleSided": True,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*linear.tolist(), surface.opacity],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.6,
        },
    }
    return material | ({"alphaMode": "BLEND"} if surface.opacity < 1.0 else {})
