"""Surfaces as actors, without the filters that PyVista puts between the two: what numpy writes is what is drawn."""

from __future__ import annotations

from typing import Any

import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper

SHADE = "shade"
"""The point data (n, 4) uint8 with red, green, blue and opacity, where a surface has its colours by points."""


def add_actor(
    plotter: pv.Plotter,
    surface: pv.PolyData,
    colour: str = "#ffffff",
    opacity: float = 1.0,
    ambient: float = 0.0,
    diffuse: float = 1.0,
    specular: float = 0.0,
    lit: bool = True,
    line_width: float = 1.0,
) -> pv.Actor:
    """Put a surface into the active subplot."""
    mapper: Any = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.SetScalarVisibility(SHADE in surface.point_data)
    mapper.SetColorModeToDirectScalars()
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(SHADE)
    prop = pv.Property(
        color=colour,
        opacity=opacity,
        ambient=ambient,
        diffuse=diffuse,
        specular=specular,
        specular_power=24.0,
        lighting=lit,
        line_width=line_width,
        interpolation="Phong",
    )
    actor = pv.Actor(prop=prop)
    actor.SetMapper(mapper)
    plotter.renderer.AddActor(actor)
    return actor


def remove_actor(plotter: pv.Plotter, actor: pv.Actor) -> None:
    """Take a surface out of whichever subplot it is in."""
    for renderer in plotter.renderers:
        renderer.RemoveActor(actor)


def changed(surface: pv.PolyData, *arrays: str) -> None:
    """Points, and point data of these names, have been written over."""
    surface.GetPoints().GetData().Modified()
    surface.GetPoints().Modified()
    for name in arrays:
        surface.GetPointData().GetArray(name).Modified()
    surface.Modified()
