"""Write pictures and films of runs, and scenes for other programs, without a display."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.results.files import replacing
from hybridsim.typing import FloatArray, Layout
from hybridsim.viewer.encoders import Picture, write_gif, write_mp4, write_png
from hybridsim.viewer.export_checks import (
    is_single,
    refuse_unexportable,
    refuse_unrecordable,
    time_range,
    time_within,
)
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.player import Player
from hybridsim.viewer.session import Session
from hybridsim.viewer.source import Source

N_COLOUR_SAMPLES = 8
"""Number of pictures from which the colours of a .gif are chosen."""
MAX_PICTURES = 10**6
"""Largest number of pictures in a film."""
TIME_TOLERANCE = 1e-9
"""Share of the interval between two pictures by which the last one may be late because of rounding."""

PictureCallback = Callable[[int, int], None]
"""progress(done, total), called after every picture."""


def record(
    sources: Sequence[Source],
    file: str | os.PathLike[str],
    options: ViewOptions | None = None,
    progress: PictureCallback | None = None,
) -> list[Path]:
    """Write a picture, a film or a series of pictures.

    Pictures are taken at `begin + k speed / fps`, k = 0, 1, ..., up to `end`.

    Parameters
    ----------
    sources : sequence of Source
        Finished runs; the first one has the camera, the ground and the events.
    file : path
        .mp4 or .gif for a film, .png for one picture, or .png with a number field, `f%04d.png`, for one file per
        picture.
    options : ViewOptions, optional
        Size, speed, times, camera and contents of the pictures; by default those of `ViewOptions()`.
    progress : callable, optional
        Called as `progress(done, total)` after every picture.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ConfigError
        If the format does not support the options, a time is outside the runs, or a file cannot be written. Earlier
        files of these names are unchanged then.
    """
    path, options = Path(file), options or ViewOptions()
    refuse_unrecordable(path, options)
    if is_single(path):
        middle = 0.5 * sum(time_range(_span(sources), options.begin, options.end))
        times = np.array([time_within(_span(sources), options.at, "--at", middle)])
    else:
        times = picture_times(sources, options.fps, options.speed, options.begin, options.end)
    with _drawing(sources, options) as session:
        if path.suffix.lower() == ".png":
            return _write_pictures(path, session, times, progress)
        return _write_film(path, session, times, options, progress)


def _write_film(
    path: Path, session: Session, times: FloatArray, options: ViewOptions, progress: PictureCallback | None
) -> list[Path]:
    with replacing(path) as temporary:
        if path.suffix.lower() == ".gif":
            spread = times[np.unique(np.linspace(0, len(times) - 1, N_COLOUR_SAMPLES).round().astype(int))]
            samples = [*_pictures(session, spread)]
            write_gif(temporary, _pictures(session, times, progress), options.fps, samples)
        else:
            write_mp4(temporary, _pictures(session, times, progress), options.fps, options.size)
    return [path]


def _write_pictures(path: Path, session: Session, times: FloatArray, progress: PictureCallback | None) -> list[Path]:
    if is_single(path):
        session.stage.sharpen()
        names = [path]
    else:
        names = [path.with_name(path.name % number) for number in range(len(times))]
    for name, picture in zip(names, _pictures(session, times, progress), strict=True):
        with replacing(name) as temporary:
            write_png(temporary, picture)
    return names


def export_scene(
    sources: Sequence[Source], file: str | os.PathLike[str], at: float | None = None, layout: Layout = "ghosts"
) -> Path:
    """Write the scene at one time as glTF, for Blender and other programs.

    Parameters
    ----------
    sources : sequence of Source
        Finished runs.
    file : path
        A file ending in .gltf.
    at : float, optional
        Time [s]; by default the middle.
    layout : str
        `ghosts` or `side-by-side`: whether the other runs stand on the ground of the first one or on their own.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ConfigError
        If the file does not end in .gltf, the time is outside the runs, or the file cannot be written.
    """
    path = Path(file)
    refuse_unexportable(path)
    begin, end = span = _span(sources)
    t = time_within(span, at, "--at", 0.5 * (begin + end))
    with _drawing(sources, ViewOptions(size=(320, 180), layout=layout, outputs=())) as session:
        session.player.scrub(t)
        session.draw()
        with replacing(path) as temporary:
            session.stage.export(temporary)
    return path


def picture_times(
    sources: Sequence[Source], fps: float, speed: float, begin: float | None = None, end: float | None = None
) -> FloatArray:
    """Return the times at which pictures are taken: begin + k speed / fps, up to the end.

    Parameters
    ----------
    sources : sequence of Source
        Finished runs.
    fps : float
        Pictures per second.
    speed : float
        Simulated seconds per second shown.
    begin, end : float, optional
        Times of the first and the last picture [s]; by default the beginning and the end of the runs.

    Returns
    -------
    (n,) array
        Times [s].

    Raises
    ------
    ConfigError
        If a time is outside the runs, the end before the beginning, or a film has more than a million pictures.
    """
    first, last = time_range(_span(sources), begin, end)
    wanted = (last - first) * fps / speed + TIME_TOLERANCE
    if not wanted < MAX_PICTURES:
        raise ConfigError(
            f"--speed: {speed:g} at --fps {fps:g} makes {wanted:.3g} pictures of {last - first:g} s, and a film has at "
            f"most {MAX_PICTURES}; give a higher --speed, a lower --fps, or --from and --to"
        )
    count = int(wanted) + 1
    times: FloatArray = first + np.arange(count, dtype=np.float64) * speed / fps
    return times


def _span(sources: Sequence[Source]) -> tuple[float, float]:
    return min(source.begin for source in sources), max(source.end for source in sources)


@contextmanager
def _drawing(sources: Sequence[Source], options: ViewOptions) -> Iterator[Session]:
    """Yield a session that draws without a window."""
    session = Session(Player(*sources, speed=options.speed, fps=options.fps), options, off_screen=True)
    stage = session.stage
    try:
        session.draw()  # so that a camera that does not follow begins where the run does
        stage.set_camera(options.camera)
        stage.show_trails(options.trails)
        stage.show_kind("force", options.forces)
        stage.show_strips(options.strips)
        yield session
    finally:
        stage.close()


def _pictures(session: Session, times: FloatArray, progress: PictureCallback | None = None) -> Iterator[Picture]:
    for done, t in enumerate(times, start=1):
        session.player.scrub(float(t))
        session.draw()
        yield session.stage.screenshot()
        if progress is not None:
            progress(done, len(times))
