"""Mouse and keys: keys are passed on, the mouse turns and moves the camera or drags the time slider."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from vtkmodules.vtkInteractionStyle import vtkInteractorStyleUser

from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.stage import Stage

TURN_PER_HEIGHT = 3.2
"""Angle by which a drag over the height of the window turns the camera [rad]."""
ZOOM_PER_HEIGHT = 3.0
"""Natural logarithm of the factor by which a drag over the height of the window zooms."""
ZOOM_PER_CLICK = 1.12
"""Factor by which one click of the wheel zooms."""


class Grip(Protocol):
    """What the mouse can take and drag; positions are pixels from the lower left corner."""

    def begin(self, x: float, y: float, control: bool) -> bool:
        """Take it, with the control key held or not; return whether it is there."""

    def move(self, x: float, y: float) -> None:
        """Drag it."""

    def end(self) -> None:
        """Let it go."""


class Interaction:
    """Handle mouse and keys, instead of VTK's and PyVista's handlers.

    Parameters
    ----------
    stage : Stage
        The stage.
    press : callable
        Called as `press(key, shift)` with the X11 name of a key, and whether the shift key is held.
    scrub : callable
        Called with the time to which the slider is dragged [s].
    close : callable
        Called when the window is to be closed.
    grips : sequence of Grip
        What the left button may take before it turns the camera; the first one that is there is taken.

    Attributes
    ----------
    count : int
        Number of events so far; if it has changed, the picture may have changed.
    """

    def __init__(
        self,
        stage: Stage,
        press: Callable[[str, bool], None],
        scrub: Callable[[float], None],
        close: Callable[[], None],
        grips: Sequence[Grip] = (),
    ) -> None:
        self._stage, self._press, self._scrub, self._grips = stage, press, scrub, grips
        self._grip: Grip | None = None
        stage.plotter.iren.remove_observers()  # PyVista's
        self._interactor: Any = stage.plotter.iren.interactor
        self.count = 0
        self._drag = ""
        self._last = (0, 0)
        self._camera: SubplotCamera | None = None
        style = vtkInteractorStyleUser()
        for event, handler in (
            ("LeftButtonPressEvent", lambda *_: self._begin_drag("turn")),
            ("MiddleButtonPressEvent", lambda *_: self._begin_drag("move")),
            ("RightButtonPressEvent", lambda *_: self._begin_drag("zoom")),
            ("LeftButtonReleaseEvent", self._end_drag),
            ("MiddleButtonReleaseEvent", self._end_drag),
            ("RightButtonReleaseEvent", self._end_drag),
            ("MouseWheelForwardEvent", lambda *_: self._zoom(ZOOM_PER_CLICK)),
            ("MouseWheelBackwardEvent", lambda *_: self._zoom(1.0 / ZOOM_PER_CLICK)),
            ("KeyPressEvent", self._key),
            ("CharEvent", lambda *_: None),  # otherwise VTK closes the window at `q` and draws wire frames at `w`
        ):
            style.AddObserver(event, self._count_calls(handler))
        style.AddObserver("MouseMoveEvent", self._move)
        self._interactor.SetInteractorStyle(style)
        self._interactor.AddObserver("ExitEvent", lambda *_: close())
        self._style = style

    def _count_calls(self, handler: Callable[..., None]) -> Callable[..., None]:
        """Return a handler that also counts its calls."""

        def handle(*arguments: object) -> None:
            self.count += 1
            handler(*arguments)

        return handle

    def _begin_drag(self, action: str) -> None:
        """Begin to `turn`, `move` or `zoom`; on the slider, dragging with the left button scrubs."""
        x, y = self._last = self._interactor.GetEventPosition()
        t = self._stage.timeline.time_at(x, y) if action == "turn" else None
        if t is not None:
            self._drag = "slider"
            self._scrub(t)
            return
        if action == "turn" and self._take(x, y):
            return
        self._drag = "move" if action == "turn" and self._interactor.GetShiftKey() else action
        self._camera = self._stage.camera_at(x, y)

    def _take(self, x: float, y: float) -> bool:
        """Begin to drag a grip, if one is at a pixel."""
        control = bool(self._interactor.GetControlKey())
        self._grip = next((grip for grip in self._grips if grip.begin(x, y, control)), None)
        self._drag = "grip" if self._grip is not None else ""
        return self._grip is not None

    def _end_drag(self, *_: object) -> None:
        self._drag = ""
        if self._grip is not None:
            self._grip.end()
            self._grip = None

    def _move(self, *_: object) -> None:
        if not self._drag:
            return
        self.count += 1
        x, y = self._interactor.GetEventPosition()
        height = self._stage.canvas.size[1]
        right, up = (x - self._last[0]) / height, (y - self._last[1]) / height
        self._last = (x, y)
        if self._grip is not None:
            self._grip.move(x, y)
        elif self._drag == "slider":
            t = self._stage.timeline.time_at(x, y, held=True)
            if t is not None:
                self._scrub(t)
        elif self._camera is not None:
            {
                "turn": lambda camera: camera.orbit(-TURN_PER_HEIGHT * right, -TURN_PER_HEIGHT * up),
                "move": lambda camera: camera.pan(right, up),
                "zoom": lambda camera: camera.zoom(math.exp(ZOOM_PER_HEIGHT * up)),
            }[self._drag](self._camera)

    def _zoom(self, factor: float) -> None:
        camera = self._stage.camera_at(*self._interactor.GetEventPosition())
        if camera is not None:
            camera.zoom(factor)

    def _key(self, *_: object) -> None:
        self._press(self._interactor.GetKeySym() or "", bool(self._interactor.GetShiftKey()))
