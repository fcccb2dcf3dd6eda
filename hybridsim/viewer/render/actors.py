"""Surfaces as VTK actors, without PyVista's filters between them: what numpy writes into a surface is what is drawn."""

from __future__ import annotations

from typing import Any

from vtkmodules.vtkRenderingCore import vtkPolyDataMapper

from hybridsim.viewer.render.quick_import import pv

POINT_COLOURS = "shade"
"""Name of the point data (n, 4) uint8 with red, green, blue and opacity, if a surface has a colour for each point."""


def add_actor(plotter: pv.Plotter, surface: pv.PolyData, *look: Any, **properties: Any) -> pv.Actor:
    """Add a surface to the active subplot; the other arguments are those of `make_actor`."""
    actor = make_actor(surface, *look, **properties)
    plotter.renderer.AddActor(actor)
    return actor


def make_actor(surface: pv.PolyData, colour: str = "#ffffff", opacity: float = 1.0, **properties: Any) -> pv.Actor:
    """Make an actor of a surface.

    Parameters
    ----------
    surface : PolyData
        The surface; its point data `POINT_COLOURS` replace the colour.
    colour : str
        "#rrggbb".
    opacity : float
        From 0 to 1.
    **properties
        Further arguments of `pyvista.Property`: ambient, diffuse, specular, lighting, line_width.

    Returns
    -------
    Actor
        The actor.
    """
    mapper: Any = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.SetScalarVisibility(POINT_COLOURS in surface.point_data)
    mapper.SetColorModeToDirectScalars()
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(POINT_COLOURS)
    defaults = {"ambient": 0.0, "diffuse": 1.0, "specular": 0.0, "lighting": True, "line_width": 1.0}
    actor = pv.Actor(
        prop=pv.Property(
            color=colour, opacity=opacity, specular_power=24.0, interpolation="Phong", **(defaults | properties)
        )
    )
    actor.SetMapper(mapper)
    return actor


def mark_changed(surface: pv.PolyData, *arrays: str) -> None:
    """Make VTK draw new values that have been written into the points and the named point data of a surface."""
    surface.GetPoints().GetData().Modified()
    surface.GetPoints().Modified()
    for name in arrays:
        surface.GetPointData().GetArray(name).Modified()
    surface.Modified()
