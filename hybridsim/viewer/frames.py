"""Evaluate what a model shows at a given state: its poses and outputs. The run itself is not affected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.entry import connect
from hybridsim.engine.log import make_log
from hybridsim.engine.memory import NOWHERE
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import Model
from hybridsim.model.contract import arguments_of
from hybridsim.model.poses import identity_poses
from hybridsim.model.scene import Camera, Scene, check_poses, refuse_undefined_ground
from hybridsim.model.source_location import line_of, where
from hybridsim.results.events import Event
from hybridsim.results.input_history import InputHistory
from hybridsim.simulation.evaluation import outputs_at, p_holding, weights_at
from hybridsim.simulation.packing import lay_out
from hybridsim.typing import FloatArray
from hybridsim.viewer.hybrid_state import HybridState, rows_of
from hybridsim.viewer.source import RunFrame

SEEN = 0.2
"""How far from the middle of the picture a place is certainly seen, in camera distances: the picture ends at 0.268."""


class FrameEvaluator:
    """Evaluate frames of a run with a separately compiled and packed copy of its model.

    Parameters
    ----------
    config : RunConfig
        The configuration of the run.
    duration : float
        Approximate duration of the run [s]; it scales how far a slide is probed on both sides of its surface.
    history : InputHistory, optional
        Values of the inputs over time, if they have changed.

    Attributes
    ----------
    model : Model
        The model.
    scene : Scene
        The model's scene.
    p : array
        Packed parameters, read-only.

    Raises
    ------
    ConfigError
        If the model has no scene.
    ModelError
        If the model does not compile.
    """

    def __init__(self, config: RunConfig, duration: float = 1.0, history: InputHistory | None = None) -> None:
        self.model = config.model
        self.scene = scene_of(config.model)
        self._packed = lay_out(config)
        log = make_log(0, 1, len(self.model.states), len(self.model.boundary_records), 0)
        # Never called, but without it the weights of a slide are not found.
        self._machine = connect(self._packed.problem, self._packed.state, self._packed.workspace, log)
        self._packed.state["step"] = duration
        self.p = self._packed.problem.p.copy()
        self.p.flags.writeable = False
        self._names = self.model.columns.names
        self._history = history if history is not None and len(history) else None

    def follow_inputs(self, history: InputHistory) -> None:
        """Evaluate from now on with these values of the inputs, which may have changed in a run that is computed."""
        self._history = history if len(history) else None

    def frame(self, state: HybridState, last_event: Event | None = None) -> RunFrame:
        """Return everything that a picture shows at a state.

        Parameters
        ----------
        state : HybridState
            State of the run.
        last_event : EventLike, optional
            The latest event up to this state.

        Returns
        -------
        Frame
            State, poses and outputs.

        Raises
        ------
        ModelError
            If `poses` raises; the message names its file and line.
        """
        poses, outputs = self.shown([state])
        return RunFrame(
            t=state.t,
            j=state.j,
            chart=self._chart_name(state),
            x=state.x,
            poses=poses[0],
            outputs=dict(zip(self._names, outputs[0].tolist(), strict=True)),
            last_event=event_label(last_event),
        )

    def shown(self, states: Sequence[HybridState]) -> tuple[FloatArray, FloatArray]:
        """Return poses (n, n_bodies, 4, 4) [m] and outputs (n, n_outputs) at n states, faster than one by one.

        A pose that is not finite becomes 0: hidden.
        """
        outputs = self._outputs(states)
        poses = evaluate_poses(self.model, self.scene, map(self._parameters, states), states, outputs)
        finite = np.isfinite(poses)
        if not finite.all():
            poses[~finite.all(axis=(2, 3))] = 0.0
        return poses, outputs

    def _outputs(self, states: Sequence[HybridState]) -> FloatArray:
        """Return the outputs as they are recorded in rows; in a slide, the weighted mean of both charts'."""
        rows = rows_of(states)
        weight = weights_at(self._packed, rows, self._history)
        return outputs_at(self._packed, rows, weight, self._history)

    def step_back(self, states: Sequence[HybridState]) -> None:
        """Let a camera that sees the whole of a run see the bodies at these states."""
        camera = self.scene.camera
        if camera.whole and not camera.follow:
            solid = [body.kind == "body" for body in self.scene.bodies]
            poses = self.shown(states)[0][:, solid]
            places = poses[poses[:, :, 3, 3] != 0.0][:, :3, 3]
            if len(places):
                self.scene = replace(self.scene, camera=stepped_back(camera, places))

    def refuse_broken_scene(self, state: HybridState) -> None:
        """Raise if the scene cannot be drawn at a state.

        Parameters
        ----------
        state : HybridState
            The state at which the run begins.

        Raises
        ------
        ModelError
            If poses are not transforms (every body is named), or if the height of the ground fails around the origin
            or the camera's focus.
        """
        scene, p = self.scene, self._parameters(state)
        poses = evaluate_poses(self.model, scene, [p], [state], self._outputs([state]))[0]
        problems = [*check_poses(scene, poses)]
        if problems:
            function = where(self.model.functions["poses"])
            raise ModelError("\n".join(f"model {self.model.name!r}: {function}: {problem}" for problem in problems))
        followed = poses[scene.bodies.index(scene.camera.follow), :3, 3] if scene.camera.follow else np.zeros(3)
        for focus in (np.zeros(3), scene.camera.focus(followed)):
            refuse_undefined_ground(scene, self.p, focus)

    def _parameters(self, state: HybridState) -> FloatArray:
        """Return the packed parameters with the inputs at that state."""
        history = self._history
        return self.p if history is None else p_holding(self._packed, history.held[history.which(state.j)])

    def _chart_name(self, state: HybridState) -> str:
        name = chart_label(self.model, state.chart)
        return name if state.adjacent_chart == NOWHERE else f"{name}|{chart_label(self.model, state.adjacent_chart)}"


def stepped_back(camera: Camera, places: FloatArray) -> Camera:
    """Return the camera, or one with its direction that sees places (n, 3) [m] around its middle, if it does not."""
    low, high = places.min(axis=0), places.max(axis=0)
    if max(np.linalg.norm(low - camera.at), np.linalg.norm(high - camera.at)) <= SEEN * camera.distance:
        return camera
    distance = max(camera.distance, 0.5 * float(np.linalg.norm(high - low)) / SEEN)
    return replace(camera, at=tuple((0.5 * (low + high)).tolist()), distance=distance)


def chart_label(model: Model, chart: int) -> str:
    """Return the name of a chart; of bit fields, `stance ●○●○●●`, a lamp for each bit, the lowest one first."""
    if not model.chart_fields:
        return model.chart_name(chart)
    fields, rest = [], chart
    for name, width in model.chart_fields.items():
        fields.append(f"{name} " + "".join("○●"[rest >> bit & 1] for bit in range(width)))
        rest >>= width
    return "  ".join(fields)


def lamps_of(model: Model) -> list[str]:
    """Return what the lamps of a chart made of bit fields stand for, one line for fields with the same names."""
    fields: dict[tuple[str, ...], list[str]] = {}
    for field, names in model.bit_names.items():
        if not all(map(str.isdigit, names)):
            fields.setdefault(names, []).append(field)
    return [f"lamps of {', '.join(those)}, left to right: {', '.join(names)}" for names, those in fields.items()]


def scene_of(model: Model) -> Scene:
    """Return the model's scene.

    Parameters
    ----------
    model : Model
        A model.

    Returns
    -------
    Scene
        Its scene.

    Raises
    ------
    ConfigError
        If the model has no scene.
    """
    if model.scene is None:
        raise ConfigError(
            f"model {model.name!r} has no scene, so there is nothing to show; expected `scene=Scene(...)` in its Model "
            f"and a function `poses`{f', in {model.source}' if model.source else ''}; docs/write-a-model.md, Scenes, "
            "shows how, and `hybridsim plot` needs no scene"
        )
    return model.scene


def evaluate_poses(
    model: Model, scene: Scene, p: Iterable[FloatArray], states: Sequence[HybridState], outputs: FloatArray
) -> FloatArray:
    """Return what the model's `poses` writes at n states, with the p and outputs of each: (n, n_bodies, 4, 4) [m].

    In a slide, `poses` receives the chart from which the state came, and the outputs of both charts' weighted mean.

    Raises
    ------
    ModelError
        If `poses` raises; the message names its file and line.
    """
    n, function = len(scene.bodies), model.functions["poses"]
    takes_outputs = "y" in arguments_of("poses", function)
    poses = identity_poses(len(states) * n).reshape(-1, n, 4, 4)
    for transforms, state, parameters, y in zip(poses, states, p, outputs, strict=True):
        x = state.x.view()
        x.flags.writeable = False
        try:
            function(transforms, state.t, x, parameters, state.chart, *((y,) if takes_outputs else ()))
        except Exception as error:
            raise ModelError(_failure(model, state, error)) from error
    return poses


def _failure(model: Model, state: HybridState, error: Exception) -> str:
    function = model.functions["poses"]
    return (
        f"{line_of(error, function)}: in `poses`: {type(error).__name__}: {error} "
        f"(at t = {state.t:.9g} s in chart {model.chart_name(state.chart)}, x = {state.x.tolist()})"
    )


def event_label(event: Event | None) -> str:
    """Return the names of an event's boundaries, `floor, left` or `floor (touch)` or `(input)`; "" for None."""
    if event is None:
        return ""
    names = ", ".join(event.boundaries)
    return names if event.kind == "crossing" else f"{names} ({event.kind})".lstrip()
