"""The parts of a model's `Scene`: shapes, bodies, ground, camera, pushes, and the poses that `poses` writes."""

from __future__ import annotations

from hybridsim.model.poses import HIDDEN, between, placed, turn
from hybridsim.model.pushes import Push
from hybridsim.model.scene import Body, Camera, Ground, Scene
from hybridsim.model.shapes import Arrow, Box, Capsule, Cone, Cylinder, Mesh, Sphere, Spring

__all__ = [
    "HIDDEN",
    "Arrow",
    "Body",
    "Box",
    "Camera",
    "Capsule",
    "Cone",
    "Cylinder",
    "Ground",
    "Mesh",
    "Push",
    "Scene",
    "Sphere",
    "Spring",
    "between",
    "placed",
    "turn",
]
