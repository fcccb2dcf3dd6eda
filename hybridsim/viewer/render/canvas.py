"""Texts, panels and lines in front of the picture; they are made once, then moved and given other texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkPolyDataMapper2D, vtkRenderer, vtkTextActor

from hybridsim.typing import FloatArray
from hybridsim.viewer.render.colours import PANEL, rgb

REFERENCE_WIDTH, REFERENCE_HEIGHT = 960, 720
"""Size of a picture in which a unit of length is one pixel [pixels]."""
MIN_UNIT = 0.62
"""Smallest unit [pixels], so that texts stay legible."""
VTK_FONT_FILE = 4
"""VTK's constant for a font that is read from a file."""
FONT_SIZE = 15
CORNER_RADIUS = 6


@cache
def font_file(bold: bool = False) -> str:
    """Return the path of a font whose characters are equally wide."""
    return str(Path(mpl.get_data_path()) / "fonts" / "ttf" / f"DejaVuSansMono{'-Bold' if bold else ''}.ttf")


class Canvas:
    """The layer in front of all subplots; positions are in pixels from the lower left corner of the window."""

    def __init__(self, window: Any) -> None:
        self._window = window
        self._renderer = vtkRenderer()
        self._renderer.SetLayer(1)
        self._renderer.InteractiveOff()
        window.SetNumberOfLayers(2)
        window.AddRenderer(self._renderer)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window [pixels]."""
        width, height = self._window.GetSize()
        return width, height

    @property
    def unit(self) -> float:
        """Unit of length, which grows with the window [pixels]."""
        width, height = self.size
        return max(min(height / REFERENCE_HEIGHT, width / REFERENCE_WIDTH), MIN_UNIT)

    def character(self, size: float = FONT_SIZE) -> tuple[float, float]:
        """Return width and height of a character of a font size [pixels]."""
        pixels = font_pixels(size, self.unit)
        return round(0.602 * pixels), 1.25 * pixels

    def text(self, size: float = FONT_SIZE, colour: str = "#000000", bold: bool = False, align: str = "left") -> Text:
        """Add an empty text, aligned `left`, `right` or `centre`."""
        return Text(self, self._renderer, size, colour, bold, align)

    def panel(self, colour: str = PANEL, opacity: float = 0.72) -> Panel:
        """Add a panel."""
        return Panel(self._renderer, colour, opacity)

    def lines(self, n_points: int, colour: str, width: float = 1.5, joined: bool = True) -> Lines:
        """Add one line through all points, or, if not `joined`, one line for each pair of points."""
        return Lines(self._renderer, n_points, colour, width, joined)

    def remove(self, item: CanvasItem) -> None:
        """Remove a text, a panel or lines."""
        self._renderer.RemoveViewProp(item.actor)

    def clear(self) -> None:
        """Remove everything."""
        self._renderer.RemoveAllViewProps()


def font_pixels(size: float, unit: float) -> int:
    """Return the height of a font [pixels]."""
    return max(round(size * unit), 7)


class CanvasItem:
    """What one actor of VTK draws on a canvas."""

    actor: Any

    def show(self, shown: bool) -> None:
        """Show or hide it."""
        self.actor.SetVisibility(shown)


class Text(CanvasItem):
    """A text of one line or several."""

    def __init__(self, canvas: Canvas, renderer: Any, size: float, colour: str, bold: bool, align: str) -> None:
        self._canvas, self._size = canvas, size
        self.text = ""
        self.actor = vtkTextActor()
        self._style = self.actor.GetTextProperty()
        self._style.SetFontFamily(VTK_FONT_FILE)
        self._style.SetFontFile(font_file(bold))
        self._style.SetColor(*rgb(colour))
        self._style.SetLineSpacing(1.15)
        {
            "left": self._style.SetJustificationToLeft,
            "right": self._style.SetJustificationToRight,
            "centre": self._style.SetJustificationToCentered,
        }[align]()
        self._style.SetVerticalJustificationToTop()
        renderer.AddViewProp(self.actor)

    def place(self, x: float, y: float) -> None:
        """Move the upper left corner (or the right one, or the middle, as aligned) to a position [pixels]."""
        self._style.SetFontSize(font_pixels(self._size, self._canvas.unit))
        self.actor.SetPosition(round(x), round(y))

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self.text:
            self.text = text
            self.actor.SetInput(text)


class _Shape(CanvasItem):
    """Points in the plane of the picture, joined to a polygon, to one line, or in pairs."""

    def __init__(self, renderer: Any, n_points: int, colour: str, polygon: bool = False, joined: bool = True) -> None:
        self.points = np.zeros((n_points, 3), np.float32)
        self._array = numpy_to_vtk(self.points)
        self._vtk_points, cells = vtkPoints(), vtkCellArray()
        self._vtk_points.SetData(self._array)
        self._surface = vtkPolyData()
        self._surface.SetPoints(self._vtk_points)
        step = n_points if polygon or joined else 2
        for first in range(0, n_points, step):
            cells.InsertNextCell(step, list(range(first, first + step)))
        (self._surface.SetPolys if polygon else self._surface.SetLines)(cells)
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._surface)
        self.actor = vtkActor2D()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().SetColor(*rgb(colour))
        renderer.AddViewProp(self.actor)

    def mark_changed(self) -> None:
        """Make VTK draw the new positions that have been written into `points`."""
        self._array.Modified()
        self._vtk_points.Modified()
        self._surface.Modified()


class Panel(_Shape):
    """A rectangle with round corners, behind a text."""

    def __init__(self, renderer: Any, colour: str, opacity: float) -> None:
        angle = np.linspace(0, 0.5 * np.pi, 6)
        turns = np.concatenate([angle + 0.5 * np.pi * quarter for quarter in range(4)])
        self._round = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        self._sides = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], len(angle), axis=0)
        super().__init__(renderer, len(turns), colour, polygon=True)
        self.actor.GetProperty().SetOpacity(opacity)
        self._position: tuple[float, ...] = ()

    def place(self, left: float, bottom: float, right: float, top: float, corner: float = CORNER_RADIUS) -> None:
        """Move the edges to these positions [pixels]."""
        position = (left, bottom, right, top, corner)
        if position != self._position:
            self._position = position
            corner = min(corner, 0.5 * (right - left), 0.5 * (top - bottom))
            middle = np.array([0.5 * (left + right), 0.5 * (bottom + top)])
            half = np.array([0.5 * (right - left), 0.5 * (top - bottom)]) - corner
            self.points[:, :2] = middle + self._sides * half + corner * self._round
            self.mark_changed()


class Lines(_Shape):
    """A line through many points, or one line for each pair of points if `joined` is False."""

    def __init__(self, renderer: Any, n_points: int, colour: str, width: float, joined: bool) -> None:
        super().__init__(renderer, n_points, colour, joined=joined)
        self.actor.GetProperty().SetLineWidth(width)

    def place(self, points: FloatArray) -> None:
        """Move the points (n, 2) to these positions [pixels]."""
        self.points[:, :2] = points
        self.mark_changed()
