"""Write pictures to files: .png and .gif with Pillow, .mp4 with FFmpeg.

Films are encoded one picture at a time, so that their length does not matter for the memory. Pillow's `save` would keep
all pictures of a .gif; its functions for a single frame, which `save` uses too, do not.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from hybridsim.engine.compiler.processes import APART
from hybridsim.errors import ConfigError

Picture = NDArray[np.uint8]
"""Red, green and blue of each pixel, (height, width, 3)."""

GIF_COLOURS = 256
MAX_GIF_FPS = 50.0
"""Pictures per second; browsers slow down faster .gif files."""
MIN_GIF_FPS = 0.01
"""Pictures per second; a .gif stores the duration of a picture in hundredths of a second, up to 655 s."""
MIN_MP4_FPS = 0.001
"""Pictures per second: far slower ones are refused by ffmpeg."""
GIF_TRAILER = b";"
MP4_QUALITY = 17
"""Constant rate factor of H.264, from 0 (lossless) to 51."""


def write_png(path: Path, picture: Picture) -> None:
    """Write one picture.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    Image.fromarray(picture).save(path, format="PNG")


def write_gif(path: Path, pictures: Iterable[Picture], fps: float, samples: Sequence[Picture]) -> None:
    """Write a film that repeats for ever.

    Parameters
    ----------
    path : Path
        The file.
    pictures : iterable of Picture
        The pictures, all of one size.
    fps : float
        Pictures per second.
    samples : sequence of Picture
        Pictures from the whole film, from which its 256 colours are chosen.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    palette = _palette(samples)
    with path.open("wb") as file:
        last: Picture | None = None
        for number, picture in enumerate(pictures):
            image = Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
            if number == 0:
                header, _ = GifImagePlugin.getheader(image.copy(), info={"loop": 0})
                file.writelines(header)
            box = _box_of_change(last, np.asarray(image))
            # Durations are whole hundredths of a second: round the times, so that the errors do not add up.
            hundredths = round(100 * (number + 1) / fps) - round(100 * number / fps)
            file.writelines(
                GifImagePlugin.getdata(image.crop(box), offset=box[:2], duration=10 * hundredths, disposal=1)
            )
            last = np.asarray(image)
        file.write(GIF_TRAILER)


def _palette(samples: Sequence[Picture]) -> Any:
    """Return a palette image.

    Colours count by the square root of their number of pixels, so that small bodies get colours next to the wide sky.
    """
    pixels = np.concatenate([sample.reshape(-1, 3) for sample in samples]).astype(np.int32)
    counts = np.bincount((pixels >> 2) @ (64**2, 64, 1))
    (found,) = counts.nonzero()
    colours, counts = np.column_stack(np.unravel_index(found, (64, 64, 64))), counts[found]
    repeated = np.repeat(colours << 2 | 2, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    return Image.fromarray(repeated[None].astype(np.uint8)).quantize(GIF_COLOURS, Image.Quantize.MEDIANCUT, kmeans=2)


def _box_of_change(before: Picture | None, after: Picture) -> tuple[int, int, int, int]:
    """Return the box around the pixels that differ: left, upper, right, lower [pixels]; never empty."""
    height, width = after.shape
    if before is None:
        return 0, 0, width, height
    rows, columns = (np.flatnonzero((before != after).any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return 0, 0, 1, 1
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def ffmpeg_program() -> str:
    """Return the path of the program that writes .mp4 files.

    Raises
    ------
    ConfigError
        If it is not installed.
    """
    try:
        program: str = import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise ConfigError(
            ".mp4 needs FFmpeg, which is not installed; install it with pip install 'hybridsim[video]', "
            "or name the file .gif or f%04d.png"
        ) from None
    return program


def write_mp4(path: Path, pictures: Iterable[Picture], fps: float, size: tuple[int, int]) -> None:
    """Write a film (H.264).

    Parameters
    ----------
    path : Path
        The file.
    pictures : iterable of Picture
        The pictures.
    fps : float
        Pictures per second.
    size : (int, int)
        Width and height of the pictures [pixels], even numbers.

    Raises
    ------
    OSError
        If the file cannot be written or FFmpeg fails.
    ConfigError
        If FFmpeg is not installed.
    """
    with _encoder(path, fps, size) as pixels:
        for picture in pictures:
            pixels.write(np.ascontiguousarray(picture).data)


@contextmanager
def _encoder(path: Path, fps: float, size: tuple[int, int]) -> Iterator[IO[bytes]]:
    """Start FFmpeg and yield the stream from which it reads pixels; end it in any case."""
    given = f"-f rawvideo -pix_fmt rgb24 -s {size[0]}x{size[1]} -r {fps:.9g} -i -"
    wanted = f"-c:v libx264 -preset medium -crf {MP4_QUALITY} -pix_fmt yuv420p -movflags +faststart -f mp4"
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            [ffmpeg_program(), "-y", "-loglevel", "error", *given.split(), *wanted.split(), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            **APART,
        )
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # the reason is in FFmpeg's messages
                yield process.stdin
                process.stdin.close()
            process.wait()
        finally:
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):
                process.stdin.close()
        if process.returncode:
            messages.seek(0)
            lines = messages.read().decode(errors="replace").split("\n")
            raise OSError(
                next((line for line in lines[::-1] if line.strip()), f"FFmpeg ended with {process.returncode}")
            )
