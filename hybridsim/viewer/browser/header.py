"""What the page is told of runs before their poses: bodies, ground, camera, outputs, kinds of events, colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

import hybridsim
from hybridsim.model.scene import Body, Scene
from hybridsim.model.shapes import Arrow, Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere, Spring
from hybridsim.results.colours import CHART_SHADES, CURVE_COLOURS, kind_colour
from hybridsim.typing import FloatArray
from hybridsim.viewer.browser.packing import RunPacker
from hybridsim.viewer.frames import lamps_of
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.render.colours import GHOST_TINTS
from hybridsim.viewer.source import Source

FORMAT = 1
"""Version of what is written."""
MOST_NUMBERS = 2**26
"""Most numbers of poses that a page keeps of a run that is computed; beyond it, the older half is dropped."""


def header(packers: Sequence[RunPacker], options: ViewOptions, live: bool = False) -> dict[str, Any]:
    """Return what the page must know first.

    Parameters
    ----------
    packers : sequence of RunPacker
        The runs.
    options : ViewOptions
        Speed, camera, layout and times.
    live : bool
        Whether the runs come over a websocket.
    """
    names = [packer.source.name for packer in packers]
    return {
        "format": FORMAT,
        "version": hybridsim.__version__,
        "title": f"{', '.join(names)} - hybridsim",
        "live": live,
        "most": MOST_NUMBERS,
        "view": _fields(options, "speed", "camera", "layout", "begin", "end", "cones", "fps"),
        "colours": {"curves": CURVE_COLOURS, "ghosts": GHOST_TINTS, "shades": CHART_SHADES},
        "runs": [_run(packer) for packer in packers],
    }


def _run(packer: RunPacker) -> dict[str, Any]:
    source, scene = packer.source, packer.source.scene
    columns, camera = source.model.columns, scene.camera
    followed = scene.bodies.index(camera.follow) if camera.follow else None
    meshes = [*dict.fromkeys(body.shape for body in scene.bodies if isinstance(body.shape, Mesh))]
    return {
        "name": source.name,
        "model": source.model.name,
        "notes": [*getattr(source, "notes", ())],
        "lamps": lamps_of(source.model),
        "charts": [] if source.model.chart_fields else [*source.model.charts.names],
        "begin": source.begin,
        "bodies": [_body(body, meshes) for body in scene.bodies],
        "meshes": [_mesh(shape) for shape in meshes],
        "newtons": None if scene.newtons_per_metre is None else _finite(float(scene.newtons_per_metre(source.p))),
        "ground": _ground(scene),
        "camera": _fields(camera, "along", "at", "distance", "view", "whole") | {"follow": followed},
        "outputs": [_fields(columns[name], "name", "unit", "doc") for name in packer.sampler.outputs],
        "kinds": [{"name": name, "colour": kind_colour(i)} for i, name in enumerate(packer.kinds)],
    } | _controls(source)


def _controls(source: Source) -> dict[str, Any]:
    """Return the inputs and pushes of a run that is computed while it is shown; none of another."""
    values = getattr(source, "inputs", None)
    if values is None:
        return {"inputs": [], "pushes": []}
    bodies, pushes = source.scene.bodies, source.scene.pushes
    pushed = {name for push in pushes for name in push.inputs}
    inputs = [
        _fields(record, "name", "unit", "doc")
        | {"value": values[record.name], "lower": _finite(record.lower), "upper": _finite(record.upper)}
        for record in source.model.inputs
        if record.name not in pushed
    ]
    return {"inputs": inputs, "pushes": [{"body": bodies.index(push.body)} for push in pushes]}


def _fields(record: object, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _ground(scene: Scene) -> dict[str, Any] | None:
    ground = scene.ground
    if ground is None:
        return None
    return _fields(ground, "checker", "colours") | {"height": None if callable(ground.height) else ground.height}


def _body(body: Body, meshes: Sequence[Mesh]) -> dict[str, Any]:
    shape = body.shape
    sizes = {"mesh": meshes.index(shape)} if isinstance(shape, Mesh) else asdict(shape)
    return _fields(body, "name", "colour", "opacity", "kind") | {"shape": {"type": type(shape).__name__, **sizes}}


def _mesh(shape: Mesh) -> dict[str, Any]:
    points, triangles = _surface(shape)
    return {"points": np.round(points, 6).ravel().tolist(), "triangles": triangles.ravel().tolist()}


def reaches(scene: Scene) -> FloatArray:
    """Return how far each body reaches from its origin along its own axes, before it is stretched (n_bodies, 3) [m]."""
    return np.array([_reach(body.shape) for body in scene.bodies]).reshape(-1, 3)


def _reach(shape: Shape) -> Sequence[float]:
    match shape:
        case Sphere(radius):
            return radius, radius, radius
        case Box((x, y, z)):
            return 0.5 * x, 0.5 * y, 0.5 * z
        case Capsule(radius, length):
            return radius, radius, 0.5 * length + radius
        case Mesh():
            farthest: list[float] = np.abs(_surface(shape)[0]).max(axis=0).tolist()
            return farthest
        case Cylinder(radius) | Spring(radius) | Arrow(radius) | Cone(radius):
            return radius, radius, 1.0


def _surface(shape: Mesh) -> tuple[FloatArray, FloatArray]:
    """Return the points (n, 3) [m] and the triangles (m, 3) of a mesh, whose file the graphics toolkit reads."""
    from hybridsim.viewer.render.shapes import pieces  # noqa: PLC0415  (the toolkit is large, and few scenes need it)

    surface = pieces(shape)[0].surface.triangulate()
    return np.asarray(surface.points, float), surface.faces.reshape(-1, 4)[:, 1:]
