"""glTF 2.0: surfaces with names, colours and transforms in one text file, for Blender, browsers and slides."""

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
from hybridsim.viewer.colours import rgb

FLOATS, INTEGERS = 5126, 5125
VERTICES, FACES = 34962, 34963
Y_UP = (1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
"""glTF's y is up: from our axes (x, y, z) to its (x, z, -y), column by column."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One surface.

    points : (n, 3) [m] in its own frame. faces : (m, 3), triangles. colour : "#rrggbb". transform : (4, 4), to the
    world. normals : (n, 3), or None.
    """

    name: str
    points: Any
    faces: Any
    colour: str
    opacity: float = 1.0
    transform: FloatArray = field(default_factory=lambda: np.eye(4))
    normals: Any = None


def write_gltf(file: Path, items: Sequence[Item]) -> None:
    """Write a scene.

    Raises
    ------
    OSError : the file cannot be written. ModelError : a surface has a point that is not finite.
    """
    for item in items:
        if not np.isfinite(item.points).all():
            raise ModelError(f"body {item.name!r}: a point of its surface is not finite; mend its mesh file")
    file.write_text(json.dumps(_Document(items).content, allow_nan=False))


class _Document:
    def __init__(self, items: Sequence[Item]) -> None:
        self._data, self._views, self._accessors = bytearray(), list[Any](), list[Any]()
        meshes = [self._mesh(number, item) for number, item in enumerate(items)]
        nodes = [
            {"name": item.name, "mesh": number, "matrix": item.transform.T.ravel().tolist()}
            for number, item in enumerate(items)
        ]
        world = {"name": "world", "matrix": list(Y_UP), "children": list(range(len(nodes)))}
        self.content = {
            "asset": {"version": "2.0", "generator": "hybridsim"},
            "scene": 0,
            "scenes": [{"nodes": [len(nodes)]}],
            "nodes": [*nodes, world],
            "meshes": meshes,
            "materials": [_material(item) for item in items],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._data), "uri": _inline(self._data)}],
        }

    def _mesh(self, number: int, item: Item) -> dict[str, Any]:
        points = np.asarray(item.points, np.float32)
        attributes = {"POSITION": self._add(points, VERTICES, FLOATS, "VEC3")}
        self._accessors[-1] |= {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        if item.normals is not None:
            attributes["NORMAL"] = self._add(np.asarray(item.normals, np.float32), VERTICES, FLOATS, "VEC3")
        faces = self._add(np.asarray(item.faces, np.uint32).ravel(), FACES, INTEGERS, "SCALAR")
        return {"name": item.name, "primitives": [{"attributes": attributes, "indices": faces, "material": number}]}

    def _add(self, numbers: NDArray[Any], target: int, kind: int, shape: str) -> int:
        self._views.append({"buffer": 0, "byteOffset": len(self._data), "byteLength": numbers.nbytes, "target": target})
        self._data += numbers.astype(numbers.dtype.newbyteorder("<")).tobytes()
        self._accessors.append(
            {"bufferView": len(self._views) - 1, "componentType": kind, "count": len(numbers), "type": shape}
        )
        return len(self._accessors) - 1


def _material(item: Item) -> dict[str, Any]:
    # glTF's colours are linear in light; ours are as screens take them (sRGB).
    colour = np.array(rgb(item.colour))
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    material: dict[str, Any] = {
        "name": item.name,
        "doubleSided": True,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*linear.tolist(), item.opacity],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.6,
        },
    }
    return material | ({"alphaMode": "BLEND"} if item.opacity < 1.0 else {})


def _inline(data: bytearray) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()
