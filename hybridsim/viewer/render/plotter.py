"""Open a PyVista plotter with the viewer's background and lights, or say why this machine cannot draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vtkmodules.vtkCommonCore import vtkLogger

from hybridsim.errors import ConfigError
from hybridsim.viewer.render.colours import SKY
from hybridsim.viewer.render.quick_import import pv

SAMPLES_PER_PIXEL = 8
"""Samples per pixel for anti-aliasing."""
WINDOWLESS_CLASSES = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow")
"""Classes with which VTK draws when there is no display; a process that has used one cannot open windows."""
SUN_POSITION, SUN_INTENSITY, HEADLIGHT_INTENSITY = (-0.45, -0.75, 1.0), 0.82, 0.34


def open_plotter(shape: tuple[int, int], off_screen: bool, size: tuple[int, int], title: str) -> pv.Plotter:
    """Open a plotter with an empty picture.

    Parameters
    ----------
    shape : (int, int)
        Number of rows and columns of subplots.
    off_screen : bool
        Whether to draw without a window.
    size : (int, int)
        Width and height [pixels].
    title : str
        Title of the window.

    Returns
    -------
    Plotter
        The plotter.

    Raises
    ------
    ConfigError
        If this machine or this process cannot draw.
    """
    with _silence_warnings():
        plotter = pv.Plotter(
            shape=shape,
            off_screen=off_screen,
            window_size=list(size),
            border=False,
            lighting="none",
            title=title,
            notebook=False,
        )
        problem = _problem(plotter.render_window, off_screen)
    if problem:
        plotter.close()
        raise ConfigError(f"the viewer: {problem}")
    return plotter


def _problem(window: Any, off_screen: bool) -> str:
    """Return why a render window cannot be used; "" if it can. VTK itself would end the process."""
    if off_screen:
        window.Initialize()
        if not window.GetInitialized():
            return (
                "nothing can draw here: there is no display, no EGL and no OSMesa; "
                "install one of them (on Debian: apt install libegl1 libgl1-mesa-dri)"
            )
    elif window.GetClassName() in WINDOWLESS_CLASSES:
        return (
            "no window can be opened here; this process has no display, or has drawn without one before: "
            "start a new process with a display, or write files with --record"
        )
    return ""


@contextmanager
def _silence_warnings() -> Iterator[None]:
    """Suppress VTK's warning that it draws off-screen because there is no display."""
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_INFO)


def prepare_subplot(plotter: pv.Plotter) -> None:
    """Give the active subplot its background, lights and way to draw translucent surfaces."""
    # Translucent surfaces are drawn in the order in which they were added: order-independent transparency would take
    # a third of the time of a picture.
    plotter.renderer.SetUseOIT(False)
    plotter.set_background(SKY[0], top=SKY[1], all_renderers=False)
    sun = pv.Light(position=SUN_POSITION, light_type="scene light", intensity=SUN_INTENSITY)
    plotter.add_light(sun, only_active=True)
    plotter.add_light(pv.Light(light_type="headlight", intensity=HEADLIGHT_INTENSITY), only_active=True)


def smooth_edges(plotter: pv.Plotter) -> None:
    """Turn on anti-aliasing in all subplots."""
    plotter.enable_anti_aliasing("msaa", multi_samples=SAMPLES_PER_PIXEL, all_renderers=True)
