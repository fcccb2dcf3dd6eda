"""Push bodies with the mouse while a run is computed: a drag in the picture becomes a force, by the model's inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.model.pushes import Push
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.pushes import PushArrow, body_at, ray_through
from hybridsim.viewer.render.stage import Stage
from hybridsim.viewer.source import Source

if TYPE_CHECKING:
    from hybridsim.viewer.live import Live

PUSH_OF_FINISHED_RUN = "A body can be pushed only while its run is computed; r computes it again, if it was live."
NO_PUSH = "{model}: no inputs of this model are declared as a force on a body (`Push` in its scene)."
NO_BODY = "There is no body here that can be pushed; drag from {bodies}."

N_STEPS = 1000
"""Number of steps from no force to the largest one."""


@dataclass(frozen=True, slots=True)
class Drag:
    """A push that is under way.

    Attributes
    ----------
    number : int
        Index of the run.
    run : Live
        The run.
    push : Push
        The inputs that are the force.
    body : int
        Index of the body.
    camera : SubplotCamera
        The camera through which it is seen.
    begin : (float, float)
        Pixel at which the mouse button was pressed.
    arrow : PushArrow
        The arrow from the body in the direction of the force.
    """

    number: int
    run: Live
    push: Push
    body: int
    camera: SubplotCamera
    begin: tuple[float, float]
    arrow: PushArrow


class Pusher:
    """Pushes a body as long as a mouse button is held.

    Parameters
    ----------
    sources : sequence of Source
        The runs.
    stage : Stage
        The stage.
    refuse : callable
        Called with the reason why nothing is pushed.
    on_begin : callable
        Called when a push begins.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        stage: Stage,
        refuse: Callable[[str], None],
        on_begin: Callable[[], None] = lambda: None,
    ) -> None:
        self._sources, self._stage, self._refuse, self._on_begin = sources, stage, refuse, on_begin
        self._drag: Drag | None = None
        self._at = (0.0, 0.0)

    @property
    def pushing(self) -> bool:
        """Whether a body is pushed."""
        return self._drag is not None

    def begin(self, x: float, y: float, control: bool) -> bool:
        """Begin to push the body at a pixel, counted from the lower left corner, if the control key is held."""
        camera = self._stage.camera_at(x, y) if control else None
        if camera is None:
            return False
        self.end()
        self._begin(x, y, camera)
        return True

    def _begin(self, x: float, y: float, camera: SubplotCamera) -> None:
        """Begin to push the body at a pixel, or say why there is nothing to push."""
        number = self._stage.cameras.index(camera)
        source = self._sources[number]
        pushes = {source.scene.bodies.index(push.body): push for push in source.scene.pushes}
        if not pushes:
            self._refuse(NO_PUSH.format(model=source.model.name))
            return
        run: Any = source
        if source.finished or not hasattr(run, "push"):
            self._refuse(PUSH_OF_FINISHED_RUN)
            return
        body = body_at(ray_through(camera.renderer, x, y), self._stage.actors[number].bodies, pushes)
        if body is None:
            self._refuse(NO_BODY.format(bodies=", ".join(push.body for push in pushes.values())))
            return
        self._drag = Drag(number, run, pushes[body], body, camera, (x, y), PushArrow(camera))
        self._at = x, y
        self._on_begin()

    def move(self, x: float, y: float) -> None:
        """Let the mouse be at another pixel."""
        self._at = x, y

    def end(self) -> None:
        """End the push: the inputs have the values again that they had before."""
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.run.release()
            drag.arrow.remove()

    def apply(self, poses: Sequence[FloatArray]) -> None:
        """Push as far as the mouse is dragged, bodies of the runs being at poses (n_bodies, 4, 4) [m]."""
        if self._drag is not None and self._sources[self._drag.number].finished:
            self.end()
        drag = self._drag
        if drag is None:
            return
        origin, camera = poses[drag.number][drag.body, :3, 3], drag.camera.camera
        sight = np.array(camera.GetDirectionOfProjection())
        begin, now = (
            ray_through(drag.camera.renderer, *at).at_distance_of(origin, sight) for at in (drag.begin, self._at)
        )
        force = force_of(drag.push, now - begin)
        drag.run.push({name: float(part) for name, part in zip(drag.push.inputs, force, strict=True) if name})
        drag.arrow.place(origin, origin + force / drag.push.stiffness)


def force_of(push: Push, way: FloatArray) -> FloatArray:
    """Return the force (3,) [N] of a drag by a way (3,) [m], along the axes for which the model has inputs.

    It is a multiple of a small one: the rounding of a moving camera must not change the inputs in each picture.
    """
    force = np.where([bool(name) for name in push.inputs], push.stiffness * way, 0.0)
    size, unit = float(np.linalg.norm(force)), push.limit / N_STEPS
    limited = force * min(1.0, push.limit / size) if size > 0.0 else force
    return np.asarray(np.round(limited / unit) * unit)
