"""What a model shows at a given state: its poses and outputs, evaluated beside the run, which does not notice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.entry import connect
from hybridsim.engine.log import make_log
from hybridsim.engine.memory import NOWHERE
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import Model
from hybridsim.model.poses import identity_poses
from hybridsim.model.scene import Scene, check_poses, refuse_undefined_ground
from hybridsim.model.source_location import line_of, where
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import make_row
from hybridsim.simulation.evaluation import outputs_at, p_holding, weights_at
from hybridsim.simulation.packing import lay_out
from hybridsim.typing import FloatArray
from hybridsim.viewer.source import EventLike, Moment


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is: its time t [s], jump count j, chart and state x (n_states,).

    adjacent_chart, surface : while it slides, the second chart and the boundary it slides along; else -1.
    """

    t: float
    j: int
    chart: int
    x: FloatArray
    adjacent_chart: int = NOWHERE
    surface: int = NOWHERE


class Moments:
    """Places made into moments, by a model compiled and laid out on its own.

    Parameters
    ----------
    config : what makes the run, or has made it.
    duration : how long the run lasts [s], roughly: it sets the scale on which a slide looks across its surface.
    history : what the inputs were, if they have changed.

    Raises
    ------
    ConfigError : a model without a scene. ModelError : one that does not compile.
    """

    def __init__(self, config: RunConfig, duration: float = 1.0, history: InputHistory | None = None) -> None:
        self.model = config.model
        self.scene = scene_of(config.model)
        self._packed = lay_out(config)
        log = make_log(0, 1, len(self.model.states), len(self.model.boundary_records), 0)
        self._machine = connect(self._packed.problem, self._packed.state, self._packed.workspace, log)
        self._packed.state["step"] = duration
        self.p = self._packed.problem.p.copy()
        self.p.flags.writeable = False
        self._names = self.model.columns.names
        self._history = history if history is not None and len(history) else None

    def at(self, place: Place, last_event: EventLike | None = None) -> Moment:
        """All there is to show where the run is now.

        Raises
        ------
        ModelError : `poses` fails there, with its file and line.
        """
        return Moment(
            t=place.t,
            j=place.j,
            chart=self.chart_name(place),
            x=place.x,
            poses=self.poses(place),
            outputs=dict(zip(self._names, self.outputs(place), strict=True)),
            last_event=label(last_event),
        )

    def outputs(self, place: Place) -> list[float]:
        """What the model records, as it does at a recorded row; of a slide, both charts' by their weights."""
        row = make_row(place.t, place.j, place.chart, place.adjacent_chart, place.surface, place.x, 0)
        weight = weights_at(self._packed, row, self._history)
        values: list[float] = outputs_at(self._packed, row, weight, self._history)[0].tolist()
        return values

    def poses(self, place: Place) -> FloatArray:
        """Where the bodies are, (n_bodies, 4, 4); a body whose pose is not finite is hidden."""
        poses = poses_at(self.model, self.scene, self._p_at(place), place)
        finite = np.isfinite(poses)
        if not finite.all():
            poses[~finite.all(axis=(1, 2))] = 0.0
        return poses

    def check(self, place: Place) -> None:
        """Are the poses those of bodies, here, and is there ground around the origin and where the camera looks?

        Raises
        ------
        ModelError : with every body whose pose is none; or with what is wrong with the ground.
        """
        scene, poses = self.scene, poses_at(self.model, self.scene, self._p_at(place), place)
        problems = [*check_poses(scene, poses)]
        if problems:
            function = where(self.model.functions["poses"])
            raise ModelError("\n".join(f"model {self.model.name!r}: {function}: {problem}" for problem in problems))
        followed = poses[scene.bodies.index(scene.camera.follow), :3, 3] if scene.camera.follow else np.zeros(3)
        for focus in (np.zeros(3), scene.camera.focus(followed)):
            refuse_undefined_ground(scene, self.p, focus)

    def _p_at(self, place: Place) -> FloatArray:
        """The packed parameters, with the inputs that were held there."""
        history = self._history
        return self.p if history is None else p_holding(self._packed, history.held[history.which(place.j)])

    def chart_name(self, place: Place) -> str:
        name = self.model.chart_name(place.chart)
        return name if place.adjacent_chart == NOWHERE else f"{name}|{self.model.chart_name(place.adjacent_chart)}"


def scene_of(model: Model) -> Scene:
    """The model's scene.

    Raises
    ------
    ConfigError : it has none.
    """
    if model.scene is None:
        raise ConfigError(
            f"model {model.name!r} has no scene, so there is nothing to show; expected `scene=Scene(...)` in its Model "
            f"and a function `poses`{f', in {model.source}' if model.source else ''}; docs/write-a-model.md, Scenes, "
            "shows how, and `hybridsim plot` needs none"
        )
    return model.scene


def poses_at(model: Model, scene: Scene, p: FloatArray, place: Place) -> FloatArray:
    """What the model's `poses` writes, (n_bodies, 4, 4). Where a run slides, `chart` is the one it came from."""
    poses = identity_poses(len(scene.bodies))
    x = place.x.view()
    x.flags.writeable = False
    try:
        model.functions["poses"](poses, place.t, x, p, place.chart)
    except Exception as problem:
        raise ModelError(_broken(model, place, problem)) from problem
    return poses


def _broken(model: Model, place: Place, problem: Exception) -> str:
    function = model.functions["poses"]
    return (
        f"{line_of(problem, function)}: in `poses`: {type(problem).__name__}: {problem} "
        f"(at t = {place.t:.9g} s in chart {model.chart_name(place.chart)}, x = {place.x.tolist()})"
    )


def label(event: EventLike | None) -> str:
    """`touchdown`, `floor, left`, `floor (touch)`; "" for none."""
    if event is None:
        return ""
    names = ", ".join(event.boundaries)
    return names if event.kind == "crossing" else f"{names} ({event.kind})"
