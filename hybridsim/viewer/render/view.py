"""The picture: scenes, cameras and what stands before them. With its siblings, the only module that knows PyVista."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonCore import vtkLogger, vtkUnsignedCharArray

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.model.scene import Scene
from hybridsim.typing import FloatArray
from hybridsim.viewer.colours import CURVES, INK, SKY, TINTS, rgb
from hybridsim.viewer.gltf import Item, write_gltf
from hybridsim.viewer.history import LENGTH
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.cameras import View
from hybridsim.viewer.render.canvas import Canvas
from hybridsim.viewer.render.ground import GroundPatch
from hybridsim.viewer.render.headup import Headline, Names, Notice
from hybridsim.viewer.render.shadows import Shadows
from hybridsim.viewer.render.strips import Strips
from hybridsim.viewer.render.timeline import Timeline
from hybridsim.viewer.render.trails import Trails, trailed

LAYOUTS = ("ghosts", "side-by-side")
GHOST = 0.38
"""How opaque the second run is and those after it, where all are in one picture."""
SAMPLES = 8
"""For every pixel."""
WINDOWLESS = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow")
"""What VTK draws with where there is no display, and ever after in that process."""
BY_PROCESSOR = ("llvmpipe", "softpipe", "SWR")
"""How OpenGL calls itself where there is no graphics processor."""
SUN, SUN_BRIGHTNESS, EYE_BRIGHTNESS = (-0.45, -0.75, 1.0), 0.82, 0.34


@dataclass(frozen=True, slots=True)
class Look:
    """What is shown of a run beside its bodies: names and units of outputs, names of boundaries, its own name."""

    name: str
    scene: Scene
    p: FloatArray
    outputs: tuple[tuple[str, str], ...] = ()
    boundaries: tuple[str, ...] = ()


@dataclass(slots=True)
class Actors:
    """One run in the picture; ghosts stand on the ground of the first run, and are seen by its camera."""

    bodies: Bodies
    trails: Trails | None
    view: View | None
    ground: GroundPatch | None
    shadows: Shadows | None

    def set_poses(self, poses: FloatArray) -> None:
        self.bodies.set_poses(poses)
        if self.view is not None:
            self.view.go_on(poses)
        if self.view is not None and self.ground is not None:
            self.ground.follow(self.view.focus)
        if self.shadows is not None:
            self.shadows.set_poses(poses)

    def remove(self, plotter: pv.Plotter) -> None:
        for part in (self.bodies, self.trails, self.ground, self.shadows):
            if part is not None:
                part.remove(plotter)


class Stage:
    """One window or off-screen picture with one run or several.

    Parameters
    ----------
    looks : what is shown of each run.
    layout : several runs in one picture, the first as it is and the others as ghosts, or in one subplot each.
    off_screen : without a window. size : width and height [pixels].

    Raises
    ------
    ConfigError : this machine cannot draw. ModelError : a mesh file that cannot be read.
    """

    def __init__(
        self,
        looks: Sequence[Look],
        layout: str = "ghosts",
        off_screen: bool = False,
        size: tuple[int, int] = (1280, 720),
        title: str = "hybridsim",
    ) -> None:
        refuse_unknown_layout(layout)
        self._looks, self._apart = list(looks), layout == "side-by-side" and len(looks) > 1
        plots = len(looks) if self._apart else 1
        self.columns = math.ceil(math.sqrt(plots)) if plots > 3 else plots
        self.plotter = _plotter((-(-plots // self.columns), self.columns), off_screen, size, title)
        self.window: Any = self.plotter.render_window
        for number in range(plots):
            self._subplot(number)
            _prepare(self.plotter)
        self.plotter.enable_anti_aliasing("msaa", multi_samples=SAMPLES, all_renderers=True)
        self.canvas = Canvas(self.window)
        self._camera, self._forces, self._trails, self._strips = "follow", True, False, True
        self._cast()

    def _subplot(self, number: int) -> None:
        self.plotter.subplot(*divmod(number if self._apart else 0, self.columns))

    def recast(self, looks: Sequence[Look]) -> None:
        """Show other scenes in place of those that are there: as many of them."""
        for actors in self.actors:
            actors.remove(self.plotter)
        for part in (self.strips, self.timeline, self.headline, self.names, self.help, self.alert):
            part.remove()
        self._looks = list(looks)
        self._cast()

    def _cast(self) -> None:
        looks, first = self._looks, self._looks[0]
        self.actors: list[Actors] = []
        for number in range(len(looks)):
            self.actors.append(self._act(number))
        self.strips = Strips(self.canvas, first.outputs, len(looks), LENGTH)
        self.timeline = Timeline(self.canvas, first.boundaries)
        self.headline = Headline(self.canvas, (INK, *(_cycled(CURVES, number) for number in range(len(looks)))))
        self.names = Names(self.canvas, [look.name for look in looks] if self._apart else [], self.columns)
        self.help, self.alert = Notice(self.canvas), Notice(self.canvas, alarm=True)
        self.set_camera(self._camera)
        self.show_forces(self._forces)
        self.show_trails(self._trails)
        self.show_strips(self._strips)
        self._lay_out()

    def _act(self, number: int) -> Actors:
        look, leads = self._looks[number], self._apart or number == 0
        self._subplot(number)
        tint, opacity = ("", 1.0) if leads else (_cycled(TINTS, number), GHOST)
        ground = None
        if leads and look.scene.ground is not None:
            ground = GroundPatch(self.plotter, look.scene.ground, look.p, look.scene.camera.distance)
        bodies = Bodies(self.plotter, look.scene, tint, opacity)
        below = ground if leads else self.actors[0].ground
        return Actors(
            bodies=bodies,
            trails=Trails(self.plotter, look.scene, LENGTH, tint) if trailed(look.scene) else None,
            view=View(self.plotter.renderer, look.scene) if leads else None,
            ground=ground,
            shadows=Shadows(self.plotter, bodies, below, opacity) if below is not None and bodies.solid else None,
        )

    @property
    def camera(self) -> str:
        return self._camera

    @property
    def views(self) -> list[View]:
        """The cameras, one for each subplot."""
        return [actors.view for actors in self.actors if actors.view is not None]

    @property
    def forces_shown(self) -> bool:
        return self._forces

    @property
    def trails_shown(self) -> bool:
        return self._trails

    @property
    def strips_shown(self) -> bool:
        return self._strips and len(self.strips) > 0

    def set_poses(self, poses: Sequence[FloatArray]) -> None:
        """Move the bodies of each run to poses (n_bodies, 4, 4) [m]; cameras and grounds go with them."""
        for actors, pose in zip(self.actors, poses, strict=True):
            actors.set_poses(pose)

    def set_paths(self, paths: Sequence[FloatArray]) -> None:
        """Draw the trails of each run through places (LENGTH, n_bodies, 3) [m]."""
        for actors, path in zip(self.actors, paths, strict=True):
            if actors.trails is not None:
                actors.trails.set_paths(path)

    def set_camera(self, name: str) -> None:
        """Look as `follow`, `side`, `top` or `free` does.

        Raises
        ------
        ConfigError : there is no such camera.
        """
        for view in self.views:
            view.set(name)
        self._camera = name

    def show_forces(self, shown: bool) -> None:
        self._forces = shown
        for actors in self.actors:
            actors.bodies.show_forces(shown)

    def show_trails(self, shown: bool) -> None:
        self._trails = shown
        for actors in self.actors:
            if actors.trails is not None:
                actors.trails.show(shown)

    def show_strips(self, shown: bool) -> None:
        self._strips = shown
        self.strips.show(shown)

    def say(self, lines: Sequence[str]) -> None:
        """Put these lines at the upper left: the player, then each run."""
        before = self.headline.corner
        self.headline.say(lines)
        if self.headline.corner != before:
            self.strips.lay_out(self.headline.corner)

    def render(self) -> None:
        """Draw what has changed."""
        self.prepare()
        self.window.Render()

    def prepare(self) -> None:
        """What has to be done before the window is drawn, where someone else draws it."""
        if self.canvas.size != self._laid_out:
            self._lay_out()

    def sharpen(self) -> None:
        """For a picture that is looked at for long."""
        for actors in self.actors:
            if actors.ground is not None:
                actors.ground.sharpen()

    def _lay_out(self) -> None:
        self._laid_out = self.canvas.size
        for part in (self.headline, self.timeline, self.names, self.help, self.alert):
            part.lay_out()
        self.strips.lay_out(self.headline.corner)

    def screenshot(self) -> NDArray[np.uint8]:
        """The picture as it is now, (height, width, 3)."""
        self.render()
        width, height = self.canvas.size
        pixels = vtkUnsignedCharArray()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        picture: NDArray[np.uint8] = pv.convert_array(pixels).reshape(height, width, 3)[::-1].copy()
        return picture

    def seen_at(self, point: FloatArray, run: int = 0) -> tuple[float, float]:
        """Column and row of the pixel where a point (3,) [m] of the world is in the picture."""
        self._subplot(run)
        renderer = self.plotter.renderer
        renderer.SetWorldPoint(*point, 1.0)
        renderer.WorldToDisplay()
        x, y, _ = renderer.GetDisplayPoint()
        return x, self.canvas.size[1] - 1 - y

    def export(self, file: str | os.PathLike[str]) -> None:
        """Write the bodies as they stand, and the ground around them, as glTF.

        Raises
        ------
        OSError : the file cannot be written.
        """
        write_gltf(Path(file), [*self._items()])

    def _items(self) -> Iterator[Item]:
        for look, actors in zip(self._looks, self.actors, strict=True):
            prefix = f"{look.name}/" if len(self._looks) > 1 else ""
            for name, surface, transform, colour, opacity in actors.bodies.visible():
                faces = surface.triangulate().regular_faces
                normals = surface.point_data.active_normals
                yield Item(f"{prefix}{name}", surface.points, faces, colour, opacity, transform, normals)
            if actors.ground is not None and actors.view is not None:
                squares = actors.ground.checkered(actors.view.focus)
                lightest = max(squares, key=lambda square: sum(rgb(square[0])))
                for square in squares:
                    colour, points, faces = square
                    yield Item(f"{prefix}ground/{'light' if square is lightest else 'dark'}", points, faces, colour)

    def view_at(self, x: float, y: float) -> View | None:
        """The camera of the subplot with this pixel, counted from the lower left corner."""
        return next((view for view in self.views if view.renderer.IsInViewport(int(x), int(y))), None)

    def open(self) -> None:
        """Put the window on the screen."""
        self.plotter.iren.interactor.Initialize()
        self.window.SetWindowName(self.plotter.title)
        self.render()
        if not any(name in self.window.ReportCapabilities() for name in BY_PROCESSOR):
            self.sharpen()

    def process_events(self) -> None:
        """Let mouse, keys and the window's frame have their say."""
        self.plotter.iren.interactor.ProcessEvents()

    def close(self) -> None:
        """Give the window back."""
        self.plotter.close()


def refuse_unknown_layout(name: str) -> None:
    """A ConfigError, if several runs cannot be shown so."""
    if name not in LAYOUTS:
        raise ConfigError(f"layout: there is no {name!r}{nearest(name, LAYOUTS)}; choose among {', '.join(LAYOUTS)}")


def _plotter(shape: tuple[int, int], off_screen: bool, size: tuple[int, int], title: str) -> pv.Plotter:
    with _quiet():
        plotter = pv.Plotter(
            shape=shape,
            off_screen=off_screen,
            window_size=list(size),
            border=False,
            lighting="none",
            title=title,
            notebook=False,
        )
        drawable = not off_screen or _initialized(plotter.render_window)
    if off_screen and not drawable:
        plotter.close()
        raise ConfigError(
            "the viewer: nothing can draw here, neither a display nor EGL nor OSMesa is there; "
            "install one (on Debian: apt install libegl1 libgl1-mesa-dri)"
        )
    if not off_screen and plotter.render_window.GetClassName() in WINDOWLESS:
        plotter.close()
        raise ConfigError(
            "the viewer: no window can be opened here; this process has no display, or has drawn without one before: "
            "begin a new one with a display, or write files with --record"
        )
    return plotter


def _initialized(window: Any) -> bool:
    """Can it draw? Asked before it does: VTK would end the process."""
    window.Initialize()
    return bool(window.GetInitialized())


@contextmanager
def _quiet() -> Iterator[None]:
    """Without a display, VTK draws off-screen by other means, and warns of it; nobody needs to know."""
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_INFO)


def _prepare(plotter: pv.Plotter) -> None:
    """Background, lights, and how what is translucent is drawn, of the active subplot."""
    # One thing after the other, as they come: independent of their order costs a third of all there is.
    plotter.renderer.SetUseOIT(False)
    plotter.set_background(SKY[0], top=SKY[1], all_renderers=False)
    plotter.add_light(pv.Light(position=SUN, light_type="scene light", intensity=SUN_BRIGHTNESS), only_active=True)
    plotter.add_light(pv.Light(light_type="headlight", intensity=EYE_BRIGHTNESS), only_active=True)


def _cycled(colours: Sequence[str], number: int) -> str:
    """The first colour is for the first run alone."""
    return colours[number if number < len(colours) else 1 + (number - 1) % (len(colours) - 1)]
