"""Find out before a run is computed whether its pictures can be written. Nothing here needs the graphics toolkit."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from hybridsim.errors import ConfigError
from hybridsim.results.files import refuse_unusable
from hybridsim.viewer.encoders import MAX_GIF_FPS, MIN_GIF_FPS, MIN_MP4_FPS, ffmpeg_program
from hybridsim.viewer.options import ViewOptions

PICTURE_ENDINGS = (".mp4", ".gif", ".png")
SCENE_ENDINGS = (".gltf",)
NUMBER_FIELD = re.compile(r"%0?\d*d")


def refuse_unrecordable(file: str | os.PathLike[str], options: ViewOptions) -> None:
    """Raise if pictures cannot be written to this file; its folder is made if necessary.

    Parameters
    ----------
    file : path
        The file, as for `record`.
    options : ViewOptions
        Options of the pictures.

    Raises
    ------
    ConfigError
        If the ending is unknown, FFmpeg is missing, the format does not support the size or the rate, or the folder
        cannot be written.
    """
    path = Path(file)
    ending = path.suffix.lower()
    if ending not in PICTURE_ENDINGS:
        raise ConfigError(
            f"{path}: no film or picture ends in {ending!r}; name it .mp4, .gif, .png, or f%04d.png for many"
        )
    fields = NUMBER_FIELD.findall(path.name)
    if "%" in NUMBER_FIELD.sub("", path.name) or len(fields) > 1 or (fields and ending != ".png"):
        raise ConfigError(
            f"{path}: expected at most one number field, in the name of a .png; write for example f%04d.png"
        )
    if options.at is not None and not is_single(path):
        raise ConfigError(f"{path}: --at is the time of a single picture; name it .png, or leave --at out")
    if ending == ".mp4":
        _refuse_odd_sides(path, options.size)
        _refuse_slow_film(path, options.fps, MIN_MP4_FPS, "an .mp4")
    if ending == ".gif":
        _refuse_fast_film(path, options.fps)
        _refuse_slow_film(path, options.fps, MIN_GIF_FPS, "a .gif")
    _refuse_unwritable(path)


def _refuse_odd_sides(path: Path, size: tuple[int, int]) -> None:
    ffmpeg_program()
    if size[0] % 2 or size[1] % 2:
        even = "x".join(str(side + side % 2) for side in size)
        raise ConfigError(f"{path}: an .mp4 has even sides, found {size[0]}x{size[1]}; give --size {even}")


def _refuse_slow_film(path: Path, fps: float, least: float, film: str) -> None:
    if fps < least:
        raise ConfigError(
            f"{path}: {film} shows a picture for {1 / least:g} s at most, found --fps {fps:g}; "
            f"give --fps {least:g} or more"
        )


def _refuse_fast_film(path: Path, fps: float) -> None:
    if fps > MAX_GIF_FPS:
        raise ConfigError(
            f"{path}: a .gif shows at most {MAX_GIF_FPS:g} pictures per second, found {fps:g}; give --fps 50"
        )


def is_single(file: Path) -> bool:
    """Return whether this is the name of one picture, and not of a film or a series of pictures."""
    return file.suffix.lower() == ".png" and not NUMBER_FIELD.search(file.name)


def refuse_unexportable(file: str | os.PathLike[str]) -> None:
    """Raise if a scene cannot be exported to this file; its folder is made if necessary.

    Raises
    ------
    ConfigError
        If the ending is unknown or the folder cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in SCENE_ENDINGS:
        raise ConfigError(f"{path}: no scene ends in {path.suffix!r}; name it .gltf")
    _refuse_unwritable(path)


def refuse_unwritable_page(file: Path) -> None:
    """Raise if a page cannot be written to this file; its folder is made if necessary.

    Raises
    ------
    ConfigError
        If the file does not end as pages do, or the folder cannot be written.
    """
    refuse_other_ending(file)
    _refuse_unwritable(file)


def _refuse_unwritable(path: Path) -> None:
    refuse_unusable(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror}); choose another folder") from None


def time_range(span: tuple[float, float], begin: float | None, end: float | None) -> tuple[float, float]:
    """Return the times between which pictures are taken [s].

    Parameters
    ----------
    span : (float, float)
        Beginning and end of the run [s].
    begin, end : float or None
        Values of --from and --to [s]; None for the beginning and the end of the run.

    Returns
    -------
    (float, float)
        Times of the first and the last picture [s].

    Raises
    ------
    ConfigError
        If a time is outside the run, or the end before the beginning.
    """
    first, last = time_within(span, begin, "--from", span[0]), time_within(span, end, "--to", span[1])
    if last < first:
        raise ConfigError(f"--to: {last:g} s is before --from {first:g} s; give a later time")
    return first, last


def time_within(span: tuple[float, float], t: float | None, option: str, default: float) -> float:
    """Return the value of an option [s], or the default if it is None.

    Raises
    ------
    ConfigError
        If the time is outside the run.
    """
    if t is None:
        return float(default)
    begin, end = span
    if not begin <= t <= end:
        raise ConfigError(f"{option}: {t:g} s lies outside the run, which goes from {begin:g} s to {end:g} s")
    return t


def refuse_times_outside(span: tuple[float, float], options: ViewOptions) -> None:
    """Raise if pictures cannot be taken at the times of the options.

    Parameters
    ----------
    span : (float, float)
        Beginning and end of the run [s].
    options : ViewOptions
        Options of the pictures.

    Raises
    ------
    ConfigError
        If a time is outside the run, or the end before the beginning.
    """
    time_range(span, options.begin, options.end)
    time_within(span, options.at, "--at", span[0])


def refuse_other_ending(file: Path) -> None:
    """Raise a ConfigError if the file of a page does not end as pages do."""
    if file.suffix.lower() not in (".html", ".htm"):
        raise ConfigError(
            f"--html: {file}: the file of a page ends in .html; write for example --html {file.stem}.html"
        )
