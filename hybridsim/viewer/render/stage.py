"""The stage: one window or off-screen picture with the bodies, cameras and texts of one run or several."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from hybridsim.errors import refuse_other_word
from hybridsim.model.scene import SHOWN_ON_REQUEST, Scene
from hybridsim.results.colours import CURVE_COLOURS
from hybridsim.typing import BodyKind, FloatArray, Layout
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.canvas import Canvas
from hybridsim.viewer.render.colours import GHOST_TINTS, INK, rgb
from hybridsim.viewer.render.gltf import Surface, write_gltf
from hybridsim.viewer.render.ground import GroundPatch
from hybridsim.viewer.render.headup import HeadUpLines, Notice, RunNames
from hybridsim.viewer.render.plotter import open_plotter, prepare_subplot, smooth_edges
from hybridsim.viewer.render.quick_import import pv
from hybridsim.viewer.render.run_actors import RunActors
from hybridsim.viewer.render.shadows import Shadows
from hybridsim.viewer.render.strips import Strips
from hybridsim.viewer.render.timeline import Timeline
from hybridsim.viewer.render.trails import Trails, bodies_with_trails

GHOST_OPACITY = 0.38
"""Opacity of all runs but the first one, where several are in one picture."""
SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "SWR")
"""Names of OpenGL implementations without a graphics processor."""


@dataclass(frozen=True, slots=True)
class StagedRun:
    """What the stage needs of a run.

    Attributes
    ----------
    name : str
        Name of the run.
    scene : Scene
        Bodies, ground and camera.
    p : array
        Packed parameters, on which the height of the ground may depend.
    outputs : tuple of (str, str)
        Names and units of the outputs in strip charts.
    boundaries : tuple of str
        Names of the model's boundaries.
    """

    name: str
    scene: Scene
    p: FloatArray
    outputs: tuple[tuple[str, str], ...] = ()
    boundaries: tuple[str, ...] = ()


class Stage:
    """One window or off-screen picture with one run or several.

    Parameters
    ----------
    runs : sequence of StagedRun
        The runs.
    n_samples : int
        Number of samples of each curve and trail.
    layout : str
        Several runs in one picture, all but the first one as `ghosts`, or in one subplot each: `side-by-side`.
    off_screen : bool
        Whether to draw without a window.
    size : (int, int)
        Width and height [pixels].
    title : str
        Title of the window.

    Attributes
    ----------
    camera : str
        Name of the camera in use.
    kinds_shown : dict of str to bool
        For each kind of bodies, whether it is shown.
    trails_shown : bool
        Whether trails are shown.

    Raises
    ------
    ConfigError
        If this machine cannot draw.
    ModelError
        If a mesh file cannot be read.
    """

    def __init__(
        self,
        runs: Sequence[StagedRun],
        n_samples: int,
        layout: str = "ghosts",
        off_screen: bool = False,
        size: tuple[int, int] = (1280, 720),
        title: str = "hybridsim",
    ) -> None:
        refuse_other_word("layout", layout, Layout)
        self._runs, self._side_by_side = list(runs), layout == "side-by-side" and len(runs) > 1
        self._n_samples = n_samples
        n_subplots = len(runs) if self._side_by_side else 1
        self.columns = math.ceil(math.sqrt(n_subplots)) if n_subplots > 3 else n_subplots
        self.plotter = open_plotter((-(-n_subplots // self.columns), self.columns), off_screen, size, title)
        self.window: Any = self.plotter.render_window
        for number in range(n_subplots):
            self._activate_subplot(number)
            prepare_subplot(self.plotter)
        smooth_edges(self.plotter)
        self.canvas = Canvas(self.window)
        self.camera, self.trails_shown = "follow", False
        self.kinds_shown: dict[BodyKind, bool] = {kind: kind not in SHOWN_ON_REQUEST for kind in get_args(BodyKind)}
        self._strips_wanted = True
        self._add_runs()

    def _activate_subplot(self, number: int) -> None:
        self.plotter.subplot(*divmod(number if self._side_by_side else 0, self.columns))

    def replace_runs(self, runs: Sequence[StagedRun]) -> None:
        """Show other scenes instead of the present ones.

        Parameters
        ----------
        runs : sequence of StagedRun
            As many as before.
        """
        for renderer in self.plotter.renderers:
            renderer.RemoveAllViewProps()
        self.canvas.clear()
        self._runs = list(runs)
        self._add_runs()

    def _add_runs(self) -> None:
        runs, first = self._runs, self._runs[0]
        self.actors: list[RunActors] = []
        for number in range(len(runs)):
            self.actors.append(self._add_run(number))
        self.strips = Strips(self.canvas, first.outputs, len(runs), self._n_samples)
        self.timeline = Timeline(self.canvas, first.boundaries)
        self.head_up = HeadUpLines(
            self.canvas, (INK, *(_colour_of_run(CURVE_COLOURS, number) for number in range(len(runs))))
        )
        self.run_names = RunNames(self.canvas, [run.name for run in runs] if self._side_by_side else [], self.columns)
        self.help, self.alert = Notice(self.canvas), Notice(self.canvas, alarm=True)
        self.set_camera(self.camera)
        for kind, shown in self.kinds_shown.items():
            self.show_kind(kind, shown)
        self.show_trails(self.trails_shown)
        self.show_strips(self._strips_wanted)
        self._lay_out()

    def _add_run(self, number: int) -> RunActors:
        run, is_ghost = self._runs[number], not self._side_by_side and number > 0
        self._activate_subplot(number)
        tint, opacity = (_colour_of_run(GHOST_TINTS, number), GHOST_OPACITY) if is_ghost else ("", 1.0)
        ground = None
        if not is_ghost and run.scene.ground is not None:
            ground = GroundPatch(self.plotter, run.scene.ground, run.p, run.scene.camera.distance)
        bodies = Bodies(self.plotter, run.scene, tint, opacity)
        below = self.actors[0].ground if is_ghost else ground
        return RunActors(
            bodies=bodies,
            trails=Trails(self.plotter, run.scene, self._n_samples, tint) if bodies_with_trails(run.scene) else None,
            camera=None if is_ghost else SubplotCamera(self.plotter.renderer, run.scene),
            ground=ground,
            shadows=Shadows(bodies, below, opacity) if below is not None and bodies.solid else None,
        )

    @property
    def cameras(self) -> list[SubplotCamera]:
        """The cameras, one for each subplot."""
        return [actors.camera for actors in self.actors if actors.camera is not None]

    @property
    def strips_shown(self) -> bool:
        """Whether strip charts are shown; False if the scene names no outputs."""
        return self._strips_wanted and len(self.strips) > 0

    def set_poses(self, poses: Sequence[FloatArray]) -> None:
        """Move the bodies of each run to poses (n_bodies, 4, 4) [m]; cameras and grounds follow."""
        for actors, pose in zip(self.actors, poses, strict=True):
            actors.set_poses(pose)

    def set_paths(self, paths: Sequence[FloatArray]) -> None:
        """Draw the trails of each run through positions (n_samples, n_bodies, 3) [m]."""
        for actors, path in zip(self.actors, paths, strict=True):
            if actors.trails is not None:
                actors.trails.set_paths(path)

    def set_camera(self, name: str) -> None:
        """Use another camera.

        Parameters
        ----------
        name : str
            `follow`, `side`, `top` or `free`.

        Raises
        ------
        ConfigError
            If there is no such camera.
        """
        for camera in self.cameras:
            camera.set(name)
        self.camera = name

    def show_kind(self, kind: BodyKind, shown: bool) -> None:
        """Show or hide all bodies of a kind."""
        self.kinds_shown[kind] = shown
        for actors in self.actors:
            actors.bodies.show_kind(kind, shown)

    def toggle_kind(self, kind: BodyKind) -> None:
        """Hide the bodies of a kind if they are shown, show them otherwise."""
        self.show_kind(kind, not self.kinds_shown[kind])

    def show_trails(self, shown: bool) -> None:
        """Show or hide the trails."""
        self.trails_shown = shown
        for actors in self.actors:
            if actors.trails is not None:
                actors.trails.show(shown)

    def show_strips(self, shown: bool) -> None:
        """Show or hide the strip charts."""
        self._strips_wanted = shown
        self.strips.show(shown)
        self._centre_cameras()

    def set_lines(self, lines: Sequence[str]) -> None:
        """Set the head-up lines: the player's, then one for each run."""
        before = self.head_up.corner
        self.head_up.set_lines(lines)
        if self.head_up.corner != before:
            self.strips.lay_out(self.head_up.corner)
            self._centre_cameras()

    def render(self) -> None:
        """Draw the picture."""
        self.prepare()
        self.window.Render()

    def prepare(self) -> None:
        """Adapt texts and charts to the size of the window; call it before another program draws the window."""
        if self.canvas.size != self._laid_out_size:
            self._lay_out()

    def sharpen(self) -> None:
        """Draw distant ground sharply, for pictures that may take longer."""
        for actors in self.actors:
            if actors.ground is not None:
                actors.ground.sharpen()

    def _lay_out(self) -> None:
        self._laid_out_size = self.canvas.size
        for texts in (self.head_up, self.timeline, self.run_names, self.help, self.alert):
            texts.lay_out()
        self.strips.lay_out(self.head_up.corner)
        self._centre_cameras()

    def _centre_cameras(self) -> None:
        """Keep what a camera looks at beside the charts, and in a small picture below the head-up lines.

        Side by side, there is no room beside the charts.
        """
        share = self.strips.share_left
        for camera in self.cameras:
            if self._side_by_side:
                camera.centre(1.0)
            else:
                camera.centre(share, self.head_up.covered)

    def screenshot(self) -> NDArray[np.uint8]:
        """Draw the picture and return it, (height, width, 3)."""
        self.render()
        width, height = self.canvas.size
        pixels = vtkUnsignedCharArray()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        picture: NDArray[np.uint8] = pv.convert_array(pixels).reshape(height, width, 3)[::-1].copy()
        return picture

    def export(self, file: str | os.PathLike[str]) -> None:
        """Write the bodies at their present poses, and the ground around them, as glTF.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_gltf(Path(file), [*self._surfaces()])

    def _surfaces(self) -> Iterator[Surface]:
        for run, actors in zip(self._runs, self.actors, strict=True):
            prefix = f"{run.name}/" if len(self._runs) > 1 else ""
            for name, surface, transform, colour, opacity in actors.bodies.visible():
                faces = surface.triangulate().regular_faces
                normals = surface.point_data.active_normals
                yield Surface(f"{prefix}{name}", surface.points, faces, colour, opacity, transform, normals)
            if actors.ground is not None and actors.camera is not None:
                yield from _ground_surfaces(prefix, actors.ground.squares_around(actors.camera.focus))

    def camera_at(self, x: float, y: float) -> SubplotCamera | None:
        """Return the camera of the subplot with this pixel, counted from the lower left corner."""
        return next((camera for camera in self.cameras if camera.renderer.IsInViewport(int(x), int(y))), None)

    def open(self) -> None:
        """Open the window."""
        self.plotter.iren.interactor.Initialize()
        self.window.SetWindowName(self.plotter.title)
        self.render()
        if not any(name in self.window.ReportCapabilities() for name in SOFTWARE_RENDERERS):
            self.sharpen()

    def process_events(self) -> None:
        """Handle waiting events of the mouse, the keyboard and the window's frame."""
        self.plotter.iren.interactor.ProcessEvents()

    def close(self) -> None:
        """Close the window."""
        self.plotter.close()


def _ground_surfaces(prefix: str, squares: Sequence[tuple[str, FloatArray, NDArray[np.int64]]]) -> Iterator[Surface]:
    """Yield the squares of the ground, named by which colour is the lighter one."""
    lightest = max(squares, key=lambda square: sum(rgb(square[0])))
    for square in squares:
        colour, points, faces = square
        yield Surface(f"{prefix}ground/{'light' if square is lightest else 'dark'}", points, faces, colour)


def _colour_of_run(colours: Sequence[str], number: int) -> str:
    """Return the colour of a run; the first colour is for the first run only."""
    return colours[number if number < len(colours) else 1 + (number - 1) % (len(colours) - 1)]
