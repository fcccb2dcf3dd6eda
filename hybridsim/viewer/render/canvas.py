"""Flat things in front of the picture: texts, plates, lines. Made once; a frame moves them and changes their words."""

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
from hybridsim.viewer.colours import PLATE, rgb

REFERENCE, SMALLEST = 720, 0.62
"""The height of a picture in which a unit is a pixel, and how small a unit gets: words stay legible."""
FONT_FILE = 4  # VTK_FONT_FILE
SIZE = 15
CORNER = 6


@cache
def font_file(bold: bool = False) -> str:
    """A font whose letters are equally wide."""
    return str(Path(mpl.get_data_path()) / "fonts" / "ttf" / f"DejaVuSansMono{'-Bold' if bold else ''}.ttf")


class Canvas:
    """The layer in front of everything, over the whole window; positions in pixels from its lower left corner."""

    def __init__(self, window: Any) -> None:
        self._window = window
        self._renderer = vtkRenderer()
        self._renderer.SetLayer(1)
        self._renderer.InteractiveOff()
        window.SetNumberOfLayers(2)
        window.AddRenderer(self._renderer)

    @property
    def size(self) -> tuple[int, int]:
        width, height = self._window.GetSize()
        return width, height

    @property
    def unit(self) -> float:
        """How many pixels make a pixel of the reference picture."""
        width, height = self.size
        return max(min(height / REFERENCE, width / 960), SMALLEST)

    def letter(self, size: float = SIZE) -> tuple[float, float]:
        """Width and height of a letter [pixels]."""
        pixels = font_pixels(size, self.unit)
        return round(0.602 * pixels), 1.25 * pixels

    def text(self, size: float = SIZE, colour: str = "#000000", bold: bool = False, align: str = "left") -> Text:
        return Text(self, self._renderer, size, colour, bold, align)

    def plate(self, colour: str = PLATE, opacity: float = 0.72) -> Plate:
        return Plate(self._renderer, colour, opacity)

    def lines(self, points: int, colour: str, width: float = 1.5, joined: bool = True) -> Lines:
        return Lines(self._renderer, points, colour, width, joined)

    def hide(self) -> None:
        """Show nothing of it."""
        self._renderer.DrawOff()

    def remove(self, *things: Text | Plate | Lines) -> None:
        for thing in things:
            self._renderer.RemoveViewProp(thing.actor)


def font_pixels(size: float, unit: float) -> int:
    return max(round(size * unit), 7)


class Text:
    """Words in one line or several."""

    def __init__(self, canvas: Canvas, renderer: Any, size: float, colour: str, bold: bool, align: str) -> None:
        self._canvas, self._size = canvas, size
        self.words = ""
        self.actor = vtkTextActor()
        self._style = self.actor.GetTextProperty()
        self._style.SetFontFamily(FONT_FILE)
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
        """Where its upper left (or right) corner is [pixels]."""
        self._style.SetFontSize(font_pixels(self._size, self._canvas.unit))
        self.actor.SetPosition(round(x), round(y))

    def say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.actor.SetInput(words)

    def colour(self, colour: str) -> None:
        self._style.SetColor(*rgb(colour))

    def show(self, shown: bool) -> None:
        self.actor.SetVisibility(shown)


class Plate:
    """A rectangle with round corners, behind words."""

    def __init__(self, renderer: Any, colour: str, opacity: float) -> None:
        angle = np.linspace(0, 0.5 * np.pi, 6)
        turns = np.concatenate([angle + 0.5 * np.pi * quarter for quarter in range(4)])
        self._round = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        self._sides = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], len(angle), axis=0)
        self._shape = _Shape(renderer, len(turns), colour, polygon=True)
        self.actor = self._shape.actor
        self.actor.GetProperty().SetOpacity(opacity)
        self._at: tuple[float, ...] = ()

    def place(self, left: float, bottom: float, right: float, top: float, corner: float = CORNER) -> None:
        """Where its edges are [pixels]."""
        at = (left, bottom, right, top, corner)
        if at != self._at:
            self._at = at
            corner = min(corner, 0.5 * (right - left), 0.5 * (top - bottom))
            middle = np.array([0.5 * (left + right), 0.5 * (bottom + top)])
            half = np.array([0.5 * (right - left), 0.5 * (top - bottom)]) - corner
            self._shape.points[:, :2] = middle + self._sides * half + corner * self._round
            self._shape.changed()

    def show(self, shown: bool) -> None:
        self.actor.SetVisibility(shown)


class Lines:
    """A line through many points, or as many short lines as there are pairs of points (`joined` = False)."""

    def __init__(self, renderer: Any, points: int, colour: str, width: float, joined: bool) -> None:
        self._shape = _Shape(renderer, points, colour, joined=joined)
        self.actor = self._shape.actor
        self.actor.GetProperty().SetLineWidth(width)

    def place(self, points: FloatArray) -> None:
        """Where its points (n, 2) are [pixels]."""
        self._shape.points[:, :2] = points
        self._shape.changed()

    def show(self, shown: bool) -> None:
        self.actor.SetVisibility(shown)


class _Shape:
    """Points in the plane of the picture, joined to a polygon, to one line, or in pairs."""

    def __init__(self, renderer: Any, points: int, colour: str, polygon: bool = False, joined: bool = True) -> None:
        self.points = np.zeros((points, 3), np.float32)
        self._array = numpy_to_vtk(self.points)
        self._places, cells = vtkPoints(), vtkCellArray()
        self._places.SetData(self._array)
        self._surface = vtkPolyData()
        self._surface.SetPoints(self._places)
        step = points if polygon or joined else 2
        for first in range(0, points, step):
            cells.InsertNextCell(step, list(range(first, first + step)))
        (self._surface.SetPolys if polygon else self._surface.SetLines)(cells)
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._surface)
        self.actor = vtkActor2D()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().SetColor(*rgb(colour))
        renderer.AddViewProp(self.actor)

    def changed(self) -> None:
        self._array.Modified()
        self._places.Modified()
        self._surface.Modified()
