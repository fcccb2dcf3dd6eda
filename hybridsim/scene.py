"""What a model looks like: the shapes, bodies, ground and camera that a plug-in's `Scene` is made of."""

from __future__ import annotations

from hybridsim.model.scene import (
    HIDDEN,
    Arrow,
    Body,
    Box,
    Camera,
    Capsule,
    Cylinder,
    Ground,
    Mesh,
    Scene,
    Sphere,
    Spring,
    between,
    placed,
    turn,
)

__all__ = [
    "HIDDEN",
    "Arrow",
    "Body",
    "Box",
    "Camera",
    "Capsule",
    "Cylinder",
    "Ground",
    "Mesh",
    "Scene",
    "Sphere",
    "Spring",
    "between",
    "placed",
    "turn",
]
