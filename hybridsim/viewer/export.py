"""Pictures and films of runs, and scenes for other programs, as files: without any display."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.results.files import replacing
from hybridsim.typing import FloatArray
from hybridsim.viewer.encoders import FASTEST_GIF, SLOWEST_GIF, Picture, ffmpeg, write_gif, write_mp4, write_png
from hybridsim.viewer.player import Player
from hybridsim.viewer.session import Show
from hybridsim.viewer.source import Source

ENDINGS = (".mp4", ".gif", ".png")
EXPORTS = (".gltf",)
FIELD = re.compile(r"%0?\d*d")
SAMPLES = 8
"""Pictures from which the colours of a .gif are chosen."""
MOST = 10**6
"""Pictures in a film."""
ROUNDING = 1e-9
"""Of a picture's time, as a part of the time between two: the last one is not lost to it."""

Progress = Callable[[int, int], None]
"""progress(done, all): called after every picture."""


def refuse_unrecordable(
    file: str | os.PathLike[str], size: tuple[int, int] = (1280, 720), fps: float = 30.0, at: float | None = None
) -> None:
    """Make sure that there can be such a file, before anything is computed for it; its folder is made at need.

    Parameters
    ----------
    file, size, fps, at :
        as for `record`.

    Raises
    ------
    ConfigError : an unknown ending, no FFmpeg, a size or a pace that the format does not know, or a folder that
        cannot be written.
    """
    path = Path(file)
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        raise ConfigError(
            f"{path}: no film or picture ends in {kind!r}; name it .mp4, .gif, .png, or f%04d.png for many"
        )
    fields = FIELD.findall(path.name)
    if "%" in FIELD.sub("", path.name) or len(fields) > 1 or (fields and kind != ".png"):
        raise ConfigError(
            f"{path}: expected at most one number field, in the name of a .png; write for example f%04d.png"
        )
    if at is not None and (kind != ".png" or fields):
        raise ConfigError(f"{path}: --at is the time of a single picture; name it .png, or leave --at out")
    if kind == ".mp4":
        ffmpeg()
        if size[0] % 2 or size[1] % 2:
            even = "x".join(str(side + side % 2) for side in size)
            raise ConfigError(f"{path}: an .mp4 has even sides, found {size[0]}x{size[1]}; give --size {even}")
    if kind == ".gif" and fps > FASTEST_GIF:
        raise ConfigError(
            f"{path}: a .gif shows at most {FASTEST_GIF:g} pictures per second, found {fps:g}; give --fps 50"
        )
    if kind == ".gif" and fps < SLOWEST_GIF:
        raise ConfigError(
            f"{path}: a .gif shows a picture for {1 / SLOWEST_GIF:g} s at most, found --fps {fps:g}; "
            f"give --fps {SLOWEST_GIF:g} or more"
        )
    _refuse_unwritable(path)


def is_single(file: Path) -> bool:
    """Is this the name of one picture, and not of a film or a series?"""
    return file.suffix.lower() == ".png" and not FIELD.search(file.name)


def refuse_outside(
    span: tuple[float, float], begin: float | None = None, end: float | None = None, at: float | None = None
) -> None:
    """Make sure that pictures are taken within a run that goes from the first to the second of these times [s].

    Raises
    ------
    ConfigError : a time outside of it, or an end before the beginning.
    """
    _stretch(span, begin, end)
    _inside(span, at, "--at", 0.0)


def refuse_unexportable(file: str | os.PathLike[str]) -> None:
    """Make sure that a scene can be exported to this file; its folder is made at need.

    Raises
    ------
    ConfigError : an unknown ending, or a folder that cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in EXPORTS:
        raise ConfigError(f"{path}: no scene ends in {path.suffix!r}; name it .gltf")
    _refuse_unwritable(path)


def _refuse_unwritable(path: Path) -> None:
    if path.is_dir():
        raise ConfigError(f"{path}: is a folder, where a file has to go; choose another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be written ({problem.strerror}); choose another folder") from None


def record(
    sources: Sequence[Source],
    file: str | os.PathLike[str],
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    speed: float = 1.0,
    camera: str = "follow",
    begin: float | None = None,
    end: float | None = None,
    at: float | None = None,
    layout: str = "ghosts",
    outputs: Sequence[str] | None = None,
    trails: bool = False,
    forces: bool = True,
    strips: bool = True,
    progress: Progress | None = None,
) -> list[Path]:
    """Write a picture or a film, and return the files.

    Parameters
    ----------
    sources :
        finished runs; the first one leads, see `Show`.
    file :
        .mp4, .gif, .png for one picture, or .png with a number field, `f%04d.png`, for one file per picture.
    size :
        width and height [pixels].
    fps, speed :
        pictures per second, and simulated seconds per second.
    camera :
        `follow`, `side`, `top` or `free` (which stays where `follow` begins).
    begin, end :
        from when to when [s]; None: all of the run. Pictures are taken at begin + k speed / fps.
    at :
        when a single picture is taken [s]; None: in the middle.
    layout :
        several runs as `ghosts` or `side-by-side`.
    outputs :
        what the head-up line and the strip charts show; None: what the scene says.
    trails, forces, strips :
        what is to be seen beside the bodies.
    progress :
        called after every picture.

    Raises
    ------
    ConfigError : what `refuse_unrecordable` says, a time outside the runs, or the file cannot be written. What stood
        there before is untouched then.
    """
    path = Path(file)
    refuse_unrecordable(path, size, fps, at)
    single = is_single(path)
    if single:
        span = _span(sources)
        middle = 0.5 * sum(_stretch(span, begin, end))
        times = np.array([_inside(span, at, "--at", middle)])
    else:
        times = picture_times(sources, fps, speed, begin, end)
    with _camera(sources, size, speed, fps, camera, layout, outputs) as show:
        show.stage.show_trails(trails)
        show.stage.show_forces(forces)
        show.stage.show_strips(strips)
        if single:
            show.stage.sharpen()
        if single or path.suffix.lower() == ".png":
            names = [path] if single else [path.with_name(path.name % number) for number in range(len(times))]
            for name, picture in zip(names, _pictures(show, times, progress), strict=True):
                with replacing(name) as temporary:
                    write_png(temporary, picture)
            return names
        with replacing(path) as temporary:
            if path.suffix.lower() == ".gif":
                spread = times[np.unique(np.linspace(0, len(times) - 1, SAMPLES).round().astype(int))]
                samples = [*_pictures(show, spread)]
                write_gif(temporary, _pictures(show, times, progress), fps, samples)
            else:
                write_mp4(temporary, _pictures(show, times, progress), fps, size)
    return [path]


def export_scene(
    sources: Sequence[Source], file: str | os.PathLike[str], at: float | None = None, layout: str = "ghosts"
) -> Path:
    """Write the scene as it is at one time, as glTF.

    Parameters
    ----------
    sources, layout :
        see `record`.
    file :
        its name ends in .gltf.
    at :
        when [s]; None: in the middle of the run.

    Raises
    ------
    ConfigError : another ending than .gltf, a time outside the runs, or the file cannot be written.
    """
    path = Path(file)
    refuse_unexportable(path)
    begin, end = span = _span(sources)
    t = _inside(span, at, "--at", 0.5 * (begin + end))
    with _camera(sources, (320, 180), 1.0, 30.0, "follow", layout, ()) as show:
        show.player.scrub(t)
        show.draw()
        with replacing(path) as temporary:
            show.stage.export(temporary)
    return path


def picture_times(
    sources: Sequence[Source], fps: float, speed: float, begin: float | None = None, end: float | None = None
) -> FloatArray:
    """When pictures are taken, (n,) [s]: begin + k speed / fps up to the end.

    Raises
    ------
    ConfigError : a time outside the runs, an end before the beginning, or more than a million pictures.
    """
    first, last = _stretch(_span(sources), begin, end)
    wanted = (last - first) * fps / speed + ROUNDING
    if not wanted < MOST:
        raise ConfigError(
            f"--speed: {speed:g} at --fps {fps:g} makes {wanted:.3g} pictures of {last - first:g} s, and a film has at "
            f"most {MOST}; give a higher --speed, a lower --fps, or --from and --to"
        )
    count = int(wanted) + 1
    times: FloatArray = first + np.arange(count, dtype=np.float64) * speed / fps
    return times


def _span(sources: Sequence[Source]) -> tuple[float, float]:
    return min(source.begin for source in sources), max(source.end for source in sources)


def _stretch(span: tuple[float, float], begin: float | None, end: float | None) -> tuple[float, float]:
    """From when to when pictures are taken [s]."""
    first, last = _inside(span, begin, "--from", span[0]), _inside(span, end, "--to", span[1])
    if last < first:
        raise ConfigError(f"--to: {last:g} s is before --from {first:g} s; give a later time")
    return first, last


def _inside(span: tuple[float, float], t: float | None, option: str, otherwise: float) -> float:
    if t is None:
        return float(otherwise)
    begin, end = span
    if not begin <= t <= end:
        raise ConfigError(f"{option}: {t:g} s lies outside the run, which goes from {begin:g} s to {end:g} s")
    return t


@contextmanager
def _camera(
    sources: Sequence[Source],
    size: tuple[int, int],
    speed: float,
    fps: float,
    camera: str,
    layout: str,
    outputs: Sequence[str] | None,
) -> Iterator[Show]:
    player = Player(*sources, speed=speed, fps=fps)
    show = Show(sources, player, layout, True, size, outputs)
    try:
        show.draw()  # the camera begins where the run does
        show.stage.set_camera(camera)
        yield show
    finally:
        show.stage.close()


def _pictures(show: Show, times: FloatArray, progress: Progress | None = None) -> Iterator[Picture]:
    for done, t in enumerate(times, start=1):
        show.player.scrub(float(t))
        show.draw()
        yield show.stage.screenshot()
        if progress is not None:
            progress(done, len(times))
