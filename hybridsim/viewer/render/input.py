"""Mouse and keys of a window: keys are handed on, the mouse turns the camera or drags the time slider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vtkmodules.vtkInteractionStyle import vtkInteractorStyleUser

from hybridsim.viewer.render.cameras import View
from hybridsim.viewer.render.view import Stage

TURN = 3.2
"""Radians for a drag over the height of the window."""
ZOOM, WHEEL = 3.0, 1.12
"""What a drag over the height of the window, and one click of the wheel, come nearer by: exp(ZOOM), a factor."""


class Input:
    """Takes the place of VTK's own ways with mouse and keys.

    Parameters
    ----------
    press : called with a key's name, as X11 has it, and whether shift is held.
    scrub : called with the time [s] to which the slider is dragged.
    close : called when the window is to be closed.

    Attributes
    ----------
    count : how many events there have been: the picture may be another since.
    """

    def __init__(
        self,
        stage: Stage,
        press: Callable[[str, bool], None],
        scrub: Callable[[float], None],
        close: Callable[[], None],
    ) -> None:
        self._stage, self._press, self._scrub = stage, press, scrub
        stage.plotter.iren.remove_observers()  # those of PyVista
        self._interactor: Any = stage.plotter.iren.interactor
        self.count = 0
        self._holds = ""
        self._last = (0, 0)
        self._view: View | None = None
        style = vtkInteractorStyleUser()
        for event, what in (
            ("LeftButtonPressEvent", lambda *_: self._take("turn")),
            ("MiddleButtonPressEvent", lambda *_: self._take("move")),
            ("RightButtonPressEvent", lambda *_: self._take("zoom")),
            ("LeftButtonReleaseEvent", self._drop),
            ("MiddleButtonReleaseEvent", self._drop),
            ("RightButtonReleaseEvent", self._drop),
            ("MouseWheelForwardEvent", lambda *_: self._wheel(WHEEL)),
            ("MouseWheelBackwardEvent", lambda *_: self._wheel(1.0 / WHEEL)),
            ("KeyPressEvent", self._key),
            ("CharEvent", lambda *_: None),  # or VTK would close the window at `q` and draw wires at `w`
        ):
            style.AddObserver(event, self._counted(what))
        style.AddObserver("MouseMoveEvent", self._move)
        self._interactor.SetInteractorStyle(style)
        self._interactor.AddObserver("ExitEvent", lambda *_: close())
        self._style = style

    def _counted(self, what: Callable[..., None]) -> Callable[..., None]:
        def act(*arguments: object) -> None:
            self.count += 1
            what(*arguments)

        return act

    def _take(self, what: str) -> None:
        x, y = self._last = self._interactor.GetEventPosition()
        t = self._stage.timeline.time_at(x, y) if what == "turn" else None
        if t is not None:
            self._holds = "slider"
            self._scrub(t)
            return
        self._holds = "move" if what == "turn" and self._interactor.GetShiftKey() else what
        self._view = self._stage.view_at(x, y)

    def _drop(self, *_: object) -> None:
        self._holds = ""

    def _move(self, *_: object) -> None:
        if not self._holds:
            return
        self.count += 1
        x, y = self._interactor.GetEventPosition()
        height = self._stage.canvas.size[1]
        right, up = (x - self._last[0]) / height, (y - self._last[1]) / height
        self._last = (x, y)
        if self._holds == "slider":
            t = self._stage.timeline.time_at(x, y, held=True)
            if t is not None:
                self._scrub(t)
        elif self._view is not None:
            {
                "turn": lambda view: view.orbit(-TURN * right, -TURN * up),
                "move": lambda view: view.pan(right, up),
                "zoom": lambda view: view.zoom(2.718281828 ** (ZOOM * up)),
            }[self._holds](self._view)

    def _wheel(self, factor: float) -> None:
        view = self._stage.view_at(*self._interactor.GetEventPosition())
        if view is not None:
            view.zoom(factor)

    def _key(self, *_: object) -> None:
        self._press(self._interactor.GetKeySym() or "", bool(self._interactor.GetShiftKey()))
